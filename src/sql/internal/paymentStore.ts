import * as Effect from "effect/Effect"
import {
  type Contradiction,
  type Payment,
  type PaymentStatus,
  statuses,
} from "../../payouts/Payment.js"
import type { PaymentPlace, PaymentStore, StoredPayment } from "../../ports/PaymentStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import {
  documentOf,
  json,
  type Parameter,
  type Row,
  text,
  textOf,
  textOrNull,
  textOrNullOf,
  whole,
  wholeOf,
  wholeOrNull,
  wholeOrNullOf,
} from "./rows.js"
import type { Session } from "./Session.js"

/** What never changes about a payment but its id, in the order of {@link lastingOf}. */
const lastingColumns = [
  ...["payout_id", "collaborator_id", "currency", "amount", "payout_version", "rail", "claimed_at"],
]

/** What changes, in the order of {@link changingOf}. */
const changingColumns = [
  ...["status", "sent_at", "accepted_at", "ended_at", "returned_at", "reference", "fee", "reason"],
  "contradiction",
]

const columns = ["payment_id", ...lastingColumns, ...changingColumns]

const selected = columns
  .map((name) =>
    name === "contradiction" ? "p.contradiction::text AS contradiction" : `p.${name}`,
  )
  .join(", ")

const statusOf = (row: Row): PaymentStatus => {
  const found = statuses.find((status) => status === row["status"])
  if (found === undefined) throw new TypeError(`there is no status ${String(row["status"])}`)
  return found
}

const paymentOf = (row: Row): StoredPayment => ({
  id: textOf(row, "payment_id"),
  payoutId: textOf(row, "payout_id"),
  collaboratorId: textOf(row, "collaborator_id"),
  currency: textOf(row, "currency"),
  amount: wholeOf(row, "amount"),
  payoutVersion: wholeOf(row, "payout_version"),
  rail: textOf(row, "rail"),
  status: statusOf(row),
  claimedAt: wholeOf(row, "claimed_at"),
  sentAt: wholeOrNullOf(row, "sent_at"),
  acceptedAt: wholeOrNullOf(row, "accepted_at"),
  endedAt: wholeOrNullOf(row, "ended_at"),
  returnedAt: wholeOrNullOf(row, "returned_at"),
  reference: textOrNullOf(row, "reference"),
  fee: wholeOrNullOf(row, "fee"),
  reason: textOrNullOf(row, "reason"),
  contradiction:
    row["contradiction"] === null ? null : documentOf<Contradiction>(row, "contradiction"),
  version: wholeOf(row, "version"),
})

const lastingOf = (payment: Payment): ReadonlyArray<Parameter> => [
  ...[text(payment.payoutId), text(payment.collaboratorId), text(payment.currency)],
  ...[whole(payment.amount), whole(payment.payoutVersion), text(payment.rail)],
  whole(payment.claimedAt),
]

const changingOf = (payment: Payment): ReadonlyArray<Parameter> => [
  ...[payment.status, wholeOrNull(payment.sentAt), wholeOrNull(payment.acceptedAt)],
  ...[wholeOrNull(payment.endedAt), wholeOrNull(payment.returnedAt)],
  ...[textOrNull(payment.reference), wholeOrNull(payment.fee), textOrNull(payment.reason)],
  payment.contradiction === null ? null : json(payment.contradiction),
]

const isOpen = "('claimed', 'sent', 'unknown')"

const inserting = `INSERT INTO apportion.payments (account_id, ${columns.join(", ")}, version)
  VALUES ($1, ${columns.map((_, index) => `$${index + 2}`).join(", ")}, 1)
  ON CONFLICT DO NOTHING RETURNING version`

/** The place of the first parameter that changes; the id and the version come before. */
const firstChanging = 4

const updating = `UPDATE apportion.payments p
  SET ${changingColumns.map((name, index) => `${name} = $${index + firstChanging}`).join(", ")},
    version = p.version + 1
  WHERE p.account_id = $1 AND p.payment_id = $2 AND p.version = $3
    AND NOT ($${firstChanging}::text IN ${isOpen} AND EXISTS (
      SELECT 1 FROM apportion.payments o WHERE o.account_id = $1 AND o.payout_id = p.payout_id
        AND o.payment_id <> $2 AND o.status IN ${isOpen}
    ))
  RETURNING ${selected}, p.version`

const select = `SELECT ${selected}, p.version FROM apportion.payments p WHERE p.account_id = $1`

const get = `${select} AND p.payment_id = $2`

const ofPayout = `${select} AND p.payout_id = $2 ORDER BY p.claimed_at, p.payment_id`

/** The hash is what has an index: a reference may be longer than an index takes. */
const ofReference = `${select} AND md5(p.reference) = md5($2) AND p.reference = $2
  ORDER BY p.claimed_at, p.payment_id LIMIT $3`

const isAfter = "(p.claimed_at, p.payment_id) > ($2::bigint, $3::text)"
const inOrder = "ORDER BY p.claimed_at, p.payment_id LIMIT $4"

const list = `${select} AND ${isAfter} ${inOrder}`

const listOfStatus = `${select} AND p.status = $5 AND ${isAfter} ${inOrder}`

const stuck = `${select} AND (p.status IN ('sent', 'unknown') OR p.contradiction IS NOT NULL)
    AND (p.contradiction IS NOT NULL OR (p.accepted_at IS NULL AND p.sent_at <= $5))
    AND ${isAfter} ${inOrder}`

/** Before every time. */
const beforeAll = -Number.MAX_SAFE_INTEGER - 1

const sliceOf = (after: PaymentPlace | undefined, limit: number): ReadonlyArray<Parameter> => [
  whole(after?.claimedAt ?? beforeAll),
  text(after?.id ?? ""),
  whole(limit),
]

const insert = (session: Session, payment: Payment): Effect.Effect<StoredPayment, StorageError> =>
  Effect.gen(function* () {
    const fields = [text(payment.id), ...lastingOf(payment), ...changingOf(payment)]
    const [row] = yield* session.write("insert a payment", inserting, fields)
    if (row === undefined) return yield* session.conflict("payment", payment.id)
    return { ...payment, version: 1 }
  })

const update = (
  session: Session,
  payment: StoredPayment,
): Effect.Effect<StoredPayment, StorageError> =>
  Effect.gen(function* () {
    const fields = [text(payment.id), whole(payment.version), ...changingOf(payment)]
    const [row] = yield* session.write("update a payment", updating, fields)
    return row === undefined ? yield* session.conflict("payment", payment.id) : paymentOf(row)
  })

/** The store of payments within one transaction. */
export const make = (session: Session): PaymentStore => {
  const many = (doing: string, statement: string, given: ReadonlyArray<Parameter>) =>
    Effect.map(session.read(doing, statement, given), (rows) => rows.map(paymentOf))
  return {
    get: (id) => Effect.map(many("read a payment", get, [text(id)]), ([payment]) => payment),
    ofPayout: (payoutId) => many("read the payments of a payout", ofPayout, [text(payoutId)]),
    ofReference: ({ reference, limit }) =>
      many("read the payments of a reference", ofReference, [text(reference), whole(limit)]),
    insert: (payment) => insert(session, payment),
    update: (payment) => update(session, payment),
    list: ({ status, after, limit }) =>
      status === undefined
        ? many("list payments", list, sliceOf(after, limit))
        : many("list payments", listOfStatus, [...sliceOf(after, limit), status]),
    stuck: ({ sentBefore, after, limit }) =>
      many("find stuck payments", stuck, [...sliceOf(after, limit), whole(sentBefore)]),
  }
}
