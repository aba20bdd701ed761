import * as Effect from "effect/Effect"
import type { InboxEntry, InboxNote, InboxStore } from "../../ports/InboxStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, contextOf, inContext } from "./ContractContext.js"
import { type ContractCheck, expectSame } from "./check.js"
import { earliest, latest, oddIds } from "./samples.js"

const entry = (key: string, changes: Partial<InboxEntry> = {}): InboxEntry => ({
  ...{ key, platform: "shopify", topic: "refunds/create", deliveryId: `delivery of ${key}` },
  ...{ state: "waiting", waitsFor: null, reason: "its order is not there" },
  occurrences: [{ kind: "refund", orderId: "1", refundId: key, document: { id: 1, lines: [] } }],
  ...{ receivedAt: 10, attempts: 0, nextAttemptAt: 100 },
  ...changes,
})

const note = (key: string, at: number, orderId = "1"): InboxNote => ({
  ...{ key, at, kind: "refund", orderId, document: { id: key, lines: [] } },
})

const put = ({ write }: ContractContext, ...entries: ReadonlyArray<InboxEntry>) =>
  write(({ inbox }) => Effect.forEach(entries, (one) => inbox.put(one), { discard: true }))

const keysOf = ({ read }: ContractContext, options: Partial<Parameters<InboxStore["list"]>[0]>) =>
  Effect.map(
    read(({ inbox }) => inbox.list({ limit: 10, ...options })),
    (found) => found.map(({ key }) => key),
  )

/** The notes with these keys, by key. */
const notesOf = ({ read }: ContractContext, ...keys: ReadonlyArray<string>) =>
  Effect.map(
    read(({ inbox }) => inbox.notes(keys)),
    (found) => [...found].sort((one, other) => (one.key < other.key ? -1 : 1)),
  )

/** A check that holds for nothing when a host leaves the inbox out: then nothing can be put into it. */
const withInbox = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContext(name, (context) => {
    const other = contextOf(context.storage, "has an inbox")
    const isLeftOut = Effect.match(put(other, entry("one")), {
      onFailure: (error) => error._tag === "StorageFailure",
      onSuccess: () => false,
    })
    return Effect.flatMap(isLeftOut, (left) => (left ? Effect.void : check(context)))
  })

const isKept = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  const full = entry("full", {
    ...{ state: "refused", waitsFor: "order/1", reason: "“no” \u0000" },
    occurrences: [
      { kind: "product removed", productId: "🎨", updatedAt: latest },
      { kind: "nothing", reason: "\ud800" },
    ],
    ...{ receivedAt: earliest, attempts: 3, nextAttemptAt: latest },
  })
  yield* put(context, full, entry("a"))
  yield* expectSame("the entry", yield* read(({ inbox }) => inbox.get("full")), full)
  yield* expectSame("another", yield* read(({ inbox }) => inbox.get("b")), undefined)
  yield* expectSame("how many there are", yield* read(({ inbox }) => inbox.count()), 2)
  const other = contextOf(context.storage, "another account")
  yield* expectSame("those of another account", yield* keysOf(other, {}), [])
  const next = entry("full", { attempts: 4 })
  yield* put(context, next)
  yield* expectSame("what took its place", yield* read(({ inbox }) => inbox.get("full")), next)
  yield* write(({ inbox }) => Effect.andThen(inbox.remove("full"), inbox.remove("full")))
  yield* expectSame("what is left", yield* keysOf(context, {}), ["a"])
  yield* expectSame("how many are left", yield* read(({ inbox }) => inbox.count()), 1)
})

const isListed = Effect.fnUntraced(function* (context: ContractContext) {
  yield* put(
    context,
    ...[entry("c", { waitsFor: "x" }), entry("a", { nextAttemptAt: 101 }), entry("Z")],
    ...[entry("b", { waitsFor: "x", nextAttemptAt: 99 }), entry("d", { waitsFor: "y" })],
    entry("e", { state: "refused", nextAttemptAt: 0 }),
  )
  const all = ["Z", "a", "b", "c", "d", "e"]
  yield* expectSame("all, by key", yield* keysOf(context, {}), all)
  yield* expectSame("those after one", yield* keysOf(context, { after: "a", limit: 2 }), ["b", "c"])
  yield* expectSame("those that wait for it", yield* keysOf(context, { waitsFor: "x" }), ["b", "c"])
  const afterB = yield* keysOf(context, { waitsFor: "x", after: "b" })
  yield* expectSame("the others that do", afterB, ["c"])
  const due = yield* keysOf(context, { dueBy: 100 })
  yield* expectSame("those that are due", due, ["Z", "b", "c", "d"])
  const first = yield* keysOf(context, { dueBy: 100, after: "Z", limit: 2 })
  yield* expectSame("some that are due", first, ["b", "c"])
  const both = yield* keysOf(context, { dueBy: 99, waitsFor: "x" })
  yield* expectSame("those that wait for it and are due", both, ["b"])
  yield* put(context, entry("b", { waitsFor: "y" }))
  yield* expectSame("when one waits for another", yield* keysOf(context, { waitsFor: "x" }), ["c"])
})

const isNoted = Effect.fnUntraced(function* (context: ContractContext) {
  const { write } = context
  const order: InboxNote = {
    ...{ key: "order/1", at: latest, kind: "order", isBegun: false, state: "open" },
    ...{ updatedAt: null, status: "“paid” \u0000" },
    leftOut: [{ itemId: "🎨", what: "gift card", amount: Number.MAX_SAFE_INTEGER }],
    moneyBack: Number.MAX_SAFE_INTEGER,
    states: [earliest, null],
    late: [{ updatedAt: earliest, order: { id: "🎨", currency: "USD", items: [] } }],
  }
  const name: InboxNote = { key: "order/pi", at: earliest, kind: "name", orderId: "🎨" }
  const owner: InboxNote = { key: "order/1/owner", at: latest, kind: "owner", platform: "🎨" }
  const notes = [order, name, owner, note("a", 1), note("b", 2), note("c", 3)]
  yield* write(({ inbox }) => inbox.putNotes(notes))
  yield* write(({ inbox }) => inbox.putNotes([]))
  const found = yield* notesOf(context, "order/pi", "order/1/owner", "order/1", "b", "unknown", "b")
  yield* expectSame("the notes", found, [note("b", 2), order, owner, name])
  yield* expectSame("none", yield* notesOf(context), [])
  const other = contextOf(context.storage, "another account")
  yield* expectSame("those of another account", yield* notesOf(other, "b"), [])
  yield* write(({ inbox }) => inbox.putNotes([note("b", 5, "2")]))
  yield* expectSame("what took its place", yield* notesOf(context, "b"), [note("b", 5, "2")])
  const forget = (before: number, limit: number) =>
    write(({ inbox }) => inbox.forgetNotes({ kind: "refund", before, limit }))
  yield* expectSame("how many are forgotten", yield* forget(5, 1), 1)
  const left = yield* notesOf(context, "a", "b", "c", "order/1")
  yield* expectSame("without the oldest", left, [note("b", 5, "2"), note("c", 3), order])
  yield* expectSame("how many more are", yield* forget(5, 10), 1)
  const rest = yield* notesOf(context, "a", "b", "c", "order/1")
  yield* expectSame("those from then on, and of other kinds", rest, [note("b", 5, "2"), order])
})

const isTakenBack = Effect.fnUntraced(function* (context: ContractContext) {
  yield* put(context, entry("a"))
  yield* context.write(({ inbox }) => inbox.putNotes([note("n", 1)]))
  const failing = context.write(({ inbox }) =>
    Effect.gen(function* () {
      yield* inbox.put(entry("b"))
      yield* inbox.remove("a")
      yield* inbox.putNotes([note("n", 2), note("m", 1)])
      yield* inbox.forgetNotes({ kind: "refund", before: 2, limit: 10 })
      return yield* Effect.fail("no")
    }),
  )
  yield* Effect.exit(failing)
  yield* expectSame("the entries", yield* keysOf(context, {}), ["a"])
  yield* expectSame("the notes", yield* notesOf(context, "m", "n"), [note("n", 1)])
})

const hasOddKeys = Effect.fnUntraced(function* (context: ContractContext) {
  yield* put(context, ...oddIds.map((id) => entry(id)))
  yield* context.write(({ inbox }) => inbox.putNotes(oddIds.map((id) => note(id, 1, id))))
  for (const id of oddIds) {
    const found = yield* context.read(({ inbox }) => inbox.get(id))
    yield* expectSame(`the entry ${id}`, found, entry(id))
    yield* expectSame(`the note ${id}`, yield* notesOf(context, id), [note(id, 1, id)])
  }
  const all = yield* keysOf(context, { limit: oddIds.length })
  yield* expectSame("all, by key", all, [...oddIds].sort())
})

/** The contract of the inbox. */
export const inboxChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withInbox("an entry of the inbox is stored, replaced, read as it was and removed", isKept),
  withInbox("the inbox is listed by key, by what is waited for and by what is due", isListed),
  withInbox("notes of the inbox are kept by key, and old ones of a kind forgotten", isNoted),
  withInbox("what fails leaves nothing behind in the inbox", isTakenBack),
  withInbox("keys of the inbox that look alike are different ones", hasOddKeys),
]
