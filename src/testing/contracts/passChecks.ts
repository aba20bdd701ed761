import * as Effect from "effect/Effect"
import type { StoredPass } from "../../ports/PassStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, contextOf, inContextWith, introduce } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame } from "./check.js"
import { earliest, latest } from "./samples.js"

type NewPass = Omit<StoredPass, "version">

const pass = (id: string, changes: Partial<NewPass> = {}): NewPass => ({
  ...{ id, collaboratorId: "ada", language: "en", mac: "00".repeat(32) },
  ...{ createdAt: 1, createdBy: "someone", expiresAt: 2, revokedAt: null, revokedBy: null },
  ...changes,
})

const insert = ({ write }: ContractContext, ...passes: ReadonlyArray<NewPass>) =>
  write((stores) =>
    Effect.gen(function* () {
      yield* introduce(
        stores,
        passes.map(({ collaboratorId }) => collaboratorId),
      )
      yield* Effect.forEach(passes, (one) => stores.passes.insert(one), { discard: true })
    }),
  )

const idsOf = ({ read }: ContractContext, collaboratorId: string) =>
  Effect.map(
    read(({ passes }) => passes.ofCollaborator(collaboratorId)),
    (all) => all.map(({ id }) => id),
  )

/** A check that holds for nothing when a host leaves passes out: then not even one can be stored. */
const withPasses = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContextWith(["ada"])(name, (context) => {
    const other = contextOf(context.storage, "has passes")
    const isLeftOut = Effect.match(insert(other, pass("one")), {
      onFailure: (error) => error._tag === "StorageFailure",
      onSuccess: () => false,
    })
    return Effect.flatMap(isLeftOut, (left) => (left ? Effect.void : check(context)))
  })

const isStored = Effect.fnUntraced(function* (context: ContractContext) {
  const full = pass("full", {
    ...{ collaboratorId: "Åda \u0000🎨", language: "ar", mac: "f0".repeat(32) },
    ...{ createdAt: earliest, createdBy: "“no” \u0000", expiresAt: latest },
    ...{ revokedAt: latest, revokedBy: "🎨" },
  })
  yield* insert(context, full, pass("b"), pass("B"), pass("a"))
  const get = (id: string) => context.read(({ passes }) => passes.get(id))
  yield* expectSame("the pass", yield* get("full"), { ...full, version: 1 })
  yield* expectSame("another", yield* get("Full"), undefined)
  yield* expectSame("of a collaborator, by id", yield* idsOf(context, "ada"), ["B", "a", "b"])
  yield* expectSame("of another one", yield* idsOf(context, full.collaboratorId), ["full"])
  yield* expectSame("of nobody", yield* idsOf(context, "Ada"), [])
  const other = contextOf(context.storage, "another account")
  yield* expectSame("of another account", yield* idsOf(other, "ada"), [])
  const foreign = yield* other.read(({ passes }) => passes.get("full"))
  yield* expectSame("one of another account", foreign, undefined)
})

const isChanged = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  yield* insert(context, pass("a"))
  yield* expectConflict("the same id again", insert(context, pass("a")))
  const next = { ...pass("a", { revokedAt: 5, revokedBy: "ben" }), version: 1 }
  const updated = yield* write(({ passes }) => passes.update(next))
  yield* expectSame("the next version", updated, { ...next, version: 2 })
  yield* expectConflict(
    "an old version",
    write(({ passes }) => passes.update(next)),
  )
  const unknown = { ...pass("b"), version: 1 }
  yield* expectConflict(
    "an unknown id",
    write(({ passes }) => passes.update(unknown)),
  )
  const found = yield* read(({ passes }) => passes.get("a"))
  yield* expectSame("what stays", found, { ...next, version: 2 })
})

const isRemoved = Effect.fnUntraced(function* (context: ContractContext) {
  const { write } = context
  yield* insert(context, pass("a"), pass("b"))
  yield* write(({ passes }) => Effect.andThen(passes.remove("a"), passes.remove("unknown")))
  yield* expectSame("what is left", yield* idsOf(context, "ada"), ["b"])
  const failing = write(({ passes }) =>
    Effect.gen(function* () {
      yield* passes.remove("b")
      yield* passes.insert(pass("c"))
      return yield* Effect.fail("given up" as const)
    }),
  )
  yield* Effect.ignore(failing)
  yield* expectSame("after a rollback", yield* idsOf(context, "ada"), ["b"])
})

/** The contract of the store of passes. */
export const passChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withPasses("a pass comes back as it was stored, and is found by its collaborator", isStored),
  withPasses("a pass is changed by version, and its id is unique", isChanged),
  withPasses("a removed pass is gone, and a rollback leaves passes as they were", isRemoved),
]
