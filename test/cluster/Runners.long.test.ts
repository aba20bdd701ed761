import { createServer } from "node:net"
import { type Job, Jobs } from "apportion/cluster"
import { Actor, Audit, Payouts, Sales } from "apportion/service"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { run } from "../cli/world.js"
import { clientFor, pglite, postgres } from "../sql/databases.js"
import {
  countEffects,
  effects,
  openAccount,
  openRunner,
  openServices,
  orderOf,
  recording,
  untilDone,
} from "./shop.js"

/** A port that nobody listens on. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

const accounts = ["apples", "books"]
const payoutsOfEach = 55
const salesOfEach = 6

const jobsOf = (accountId: string): ReadonlyArray<Job> => [
  { kind: "close-due", accountId },
  ...Array.from({ length: salesOfEach }, (_, number) => recording(accountId, `s${number}`)),
]

describe("two runners that each believe to be the only one", () => {
  const client = clientFor(() => postgres("cluster_twice", { maxConnections: 40 }))
  const runners: Array<ReturnType<typeof openRunner>> = []
  afterAll(() => Promise.all(runners.splice(0).map((runner) => runner.dispose())))

  test("carry out each turn side by side, and each effect happens once", async () => {
    const sql = client()
    runners.push(openRunner(sql), openRunner(sql))
    const [first, second] = runners
    if (first === undefined || second === undefined) throw new TypeError("there are two")
    await first.runPromise(Effect.forEach(accounts, (id) => openAccount(id, payoutsOfEach)))
    await Effect.runPromise(countEffects(sql))
    await second.context()
    const all = accounts.flatMap(jobsOf)
    await first.runPromise(
      Effect.flatMap(Jobs, ({ enqueue }) => Effect.andThen(enqueue(all), untilDone)),
    )
    expect(await Effect.runPromise(effects(sql))).toEqual({
      closed: [accounts.length * payoutsOfEach, 1],
      placed: [accounts.length * salesOfEach, 1],
      "close-due": [accounts.length, 1],
      "record-sales": [accounts.length * salesOfEach, 1],
    })
    for (const accountId of accounts) {
      const audit = Effect.flatMap(Audit, ({ payouts }) => payouts(accountId))
      expect((await first.runPromise(audit)).differences).toEqual([])
    }
  })
})

describe("a runner", () => {
  const client = clientFor(() => pglite)
  let runner: ReturnType<typeof openRunner>
  beforeAll(() => {
    runner = openRunner(client())
  })
  afterAll(() => runner.dispose())

  const item = { id: "1", product: { id: "p1" }, quantity: 1 }
  const carriedOut = (...jobs: ReadonlyArray<Job>) =>
    Effect.flatMap(Jobs, (service) => Effect.andThen(service.enqueue(jobs), untilDone))

  test("carries out what was enqueued, in the name of who enqueued it", async () => {
    const orders = [orderOf("1001"), orderOf("1002")]
    const program = Effect.gen(function* () {
      yield* openAccount("shop", 3)
      const jobs: ReadonlyArray<Job> = [
        { kind: "close-due", accountId: "shop" },
        recording("shop", "part", orders),
      ]
      yield* Effect.provideService(carriedOut(...jobs), Actor, "alice")
      const history = yield* (yield* Payouts).history("shop", "p0")
      const page = { page: 1, perPage: 10 }
      const { total } = yield* (yield* Sales).list("shop", {}, page)
      const name = { accountId: "shop", kind: "close-due", key: "" } as const
      const job = yield* (yield* Jobs).get(name)
      return { actor: history.at(-1)?.actor, total, outcome: job?.outcome }
    })
    expect(await runner.runPromise(program)).toEqual({
      ...{ actor: "alice", total: 2, outcome: "closed 3, rolled 0" },
    })
  })

  test("says what it could not do, and does it again when it is asked to", async () => {
    const name = { accountId: "other", kind: "record-sales", key: "part" } as const
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* openAccount("other", 0)
      yield* carriedOut(recording("other", "first", [orderOf("1")]))
      const changed = { ...orderOf("1"), items: [{ ...item, amount: 2_000 }] }
      yield* carriedOut(recording("other", "part", [changed, orderOf("2")]))
      yield* carriedOut({ kind: "pay", accountId: "other", rail: "none" })
      const failed = yield* jobs.failed()
      const isAgain = yield* jobs.retry(name)
      yield* untilDone
      const { total } = yield* (yield* Sales).list("other", {}, { page: 1, perPage: 10 })
      return { kinds: failed.map(({ kind }) => kind), isAgain, total, job: yield* jobs.get(name) }
    })
    const { job, ...others } = await runner.runPromise(program)
    expect(others).toEqual({ kinds: ["pay", "record-sales"], isAgain: true, total: 2 })
    expect(job).toMatchObject({ state: "failed" })
    expect(job?.outcome).toMatch(/^recorded 1 of 2; refused: order 1: /)
  })
})

describe("apportion worker", () => {
  const client = clientFor(() => postgres("cluster_worker"))
  const url = () => {
    const own = new URL(inject("postgresUrl"))
    own.pathname = "/cluster_worker"
    return own.href
  }

  test("carries out what others have enqueued, until it is told to end", async () => {
    const services = openServices(client())
    const name = { accountId: "shop", kind: "close-due", key: "" } as const
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* openAccount("shop", 2)
      yield* jobs.enqueue([{ kind: "close-due", accountId: "shop" }])
      yield* untilDone
      return (yield* jobs.get(name))?.outcome
    })
    // Migrates the database, which a worker does not.
    await services.context()
    const end = Promise.withResolvers<"SIGTERM">()
    const port = String(await freePort())
    const flags = ["--port", port, "--log-level", "off"]
    const environment = { APPORTION_DATABASE_URL: url() }
    const worker = run(["worker", ...flags], { environment, stopped: end.promise })
    expect(await services.runPromise(program)).toBe("closed 2, rolled 0")
    end.resolve("SIGTERM")
    expect(await worker).toEqual({
      ...{ code: 0, err: "" },
      out: `apportion carries out jobs; workers reach it at 127.0.0.1:${port}\n`,
    })
    await services.dispose()
  })
})
