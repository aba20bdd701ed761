/** Transactions in PostgreSQL beyond the contract: what work makes of failures, and transactions within others. */
import type { StorageService, Stores } from "apportion/ports"
import { Deferred, Effect, Fiber } from "effect"
import type { SqlClient } from "effect/sql"
import { describe, expect, test } from "vitest"
import {
  active,
  answer,
  collaborator,
  group,
  refund,
  sale,
} from "../../src/testing/contracts/samples.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const run = <A, E>(work: Effect.Effect<A, E>) => Effect.runPromise(work)

const insert = ({ keys }: Stores, key: string) => keys.insert(answer(key))

const keysOf = (storage: StorageService, account = "shop") =>
  storage.transaction(
    account,
    ({ keys }) =>
      Effect.map(
        Effect.forEach(["a", "b", "c"], (key) => keys.get(key)),
        (found) => found.flatMap((one) => (one === undefined ? [] : [one.key])),
      ),
    { mode: "read" },
  )

/** Fails in the database: there is no such collaborator. */
const failing = ({ groups }: Stores) => groups.insert(group("g1", { collaboratorId: "nobody" }))

const tellFailures = (client: () => SqlClient.SqlClient) => {
  test("work that makes nothing of a failure of the database keeps nothing, and the failure comes out", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const error = yield* Effect.flip(
          storage.transaction("shop", (stores) =>
            Effect.gen(function* () {
              yield* insert(stores, "a")
              yield* Effect.ignore(failing(stores))
            }),
          ),
        )
        expect(error).toMatchObject({ _tag: "StorageFailure", doing: "insert a product group" })
        expect(yield* keysOf(storage)).toEqual([])
        expect(yield* storage.accounts).toEqual([])
      }),
    ))

  test("after a failure of the database every store fails as the first one did", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const errors = yield* Effect.flip(
          storage.transaction("shop", (stores) =>
            Effect.gen(function* () {
              const first = yield* Effect.flip(failing(stores))
              const second = yield* Effect.flip(insert(stores, "a"))
              const third = yield* Effect.flip(stores.collaborators.get("ada"))
              return yield* Effect.fail([first, second, third])
            }),
          ),
        )
        const [first, second, third] = Array.isArray(errors) ? errors : []
        expect(first).toMatchObject({ _tag: "StorageFailure", doing: "insert a product group" })
        expect(second).toBe(first)
        expect(third).toBe(first)
      }),
    ))

  test("work that makes nothing of a conflict keeps nothing, and the first conflict comes out", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        yield* storage.transaction("shop", (stores) => insert(stores, "a"))
        const error = yield* Effect.flip(
          storage.transaction("shop", (stores) =>
            Effect.gen(function* () {
              yield* insert(stores, "b")
              yield* Effect.ignore(insert(stores, "a"))
              // A conflict does not end the database's own transaction: what is asked is still answered.
              expect((yield* stores.keys.get("b"))?.key).toBe("b")
              yield* Effect.ignore(
                stores.collaborators.update({ ...collaborator("x"), version: 1 }),
              )
              yield* Effect.ignore(failing(stores))
            }),
          ),
        )
        expect(error).toMatchObject({ _tag: "Conflict", what: "idempotency key", id: "a" })
        expect(yield* keysOf(storage)).toEqual(["a"])
      }),
    ))

  test("a sale that is there already is a conflict, also for work that asks for nothing after it", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        yield* storage.transaction("shop", ({ sales }) => sales.insert(sale("1001")))
        const error = yield* Effect.flip(
          storage.transaction("shop", (stores) =>
            Effect.andThen(insert(stores, "a"), stores.sales.insert(sale("1001"))),
          ),
        )
        expect(error).toMatchObject({ _tag: "Conflict", what: "sale", id: "1001" })
        expect(yield* keysOf(storage)).toEqual([])
      }),
    ))

  test("of what the work does not wait for, the first that fails comes out, and so it does wherever the work goes on", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const long = sale("1".repeat(600))
        const heard: Array<unknown> = []
        const error = yield* Effect.flip(
          storage.transaction("shop", (stores) =>
            Effect.gen(function* () {
              yield* stores.sales.insert(long)
              yield* Effect.ignore(stores.sales.insert(sale("1001")))
              heard.push(yield* Effect.flip(stores.keys.get("a")))
              heard.push(yield* Effect.flip(insert(stores, "a")))
            }),
          ),
        )
        expect(error).toMatchObject({
          _tag: "StorageFailure",
          doing: "insert sales",
          isFinal: true,
        })
        expect(heard).toEqual([error, error])
        expect(yield* keysOf(storage)).toEqual([])
      }),
    ))

  test("what fails of what the work does not wait for comes out, and not what a statement of the host says after it", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const sql = client()
        const record = ({ sales }: Stores) => sales.insert(sale("1".repeat(600)))
        const works: ReadonlyArray<(stores: Stores) => Effect.Effect<unknown, unknown>> = [
          (stores) => Effect.andThen(record(stores), sql.unsafe("SELECT 1")),
          // The savepoint can't be released any more, of which the client makes a defect.
          (stores) => sql.withTransaction(record(stores)),
          (stores) => Effect.andThen(record(stores), Effect.fail("out of paper")),
        ]
        for (const work of works) {
          const error = yield* Effect.flip(storage.transaction("shop", work))
          expect(error).toMatchObject({ _tag: "StorageFailure", doing: "insert sales" })
          expect(yield* storage.accounts).toEqual([])
        }
      }),
    ))

  test("a payout that a savepoint took back and that is opened again is the one that sales name", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const recorded = sale("1001")
        yield* storage.transaction("shop", (stores) =>
          Effect.gen(function* () {
            yield* stores.collaborators.insert(collaborator("ada"))
            const opened = stores.payouts.insert({ payout: active("payout") })
            yield* Effect.flip(
              client().withTransaction(Effect.andThen(opened, Effect.fail("given up"))),
            )
            yield* opened
            yield* stores.sales.insert(recorded)
          }),
        )
        const [part] = yield* storage.transaction("shop", ({ sales }) => sales.ofOrder("1001"))
        expect(part?.postings).toEqual(recorded.postings)
      }),
    ))

  test("work that fails in its own way fails so, whatever the database said before", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const error = yield* Effect.flip(
          storage.transaction("shop", (stores) =>
            Effect.andThen(Effect.ignore(failing(stores)), Effect.fail("out of paper")),
          ),
        )
        expect(error).toBe("out of paper")
      }),
    ))

  test("the stores are of no use when their transaction is over, however it ended", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const kept: Array<Stores> = []
        const keep = (end: Effect.Effect<void, string>) =>
          Effect.ignore(
            storage.transaction("shop", (stores) => {
              kept.push(stores)
              return end
            }),
          )
        yield* keep(Effect.void)
        yield* keep(Effect.fail("on purpose"))
        expect(kept).toHaveLength(2)
        for (const stores of kept) {
          const uses: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
            insert(stores, "a"),
            stores.keys.get("a"),
            stores.groups.all,
            stores.groups.revision,
            stores.sales.insert(sale("1001")),
            stores.payouts.list({}, { offset: 0, limit: 1 }),
          ]
          for (const use of uses) {
            expect(yield* Effect.flip(use)).toMatchObject({
              _tag: "StorageFailure",
              cause: "the transaction is over",
            })
          }
        }
        expect(yield* storage.accounts).toEqual([])
      }),
    ))

  test("a transaction that only reads refuses to write, and goes on", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const work = (stores: Stores) =>
          Effect.gen(function* () {
            const error = yield* Effect.flip(insert(stores, "a"))
            expect(error).toMatchObject({
              _tag: "StorageFailure",
              doing: "insert an idempotency key",
              cause: "the transaction only reads",
            })
            return yield* stores.keys.get("a")
          })
        expect(yield* storage.transaction("shop", work, { mode: "read" })).toBeUndefined()
      }),
    ))

  test("what one transaction asks at the same time is all answered", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        yield* storage.transaction("shop", (stores) =>
          Effect.forEach(["a", "b", "c"], (key) => insert(stores, key), {
            concurrency: "unbounded",
          }),
        )
        expect(yield* keysOf(storage)).toEqual(["a", "b", "c"])
      }),
    ))

  test("a sale that comes with refunds keeps them in order, before those that are added", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const given = sale("1001")
        const refunds = ["r3", "r1", "r2"].map((id) => refund(id, given))
        const inserted = yield* storage.transaction("shop", ({ sales }) =>
          sales.insert({ ...given, refunds }),
        )
        expect(inserted).toEqual({ ...given, refunds, version: 1 })
        const added = refund("r0", given)
        const [place] = given.postings
        // A posting less than before: what was replaced is gone.
        const postings = place === undefined ? [] : [{ ...place, rate: null, refunds: 1 }]
        const next = yield* storage.transaction("shop", ({ sales }) =>
          sales.addRefund({ ...inserted, refund: added, postings }),
        )
        expect(next.refunds).toEqual([...refunds, added])
        expect(next.postings).toEqual(postings)
        const parts = yield* storage.transaction("shop", ({ sales }) => sales.ofOrder("1001"))
        expect(parts).toEqual([next])
        const again = yield* Effect.flip(
          storage.transaction("shop", ({ sales }) =>
            sales.insert({ ...sale("1002"), refunds: [refund("r5", given), refund("r2", given)] }),
          ),
        )
        expect(again).toMatchObject({ _tag: "Conflict", what: "refund", id: "r2" })
      }),
    ))

  test("a sale that version 0.5.0 recorded has the names of today, and can be refunded", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const given = sale("1001")
        const inserted = yield* storage.transaction("shop", ({ sales }) => sales.insert(given))
        const { order, groups, policy, split } = given
        const document = JSON.stringify({ order, groups, policy, split })
          .replaceAll('"distributable"', '"broughtIn"')
          .replaceAll('"beforeShipping"', '"goods"')
          .replaceAll('"policy":{', '"policy":{"timeZone":"UTC",')
        yield* client().unsafe(
          `INSERT INTO apportion.sale_parts (account_id, order_id, part, document, recorded_at, version)
          SELECT 'earlier shop', order_id, part, $1::text::json, recorded_at, version
          FROM apportion.sale_parts`,
          [document],
        )
        const [stored] = yield* client().unsafe<{ readonly document: string }>(
          "SELECT document::text FROM apportion.sale_parts WHERE account_id = 'earlier shop'",
        )
        for (const name of ["broughtIn", "goods", "timeZone"])
          expect(stored?.document).toContain(`"${name}":`)
        const [earlier] = yield* storage.transaction("earlier shop", ({ sales }) =>
          sales.ofOrder("1001"),
        )
        expect(earlier).toEqual({ ...inserted, postings: [] })
        const added = refund("r1", given)
        const refunded = yield* storage.transaction("earlier shop", ({ sales }) =>
          sales.addRefund({ ...inserted, refund: added, postings: [] }),
        )
        expect(refunded.split).toEqual(given.split)
      }),
    ))
}

describe("on PGlite", () => {
  const client = clientFor(() => pglite)

  describe("failures", () => tellFailures(client))

  test("a transaction within another one is refused at once, and the other one can go on", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        yield* storage.transaction("shop", (stores) =>
          Effect.gen(function* () {
            yield* insert(stores, "a")
            for (const account of ["shop", "another shop"]) {
              for (const mode of ["read", "write"] as const) {
                const within = storage.transaction(account, () => Effect.void, { mode })
                expect(yield* Effect.flip(within)).toMatchObject({
                  _tag: "StorageFailure",
                  doing: "begin a transaction within another one",
                  cause: "PGlite has one connection, which the other transaction has",
                })
              }
            }
          }),
        )
        expect(yield* keysOf(storage)).toEqual(["a"])
      }),
    ))
})

describe.each([
  { concurrency: "queue", name: "transactions_queue" },
  { concurrency: "optimistic", name: "transactions_optimistic" },
] as const)("on a server, $concurrency", ({ concurrency, name }) => {
  const client = clientFor(() => postgres(name, { maxConnections: 3 }))

  describe("failures", () => tellFailures(client))

  test("a transaction that writes, within another one of the same account, is refused at once", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { concurrency })
        yield* storage.transaction("shop", (stores) =>
          Effect.gen(function* () {
            yield* insert(stores, "a")
            const within = storage.transaction("shop", (inner) => insert(inner, "b"))
            expect(yield* Effect.flip(within)).toMatchObject({
              _tag: "StorageFailure",
              cause: "the other one has locked the account",
            })
          }),
        )
        expect(yield* keysOf(storage)).toEqual(["a"])
      }),
    ))

  test("a transaction of another account within one is kept by itself, whatever becomes of the other", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { concurrency })
        yield* Effect.flip(
          storage.transaction("shop", (stores) =>
            Effect.gen(function* () {
              yield* insert(stores, "a")
              yield* storage.transaction("another shop", (inner) => insert(inner, "b"))
              return yield* Effect.fail("on purpose")
            }),
          ),
        )
        expect(yield* keysOf(storage, "another shop")).toEqual(["b"])
        expect(yield* keysOf(storage)).toEqual([])
      }),
    ))

  test("a transaction that reads, within one of the same account, sees what is kept", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { concurrency })
        yield* storage.transaction("shop", (stores) => insert(stores, "a"))
        const seen = yield* storage.transaction("shop", (stores) =>
          Effect.andThen(insert(stores, "b"), keysOf(storage)),
        )
        expect(seen).toEqual(["a"])
        expect(yield* keysOf(storage)).toEqual(["a", "b"])
      }),
    ))

  test("what a transaction left running can begin others when it is over", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { concurrency })
        const over = yield* Deferred.make<void>()
        const behind = yield* storage.transaction("shop", () =>
          Effect.forkDetach(
            Effect.andThen(
              Deferred.await(over),
              storage.transaction("shop", (stores) => insert(stores, "a")),
            ),
          ),
        )
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(behind)
        expect(yield* keysOf(storage)).toEqual(["a"])
      }),
    ))

  test("a transaction whose connection is lost fails, keeps nothing, and the next one has another", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { concurrency })
        const loseAll = client().unsafe(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        )
        // Asked from outside: within the transaction it would run on the very connection.
        const outside = Effect.promise(() => Effect.runPromise(loseAll))
        // The loss is noticed by the next statement, or else when it is to be kept.
        for (const after of [insert, () => Effect.void]) {
          const error = yield* Effect.flip(
            storage.transaction("shop", (stores) =>
              Effect.gen(function* () {
                yield* insert(stores, "a")
                yield* outside
                yield* after(stores, "b")
              }),
            ),
          )
          expect(error).toMatchObject({ _tag: "StorageFailure" })
          expect(yield* keysOf(storage)).toEqual([])
        }
        yield* storage.transaction("shop", (stores) => insert(stores, "c"))
        expect(yield* keysOf(storage)).toEqual(["c"])
      }),
    ))
})

describe("on a server, with one connection", () => {
  const client = clientFor(() => postgres("transactions_of_one", { maxConnections: 1 }))

  test("a transaction within another one waits for a connection for a while, and the other one goes on", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client(), { waiting: "300 millis" })
        const within = storage.transaction("another shop", () => Effect.void)
        const error = yield* storage.transaction("shop", (stores) =>
          Effect.andThen(insert(stores, "a"), Effect.flip(within)),
        )
        expect(error).toMatchObject({
          _tag: "StorageFailure",
          waited: { for: "a connection beside that of the transaction around it" },
        })
        expect(yield* keysOf(storage)).toEqual(["a"])
      }),
    ))
})
