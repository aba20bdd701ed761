/** Which accounts have anything stored, and which have link jobs that run. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Row, textOf } from "./rows.js"

/** The tables in which something lies as soon as an account has anything. */
const tables = [
  ...["collaborators", "product_groups", "products", "link_jobs", "payouts"],
  ...["sale_parts", "idempotency_keys"],
]

const hasRows = tables.map(
  (table) => `EXISTS (SELECT 1 FROM apportion.${table} t WHERE t.account_id = a.account_id)`,
)

const withRows = `SELECT a.account_id FROM apportion.accounts a
  WHERE ${hasRows.join(" OR ")} ORDER BY a.account_id`

// The index has the jobs that run and nothing else: with none, there is nothing to look through.
const withRunningJobs = `SELECT DISTINCT account_id FROM apportion.link_jobs
  WHERE status = 'running' ORDER BY account_id`

type Ids = Effect.Effect<ReadonlyArray<string>, SqlError>

const ids = (sql: SqlClient, statement: string): Ids =>
  Effect.map(sql.unsafe<Row>(statement), (rows) => rows.map((row) => textOf(row, "account_id")))

/** The ids of the accounts, in order. */
export const list = (sql: SqlClient): Ids => ids(sql, withRows)

/** The ids of the accounts in which link jobs run, in order. */
export const linking = (sql: SqlClient): Ids => ids(sql, withRunningJobs)
