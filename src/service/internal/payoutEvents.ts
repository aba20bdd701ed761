/** Moving payouts from one status to another. */
import * as Effect from "effect/Effect"
import * as Payout from "../../payouts/Payout.js"
import type { Event } from "../../payouts/PayoutStatus.js"
import type { PayoutsService } from "../Payouts.js"
import { now } from "./now.js"
import { needPayout, viewOf } from "./payoutViews.js"
import { logChange } from "./transactions.js"
import type { Transactor } from "./transactor.js"

/** How each event shows in spans and in the log. */
const events = {
  pay: { span: "Payouts.pay", change: "payout paid" },
  fail: { span: "Payouts.fail", change: "payment of payout failed" },
  retry: { span: "Payouts.retry", change: "payment of payout to be tried again" },
  "set-paid": { span: "Payouts.setPaid", change: "payout set as paid" },
} as const

type HostEvent = Exclude<Event, { type: "close" }>

/** What a host can say of a payout; the reason of a failure is its own. */
const move = Effect.fnUntraced(function* (
  { write }: Transactor,
  accountId: string,
  payoutId: string,
  eventAt: (at: number) => HostEvent,
) {
  yield* Effect.annotateCurrentSpan({ accountId, payoutId })
  const event = eventAt(yield* now)
  return yield* write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const payout = yield* needPayout(stores, payoutId)
      const moved = yield* Effect.fromResult(Payout.move(payout, event))
      // What was set as paid by hand before stays as it is.
      if (moved.status === payout.status) return yield* viewOf(stores, payout)
      const stored = yield* stores.payouts.update({ payout: moved })
      yield* logChange(events[event.type].change, { payoutId })
      return yield* viewOf(stores, stored)
    }),
  )
})

/** `Payouts.pay`, `Payouts.retry` and `Payouts.setPaid` */
export const noteEvent = (
  transactor: Transactor,
  type: "pay" | "retry" | "set-paid",
): PayoutsService["pay"] =>
  Effect.fn(events[type].span)((accountId: string, payoutId: string) =>
    move(transactor, accountId, payoutId, (at) => ({ type, at })),
  )

/** `Payouts.fail` */
export const noteFailure = (transactor: Transactor): PayoutsService["fail"] =>
  Effect.fn(events.fail.span)((accountId: string, payoutId: string, reason: string) =>
    move(transactor, accountId, payoutId, (at) => ({ type: "fail", at, reason })),
  )
