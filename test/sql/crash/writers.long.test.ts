import { PgClient } from "@effect/sql-pg"
import { SqlStorage } from "apportion/sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type CrashingServer, startServer } from "./CrashingServer.js"
import { lasting, seed, tell, timeout } from "./Length.js"
import { runWriters } from "./Writers.js"

let server: CrashingServer | undefined

beforeAll(async () => {
  server = await startServer()
}, 60_000)
afterAll(() => server?.stop())

/** The days that the table of due days counts, and those that there are. */
const countDays = `
  WITH counted AS (
    SELECT account_id, status, day, payouts::bigint AS payouts FROM apportion.payout_days
      WHERE payouts > 0
  ), there AS (
    SELECT account_id, status, floor(to_be_paid_at / 86400.0)::bigint AS day, count(*) AS payouts
      FROM apportion.payouts GROUP BY 1, 2, 3
  ), wrong AS (
    (SELECT * FROM counted EXCEPT SELECT * FROM there)
    UNION ALL (SELECT * FROM there EXCEPT SELECT * FROM counted)
  )
  SELECT (SELECT count(*) FROM wrong)::int AS wrong, (SELECT count(*) FROM there)::int AS there`

describe.each(["queue", "optimistic"] as const)("32 writers on few payouts (%s)", (concurrency) => {
  test(
    "leave what they would have left one after the other, and each is answered as then",
    async () => {
      const url = (await server?.newDatabase(`writers_${concurrency}`)) ?? ""
      const program = Effect.gen(function* () {
        const storage = yield* SqlStorage.make({
          ...{ migrate: true, concurrency, waiting: "10 minutes" },
        })
        const report = yield* runWriters({
          storage,
          accounts: ["shop", "stall"],
          writers: 32,
          millis: lasting(3_000, 60_000),
          deeds: concurrency === "queue" ? 300 : 150,
          seed,
          // So many on so little meet more often than the usual number of retries is made for.
          settings: { conflictRetries: 200 },
        })
        const sql = yield* SqlClient.SqlClient
        const [days] = yield* sql.unsafe<{ wrong: number; there: number }>(countDays)
        return { report, days }
      })
      const client = PgClient.layer({ url: Redacted.make(url), maxConnections: 32 })
      const { report, days } = await Effect.runPromise(Effect.provide(program, client))
      tell({ concurrency, ...report })
      expect(report.problems).toEqual([])
      expect(days).toMatchObject({ wrong: 0 })
      expect(days?.there).toBeGreaterThan(0)
      for (const kind of ["record", "keyed", "closeDue"]) {
        expect(Object.keys(report.outcomes)).toContain(`${kind}: done`)
      }
    },
    timeout,
  )
})
