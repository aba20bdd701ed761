/** Whoever gives up does so at once, holds nobody up, and the connections are as many as before. */
import type { StorageService, StoredAnswer, Stores } from "apportion/ports"
import { SqlStorage } from "apportion/sql"
import { Cause, Deferred, Effect, Exit, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, test } from "vitest"
import { sale } from "../../src/testing/contracts/samples.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const connections = 4
const name = "interruption"

const answer = (key: string): StoredAnswer => ({
  key,
  fingerprint: "f",
  answer: "{}",
  createdAt: 1,
})

const insert = (storage: StorageService, account: string, key: string) =>
  storage.transaction(account, ({ keys }) => keys.insert(answer(key)))

const get = (storage: StorageService, account: string, key: string) =>
  storage.transaction(account, ({ keys }) => keys.get(key), { mode: "read" })

/** A transaction that has its connection, and the account when it writes, until it is told to end. */
const hold = Effect.fnUntraced(function* (
  storage: StorageService,
  account: string,
  mode: "read" | "write" = "write",
) {
  const begun = yield* Deferred.make<void>()
  const mayEnd = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(
    storage.transaction(
      account,
      () => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(mayEnd)),
      { mode },
    ),
  )
  yield* Deferred.await(begun)
  return { end: Effect.andThen(Deferred.succeed(mayEnd, undefined), Fiber.join(fiber)) }
})

const holdAll = (storage: StorageService, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => `reader ${index}`),
    (account) => hold(storage, account, "read"),
  )

/** Only as many transactions as there are connections can be under way at once. */
const expectAllConnections = Effect.fnUntraced(function* (storage: StorageService) {
  const holders = yield* holdAll(storage, connections)
  yield* Effect.forEach(holders, ({ end }) => end, { discard: true })
})

/** Asks again until it is so, which it has to be in the end. */
const until = <E>(condition: Effect.Effect<boolean, E>) =>
  Effect.repeat(condition, {
    until: (holds) => holds,
    schedule: Schedule.spaced("5 millis"),
    times: 4_000,
  }).pipe(
    Effect.andThen(condition),
    Effect.tap((holds) => Effect.sync(() => expect(holds).toBe(true))),
  )

const sessions = (admin: SqlClient.SqlClient, condition: string) =>
  Effect.map(
    admin.unsafe<{ total: number | bigint }>(
      `SELECT count(*) AS total FROM pg_stat_activity WHERE datname = '${name}' AND ${condition}`,
    ),
    ([row]) => Number(row?.total),
  )

const waiting = (admin: SqlClient.SqlClient, count: number) =>
  until(Effect.map(sessions(admin, "wait_event_type = 'Lock'"), (total) => total === count))

const interruptAll = (fibers: ReadonlyArray<Fiber.Fiber<unknown, unknown>>) =>
  Effect.forEach(fibers, Fiber.interrupt, { concurrency: "unbounded", discard: true })

const run = <A, E>(work: Effect.Effect<A, E>) => Effect.runPromise(work)

describe("on a server", () => {
  const client = clientFor(() => postgres(name, { maxConnections: connections }))
  const admin = clientFor(() => postgres(`${name}_admin`))

  test("who waits for an account's turn gives up while another has it", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        yield* insert(storage, "shop", "before")
        const holder = yield* hold(storage, "shop")
        // One process waits for its turns by itself; this is another one.
        const elsewhere = yield* SqlStorage.make({}).pipe(
          Effect.provideService(SqlClient.SqlClient, client()),
        )
        const waiters = yield* Effect.forEach([1, 2, 3], (index) =>
          Effect.forkChild(insert(index === 1 ? elsewhere : storage, "shop", `late ${index}`)),
        )
        yield* waiting(admin(), 1)
        yield* interruptAll(waiters)
        expect(yield* sessions(admin(), "wait_event_type = 'Lock'")).toBe(0)
        yield* expectOthersGoOn(storage)
        yield* holder.end
        yield* expectAllConnections(storage)
        expect(yield* get(storage, "shop", "late 1")).toBeUndefined()
      }),
    ))

  const expectOthersGoOn = Effect.fnUntraced(function* (storage: StorageService) {
    yield* insert(storage, "another shop", "key")
    expect(yield* get(storage, "another shop", "key")).toEqual(answer("key"))
  })

  for (const concurrency of ["queue", "optimistic"] as const) {
    test(`who is in the middle of a statement gives up before it ends: ${concurrency}`, () =>
      run(
        Effect.gen(function* () {
          const storage = yield* emptyStorage(client(), { concurrency })
          const mayUnlock = yield* Deferred.make<void>()
          const locked = yield* Deferred.make<void>()
          const locker = yield* lockTable("idempotency_keys", locked, mayUnlock)
          yield* Deferred.await(locked)
          const stuck = yield* Effect.forEach(["a", "b"], (account) =>
            Effect.forkChild(insert(storage, account, "key")),
          )
          yield* waiting(admin(), 2)
          yield* interruptAll(stuck)
          expect(yield* sessions(admin(), "wait_event_type = 'Lock'")).toBe(0)
          yield* Deferred.succeed(mayUnlock, undefined)
          yield* Fiber.join(locker)
          expect(yield* get(storage, "a", "key")).toBeUndefined()
          yield* insert(storage, "a", "key")
          yield* expectAllConnections(storage)
        }),
      ))
  }

  test("who gives up while the database is at a sale that it does not wait for", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const mayUnlock = yield* Deferred.make<void>()
        const locked = yield* Deferred.make<void>()
        const locker = yield* lockTable("sale_parts", locked, mayUnlock)
        yield* Deferred.await(locked)
        const left: Array<Stores> = []
        const ends = [Effect.never, Effect.fail("on purpose")]
        const stuck = yield* Effect.forEach(ends, (end, index) =>
          Effect.forkChild(
            storage.transaction(`shop ${index}`, (stores) => {
              left.push(stores)
              return Effect.andThen(stores.sales.insert(sale("1001")), end)
            }),
          ),
        )
        yield* waiting(admin(), 2)
        yield* interruptAll(stuck)
        expect(yield* sessions(admin(), "wait_event_type = 'Lock'")).toBe(0)
        for (const { keys } of left) {
          expect(yield* Effect.flip(keys.get("key"))).toMatchObject({
            cause: "the transaction is over",
          })
        }
        yield* Deferred.succeed(mayUnlock, undefined)
        yield* Fiber.join(locker)
        yield* storage.transaction("shop 0", ({ sales }) => sales.insert(sale("1001")))
        yield* expectAllConnections(storage)
      }),
    ))

  /** Locks a table, so that a statement on it takes as long as is wanted. */
  const lockTable = (
    table: string,
    locked: Deferred.Deferred<void>,
    mayUnlock: Deferred.Deferred<void>,
  ) =>
    Effect.forkChild(
      client().withTransaction(
        client()
          .unsafe(`LOCK TABLE apportion.${table} IN ACCESS EXCLUSIVE MODE`)
          .pipe(
            Effect.andThen(Deferred.succeed(locked, undefined)),
            Effect.andThen(Deferred.await(mayUnlock)),
          ),
      ),
    )

  test("who waits for a connection gives up while others have them all", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const holders = yield* holdAll(storage, connections)
        const waiters = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (index) =>
          Effect.forkChild(insert(storage, `shop ${index % 2}`, `late ${index}`)),
        )
        for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow
        yield* interruptAll(waiters.slice(0, 5))
        yield* Effect.forEach(holders, ({ end }) => end, { discard: true })
        yield* Effect.forEach(waiters.slice(5), Fiber.join, { discard: true })
        expect(yield* get(storage, "shop 0", "late 6")).toEqual(answer("late 6"))
        expect(yield* get(storage, "shop 1", "late 1")).toBeUndefined()
        yield* expectAllConnections(storage)
      }),
    ))

  for (const concurrency of ["queue", "optimistic"] as const) {
    test(`of many at once one dies, and the others are called off: ${concurrency}`, () =>
      run(
        Effect.gen(function* () {
          const storage = yield* emptyStorage(client(), { concurrency })
          const all = Effect.forEach(
            Array.from({ length: 5 * connections }, (_, index) => index),
            (index) =>
              storage.transaction("shop", ({ keys }) =>
                Effect.andThen(keys.insert(answer(`k${index}`)), Effect.die("on purpose")),
              ),
            { concurrency: "unbounded" },
          )
          for (let round = 0; round < 5; round += 1) {
            const exit = yield* Effect.exit(all)
            expect(Exit.hasDies(exit)).toBe(true)
          }
          yield* expectAllConnections(storage)
        }),
      ))

    test(`whenever it is called off, no transaction is left open: ${concurrency}`, () =>
      run(
        Effect.gen(function* () {
          const storage = yield* emptyStorage(client(), { concurrency })
          for (let round = 0; round < 40; round += 1) {
            const fibers = yield* Effect.forEach(
              Array.from({ length: 2 * connections }, (_, index) => `${round} ${index}`),
              (key) => Effect.forkChild(Effect.exit(insert(storage, "shop", key))),
            )
            // Each answer of the server is a turn of the loop: one round is called off later than the other.
            for (let turn = 0; turn < round; turn += 1) {
              yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
            }
            yield* interruptAll(fibers)
          }
          yield* expectAllConnections(storage)
          yield* until(
            Effect.map(
              sessions(admin(), "state LIKE 'idle in transaction%'"),
              (left) => left === 0,
            ),
          )
        }),
      ))
  }
})

const storages = [
  { where: "PGlite", layer: () => pglite },
  { where: "a server", layer: () => postgres("interruption_within", { maxConnections: 1 }) },
]

describe.each(storages)("on $where", ({ layer }) => {
  const client = clientFor(layer)

  test("who waits for the only connection gives up while another has it", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const holder = yield* hold(storage, "shop")
        const waiters = yield* Effect.forEach(["shop", "other"], (account) =>
          Effect.forkChild(insert(storage, account, "late")),
        )
        for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow
        yield* interruptAll(waiters)
        yield* holder.end
        expect(yield* get(storage, "shop", "late")).toBeUndefined()
        yield* insert(storage, "shop", "late")
      }),
    ))

  test("work that goes on without a statement that was called off keeps nothing", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const failure = yield* Effect.flip(
          storage.transaction("shop", ({ keys }) =>
            Effect.gen(function* () {
              yield* keys.insert(answer("first"))
              const second = yield* Effect.forkChild(keys.insert(answer("second")), {
                startImmediately: true,
              })
              yield* Fiber.interrupt(second)
            }),
          ),
        )
        expect(failure).toMatchObject({
          _tag: "StorageFailure",
          doing: "insert an idempotency key",
          cause: "it was interrupted",
        })
        expect(yield* get(storage, "shop", "first")).toBeUndefined()
        expect(yield* get(storage, "shop", "second")).toBeUndefined()
      }),
    ))

  test("work that is no effect is a defect, and leaves the connection to others", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const nothing = JSON.parse("{}")
        const work: () => Effect.Effect<void> = () => nothing.work
        const exit = yield* Effect.exit(storage.transaction("shop", work))
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(TypeError)
        yield* insert(storage, "shop", "key")
      }),
    ))
})
