import type { InboxEntry, InboxStore } from "../../ports/InboxStore.js"
import type { MemoryAccount } from "./Account.js"
import { everything, type Journal, sealed } from "./Table.js"

const isDue = ({ state, nextAttemptAt }: InboxEntry, dueBy: number | undefined): boolean =>
  dueBy === undefined || (state === "waiting" && nextAttemptAt <= dueBy)

/** The inbox within one transaction. */
export const makeInbox = (account: MemoryAccount, journal: Journal): InboxStore => {
  const { inbox, inboxInOrder, inboxWaiting, notes, notesOfKind } = account
  return {
    notes: (keys) =>
      journal.read("read notes of the inbox", () =>
        [...new Set(keys)].flatMap((key) => notes.get(key) ?? []),
      ),
    putNotes: (all) =>
      journal.write("put notes of the inbox", () => {
        for (const note of all) notes.put(journal, sealed(note))
      }),
    forgetNotes: ({ kind, before, limit }) =>
      journal.write("forget notes of the inbox", () => {
        const old = notesOfKind.list(kind)?.firstWhile(({ at }) => at < before, limit) ?? []
        for (const { key } of old) notes.remove(journal, key)
        return old.length
      }),
    get: (key) => journal.read("read an entry of the inbox", () => inbox.get(key)),
    put: (entry) =>
      journal.write("put an entry into the inbox", () => {
        inbox.put(journal, sealed(entry))
      }),
    remove: (key) =>
      journal.write("remove an entry of the inbox", () => inbox.remove(journal, key)),
    list: ({ after = "", limit, waitsFor, dueBy }) =>
      journal.read("list the inbox", () => {
        const all =
          waitsFor === undefined ? inboxInOrder.list(everything) : inboxWaiting.list(waitsFor)
        const next = all?.from(({ key }) => key > after, dueBy === undefined ? limit : all.size)
        return (next ?? []).filter((entry) => isDue(entry, dueBy)).slice(0, limit)
      }),
    count: () => journal.read("count the inbox", () => inbox.size),
  }
}
