/** Whether a payout agrees with the attempts to pay it. */
import { isOpen } from "../../../payouts/Payment.js"
import { isSettled } from "../../../payouts/PayoutStatus.js"
import type { StoredPayment } from "../../../ports/PaymentStore.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"

/** A stored value, and the value that the payments give. */
interface PaymentDifference {
  readonly field: string
  readonly stored: unknown
  readonly rebuilt: unknown
}

const compare = (
  field: string,
  stored: unknown,
  rebuilt: unknown,
): ReadonlyArray<PaymentDifference> => (stored === rebuilt ? [] : [{ field, stored, rebuilt }])

/** Several attempts that exclude each other are all reported. */
const compareOne = (all: ReadonlyArray<StoredPayment>): ReadonlyArray<PaymentDifference> => {
  const ids = all.map(({ id }) => id)
  return ids.length <= 1 ? [] : [{ field: "payments", stored: ids, rebuilt: ids.slice(0, 1) }]
}

/** An open attempt has the payout's total, and the payout names it and waits. */
const ofOpen = (
  { paymentId, status, total }: StoredPayout,
  open: ReadonlyArray<StoredPayment>,
): ReadonlyArray<PaymentDifference> => {
  const [first] = open
  const named = compare("paymentId", paymentId, first?.id ?? null)
  if (first === undefined) return named
  return [
    ...compareOne(open),
    ...named,
    ...compare("status", status, "pending"),
    ...compare("total", total, first.amount),
  ]
}

/** A confirmed attempt paid the payout's total, and the payout is paid; without one it may be paid by hand. */
const ofConfirmed = (
  { status, total }: StoredPayout,
  confirmed: ReadonlyArray<StoredPayment>,
): ReadonlyArray<PaymentDifference> => {
  const [first] = confirmed
  if (first === undefined) return []
  return [
    ...compareOne(confirmed),
    ...(isSettled(status) ? [] : compare("status", status, "paid")),
    ...compare("total", total, first.amount),
  ]
}

/** The values of a payout that do not agree with its payments. */
export const paymentDifferences = (
  payout: StoredPayout,
  payments: ReadonlyArray<StoredPayment>,
): ReadonlyArray<PaymentDifference> => {
  const { currency, collaboratorId } = payout
  const open = payments.filter(({ status }) => isOpen(status))
  const confirmed = payments.filter(({ status }) => status === "confirmed")
  return [
    ...payments.flatMap((payment) => [
      ...compare(`payments[${payment.id}].currency`, payment.currency, currency),
      ...compare(`payments[${payment.id}].collaboratorId`, payment.collaboratorId, collaboratorId),
    ]),
    ...ofOpen(payout, open),
    ...ofConfirmed(payout, confirmed),
  ]
}
