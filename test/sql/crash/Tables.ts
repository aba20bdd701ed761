/** All rows of all tables, as text: to compare databases to the letter. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import {
  idsOf,
  type NumberedPayout,
  numbersIn,
  payoutsByNumber,
  withPayoutIds,
} from "../PayoutNames.js"

/** What is another in each run, because it says when or how often something was tried in the background. */
const left: Readonly<Record<string, ReadonlyArray<string>>> = {
  accounts: ["groups_revision", "agreements_revision"],
  agreement_entries: ["number"],
  agreement_bookings: ["number"],
  // A sequence passes over what was not kept, and ids are drawn.
  new_events: ["position"],
  events: ["event_id"],
  payouts: ["number"],
  link_jobs: [
    "after",
    "scanned",
    "started_at",
    "updated_at",
    "claim",
    "claimed_by",
    "claimed_until",
  ],
}

/** A row as it is compared: products are linked in the background, whenever and in how many steps. */
const rowOf = (table: string): string =>
  table === "new_events" || table === "events"
    ? `CASE t.document->>'type' WHEN 'group.linked'
        THEN (to_jsonb(t) - 'at') #- '{document,at}' #- '{document,data,scanned}'
        ELSE to_jsonb(t) END`
    : "to_jsonb(t)"

/** Tables that name a payout by its number, which is drawn as well. */
const numbered: ReadonlyArray<string> = ["payout_ledger", "payout_replacements", "payout_states"]

/** The rows of a table, of the accounts $1 without the columns $2. */
const rowsOf = (table: string): string =>
  numbered.includes(table)
    ? `SELECT ((to_jsonb(t) || jsonb_build_object('payout', p.payout_id, 'account_id', p.account_id))
          - $2::text[])::text AS row
        FROM apportion.${table} t JOIN apportion.payouts p ON p.number = t.payout
        WHERE p.account_id = ANY ($1::text[]) ORDER BY 1`
    : `SELECT ((${rowOf(table)}) - $2::text[])::text AS row FROM apportion.${table} t
        WHERE account_id = ANY ($1::text[]) ORDER BY 1`

export type Tables = Readonly<Record<string, ReadonlyArray<string>>>

/** The rows of some accounts. */
export const readTables = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  accountIds: ReadonlyArray<string>,
) {
  const names = yield* sql.unsafe<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'apportion' AND column_name = 'account_id' ORDER BY 1`,
  )
  const tables: Record<string, ReadonlyArray<string>> = {}
  for (const name of new Set([...names.map((one) => one.name), ...numbered])) {
    const given = [accountIds, left[name] ?? []]
    const rows = yield* sql.unsafe<{ row: string }>(rowsOf(name), given)
    const texts = rows.map(({ row }) => row)
    const numbers = [numbersIn(texts).map(String)]
    const ids = idsOf(yield* sql.unsafe<NumberedPayout>(payoutsByNumber, numbers))
    tables[name] = texts.map((row) => withPayoutIds(row, ids)).sort()
  }
  return tables satisfies Tables
}, Effect.orDie)

/** What differs between the tables of two databases. */
export const tableProblems = (is: Tables, must: Tables): ReadonlyArray<string> =>
  [...new Set([...Object.keys(is), ...Object.keys(must)])].flatMap((name) => {
    const [have, want] = [is[name] ?? [], must[name] ?? []]
    const extra = have.find((row) => !want.includes(row))
    const missing = want.find((row) => !have.includes(row))
    if (have.length === want.length && extra === undefined && missing === undefined) return []
    return [
      `table ${name} has ${have.length} rows, not ${want.length}: ${extra} instead of ${missing}`,
    ]
  })
