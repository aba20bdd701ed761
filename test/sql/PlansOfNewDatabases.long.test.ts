/**
 * What is written to a database that was new a moment ago finds everything by an index: connections keep plans for as long
 * as nobody analyzes the tables, which may have become large since.
 */

import { ExchangeRates, Storage } from "apportion/ports"
import { Collaborators, ProductGroups, Sales, servicesLayer } from "apportion/service"
import { SqlStorage } from "apportion/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, expect, test } from "vitest"
import { clientFor, postgres } from "./databases.js"
import { type Explained, explaining, scannedBy, stepsOf } from "./plans/Explaining.js"

/** One connection, so that what is set for it holds for all. */
const client = clientFor(() => postgres("new_plans", { maxConnections: 1 }))

const run = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provideService(work, SqlClient.SqlClient, client()))

const account = "shop"

const orderOf = (number: number) => ({
  ...{ id: `o${number}`, currency: "USD", createdAt: 1_760_000_000 },
  items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
})

/** Records sales and refunds one of them, with the plans of all that is asked for that. */
const told = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* SqlStorage.make({ migrate: true })
  // As a server does by itself with tables in which there is nothing: none is taken to have ten pages any more.
  yield* sql.unsafe("VACUUM (ANALYZE)")
  const all: Array<Explained> = []
  const watched = yield* Effect.provideService(
    SqlStorage.make(),
    SqlClient.SqlClient,
    explaining(sql, (explained) => all.push(explained)),
  )
  const storage = Layer.succeed(Storage, watched)
  const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
  yield* Effect.gen(function* () {
    yield* (yield* Collaborators).create(account, { id: "ada", currency: "USD" })
    const group = { id: "g1", link: { type: "products.all" as const }, percent: "12.50" }
    yield* (yield* ProductGroups).create(account, "ada", group)
    const sales = yield* Sales
    all.splice(0)
    yield* sales.recordAll(account, [orderOf(1), orderOf(2)])
    yield* sales.record(account, orderOf(3))
    yield* sales.refund(account, { id: "r1", orderId: "o1", itemId: "1", amount: 1_000 })
  }).pipe(Effect.provide(services))
  return all
})

/** What enters the account, and sets how the rest is planned; and what looks for groups to link meanwhile. */
const isBeside = ({ statement }: Explained) =>
  ["apportion.accounts", "apportion.link_jobs"].some((table) => statement.includes(table))

let plans: ReadonlyArray<Explained> = []

beforeAll(async () => {
  plans = await run(told)
}, 60_000)

test("nothing that records or refunds a sale has a plan that reads a table as a whole", () => {
  const others = plans.filter((one) => !isBeside(one))
  expect(others.length).toBeGreaterThan(10)
  const scans = others.flatMap(({ statement, plan, generic }) =>
    [...scannedBy(plan), ...scannedBy(generic)].map((table) => `${table}: ${statement}`),
  )
  expect(scans).toEqual([])
})

test("parts of orders are found by their keys, not by when they were recorded", () => {
  const ofParts = plans.filter(({ statement }) =>
    /FROM apportion\.sale_parts s\s+WHERE/.test(statement),
  )
  const indexes = ofParts.flatMap(({ plan, generic }) =>
    [plan, generic].flatMap(stepsOf).map((step) => step["Index Name"] ?? ""),
  )
  expect(indexes).toContain("sale_parts_pkey")
  expect(indexes).not.toContain("sale_parts_in_order")
})

test("payouts that get more items are found by their numbers, not among all of their account", () => {
  const additions = plans.filter(({ statement }) => statement.includes("width_bucket"))
  expect(additions.length).toBeGreaterThan(0)
  const indexes = additions.flatMap(({ plan, generic }) =>
    [plan, generic]
      .flatMap(stepsOf)
      .filter((step) => step["Relation Name"] === "payouts")
      .flatMap((step) => step["Index Name"] ?? []),
  )
  expect([...new Set(indexes)]).toEqual(["payouts_by_number"])
})
