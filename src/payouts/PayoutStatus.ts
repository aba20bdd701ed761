/**
 * The states of a payout and the events between them, as data.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { frozen } from "../internal/frozen.js"
import { TaggedError } from "../internal/TaggedError.js"
import type * as Cents from "../money/Cents.js"
import type { Collaborator } from "./Collaborator.js"
import type * as Schedule from "./Schedule.js"

/**
 * `active`: collecting. `pending`: closed, held or being sent. `failed`: the payment did not go through, or came back.
 * `paid` and `manually paid`: settled: nothing about it changes, unless the payment comes back.
 *
 * @since 0.1.0
 * @category models
 */
export type PayoutStatus = "active" | "pending" | "paid" | "failed" | "manually paid"

/**
 * The events of a payout.
 *
 * @since 0.1.0
 * @category models
 */
export type PayoutEvent = "close" | "pay" | "fail" | "retry" | "return" | "set-paid"

/**
 * Every status.
 *
 * @since 0.1.0
 * @category constants
 */
export const statuses: readonly ["active", "pending", "paid", "failed", "manually paid"] = [
  "active",
  "pending",
  "paid",
  "failed",
  "manually paid",
]

/**
 * Every event.
 *
 * @since 0.1.0
 * @category constants
 */
export const events: readonly ["close", "pay", "fail", "retry", "return", "set-paid"] = [
  "close",
  "pay",
  "fail",
  "retry",
  "return",
  "set-paid",
]

/**
 * One row of the {@link table}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Transition {
  readonly from: PayoutStatus
  readonly event: PayoutEvent
  readonly to: PayoutStatus
  /** The further condition, in words; `null`: none. */
  readonly condition: string | null
  /** The further effect, in words; `null`: none. */
  readonly effect: string | null
}

const setPaid = (from: PayoutStatus): Transition => ({
  from,
  event: "set-paid",
  to: "manually paid",
  condition: null,
  effect: "the time of payment is noted, unless there is one already; the reason is cleared",
})

/**
 * All transitions; any other event in any other status is refused. Hosts can draw the table.
 *
 * @since 0.1.0
 * @category constants
 * @example
 * ```ts
 * import { PayoutStatus } from "apportion"
 *
 * const leaving = PayoutStatus.table.filter(({ from }) => from === "pending")
 * leaving.map(({ event, to }) => `${event}: ${to}`) // => ["pay: paid", "fail: failed", "set-paid: manually paid"]
 * ```
 */
export const table: ReadonlyArray<Transition> = /* @__PURE__ */ frozen<ReadonlyArray<Transition>>([
  {
    from: "active",
    event: "close",
    to: "pending",
    condition: "the due date has come, and the total is above 0 and at least the threshold",
    effect:
      "the holding days begin; when the total is too small the due date rolls to the next one",
  },
  {
    from: "pending",
    event: "pay",
    to: "paid",
    condition: "the holding days are over, and the total is not below 0",
    effect: "the time of payment is noted",
  },
  {
    from: "pending",
    event: "fail",
    to: "failed",
    condition: null,
    effect: "the reason is noted",
  },
  {
    from: "failed",
    event: "retry",
    to: "pending",
    condition: null,
    effect: "the reason is cleared",
  },
  {
    from: "paid",
    event: "return",
    to: "failed",
    condition: "the payment came back",
    effect: "the time of payment is cleared, and the reason is noted",
  },
  ...statuses.map(setPaid),
])

/**
 * An event that is not allowed in a payout's status.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidTransition extends TaggedError("InvalidTransition")<{
  readonly status: PayoutStatus
  readonly event: PayoutEvent
  readonly message: string
}> {}

/**
 * The fields of a payout that its transitions read and change. Times are Unix seconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Standing {
  readonly id: string
  /** ISO 4217 code. Every amount of the payout is in its lowest unit. */
  readonly currency: string
  readonly status: PayoutStatus
  readonly openedAt: number
  /** The due date: when it is closed, if its total is large enough then. */
  readonly toBePaidAt: number
  /** When it was closed; `null`: not yet, or it was set as paid before closing. */
  readonly closedAt: number | null
  /** When its holding days are over; `null`: not closed. */
  readonly payableAt: number | null
  readonly paidAt: number | null
  /** Why the payment failed; `null`: it did not. */
  readonly failureReason: string | null
}

/**
 * An event of a payout, and its time.
 *
 * @since 0.1.0
 * @category models
 */
export type Event =
  | {
      readonly type: "close"
      readonly at: number
      /** The collaborator's threshold and holding days. */
      readonly terms: Pick<Collaborator, "payoutThreshold" | "payoutHoldingDays">
      /** The zone in which holding days are computed; an IANA name. */
      readonly timeZone: string
    }
  | { readonly type: "pay"; readonly at: number }
  | { readonly type: "fail" | "return"; readonly at: number; readonly reason: string }
  | { readonly type: "retry"; readonly at: number }
  | { readonly type: "set-paid"; readonly at: number }

/**
 * A payout can't be closed before its due date.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayoutNotDue extends TaggedError("PayoutNotDue")<{
  readonly payoutId: string
  readonly toBePaidAt: number
  readonly at: number
  readonly message: string
}> {}

/**
 * A payout whose total is too small to be closed: not above 0, or below the threshold.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayoutBelowThreshold extends TaggedError("PayoutBelowThreshold")<{
  readonly payoutId: string
  /** Cents of the payout's currency. */
  readonly total: number
  /** Cents of the payout's currency. */
  readonly threshold: number
  readonly message: string
}> {}

/**
 * A payout can't be paid before its holding days are over.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayoutOnHold extends TaggedError("PayoutOnHold")<{
  readonly payoutId: string
  readonly payableAt: number | null
  readonly at: number
  readonly message: string
}> {}

/**
 * A payout that can't be paid because its total went below 0 after it was closed.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayoutTotalNegative extends TaggedError("PayoutTotalNegative")<{
  readonly payoutId: string
  /** Cents of the payout's currency. */
  readonly total: number
  readonly message: string
}> {}

/**
 * Why a transition was refused.
 *
 * @since 0.1.0
 * @category errors
 */
export type TransitionError =
  | InvalidTransition
  | PayoutNotDue
  | PayoutBelowThreshold
  | PayoutOnHold
  | PayoutTotalNegative
  | Cents.AmountOutOfRange
  | Schedule.ScheduleError

/**
 * The status to which an event leads from a status. `Payout.transition` checks the further conditions.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutStatus } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(PayoutStatus.transition("failed", "retry")) // => "pending"
 * const refused = PayoutStatus.transition("paid", "fail")
 * Result.isFailure(refused) // => true
 * ```
 */
export const transition = (
  status: PayoutStatus,
  event: PayoutEvent,
): Result.Result<PayoutStatus, InvalidTransition> => {
  const row = table.find((candidate) => candidate.from === status && candidate.event === event)
  if (row !== undefined) return Result.succeed(row.to)
  const possible = table.filter(({ from }) => from === status).map((candidate) => candidate.event)
  const message = `"${event}" can't happen to a payout that is ${status}; possible events: ${possible.join(", ")}`
  return Result.fail(new InvalidTransition({ status, event, message }))
}

/**
 * Whether a payout with this status is settled: paid, in one way or the other. When its payment comes back, it is no
 * longer settled: it fails, and its items can change again until it is paid once more.
 *
 * @since 0.1.0
 * @category guards
 * @example
 * ```ts
 * import { PayoutStatus } from "apportion"
 *
 * PayoutStatus.isSettled("manually paid") // => true
 * PayoutStatus.isSettled("failed") // => false
 * ```
 */
export const isSettled = (status: PayoutStatus): boolean =>
  status === "paid" || status === "manually paid"
