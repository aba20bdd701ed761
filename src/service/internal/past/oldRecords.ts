/** What of an account is old and needed by nobody: how much it is, and removing some of it in each transaction. */
import * as Effect from "effect/Effect"
import type { InboxNote } from "../../../ports/InboxStore.js"
import type { OldRecords, RefundDocument } from "../../../ports/RetentionStore.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { Transactor } from "../transactions.js"

/** How many rows go in one transaction. */
const rowsAtATime = 5_000

/** How many notes are rewritten in one transaction: what is known of their orders is read with them. */
const documentsAtATime = 200

const runsAtATime = 200

/** Does something again and again, each time in a transaction of its own, until it does less than it may; gives how often. */
const untilLess = Effect.fnUntraced(function* <E>(most: number, work: Effect.Effect<number, E>) {
  let total = 0
  for (;;) {
    const done = yield* work
    total += done
    if (done < most) return total
  }
})

/** Old events up to the last that every active endpoint got. */
export const oldEvents = Effect.fnUntraced(function* (
  { events, endpoints }: Stores,
  before: number,
): Effect.fn.Return<Extract<OldRecords, { kind: "events" }>, StorageError> {
  const waiting = (yield* endpoints.list()).filter(({ isActive }) => isActive)
  const upTo = Math.min(yield* events.last(), ...waiting.map(({ delivered }) => delivered))
  return { kind: "events", upTo, before }
})

/** Forgets old events that have a number. */
export const forgetEvents = ({ write }: Transactor, accountId: string, at: number) =>
  untilLess(
    rowsAtATime,
    write(accountId, (stores) =>
      Effect.flatMap(oldEvents(stores, at), ({ upTo }) =>
        stores.events.removeBefore({ upTo, at, limit: rowsAtATime }),
      ),
    ),
  )

/** Forgets old idempotency keys. */
export const forgetAnswers = ({ write }: Transactor, accountId: string, before: number) =>
  untilLess(
    rowsAtATime,
    write(accountId, ({ retention }) => retention.remove({ kind: "answers", before }, rowsAtATime)),
  )

/** Forgets that old deliveries came. */
export const forgetDeliveries = ({ write }: Transactor, accountId: string, before: number) =>
  untilLess(
    rowsAtATime,
    write(accountId, ({ inbox }) =>
      inbox.forgetNotes({ kind: "delivery", before, limit: rowsAtATime }),
    ),
  )

/** The runs of re-splits that were booked before a time. */
const bookedRuns = Effect.fnUntraced(function* (
  { read }: Transactor,
  accountId: string,
  before: number,
) {
  const ids: Array<string> = []
  for (let offset = 0; ; offset += runsAtATime) {
    const slice = { offset, limit: runsAtATime }
    const { entries } = yield* read(accountId, ({ resplits }) => resplits.list(slice))
    for (const { id, bookedAt } of entries) {
      if (bookedAt !== null && bookedAt < before) ids.push(id)
    }
    if (entries.length < runsAtATime) return ids
  }
})

const summed = (counts: ReadonlyArray<number>): number =>
  counts.reduce((total, count) => total + count, 0)

/** Removes the batches of runs that were booked: nobody looks at them any more. */
export const forgetBatches = Effect.fnUntraced(function* (
  transactor: Transactor,
  accountId: string,
  before: number,
) {
  const runs = yield* bookedRuns(transactor, accountId, before)
  const gone = yield* Effect.forEach(runs, (runId) =>
    untilLess(
      rowsAtATime,
      transactor.write(accountId, ({ retention }) =>
        retention.remove({ kind: "resplit batches", runId }, rowsAtATime),
      ),
    ),
  )
  return summed(gone)
})

/** How many batches of such runs there are. */
export const countBatches = Effect.fnUntraced(function* (
  transactor: Transactor,
  accountId: string,
  before: number,
) {
  const runs = yield* bookedRuns(transactor, accountId, before)
  const counts = yield* Effect.forEach(runs, (runId) =>
    transactor.read(accountId, ({ retention }) =>
      retention.count({ kind: "resplit batches", runId }),
    ),
  )
  return summed(counts)
})

// Documents of refunds are read again where deliveries of an order overtook each other.

type RefundNote = Extract<InboxNote, { readonly kind: "refund" }>

/** The key of the note of a refund's order. */
const orderKeyOf = ({ key, orderId }: RefundDocument): string =>
  `${key.slice(0, key.indexOf("/refund/"))}/order/${orderId}`

/** Whether nothing was told of an order for so long, it came as a whole, and nothing of it came late. */
const isQuiet = (
  note: InboxNote | undefined,
  parts: ReadonlyArray<RecordedSale>,
  before: number,
): boolean =>
  parts.length <= 1 &&
  parts.every(
    ({ recordedAt, adjustments = [] }) => recordedAt < before && adjustments.length === 0,
  ) &&
  (note === undefined || (note.kind === "order" && note.at < before && note.late === undefined))

/** Those of some refunds whose documents nobody reads again, as they are noted. */
const quietOf = Effect.fnUntraced(function* (
  { inbox, sales }: Stores,
  documents: ReadonlyArray<RefundDocument>,
  before: number,
): Effect.fn.Return<ReadonlyArray<RefundNote>, StorageError> {
  const keys = documents.flatMap((document) => [document.key, orderKeyOf(document)])
  const notes = new Map((yield* inbox.notes(keys)).map((note) => [note.key, note]))
  const orderIds = new Set(documents.map(({ orderId }) => orderId))
  const byOrder = Map.groupBy(yield* sales.ofOrders([...orderIds]), ({ orderId }) => orderId)
  return documents.flatMap((document) => {
    const note = notes.get(document.key)
    const parts = byOrder.get(document.orderId) ?? []
    const isOver = isQuiet(notes.get(orderKeyOf(document)), parts, before)
    return note?.kind === "refund" && isOver ? [note] : []
  })
})

type DocumentWork = (
  stores: Stores,
  notes: ReadonlyArray<RefundNote>,
) => Effect.Effect<void, StorageError>

/** How far it is, and how many documents nobody reads again were found. */
interface DocumentsFound {
  readonly last: RefundDocument | undefined
  readonly isMore: boolean
  readonly count: number
}

/** Goes through old documents that nobody reads again; gives how many there are. */
const eachDocument = Effect.fnUntraced(function* (
  transact: Transactor["read"],
  { accountId, before }: { readonly accountId: string; readonly before: number },
  work: DocumentWork,
): Effect.fn.Return<number, StorageError> {
  const next = (after: RefundDocument | undefined) =>
    transact(
      accountId,
      Effect.fnUntraced(function* (stores): Effect.fn.Return<DocumentsFound, StorageError> {
        const options = { before, after, limit: documentsAtATime }
        const documents = yield* stores.retention.refundDocuments(options)
        const notes = documents.length === 0 ? [] : yield* quietOf(stores, documents, before)
        if (notes.length > 0) yield* work(stores, notes)
        const isMore = documents.length === documentsAtATime
        return { last: documents.at(-1), isMore, count: notes.length }
      }),
    )
  let found = yield* next(undefined)
  let total = found.count
  while (found.isMore) {
    found = yield* next(found.last)
    total += found.count
  }
  return total
})

/** How many documents nobody reads again. */
export const countDocuments = ({ read }: Transactor, accountId: string, before: number) =>
  eachDocument(read, { accountId, before }, () => Effect.void)

/** Leaves old documents out of the notes of refunds, which stay. */
export const forgetDocuments = ({ write }: Transactor, accountId: string, before: number) =>
  eachDocument(write, { accountId, before }, ({ inbox }, notes) =>
    inbox.putNotes(notes.map(({ document: _, ...note }) => note)),
  )
