/** The events of payments, and of payouts that payments or people move. */
import type * as Effect from "effect/Effect"
import type { Change } from "../../../events/AccountEvent.js"
import type { EventData } from "../../../events/EventType.js"
import type { Payment, PaymentEvent } from "../../../payouts/Payment.js"
import type { PayoutItem } from "../../../payouts/PayoutItem.js"
import type { PayoutEvent } from "../../../payouts/PayoutStatus.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import { emit } from "../transactions.js"

/** The data of the event of an entry. */
export const entryData = (
  { id: payoutId, collaboratorId, currency }: StoredPayout,
  { id: itemId, amount }: Pick<PayoutItem, "id" | "amount">,
): EventData<"entry.removed"> => ({ payoutId, itemId, collaboratorId, currency, amount })

const moves = {
  pay: "payout.paid",
  fail: "payout.failed",
  retry: "payout.retried",
  return: "payout.returned",
  "set-paid": "payout.set-paid",
} as const

/** Emits the event of a moved payout. */
export const tellMove = (
  type: Exclude<PayoutEvent, "close">,
  payout: StoredPayout,
): Effect.Effect<void> => {
  const { id: payoutId, collaboratorId, currency, total, failureReason: reason } = payout
  const data = { payoutId, collaboratorId, currency, total }
  return type === "fail" || type === "return"
    ? emit({ type: moves[type], data: { ...data, reason } })
    : emit({ type: moves[type], data })
}

/** What happens to a payment: its own events, its claim, a contradiction, and that a person has looked at one. */
type Happening = PaymentEvent | "claim" | "contradict" | "settle"

const changeOf = (type: Happening, payment: Payment): Change => {
  const { id: paymentId, payoutId, collaboratorId, currency, amount, rail } = payment
  const { reference, fee, reason } = payment
  const data = { paymentId, payoutId, collaboratorId, currency, amount, rail }
  switch (type) {
    case "claim":
      return { type: "payment.claimed", data }
    case "send":
      return { type: "payment.sent", data }
    case "accept":
      return { type: "payment.accepted", data: { ...data, reference } }
    case "lose":
      return { type: "payment.unknown", data: { ...data, reason } }
    case "absent":
      return { type: "payment.absent", data }
    case "confirm":
      return { type: "payment.confirmed", data: { ...data, reference, fee } }
    case "reject":
      return { type: "payment.rejected", data: { ...data, reason } }
    case "release":
      return { type: "payment.released", data }
    case "return":
      return { type: "payment.returned", data: { ...data, reason } }
    case "contradict": {
      const said = payment.contradiction?.message ?? null
      return { type: "payment.contradicted", data: { ...data, reason: said } }
    }
    case "settle":
      return { type: "payment.settled", data }
  }
}

/** Emits the event of a payment. */
export const tellPayment = (type: Happening, payment: Payment): Effect.Effect<void> =>
  emit(changeOf(type, payment))
