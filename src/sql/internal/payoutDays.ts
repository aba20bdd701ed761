/** How many payouts are due, and were paid, on each day: what changes about that when a payout does. */
import * as Effect from "effect/Effect"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { whole, wholeOrNull } from "./rows.js"
import type { Session } from "./Session.js"

/** The same as `day_of` in the database. */
const dayOf = (at: number): number => Math.floor(at / 86_400)

/** Where a payout is counted: its status, the day on which it is due, and that on which it was paid. */
interface Place {
  readonly status: string
  readonly day: number
  readonly paidDay: number | null
}

const placeOf = ({ status, toBePaidAt, paidAt }: StoredPayout): Place => ({
  status,
  day: dayOf(toBePaidAt),
  paidDay: paidAt === null ? null : dayOf(paidAt),
})

// What is taken off where it was and added where it is are different rows, or nothing changes there.
const isDueElsewhere = "($2::text, $3::bigint) IS DISTINCT FROM ($5::text, $6::bigint)"
const isPaidElsewhere = `($2::text, $3::bigint, $4::bigint)
        IS DISTINCT FROM ($5::text, $6::bigint, $7::bigint)`

const moving = `WITH no_more_due AS (
    UPDATE apportion.payout_days SET payouts = payouts - 1
    WHERE account_id = $1::text AND status = $2 AND day = $3 AND ${isDueElsewhere}
  ), no_more_paid AS (
    UPDATE apportion.payment_days SET payouts = payouts - 1
    WHERE account_id = $1 AND paid_day = $4 AND status = $2 AND day = $3 AND ${isPaidElsewhere}
  ), paid AS (
    INSERT INTO apportion.payment_days AS known (account_id, paid_day, status, day, payouts)
    SELECT $1, $7, $5, $6, 1 WHERE $7 IS NOT NULL AND ${isPaidElsewhere}
    ON CONFLICT (account_id, paid_day, status, day) DO UPDATE SET payouts = known.payouts + 1
  )
  INSERT INTO apportion.payout_days AS known (account_id, status, day, payouts)
  SELECT $1, $5, $6, 1 WHERE ${isDueElsewhere}
  ON CONFLICT (account_id, status, day) DO UPDATE SET payouts = known.payouts + 1`

/** Counts a payout where it is now and no more where it was; most changes leave it there. */
export const move = (
  session: Session,
  before: StoredPayout,
  after: StoredPayout,
): Effect.Effect<void, StorageError> => {
  const [from, to] = [placeOf(before), placeOf(after)]
  const stays = from.status === to.status && from.day === to.day && from.paidDay === to.paidDay
  if (stays) return Effect.void
  return Effect.asVoid(
    session.write("count the payouts of a day", moving, [
      ...[from.status, whole(from.day), wholeOrNull(from.paidDay)],
      ...[to.status, whole(to.day), wholeOrNull(to.paidDay)],
    ]),
  )
}
