import { PgClient } from "@effect/sql-pg"
import { SqlStorage } from "apportion/sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expect, inject, test } from "vitest"
import { clientFor, postgres } from "../databases.js"
import { Chance } from "./Chance.js"
import { disturbedProblems, makeScripts, undisturbed } from "./Checked.js"
import { lasting, seed, tell, timeout } from "./Length.js"
import { persist } from "./Persistence.js"
import { startProxy } from "./Proxy.js"
import type { Script } from "./Script.js"

const reference = clientFor(() => postgres("network_reference"))
const disturbed = clientFor(() => postgres("network_disturbed"))

const on = <A, E>(
  client: () => SqlClient.SqlClient,
  effect: Effect.Effect<A, E, SqlClient.SqlClient>,
) => Effect.provideService(effect, SqlClient.SqlClient, client())

/** The server behind the network. */
const server = () => new URL(inject("postgresUrl"))

/** Takes scripts at the same time through a network in which everything goes wrong. */
const through = Effect.fnUntraced(function* (scripts: ReadonlyArray<Script>, chance: Chance) {
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => startProxy(Number(server().port), chance)),
    ({ stop }) => Effect.promise(stop),
  )
  const url = server()
  url.port = String(proxy.port)
  url.pathname = "/network_disturbed"
  const working = Effect.gen(function* () {
    const storage = yield* Effect.retry(SqlStorage.make(), { times: 100 })
    return yield* Effect.forEach(scripts, (script) => persist(storage, script), {
      concurrency: "unbounded",
    })
  })
  const client = PgClient.layer({ url: Redacted.make(url.href), maxConnections: 6 })
  const reports = yield* Effect.provide(working, client)
  return { faults: proxy.faults, reports }
}, Effect.scoped)

test(
  "connections that are cut, stall or lose an answer leave what good ones leave",
  async () => {
    const rounds = lasting(1, 30)
    await Effect.runPromise(on(disturbed, SqlStorage.make({ migrate: true })))
    for (let round = 0; round < rounds; round += 1) {
      const numbers = { seed: seed * 1_000 + round, lanes: 3, steps: lasting(30, 60) }
      const scripts = await makeScripts({ name: "network", ...numbers })
      const { faults, reports } = await Effect.runPromise(
        through(scripts, new Chance(numbers.seed)),
      )
      tell({ round, faults, reports: reports.map(({ problems: _, ...rest }) => rest) })
      expect(reports.flatMap(({ problems }) => problems)).toEqual([])
      const must = await Effect.runPromise(on(reference, undisturbed(scripts)))
      const problems = await Effect.runPromise(on(disturbed, disturbedProblems(scripts, must)))
      expect(problems).toEqual([])
      expect(Math.min(faults.cut, faults.answerLost, faults.commitLost)).toBeGreaterThan(0)
    }
  },
  timeout,
)
