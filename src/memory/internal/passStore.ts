import type { PassStore, StoredPass } from "../../ports/PassStore.js"
import { Conflict } from "../../ports/StorageError.js"
import type { MemoryAccount } from "./Account.js"
import { type Journal, sealed } from "./Table.js"

/** The store of passes within one transaction. */
export const makePasses = (account: MemoryAccount, journal: Journal): PassStore => {
  const { passes, passesOf } = account
  const put = (pass: StoredPass): StoredPass => {
    const row = sealed(pass)
    passes.put(journal, row)
    return row
  }
  return {
    get: (id) => journal.read("read a pass", () => passes.get(id)),
    ofCollaborator: (collaboratorId) =>
      journal.read("list passes", () => passesOf.list(collaboratorId)?.all() ?? []),
    insert: (pass) =>
      journal.write("insert a pass", () =>
        passes.get(pass.id) === undefined
          ? put({ ...pass, version: 1 })
          : Conflict.of("pass", pass.id),
      ),
    update: (pass) =>
      journal.write("update a pass", () =>
        passes.get(pass.id)?.version === pass.version
          ? put({ ...pass, version: pass.version + 1 })
          : Conflict.of("pass", pass.id),
      ),
    remove: (id) => journal.write("remove a pass", () => passes.remove(journal, id)),
  }
}
