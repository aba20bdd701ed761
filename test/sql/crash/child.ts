/**
 * The process that is killed: takes the steps of some lanes at the same time, and says on its standard
 * output what it does. Its only argument is the file with its orders.
 */
import { readFileSync, writeSync } from "node:fs"
import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { PgliteClient, SqlStorage } from "apportion/sql"
import { Effect, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { openLane } from "./Lane.js"
import type { Orders, Report } from "./Orders.js"
import { watchedClient } from "./WatchedClient.js"

const report = (what: Report): void => {
  writeSync(1, `${JSON.stringify(what)}\n`)
}

const die = (): void => {
  process.kill(process.pid, "SIGKILL")
}

const orders: Orders = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))

const clientLayer = ({ database }: Orders): Layer.Layer<SqlClient.SqlClient, unknown> =>
  "url" in database
    ? PgClient.layer({ url: Redacted.make(database.url), maxConnections: 6 })
    : PgliteClient.layer(
        Effect.acquireRelease(
          Effect.promise(() => PGlite.create(database.folder)),
          (pglite) => Effect.promise(() => pglite.close()),
        ),
      )

const sent = { statements: 0, commits: 0 }

/** Dies at the statement at which it is told to. */
const obeying = (sql: SqlClient.SqlClient): SqlClient.SqlClient => {
  const { death } = orders
  const isDeath = (moment: string, kind: string) =>
    death?.moment === moment &&
    death.number === sent[death.of] &&
    (death.of === "statements" || kind === "commit")
  return watchedClient(sql, {
    sending: (kind) => {
      sent.statements += 1
      if (kind === "commit") sent.commits += 1
      report({ what: "sending", kind, number: sent.statements })
      if (isDeath("before", kind)) die()
      // By then it is on its way, and the answer is not.
      if (isDeath("sent", kind)) setImmediate(die)
    },
    answered: (kind) => {
      report({ what: "answered", kind, number: sent.statements })
      if (isDeath("after", kind)) die()
    },
  })
}

const main = Effect.gen(function* () {
  const sql = obeying(yield* SqlClient.SqlClient)
  const storage = yield* Effect.provideService(
    SqlStorage.make({ migrate: true, concurrency: orders.concurrency }),
    SqlClient.SqlClient,
    sql,
  )
  report({ what: "ready" })
  yield* Effect.forEach(
    orders.lanes,
    Effect.fnUntraced(function* ({ accountId, steps }, lane) {
      const { take } = yield* openLane(storage, accountId)
      for (const step of steps) {
        const outcome = yield* take(step)
        report({ what: "acknowledged", lane, step: step.number, outcome })
      }
    }),
    { concurrency: "unbounded", discard: true },
  )
  report({ what: "done" })
})

// Closing is no part of it: it goes the way of those that are killed.
await Effect.runPromise(Effect.scoped(Effect.provide(main, clientLayer(orders))))
