/**
 * Which shares of sales are old enough to be closed with their payout. A store can let them wait for some days, in
 * which goods may be returned: shares that are not mature when a payout is closed move to the next one.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as exact from "../money/internal/exact.js"
import * as payoutRules from "./internal/payoutRules.js"
import type { AgreementLine, PayoutItem } from "./PayoutItem.js"
import * as Schedule from "./Schedule.js"

/**
 * A share in a payout that may not be mature yet.
 *
 * @since 0.6.0
 * @category models
 */
export interface WaitingShare {
  readonly itemId: string
  /** Cents of the payout's currency. */
  readonly amount: number
  /** Unix seconds. */
  readonly soldAt: number
}

const agreementOf = (item: PayoutItem): AgreementLine | undefined =>
  "agreement" in item ? item.agreement : undefined

/** What a line of an agreement has in common with those that take it back. */
const subjectOf = ({ kind, agreementId, orderId, itemId, groupId }: AgreementLine): string =>
  JSON.stringify([kind, agreementId, orderId, itemId, groupId])

/**
 * When the shares were booked beside which agreements booked lines, by what these are about; the latest one, where a share
 * was changed since.
 */
const bookedAt = (items: ReadonlyArray<PayoutItem>): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const item of items) {
    const line = agreementOf(item)
    if (line?.event !== "sale") continue
    const subject = subjectOf(line)
    times.set(subject, Math.max(times.get(subject) ?? item.createdAt, item.createdAt))
  }
  return times
}

/**
 * The shares of sales among items, with what agreements booked of them, and what refunds took back of that: only these
 * have to mature. Expenses and incomes count at once, and so do refunds of a share that was closed before.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Maturity, PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const facts = { id: "e1", amount: 500, name: "Samples", at: 1_700_000_000 }
 * const expense = Result.getOrThrow(PayoutItem.expense(facts, { currency: "USD" }))
 * Maturity.sharesOf([expense]) // => []
 * ```
 */
export const sharesOf = (items: Iterable<PayoutItem>): ReadonlyArray<WaitingShare> => {
  const all = [...items]
  const times = bookedAt(all)
  return all.flatMap((item) => {
    const { id: itemId, amount, createdAt } = item
    const line = agreementOf(item)
    if (item.kind === "sale" || line?.event === "sale") {
      return [{ itemId, amount, soldAt: createdAt }]
    }
    // What is taken back of a line goes on with it, or it would be paid out before the share that it belongs to.
    const soldAt = line?.event === "refund" ? times.get(subjectOf(line)) : undefined
    return soldAt === undefined ? [] : [{ itemId, amount, soldAt }]
  })
}

/** The sum of shares in cents, exact however large it is on the way. */
const sumOf = (shares: ReadonlyArray<WaitingShare>): bigint =>
  BigInt(exact.sum(shares.map(({ amount }) => amount)))

/**
 * An active payout, for {@link firstClosing}.
 *
 * @since 0.6.0
 * @category models
 */
export interface MaturingPayout {
  /** Its due date, in Unix seconds. */
  readonly toBePaidAt: number
  /** The sum of all its items, in cents. */
  readonly total: bigint
  /** The shares of sales in it. */
  readonly shares: ReadonlyArray<WaitingShare>
}

/**
 * When a payout is closed, and which shares move to the next one then.
 *
 * @since 0.6.0
 * @category models
 */
export interface MatureClosing {
  readonly type: "closed" | "rolled"
  /** Unix seconds. `closed`: the due date on which it is closed. `rolled`: the due date to which it moves. */
  readonly toBePaidAt: number
  /** The shares that are not mature on that day, in the order in which they were given; none for `rolled`. */
  readonly waiting: ReadonlyArray<WaitingShare>
  /** The sum of these, in cents. */
  readonly waitingTotal: bigint
}

const secondsOfDay = 86_400

/** The calendar of a time zone may be set back or forth by a day. */
const daysOfDoubt = 2

/**
 * The first due date, up to a time, on which the mature part of a payout is above 0 and reaches the threshold, and the
 * shares that are not mature then. When there is no such date, the payout rolls to the first due date after that time.
 *
 * @param options.at - Unix seconds, at or after the due date of the payout
 * @param options.nextDue - returns the first due date after a time
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Maturity } from "apportion"
 * import { Result } from "effect"
 *
 * const day = (date: number) => Date.UTC(2025, 0, date) / 1000
 * const early = { itemId: "1001/1/g1", amount: 700, soldAt: day(3) }
 * const late = { itemId: "1002/1/g1", amount: 400, soldAt: day(25) }
 * const payout = { toBePaidAt: day(31), total: 1_100n, shares: [early, late] }
 * const closing = Maturity.firstClosing(payout, {
 *   at: day(31),
 *   threshold: 0,
 *   maturityDays: 14,
 *   timeZone: "UTC",
 *   nextDue: () => Result.succeed(day(59)),
 * })
 * Result.getOrThrow(closing).type // => "closed"
 * Result.getOrThrow(closing).waiting // => [{ itemId: "1002/1/g1", amount: 400, soldAt: 1737763200 }]
 * ```
 */
export const firstClosing = (
  payout: MaturingPayout,
  options: {
    readonly at: number
    /** Cents of the payout's currency. */
    readonly threshold: number
    readonly maturityDays: number
    /** An IANA name. */
    readonly timeZone: string
    readonly nextDue: (after: number) => Result.Result<number, Schedule.ScheduleError>
  },
): Result.Result<MatureClosing, Schedule.ScheduleError> =>
  Result.gen(function* () {
    const { at, threshold, maturityDays, timeZone, nextDue } = options
    let { toBePaidAt, shares: waiting } = payout
    for (;;) {
      const soldUntil = yield* Schedule.matureUntil({ at: toBePaidAt, maturityDays, timeZone })
      waiting = waiting.filter(({ soldAt }) => soldAt > soldUntil)
      const waitingTotal = sumOf(waiting)
      const mature = payout.total - waitingTotal
      // Two parts of an exact sum can be beyond the exact range, one above 0 and one below.
      const isExact = [mature, waitingTotal].every((part) => exact.toSafe(part) !== undefined)
      if (isExact && payoutRules.reachesThreshold(mature, threshold)) {
        return { type: "closed", toBePaidAt, waiting, waitingTotal }
      }
      // Before the earliest of them is mature, every due date gives the same result.
      const soonest = waiting.reduce((all, { soldAt }) => Math.min(all, soldAt), Infinity)
      const changes = soonest + (maturityDays - daysOfDoubt) * secondsOfDay
      const next = yield* nextDue(Math.min(at, Math.max(toBePaidAt, changes)))
      if (next > at) return { type: "rolled", toBePaidAt: next, waiting: [], waitingTotal: 0n }
      toBePaidAt = next
    }
  })
