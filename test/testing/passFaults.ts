import type { PassStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of passes. */
const inPasses = (name: string, change: (store: PassStore) => Partial<PassStore>): Fault =>
  inStores(name, ({ stores: { passes } }) => ({ passes: { ...passes, ...change(passes) } }))

/** What an adapter can do wrong with passes. */
export const passFaults: ReadonlyArray<Fault> = [
  inPasses("a pass is changed whatever its version", ({ get, update }) => ({
    update: (pass) =>
      Effect.flatMap(get(pass.id), (known) =>
        update({ ...pass, version: known?.version ?? pass.version }),
      ),
  })),
  inPasses("ids of passes are made small", ({ get }) => ({ get: (id) => get(id.toLowerCase()) })),
  inPasses("that a pass was revoked is forgotten", ({ get }) => ({
    get: (id) =>
      Effect.map(get(id), (pass) => pass && { ...pass, revokedAt: null, revokedBy: null }),
  })),
  inPasses("the passes of all collaborators are one", ({ ofCollaborator }) => ({
    ofCollaborator: () => ofCollaborator("ada"),
  })),
  inPasses("the passes of a collaborator come the last first", (store) => ({
    ofCollaborator: (id) => Effect.map(store.ofCollaborator(id), (all) => all.toReversed()),
  })),
  inPasses("a pass that is removed stays", () => ({ remove: () => Effect.void })),
]
