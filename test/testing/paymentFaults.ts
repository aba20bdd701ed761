import { Payment } from "apportion"
import type { PaymentStore, StoredPayment } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of payments. */
const inPayments = (name: string, change: (store: PaymentStore) => Partial<PaymentStore>): Fault =>
  inStores(name, ({ stores: { payments } }) => ({
    payments: { ...payments, ...change(payments) },
  }))

/** A payment that is read as another one than was stored. */
const readAs = (name: string, told: (payment: StoredPayment) => Partial<StoredPayment>): Fault =>
  inPayments(name, ({ get }) => ({
    get: (id) =>
      Effect.map(get(id), (found) => (found === undefined ? found : { ...found, ...told(found) })),
  }))

const all = { limit: 1_000 }

/** What an adapter can do wrong with payments. */
export const paymentFaults: ReadonlyArray<Fault> = [
  readAs("a contradiction is forgotten", () => ({ contradiction: null })),
  readAs("fees are rounded to whole units", ({ fee }) => ({
    fee: fee === null ? null : Math.round(fee / 100) * 100,
  })),
  inPayments("a payment is replaced by one with its id", ({ get, insert, update }) => ({
    insert: (payment) =>
      Effect.flatMap(get(payment.id), (known) =>
        known === undefined
          ? insert(payment)
          : update({ ...known, ...payment, version: known.version }),
      ),
  })),
  inPayments("a payment is changed whatever its version", ({ get, update }) => ({
    update: (payment) =>
      Effect.flatMap(get(payment.id), (known) =>
        update({ ...payment, version: known?.version ?? payment.version }),
      ),
  })),
  inPayments("a payment that is not there is made by a change", ({ get, insert, update }) => ({
    update: (payment) =>
      Effect.flatMap(get(payment.id), (known) =>
        known === undefined ? insert(payment) : update(payment),
      ),
  })),
  ...Payment.statuses.filter(Payment.isOpen).map((status) =>
    inStores(`a payout that has a payment ${status} is free for another`, ({ stores }) => ({
      payments: {
        ...stores.payments,
        insert: (payment) =>
          Effect.gen(function* () {
            const { payments } = stores
            const known = yield* payments.ofPayout(payment.payoutId)
            const open = known.find((one) => one.status === status)
            const isNew = known.every(({ id }) => id !== payment.id)
            if (open === undefined || !isNew || !Payment.isOpen(payment.status)) {
              return yield* payments.insert(payment)
            }
            const ended = { status: "rejected", endedAt: 1 } as const
            yield* payments.update({ ...open, ...ended })
            return yield* payments.insert(payment)
          }),
      },
    })),
  ),
  inPayments("payments of a payout come as they were stored", ({ list }) => ({
    ofPayout: (payoutId) =>
      Effect.map(list(all), (found) =>
        found
          .filter((one) => one.payoutId === payoutId)
          .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      ),
  })),
  inPayments("payments are told apart without regard to case", ({ list }) => ({
    ofPayout: (payoutId) =>
      Effect.map(list(all), (found) =>
        found.filter((one) => one.payoutId.toLowerCase() === payoutId.toLowerCase()),
      ),
  })),
  inPayments("lists of payments are ordered by id alone", ({ list }) => ({
    list: ({ status, after, limit }) =>
      Effect.map(list({ ...all, status }), (found) =>
        found
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
          .filter(({ id }) => after === undefined || id > after.id)
          .slice(0, limit),
      ),
  })),
  inPayments("the next payments begin with the one that is known", ({ list }) => ({
    list: ({ after, ...slice }) =>
      Effect.map(list({ ...slice, limit: 1_000 }), (found) =>
        found
          .filter(
            (one) =>
              after === undefined ||
              one.claimedAt > after.claimedAt ||
              (one.claimedAt === after.claimedAt && one.id >= after.id),
          )
          .slice(0, slice.limit),
      ),
  })),
  inPayments("references are told apart without regard to case", ({ list }) => ({
    ofReference: ({ reference, limit }) =>
      Effect.map(list(all), (found) =>
        found
          .filter((one) => one.reference?.toLowerCase() === reference.toLowerCase())
          .slice(0, limit),
      ),
  })),
  inPayments("what was accepted counts as stuck", ({ list, stuck }) => ({
    stuck: ({ sentBefore, ...slice }) =>
      Effect.map(
        Effect.all([stuck({ sentBefore, ...slice }), list({ ...slice, status: "sent" })]),
        ([found, sent]) => [
          ...found,
          ...sent.filter((one) => one.acceptedAt !== null && (one.sentAt ?? 0) <= sentBefore),
        ],
      ),
  })),
  inPayments("contradictions are not stuck", ({ stuck }) => ({
    stuck: (slice) =>
      Effect.map(stuck(slice), (found) => found.filter((one) => one.contradiction === null)),
  })),
  inStores("a payout forgets which payment of it is open", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      get: (id) =>
        Effect.map(payouts.get(id), (found) =>
          found === undefined ? found : { ...found, paymentId: null },
        ),
    },
  })),
]
