/**
 * The life of all payouts of a store: sales, re-splits, refunds, expenses and incomes are recorded in the order in
 * which they happened, and payouts are opened, closed and paid by their schedules.
 *
 * A book is a value. Recording a fact gives a new book and leaves the old one as it was; a fact that can't be recorded
 * leaves no trace. Times are whole Unix seconds. A payment is one fact, made or failed: a book has no attempts under
 * way, so nothing in it is ever frozen.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { compareBy, compareNumbers, compareTexts } from "../internal/compare.js"
import type { Order } from "../orders/Order.js"
import {
  type BookError,
  DuplicateCollaborator,
  DuplicatePayout,
  FactOutOfOrder,
  ItemIdTaken,
  UnknownCollaborator,
  UnknownFact,
  UnknownPayout,
  UnknownShare,
} from "./BookError.js"
import type { ChangedShare, EarnedShare, Fact } from "./BookFact.js"
import type { Collaborator } from "./Collaborator.js"
import type { BookContents, BookedPayout, RecordedItem } from "./internal/bookContents.js"
import * as bookContents from "./internal/bookContents.js"
import * as bookItems from "./internal/bookItems.js"
import * as PersistentMap from "./internal/PersistentMap.js"
import * as Lifecycle from "./Lifecycle.js"
import * as Maturity from "./Maturity.js"
import type * as Payout from "./Payout.js"
import * as PayoutItem from "./PayoutItem.js"
import * as Schedule from "./Schedule.js"

/**
 * The options of a book.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly collaborators: ReadonlyArray<Collaborator>
  /** IANA name of the zone in which payout dates are computed; UTC when absent. */
  readonly timeZone?: string | undefined
  /**
   * How many days after its sale a share is mature, 0 to 3650; 0 when absent. Shares that are not mature when a payout
   * is closed move to the next one.
   *
   * @since 0.6.0
   */
  readonly maturityDays?: number | undefined
  /**
   * Returns how many units of `to` one unit of `from` buys at a time, as a decimal text; `undefined`: not known, and
   * the sale is refused. Without this function every share goes to a payout in its own currency.
   */
  readonly rate?: ((from: string, to: string, at: number) => string | undefined) | undefined
  /** Makes the id of a new payout; `<collaborator>-<currency>-<number>` when absent. Ids must not repeat. */
  readonly payoutId?: ((facts: NewPayout) => string) | undefined
}

/**
 * A payout about to be opened.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewPayout {
  readonly collaboratorId: string
  readonly currency: string
  /** Counted from 1 for each collaborator and currency. */
  readonly number: number
}

/**
 * The payouts of a store up to a time. Made by {@link empty}, read by {@link payouts}.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutBook {
  readonly options: Options & { readonly timeZone: string; readonly maturityDays: number }
  /** The time of the last fact, or the time to which the book was advanced; `null`: nothing happened yet. */
  readonly latestAt: number | null
  /** The internals of the book; they may change from one version of the library to the next. */
  readonly contents: BookContents
}

export {
  type BookError,
  DuplicateCollaborator,
  DuplicatePayout,
  FactOutOfOrder,
  ItemIdTaken,
  UnknownCollaborator,
  UnknownFact,
  UnknownPayout,
  UnknownShare,
} from "./BookError.js"
export { type ChangedShare, type EarnedShare, type Fact, order } from "./BookFact.js"

type FactOf<Type extends Fact["type"]> = Extract<Fact, { type: Type }>

type BookResult = Result.Result<PayoutBook, BookError>

/**
 * A book without any facts.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Collaborator, PayoutBook } from "apportion"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD" })
 * const book = Result.getOrThrow(PayoutBook.empty({ collaborators: [ada], timeZone: "UTC" }))
 * PayoutBook.payouts(book) // => []
 * ```
 */
export const empty = (
  options: Options,
): Result.Result<
  PayoutBook,
  Schedule.UnknownTimeZone | Schedule.InvalidTime | DuplicateCollaborator
> =>
  Result.gen(function* () {
    const timeZone = yield* Schedule.checkTimeZone(options.timeZone ?? "UTC")
    const maturityDays = yield* Schedule.checkMaturityDays(options.maturityDays ?? 0)
    let { collaborators } = bookContents.nothing
    for (const collaborator of options.collaborators) {
      const { id } = collaborator
      if (PersistentMap.get(collaborators, id) !== undefined)
        return yield* Result.fail(DuplicateCollaborator.of(id))
      collaborators = PersistentMap.set(collaborators, id, collaborator)
    }
    const contents = { ...bookContents.nothing, collaborators }
    return { options: { ...options, timeZone, maturityDays }, latestAt: null, contents }
  })

const requireInOrder = (
  book: PayoutBook,
  at: number,
): Result.Result<PayoutBook, FactOutOfOrder | Schedule.InvalidTime> =>
  Result.flatMap(Schedule.checkTime(at, "at"), () =>
    book.latestAt !== null && at < book.latestAt
      ? Result.fail(FactOutOfOrder.of(at, book.latestAt))
      : Result.succeed({ ...book, latestAt: at }),
  )

const withContents = (book: PayoutBook, changes: Partial<BookContents>): PayoutBook => ({
  ...book,
  contents: { ...book.contents, ...changes },
})

const withRecorded = (book: PayoutBook, itemId: string, recorded: RecordedItem): PayoutBook =>
  withContents(book, { recorded: PersistentMap.set(book.contents.recorded, itemId, recorded) })

const collaboratorOf = (
  { contents }: PayoutBook,
  collaboratorId: string,
): Result.Result<Collaborator, UnknownCollaborator> => {
  const known = PersistentMap.get(contents.collaborators, collaboratorId)
  return known === undefined
    ? Result.fail(UnknownCollaborator.of(collaboratorId))
    : Result.succeed(known)
}

type PayoutOwner = Pick<Lifecycle.Head, "collaboratorId" | "currency">

/** A currency has no space in it, so no two owners have the same key. */
const keyOf = ({ collaboratorId, currency }: PayoutOwner): string => `${currency} ${collaboratorId}`

const headOf = ({ contents }: PayoutBook, owner: PayoutOwner): Lifecycle.Head =>
  PersistentMap.get(contents.heads, keyOf(owner)) ?? Lifecycle.empty(owner)

/** A payout with an id that the book made. */
const payoutOf = ({ contents }: PayoutBook, payoutId: string): BookedPayout =>
  PersistentMap.at(contents.payouts, payoutId)

/** The ids of an owner's payouts, by their numbers. */
const namesOf = (
  { options: { payoutId: nameOf = Lifecycle.payoutId } }: PayoutBook,
  { collaboratorId, currency }: PayoutOwner,
): ((number: number) => string) => {
  return (number) => nameOf({ collaboratorId, currency, number })
}

/** The item with an id, and its position. */
const itemOf = (
  book: PayoutBook,
  itemId: string,
): (RecordedItem & { readonly item: PayoutItem.PayoutItem }) | undefined => {
  const recorded = PersistentMap.get(book.contents.recorded, itemId)
  if (recorded === undefined) return undefined
  const { items } = payoutOf(book, recorded.payoutId)
  return { ...recorded, item: PersistentMap.at(items, itemId).item }
}

/** The book after a step of the life cycle. */
const follow = (
  book: PayoutBook,
  { head, changes }: Lifecycle.Step,
): Result.Result<PayoutBook, DuplicatePayout> => {
  let { payouts, recorded } = book.contents
  let taken = bookItems.none
  for (const { type, payout, moved } of changes) {
    const known = PersistentMap.get(payouts, payout.id)
    if (type === "opened" && known !== undefined) return Result.fail(DuplicatePayout.of(payout.id))
    const { left, waiting } = bookItems.divide(known?.items ?? taken, payout.id, moved?.itemIds)
    payouts = PersistentMap.set(payouts, payout.id, { head: payout, items: left })
    taken = waiting
    for (const id of moved?.itemIds ?? []) {
      const payoutId = moved?.toPayoutId ?? payout.id
      recorded = PersistentMap.set(recorded, id, { ...PersistentMap.at(recorded, id), payoutId })
    }
  }
  const heads = PersistentMap.set(book.contents.heads, keyOf(head), head)
  return Result.succeed(withContents(book, { heads, payouts, recorded }))
}

/** The shares that have to mature in the active payout of an owner when it is due; `undefined`: none. */
const maturingOf = (
  book: PayoutBook,
  owner: PayoutOwner,
  at: number,
): Lifecycle.Maturing | undefined => {
  const { maturityDays } = book.options
  const { active } = headOf(book, owner)
  if (maturityDays === 0 || active === null || !Lifecycle.isDue(active, at)) return undefined
  const shares = Maturity.sharesOf(bookItems.inOrder(payoutOf(book, active.id).items))
  return { maturityDays, shares, payoutId: namesOf(book, owner) }
}

/** Advances the payouts of an owner to a time. */
const advanceOwner = (book: PayoutBook, owner: PayoutOwner, at: number): BookResult =>
  Result.gen(function* () {
    const collaborator = yield* collaboratorOf(book, owner.collaboratorId)
    const terms = { collaborator, timeZone: book.options.timeZone }
    const fact = { type: "time", at, terms, maturing: maturingOf(book, owner, at) } as const
    return yield* follow(book, yield* Lifecycle.transition(headOf(book, owner), fact))
  })

/** Puts an item into a payout that is not settled, or replaces the one with its id. */
const putItem = (book: PayoutBook, payoutId: string, item: PayoutItem.PayoutItem): BookResult => {
  const { head: payout, items } = payoutOf(book, payoutId)
  const earlier = PersistentMap.get(items, item.id)
  const position = earlier?.position ?? items.size
  const amounts = [item.amount, -(earlier?.item.amount ?? 0)]
  const change = { payout, amounts, added: earlier === undefined ? 1 : 0 }
  // The book puts nothing into a settled payout.
  const step = Result.getOrThrow(Lifecycle.changeItems(headOf(book, payout), change))
  const put = { head: payout, items: PersistentMap.set(items, item.id, { position, item }) }
  const payouts = PersistentMap.set(book.contents.payouts, payoutId, put)
  return follow(withContents(book, { payouts }), step)
}

/** Opens a payout for an owner when none is active then. */
const collecting = (book: PayoutBook, owner: PayoutOwner, at: number): BookResult =>
  Result.gen(function* () {
    const collaborator = yield* collaboratorOf(book, owner.collaboratorId)
    const terms = { collaborator, timeZone: book.options.timeZone }
    const maturing = maturingOf(book, owner, at)
    const fact = { type: "posting", at, terms, payoutId: namesOf(book, owner), maturing } as const
    return yield* follow(book, yield* Lifecycle.transition(headOf(book, owner), fact))
  })

/** Puts a new item into a payout that is not settled. */
const putNew = (book: PayoutBook, payoutId: string, item: PayoutItem.PayoutItem): BookResult =>
  Result.map(putItem(book, payoutId, item), (next) =>
    withRecorded(next, item.id, { payoutId, reversed: 0, refunds: 0 }),
  )

/** The entry with an id that no item has. */
const named = ({ contents }: PayoutBook, entry: PayoutItem.Entry): PayoutItem.Entry => {
  let { id } = entry
  for (let number = 2; PersistentMap.get(contents.recorded, id) !== undefined; number += 1) {
    id = `${entry.id} (${number})`
  }
  return { ...entry, id }
}

/** Sets a payout that fell below zero after it was closed off against the active one. */
const settleDebt = (book: PayoutBook, payoutId: string, at: number): BookResult =>
  Result.gen(function* () {
    const { head: payout } = payoutOf(book, payoutId)
    if (!Lifecycle.isDebt(payout)) return book
    const opened = yield* collecting(book, payout, at)
    const { active } = headOf(opened, payout)
    if (active === null) return opened
    const { income, expense } = Lifecycle.setOff(payout, { activeId: active.id, at })
    const raised = yield* putNew(opened, payoutId, named(opened, income))
    return yield* putNew(raised, active.id, named(raised, expense))
  })

/** Puts a new item into the active payout of its owner. */
const post = (book: PayoutBook, owner: PayoutOwner, item: PayoutItem.PayoutItem): BookResult =>
  Result.gen(function* () {
    if (PersistentMap.get(book.contents.recorded, item.id) !== undefined) {
      return yield* Result.fail(ItemIdTaken.of(item.id))
    }
    const next = yield* collecting(book, owner, item.createdAt)
    const { active } = headOf(next, owner)
    return active === null ? next : yield* putNew(next, active.id, item)
  })

/** Puts a share, or an adjustment of one, into the active payout of its collaborator. */
const postShare = (
  book: PayoutBook,
  {
    order: { id: orderId },
    share: { itemId, groupId, collaboratorId },
    currency,
  }: { readonly order: Order; readonly share: EarnedShare; readonly currency: string },
  sale: PayoutItem.Sale,
): BookResult =>
  Result.map(post(book, { collaboratorId, currency }, sale), (next) => {
    const { id, currencyExchangeRate: rate } = sale
    const share = { id, groupId, collaboratorId, currency, rate }
    return { ...next, contents: bookContents.withShare(next.contents, { orderId, itemId }, share) }
  })

/** The currency of the payout for a share, and the rate to it, if it is another one and known. */
const conversionOf = (
  { options }: PayoutBook,
  { currency }: Collaborator,
  { from, at }: { readonly from: string; readonly at: number },
): { readonly currency: string; readonly rate?: string | undefined } =>
  options.rate === undefined || from === currency
    ? { currency: from }
    : { currency, rate: options.rate(from, currency, at) }

const recordSplit = (book: PayoutBook, { order, split, at }: FactOf<"split">): BookResult =>
  Result.gen(function* () {
    const isNew = ({ itemId, groupId }: EarnedShare) => {
      const key = PayoutItem.keyOf({ orderId: order.id, itemId, groupId })
      return itemOf(book, key)?.item.kind !== "sale"
    }
    const shares = split.shares.filter(isNew)
    if (shares.length === 0) return book
    let next: PayoutBook = yield* requireInOrder(book, at)
    for (const share of shares) {
      const collaborator = yield* collaboratorOf(book, share.collaboratorId)
      const facts = { from: order.currency, at }
      const { currency, rate } = conversionOf(book, collaborator, facts)
      const sale = yield* PayoutItem.fromShare(share, { order, currency, rate, at })
      next = yield* postShare(next, { order, share, currency }, sale)
    }
    return next
  })

const recordAdjustment = (book: PayoutBook, fact: FactOf<"adjustment">): BookResult =>
  Result.gen(function* () {
    const { order, runId, at } = fact
    const idOf = ({ contents }: PayoutBook, { collaboratorId, ...share }: ChangedShare) =>
      bookContents.adjustmentId(contents, { ...share, orderId: order.id, runId }, collaboratorId)
    const isNew = (share: ChangedShare) => itemOf(book, idOf(book, share))?.item.kind !== "sale"
    const shares = fact.adjustment.shares.filter(isNew)
    if (shares.length === 0) return book
    let next: PayoutBook = yield* requireInOrder(book, at)
    for (const share of shares) {
      const collaborator = yield* collaboratorOf(book, share.collaboratorId)
      const today = conversionOf(book, collaborator, { from: order.currency, at })
      const { currency, rate } = bookContents.bookedLike(book.contents, { order, share }, today)
      const adjustment = { runId, before: share.before, after: share.after }
      const options = { id: idOf(next, share), order, currency, rate, at, adjustment }
      const sale = yield* PayoutItem.fromShare(share, options)
      next = yield* postShare(next, { order, share, currency }, sale)
    }
    return next
  })

/** Takes back a part of one share, or of an adjustment of it. */
const takeBack = (
  book: PayoutBook,
  { key, itemId }: { readonly key: PayoutItem.ShareKey; readonly itemId: string },
  taken: { readonly amount: number; readonly at: number },
): BookResult =>
  Result.gen(function* () {
    const known = itemOf(book, itemId)
    if (known === undefined) return yield* Result.fail(UnknownShare.of(key))
    const owner = payoutOf(book, known.payoutId).head
    const advanced = yield* advanceOwner(book, owner, taken.at)
    // Immature shares move to the next payout when their own is closed.
    const found = itemOf(advanced, itemId)
    if (found?.item.kind !== "sale") return yield* Result.fail(UnknownShare.of(key))
    const { item: sale, payoutId, ...posted } = found
    const { head } = payoutOf(advanced, payoutId)
    const { item, ...left } = yield* Lifecycle.refund(head, { sale, ...posted }, taken)
    if (item === null) return advanced
    return item.kind === "sale"
      ? yield* settleDebt(yield* putItem(advanced, payoutId, item), payoutId, taken.at)
      : yield* post(withRecorded(advanced, itemId, { payoutId, ...left }), owner, item)
  })

const takeBackAll = (
  book: PayoutBook,
  { reversal: { orderId, itemId, shares }, adjusted = [], at }: FactOf<"refund">,
): BookResult =>
  Result.gen(function* () {
    let next: PayoutBook = yield* requireInOrder(book, at)
    for (const { groupId, amount } of shares) {
      const key = { orderId, itemId, groupId }
      next = yield* takeBack(next, { key, itemId: PayoutItem.keyOf(key) }, { amount, at })
    }
    for (const { runId, shares: changed } of adjusted) {
      for (const { groupId, collaboratorId, amount } of changed) {
        const key = { orderId, itemId, groupId, runId }
        const id = bookContents.adjustmentId(next.contents, key, collaboratorId)
        next = yield* takeBack(next, { key, itemId: id }, { amount, at })
      }
    }
    return next
  })

const recordRefund = (book: PayoutBook, fact: FactOf<"refund">): BookResult => {
  const { id } = fact
  if (id === undefined) return takeBackAll(book, fact)
  const { refundIds } = book.contents
  if (PersistentMap.get(refundIds, id) === true) return Result.succeed(book)
  return Result.map(takeBackAll(book, fact), (next) =>
    withContents(next, { refundIds: PersistentMap.set(refundIds, id, true) }),
  )
}

const recordEntry = (book: PayoutBook, fact: FactOf<"expense" | "income">): BookResult =>
  Result.gen(function* () {
    const earlier = itemOf(book, fact.id)?.item.kind
    if (earlier === "expense" || earlier === "income") return book
    const collaborator = yield* collaboratorOf(book, fact.collaboratorId)
    const { currency } = collaborator
    const { id, amount, name, at } = fact
    const make = fact.type === "expense" ? PayoutItem.expense : PayoutItem.income
    const entry = yield* make({ id, amount, name, at }, { currency })
    const owner = { collaboratorId: collaborator.id, currency }
    return yield* post(yield* requireInOrder(book, at), owner, entry)
  })

const recordCollaborator = (
  book: PayoutBook,
  { collaborator, at }: FactOf<"collaborator">,
): BookResult =>
  Result.gen(function* () {
    let next: PayoutBook = yield* requireInOrder(book, at)
    // Until now the old terms were in force.
    for (const head of PersistentMap.values(book.contents.heads)) {
      if (head.collaboratorId === collaborator.id) next = yield* advanceOwner(next, head, at)
    }
    const { collaborators } = next.contents
    return withContents(next, {
      collaborators: PersistentMap.set(collaborators, collaborator.id, collaborator),
    })
  })

const recordEvent = (book: PayoutBook, { payoutId, event, at }: FactOf<"payout">): BookResult =>
  Result.gen(function* () {
    const owner = PersistentMap.get(book.contents.payouts, payoutId)?.head
    if (owner === undefined) return yield* Result.fail(UnknownPayout.of(payoutId))
    const next = yield* advanceOwner(yield* requireInOrder(book, at), owner, at)
    const payout = payoutOf(next, payoutId).head
    const fact = { type: "event", payout, event: { ...event, at } } as const
    return yield* follow(next, yield* Lifecycle.transition(headOf(next, owner), fact))
  })

/**
 * Records a fact. Payouts that are due, or past their holding days, by the time of the fact are closed and paid first:
 * a payout that is closed at its due date contains what happened before that second, and nothing later.
 *
 * Facts have to come in chronological order (see {@link order}). Recording a share, an entry or a refund with an id
 * again changes nothing, whenever it comes. When a fact can't be recorded, no part of it is.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Collaborator, Payout, PayoutBook, RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD" })
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "10.00" },
 * ])
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * }
 * const split = Split.order(rules, order)
 * const book = Result.getOrThrow(PayoutBook.empty({ collaborators: [ada] }))
 * const sold = PayoutBook.record(book, { type: "split", at: 1_700_000_000, order, split })
 * const payouts = PayoutBook.payouts(Result.getOrThrow(sold))
 * payouts.map(({ id, status }) => `${id}: ${status}`) // => ["ada-USD-1: active"]
 * payouts.map((payout) => Result.getOrThrow(Payout.total(payout))) // => [1000]
 * ```
 */
export const record = (book: PayoutBook, fact: Fact): Result.Result<PayoutBook, BookError> => {
  switch (fact.type) {
    case "split":
      return recordSplit(book, fact)
    case "adjustment":
      return recordAdjustment(book, fact)
    case "refund":
      return recordRefund(book, fact)
    case "expense":
    case "income":
      return recordEntry(book, fact)
    case "collaborator":
      return recordCollaborator(book, fact)
    case "payout":
      return recordEvent(book, fact)
    default:
      // Facts that were stored are read again by hosts, whose types may promise more than there is.
      return Result.fail(UnknownFact.of(Reflect.get(fact, "type")))
  }
}

/**
 * Advances every payout to a time: those due by then are closed, or roll to a later date when their total is not above
 * 0 or below the threshold; those past their holding days are paid, where the collaborator is paid automatically. Where
 * shares have to mature, only what is mature is closed and counts against the threshold.
 *
 * @param to - Unix seconds; not before the last fact
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Collaborator, PayoutBook } from "apportion"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD" })
 * const book = Result.gen(function* () {
 *   const empty = yield* PayoutBook.empty({ collaborators: [ada] })
 *   const income = yield* PayoutBook.record(empty, {
 *     type: "income",
 *     collaboratorId: "ada",
 *     id: "i1",
 *     amount: 5_000,
 *     name: "Bonus",
 *     at: Date.UTC(2024, 0, 31) / 1000,
 *   })
 *   return yield* PayoutBook.advance(income, Date.UTC(2024, 2, 1) / 1000)
 * })
 * const [payout] = PayoutBook.payouts(Result.getOrThrow(book))
 * payout?.status // => "paid"
 * new Date((payout?.paidAt ?? 0) * 1000).toISOString() // => "2024-02-29T00:00:00.000Z"
 * ```
 */
export const advance = (book: PayoutBook, to: number): Result.Result<PayoutBook, BookError> =>
  Result.gen(function* () {
    let next: PayoutBook = yield* requireInOrder(book, to)
    for (const head of PersistentMap.values(book.contents.heads)) {
      next = yield* advanceOwner(next, head, to)
    }
    return next
  })

const byOwner = compareBy<Payout.Payout>(
  (one, other) => compareTexts(one.collaboratorId, other.collaboratorId),
  (one, other) => compareNumbers(one.openedAt, other.openedAt),
  (one, other) => compareTexts(one.id, other.id),
)

const toPayout = ({ head, items }: BookedPayout): Payout.Payout => {
  const { total: _total, itemsCount: _count, paymentId: _none, ...standing } = head
  return { ...standing, items: bookItems.inOrder(items) }
}

/**
 * All payouts, by collaborator, then by when they were opened. Each is as of its last change; {@link advance} the book
 * first to see all of them as of one time.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutBook } from "apportion"
 * import { Result } from "effect"
 *
 * const book = PayoutBook.empty({ collaborators: [] })
 * Result.getOrThrow(Result.map(book, PayoutBook.payouts)) // => []
 * ```
 */
export const payouts = (book: PayoutBook): ReadonlyArray<Payout.Payout> =>
  PersistentMap.values(book.contents.payouts).map(toPayout).sort(byOwner)
