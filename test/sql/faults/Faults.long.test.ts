/**
 * Whatever breaks between the storage and its database, at any step of any call: all of the call's effect is
 * kept or none, whoever called is told of it, and calling again ends as if nothing had broken.
 */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isAll } from "../../generators/Runs.js"
import { clientFor, pglite, postgres } from "../databases.js"
import * as Bench from "./Bench.js"
import { payoutCalls } from "./PayoutCalls.js"
import { type Choice, everything, type Findings, findings, oneEach } from "./Rounds.js"
import { saleCalls } from "./SaleCalls.js"
import { shopCalls } from "./ShopCalls.js"

const useCases = [...saleCalls, ...payoutCalls, ...shopCalls]

/**
 * `APPORTION_FAULTS=all` breaks everything at each step, which takes long; else each fifth step, or each eighth, breaks in one
 * way in one database, and others in the next.
 */
const isLong = process.env.APPORTION_FAULTS === "all"

/** Each how manyth step breaks. */
const usual = isAll ? 5 : 8

const choice = (chosen: Choice): Choice => (isLong ? everything : chosen)

const sum = (all: ReadonlyArray<Findings>, of: "boundaries" | "attempts"): number =>
  all.reduce((total, each) => total + each[of], 0)

const numbered = useCases.map((useCase, index) => ({ useCase, index, name: useCase.name }))

/** Tries all use cases. */
const tryAll = (bench: () => Bench.Bench, choose: (index: number) => Choice, cases = numbered) => {
  const all: Array<Findings> = []
  test.each(cases)(
    "$name",
    async ({ useCase, index }) => {
      const found = await Effect.runPromise(findings(bench(), useCase, choose(index)))
      all.push(found)
      expect(found.problems.slice(0, 3)).toEqual([])
      expect(found.attempts).toBeGreaterThan(0)
    },
    isLong ? 600_000 : 60_000,
  )
  afterAll(() => {
    const totals = `${sum(all, "attempts")} faults at ${sum(all, "boundaries")} steps`
    if (process.env.APPORTION_TALLY !== undefined)
      console.log(`${totals} of ${all.length} use cases`)
  })
}

const benchOn = (
  client: () => SqlClient.SqlClient,
  options: (sql: SqlClient.SqlClient) => Bench.BenchOptions,
) => {
  const made: { bench?: Bench.Bench } = {}
  beforeAll(async () => {
    made.bench = await Effect.runPromise(Bench.make(client(), options(client())))
  })
  return () => {
    if (made.bench === undefined) throw new TypeError("the bench is asked for before it is made")
    return made.bench
  }
}

/** Connections that die are killed at the server. */
const killing = (sql: SqlClient.SqlClient) => ({
  kill: (process: number) =>
    Effect.asVoid(
      Effect.orDie(sql.unsafe("SELECT pg_terminate_backend($1::int, 5000)", [process])),
    ),
})

const connections = 12

/** What the server knows of connections that are within a transaction while all of the pool are taken. */
const openTransactions = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const taken = Array.from({ length: connections - 1 }, () => sql.reserve)
    yield* Effect.all(taken, { concurrency: "unbounded" })
    return yield* sql.unsafe(
      `SELECT state, query FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
  }).pipe(Effect.scoped)

/** PGlite is the same database, compiled, and slow: where a third of all is tried, a third of the calls is on it. */
const onPglite = isAll || isLong ? numbered : numbered.filter(({ index }) => index % 3 === 0)

describe("on PGlite", () => {
  const client = clientFor(() => pglite)
  const bench = benchOn(client, () => ({ places: 1 }))
  tryAll(bench, (index) => choice(oneEach(2 * index, usual)), onPglite)
})

describe("on PostgreSQL, whose connections are killed", () => {
  const client = clientFor(() => postgres("faults", { maxConnections: connections }))
  const bench = benchOn(client, (sql) => ({ places: 4, ...killing(sql) }))
  tryAll(bench, (index) => choice(oneEach(2 * index + 4, usual)))
  test("no connection is lost, and none is within a transaction", async () => {
    expect(await Effect.runPromise(openTransactions(client()))).toEqual([])
  })
})

describe("on PostgreSQL, writers side by side", () => {
  const client = clientFor(() => postgres("faults_optimistic", { maxConnections: connections }))
  const bench = benchOn(client, (sql) => ({
    // Others at the same time would be conflicts that nobody planned.
    ...{ places: 1, storage: { concurrency: "optimistic" } },
    ...killing(sql),
  }))
  tryAll(bench, (index) => choice(oneEach(index + 6, 4)), isLong ? numbered : numbered.slice(0, 8))
})
