import { type Job, Jobs } from "apportion/cluster"
import { Actor, Audit, Payouts, Sales } from "apportion/service"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import * as jobStore from "../../src/cluster/internal/jobStore.js"
import { run } from "../cli/world.js"
import { clientFor, pglite, postgres } from "../sql/databases.js"
import {
  countEffects,
  effects,
  freePort,
  noteDeliveries,
  notedDeliveries,
  openAccount,
  openRunner,
  openServices,
  orderOf,
  recording,
  untilDone,
} from "./shop.js"

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
  // Once in a while the cluster waits ten seconds before it ends.
  afterAll(() => Promise.all(runners.splice(0).map((runner) => runner.dispose())), 60_000)

  const trigger = (name: string, body: string, when: string) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$`,
    `CREATE TRIGGER ${name} ${when} EXECUTE FUNCTION ${name}()`,
  ]
  const sideBySide = [
    // Who reads a message hides it from the other for ten minutes.
    ...trigger(
      "stay_unread",
      "NEW.last_read = NULL;",
      "BEFORE UPDATE ON apportion_cluster_messages FOR EACH ROW",
    ),
    // What is taken back stays counted. A turn of fifty takes longer than the second after which the other one looks for
    // messages.
    "CREATE SEQUENCE closings",
    ...trigger(
      "count_closing",
      "PERFORM nextval('closings'), pg_sleep(0.03);",
      "AFTER UPDATE ON apportion.payouts FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status = 'pending')",
    ),
  ]

  test("carry out each turn side by side, and each effect happens once", async () => {
    const sql = client()
    runners.push(openRunner(sql), openRunner(sql))
    const [first, second] = runners
    if (first === undefined || second === undefined) throw new TypeError("there are two")
    await first.runPromise(Effect.forEach(accounts, (id) => openAccount(id, payoutsOfEach)))
    await Effect.runPromise(countEffects(sql))
    await second.context()
    await Effect.runPromise(
      Effect.forEach(sideBySide, (statement) => sql.unsafe(statement), { discard: true }),
    )
    const all = accounts.flatMap(jobsOf)
    await first.runPromise(
      Effect.flatMap(Jobs, ({ enqueue }) => Effect.andThen(enqueue(all), untilDone)),
    )
    expect(await Effect.runPromise(effects(sql))).toEqual({
      closed: [accounts.length * payoutsOfEach, 1],
      sold: [accounts.length * salesOfEach, 1],
      "close-due": [accounts.length, 1],
      "record-sales": [accounts.length * salesOfEach, 1],
    })
    const tried = sql.unsafe<{ closings: number }>(
      "SELECT last_value::int AS closings FROM closings",
    )
    const [{ closings } = { closings: 0 }] = await Effect.runPromise(tried)
    expect(closings).toBeGreaterThan(accounts.length * payoutsOfEach)
    for (const accountId of accounts) {
      const audit = Effect.flatMap(Audit, ({ payouts }) => payouts(accountId))
      expect((await first.runPromise(audit)).differences).toEqual([])
    }
  })
})

describe("a turn of whose step the answer is lost", () => {
  const client = clientFor(() => postgres("cluster_stolen", { maxConnections: 20 }))
  let runner: ReturnType<typeof openRunner>
  beforeAll(() => {
    runner = openRunner(client(), { steps: 1 })
  })
  afterAll(() => runner.dispose(), 60_000)

  // As a runner does that was asleep for a while and still believes to have the account: it reads the message before the
  // runner does that has it, and knows nothing of the turn.
  const steal = `CREATE FUNCTION steal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.last_read = now(); NEW.processed = true;
    INSERT INTO apportion_cluster_replies (id, kind, request_id, payload, acked)
      VALUES (NEW.id + 1, 0, NEW.id, '{"_tag":"Success","value":{"_tag":"Suspended"}}', false);
    RETURN NEW; END $$`
  const stealing = `CREATE TRIGGER steal BEFORE INSERT ON apportion_cluster_messages FOR EACH ROW
    WHEN (NEW.tag = 'activity') EXECUTE FUNCTION steal()`

  test("is replaced after a while, and its runner goes on with others", async () => {
    const sql = client()
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* openAccount("stolen", 1)
      yield* openAccount("next", 1)
      yield* sql.unsafe(steal)
      yield* sql.unsafe(stealing)
      yield* jobs.enqueue([{ kind: "close-due", accountId: "stolen" }])
      const stolen = sql.unsafe("SELECT 1 FROM apportion_cluster_messages WHERE tag = 'activity'")
      while ((yield* stolen).length === 0) yield* Effect.sleep(20)
      yield* sql.unsafe("DROP TRIGGER steal ON apportion_cluster_messages")
      // A quarter of a minute later.
      yield* sql.unsafe("UPDATE apportion_cluster.lanes SET moved_at = moved_at - interval '12 s'")
      yield* jobs.enqueue([{ kind: "close-due", accountId: "next" }])
      yield* untilDone
      const ofAccount = (accountId: string) =>
        Effect.map(jobs.get({ kind: "close-due", accountId, key: "" }), (job) => job?.outcome)
      return yield* Effect.forEach(["stolen", "next"], ofAccount)
    })
    expect(await runner.runPromise(program)).toEqual(["closed 1, rolled 0", "closed 1, rolled 0"])
  }, 60_000)
})

describe("a job among many of its account", () => {
  const client = clientFor(() => postgres("cluster_many", { maxConnections: 1 }))
  const many = 20_000
  let services: ReturnType<typeof openServices>
  afterAll(() => services.dispose())

  const again = recording("shop", "again")
  const enqueue = Effect.flatMap(Jobs, (jobs) => jobs.enqueue([again]))

  beforeAll(() => {
    services = openServices(client())
    const fill = Effect.gen(function* () {
      const sql = client()
      // So often that the database may keep a plan, made while there is one job; it does not hear that there are more.
      yield* sql.unsafe("ALTER TABLE apportion_cluster.jobs SET (autovacuum_enabled = false)")
      for (let times = 0; times < 10; times += 1) yield* enqueue
      yield* sql.unsafe(
        `INSERT INTO apportion_cluster.jobs (account_id, kind, key, document, actor)
          SELECT 'shop', 'record-sales', 'other-' || number, '{}', 'alice' FROM generate_series(1, $1::int) AS number`,
        [many],
      )
    })
    return services.runPromise(Effect.andThen(Jobs, fill))
  })

  /** How many rows the database read of all jobs for something that is taken back. */
  const rowsRead = (work: Effect.Effect<unknown, unknown, Jobs>) => {
    const read = Effect.map(
      client().unsafe<{ rows: number }>(`SELECT (seq_tup_read + idx_tup_fetch)::int AS rows
        FROM pg_stat_xact_user_tables WHERE relname = 'jobs'`),
      ([row]) => row?.rows ?? 0,
    )
    const counted = Effect.gen(function* () {
      const before = yield* read
      yield* work
      return (yield* read) - before
    })
    return services.runPromise(
      Effect.flip(client().withTransaction(Effect.flatMap(counted, (rows) => Effect.fail(rows)))),
    )
  }

  const lane = { accountId: "shop", kind: "record-sales" } as const
  const job = { ...lane, key: "other-9", asked: "1", document: "{}", actor: "alice", attempts: 0 }

  test.each([
    ["enqueued again", enqueue],
    [
      "noted as done",
      Effect.suspend(() => jobStore.end(client(), [{ ...job, state: "done", outcome: "" }])),
    ],
    ["put off", Effect.suspend(() => jobStore.putOff(client(), job, { seconds: 1, reason: "" }))],
    ["next", Effect.suspend(() => jobStore.due(client(), lane, 1))],
  ] as const)("is %s without reading the others", async (_, work) => {
    const rows = await rowsRead(work)
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThan(10)
  })
})

describe("a runner", () => {
  const client = clientFor(() => pglite)
  let runner: ReturnType<typeof openRunner>
  beforeAll(() => {
    runner = openRunner(client())
  })
  afterAll(() => runner.dispose(), 60_000)

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

  const sold = (id: string, amount = 1_000) => ({ ...orderOf(id), items: [{ ...item, amount }] })
  const isSale = (accountId: string) => (key: string) =>
    ({ accountId, kind: "record-sales", key }) as const

  test("carries out together what waits to be recorded for one actor, and each job has its own outcome", async () => {
    const nameOf = isSale("together")
    const as = (actor: string, ...jobs: ReadonlyArray<Job>) =>
      Effect.flatMap(Jobs, ({ enqueue }) => Effect.provideService(enqueue(jobs), Actor, actor))
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* openAccount("together", 0)
      yield* carriedOut(recording("together", "first", [orderOf("1")]))
      // All of them are there before the next turn begins.
      yield* client().withTransaction(
        Effect.gen(function* () {
          yield* as("alice", recording("together", "a"), recording("together", "b"))
          yield* as("alice", recording("together", "changed", [sold("1", 2_000), orderOf("2")]))
          yield* as("alice", recording("together", "c"))
          yield* as("bob", recording("together", "d"))
        }),
      )
      yield* untilDone
      const [transactions] =
        yield* client().unsafe(`SELECT count(DISTINCT xmin::text)::int AS count,
        count(*)::int AS parts FROM apportion.sale_parts WHERE account_id = 'together' AND order_id <> '1'`)
      const outcomes = yield* Effect.forEach(["a", "b", "changed", "c", "d"], (key) =>
        Effect.map(jobs.get(nameOf(key)), (job) => [key, job?.state, job?.outcome?.slice(0, 15)]),
      )
      return { transactions, outcomes }
    })
    expect(await runner.runPromise(program)).toEqual({
      // What bob asked for is recorded in his name, and so by itself.
      transactions: { count: 2, parts: 5 },
      outcomes: [
        ["a", "done", "recorded 1 of 1"],
        ["b", "done", "recorded 1 of 1"],
        ["changed", "failed", "recorded 1 of 2"],
        ["c", "done", "recorded 1 of 1"],
        ["d", "done", "recorded 1 of 1"],
      ],
    })
  })

  test("tries a job alone that the database refuses, and does the others of its turn", async () => {
    const nameOf = isSale("refused")
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* openAccount("refused", 0)
      yield* client().unsafe(`CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'out of order'; END $$`)
      yield* client().unsafe(`CREATE TRIGGER refuse_bad BEFORE INSERT ON apportion.sale_parts
        FOR EACH ROW WHEN (NEW.order_id = 'bad') EXECUTE FUNCTION refuse_bad()`)
      yield* jobs.enqueue(["good", "bad", "better"].map((id) => recording("refused", id)))
      while ((yield* jobs.get(nameOf("better")))?.state !== "done") yield* Effect.sleep(20)
      const states = yield* Effect.forEach(["good", "bad", "better"], (key) =>
        Effect.map(jobs.get(nameOf(key)), (job) => job?.state),
      )
      const attempts = (yield* jobs.get(nameOf("bad")))?.attempts
      yield* client().unsafe("DROP FUNCTION refuse_bad CASCADE")
      yield* untilDone
      return { states, attempts, end: yield* jobs.get(nameOf("bad")) }
    })
    const { end, ...others } = await runner.runPromise(program)
    expect(others).toEqual({ states: ["done", "waiting", "done"], attempts: 1 })
    expect(end).toMatchObject({ state: "done", outcome: "recorded 1 of 1" })
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
    const clocked = openRunner(client(), { closeDueEvery: "1 hour", purgeEvery: "1 day" })
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      for (const accountId of ["clock-1", "clock-2"]) {
        yield* openAccount(accountId, 1)
        yield* noteDeliveries(accountId)
      }
      yield* client().unsafe("DELETE FROM apportion_cluster.clocks")
      for (const accountId of ["clock-1", "clock-2"]) {
        const name = { accountId, kind: "close-due", key: "" } as const
        while ((yield* jobs.get(name))?.outcome !== "closed 1, rolled 0") yield* Effect.sleep(20)
        while ((yield* notedDeliveries(accountId)).length > 1) yield* Effect.sleep(20)
        expect(yield* notedDeliveries(accountId)).toEqual(["x/delivery/7"])
      }
      return yield* client().unsafe(
        "SELECT name, after FROM apportion_cluster.clocks ORDER BY name",
      )
    })
    expect(await clocked.runPromise(program)).toEqual([
      { name: "close-due", after: null },
      { name: "purge", after: null },
    ])
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

  test("carries out what others have enqueued, and removes what is old, until it is told to end", async () => {
    const services = openServices(client())
    const name = { accountId: "shop", kind: "close-due", key: "" } as const
    const program = Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* openAccount("shop", 2)
      yield* noteDeliveries("shop")
      yield* jobs.enqueue([{ kind: "close-due", accountId: "shop" }])
      yield* untilDone
      while ((yield* notedDeliveries("shop")).length > 1) yield* Effect.sleep(20)
      return (yield* jobs.get(name))?.outcome
    })
    // Migrates the database, which a worker does not.
    await services.context()
    const end = Promise.withResolvers<"SIGTERM">()
    const port = String(await freePort())
    const flags = ["--port", port, "--log-level", "off", "--history-months", "24"]
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
