/**
 * Payouts of the past: of sales that were paid before they were recorded here.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as exact from "../money/internal/exact.js"
import type { Collaborator } from "./Collaborator.js"
import type { PayoutHead } from "./Lifecycle.js"
import type { Standing } from "./PayoutStatus.js"
import * as Schedule from "./Schedule.js"

/**
 * The values that place a sale of the past into its payout: its own time, and the time up to which everything was paid.
 *
 * @since 0.6.0
 * @category models
 */
export interface PastSale {
  /** When it was sold, in Unix seconds; before `paidUntil`. */
  readonly at: number
  /** Unix seconds. */
  readonly paidUntil: number
  /** An IANA name: in it the days of the schedule begin. */
  readonly timeZone: string
}

/**
 * The times of a payout of the past, in Unix seconds: none of them is after the time up to which everything was paid.
 *
 * @since 0.6.0
 * @category models
 */
export type PastTimes = Readonly<Record<"toBePaidAt" | "closedAt" | "payableAt" | "paidAt", number>>

/** The first day of a month and of a week, before anything that is imported: schedules are counted from it. */
const firstDay = Date.UTC(1900, 0, 1) / 1_000

/** A time before that day in every time zone. */
const beforeFirstDay = firstDay - 3 * 86_400

const firstOfMonth = { payoutMeasurement: "monthly_date", payoutFrequency: 1 } as const

/**
 * The times of the payout in which a sale of the past was paid: by the collaborator's schedule and holding days, but at
 * the latest at the time up to which everything was paid. Weeks begin on Monday and months on their first day, whenever
 * the collaborator's first payout was opened. The threshold is ignored: what was left over was paid too by then.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { PastPayout } from "apportion"
 * import { Result } from "effect"
 *
 * const monthly = { payoutMeasurement: "month", payoutFrequency: 1, payoutHoldingDays: 7 } as const
 * const at = Date.UTC(2024, 2, 10) / 1000
 * const paidUntil = Date.UTC(2025, 0, 1) / 1000
 * const times = PastPayout.timesOf(monthly, { at, paidUntil, timeZone: "UTC" })
 * const { closedAt, paidAt } = Result.getOrThrow(times)
 * new Date(closedAt * 1000).toISOString() // => "2024-04-01T00:00:00.000Z"
 * new Date(paidAt * 1000).toISOString() // => "2024-04-08T00:00:00.000Z"
 * ```
 */
export const timesOf = (
  schedule: Schedule.Schedule & Pick<Collaborator, "payoutHoldingDays">,
  { at, paidUntil, timeZone }: PastSale,
): Result.Result<PastTimes, Schedule.ScheduleError> =>
  Result.gen(function* () {
    const before = { openedAt: beforeFirstDay, after: beforeFirstDay, timeZone }
    const openedAt = yield* Schedule.nextDueDate(firstOfMonth, before)
    const due = yield* Schedule.nextDueDate(schedule, { openedAt, after: at, timeZone })
    const holdingDays = schedule.payoutHoldingDays
    const payable = yield* Schedule.payableAt({ closedAt: due, holdingDays, timeZone })
    const [closedAt, paidAt] = [Math.min(due, paidUntil), Math.min(payable, paidUntil)]
    return { toBePaidAt: closedAt, closedAt, payableAt: paidAt, paidAt }
  })

/**
 * Whether a payout is one of the past: it was paid before it was opened here.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { PastPayout } from "apportion"
 *
 * const payout = { status: "manually paid", openedAt: 1_700_000_000 } as const
 * PastPayout.isPast({ ...payout, paidAt: 1_600_000_000 }) // => true
 * PastPayout.isPast({ ...payout, paidAt: 1_700_000_000 }) // => false
 * ```
 */
export const isPast = ({
  status,
  openedAt,
  paidAt,
}: Pick<Standing, "status" | "openedAt" | "paidAt">): boolean =>
  status === "manually paid" && paidAt !== null && paidAt < openedAt

/**
 * A payout of the past without items. It is settled from the beginning, so nothing closes, holds or pays it.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PastPayout } from "apportion"
 *
 * const [april, now] = [Date.UTC(2024, 3, 1) / 1000, 1_750_000_000]
 * const times = { toBePaidAt: april, closedAt: april, payableAt: april, paidAt: april }
 * const owner = { collaboratorId: "ada", currency: "EUR" }
 * const payout = PastPayout.open({ ...owner, id: "p1", openedAt: now }, times)
 * payout.status // => "manually paid"
 * PastPayout.isPast(payout) // => true
 * ```
 */
export const open = (
  payout: Pick<PayoutHead, "id" | "collaboratorId" | "currency" | "openedAt">,
  times: PastTimes,
): PayoutHead => ({
  ...payout,
  ...times,
  status: "manually paid",
  failureReason: null,
  total: 0n,
  itemsCount: 0,
  paymentId: null,
})

/**
 * A payout of the past with more items, which were paid with it. No other settled payout ever gets items.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { PastPayout } from "apportion"
 *
 * const [april, now] = [Date.UTC(2024, 3, 1) / 1000, 1_750_000_000]
 * const times = { toBePaidAt: april, closedAt: april, payableAt: april, paidAt: april }
 * const facts = { id: "p1", collaboratorId: "ada", currency: "EUR", openedAt: now }
 * const payout = PastPayout.add(PastPayout.open(facts, times), [1_000, -250])
 * payout.total // => 750n
 * payout.itemsCount // => 2
 * ```
 */
export const add = (payout: PayoutHead, amounts: ReadonlyArray<number>): PayoutHead => ({
  ...payout,
  total: payout.total + BigInt(exact.sum(amounts)),
  itemsCount: payout.itemsCount + amounts.length,
})
