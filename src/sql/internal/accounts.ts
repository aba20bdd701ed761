/** The accounts that have anything stored. */
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

const statement = `SELECT a.account_id FROM apportion.accounts a
  WHERE ${hasRows.join(" OR ")} ORDER BY a.account_id`

/** The ids of the accounts, in order. */
export const list = (sql: SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(sql.unsafe<Row>(statement), (rows) => rows.map((row) => textOf(row, "account_id")))
