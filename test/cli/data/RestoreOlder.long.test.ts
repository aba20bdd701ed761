/** Backups, folders and databases of an earlier schema: they open, and come to the one of today with all that they have. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Migrations, PgliteClient } from "apportion/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, expect, test } from "vitest"
import * as Backup from "../../../src/sql/folder/Backup.js"
import { newPglite } from "../../sql/databases.js"
import { migratedFolder } from "../DataFolders.js"
import { Folder, run } from "../world.js"

const world = new Folder()
afterAll(() => world.remove(), 60_000)

/** A payout that is pending, as the first schema has it, with its item and its history. */
const rows = [
  "INSERT INTO apportion.accounts (account_id) VALUES ('default')",
  `INSERT INTO apportion.collaborators SELECT 'default', 'ada', 'USD', 'month', 1, 0, NULL,
    '{"id":"ada","currency":"USD","account":{"name":"Ada"}}', 1, 1, 1`,
  `INSERT INTO apportion.payouts (account_id, payout_id, collaborator_id, currency, status, opened_at,
    to_be_paid_at, closed_at, payable_at, paid_at, failure_reason, total, items_count, version)
    VALUES ('default', 'p1', 'ada', 'USD', 'pending', 1, 2, 2, 2, NULL, NULL, 5000, 1, 1)`,
  "INSERT INTO apportion.payout_days VALUES ('default', 'pending', 0, 1)",
  `INSERT INTO apportion.payout_items SELECT 'default', 'p1', 'i1', 1, 0, 'income', 5000, 5000, 'USD',
    NULL, 1, '{"kind":"income","id":"i1","createdAt":1,"amount":5000,"originalAmount":5000,"originalCurrency":"USD","currencyExchangeRate":null,"name":"Bonus"}'`,
  `INSERT INTO apportion.payout_history (account_id, payout_id, version, at, actor, before, after, put, removed)
    SELECT p.account_id, p.payout_id, 1, 1, 'system', NULL, row_to_json(p),
      (SELECT json_agg(i.document) FROM apportion.payout_items i), '[]' FROM apportion.payouts p`,
]

const older = async (): Promise<string> => {
  const texts: Array<string> = []
  const made = Effect.gen(function* () {
    yield* Migrations.runTo(1)
    const sql = yield* SqlClient.SqlClient
    for (const statement of rows) yield* sql.unsafe(statement)
    const write = (text: string) => Effect.sync(() => texts.push(text)).pipe(Effect.asVoid)
    yield* Backup.write({ schema: 1, madeAt: new Date(0) }, write)
  })
  const client = PgliteClient.layerOf(await newPglite())
  await Effect.runPromise(Effect.provide(made, client))
  return texts.join("")
}

test("a backup of the first schema is restored, and nobody is paying its payouts", async () => {
  const file = join(world.path, "older.ndjson")
  writeFileSync(file, await older())
  const data = join(world.path, "restored")
  const restored = await run(["restore", "--data", data, "--from", file])
  expect(restored).toMatchObject({ code: 0 })
  const audit = async () => {
    const { code, out } = await run(["audit", "--data", data, "--format", "json"])
    expect(code).toBe(0)
    expect(out).toContain('"checked": 1')
  }
  await audit()
  const carried = await run(["migrate", "--data", data])
  expect(carried.err).toContain("1 entry of histories of payouts and parts of orders carried over")
  await audit()
  const again = await run(["migrate", "--data", data])
  expect(again.err).not.toContain("carried over")
  // What is carried over is in a backup of today.
  const today = join(world.path, "today.ndjson")
  expect(await run(["backup", "--data", data, "--to", today])).toMatchObject({ code: 0 })
  const other = join(world.path, "other")
  expect(await run(["restore", "--data", other, "--from", today])).toMatchObject({ code: 0 })
  expect((await run(["audit", "--data", other, "--format", "json"])).code).toBe(0)
})

test("it is not restored into tables that are newer already", async () => {
  const file = join(world.path, "older again.ndjson")
  writeFileSync(file, await older())
  const data = await migratedFolder(join(world.path, "migrated"))
  const refused = await run(["restore", "--data", data, "--from", file])
  expect(refused.code).not.toBe(0)
  expect(refused.err).toContain("restore it into a database that has no tables yet")
})
