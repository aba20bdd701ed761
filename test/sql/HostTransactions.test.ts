/** A host's own statements and calls of the library are kept together or not at all, whichever of the two is around the other. */
import {
  Conflict,
  ExchangeRates,
  type StorageService,
  Storage as StorageTag,
} from "apportion/ports"
import {
  Collaborators,
  Idempotency,
  ProductGroups,
  Sales,
  servicesLayer,
  settingsLayer,
  UnitOfWork,
} from "apportion/service"
import type { SqlStorage } from "apportion/sql"
import { Data, Deferred, Effect, Fiber, Layer, Logger, Result } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { beforeEach, describe, expect, test } from "vitest"
import { answer } from "../../src/testing/contracts/samples.js"
import { isWhole } from "../generators/Runs.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

class OutOfPaper extends Data.TaggedError("OutOfPaper") {}

const shop = "shop"
const other = "another shop"
const ada = { id: "ada", currency: "USD" } as const
const ben = { id: "ben", currency: "USD" } as const
const page = { page: 1, perPage: 15 }

const serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
const repeatable = "BEGIN ISOLATION LEVEL REPEATABLE READ"

type Services =
  | Collaborators
  | Idempotency
  | ProductGroups
  | Sales
  | UnitOfWork
  | StorageTag
  | SqlClient.SqlClient

const engines = [
  { name: "PGlite", layer: () => pglite, concurrency: "queue", isServer: false },
  { name: "a server", layer: () => postgres("host_queue"), concurrency: "queue", isServer: true },
  {
    name: "a server, optimistic",
    layer: () => postgres("host_optimistic"),
    concurrency: "optimistic",
    isServer: true,
  },
] as const

/** A row in a table of the host. */
const note = (text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO ledger (entry) VALUES (${text})`)

/** What is in the host's table. */
const notes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly entry: string }>`SELECT entry FROM ledger ORDER BY entry`
  return rows.map(({ entry }) => entry)
})

const create = (
  accountId: string,
  collaborator: { readonly id: string; readonly currency: string },
) => Effect.flatMap(Collaborators, (collaborators) => collaborators.create(accountId, collaborator))

const idsOf = (accountId: string) =>
  Effect.gen(function* () {
    const { entries } = yield* (yield* Collaborators).list(accountId, page)
    return entries.map(({ collaborator }) => collaborator.id)
  })

const both = Effect.all({ notes, shop: idsOf(shop) })

/** How many events tell of a collaborator that was made. */
const toldOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 FROM (
      SELECT document FROM apportion.new_events UNION ALL SELECT document FROM apportion.events
    ) AS e WHERE document->>'type' = 'collaborator.created'`
  return rows.length
})

/** Runs work as somebody else would, who knows nothing of the transaction around. */
const makeOutside = Effect.map(
  Effect.context<Services>(),
  (context) =>
    <A, E>(work: Effect.Effect<A, E, Services>) =>
      Effect.promise(() => Effect.runPromise(Effect.provideContext(work, context))),
)

// The fast tests take the one on which two can write at a time.
const tried = engines.filter(({ concurrency }) => isWhole || concurrency === "optimistic")

describe.each(tried)("on $name", ({ layer, concurrency, isServer }) => {
  const client = clientFor(layer)
  const lines: Array<unknown> = []

  beforeEach(async () => {
    lines.length = 0
    await Effect.runPromise(
      client().unsafe("CREATE TABLE IF NOT EXISTS ledger (entry text PRIMARY KEY)"),
    )
    await Effect.runPromise(client().unsafe("TRUNCATE ledger"))
  })

  const run = async <A, E>(
    program: Effect.Effect<A, E, Services>,
    options: SqlStorage.SqlStorageOptions = {},
  ) => {
    const storage = await Effect.runPromise(emptyStorage(client(), { concurrency, ...options }))
    const log = Logger.layer([
      Logger.make(({ message }) => {
        lines.push(message)
      }),
    ])
    const services = Layer.provide(servicesLayer, [
      Layer.succeed(StorageTag)(storage),
      ExchangeRates.none,
      log,
    ])
    const around = Layer.mergeAll(
      ...([services, log, Layer.succeed(SqlClient.SqlClient)(client())] as const),
      Layer.succeed(StorageTag)(storage),
    )
    return Effect.runPromise(Effect.provide(program, around))
  }

  const fit = concurrency === "optimistic" ? serializable : undefined

  /** A transaction of the host, as the storage needs it. */
  const transaction = <A, E, R>(work: Effect.Effect<A, E, R>, begin = fit) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.provideService(sql.withTransaction(work), SqlClient.BeginTransaction, begin),
    )
  describe("a transaction of the host around calls", () => {
    test("keeps what they did with what it did itself", async () => {
      const kept = await run(
        Effect.gen(function* () {
          yield* transaction(
            Effect.gen(function* () {
              yield* note("before")
              yield* create(shop, ada)
              yield* create(shop, ben)
              yield* note("after")
              expect(yield* idsOf(shop)).toEqual(["ada", "ben"])
            }),
          )
          return yield* both
        }),
      )
      expect(kept).toEqual({ notes: ["after", "before"], shop: ["ada", "ben"] })
    })

    test("takes what they did with it when it is rolled back, with what was to follow", async () => {
      const { error, kept } = await run(
        Effect.gen(function* () {
          const work = Effect.gen(function* () {
            yield* note("before")
            yield* create(shop, ada)
            return yield* new OutOfPaper()
          })
          const error = yield* Effect.flip(transaction(work))
          return { error, kept: yield* both }
        }),
      )
      expect(error._tag).toBe("OutOfPaper")
      expect(kept).toEqual({ notes: [], shop: [] })
      expect(lines.flat()).not.toContain("collaborator created")
    })

    test("tells of them once it is kept, and not before", async () => {
      const told = await run(
        Effect.gen(function* () {
          const inside = yield* transaction(Effect.map(create(shop, ada), () => [...lines.flat()]))
          return { inside, afterwards: lines.flat() }
        }),
      )
      expect(told.inside).not.toContain("collaborator created")
      expect(told.afterwards).toContain("collaborator created")
    })

    test("goes on without a call that failed, of which nothing is kept", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const collaborators = yield* Collaborators
          const unit = yield* UnitOfWork
          const half = unit.run(
            shop,
            Effect.andThen(collaborators.create(shop, ben), Effect.fail(new OutOfPaper())),
          )
          yield* transaction(
            Effect.gen(function* () {
              yield* create(shop, ada)
              expect((yield* Effect.flip(half))._tag).toBe("OutOfPaper")
              const again = yield* Effect.flip(collaborators.create(shop, ada))
              expect(again._tag).toBe("AlreadyExists")
              yield* note("went on")
            }),
          )
          return yield* both
        }),
      )
      expect(kept).toEqual({ notes: ["went on"], shop: ["ada"] })
    })

    test("is rolled back whole by a call that fails in it, when it lets it fail", async () => {
      const kept = await run(
        Effect.gen(function* () {
          yield* create(shop, ada)
          const work = Effect.andThen(note("before"), create(shop, ada))
          expect((yield* Effect.flip(transaction(work)))._tag).toBe("AlreadyExists")
          return yield* both
        }),
      )
      expect(kept).toEqual({ notes: [], shop: ["ada"] })
    })

    test("has the calls for all accounts in it, units of work within units of work too", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const unit = yield* UnitOfWork
          const two = unit.run(shop, Effect.andThen(create(shop, ada), create(other, ben)))
          const work = Effect.andThen(two, Effect.fail(new OutOfPaper()))
          yield* Effect.flip(transaction(work))
          const taken = { ...(yield* both), other: yield* idsOf(other) }
          yield* transaction(two)
          return { taken, kept: { ...(yield* both), other: yield* idsOf(other) } }
        }),
      )
      expect(kept).toEqual({
        taken: { notes: [], shop: [], other: [] },
        kept: { notes: [], shop: ["ada"], other: ["ben"] },
      })
    })

    test("has calls that are made side by side take turns on its connection", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const ids = Array.from({ length: 9 }, (_, index) => `c${index}`)
          const all = Effect.forEach(ids, (id) => create(shop, { ...ada, id }), {
            concurrency: "unbounded",
          })
          yield* transaction(all)
          return yield* idsOf(shop)
        }),
      )
      expect(kept).toHaveLength(9)
    })

    test("may set savepoints, of which one that is given up takes the calls in it with it", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const inner = Effect.gen(function* () {
            yield* note("inner")
            yield* create(shop, ben)
            return yield* new OutOfPaper()
          })
          yield* transaction(
            Effect.gen(function* () {
              yield* create(shop, ada)
              yield* Effect.flip(sql.withTransaction(inner))
              yield* note("outer")
            }),
          )
          return yield* both
        }),
      )
      expect(kept).toEqual({ notes: ["outer"], shop: ["ada"] })
      expect(lines.flat().filter((line) => line === "collaborator created")).toHaveLength(1)
    })

    test("that others could get in between of is refused by a call, with what it has to be", async () => {
      const isolation =
        concurrency === "queue" ? repeatable : "BEGIN ISOLATION LEVEL READ COMMITTED"
      const { error, kept } = await run(
        Effect.gen(function* () {
          const work = Effect.andThen(note("before"), create(shop, ada))
          const error = yield* Effect.flip(transaction(work, isolation))
          return { error, kept: yield* both }
        }),
      )
      const [is, must] =
        concurrency === "queue"
          ? ["repeatable read", "read committed"]
          : ["read committed", "serializable"]
      expect(error).toMatchObject({
        _tag: "StorageFailure",
        doing: "join the host's transaction",
        message: `storage failed: could not join the host's transaction: it is "${is}", and has to be "${must}"`,
      })
      expect(kept).toEqual({ notes: [], shop: [] })
    })

    test("that only reads may read, and sees one moment", async () => {
      const begin =
        concurrency === "queue" ? `${repeatable} READ ONLY` : `${serializable} READ ONLY`
      const seen = await run(
        Effect.gen(function* () {
          const outside = yield* makeOutside
          yield* create(shop, ada)
          const work = Effect.gen(function* () {
            const first = yield* idsOf(shop)
            // With one connection, others would wait for this transaction.
            if (isServer) yield* outside(create(shop, ben))
            const refused = yield* Effect.flip(create(shop, ben))
            return { first, second: yield* idsOf(shop), refused: refused._tag }
          })
          return yield* transaction(work, begin)
        }),
      )
      expect(seen).toEqual({ first: ["ada"], second: ["ada"], refused: "StorageFailure" })
    })

    test("is known to the storage, so that nothing is done in it that can't be taken back", async () => {
      const told = await run(
        Effect.gen(function* () {
          const { isWithin = Effect.succeed(false) } = yield* StorageTag
          const unit = yield* UnitOfWork
          const sql = yield* SqlClient.SqlClient
          return {
            outside: yield* isWithin,
            inside: yield* transaction(isWithin),
            inUnit: yield* unit.run(shop, isWithin),
            inSavepoint: yield* unit.run(shop, sql.withTransaction(isWithin)),
            afterwards: yield* isWithin,
          }
        }),
      )
      const inside = { inside: true, inSavepoint: true }
      expect(told).toEqual({ outside: false, ...inside, inUnit: false, afterwards: false })
    })

    test("has the key of what is done once in it", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const { once } = yield* Idempotency
          let times = 0
          const work = Effect.sync(() => {
            times += 1
            return times
          })
          const asked = once(shop, { key: "k", request: "r" }, work)
          yield* Effect.flip(transaction(Effect.andThen(asked, new OutOfPaper())))
          return [yield* transaction(asked), yield* asked]
        }),
      )
      expect(kept).toEqual([2, 2])
    })

    test("that is over is joined by nobody, and a fiber that it left behind is told so", async () => {
      const { error, kept } = await run(
        Effect.gen(function* () {
          const over = yield* Deferred.make<void>()
          const late = Effect.andThen(Deferred.await(over), create(shop, ada))
          const behind = yield* transaction(Effect.forkDetach(Effect.flip(late)))
          yield* Deferred.succeed(over, undefined)
          return { error: yield* Fiber.join(behind), kept: yield* idsOf(shop) }
        }),
      )
      expect(error._tag).toBe("StorageFailure")
      expect(kept).toEqual([])
    })
  })

  describe("statements of the host within a unit of work", () => {
    test("are kept with its calls", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const unit = yield* UnitOfWork
          yield* unit.run(shop, Effect.andThen(create(shop, ada), note("one")))
          return yield* both
        }),
      )
      expect(kept).toEqual({ notes: ["one"], shop: ["ada"] })
    })

    test("are taken back with its calls when it fails", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const unit = yield* UnitOfWork
          const work = Effect.andThen(note("one"), create(shop, { ...ada, currency: "dollars" }))
          const error = yield* Effect.flip(unit.run(shop, work))
          return { error: error._tag, ...(yield* both) }
        }),
      )
      expect(kept).toEqual({ error: "InvalidCollaborator", notes: [], shop: [] })
    })

    test("take its calls with them when one of them fails", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const unit = yield* UnitOfWork
          yield* note("one")
          const work = Effect.andThen(create(shop, ada), note("one"))
          const error = yield* Effect.flip(unit.run(shop, work))
          return { error: error._tag, ...(yield* both) }
        }),
      )
      expect(kept).toEqual({ error: "SqlError", notes: ["one"], shop: [] })
    })

    test("take its calls with them even when it makes nothing of their failure", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const unit = yield* UnitOfWork
          yield* note("one")
          const work = Effect.andThen(create(shop, ada), Effect.ignore(note("one")))
          const error = yield* Effect.flip(unit.run(shop, work))
          return { error, ...(yield* both) }
        }),
      )
      expect(kept).toMatchObject({
        error: { _tag: "StorageFailure", doing: "commit a transaction" },
        notes: ["one"],
        shop: [],
      })
    })

    test("may have a savepoint of their own, and go on without what failed in it", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const unit = yield* UnitOfWork
          yield* note("one")
          const failing = sql.withTransaction(Effect.andThen(note("two"), note("one")))
          const work = Effect.gen(function* () {
            yield* create(shop, ada)
            yield* Effect.flip(failing)
            yield* sql.withTransaction(Effect.andThen(note("three"), create(other, ben)))
          })
          yield* unit.run(shop, work)
          return { ...(yield* both), other: yield* idsOf(other), events: yield* toldOf }
        }),
      )
      const entered = { notes: ["one", "three"], shop: ["ada"], other: ["ben"] }
      expect(kept).toEqual({ ...entered, events: 2 })
    })

    test("take a change of groups back with a savepoint, and later sales are split by what is in force", async () => {
      const shares = await run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { create: add, update } = yield* ProductGroups
          const link = { type: "products.all" } as const
          const sold = Effect.fnUntraced(function* (id: string) {
            const items = [{ id: "1", product: { id: "p" }, quantity: 1, amount: 1_000 }]
            const { parts } = yield* (yield* Sales).record(shop, { id, currency: "USD", items })
            return parts.flatMap(({ split }) => split.shares.map(({ amount }) => amount))
          })
          yield* create(shop, ada)
          const { group } = yield* add(shop, "ada", { link, percent: 10 })
          const raised = update(shop, "ada", group.id, () =>
            Result.succeed({ id: group.id, collaboratorId: "ada", link, percent: 50 }),
          )
          const failing = Effect.flatMap(Effect.andThen(raised, sold("within")), (amounts) =>
            Effect.andThen(
              Effect.sync(() => expect(amounts).toEqual([500])),
              new OutOfPaper(),
            ),
          )
          const work = Effect.gen(function* () {
            const before = yield* sold("before")
            yield* Effect.flip(sql.withTransaction(failing))
            return [before, yield* sold("after")]
          })
          return yield* (yield* UnitOfWork).run(shop, work)
        }),
      )
      expect(shares).toEqual([[100], [100]])
    })

    test("run again with it after a conflict, and count once", async () => {
      const { attempts, kept } = await run(
        Effect.gen(function* () {
          const unit = yield* UnitOfWork
          let attempts = 0
          const work = Effect.gen(function* () {
            attempts += 1
            yield* note(`attempt ${attempts}`)
            yield* create(shop, ada)
            if (attempts < 3) yield* Effect.fail(Conflict.of("payout", "p1"))
          })
          yield* unit.run(shop, work)
          return { attempts, kept: yield* both }
        }),
      )
      expect({ attempts, kept }).toEqual({
        attempts: 3,
        kept: { notes: ["attempt 3"], shop: ["ada"] },
      })
    })

    test("may leave work for when it is kept, which has a connection then", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const context = yield* Effect.context<Services>()
          const sql = yield* SqlClient.SqlClient
          const unit = yield* UnitOfWork
          const follow = Effect.provideContext(Effect.orDie(note("afterwards")), context)
          const work = Effect.andThen(create(shop, ada), sql.afterCommit(follow))
          yield* Effect.flip(unit.run(shop, Effect.andThen(work, new OutOfPaper())))
          expect(yield* notes).toEqual([])
          yield* unit.run(shop, work)
          return yield* both
        }),
        { connections: 1 },
      )
      expect(kept).toEqual({ notes: ["afterwards"], shop: ["ada"] })
    })
  })

  test("a conflict within a transaction of the host is not tried again, and says that the whole has to", async () => {
    const { attempts, error, kept } = await run(
      Effect.gen(function* () {
        const unit = yield* UnitOfWork
        let attempts = 0
        const work = Effect.gen(function* () {
          attempts += 1
          yield* create(shop, ada)
          if (attempts < 2) yield* Effect.fail(Conflict.of("payout", "p1"))
        })
        const whole = transaction(Effect.andThen(note("one"), unit.run(shop, work)))
        const error = yield* Effect.flip(whole)
        const attemptsOfOne = attempts
        yield* Effect.retry(whole, { while: ({ _tag }) => _tag === "Conflict" })
        return { attempts: attemptsOfOne, error, kept: yield* both }
      }),
    )
    expect(attempts).toBe(1)
    expect(error).toMatchObject({
      _tag: "Conflict",
      partOf: "the host's transaction",
      message: expect.stringContaining("the host's transaction has to run again as a whole"),
    })
    expect(kept).toEqual({ notes: ["one"], shop: ["ada"] })
  })
})

describe("on a server", () => {
  const client = clientFor(() => postgres("host_meetings"))
  const enter = (storage: StorageService, account: string, key: string) =>
    storage.transaction(account, ({ keys }) => keys.insert(answer(key)))
  const run = <A, E>(work: Effect.Effect<A, E>) => Effect.runPromise(work)

  test("others wait for an account until the host's transaction that called for it is over", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const [called, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const order: Array<string> = []
        const holder = yield* Effect.forkChild(
          client().withTransaction(
            Effect.gen(function* () {
              yield* enter(storage, shop, "first")
              yield* Deferred.succeed(called, undefined)
              yield* Deferred.await(mayEnd)
              order.push("host")
            }),
          ),
        )
        yield* Deferred.await(called)
        const waiter = yield* Effect.forkChild(
          Effect.tap(enter(storage, shop, "second"), () => Effect.sync(() => order.push("other"))),
        )
        yield* enter(storage, other, "meanwhile")
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.joinAll([holder, waiter])
        expect(order).toEqual(["host", "other"])
      }),
    ))

  test("what two of the host's transactions have of each other ends as a conflict of one of them", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        for (const account of [shop, other]) yield* enter(storage, account, "there")
        const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const crossing = (
          [from, to]: readonly [string, string],
          mine: Deferred.Deferred<void>,
          yours: Deferred.Deferred<void>,
        ) =>
          client().withTransaction(
            Effect.gen(function* () {
              yield* enter(storage, from, `${from} ${to}`)
              yield* Deferred.succeed(mine, undefined)
              yield* Deferred.await(yours)
              yield* enter(storage, to, `${from} ${to}`)
            }),
          )
        const outcomes = yield* Effect.all(
          [
            Effect.result(crossing([shop, other], first, second)),
            Effect.result(crossing([other, shop], second, first)),
          ],
          { concurrency: "unbounded" },
        )
        const failures = outcomes.flatMap((one) => (one._tag === "Failure" ? [one.failure] : []))
        expect(failures).toMatchObject([{ _tag: "Conflict", partOf: "the host's transaction" }])
      }),
    ))

  test("a host's statement that met another transaction runs the unit of work again", () =>
    run(
      Effect.gen(function* () {
        yield* client().unsafe("CREATE TABLE IF NOT EXISTS counter (n int)")
        yield* client().unsafe("TRUNCATE counter")
        yield* client().unsafe("INSERT INTO counter VALUES (0)")
        const storage = yield* emptyStorage(client(), { concurrency: "optimistic" })
        const layer = Layer.provide(UnitOfWork.layer, Layer.succeed(StorageTag)(storage))
        const count = Effect.gen(function* () {
          const [row] = yield* client().unsafe<{ readonly n: number }>("SELECT n FROM counter")
          yield* Effect.yieldNow
          yield* client().unsafe(`UPDATE counter SET n = ${Number(row?.n) + 1}`)
        })
        const units = Effect.forEach(
          ["a", "b", "c", "d"],
          (account) => Effect.flatMap(UnitOfWork, (unit) => unit.run(account, count)),
          { concurrency: "unbounded" },
        )
        const lively = Layer.provide(layer, settingsLayer({ conflictRetries: 100 }))
        yield* Effect.provide(units, lively)
        expect(yield* client().unsafe("SELECT n FROM counter")).toEqual([{ n: 4 }])
      }),
    ))

  test("who meets a row that a host's transaction holds waits for it no longer than for anything else", () =>
    run(
      Effect.gen(function* () {
        // An answer is waited for so long that the test would not live to see it.
        const options = {
          concurrency: "optimistic",
          patience: "1 hour",
          waiting: "1 second",
        } as const
        const storage = yield* emptyStorage(client(), options)
        yield* enter(storage, shop, "k")
        const [holds, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const hold = client().unsafe(
          "UPDATE apportion.idempotency_keys SET created_at = created_at",
        )
        const holder = yield* Effect.forkChild(
          client().withTransaction(
            hold.pipe(
              Effect.andThen(Deferred.succeed(holds, undefined)),
              Effect.andThen(Deferred.await(mayEnd)),
            ),
          ),
        )
        yield* Deferred.await(holds)
        const remove = storage.transaction(shop, ({ keys }) =>
          keys.removeBefore(Number.MAX_SAFE_INTEGER),
        )
        expect(yield* Effect.flip(remove)).toMatchObject({ _tag: "Conflict" })
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(holder)
        expect(yield* remove).toBe(1)
      }),
    ))

  test("a host's transaction that is gone without a word is ended by the server, unless the host says when", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { patience: "7 seconds" })
        const idle = Effect.map(
          client().unsafe<{ readonly idle: string }>(
            "SELECT current_setting('idle_in_transaction_session_timeout') AS idle",
          ),
          ([row]) => row?.idle,
        )
        const whole = (before: Effect.Effect<unknown, SqlError.SqlError>) =>
          client().withTransaction(
            Effect.andThen(Effect.andThen(before, enter(storage, shop, "k")), idle).pipe(
              Effect.flatMap((told) => Effect.fail({ told })),
            ),
          )
        const toldOf = (before: Effect.Effect<unknown, SqlError.SqlError>) =>
          Effect.flip(whole(before))
        const set = client().unsafe("SET LOCAL idle_in_transaction_session_timeout = '3s'")
        expect(yield* toldOf(Effect.void)).toEqual({ told: "7s" })
        expect(yield* toldOf(set)).toEqual({ told: "3s" })
        expect(yield* idle).toBe("0")
      }),
    ))
})
