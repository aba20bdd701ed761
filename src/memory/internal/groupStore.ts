import type { ProductGroupStore, StoredGroup } from "../../ports/ProductGroupStore.js"
import { Conflict } from "../../ports/StorageError.js"
import type { MemoryAccount } from "./Account.js"
import type { Journal } from "./Journal.js"
import { sealed } from "./seal.js"
import { slicedList } from "./Table.js"

/** A rule set that was read in a transaction that is taken back must not pass for a later one's. */
const nextRevision = (account: MemoryAccount, journal: Journal): void => {
  const before = account.groupsRevision
  journal.note(() => {
    account.groupsRevision = before
  })
  account.groupsRevision = account.nextRevision
  account.nextRevision += 1
}

/** The store of product groups within one transaction. */
export const make = (account: MemoryAccount, journal: Journal): ProductGroupStore => {
  const { groups, groupsOf } = account
  const store = (row: StoredGroup): StoredGroup => {
    nextRevision(account, journal)
    groups.put(journal, row)
    return row
  }
  return {
    get: (id) => journal.read("read a product group", () => groups.get(id)),
    find: (ids) => journal.read("read product groups", () => groups.find(ids)),
    insert: (row) =>
      journal.write("insert a product group", () => {
        const { id } = row.group
        if (groups.get(id) !== undefined) return Conflict.of("product group", id)
        return store(sealed({ ...row, version: 1 }))
      }),
    update: (row) =>
      journal.write("update a product group", () => {
        const { id } = row.group
        if (groups.get(id)?.version !== row.version) return Conflict.of("product group", id)
        return store(sealed({ ...row, version: row.version + 1 }))
      }),
    remove: ({ groupId, version }) =>
      journal.write("remove a product group", () => {
        if (groups.get(groupId)?.version !== version) return Conflict.of("product group", groupId)
        nextRevision(account, journal)
        groups.remove(journal, groupId)
      }),
    list: (collaboratorId, slice) =>
      journal.read("list product groups", () => slicedList(groupsOf.list(collaboratorId), slice)),
    all: journal.read("read all product groups", () => groups.all().map(({ group }) => group)),
    revision: journal.read("read the revision of the groups", () => account.groupsRevision),
  }
}
