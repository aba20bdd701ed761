/** Sums of what was sold of the sales that were recorded before there were sums. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { soldBySale } from "../../ports/SoldSales.js"
import { SoldTally } from "../../ports/SoldSums.js"
import { soldSums } from "./migrations/soldSums.js"
import { type Row, textOf, wholeOf, wholes } from "./rows.js"
import { readSplit, ruleNumbers } from "./saleStore.js"
import { addingSold, changeFields, spanAt } from "./soldSums.js"
import { unpack } from "./Unpacker.js"

// Ids stay as they are stored, and so do the columns that there were when the table was made.

const nextAccount = `SELECT account_id::text FROM apportion.sale_parts WHERE account_id > $1::text
  ORDER BY account_id LIMIT 1`

const nextParts = `SELECT s.order_id::text, s.part, s.recorded_at::bigint, s.document::text AS document,
    encode(s.packed, 'hex') AS packed, encode(s.rules, 'hex') AS rules,
    (SELECT json_agg(r.document ORDER BY r.position) FROM apportion.refunds r
      WHERE r.account_id = s.account_id AND r.order_id = s.order_id AND r.part = s.part
    )::text AS refunds,
    (SELECT json_agg(a.document ORDER BY a.position) FROM apportion.adjustments a
      WHERE a.account_id = s.account_id AND a.order_id = s.order_id AND a.part = s.part
    )::text AS adjustments
  FROM apportion.sale_parts s
  WHERE s.account_id = $1::text AND (s.order_id, s.part) > ($2::text, $3::text::bigint)
  ORDER BY s.order_id, s.part LIMIT 500`

const rulesOf = `SELECT number, encode(content, 'hex') AS content FROM apportion.recorded_rules
  WHERE account_id = $1::text AND number = ANY($2::text[]::integer[])`

const adding = addingSold(2)

type Filling<A> = Effect.Effect<A, SqlError, SqlClient>

/** So many sums are kept here until they are written: each is written once, and not with every sale. */
const mostKept = 100_000

const write = (accountId: string, tally: SoldTally): Filling<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const changes = tally.sums.map(({ period, ...sum }) => ({ ...sum, since: period }))
    for (let index = 0; index < changes.length; index += 1_000) {
      const some = changeFields(changes.slice(index, index + 1_000))
      yield* sql.unsafe(adding, [accountId, ...some])
    }
  })

const fillAccount = (accountId: string): Filling<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const known = new Map<number, unknown>()
    let tally = new SoldTally()
    for (let last: readonly [string, string] = ["", "0"]; ; ) {
      const rows = yield* sql.unsafe<Row>(nextParts, [accountId, ...last])
      const end = rows.at(-1)
      if (end === undefined) return yield* write(accountId, tally)
      const missing = [...new Set(rows.flatMap(ruleNumbers))].filter((one) => !known.has(one))
      const found = yield* sql.unsafe<Row>(rulesOf, [accountId, wholes(missing)])
      for (const row of found) known.set(wholeOf(row, "number"), unpack(textOf(row, "content")))
      for (const row of rows) {
        tally.add(spanAt(wholeOf(row, "recorded_at")).since, soldBySale(readSplit(row, known)))
      }
      if (tally.size > mostKept) {
        yield* write(accountId, tally)
        tally = new SoldTally()
      }
      last = [String(end["order_id"]), String(wholeOf(end, "part"))]
    }
  })

const fill: Filling<void> = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (let after = ""; ; ) {
    const [row] = yield* sql.unsafe<Row>(nextAccount, [after])
    if (row === undefined) return
    after = String(row["account_id"])
    yield* fillAccount(after)
  }
})

/** The step of the schema with which what was sold is added up. */
export const soldSumsStep = { name: "sold_sums", statements: soldSums, fill } as const
