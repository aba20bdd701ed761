/** The client for PGlite; what it shares with the one for a server is asked of both. */
import { PgliteClient } from "apportion/sql"
import { Cause, Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { beforeEach, describe, expect, test } from "vitest"
import { type Row, wholeOf } from "../../src/sql/internal/rows.js"
import { clientFor, newPglite, pglite, postgres } from "./databases.js"

/** What was given to a statement, as it came back, and what the database itself makes of it. */
interface Given {
  readonly given: unknown
  readonly written: string
  readonly length: unknown
}

const run = <A, E>(work: Effect.Effect<A, E>) => Effect.runPromise(work)

const databases = [
  { where: "PGlite", layer: () => pglite },
  { where: "a server", layer: () => postgres("client") },
]

/** Runs a statement for its failure, and gives the reason. */
const reasonOf = (sql: SqlClient.SqlClient, statement: string) =>
  Effect.map(Effect.flip(sql.unsafe(statement)), ({ reason }) => reason)

const raising = (code: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${code}'; END $$`

const beginEmpty = (client: () => SqlClient.SqlClient) =>
  beforeEach(() =>
    run(
      Effect.gen(function* () {
        yield* client().unsafe("DROP TABLE IF EXISTS notes")
        yield* client().unsafe(
          "CREATE TABLE notes (id bigint PRIMARY KEY CHECK (id > 0), note text, tags text[])",
        )
      }),
    ),
  )

const insert = (sql: SqlClient.SqlClient, id: number) => sql`INSERT INTO notes (id) VALUES (${id})`

const ids = (sql: SqlClient.SqlClient) =>
  Effect.map(sql.unsafe<Row>("SELECT id FROM notes ORDER BY id"), (rows) =>
    rows.map((row) => wholeOf(row, "id")),
  )

const tellValues = (client: () => SqlClient.SqlClient) => {
  test("rows are objects by column, and nothing is an empty list", async () => {
    const two =
      "SELECT 'a' AS one, null AS none, true AS yes, '' AS empty UNION ALL SELECT 'b', null, false, ' '"
    expect(await run(client().unsafe(two))).toEqual([
      { one: "a", none: null, yes: true, empty: "" },
      { one: "b", none: null, yes: false, empty: " " },
    ])
    expect(await run(client().unsafe("SELECT 1 WHERE false"))).toEqual([])
    expect(await run(client().unsafe("DELETE FROM notes"))).toEqual([])
  })

  test("whole numbers up to the largest come and go exactly", async () => {
    const numbers = [
      0n,
      -1n,
      9_007_199_254_740_991n,
      9_007_199_254_740_993n,
      2n ** 63n - 1n,
      -(2n ** 63n),
    ]
    for (const number of numbers) {
      const [row] = await run(
        client().unsafe<Given>("SELECT $1::bigint AS given, $1::bigint::text AS written", [number]),
      )
      expect(row?.written).toBe(String(number))
      expect(BigInt(String(row?.given))).toBe(number)
    }
  })

  test("lists of texts come and go as they are, whatever is in them", async () => {
    const lists = [
      [],
      [""],
      ["a", "b"],
      ["{", "}", ",", '"', "\\", "'", "NULL", "null", " ", "\n", "a,b", '{"a":1}', "ключ 🎨"],
    ]
    for (const list of lists) {
      const [row] = await run(
        client().unsafe<Given>("SELECT $1::text[] AS given, cardinality($1::text[]) AS length", [
          list,
        ]),
      )
      expect(row?.given).toEqual(list)
      expect(Number(row?.length)).toBe(list.length)
    }
  })

  test("whole numbers can be given as a list of texts", async () => {
    const [row] = await run(
      client().unsafe<Row>(
        "SELECT sum(n)::bigint AS sum FROM unnest($1::text[]::bigint[]) AS g (n)",
        [["9007199254740990", "1"]],
      ),
    )
    expect(row === undefined ? 0 : wholeOf(row, "sum")).toBe(Number.MAX_SAFE_INTEGER)
  })

  test("templates, records to insert and to update, identifiers and lists make statements", async () => {
    const sql = client()
    await run(
      Effect.gen(function* () {
        yield* sql`INSERT INTO notes ${sql.insert([
          { id: 1, note: "one" },
          { id: 2, note: null },
          { id: 3, note: 'it\'s "three"' },
        ])}`
        yield* sql`UPDATE notes SET ${sql.update({ id: 2, note: "two" }, ["id"])} WHERE id = ${2}`
        yield* sql`UPDATE ${sql("notes")} SET note = data.note FROM ${sql.updateValues(
          [{ which: "1", note: "uno" }],
          "data",
        )} WHERE ${sql("notes")}.id = data.which::bigint`
        const found = yield* sql<{ note: string }>`SELECT ${sql("note")} FROM notes
          WHERE id IN ${sql.in([1, 2, 3])} ORDER BY id`
        expect(found.map(({ note }) => note)).toEqual(["uno", "two", 'it\'s "three"'])
      }),
    )
  })

  test("rows come as lists of values too, and as a stream", async () => {
    const sql = client()
    const numbers = sql<{
      n: string
    }>`SELECT n::text AS n, 'x' AS x FROM generate_series(1, 3) AS g (n)`
    expect(await run(numbers.values)).toEqual([
      ["1", "x"],
      ["2", "x"],
      ["3", "x"],
    ])
    const streamed = await run(Stream.runCollect(numbers.stream))
    expect([...streamed].map((row) => row.n)).toEqual(["1", "2", "3"])
  })
}

const states = [
  { code: "40001", reason: "SerializationError" },
  { code: "40P01", reason: "DeadlockError" },
  { code: "55P03", reason: "LockTimeoutError" },
  { code: "57014", reason: "StatementTimeoutError" },
  { code: "42501", reason: "AuthorizationError" },
  { code: "28000", reason: "AuthenticationError" },
  { code: "08006", reason: "ConnectionError" },
  { code: "23503", reason: "ConstraintError" },
  { code: "42P01", reason: "SqlSyntaxError" },
  { code: "53100", reason: "UnknownError" },
]

const tellFailures = (client: () => SqlClient.SqlClient) => {
  test.each(states)("$code is a $reason", async ({ code, reason }) => {
    const found = await run(reasonOf(client(), raising(code)))
    expect(found._tag).toBe(reason)
  })

  test("a key that is there already is told with the name of its rule", async () => {
    await run(insert(client(), 1))
    const reason = await run(reasonOf(client(), "INSERT INTO notes (id) VALUES (1)"))
    expect(reason).toMatchObject({ _tag: "UniqueViolation", constraint: "notes_pkey" })
  })

  test("a value against the rules, a table that is not there and words that are no statement", async () => {
    const failing = [
      ["INSERT INTO notes (id) VALUES (0)", "ConstraintError"],
      ["SELECT * FROM nowhere", "SqlSyntaxError"],
      ["SELEC 1", "SqlSyntaxError"],
      ["SELECT 1 / 0", "UnknownError"],
    ] as const
    for (const [statement, reason] of failing) {
      expect((await run(reasonOf(client(), statement)))._tag, statement).toBe(reason)
    }
    expect(await run(ids(client()))).toEqual([])
  })
}

const tellTransactions = (client: () => SqlClient.SqlClient) => {
  test("a transaction keeps all of what it did, or nothing", async () => {
    const sql = client()
    await run(sql.withTransaction(Effect.andThen(insert(sql, 1), insert(sql, 2))))
    expect(await run(ids(sql))).toEqual([1, 2])
    for (const end of [Effect.fail("on purpose"), Effect.die("on purpose"), Effect.interrupt]) {
      const exit = await Effect.runPromiseExit(
        sql.withTransaction(Effect.andThen(insert(sql, 3), end)),
      )
      expect(Exit.isFailure(exit)).toBe(true)
    }
    expect(await run(ids(sql))).toEqual([1, 2])
  })

  test("a transaction within another one that fails takes back only itself", async () => {
    const sql = client()
    const inner = (id: number, end: Effect.Effect<void, string>) =>
      sql.withTransaction(Effect.andThen(insert(sql, id), end))
    await run(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* insert(sql, 1)
          expect(yield* Effect.flip(inner(2, Effect.fail("on purpose")))).toBe("on purpose")
          yield* inner(3, Effect.void)
          // A statement that fails takes back the inner transaction, and the outer one goes on.
          yield* Effect.flip(sql.withTransaction(insert(sql, 1)))
          yield* insert(sql, 4)
        }),
      ),
    )
    expect(await run(ids(sql))).toEqual([1, 3, 4])
  })

  test("a transaction that goes on after a statement that failed is not kept", async () => {
    const sql = client()
    const exit = await Effect.runPromiseExit(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* insert(sql, 1)
          yield* Effect.ignore(sql.unsafe("SELECT 1 / 0"))
          return yield* insert(sql, 2)
        }),
      ),
    )
    expect(Exit.isFailure(exit)).toBe(true)
    expect(await run(ids(sql))).toEqual([])
  })

  test("others don't see what is not kept yet", async () => {
    const sql = client()
    const seen = await run(
      Effect.gen(function* () {
        const inserted = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const writer = yield* Effect.forkChild(
          sql.withTransaction(
            insert(sql, 1).pipe(
              Effect.andThen(Deferred.succeed(inserted, undefined)),
              Effect.andThen(Deferred.await(mayEnd)),
              Effect.andThen(Effect.fail("on purpose")),
            ),
          ),
        )
        yield* Deferred.await(inserted)
        const reader = yield* Effect.forkChild(ids(sql))
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.await(writer)
        return yield* Fiber.join(reader)
      }),
    )
    expect(seen).toEqual([])
  })
}

describe.each(databases)("on $where", ({ layer }) => {
  const client = clientFor(layer)
  beginEmpty(client)
  describe("values", () => tellValues(client))
  describe("failures", () => tellFailures(client))
  describe("transactions", () => tellTransactions(client))
})

describe("the one connection of PGlite", () => {
  const client = clientFor(() => pglite)
  beginEmpty(client)

  /** A transaction that has inserted something, and ends when it is told to. */
  const hold = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
    const begun = yield* Deferred.make<void>()
    const mayEnd = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(
      sql.withTransaction(
        insert(sql, 1).pipe(
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Deferred.await(mayEnd)),
        ),
      ),
    )
    yield* Deferred.await(begun)
    return { end: Effect.andThen(Deferred.succeed(mayEnd, undefined), Fiber.join(fiber)), fiber }
  })

  const turns = (count: number) =>
    Effect.forEach(
      Array.from({ length: count }),
      () => Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
      { discard: true },
    )

  test("statements that come during a transaction wait for it, and see what it kept", async () => {
    const sql = client()
    await run(
      Effect.gen(function* () {
        const { end } = yield* hold(sql)
        const order: Array<string> = []
        const noting = (what: string) => Effect.sync(() => order.push(what))
        const statement = yield* Effect.forkChild(Effect.tap(ids(sql), () => noting("statement")))
        const transaction = yield* Effect.forkChild(
          sql.withTransaction(Effect.tap(insert(sql, 2), () => noting("transaction"))),
        )
        yield* turns(20)
        yield* noting("the first ends")
        yield* end
        expect(yield* Fiber.join(statement)).toEqual([1])
        yield* Fiber.join(transaction)
        expect(order).toEqual(["the first ends", "statement", "transaction"])
        expect(yield* ids(sql)).toEqual([1, 2])
      }),
    )
  })

  test("who gives up waiting does so at once, and its statement is never run", async () => {
    const sql = client()
    await run(
      Effect.gen(function* () {
        const { end } = yield* hold(sql)
        const waiting = yield* Effect.forEach(
          [insert(sql, 2), sql.withTransaction(insert(sql, 3))],
          (work) => Effect.forkChild(work),
        )
        yield* turns(5)
        yield* Effect.forEach(waiting, Fiber.interrupt, { discard: true })
        yield* end
        expect(yield* ids(sql)).toEqual([1])
      }),
    )
  })

  test("a transaction that is called off is taken back, and the next one begins", async () => {
    const sql = client()
    await run(
      Effect.gen(function* () {
        const { fiber } = yield* hold(sql)
        const next = yield* Effect.forkChild(sql.withTransaction(insert(sql, 2)))
        yield* Fiber.interrupt(fiber)
        yield* Fiber.join(next)
        expect(yield* ids(sql)).toEqual([2])
      }),
    )
  })

  test("whenever a transaction is called off, nothing of it is there and others go on", async () => {
    const sql = client()
    await run(
      Effect.gen(function* () {
        for (let round = 1; round <= 30; round += 1) {
          const both = Effect.andThen(insert(sql, 2 * round), insert(sql, 2 * round + 1))
          const fiber = yield* Effect.forkChild(sql.withTransaction(both))
          yield* turns(round)
          yield* Fiber.interrupt(fiber)
        }
        const found = yield* ids(sql)
        // The second of the two is there whenever the first one is.
        expect(found.filter((id) => id % 2 === 0).map((id) => id + 1)).toEqual(
          found.filter((id) => id % 2 === 1),
        )
      }),
    )
  })
})

test("a database that was closed fails with what it says", async () => {
  const database = await newPglite()
  const sql = await run(Effect.provide(PgliteClient.make(database), Reactivity.layer))
  await database.close()
  const exit = await Effect.runPromiseExit(sql`SELECT 1`)
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  expect(error).toMatchObject({ _tag: "SqlError", reason: { _tag: "UnknownError" } })
  expect(String(error)).toContain("closed")
})
