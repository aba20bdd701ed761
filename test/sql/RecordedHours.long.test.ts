/** Packed sales of a database that has no hours of them yet get theirs with the schema, and are found as before. */
import type { Stores } from "apportion/ports"
import { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, test } from "vitest"
import { recordedHours } from "../../src/sql/internal/migrations/recordedHours.js"
import { columnsOfSubjects } from "../../src/sql/internal/migrations/subjectColumns.js"
import { sale } from "../../src/testing/contracts/samples.js"
import { clientFor, dropSchema, pglite, postgres } from "./databases.js"

const times = [-Number.MAX_SAFE_INTEGER, -3_601, -1, 0, 3_599, 3_600, Number.MAX_SAFE_INTEGER]

const withoutHours = [
  "DROP TRIGGER sale_parts_keep_subjects ON apportion.sale_parts",
  "ALTER TABLE apportion.sale_parts DROP COLUMN recorded_hour CASCADE",
  "DROP INDEX IF EXISTS apportion.sale_parts_without_hour",
  "DROP FUNCTION apportion.hour_of",
  ...columnsOfSubjects.filter((one) => /^CREATE (INDEX|TRIGGER sale_parts)/.test(one)),
  `CREATE INDEX sale_parts_in_order ON apportion.sale_parts
    (account_id, recorded_at, order_id, part)`,
]

const work = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const storage = yield* SqlStorage.make({ migrate: true })
  yield* storage.transaction("shop", ({ sales }) =>
    sales.insertAll(
      times.map((recordedAt, index) => sale(`o${index}`, { recordedAt, itemIds: ["1"] })),
    ),
  )
  const read = ({ sales }: Stores) =>
    Effect.forEach([{}, { collaboratorId: "ada" }, { recorded: { from: -1, to: 3_600 } }], (one) =>
      sales.list(one, { offset: 1, limit: 3 }),
    )
  const found = storage.transaction("shop", read, { mode: "read" })
  const before = yield* found
  for (const statement of withoutHours) yield* sql.unsafe(statement)
  for (const statement of recordedHours) yield* sql.unsafe(statement)
  return { before, after: yield* found }
})

describe.each<readonly [string, Parameters<typeof clientFor>[0]]>([
  ["PGlite", () => pglite],
  ["a server", () => postgres("recorded_hours")],
])("in %s", (_, layer) => {
  const client = clientFor(layer)
  test("sales are listed as they were, whenever they were recorded", async () => {
    const all = Effect.andThen(Effect.flatMap(SqlClient.SqlClient, dropSchema), work)
    const run = Effect.provideService(all, SqlClient.SqlClient, client())
    const { before, after } = await Effect.runPromise(run)
    expect(before.map(({ total }) => total)).toEqual([7, 7, 4])
    expect(after).toEqual(before)
  })
})
