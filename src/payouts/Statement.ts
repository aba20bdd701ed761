/**
 * What a collaborator earned, was charged and was paid in a period, with the balance before and after: computed from
 * the changes of their payouts, one at a time, in memory that does not grow with them.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as Cents from "../money/Cents.js"
import * as exact from "../money/internal/exact.js"
import * as PastPayout from "./PastPayout.js"
import type { PayoutItem } from "./PayoutItem.js"
import { isSettled, type PayoutStatus } from "./PayoutStatus.js"

/**
 * The fields of a payout before or after a change that a statement needs.
 *
 * @since 0.6.0
 * @category models
 */
export interface StatedPayout {
  readonly status: PayoutStatus
  /** The sum of its items, in cents of its currency. */
  readonly total: number
  readonly itemsCount: number
  /** When it was opened and paid, in Unix seconds: a payout that was paid before it was opened is of the past. */
  readonly openedAt?: number | undefined
  readonly paidAt?: number | null | undefined
}

/**
 * A change of a payout, from its history.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayoutStep {
  /** Unix seconds. */
  readonly at: number
  /** `null`: there was none. */
  readonly before: StatedPayout | null
  readonly after: StatedPayout
  /** Items that were added, or that replaced those with their ids. */
  readonly put: ReadonlyArray<PayoutItem>
  /** Ids of items that were removed. */
  readonly removed: ReadonlyArray<string>
}

/**
 * The period of a statement.
 *
 * @since 0.6.0
 * @category models
 */
export interface Period {
  /** The first second of it; from the beginning when absent. */
  readonly from?: number | undefined
  /** The first second past it; to the end when absent. */
  readonly until?: number | undefined
}

/**
 * What a line of a statement is: a share of a sale; the change of one by a re-split; a refund of either; an expense; an
 * income; an expense or income that was removed; a payment; a payment that came back.
 *
 * @since 0.6.0
 * @category models
 */
export type LineKind =
  | "sale"
  | "adjustment"
  | "refund"
  | "expense"
  | "income"
  | "removal"
  | "payment"
  | "returned payment"

/**
 * A line of a statement.
 *
 * @since 0.6.0
 * @category models
 */
export interface Line {
  /** Unix seconds. */
  readonly at: number
  readonly kind: LineKind
  /** What it adds to the balance, in cents of the payout's currency; negative for a deduction, such as a payment. */
  readonly amount: number
  /** The item it is about, as it was then; absent for payments and removed items. */
  readonly item?: PayoutItem | undefined
}

/**
 * The figures of a statement so far, exact.
 *
 * @since 0.6.0
 * @category models
 */
export interface StatementSums extends Readonly<Record<LineKind, bigint>> {
  readonly opening: bigint
  readonly closing: bigint
}

/**
 * A statement of one collaborator in one currency, in cents of it. The opening balance and all posted amounts, less
 * what was paid, add up to the closing balance.
 *
 * @since 0.6.0
 * @category models
 */
export interface AccountStatement {
  /** The balance when the period began; below 0: what was owed. */
  readonly opening: number
  /** Shares of sales. */
  readonly sales: number
  /** Changes of shares of past sales by re-splits. */
  readonly adjustments: number
  /** Refunds, below 0: of shares that were not paid yet, and of later ones. */
  readonly refunds: number
  /** Below 0. */
  readonly expenses: number
  /** Extra income, write-offs and repayments. */
  readonly incomes: number
  /** Expenses and incomes that were removed. */
  readonly removed: number
  /** Payments, less those that came back. */
  readonly paid: number
  /** The balance at the end of the period. */
  readonly closing: number
}

/**
 * No changes yet.
 *
 * @since 0.6.0
 * @category constants
 */
export const none: StatementSums = /* @__PURE__ */ Object.freeze({
  ...{ opening: 0n, closing: 0n, sale: 0n, refund: 0n, expense: 0n, income: 0n, removal: 0n },
  ...{ adjustment: 0n, payment: 0n, "returned payment": 0n },
})

const open = (payout: StatedPayout | null): bigint =>
  payout === null || isSettled(payout.status) ? 0n : BigInt(payout.total)

const line = (at: number, kind: LineKind, amount: number, item?: PayoutItem): Line =>
  item === undefined ? { at, kind, amount } : { at, kind, amount, item }

/**
 * The amount that left a payout when it was closed without its immature shares, and came into the payout opened with
 * them: together they don't change the balance, so they have no line.
 */
const movedBy = ({ before, after, put, removed }: PayoutStep): bigint => {
  if (before !== null) {
    const isClosing = before.status === "active" && after.status === "pending"
    return isClosing && removed.length > 0 ? BigInt(after.total) - BigInt(before.total) : 0n
  }
  return put
    .filter(({ about }) => about?.why === "immature")
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

const kindOf = (item: PayoutItem): LineKind =>
  item.kind === "sale" && item.adjustment !== undefined ? "adjustment" : item.kind

/** The payment of a payout by a change, or the return of it. */
const paymentLines = ({ at, before, after }: PayoutStep): ReadonlyArray<Line> => {
  const was = before !== null && isSettled(before.status)
  const is = isSettled(after.status)
  if (was === is) return []
  const amount = exact.withoutNegativeZero(is ? -after.total : after.total)
  return [line(at, is ? "payment" : "returned payment", amount)]
}

const isReduced = (item: PayoutItem): boolean =>
  item.kind === "sale" && item.orderItem.refundedAt !== null

/** The effect of a change on the items: new ones, refunds of old ones, and removed ones. */
const itemLines = (step: PayoutStep): ReadonlyArray<Line> => {
  const { at, before, after, put, removed } = step
  const count = after.itemsCount - (before?.itemsCount ?? 0) + removed.length
  // Only a refund replaces an item.
  const isNew = (item: PayoutItem) => count >= put.length || !isReduced(item)
  const isMoved = (item: PayoutItem) => before === null && item.about?.why === "immature"
  const added = put
    .filter((item) => isNew(item) && !isMoved(item))
    .map((item) => line(at, kindOf(item), item.amount, item))
  const total = BigInt(after.total) - BigInt(before?.total ?? 0) - movedBy(step)
  const rest = total - added.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  if (rest === 0n) return added
  const replaced = put.filter((item) => !isNew(item))
  const kind = removed.length > 0 ? "removal" : "refund"
  return [...added, line(at, kind, Number(rest), replaced.length === 1 ? replaced[0] : undefined)]
}

/**
 * Whether a change is of a payout of the past (see `PastPayout`): then its lines count at the times of their items, and
 * not when they were noted.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Statement } from "apportion"
 *
 * const after = { status: "manually paid", total: 500, itemsCount: 1, openedAt: 1_700_000_000 } as const
 * Statement.isOfPast({ after: { ...after, paidAt: 1_600_000_000 } }) // => true
 * Statement.isOfPast({ after: { ...after, paidAt: 1_700_000_001 } }) // => false
 * ```
 */
export const isOfPast = ({ after }: Pick<PayoutStep, "after">): boolean => {
  const { status, openedAt = -Infinity, paidAt = null } = after
  return PastPayout.isPast({ status, openedAt, paidAt })
}

/** The items at their own times, and their payment at the payout's. */
const pastLines = ({ at, before, after, put }: PayoutStep): ReadonlyArray<Line> => {
  const paid = exact.withoutNegativeZero((before?.total ?? 0) - after.total)
  const items = put.map((item) => line(item.createdAt, item.kind, item.amount, item))
  return paid === 0 ? items : [...items, line(after.paidAt ?? at, "payment", paid)]
}

/**
 * The lines of a statement for a change of a payout.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Statement } from "apportion"
 *
 * const before = { status: "pending", total: 500, itemsCount: 2 } as const
 * const after = { ...before, status: "paid" } as const
 * const paid = { at: 1_700_000_000, before, after, put: [], removed: [] }
 * Statement.linesOf(paid).map(({ kind, amount }) => [kind, amount]) // => [["payment", -500]]
 * ```
 */
export const linesOf = (step: PayoutStep): ReadonlyArray<Line> =>
  isOfPast(step) ? pastLines(step) : [...itemLines(step), ...paymentLines(step)]

/**
 * Whether a time is before a period, in it, or after it.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Statement } from "apportion"
 *
 * Statement.placeOf(10, { from: 10, until: 20 }) // => "in"
 * Statement.placeOf(20, { from: 10, until: 20 }) // => "after"
 * ```
 */
export const placeOf = (
  at: number,
  { from = -Infinity, until = Infinity }: Period,
): "before" | "in" | "after" => {
  if (at < from) return "before"
  return at < until ? "in" : "after"
}

const addPast = (figures: StatementSums, step: PayoutStep, period: Period): StatementSums => {
  const sums: Record<keyof StatementSums, bigint> = { ...figures }
  for (const { at, kind, amount } of pastLines(step)) {
    const place = placeOf(at, period)
    if (place === "after") continue
    sums.closing += BigInt(amount)
    sums[place === "before" ? "opening" : kind] += BigInt(amount)
  }
  return sums
}

/**
 * The figures with one more change of one of the collaborator's payouts in the currency. The changes of one payout must
 * be in the order of its history; those of several payouts may be in any order.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutItem, Statement } from "apportion"
 * import { Result } from "effect"
 *
 * const bonus = { id: "i1", amount: 500, name: "Bonus", at: 1_700_000_000 }
 * const item = Result.getOrThrow(PayoutItem.income(bonus, { currency: "USD" }))
 * const after = { status: "active", total: 500, itemsCount: 1 } as const
 * const step = { at: 1_700_000_000, before: null, after, put: [item], removed: [] }
 * Statement.add(Statement.none, step, {}).income // => 500n
 * Statement.add(Statement.none, step, { from: 1_700_000_001 }).opening // => 500n
 * ```
 */
export const add = (figures: StatementSums, step: PayoutStep, period: Period): StatementSums => {
  if (isOfPast(step)) return addPast(figures, step, period)
  const place = placeOf(step.at, period)
  if (place === "after") return figures
  const difference = open(step.after) - open(step.before)
  const closing = figures.closing + difference
  if (place === "before") return { ...figures, opening: figures.opening + difference, closing }
  const sums: Record<LineKind, bigint> = { ...figures }
  for (const { kind, amount } of linesOf(step)) sums[kind] += BigInt(amount)
  return { ...sums, opening: figures.opening, closing }
}

/**
 * The statement of some figures. A sum beyond the range of exact cents is an error.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Statement } from "apportion"
 * import { Result } from "effect"
 *
 * const statement = Result.getOrThrow(Statement.of(Statement.none))
 * statement.opening + statement.sales - statement.paid // => 0
 * ```
 */
export const of = (
  figures: StatementSums,
): Result.Result<AccountStatement, Cents.AmountOutOfRange> =>
  Result.gen(function* () {
    const exactly = (what: string, amount: bigint) => {
      const safe = exact.toSafe(amount)
      return safe === undefined
        ? Result.fail(Cents.AmountOutOfRange.of(`${what} of the statement`, amount))
        : Result.succeed(safe)
    }
    const { opening, closing, sale, adjustment, refund, expense, income, removal, payment } =
      figures
    return {
      opening: yield* exactly("the opening balance", opening),
      sales: yield* exactly("the sales", sale),
      adjustments: yield* exactly("the adjustments", adjustment),
      refunds: yield* exactly("the refunds", refund),
      expenses: yield* exactly("the expenses", expense),
      incomes: yield* exactly("the incomes", income),
      removed: yield* exactly("what was taken out", removal),
      paid: yield* exactly("what was paid", -payment - figures["returned payment"]),
      closing: yield* exactly("the closing balance", closing),
    }
  })
