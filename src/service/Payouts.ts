import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { AmountOutOfRange } from "../money/Cents.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import { PaymentUnderWay } from "../payouts/Payment.js"
import * as Payout from "../payouts/Payout.js"
import * as PayoutItem from "../payouts/PayoutItem.js"
import type { ScheduleError } from "../payouts/Schedule.js"
import * as Visibility from "../payouts/Visibility.js"
import type { PayoutFilter, PayoutHistoryEntry, StoredPayout } from "../ports/PayoutStore.js"
import type { Slice, Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { needPayout, sliceOf, wholeWithin } from "./internal/lookups.js"
import { entryData } from "./internal/payments/paymentEvents.js"
import { activeBeside } from "./internal/payments/paymentSteps.js"
import { settleDebt } from "./internal/payouts/debts.js"
import { type DueOutlook, outlook } from "./internal/payouts/dueOutlook.js"
import { closeDue, closeNextDue } from "./internal/payouts/dueRun.js"
import { checkId, invalidId, noCurrency } from "./internal/payouts/entries.js"
import { payable } from "./internal/payouts/payable.js"
import { addItems, removeItem } from "./internal/payouts/payoutCycle.js"
import {
  broughtUp,
  type MoveError,
  type MoveTools,
  noteEvent,
  noteFailure,
  notePayment,
  noteReturn,
  type OutsidePayment,
} from "./internal/payouts/payoutMoves.js"
import {
  checkPayoutFilter,
  type ListedPayout,
  type ViewedPayout,
  viewOf,
  withOwners,
} from "./internal/payouts/payoutViews.js"
import { die, emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import type { InvalidPayoutFilter, NotFound, TotalChanged } from "./ServiceError.js"
import { Settings } from "./Settings.js"

export type { DueOutlook, DuePayout, WaitingReason } from "./internal/payouts/dueOutlook.js"
export type { MoveError, OutsidePayment } from "./internal/payouts/payoutMoves.js"
export {
  ChosenItems,
  type ItemsChoice,
  type ListedPayout,
  type ViewedPayout,
} from "./internal/payouts/payoutViews.js"

/**
 * A requested expense or income.
 *
 * @since 0.2.0
 * @category models
 */
export interface NewEntry {
  /** The item's id; one is made when absent. Asked again with the same id, it has one effect. */
  readonly id?: string | undefined
  /** Cents above 0, for an expense too. */
  readonly amount: number
  /** 1 to 200 characters, not counting spaces at its ends. */
  readonly name: string
}

/**
 * Why an item could not be added.
 *
 * @since 0.2.0
 * @category errors
 */
export type AddEntryError =
  | PayoutItem.InvalidEntry
  | Payout.PayoutAlreadyPaid
  | AmountOutOfRange
  | NotFound
  | StorageError

/**
 * The result of closing the due payouts.
 *
 * @since 0.2.0
 * @category models
 */
export interface Closing {
  /** Payouts that were closed: pending now. */
  readonly closed: ReadonlyArray<string>
  /** Payouts whose total was too small; their due date rolled to the next one. */
  readonly rolled: ReadonlyArray<string>
}

/**
 * The result of closing the next due payouts.
 *
 * @since 0.6.0
 * @category models
 */
export interface NextClosing extends Closing {
  /** Whether nothing more is due by now: no payout, and nothing that agreements book. */
  readonly isAll: boolean
}

/**
 * Which part of a payout's history to read.
 *
 * @since 0.3.0
 * @category models
 */
export interface HistoryRequest {
  /** The version after which it begins: that of the last entry read so far; from the first when absent. */
  readonly after?: number | undefined
  /** The maximum number of entries, clamped to 1 to 1000; `last` when absent, or 100. */
  readonly limit?: number | undefined
  /**
   * Only the last so many entries, at least 1.
   *
   * @since 0.6.0
   */
  readonly last?: number | undefined
}

/**
 * Which payouts are listed, and in which order.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayoutQuery extends PayoutFilter {
  /** By their due date, the latest first when absent. */
  readonly order?: "latest due first" | "earliest due first" | undefined
}

/**
 * Reads payouts and changes them. Every change is one atomic step.
 *
 * @since 0.2.0
 * @category services
 */
export interface PayoutsService {
  /** A page of the payouts that match the whole filter, the latest due date first unless it says otherwise. */
  readonly list: (
    accountId: string,
    query: PayoutQuery,
    page: PageRequest,
  ) => Effect.Effect<Sliced<ListedPayout>, InvalidPayoutFilter | StorageError>
  readonly get: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<ViewedPayout, NotFound | StorageError>
  /** A payout without what its collaborator's permissions hide, and its collaborator without the store's notes. */
  readonly getAsSeen: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<
    {
      readonly payout: Visibility.SeenPayout
      /**
       * @since 0.6.0
       */
      readonly itemsCount: number
      readonly total: number
      readonly collaborator: Visibility.SeenCollaborator
    },
    NotFound | StorageError
  >
  /**
   * The changes of a payout, with who made them and when, the earliest first: one entry for each version, with the
   * payout before and after, and the items added and removed.
   *
   * @since 0.3.0
   */
  readonly history: (
    accountId: string,
    payoutId: string,
    request?: HistoryRequest,
  ) => Effect.Effect<ReadonlyArray<PayoutHistoryEntry>, NotFound | StorageError>
  /**
   * Adds an expense, which lowers the total. Refused on a payout that is paid. While a payment of it is under way, the
   * expense goes to the collaborator's active payout, with a reference to this one; the result is the payout that has
   * the expense.
   */
  readonly addExpense: (
    accountId: string,
    payoutId: string,
    expense: NewEntry,
  ) => Effect.Effect<ViewedPayout, AddEntryError>
  /** Adds extra income, in the same way. */
  readonly addIncome: (
    accountId: string,
    payoutId: string,
    income: NewEntry,
  ) => Effect.Effect<ViewedPayout, AddEntryError>
  /**
   * Removes an expense or income from a payout that is not paid; items of sales stay. Refused with
   * `PaymentUnderWay` while a payment of it is under way.
   */
  readonly removeEntry: (
    accountId: string,
    payoutId: string,
    itemId: string,
  ) => Effect.Effect<
    ViewedPayout,
    | Payout.PayoutAlreadyPaid
    | Payout.UnknownItem
    | PaymentUnderWay
    | AmountOutOfRange
    | NotFound
    | StorageError
  >
  /**
   * Sets a payout as paid by hand, whatever its status. A payment of it that is only claimed is released; while one is
   * sent or unknown it is refused with `PaymentUnderWay`.
   */
  readonly setPaid: (accountId: string, payoutId: string) => Effect.Effect<ViewedPayout, MoveError>
  /** Closes every payout that is due by now; those too small roll to their next due date. */
  readonly closeDue: (accountId: string) => Effect.Effect<Closing, ScheduleError | StorageError>
  /**
   * Closes or rolls the next due payouts, at most `limit`, for callers that do it in parts; those that take the immature
   * shares of one, and are due as well, are closed with it. When no other is due, it books what agreements release and
   * make up by now, in parts too.
   *
   * @param limit - 1 to 1000
   */
  readonly closeNextDue: (
    accountId: string,
    limit: number,
  ) => Effect.Effect<NextClosing, ScheduleError | StorageError>
  /**
   * The payouts that may be paid now: pending, past their holding days, with no payment under way; at most `limit`, by
   * the time since which they may be paid.
   */
  readonly listPayable: (
    accountId: string,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<ListedPayout>, StorageError>
  /**
   * What is due and what is closed, as it would be when all that is due was closed now: what could be paid, and what would
   * wait, and why. Nothing is stored. At most a thousand of each.
   *
   * @since 0.6.0
   */
  readonly outlook: (
    accountId: string,
  ) => Effect.Effect<DueOutlook, AmountOutOfRange | StorageError>
  /**
   * Notes that a payout was paid, outside of `Payments`; one that is due is closed first. Pass what was paid: when the
   * payout's total differs by now, the call is refused with `TotalChanged`, and nothing is noted. A payment of it that
   * is only claimed is released; while one is sent or unknown it is refused with `PaymentUnderWay`.
   */
  readonly pay: (
    accountId: string,
    payoutId: string,
    paid?: OutsidePayment,
  ) => Effect.Effect<ViewedPayout, MoveError | TotalChanged | AmountOutOfRange>
  /**
   * Notes that a payment failed, and why; a payout that is due is closed first. Refused while a payment of it is sent or
   * unknown.
   */
  readonly fail: (
    accountId: string,
    payoutId: string,
    reason: string,
  ) => Effect.Effect<ViewedPayout, MoveError>
  /**
   * Records that a payment came back after it was made, and why: the payout fails, and its items can change again.
   *
   * @since 0.6.0
   */
  readonly return: (
    accountId: string,
    payoutId: string,
    reason: string,
  ) => Effect.Effect<ViewedPayout, MoveError>
  /** Makes a failed payout pending again. */
  readonly retry: (accountId: string, payoutId: string) => Effect.Effect<ViewedPayout, MoveError>
}

// Reading payouts.

/** `Payouts.get` */
const getPayout = ({ read }: Transactor): PayoutsService["get"] =>
  Effect.fn("Payouts.get")(function* (accountId: string, payoutId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    return yield* read(accountId, (stores) =>
      Effect.flatMap(needPayout(stores, payoutId), (payout) => viewOf(stores, payout)),
    )
  })

/** `Payouts.getAsSeen` */
const getPayoutAsSeen = ({ read }: Transactor): PayoutsService["getAsSeen"] =>
  Effect.fn("Payouts.getAsSeen")(function* (accountId: string, payoutId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const viewed = yield* read(accountId, (stores) =>
      Effect.flatMap(needPayout(stores, payoutId), (payout) => viewOf(stores, payout)),
    )
    const { payout, collaborator, paymentId: _own, ...figures } = viewed
    return {
      ...figures,
      payout: Visibility.asSeenBy(payout, collaborator.permissions),
      collaborator: Visibility.collaboratorAsSeen(collaborator),
    }
  })

/** A part of the list of payouts, read from its end: its length says where that is. */
const sliceFromEnd = Effect.fnUntraced(function* (
  { payouts }: Stores,
  filter: PayoutFilter,
  { offset, limit }: Slice,
): Effect.fn.Return<Sliced<StoredPayout>, StorageError> {
  const { total } = yield* payouts.list(filter, { offset: 0, limit: 1 })
  const end = Math.max(0, total - offset)
  const begin = Math.max(0, end - limit)
  if (begin === end) return { entries: [], total }
  const { entries } = yield* payouts.list(filter, { offset: begin, limit: end - begin })
  return { entries: entries.toReversed(), total }
})

/** `Payouts.list` */
const listPayouts = ({ read }: Transactor): PayoutsService["list"] =>
  Effect.fn("Payouts.list")(function* (
    accountId: string,
    { order, ...filter }: PayoutQuery,
    page: PageRequest,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, page: page.page, perPage: page.perPage })
    const checked = yield* Effect.fromResult(checkPayoutFilter(filter))
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const slice = sliceOf(page)
        const { entries, total } =
          order === "earliest due first"
            ? yield* sliceFromEnd(stores, checked, slice)
            : yield* stores.payouts.list(checked, slice)
        return { entries: yield* withOwners(stores, entries), total }
      }),
    )
  })

/** `Payouts.listPayable` */
const listPayable = ({ read }: Transactor): PayoutsService["listPayable"] =>
  Effect.fn("Payouts.listPayable")(function* (accountId: string, limit: number) {
    yield* Effect.annotateCurrentSpan({ accountId, limit })
    const wanted = Math.floor(limit)
    if (!(wanted >= 1)) return []
    const at = yield* now
    return yield* read(accountId, (stores) => payable(stores, { at, wanted }))
  })

const usualEntries = 100
const mostEntries = 1_000

/** `Payouts.history` */
const historyOf = ({ read }: Transactor): PayoutsService["history"] =>
  Effect.fn("Payouts.history")(function* (
    accountId: string,
    payoutId: string,
    request: HistoryRequest = {},
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const { last = Number.MAX_SAFE_INTEGER, limit: most = request.last ?? usualEntries } = request
    const after = wholeWithin(request.after ?? 0, 0, Number.MAX_SAFE_INTEGER)
    const limit = wholeWithin(most, 1, mostEntries)
    return yield* read(accountId, (stores) =>
      Effect.flatMap(needPayout(stores, payoutId), ({ version }) => {
        const before = version - wholeWithin(last, 1, Number.MAX_SAFE_INTEGER)
        return stores.payouts.history({ payoutId, after: Math.max(after, before), limit })
      }),
    )
  })

// Adding expenses and incomes to payouts, and removing them.

const kinds = {
  expense: { span: "Payouts.addExpense", make: PayoutItem.expense, event: "expense.added" },
  income: { span: "Payouts.addIncome", make: PayoutItem.income, event: "income.added" },
} as const

const isSameEntry = (a: PayoutItem.PayoutItem | undefined, b: PayoutItem.Entry): boolean =>
  a?.kind === b.kind && a.amount === b.amount && a.name === b.name

const asPayout = (
  payout: StoredPayout,
  item: PayoutItem.PayoutItem | undefined,
): Payout.Payout => ({ ...payout, items: item === undefined ? [] : [item] })

/** Whether the core accepts the item. The rule only needs the item with the same id. */
const checkAdding = (
  payout: StoredPayout,
  {
    known,
    item,
  }: { readonly known: PayoutItem.PayoutItem | undefined; readonly item: PayoutItem.Entry },
): Result.Result<Payout.Payout, Payout.PayoutAlreadyPaid | PayoutItem.InvalidEntry> =>
  Result.mapError(Payout.addItems(asPayout(payout, known), [item]), (error) =>
    error._tag === "PayoutAlreadyPaid"
      ? error
      : invalidId(item.id, `must be new, or that of the same entry: ${error.message}`),
  )

/**
 * The item with an id in a payout, or, if it was added while the payout was frozen, in the payout that took it. So a
 * repeated call has one effect, whatever happened since.
 */
const addedBefore = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
  itemId: string,
): Effect.fn.Return<
  { readonly payout: StoredPayout; readonly item: PayoutItem.PayoutItem } | undefined,
  StorageError
> {
  const own = yield* stores.payouts.item(payout.id, itemId)
  if (own !== undefined) return { payout, item: own }
  const { collaboratorId } = payout
  const others = yield* stores.payouts.entries({ collaboratorId, itemId })
  const isAbout = ({ about }: PayoutItem.PayoutItem) =>
    about?.why === "frozen" && about.payoutId === payout.id
  const moved = others.find(({ item }) => isAbout(item))
  const taker = moved && (yield* stores.payouts.get(moved.payoutId))
  return moved && taker && { payout: taker, item: moved.item }
})

/** The payout that takes an entry for a payout: itself, or the active one while it is frozen. */
const takerOf = (
  tools: MoveTools,
  stores: Stores,
  options: { readonly payout: StoredPayout; readonly accountId: string; readonly at: number },
): Effect.Effect<StoredPayout, StorageError> =>
  options.payout.paymentId === null
    ? broughtUp(tools, stores, options)
    : activeBeside(stores, { ...tools, accountId: options.accountId }, options)

/** The payout after a change, set off against the active one if it was closed and is below zero now. */
const withoutDebt = (
  { settings, newId }: MoveTools,
  stores: Stores,
  {
    changed,
    accountId,
    at,
  }: { readonly changed: StoredPayout; readonly accountId: string; readonly at: number },
): Effect.Effect<StoredPayout, AmountOutOfRange | StorageError> => {
  const active = activeBeside(stores, { settings, newId, accountId }, { payout: changed, at })
  return settleDebt(stores, changed, { active, at })
}

/** `Payouts.addExpense` and `Payouts.addIncome` */
const addEntry = (
  tools: MoveTools,
  kind: PayoutItem.Entry["kind"],
): PayoutsService["addExpense"] => {
  const { span, make, event } = kinds[kind]
  return Effect.fn(span)(function* (accountId: string, payoutId: string, entry: NewEntry) {
    const id = entry.id ?? (yield* tools.newId)
    yield* Effect.annotateCurrentSpan({ accountId, payoutId, itemId: id })
    const at = yield* now
    const input = { id, amount: entry.amount, name: entry.name, at }
    const made = Result.flatMap(make(input, { currency: noCurrency }), checkId)
    const item = yield* Effect.fromResult(made)
    return yield* tools.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const found = yield* needPayout(stores, payoutId)
        const known = yield* addedBefore(stores, found, id)
        if (isSameEntry(known?.item, item)) {
          return yield* viewOf(stores, known?.payout ?? found)
        }
        yield* Effect.fromResult(checkAdding(found, { known: known?.item, item }))
        const payout = yield* takerOf(tools, stores, { payout: found, accountId, at })
        const about = { payoutId, why: "frozen" } as const
        const added = { ...item, originalCurrency: payout.currency }
        const items = [payout.id === payoutId ? added : { ...added, about }]
        const changed = yield* addItems(stores, payout, items)
        yield* emit({ type: event, data: entryData(payout, added) })
        return yield* viewOf(stores, yield* withoutDebt(tools, stores, { changed, accountId, at }))
      }),
    )
  })
}

/** `Payouts.removeEntry` */
const removeEntry = (tools: MoveTools): PayoutsService["removeEntry"] =>
  Effect.fn("Payouts.removeEntry")(function* (accountId: string, payoutId: string, itemId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId, itemId })
    const at = yield* now
    return yield* tools.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const found = yield* needPayout(stores, payoutId)
        const item = yield* stores.payouts.item(payoutId, itemId)
        yield* Effect.fromResult(Payout.removeItem(asPayout(found, item), itemId))
        if (found.paymentId !== null)
          return yield* Effect.fail(PaymentUnderWay.of(payoutId, found.paymentId))
        if (item === undefined) return yield* die(`item ${itemId} is not there`)
        const payout = yield* broughtUp(tools, stores, { payout: found, accountId, at })
        const changed = yield* removeItem(stores, payout, item)
        yield* emit({ type: "entry.removed", data: entryData(payout, item) })
        return yield* viewOf(stores, yield* withoutDebt(tools, stores, { changed, accountId, at }))
      }),
    )
  })

const make = Effect.gen(function* (): Effect.fn.Return<
  PayoutsService,
  never,
  Storage | SecureRandom
> {
  const transactor = yield* makeTransactor
  const settings = yield* Settings
  const { uuidV7 } = yield* SecureRandom
  const tools = { ...transactor, settings, newId: uuidV7() }
  return {
    list: listPayouts(transactor),
    get: getPayout(transactor),
    getAsSeen: getPayoutAsSeen(transactor),
    history: historyOf(transactor),
    addExpense: addEntry(tools, "expense"),
    addIncome: addEntry(tools, "income"),
    removeEntry: removeEntry(tools),
    setPaid: noteEvent(tools, "set-paid"),
    closeDue: closeDue(tools),
    closeNextDue: closeNextDue(tools),
    listPayable: listPayable(transactor),
    outlook: outlook(tools),
    pay: notePayment(tools),
    fail: noteFailure(tools),
    return: noteReturn(tools),
    retry: noteEvent(tools, "retry"),
  }
})

/**
 * Reads payouts and changes them, as an Effect service.
 *
 * @since 0.2.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Payouts } from "apportion/service"
 * import { Effect, Layer } from "effect"
 * import { SecureRandom } from "effect/crypto"
 *
 * const expense = { amount: 1_500, name: "Samples" }
 * const refused = Effect.gen(function* () {
 *   const payouts = yield* Payouts
 *   return yield* Effect.flip(payouts.addExpense("shop", "p1", expense))
 * })
 * const layer = Payouts.layer.pipe(
 *   Layer.provide(MemoryStorage.layer),
 *   Layer.provide(SecureRandom.layerWebCrypto),
 * )
 * const error = await Effect.runPromise(Effect.provide(refused, layer))
 * error.message // => "there is no payout with the id p1"
 * ```
 */
export class Payouts extends Context.Service<Payouts, PayoutsService>()(
  "apportion/service/Payouts",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Payouts, never, Storage | SecureRandom> = Layer.effect(
    Payouts,
    make,
  )
}
