/** The role that the guide has the program use can do all that the services do, and rewrite nothing of what happened. */
import { readFileSync } from "node:fs"
import { PgClient } from "@effect/sql-pg"
import { ExchangeRates } from "apportion/ports"
import {
  Audit,
  Collaborators,
  Events,
  Idempotency,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  servicesLayer,
} from "apportion/service"
import { Migrations, SqlStorage } from "apportion/sql"
import { Effect, Layer, Logger, Redacted, Result } from "effect"
import type { SqlClient } from "effect/sql"
import { SqlClient as Client } from "effect/sql/SqlClient"
import { beforeAll, describe, expect, inject, test } from "vitest"
import { clientFor, postgres } from "./databases.js"

const name = "database_roles"
const role = "shop_app"

/** The statements of the guide. */
const grants = (): ReadonlyArray<string> => {
  const guide = readFileSync("docs/guide/19-postgresql.md", "utf8")
  const [, sql = ""] = /```sql\n(GRANT[^`]*)```/.exec(guide) ?? []
  return sql.split(";\n").filter((statement) => statement.trim() !== "")
}

const owner = clientFor(() => postgres(name))

const asProgram = () => {
  const url = new URL(inject("postgresUrl"))
  url.pathname = `/${name}`
  url.username = role
  url.password = "secret"
  return PgClient.layer({ url: Redacted.make(url.href), maxConnections: 4 })
}

const program = clientFor(asProgram)

beforeAll(async () => {
  const prepare = Effect.gen(function* () {
    const sql = owner()
    yield* Migrations.run
    yield* sql.unsafe(`DO $$ BEGIN CREATE ROLE ${role} LOGIN PASSWORD 'secret';
      EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
    expect(grants().length).toBeGreaterThan(5)
    yield* Effect.forEach(grants(), (statement) => sql.unsafe(statement), { discard: true })
  })
  await Effect.runPromise(Effect.provideService(prepare, Client, owner()))
})

const shop = "shop"

/** A life of a shop in which everything is written that can be. */
const life = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  const groups = yield* ProductGroups
  const payouts = yield* Payouts
  const sales = yield* Sales
  const once = yield* Idempotency
  yield* (yield* Products).put(shop, [{ id: "print", name: "Print", tags: ["art"] }])
  yield* collaborators.create(shop, { id: "ada", currency: "USD" })
  const link = { type: "products.tag", values: ["art"] } as const
  yield* groups.create(shop, "ada", { id: "g", link, percent: 10 })
  yield* groups.update(shop, "ada", "g", (group) => Result.succeed({ ...group, percent: "20" }))
  const item = { id: "1", product: { id: "print", tags: ["art"] }, quantity: 2, amount: 50_000 }
  const { parts } = yield* sales.record(shop, { id: "o1", currency: "USD", items: [item] })
  const payoutId = parts[0]?.postings[0]?.payoutId ?? ""
  yield* sales.refund(shop, { id: "r1", orderId: "o1", itemId: "1", quantity: 1 })
  const entry = { id: "bonus", amount: 300, name: "Bonus" }
  const request = { key: "k", request: "bonus" }
  yield* once.once(shop, request, Effect.as(payouts.addIncome(shop, payoutId, entry), "done"))
  yield* payouts.removeEntry(shop, payoutId, "bonus")
  yield* payouts.setPaid(shop, payoutId)
  yield* once.forgetBefore(shop, Number.MAX_SAFE_INTEGER)
  yield* groups.remove(shop, "ada", "g")
  const events = yield* (yield* Events).after(shop, 0)
  return { events: events.length, audit: yield* (yield* Audit).payouts(shop) }
})

describe("the role of the program", () => {
  test("can do what the services do", async () => {
    const storage = Layer.provide(SqlStorage.layer(), Layer.succeed(Client)(program()))
    const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
    const layer = Layer.provideMerge(services, Logger.layer([]))
    const told = await Effect.runPromise(Effect.provide(life, layer))
    expect(told.events).toBeGreaterThan(8)
    expect(told.audit).toEqual({ checked: 1, differences: [] })
    // It adds to what a recorded sale has, and triggers keep the rest as it is.
    const change = program().unsafe("UPDATE apportion.sale_parts SET packed = ''")
    const error = await Effect.runPromise(Effect.flip(change))
    expect(error.reason.cause).toMatchObject({ code: "23001" })
  })

  const refusals: ReadonlyArray<string> = [
    ...["payout_history", "refunds", "sale_items", "recorded_rules"].flatMap((table) => [
      `UPDATE apportion.${table} SET account_id = 'other'`,
      `DELETE FROM apportion.${table}`,
    ]),
    ...["payout_ledger", "payout_states"].flatMap((table) => [
      `UPDATE apportion.${table} SET version = version + 1`,
      `DELETE FROM apportion.${table}`,
    ]),
    ...["payouts", "payments", "sale_parts"].map((table) => `DELETE FROM apportion.${table}`),
    "UPDATE apportion.events SET number = number + 1",
    "DELETE FROM apportion.migrations",
    "TRUNCATE apportion.payout_ledger",
    "ALTER TABLE apportion.payout_ledger DISABLE TRIGGER USER",
    "DROP TRIGGER payout_ledger_never_change ON apportion.payout_ledger",
    "CREATE OR REPLACE FUNCTION apportion.refuse_change() RETURNS trigger LANGUAGE sql AS ''",
    "SET session_replication_role = replica",
    "DROP TABLE apportion.payout_ledger",
  ]

  test.each(refusals)("can't %s", async (statement) => {
    const refused = (sql: SqlClient.SqlClient) =>
      Effect.runPromise(Effect.flip(sql.unsafe(statement)))
    const error = await refused(program())
    expect(error.reason._tag).toBe("AuthorizationError")
  })
})
