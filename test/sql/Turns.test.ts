/** Whose turn it is to have a connection: nobody is kept from the storage by those who write to another account. */
import type { StorageService } from "apportion/ports"
import { Storage } from "apportion/ports"
import { settingsLayer, UnitOfWork } from "apportion/service"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { answer } from "../../src/testing/contracts/samples.js"
import { clientFor, emptyStorage, postgres } from "./databases.js"

const client = clientFor(() => postgres("turns", { maxConnections: 4 }))
const impatient = clientFor(() =>
  postgres("forgotten_lock", { maxConnections: 4, startupParameters: { lock_timeout: "100ms" } }),
)
const run = <A, E>(work: Effect.Effect<A, E>) => Effect.runPromise(work)

const read = (storage: StorageService, account: string) =>
  storage.transaction(account, ({ keys }) => keys.get("k"), { mode: "read" })

/** Many that write to some accounts and end when they are let go. */
const occupy = Effect.fnUntraced(function* (
  storage: StorageService,
  accounts: ReadonlyArray<string>,
) {
  const [begun, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  let writing = 0
  const fibers = yield* Effect.forEach(accounts, (account, index) =>
    Effect.forkChild(
      storage.transaction(account, ({ keys }) =>
        Effect.gen(function* () {
          writing += 1
          yield* Deferred.succeed(begun, undefined)
          yield* keys.insert(answer(`k${index}`))
          yield* Deferred.await(mayEnd)
        }),
      ),
    ),
  )
  yield* Deferred.await(begun)
  const end = Effect.andThen(Deferred.succeed(mayEnd, undefined), Fiber.joinAll(fibers))
  return { writing: () => writing, end }
})

describe("those who write to one account, however many they are", () => {
  test("have one connection between them, and all come to their turn", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const writers = yield* occupy(
          storage,
          Array.from({ length: 60 }, () => "busy"),
        )
        for (let times = 0; times < 20; times += 1) yield* read(storage, "other")
        yield* storage.transaction("other", ({ keys }) => keys.insert(answer("k")))
        expect(writers.writing()).toBe(1)
        yield* writers.end
        expect(writers.writing()).toBe(60)
      }),
    ))

  test("leave connections to those who read when they write to many accounts, too", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const accounts = Array.from({ length: 20 }, (_, index) => `busy-${index}`)
        const writers = yield* occupy(storage, accounts)
        for (const account of accounts) yield* read(storage, account)
        expect(writers.writing()).toBeLessThanOrEqual(3)
        yield* writers.end
        expect(writers.writing()).toBe(20)
      }),
    ))

  test("are told that they waited for too long, and whoever gave up is in nobody's way", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { waiting: "50 millis" })
        const writers = yield* occupy(storage, ["busy"])
        const late = storage.transaction("busy", ({ keys }) => keys.insert(answer("late")))
        for (let times = 0; times < 3; times += 1) {
          expect(yield* Effect.flip(late)).toMatchObject({
            ...{ _tag: "StorageFailure", doing: "begin a transaction" },
            waited: { for: "the turn of account busy", seconds: expect.any(Number) },
            message: expect.stringContaining("the turn of account busy was waited for"),
          })
        }
        yield* writers.end
        yield* late
      }),
    ))

  test("wait in all no longer than the call that they belong to, whatever the clock says", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const writers = yield* occupy(storage, ["busy"])
        const services = UnitOfWork.layer.pipe(
          Layer.provide(Layer.succeed(Storage)(storage)),
          Layer.provide(settingsLayer({ waitSeconds: 1 })),
        )
        const unit = Effect.flatMap(UnitOfWork, ({ run }) => run("busy", Effect.void))
        const late = Effect.flip(Effect.provide(unit, services))
        // A clock that stands still: waiting goes by the computer's own.
        expect(yield* Effect.provide(late, TestClock.layer())).toMatchObject({
          waited: { for: "the turn of account busy", seconds: expect.any(Number) },
        })
        yield* writers.end
      }),
    ))

  test("end in a bounded time when another process has forgotten its lock", () =>
    run(
      Effect.gen(function* () {
        const sql = impatient()
        const storage = yield* emptyStorage(sql)
        yield* storage.transaction("busy", ({ keys }) => keys.insert(answer("k")))
        const lock = Effect.scoped(
          Effect.gen(function* () {
            const other = yield* sql.reserve
            yield* other.executeUnprepared("BEGIN", [], undefined)
            const statement =
              "SELECT 1 FROM apportion.accounts WHERE account_id = 'busy' FOR UPDATE"
            yield* other.executeUnprepared(statement, [], undefined)
            const unit = yield* UnitOfWork
            let attempts = 0
            const work = Effect.sync(() => {
              attempts += 1
            })
            const error = yield* Effect.flip(unit.run("busy", work))
            yield* other.executeUnprepared("ROLLBACK", [], undefined)
            return { error, attempts }
          }),
        )
        const services = UnitOfWork.layer.pipe(
          Layer.provide(Layer.succeed(Storage)(storage)),
          Layer.provide(settingsLayer({ waitSeconds: 1, conflictRetries: 1_000 })),
        )
        const { error, attempts } = yield* Effect.provide(lock, services)
        expect(error).toMatchObject({ _tag: expect.stringMatching(/^(Conflict|StorageFailure)$/) })
        expect(attempts).toBe(0)
      }),
    ))
})
