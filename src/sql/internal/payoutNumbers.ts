/**
 * Payouts by their numbers, which take a few bytes where an id takes seventeen: postings and events, of which there are many,
 * name them so. An id whose number is not known is stored itself.
 */
import * as Effect from "effect/Effect"
import type { StorageError } from "../../ports/StorageError.js"
import { type Row, textOf, wholeOf, wholes } from "./rows.js"
import type { Session } from "./Session.js"

/** The ids of payouts by their numbers. */
export type PayoutIds = ReadonlyMap<number, string>

/** The numbers of payouts by their ids. */
export type PayoutNumbers = ReadonlyMap<string, number>

/** What a payout is stored as. */
export const nameOf = (payoutId: string, numbers: PayoutNumbers): number | string =>
  numbers.get(payoutId) ?? payoutId

/** The id of a payout that is stored so; of one that is gone with its history, the number. */
export const idOf = (name: unknown, ids: PayoutIds): unknown =>
  typeof name === "number" ? (ids.get(name) ?? String(name)) : name

/** The payouts with numbers that are given. One that somebody took away has its id in the history. */
export const payoutsByNumber = (given: string): string => `SELECT number, payout_id::text
  FROM apportion.payouts WHERE number = ANY(${given}::text[]::integer[])
  UNION SELECT payout, payout_id::text FROM apportion.payout_states
  WHERE payout = ANY(${given}::text[]::integer[]) AND version = 1 AND payout_id IS NOT NULL`

const byNumber = `SELECT number, payout_id FROM (${payoutsByNumber("$2")}) AS p
  WHERE $1::text IS NOT NULL`

/** Notes the payouts in rows, and gives their ids. */
export const payoutIdsIn = (session: Session, rows: ReadonlyArray<Row>): PayoutIds => {
  const ids = new Map(
    rows.map((row) => [wholeOf(row, "number"), textOf(row, "payout_id")] as const),
  )
  for (const [number, id] of ids) session.payoutNumbers.set(id, number)
  return ids
}

/** The ids of payouts with numbers. */
export const payoutIdsOf = (
  session: Session,
  numbers: ReadonlySet<number>,
): Effect.Effect<PayoutIds, StorageError> =>
  numbers.size === 0
    ? Effect.succeed(new Map())
    : Effect.map(session.read("read ids of payouts", byNumber, [wholes([...numbers])]), (rows) =>
        payoutIdsIn(session, rows),
      )
