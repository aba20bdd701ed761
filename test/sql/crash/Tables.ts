/** All rows of all tables, as text: to compare databases to the letter. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** What is another in each run, because it says when or how often something was tried in the background. */
const left: Readonly<Record<string, ReadonlyArray<string>>> = {
  accounts: ["groups_revision"],
  // A sequence passes over what was not kept, and ids are drawn.
  new_events: ["position"],
  events: ["event_id"],
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
  for (const { name } of names) {
    const rows = yield* sql.unsafe<{ row: string }>(
      `SELECT ((${rowOf(name)}) - $2::text[])::text AS row FROM apportion.${name} t
        WHERE account_id = ANY ($1::text[]) ORDER BY 1`,
      [accountIds, left[name] ?? []],
    )
    tables[name] = rows.map(({ row }) => row)
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
