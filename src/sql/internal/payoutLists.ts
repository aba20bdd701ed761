import * as Effect from "effect/Effect"
import type { PayoutFilter, StoredPayout, TimeRange } from "../../ports/PayoutStore.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { StorageError } from "../../ports/StorageError.js"
import { columnsOf, type Parameter, payoutOf, text, textOrNull, whole, wholeOf } from "./rows.js"
import type { Session } from "./Session.js"

// Lists of payouts. A page is found by what stands in an index and never by going through the payouts before
// it one by one; only those on the page are read themselves.

/** The payouts of a page by their ids. The OFFSET keeps it a question about each of them in turn. */
const read = `LEFT JOIN LATERAL (
    SELECT ${columnsOf("p")} FROM apportion.payouts p
    WHERE p.account_id = $1 AND p.payout_id = page.payout_id OFFSET 0
  ) AS p ON TRUE
  ORDER BY page.to_be_paid_at DESC, page.payout_id`

const inOrder = "ORDER BY o.to_be_paid_at DESC, o.payout_id"

/** How many payouts are due on each day, of those that are asked for. */
interface Days {
  readonly counted: string
  /** What a payout that is asked for fulfils beside its due date. */
  readonly applies: string
}

const isDueFromTo = "o.day BETWEEN apportion.day_of($2) AND apportion.day_of($3)"

const due = (status: string): Days => ({
  counted: `SELECT o.day, o.payouts FROM apportion.payout_days o
      WHERE o.account_id = $1${status} AND o.payouts > 0 AND ${isDueFromTo}`,
  applies: `o.account_id = $1${status}`,
})

/** Those paid from $6 to $7; what was paid beside that on the first and the last day is taken off. */
const paid = (status: string): Days => {
  const beside = (isBeside: string) => `SELECT apportion.day_of(o.to_be_paid_at), -1
      FROM apportion.payouts o WHERE o.account_id = $1${status} AND ${isBeside}
        AND apportion.day_of(o.to_be_paid_at) BETWEEN apportion.day_of($2) AND apportion.day_of($3)`
  return {
    counted: `SELECT o.day, o.payouts FROM apportion.payment_days o
      WHERE o.account_id = $1${status} AND o.payouts > 0 AND ${isDueFromTo}
        AND o.paid_day BETWEEN apportion.day_of($6) AND apportion.day_of($7)
      UNION ALL
      ${beside("o.paid_at >= apportion.day_of($6) * 86400 AND o.paid_at < $6")}
      UNION ALL
      ${beside("o.paid_at > $7 AND o.paid_at < (apportion.day_of($7) + 1) * 86400")}`,
    applies: `o.account_id = $1${status} AND o.paid_at + 0 BETWEEN $6 AND $7`,
  }
}

/**
 * Those due from $2 to $3, from the $4th on at most $5. The number of those due on each day gives the total, and the
 * days on which the page begins and ends; what lies on the first and the last day beside the range is
 * counted by itself.
 */
const byDay = ({ counted, applies }: Days) => `WITH days AS (
    SELECT day, sum(payouts) AS payouts FROM (
      ${counted}
    ) AS counted GROUP BY day
  ), running AS (
    SELECT day, payouts, sum(payouts) OVER (ORDER BY day DESC) AS through FROM days
  ), beside AS (
    SELECT (
      SELECT count(*) FROM apportion.payouts o WHERE ${applies}
        AND o.to_be_paid_at > $3 AND o.to_be_paid_at < (apportion.day_of($3) + 1) * 86400
    ) AS later, (
      SELECT count(*) FROM apportion.payouts o WHERE ${applies}
        AND o.to_be_paid_at < $2 AND o.to_be_paid_at >= apportion.day_of($2) * 86400
    ) AS earlier
  ), place AS (
    SELECT (SELECT coalesce(sum(payouts), 0) FROM days)::bigint - later - earlier AS total,
      (begins.day + 1) * 86400 AS before, greatest($2, coalesce(ends.day * 86400, $2)) AS from_then,
      ($4 + later - (begins.through - begins.payouts))::bigint AS skipped
    FROM beside LEFT JOIN LATERAL (
      SELECT * FROM running WHERE through > $4 + later ORDER BY day DESC LIMIT 1
    ) AS begins ON TRUE LEFT JOIN LATERAL (
      SELECT * FROM running WHERE through >= $4 + later + $5 ORDER BY day DESC LIMIT 1
    ) AS ends ON TRUE
  )
  SELECT place.total AS length, p.* FROM place LEFT JOIN LATERAL (
    SELECT o.payout_id, o.to_be_paid_at FROM apportion.payouts o
    WHERE ${applies} AND o.to_be_paid_at < place.before AND o.to_be_paid_at >= place.from_then
    ${inOrder} OFFSET place.skipped LIMIT $5
  ) AS page ON TRUE ${read}`

/** Those of the collaborator $6, with the status $7 if it is given, and paid from $8 to $9 if these are. */
const ofCollaborator = (() => {
  const applies = `o.account_id = $1 AND o.collaborator_id = $6 AND o.to_be_paid_at BETWEEN $2 AND $3
      AND ($7::text IS NULL OR o.status = $7)
      AND ($8::bigint IS NULL OR o.paid_at BETWEEN $8 AND $9::bigint)`
  return `WITH counted AS (
    SELECT count(*) AS length FROM apportion.payouts o WHERE ${applies}
  )
  SELECT counted.length, p.* FROM counted LEFT JOIN LATERAL (
    SELECT o.payout_id, o.to_be_paid_at FROM apportion.payouts o WHERE ${applies}
    ${inOrder} OFFSET $4 LIMIT $5
  ) AS page ON TRUE ${read}`
})()

const statements = {
  due: byDay(due("")),
  dueOfStatus: byDay(due(" AND o.status = $6")),
  paid: byDay(paid("")),
  paidOfStatus: byDay(paid(" AND o.status = $8")),
  ofCollaborator,
}

/** Further than any time. */
const furthest = Number.MAX_SAFE_INTEGER

const endsOf = ({ from = -furthest, to = furthest }: TimeRange) => [whole(from), whole(to)] as const

const isEmpty = ({ from = -furthest, to = furthest }: TimeRange = {}) => from > to

/** The statement that lists the payouts of a filter, with what it needs beside the slice. */
const queryOf = ({
  collaboratorId,
  status,
  paid,
}: PayoutFilter): { readonly statement: string; readonly parameters: ReadonlyArray<Parameter> } => {
  const ends = paid === undefined ? undefined : endsOf(paid)
  if (collaboratorId !== undefined) {
    const parameters = [text(collaboratorId), textOrNull(status), ...(ends ?? [null, null])]
    return { statement: statements.ofCollaborator, parameters }
  }
  const isOfStatus = status !== undefined
  const parameters = [...(ends ?? []), ...(isOfStatus ? [text(status)] : [])]
  if (ends === undefined) {
    return { statement: isOfStatus ? statements.dueOfStatus : statements.due, parameters }
  }
  const statement = isOfStatus ? statements.paidOfStatus : statements.paid
  return { statement, parameters }
}

/** A part of the list of payouts to which a filter applies. */
export const list = (
  session: Session,
  filter: PayoutFilter,
  { offset, limit }: Slice,
): Effect.Effect<Sliced<StoredPayout>, StorageError> => {
  const { paid, expected } = filter
  const { statement, parameters } = queryOf(filter)
  const slice = [...endsOf(expected ?? {}), whole(offset), whole(limit)]
  return Effect.map(session.read("list payouts", statement, [...slice, ...parameters]), (rows) => {
    if (isEmpty(paid) || isEmpty(expected)) return { entries: [], total: 0 }
    const [first] = rows
    // A page without payouts is a row with only the length of the list.
    const entries = rows.filter((row) => row["payout_id"] !== null).map(payoutOf)
    return { entries, total: first === undefined ? 0 : wholeOf(first, "length") }
  })
}
