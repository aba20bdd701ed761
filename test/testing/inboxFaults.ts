import type { InboxEntry, InboxNote, InboxStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the inbox. */
const inInbox = (name: string, change: (store: InboxStore) => Partial<InboxStore>): Fault =>
  inStores(name, ({ stores: { inbox } }) => ({ inbox: { ...inbox, ...change(inbox) } }))

const outliving = inStores("the inbox outlives transactions that fail", ({ stores, kept }) => ({
  inbox: {
    ...stores.inbox,
    putNotes: (notes) =>
      Effect.sync(() => {
        for (const note of notes) kept.set(note.key, note)
      }),
    notes: (keys) =>
      Effect.sync(() =>
        [...new Set(keys)].flatMap((key) => {
          const found = kept.get(key)
          return found === undefined ? [] : [found as InboxNote]
        }),
      ),
  },
}))

/** What an adapter can do wrong with the inbox. */
export const inboxFaults: ReadonlyArray<Fault> = [
  outliving,
  inInbox("the reason of an entry is forgotten", ({ get }) => ({
    get: (key) =>
      Effect.map(get(key), (found): InboxEntry | undefined => found && { ...found, reason: "" }),
  })),
  inInbox("what is refused is due", ({ list }) => ({
    list: ({ dueBy, ...options }) =>
      Effect.map(list(options), (found) =>
        found.filter(({ nextAttemptAt }) => dueBy === undefined || nextAttemptAt <= dueBy),
      ),
  })),
  inInbox("all entries wait for everything", ({ list }) => ({
    list: ({ waitsFor: _, ...options }) => list(options),
  })),
  inInbox("an entry that is known comes again", ({ list }) => ({
    list: ({ after: _, ...options }) => list(options),
  })),
  inInbox("notes of all kinds are forgotten", ({ forgetNotes }) => ({
    forgetNotes: (options) =>
      Effect.map(
        Effect.all([
          forgetNotes(options),
          forgetNotes({ ...options, kind: "order", before: 2 ** 53 }),
        ]),
        ([first]) => first,
      ),
  })),
  inInbox("a note stays as it was first made", ({ notes, putNotes }) => ({
    putNotes: (added) =>
      Effect.flatMap(notes(added.map(({ key }) => key)), (known) => {
        const keys = new Set(known.map(({ key }) => key))
        return putNotes(added.filter(({ key }) => !keys.has(key)))
      }),
  })),
  inInbox("keys are trimmed and made small", ({ get }) => ({
    get: (key) => get(key.trim().toLowerCase()),
  })),
  inInbox("entries are counted that are gone", ({ count, remove, put }) => ({
    remove: (key) => Effect.ignore(remove(key)),
    put,
    count: () => Effect.map(count(), (known) => known + 1),
  })),
]
