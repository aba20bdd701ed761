/**
 * The life of one collaborator's payouts in one currency, one pure step at a time: from the known state of the payouts
 * and a fact follow the next state and the changed payouts. Only this module decides which payout an item goes into,
 * when a payout is closed, rolled and paid, and what carries over: a payout book folds the steps, and services store
 * their results. Steps need no items, only their sums.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as Cents from "../money/Cents.js"
import * as exact from "../money/internal/exact.js"
import type { Collaborator } from "./Collaborator.js"
import * as payoutRules from "./internal/payoutRules.js"
import * as Maturity from "./Maturity.js"
import { PaymentUnderWay } from "./Payment.js"
import * as Payout from "./Payout.js"
import * as PayoutItem from "./PayoutItem.js"
import type * as PayoutStatus from "./PayoutStatus.js"
import * as Schedule from "./Schedule.js"

/**
 * A payout without its items.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayoutHead extends PayoutStatus.Standing {
  readonly collaboratorId: string
  /** The sum of its items in cents, exact however large it is on the way. */
  readonly total: bigint
  readonly itemsCount: number
  /** The open attempt to pay it, which freezes it; `null` without one. */
  readonly paymentId: string | null
}

/** Whose payouts, in which currency. */
interface Owner {
  readonly collaboratorId: string
  /** ISO 4217 code. */
  readonly currency: string
}

/**
 * The state of a collaborator's payouts in one currency. It does not include settled and failed payouts.
 *
 * @since 0.6.0
 * @category models
 */
export interface Head extends Owner {
  /** When the first payout was opened, in Unix seconds: due dates are counted from this time. */
  readonly firstOpenedAt: number | null
  /** How many payouts were opened. */
  readonly opened: number
  /** The payout that collects: the active one. */
  readonly active: PayoutHead | null
  /** The payouts that wait to be paid. */
  readonly pending: ReadonlyArray<PayoutHead>
  /** The time up to which payouts were closed and paid, in Unix seconds. */
  readonly advancedTo: number
}

/**
 * The terms and the time zone by which dates are computed.
 *
 * @since 0.6.0
 * @category models
 */
export interface Terms {
  readonly collaborator: Pick<
    Collaborator,
    | "payoutMeasurement"
    | "payoutFrequency"
    | "payoutThreshold"
    | "payoutHoldingDays"
    | "shouldPayAutomatically"
  >
  /** An IANA name. */
  readonly timeZone: string
}

/**
 * Shares that have to mature before they can be closed.
 *
 * @since 0.6.0
 * @category models
 */
export interface Maturing {
  /** How many days after its sale a share is mature, 0 to 3650. */
  readonly maturityDays: number
  /** The shares of sales in the active payout (see `Maturity.sharesOf`). */
  readonly shares: ReadonlyArray<Maturity.WaitingShare>
  /** Makes the id of a payout that takes immature shares; payouts are counted from 1. */
  readonly payoutId: (number: number) => string
}

/**
 * A fact. Times are Unix seconds, and not before the previous fact.
 *
 * @since 0.6.0
 * @category models
 */
export type Fact =
  | {
      /** Only time passes. */
      readonly type: "time"
      readonly at: number
      readonly terms: Terms
      /** Absent: every share is mature at once. It is looked at only when the active payout is due. */
      readonly maturing?: Maturing | undefined
    }
  | {
      /** Something is about to be posted, so an active payout is needed. */
      readonly type: "posting"
      readonly at: number
      readonly terms: Terms
      /** Makes the id of a payout that is opened; payouts are counted from 1. */
      readonly payoutId: (number: number) => string
      readonly maturing?: Maturing | undefined
    }
  | {
      /** A payment is made, fails or is retried, or a payout is set as paid by hand. */
      readonly type: "event"
      readonly payout: PayoutHead
      readonly event: Exclude<PayoutStatus.Event, { readonly type: "close" }>
    }

/**
 * A payout changed by a step.
 *
 * @since 0.6.0
 * @category models
 */
export interface Change {
  /** The kind of change; `rolled`: its due date came, and moved on because its total was too small. */
  readonly type:
    | "opened"
    | "closed"
    | "rolled"
    | "items"
    | Exclude<PayoutStatus.PayoutEvent, "close">
  /** The payout after the change. */
  readonly payout: PayoutHead
  /** Of a closed payout: the items that were not mature, and the payout into which they move; absent: none. */
  readonly moved?: MovedItems | undefined
}

/**
 * Items that leave a payout that is closed. The payout that takes them is opened next, with them in it.
 *
 * @since 0.6.0
 * @category models
 */
export interface MovedItems {
  readonly itemIds: ReadonlyArray<string>
  readonly toPayoutId: string
}

/**
 * The result of a fact.
 *
 * @since 0.6.0
 * @category models
 */
export interface Step {
  readonly head: Head
  /** In the order in which they happen; a payout can be among them twice. */
  readonly changes: ReadonlyArray<Change>
}

type StepResult = Result.Result<Step, PayoutStatus.TransitionError>

const step = (head: Head, ...changes: ReadonlyArray<Change>): Step => ({ head, changes })

/**
 * The state before the first payout.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 *
 * Lifecycle.empty({ collaboratorId: "ada", currency: "USD" }).active // => null
 * ```
 */
export const empty = (owner: {
  readonly collaboratorId: string
  readonly currency: string
}): Head => ({
  collaboratorId: owner.collaboratorId,
  currency: owner.currency,
  firstOpenedAt: null,
  opened: 0,
  active: null,
  pending: [],
  advancedTo: Number.NEGATIVE_INFINITY,
})

/**
 * The default id of a payout.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 *
 * Lifecycle.payoutId({ collaboratorId: "ada", currency: "USD", number: 3 }) // => "ada-USD-3"
 * ```
 */
export const payoutId = (payout: {
  readonly collaboratorId: string
  readonly currency: string
  /** Counted from 1 for each collaborator and currency. */
  readonly number: number
}): string => `${payout.collaboratorId}-${payout.currency}-${payout.number}`

/**
 * The total of a payout as a number of cents.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Lifecycle.totalOf({ id: "p1", total: 1_000n })) // => 1000
 * Result.isFailure(Lifecycle.totalOf({ id: "p1", total: 2n ** 60n })) // => true
 * ```
 */
export const totalOf = ({
  id,
  total,
}: Pick<PayoutHead, "id" | "total">): Result.Result<number, Cents.AmountOutOfRange> => {
  const safe = exact.toSafe(total)
  return safe === undefined
    ? Result.fail(Cents.AmountOutOfRange.of(`the total of payout ${id}`, total))
    : Result.succeed(safe)
}

/**
 * Whether a payout is active and its due date has come.
 *
 * @param at - Unix seconds
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 *
 * Lifecycle.isDue({ status: "active", toBePaidAt: 1_700_000_000 }, 1_700_000_000) // => true
 * Lifecycle.isDue({ status: "pending", toBePaidAt: 1_700_000_000 }, 1_700_000_000) // => false
 * ```
 */
export const isDue = (payout: Pick<PayoutHead, "status" | "toBePaidAt">, at: number): boolean =>
  payout.status === "active" && payout.toBePaidAt <= at

/**
 * Whether a total is large enough for a payout to be closed on its due date; otherwise it rolls to the next one.
 *
 * @param total - cents of the payout's currency
 * @param threshold - cents of the payout's currency
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 *
 * Lifecycle.reachesThreshold(5_000, 5_000) // => true
 * Lifecycle.reachesThreshold(0, 0) // => false
 * ```
 */
export const reachesThreshold: (total: number | bigint, threshold: number) => boolean =
  payoutRules.reachesThreshold

const nextDueDate = (
  { firstOpenedAt }: Head,
  { collaborator, timeZone }: Terms,
  after: number,
): Result.Result<number, Schedule.ScheduleError> =>
  Schedule.nextDueDate(collaborator, { openedAt: firstOpenedAt ?? after, after, timeZone })

/** The time that passes, and the terms that apply. */
interface Passed {
  readonly at: number
  readonly terms: Terms
  readonly maturing?: Maturing | undefined
}

interface PassedMaturing extends Passed {
  readonly maturing: Maturing
}

const opening = (
  { collaboratorId, currency }: Head,
  facts: { readonly id: string; readonly openedAt: number; readonly toBePaidAt: number },
): PayoutHead => {
  const { items: _none, ...standing } = Payout.open({ ...facts, collaboratorId, currency })
  return { ...standing, total: 0n, itemsCount: 0, paymentId: null }
}

/** Closes an active payout on its due date with its mature items; the rest goes into a payout opened that day. */
const closeWithout = (
  head: Head,
  active: PayoutHead,
  {
    closing,
    terms,
    maturing,
  }: Omit<PassedMaturing, "at"> & { readonly closing: Maturity.MatureClosing },
): Result.Result<
  { readonly head: Head; readonly changes: ReadonlyArray<Change> },
  PayoutStatus.TransitionError
> =>
  Result.gen(function* () {
    const { toBePaidAt: at, waiting, waitingTotal } = closing
    const left = {
      ...{ ...active, toBePaidAt: at, total: active.total - waitingTotal },
      itemsCount: active.itemsCount - waiting.length,
    }
    const { collaborator, timeZone } = terms
    const event = { type: "close", at, terms: collaborator, timeZone } as const
    const payout = yield* payoutRules.move(left, event, () => totalOf(left))
    const closed = { ...head, active: null, pending: [...head.pending, payout] }
    if (waiting.length === 0) return step(closed, { type: "closed", payout })
    const opened = head.opened + 1
    const facts = { id: maturing.payoutId(opened), openedAt: at }
    const toBePaidAt = yield* nextDueDate(head, terms, at)
    const sums = { total: waitingTotal, itemsCount: waiting.length }
    const next = { ...opening(head, { ...facts, toBePaidAt }), ...sums }
    const moved = { itemIds: waiting.map(({ itemId }) => itemId), toPayoutId: next.id }
    return step(
      { ...closed, opened, active: next },
      { type: "closed", payout, moved },
      { type: "opened", payout: next },
    )
  })

/**
 * The same where shares have to mature: a total too small on one due date may be large enough on the next, and what is
 * left over may be closed on a later one. So each due date up to `at` is checked.
 */
const closeMature = (head: Head, { at, terms, maturing }: PassedMaturing): StepResult =>
  Result.gen(function* () {
    const { maturityDays } = maturing
    const { timeZone } = terms
    const threshold = terms.collaborator.payoutThreshold
    const nextDue = (after: number) => nextDueDate(head, terms, after)
    const options = { at, threshold, maturityDays, timeZone, nextDue }
    const changes: Array<Change> = []
    let current = head
    let { shares } = maturing
    for (;;) {
      const { active } = current
      if (active === null || !isDue(active, at)) return step(current, ...changes)
      const closing = yield* Maturity.firstClosing({ ...active, shares }, options)
      const { type, toBePaidAt } = closing
      const rolled = { ...active, toBePaidAt }
      if (toBePaidAt !== active.toBePaidAt) changes.push({ type: "rolled", payout: rolled })
      if (type === "rolled") return step({ ...current, active: rolled }, ...changes)
      const closed = yield* closeWithout(current, rolled, { closing, terms, maturing })
      changes.push(...closed.changes)
      current = closed.head
      shares = closing.waiting
    }
  })

/**
 * Closes the active payout when its due date has come. A total too small for the due date is too small for all later
 * ones up to `at`, because nothing happened in between: the date rolls past all of them at once.
 */
const closeDue = (head: Head, { at, terms, maturing }: Passed): StepResult =>
  Result.gen(function* () {
    const { active } = head
    if (active === null || !isDue(active, at)) return step(head)
    const { collaborator, timeZone } = terms
    if (maturing !== undefined && maturing.maturityDays !== 0) {
      return yield* closeMature(head, { at, terms, maturing })
    }
    if (!reachesThreshold(active.total, collaborator.payoutThreshold)) {
      const payout = { ...active, toBePaidAt: yield* nextDueDate(head, terms, at) }
      return step({ ...head, active: payout }, { type: "rolled", payout })
    }
    const event = { type: "close", at: active.toBePaidAt, terms: collaborator, timeZone } as const
    const payout = yield* payoutRules.move(active, event, () => totalOf(active))
    const pending = [...head.pending, payout]
    return step({ ...head, active: null, pending }, { type: "closed", payout })
  })

/**
 * Pays payouts that are past their holding days. One with a total below 0 waits until something raises it, and one with
 * a payment under way until that ends.
 */
const payHeld = (
  head: Head,
  { at, terms }: { readonly at: number; readonly terms: Terms },
): StepResult =>
  Result.gen(function* () {
    const { advancedTo } = head
    if (!terms.collaborator.shouldPayAutomatically) return step(head)
    const changes: Array<Change> = []
    const pending: Array<PayoutHead> = []
    for (const held of head.pending) {
      const { payableAt, total } = held
      const isReady = payableAt !== null && payableAt <= at && held.paymentId === null
      if (!isReady || total < 0n) {
        pending.push(held)
        continue
      }
      // Without anything in the way, it would have been paid earlier.
      const event = { type: "pay", at: Math.max(payableAt, advancedTo) } as const
      const payout = yield* payoutRules.move(held, event, () => totalOf(held))
      changes.push({ type: "pay", payout })
    }
    return step({ ...head, pending }, ...changes)
  })

/** Closes or rolls payouts that are due by a time, and pays those that may be paid by then. */
const advance = (head: Head, passed: Passed): StepResult => {
  const { at } = passed
  const { active, pending } = head
  if (pending.length === 0 && (active === null || !isDue(active, at))) {
    return Result.succeed(step({ ...head, advancedTo: at }))
  }
  return Result.gen(function* () {
    const closing = yield* closeDue(head, passed)
    const paying = yield* payHeld(closing.head, passed)
    return step({ ...paying.head, advancedTo: at }, ...closing.changes, ...paying.changes)
  })
}

/** The same, and opens a payout when none is active then. */
const collect = (head: Head, fact: Extract<Fact, { readonly type: "posting" }>): StepResult =>
  Result.gen(function* () {
    const advanced = yield* advance(head, fact)
    if (advanced.head.active !== null) return advanced
    const { at, terms } = fact
    const opened = advanced.head.opened + 1
    const id = fact.payoutId(opened)
    const toBePaidAt = yield* nextDueDate(head, terms, at)
    const active = opening(head, { id, openedAt: at, toBePaidAt })
    const firstOpenedAt = head.firstOpenedAt ?? at
    const collecting = { ...advanced.head, firstOpenedAt, opened, active }
    return step(collecting, ...advanced.changes, { type: "opened", payout: active })
  })

/**
 * A payout that was moved by hand is pending afterwards or not; it no longer collects. The move also ends an attempt to
 * pay it.
 */
const move = (
  head: Head,
  { payout, event }: Extract<Fact, { readonly type: "event" }>,
): StepResult =>
  Result.map(
    payoutRules.move(payout, event, () => totalOf(payout)),
    (next) => {
      const moved = { ...next, paymentId: null }
      const others = head.pending.filter(({ id }) => id !== moved.id)
      const active = head.active?.id === moved.id ? null : head.active
      const pending = moved.status === "pending" ? [...others, moved] : others
      return step({ ...head, active, pending }, { type: event.type, payout: moved })
    },
  )

/**
 * One step in the life cycle of a collaborator's payouts in one currency.
 *
 * `time`: an active payout whose due date has come is closed as of that date, or rolls to the first date after `at`
 * when its total is not above 0 or below the threshold; pending ones past their holding days are paid where the
 * collaborator is paid automatically. Where shares have to mature, a payout is closed with what is mature on its due
 * date, which alone counts against the threshold, and the rest moves to a payout that is opened that day; an expense, an
 * income and what refunds take back of payouts closed before count at once. `posting`: the same, and a payout is opened when none is active then. `event`:
 * see `Payout.transition`.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Collaborator, Lifecycle } from "apportion"
 * import { Result } from "effect"
 *
 * const terms = { collaborator: Collaborator.make({ id: "ada", currency: "USD" }), timeZone: "UTC" }
 * const day = (month: number, date: number) => Date.UTC(2025, month - 1, date) / 1000
 * const empty = Lifecycle.empty({ collaboratorId: "ada", currency: "USD" })
 * const march = Result.gen(function* () {
 *   const posting = { type: "posting", at: day(1, 3), terms, payoutId: () => "p1" } as const
 *   const { head: opened, changes: [change] } = yield* Lifecycle.transition(empty, posting)
 *   if (change === undefined) return []
 *   const items = { payout: change.payout, amounts: [2_500], added: 1 }
 *   const { head } = yield* Lifecycle.changeItems(opened, items)
 *   return (yield* Lifecycle.transition(head, { type: "time", at: day(3, 1), terms })).changes
 * })
 * Result.getOrThrow(march).map(({ type }) => type) // => ["closed", "pay"]
 * ```
 */
export const transition = (
  head: Head,
  fact: Fact,
): Result.Result<Step, PayoutStatus.TransitionError> => {
  switch (fact.type) {
    case "time":
      return advance(head, fact)
    case "posting":
      return collect(head, fact)
    case "event":
      return move(head, fact)
  }
}

/**
 * Whether the items of a payout can no longer change: it is settled, or frozen because it is being paid. Changes go
 * into the active payout instead.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 *
 * Lifecycle.isFixed({ status: "pending", paymentId: null }) // => false
 * Lifecycle.isFixed({ status: "pending", paymentId: "a1" }) // => true
 * Lifecycle.isFixed({ status: "paid", paymentId: null }) // => true
 * ```
 */
export const isFixed = (payout: Pick<PayoutHead, "status" | "paymentId">): boolean =>
  payout.paymentId !== null || Payout.isSettled(payout)

/** Replaces a payout by its changed form. */
const place = (head: Head, payout: PayoutHead): Head =>
  head.active?.id === payout.id
    ? { ...head, active: payout }
    : { ...head, pending: head.pending.map((held) => (held.id === payout.id ? payout : held)) }

/**
 * Items of a payout are added, changed or removed: its total and its count follow. A payout that is settled is refused,
 * because nothing about it changes any more, and so is one that is frozen, because its total is being paid.
 *
 * @param change.amounts - cents of the payout's currency: the added ones, and the opposite of the removed ones
 * @param change.added - by how much the number of items grows
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Lifecycle, Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const owner = { collaboratorId: "ada", currency: "USD" }
 * const { items, ...opened } = Payout.open({ ...owner, id: "p1", openedAt: 0, toBePaidAt: 60 })
 * const payout = { ...opened, total: 500n, itemsCount: 1, paymentId: null }
 * const change = { payout, amounts: [-500, 200], added: 0 }
 * const changed = Lifecycle.changeItems({ ...Lifecycle.empty(owner), active: payout }, change)
 * Result.getOrThrow(changed).head.active?.total // => 200n
 * ```
 */
export const changeItems = (
  head: Head,
  change: {
    readonly payout: PayoutHead
    readonly amounts: ReadonlyArray<number>
    readonly added: number
  },
): Result.Result<Step, Payout.PayoutAlreadyPaid | PaymentUnderWay> => {
  const { payout, amounts, added } = change
  if (Payout.isSettled(payout)) return Result.fail(Payout.PayoutAlreadyPaid.of(payout))
  const { id, paymentId } = payout
  if (paymentId !== null) return Result.fail(PaymentUnderWay.of(id, paymentId))
  const total = payout.total + BigInt(exact.sum(amounts))
  const changed = { ...payout, total, itemsCount: payout.itemsCount + added }
  return Result.succeed(step(place(head, changed), { type: "items", payout: changed }))
}

/**
 * A sale in a payout, with what was taken back of it in other payouts, while its own was settled or frozen.
 *
 * @since 0.6.0
 * @category models
 */
export interface PostedSale {
  /** The item as it is in its payout. */
  readonly sale: PayoutItem.Sale
  /** In cents of the order's currency. */
  readonly reversed: number
  /** How many items took back a part of it. */
  readonly refunds: number
}

/**
 * The effect of a refund on a sale.
 *
 * @since 0.6.0
 * @category models
 */
export interface RefundStep extends Pick<PostedSale, "reversed" | "refunds"> {
  /**
   * A sale: it replaces the earlier one in its own payout. A refund: it goes into the active payout. `null`: there is
   * nothing to take back.
   */
  readonly item: PayoutItem.Sale | PayoutItem.Refund | null
}

/**
 * Takes back a part of a sale: in its payout, or in the active one while its own {@link isFixed}. In whatever order
 * parts go to the one and the other, everything taken back of a share adds up to exactly its amount.
 *
 * @param payout - the sale's payout at the time of the refund
 * @param taken.amount - what is taken back, in cents of the order's currency; its sign is the sale's
 * @param taken.at - Unix seconds
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Lifecycle, PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }]
 * const order = { id: "1001", currency: "USD", items }
 * const share = { itemId: "1", groupId: "g1", amount: 1_000 }
 * const at = 1_700_000_000
 * const taken = Result.gen(function* () {
 *   const sale = yield* PayoutItem.fromShare(share, { order, currency: "USD", at })
 *   const posted = { sale, reversed: 0, refunds: 0 }
 *   const payout = { id: "p1", status: "paid", currency: "USD", paymentId: null } as const
 *   return yield* Lifecycle.refund(payout, posted, { amount: 400, at })
 * })
 * Result.getOrThrow(taken).item?.amount // => -400
 * ```
 */
export const refund = (
  payout: Pick<PayoutHead, "id" | "status" | "currency" | "paymentId">,
  { sale, reversed, refunds }: PostedSale,
  taken: { readonly amount: number; readonly at: number },
): Result.Result<RefundStep, PayoutItem.RefundBeyondShare | PayoutItem.ConversionError> => {
  const number = refunds + 1
  const key = sale.adjustment === undefined ? PayoutItem.keyOf(sale.orderItem) : sale.id
  const id = `${key}/refund/${number}`
  const options = { ...taken, id, alreadyRefunded: reversed }
  const fixed = { currency: payout.currency, isFixed: isFixed(payout) }
  return Result.map(payoutRules.refund(fixed, sale, options), (item) => {
    if (item.kind === "sale") return { item, reversed, refunds }
    if (item.originalAmount === 0) return { item: null, reversed, refunds }
    const about = { payoutId: payout.id, why: "frozen" } as const
    const placed = payout.paymentId === null ? item : { ...item, about }
    return { item: placed, reversed: reversed + taken.amount, refunds: number }
  })
}

/**
 * Whether a payout that no longer collects has fallen below zero, so that it is set off against the active one. A total
 * that no number can hold does not count.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 *
 * Lifecycle.isDebt({ status: "pending", total: -300n, paymentId: null }) // => true
 * Lifecycle.isDebt({ status: "active", total: -300n, paymentId: null }) // => false
 * ```
 */
export const isDebt = (payout: Pick<PayoutHead, "status" | "total" | "paymentId">): boolean =>
  payout.total < 0n &&
  payout.status !== "active" &&
  !isFixed(payout) &&
  exact.toSafe(payout.total) !== undefined

/**
 * The two entries that set a payout below zero off against the active one, each about the other.
 *
 * @since 0.6.0
 * @category models
 */
export interface SetOff {
  /** Goes into the payout below zero, whose total it brings to 0. */
  readonly income: PayoutItem.Entry
  /** Goes into the active payout. */
  readonly expense: PayoutItem.Entry
}

/**
 * Sets a payout below zero (see {@link isDebt}) off against the active one: the missing amount is deducted there, so
 * that no payout is paid in full while another one waits below zero.
 *
 * @param options.activeId - the active payout
 * @param options.at - Unix seconds
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Lifecycle } from "apportion"
 *
 * const payout = { id: "p1", currency: "USD", total: -300n }
 * const { income, expense } = Lifecycle.setOff(payout, { activeId: "p2", at: 1_700_000_000 })
 * income.amount // => 300
 * expense.amount // => -300
 * expense.about // => { payoutId: "p1", why: "debt" }
 * ```
 */
export const setOff = (
  { id, currency, total }: Pick<PayoutHead, "id" | "currency" | "total">,
  { activeId, at }: { readonly activeId: string; readonly at: number },
): SetOff => {
  const facts = { amount: Number(-total), at }
  const given = { ...facts, id: `set-off of ${id}`, name: "Taken off the next payout" }
  const taken = { ...facts, id: `set-off for ${id}`, name: "From an earlier payout below zero" }
  const income = Result.getOrThrow(PayoutItem.income(given, { currency }))
  const expense = Result.getOrThrow(PayoutItem.expense(taken, { currency }))
  return {
    income: { ...income, about: { payoutId: activeId, why: "debt" } },
    expense: { ...expense, about: { payoutId: id, why: "debt" } },
  }
}
