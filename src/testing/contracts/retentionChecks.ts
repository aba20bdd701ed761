import * as Effect from "effect/Effect"
import type { NewEvent } from "../../events/AccountEvent.js"
import type { InboxNote } from "../../ports/InboxStore.js"
import type { OldRecords, RefundDocument } from "../../ports/RetentionStore.js"
import type { StorageService, Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import {
  accountId,
  type ContractContext,
  contextOf,
  inContext,
  retried,
} from "./ContractContext.js"
import { type ContractCheck, expectSame } from "./check.js"
import { answer, resplitBatch, resplitRun } from "./samples.js"

const count = ({ read }: ContractContext, old: OldRecords) =>
  read(({ retention }) => retention.count(old))

const remove = (
  { write }: ContractContext,
  old: Parameters<Stores["retention"]["remove"]>[0],
  limit = 10,
) => write(({ retention }) => retention.remove(old, limit))

const putAnswers = ({ write }: ContractContext, ...times: ReadonlyArray<number>) =>
  write(({ keys }) =>
    Effect.forEach(times, (createdAt) => keys.insert(answer(`at ${createdAt}`, { createdAt })), {
      discard: true,
    }),
  )

/** Whether nothing is ever old: a storage of plain functions may leave that out. */
const isLeftOut = ({ storage }: ContractContext) => {
  const context = contextOf(storage, "tells what is old")
  const old = { kind: "answers", before: 5 } as const
  return Effect.gen(function* () {
    yield* putAnswers(context, 1)
    return (yield* count(context, old)) === 0 && (yield* remove(context, old)) === 0
  })
}

/** A check that holds for nothing when a host leaves out what is old, or what it is of. */
const withRetention = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
  /** Fails where the host has none of it. */
  attempt: (stores: Stores) => Effect.Effect<unknown, StorageError> = () => Effect.void,
): ContractCheck<StorageService> =>
  inContext(name, (context) =>
    Effect.gen(function* () {
      const other = contextOf(context.storage, "has something that is old")
      const isMissing = yield* Effect.match(other.write(attempt), {
        onFailure: (error) => error._tag === "StorageFailure",
        onSuccess: () => false,
      })
      if (!isMissing && !(yield* isLeftOut(context))) yield* check(context)
    }),
  )

const areAnswers = Effect.fnUntraced(function* (context: ContractContext) {
  yield* putAnswers(context, 4, 1, 3, 2, 9)
  const old = { kind: "answers", before: 4 } as const
  yield* expectSame("how many are old", yield* count(context, old), 3)
  const other = contextOf(context.storage, "another account")
  yield* expectSame("of another account", yield* count(other, old), 0)
  yield* expectSame("that go there", yield* remove(other, old), 0)
  yield* expectSame("how many go at first", yield* remove(context, old, 2), 2)
  const known = (at: number) => context.read(({ keys }) => keys.get(`at ${at}`))
  const kept = yield* Effect.forEach([1, 2, 3, 4, 9], known)
  const there = kept.map((one) => one?.createdAt)
  yield* expectSame("those that stay", there, [undefined, undefined, 3, 4, 9])
  yield* expectSame("how many go then", yield* remove(context, old, 2), 1)
  yield* expectSame("how many go again", yield* remove(context, old, 2), 0)
  yield* expectSame("how many are old then", yield* count(context, old), 0)
  const failing = context.write(({ retention }) =>
    Effect.andThen(retention.remove({ kind: "answers", before: 100 }, 10), Effect.fail("no")),
  )
  yield* Effect.exit(failing)
  const all = yield* count(context, { kind: "answers", before: 100 })
  yield* expectSame("what fails removes nothing", all, 2)
})

const areBatches = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  for (const id of ["a", "b 🎨"]) {
    const batches = [1, 2, 3].map(resplitBatch)
    yield* write(({ resplits }) => resplits.insert(resplitRun(id, { batches: 3 }), batches))
  }
  const old = { kind: "resplit batches", runId: "b 🎨" } as const
  yield* expectSame("those of a run", yield* count(context, old), 3)
  yield* expectSame("how many go at first", yield* remove(context, old, 2), 2)
  yield* expectSame("how many go then", yield* remove(context, old, 2), 1)
  yield* expectSame("how many go again", yield* remove(context, old, 2), 0)
  const batchOf = (id: string) => read(({ resplits }) => resplits.batch(id, 2))
  yield* expectSame("a batch that is gone", yield* batchOf("b 🎨"), undefined)
  yield* expectSame("one of another run", yield* batchOf("a"), resplitBatch(2))
  const run = yield* read(({ resplits }) => resplits.get("b 🎨"))
  const whole = { ...resplitRun("b 🎨", { batches: 3 }), version: 1 }
  yield* expectSame("the run itself", run, whole)
})

const note = (key: string, at: number, document?: unknown): InboxNote => ({
  ...{ key, at, kind: "refund", orderId: `order of ${key}` },
  ...(document === undefined ? {} : { document }),
})

const place = (key: string, at: number): RefundDocument => ({
  ...{ key, at, orderId: `order of ${key}` },
})

const areDocuments = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  yield* write(({ inbox }) =>
    inbox.putNotes([
      ...[note("c", 2, { id: "1 \u0000" }), note("a 🎨", 2, "\ud800"), note("d", 5, {})],
      ...[note("none", 1), note("text", 1), note("b", 1, [1])],
      { key: "x", at: 1, kind: "name", orderId: '"document":' },
      { key: "delivery", at: 1, kind: "delivery", topic: '"document":1' },
      { key: "quoted", at: 1, kind: "refund", orderId: '"document":{}' },
    ]),
  )
  const found = (limit: number, after?: RefundDocument) =>
    read(({ retention }) => retention.refundDocuments({ before: 5, after, limit }))
  const all = [place("b", 1), place("a 🎨", 2), place("c", 2)]
  yield* expectSame("the old ones, in their order", yield* found(10), all)
  yield* expectSame("the first", yield* found(1), all.slice(0, 1))
  yield* expectSame("the next", yield* found(10, all[0]), all.slice(1))
  yield* expectSame("those after one of the same time", yield* found(10, all[1]), all.slice(2))
  const other = contextOf(context.storage, "another account")
  const others = yield* other.read(({ retention }) =>
    retention.refundDocuments({ before: 5, after: undefined, limit: 10 }),
  )
  yield* expectSame("of another account", others, [])
  yield* write(({ inbox }) => inbox.putNotes([note("b", 1)]))
  yield* expectSame("without one that went", yield* found(10), all.slice(1))
  const deliveries = yield* count(context, { kind: "deliveries", before: 2 })
  yield* expectSame("how many notes of deliveries are old", deliveries, 1)
  const early = yield* count(context, { kind: "deliveries", before: 1 })
  yield* expectSame("how many older ones", early, 0)
})

const areEvents = Effect.fnUntraced(function* (context: ContractContext) {
  const { storage, write } = context
  const event = (at: number): NewEvent => ({
    ...{ type: "collaborator.created", at, actor: "alice" },
    data: { collaboratorId: "a", currency: "EUR" },
  })
  yield* write(({ events }) => events.append([1, 2, 9, 3, 4].map(event)))
  if (storage.numberEvents !== undefined) yield* retried(storage.numberEvents(accountId, 100))
  const last = yield* context.read(({ events }) => events.last())
  // A host may leave events out.
  if (last === 0) return
  const old = (upTo: number, before: number) => count(context, { kind: "events", upTo, before })
  yield* expectSame("up to the first that stays", yield* old(5, 5), 2)
  yield* expectSame("up to a number", yield* old(1, 5), 1)
  yield* expectSame("all", yield* old(5, 10), 5)
  yield* expectSame("none", yield* old(5, 1), 0)
})

/** What the store of what is old has to do. */
export const retentionChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withRetention("old idempotency keys are counted, and go some at a time", areAnswers),
  withRetention("old events are counted up to the first that stays", areEvents),
  withRetention(
    "batches of a run go some at a time, and the run stays",
    areBatches,
    ({ resplits }) => resplits.insert(resplitRun("one"), []),
  ),
  withRetention(
    "old refunds with documents are found by when they were noted",
    areDocuments,
    ({ inbox }) => inbox.putNotes([note("one", 1)]),
  ),
]
