/** Sales that were recorded before they were found by collaborator and product are found by them, too. */
import type { StorageService, Stores } from "apportion/ports"
import { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, test } from "vitest"
import { subjectColumns } from "../../src/sql/internal/migrations/subjectColumns.js"
import { text, texts } from "../../src/sql/internal/rows.js"
import { saleSubjects } from "../../src/sql/internal/saleSubjects.js"
import { sale } from "../../src/testing/contracts/samples.js"
import { clientFor, dropSchema, pglite, postgres } from "./databases.js"

const strange = "🎨 \u0000 ' \ud800"

/** What a database of an earlier version has: the sales as documents, and not what they are found by. */
const goBack = Effect.fnUntraced(function* (storage: StorageService) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("DROP TABLE apportion.sale_subjects")
  yield* sql.unsafe("ALTER TABLE apportion.sale_parts DISABLE TRIGGER USER")
  for (const account of ["shop", strange]) {
    const list = ({ sales }: Stores) => sales.list({}, { offset: 0, limit: 10_000 })
    const { entries } = yield* storage.transaction(account, list, { mode: "read" })
    const documents = entries.map(({ order, groups, policy, split }) =>
      JSON.stringify({ order, groups, policy, split }),
    )
    const none = ["packed", "rules", "recorded_hour", ...subjectColumns].map(
      (name) => `${name} = NULL`,
    )
    yield* sql.unsafe(
      `UPDATE apportion.sale_parts s SET document = g.document::json, ${none.join(", ")}
      FROM unnest($2::text[], $3::text[]) AS g (order_id, document)
      WHERE s.account_id = $1 AND s.order_id = g.order_id`,
      [text(account), texts(entries.map(({ orderId }) => orderId)), documents],
    )
  }
  yield* sql.unsafe("ALTER TABLE apportion.sale_parts ENABLE TRIGGER USER")
})

const goOn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of saleSubjects.statements) yield* sql.unsafe(statement)
  yield* saleSubjects.fill
})

const count = 1_203

const work = Effect.gen(function* () {
  const storage = yield* SqlStorage.make({ migrate: true })
  const insert = (account: string, numbers: ReadonlyArray<number>) =>
    storage.transaction(account, ({ sales }) =>
      sales.insertAll(
        numbers.map((number) => {
          const options = { recordedAt: number, itemIds: number % 2 === 0 ? ["1"] : [strange] }
          return sale(`${strange}${number}`, options)
        }),
      ),
    )
  yield* insert(
    "shop",
    Array.from({ length: count }, (_, number) => number),
  )
  yield* insert(strange, [1, 2])
  const found = (account: string) =>
    Effect.forEach(
      [{ collaboratorId: "ada" }, { productId: "p1" }, { productId: `p${strange}` }],
      (filter) =>
        Effect.map(
          storage.transaction(account, ({ sales }) => sales.list(filter, { offset: 0, limit: 2 }), {
            mode: "read",
          }),
          ({ entries, total }) => [total, ...entries.map(({ recordedAt }) => recordedAt)],
        ),
    )
  const before = [yield* found("shop"), yield* found(strange)]
  yield* goBack(storage)
  yield* goOn
  return [before, [yield* found("shop"), yield* found(strange)]]
})

const inOneDatabase = (layer: Parameters<typeof clientFor>[0]) => {
  const client = clientFor(layer)

  test("what was recorded earlier is found as what is recorded now", async () => {
    await Effect.runPromise(dropSchema(client()))
    const [before, after] = await Effect.runPromise(
      Effect.provideService(work, SqlClient.SqlClient, client()),
    )
    const even = Math.ceil(count / 2)
    expect(before).toEqual([
      [
        [count, 0, 1],
        [even, 0, 2],
        [count - even, 1, 3],
      ],
      [
        [2, 1, 2],
        [1, 2],
        [1, 1],
      ],
    ])
    expect(after).toEqual(before)
  }, 60_000)
}

describe("in PGlite", () => inOneDatabase(() => pglite))
describe("on a server", () => inOneDatabase(() => postgres("sale_subjects")))
