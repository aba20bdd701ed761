import type { CollaboratorStore, StoredCollaborator } from "../../ports/CollaboratorStore.js"
import { Conflict } from "../../ports/StorageError.js"
import type { MemoryAccount } from "./Account.js"
import type { Journal } from "./Journal.js"
import { sealed } from "./seal.js"
import { everything, slicedList } from "./Table.js"

/** The store of collaborators within one transaction. */
export const make = (account: MemoryAccount, journal: Journal): CollaboratorStore => {
  const { collaborators, collaboratorsInOrder } = account
  const store = (row: StoredCollaborator): StoredCollaborator => {
    collaborators.put(journal, row)
    return row
  }
  return {
    get: (id) => journal.read("read a collaborator", () => collaborators.get(id)),
    find: (ids) => journal.read("read collaborators", () => collaborators.find(ids)),
    insert: (row) =>
      journal.write("insert a collaborator", () => {
        const { id } = row.collaborator
        if (collaborators.get(id) !== undefined) return Conflict.of("collaborator", id)
        return store(sealed({ ...row, version: 1 }))
      }),
    update: (row) =>
      journal.write("update a collaborator", () => {
        const { id } = row.collaborator
        if (collaborators.get(id)?.version !== row.version) return Conflict.of("collaborator", id)
        return store(sealed({ ...row, version: row.version + 1 }))
      }),
    list: (slice) =>
      journal.read("list collaborators", () =>
        slicedList(collaboratorsInOrder.list(everything), slice),
      ),
  }
}
