import * as Payment from "../../payouts/Payment.js"
import type {
  PaymentPlace,
  PaymentSlice,
  PaymentStore,
  StoredPayment,
} from "../../ports/PaymentStore.js"
import { Conflict } from "../../ports/StorageError.js"
import { byClaim, type MemoryAccount } from "./Account.js"
import { everything, type Journal, type SortedList, sealed } from "./Table.js"

/** Whether a payment would be open beside another open one of its payout. */
const hasOtherOpen = ({ paymentsOfPayout }: MemoryAccount, payment: Payment.Payment): boolean => {
  if (!Payment.isOpen(payment.status)) return false
  const others = [...(paymentsOfPayout.list(payment.payoutId) ?? [])]
  return others.some(({ id, status }) => id !== payment.id && Payment.isOpen(status))
}

/** The fields of a payment that never change. */
const lasting = (known: StoredPayment) => ({
  payoutId: known.payoutId,
  collaboratorId: known.collaboratorId,
  currency: known.currency,
  amount: known.amount,
  payoutVersion: known.payoutVersion,
  rail: known.rail,
  claimedAt: known.claimedAt,
})

const isAfter =
  (place: PaymentPlace | undefined) =>
  (payment: StoredPayment): boolean =>
    place === undefined || byClaim(payment, place) > 0

/** The next payments of a list for which a condition holds. */
const nextOf = (
  list: SortedList<StoredPayment> | undefined,
  { after, limit }: PaymentSlice,
  holds: (payment: StoredPayment) => boolean,
): ReadonlyArray<StoredPayment> => {
  const rest = list?.from(isAfter(after), list.size) ?? []
  return rest.filter(holds).slice(0, limit)
}

/** Whether a payment was sent by a time, and its outcome is not known. */
const isWaiting = ({ sentAt, acceptedAt }: StoredPayment, sentBefore: number): boolean =>
  acceptedAt === null && sentAt !== null && sentAt <= sentBefore

const update = (
  account: MemoryAccount,
  journal: Journal,
  payment: StoredPayment,
): StoredPayment | Conflict => {
  const known = account.payments.get(payment.id)
  if (known?.version !== payment.version) return Conflict.of("payment", payment.id)
  const next = sealed({ ...payment, ...lasting(known), version: payment.version + 1 })
  if (hasOtherOpen(account, next)) return Conflict.of("payment", payment.id)
  account.payments.put(journal, next)
  return next
}

/** The store of payments within one transaction. */
export const makePayments = (account: MemoryAccount, journal: Journal): PaymentStore => {
  const { payments, paymentsInOrder, paymentsOfPayout, paymentsOfStatus } = account
  return {
    get: (id) => journal.read("read a payment", () => payments.get(id)),
    ofPayout: (payoutId) =>
      journal.read(
        "read the payments of a payout",
        () => paymentsOfPayout.list(payoutId)?.all() ?? [],
      ),
    ofReference: ({ reference, limit }) =>
      journal.read(
        "read the payments of a reference",
        () => account.paymentsOfReference.list(reference)?.all().slice(0, limit) ?? [],
      ),
    insert: (payment) =>
      journal.write("insert a payment", () => {
        const isThere = payments.get(payment.id) !== undefined
        if (isThere || hasOtherOpen(account, payment)) return Conflict.of("payment", payment.id)
        const stored = sealed({ ...payment, version: 1 })
        payments.put(journal, stored)
        return stored
      }),
    update: (payment) => journal.write("update a payment", () => update(account, journal, payment)),
    list: ({ status, after, limit }) =>
      journal.read("list payments", () => {
        const list =
          status === undefined ? paymentsInOrder.list(everything) : paymentsOfStatus.list(status)
        return list?.from(isAfter(after), limit) ?? []
      }),
    stuck: ({ sentBefore, ...slice }) =>
      journal.read("find stuck payments", () =>
        nextOf(
          account.unsettledPayments.list(everything),
          slice,
          (payment) => payment.contradiction !== null || isWaiting(payment, sentBefore),
        ),
      ),
  }
}
