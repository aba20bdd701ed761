import { type Job, Jobs } from "apportion/cluster"
import { Effect, Layer } from "effect"
import { afterEach, describe, expect, test } from "vitest"
import { purge } from "../../src/cluster/internal/retention.js"
import { TurnVersion } from "../../src/cluster/internal/turn.js"
import { clientFor, pglite, postgres } from "../sql/databases.js"
import {
  countEffects,
  effects,
  freePort,
  openAccount,
  openRunner,
  openServices,
  recording,
  untilDone,
} from "./shop.js"

const nextVersion = Layer.succeed(TurnVersion, 2)

const runners: Array<ReturnType<typeof openRunner>> = []
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.dispose())), 60_000)

const open = (...given: Parameters<typeof openRunner>) => {
  const runner = openRunner(...given)
  runners.push(runner)
  return runner
}

const enqueue = (...jobs: ReadonlyArray<Job>) =>
  Effect.flatMap(Jobs, (service) => service.enqueue(jobs))

/** Asks until there is an answer. */
const until = async <A>(ask: () => Promise<A | undefined>): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await Effect.runPromise(Effect.sleep(5))
  }
}

describe("a turn that the runners of an earlier version left behind", () => {
  const client = clientFor(() => pglite)
  const ask = <Row extends object>(statement: string) =>
    Effect.runPromise(client().unsafe<Row>(statement))

  /** The turns that were begun: of which version, and whether they have an answer. */
  const turns = () =>
    ask<{ version: string; is_answered: boolean }>(
      `SELECT split_part(entity_type, '/', 4) AS version, processed AS is_answered
        FROM apportion_cluster_messages WHERE tag = 'run' ORDER BY id`,
    )

  const later = (by: string) =>
    ask(`UPDATE apportion_cluster.lanes SET moved_at = moved_at - interval '${by}'`)

  test("is told as suspended, and the next version goes on with what is left of its work", async () => {
    // Nobody else's turn comes before the third step, which is the last.
    const earlier = open(client(), { sliceMillis: 60_000 })
    await earlier.runPromise(openAccount("upgraded", 110))
    await Effect.runPromise(countEffects(client()))
    await earlier.runPromise(enqueue({ kind: "close-due", accountId: "upgraded" }))
    await until(async () => {
      const [lane] = await ask("SELECT 1 FROM apportion_cluster.lanes WHERE step > 0")
      return lane
    })
    await earlier.dispose()
    const [left] = await ask("SELECT turn::int, is_active FROM apportion_cluster.lanes")
    expect(left).toEqual({ turn: 1, is_active: true })
    expect(await turns()).toEqual([{ version: "1", is_answered: false }])
    const { closed: [before] = [] } = await Effect.runPromise(effects(client()))
    expect(before).toBeLessThan(110)

    await later("12 s")
    const services = openServices(client())
    const told = await services.runPromise(Effect.flatMap(Jobs, ({ figures }) => figures))
    await services.dispose()
    expect(told).toMatchObject({ waiting: 1, active: 1, suspended: 1 })
    await later("12 s")
    const next = open(client(), { version: nextVersion, sliceMillis: 60_000 })
    await next.runPromise(untilDone)
    expect(await Effect.runPromise(effects(client()))).toEqual({
      ...{ closed: [110, 1], "close-due": [1, 1] },
    })
    expect((await turns()).map(({ version }) => version)).toEqual(["1", "2"])
    expect(await ask("SELECT turn::int FROM apportion_cluster.lanes")).toEqual([{ turn: 2 }])
  }, 120_000)

  test("is forgotten after a day, though it has no answer", async () => {
    const age = (hours: number) =>
      ask(`UPDATE apportion_cluster_messages SET id = id - ${hours * 3_600_000}::bigint * 4194304`)
    const left = async () => {
      await Effect.runPromise(purge(client(), 60))
      return turns()
    }
    const unanswered = { version: "1", is_answered: false }
    expect(await left()).toContainEqual(unanswered)
    await age(1)
    expect(await left()).toEqual([unanswered])
    await age(23)
    expect(await left()).toEqual([])
  })
})

describe("runners of two versions", () => {
  const client = clientFor(() => postgres("cluster_versions", { maxConnections: 40 }))
  const accounts = Array.from({ length: 12 }, (_, number) => `shop-${number}`)

  test("go side by side: none is given a turn of the other version, which would be lost", async () => {
    const sql = client()
    const ask = (statement: string) => Effect.runPromise(sql.unsafe(statement))
    const first = open(sql, { port: await freePort() })
    await first.runPromise(Effect.forEach(accounts, (id) => openAccount(id, 0)))
    await Effect.runPromise(countEffects(sql))
    await open(sql, { port: await freePort(), version: nextVersion }).context()
    await until(async () => {
      const holders = await ask("SELECT DISTINCT address FROM apportion_cluster_locks")
      return holders.length === 2 || undefined
    })
    for (const id of accounts) await first.runPromise(enqueue(recording(id, "sale")))
    await first.runPromise(untilDone)
    expect(await Effect.runPromise(effects(sql))).toEqual({
      ...{ sold: [accounts.length, 1], "record-sales": [accounts.length, 1] },
    })
    // Another turn takes the place of one that is lost.
    const lost = await ask("SELECT account_id FROM apportion_cluster.lanes WHERE turn > 1")
    expect(lost).toEqual([])
  })
})
