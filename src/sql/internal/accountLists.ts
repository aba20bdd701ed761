/** Which accounts have anything stored, link jobs that run, or webhook endpoints. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Row, textOf } from "./rows.js"

/** The tables in which something lies as soon as an account has anything, with what else is in their keys. */
const tables = {
  collaborators: "collaborator_id",
  product_groups: "group_id",
  products: "product_key",
  link_jobs: "group_id",
  payouts: "payout_id",
  sale_parts: "order_id",
  idempotency_keys: "key",
  new_events: "position",
  events: "number",
  webhook_endpoints: "endpoint_id",
  inbox_entries: "entry_key",
  inbox_notes: "note_key",
}

// Asked for the first by key, the database looks into the key's index and never through the table.
const hasRows = Object.entries(tables).map(
  ([table, key]) => `(SELECT TRUE FROM apportion.${table} t WHERE t.account_id = a.account_id
      ORDER BY t.account_id, t.${key} LIMIT 1)`,
)

const withRows = `SELECT a.account_id FROM apportion.accounts a
  WHERE coalesce(${hasRows.join(", ")}, FALSE) ORDER BY a.account_id`

// The index has the jobs that run and nothing else: with none, there is nothing to look through.
const withRunningJobs = `SELECT DISTINCT account_id FROM apportion.link_jobs
  WHERE status = 'running' ORDER BY account_id`

const withEndpoints = `SELECT DISTINCT account_id FROM apportion.webhook_endpoints
  WHERE is_active ORDER BY account_id`

type Ids = Effect.Effect<ReadonlyArray<string>, SqlError>

const ids = (sql: SqlClient, statement: string): Ids =>
  Effect.map(sql.unsafe<Row>(statement), (rows) => rows.map((row) => textOf(row, "account_id")))

/** The ids of the accounts, in order. */
export const list = (sql: SqlClient): Ids => ids(sql, withRows)

/** The ids of the accounts in which link jobs run, in order. */
export const linking = (sql: SqlClient): Ids => ids(sql, withRunningJobs)

/** The ids of the accounts that have active webhook endpoints, in order. */
export const withWebhooks = (sql: SqlClient): Ids => ids(sql, withEndpoints)
