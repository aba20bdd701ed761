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
    const dismissed = Effect.flatMap(Jobs, (jobs) =>
      Effect.all([jobs.dismiss(name), jobs.dismiss(name), jobs.get(name)]),
    )
    expect(await runner.runPromise(dismissed)).toEqual([true, false, undefined])
  })

  test("notes why an order was refused whatever its id is made of", async () => {
    const name = { accountId: "strange", kind: "record-sales", key: "changed" } as const
    const program = Effect.gen(function* () {
      yield* openAccount("strange", 0)
      yield* carriedOut(recording("strange", "first", [orderOf("a\0b")]))
      const changed = { ...orderOf("a\0b"), items: [{ ...item, amount: 2_000 }] }
      yield* carriedOut(recording("strange", "changed", [changed]))
      return yield* (yield* Jobs).get(name)
    })
    const job = await runner.runPromise(program)
    expect(job).toMatchObject({ state: "failed", attempts: 0 })
    expect(job?.outcome).toContain("order a\uFFFDb: ")
  })

  test("gives up a job with which one turn after the other was lost, and goes on with the next", async () => {
    const name = (key: string) => ({ accountId: "broken", kind: "record-sales", key }) as const
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* openAccount("broken", 0)
      // As it stands after turns of which no runner came to the end.
      yield* client().unsafe(`INSERT INTO apportion_cluster.lanes (account_id, kind, losses)
          VALUES ('broken', 'record-sales', 9)`)
      yield* carriedOut(recording("broken", "poison"), recording("broken", "good"))
      return [yield* jobs.get(name("poison")), yield* jobs.get(name("good"))]
    })
    const outcome = "10 turns broke off while it was next: their runners or connections ended"
    expect(await runner.runPromise(program)).toMatchObject([
      { state: "failed", outcome },
      { state: "done", outcome: "recorded 1 of 1" },
    ])
  })

  test("enqueues by the clock what there is to do in every account", async () => {
    const clocked = openRunner(client(), { closeDueEvery: "1 hour" })
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      for (const accountId of ["clock-1", "clock-2"]) yield* openAccount(accountId, 1)
      yield* client().unsafe("DELETE FROM apportion_cluster.clocks")
      for (const accountId of ["clock-1", "clock-2"]) {
        const name = { accountId, kind: "close-due", key: "" } as const
        while ((yield* jobs.get(name))?.outcome !== "closed 1, rolled 0") yield* Effect.sleep(20)
      }
      return yield* client().unsafe("SELECT name, after FROM apportion_cluster.clocks")
    })
    expect(await clocked.runPromise(program)).toEqual([{ name: "close-due", after: null }])
    await clocked.dispose()
  })
})

describe("apportion worker", () => {
  const client = clientFor(() => postgres("cluster_worker"))
  const url = () => {
    const own = new URL(inject("postgresUrl"))
    own.pathname = "/cluster_worker"
    return own.href
  }

  test("is started while others write to its tables", async () => {
    const sql = client()
    const writing = [
      "apportion_cluster.jobs",
      "apportion_cluster.lanes",
      "apportion_cluster_messages",
    ]
    const first = openRunner(sql)
    await first.context()
    await first.dispose()
    const program = Effect.gen(function* () {
      for (const table of writing) yield* sql.unsafe(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`)
      const second = openRunner(sql)
      yield* Effect.promise(() => second.context())
      yield* Effect.promise(() => second.dispose())
    })
    await Effect.runPromise(sql.withTransaction(program))
  })

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
