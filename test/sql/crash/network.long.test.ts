import { PgClient } from "@effect/sql-pg"
import { Collaborator } from "apportion"
import { SqlStorage } from "apportion/sql"
import { Data, Effect, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, inject, test } from "vitest"
import { Chance } from "../../generators/Chance.js"
import { clientFor, postgres } from "../databases.js"
import { disturbedProblems, makeScripts, undisturbed } from "./Checked.js"
import { lasting, seed, tell, timeout } from "./Length.js"
import { persist } from "./Persistence.js"
import { type BadNetwork, startProxy } from "./Proxy.js"
import type { Script } from "./Script.js"

const reference = clientFor(() => postgres("network_reference"))
const disturbed = clientFor(() => postgres("network_disturbed"))

const on = <A, E>(
  client: () => SqlClient.SqlClient,
  effect: Effect.Effect<A, E, SqlClient.SqlClient>,
) => Effect.provideService(effect, SqlClient.SqlClient, client())

/** The server behind the network. */
const server = () => new URL(inject("postgresUrl"))

/** A client whose way to the server goes through a proxy. */
const clientThrough = (proxy: BadNetwork, options: { readonly maxConnections: number }) => {
  const url = server()
  url.port = String(proxy.port)
  url.pathname = "/network_disturbed"
  return PgClient.layer({ url: Redacted.make(url.href), ...options })
}

const openProxy = (chance?: Chance) =>
  Effect.acquireRelease(
    Effect.promise(() => startProxy(Number(server().port), chance)),
    ({ stop }) => Effect.promise(stop),
  )

/** Takes scripts at the same time through a network in which everything goes wrong. */
const through = Effect.fnUntraced(function* (scripts: ReadonlyArray<Script>, chance: Chance) {
  const proxy = yield* openProxy(chance)
  const working = Effect.gen(function* () {
    const storage = yield* Effect.retry(SqlStorage.make(), { times: 100 })
    return yield* Effect.forEach(scripts, (script) => persist(storage, script), {
      concurrency: "unbounded",
    })
  })
  const reports = yield* Effect.provide(working, clientThrough(proxy, { maxConnections: 6 }))
  return { faults: proxy.faults, reports }
}, Effect.scoped)

beforeAll(() => Effect.runPromise(Effect.asVoid(on(disturbed, SqlStorage.make({ migrate: true })))))

test.concurrent(
  "connections that are cut, stall or lose an answer leave what good ones leave",
  async () => {
    const rounds = lasting(1, 30)
    for (let round = 0; round < rounds; round += 1) {
      const numbers = { seed: seed * 1_000 + round, lanes: 3, steps: lasting(16, 60) }
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

/** What ends work that was to be taken back. */
class Refusal extends Data.TaggedError("Refusal") {}

const at = { createdAt: 1_700_000_000, updatedAt: 1_700_000_000 }

/** What is sent when a connection freezes. */
const moments = ["BEGIN", "FOR UPDATE", "INSERT INTO apportion.collaborators", "COMMIT", "ROLLBACK"]

describe.concurrent("on a connection on which nothing comes through any more, and nobody is told", () => {
  test.concurrent.each(moments)("nobody waits for long: at %s", async (moment) => {
    const ada = { collaborator: Collaborator.make({ id: "ada", currency: "USD" }), ...at }
    const accountId = `frozen ${moments.indexOf(moment)}`
    const program = Effect.gen(function* () {
      const proxy = yield* openProxy()
      const work = Effect.gen(function* () {
        const storage = yield* SqlStorage.make({ patience: "500 millis" })
        const add = storage.transaction(accountId, ({ collaborators }) =>
          Effect.andThen(
            collaborators.insert(ada),
            moment === "ROLLBACK" ? Effect.fail(new Refusal()) : Effect.void,
          ),
        )
        proxy.freezeAt(moment)
        const first = yield* Effect.result(add)
        expect(proxy.frozen()).toBe(1)
        const isRefusal = Result.isFailure(first) && first.failure._tag === "Refusal"
        expect(isRefusal).toBe(moment === "ROLLBACK")
        if (!isRefusal) expect(first).toMatchObject({ failure: { _tag: "StorageFailure" } })
        // The server has the account locked until it gives up as well; with one connection to come by.
        const again = storage.transaction(accountId, ({ collaborators }) =>
          collaborators.insert(ada),
        )
        yield* Effect.retry(again, { while: ({ _tag }) => _tag === "StorageFailure", times: 5 })
      })
      yield* Effect.provide(work, clientThrough(proxy, { maxConnections: 1 }))
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})
