import { type Job, Jobs } from "apportion/cluster"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { run } from "../cli/world.js"
import { clientFor, pglite } from "../sql/databases.js"
import { openServices, orderOf, recording } from "./shop.js"

describe("jobs", () => {
  const client = clientFor(() => pglite)
  let services: ReturnType<typeof openServices>
  beforeAll(() => {
    services = openServices(client())
  })
  afterAll(() => services.dispose())

  const enqueue = (...jobs: ReadonlyArray<Job>) =>
    Effect.flatMap(Jobs, (service) => service.enqueue(jobs))
  const closing: Job = { kind: "close-due", accountId: "shop" }
  const waiting = Effect.flatMap(Jobs, ({ figures }) =>
    Effect.map(figures, (figures) => figures.waiting),
  )

  test("wait where nobody carries them out, and closing what is due waits once", async () => {
    const program = Effect.andThen(enqueue(closing, closing), enqueue(closing))
    expect(await services.runPromise(Effect.andThen(program, waiting))).toBe(1)
    const name = { accountId: "shop", kind: "close-due", key: "" } as const
    const job = await services.runPromise(Effect.flatMap(Jobs, ({ get }) => get(name)))
    expect(job).toMatchObject({ state: "waiting", attempts: 0, endedAt: null, outcome: null })
  })

  test("are refused where the same name has other contents, and none of the call is kept", async () => {
    await services.runPromise(enqueue(recording("shop", "part-1")))
    const before = await services.runPromise(waiting)
    const other = enqueue(
      recording("shop", "part-2"),
      recording("shop", "part-1", [orderOf("another")]),
    )
    const error = await services.runPromise(Effect.flip(other))
    expect(error).toMatchObject({ _tag: "JobChanged", accountId: "shop", key: "part-1" })
    await services.runPromise(enqueue(recording("shop", "part-1")))
    expect(await services.runPromise(waiting)).toBe(before)
  })

  test("are refused where one call has two of the same name with other contents", async () => {
    const before = await services.runPromise(waiting)
    const twice = enqueue(
      recording("shop", "twice"),
      recording("shop", "twice", [orderOf("other")]),
    )
    const error = await services.runPromise(Effect.flip(twice))
    expect(error).toMatchObject({ _tag: "JobChanged", accountId: "shop", key: "twice" })
    expect(await services.runPromise(waiting)).toBe(before)
  })

  test.each([
    ["without an account", { kind: "close-due", accountId: "" }],
    ["with a name that no text can hold", { kind: "pay", accountId: "shop", rail: "a\0b" }],
    ["without orders", recording("shop", "empty", [])],
    ["with an order that is none", recording("shop", "bad", [{ ...orderOf("x"), currency: "?" }])],
  ])("are refused %s", async (_, job) => {
    const refused = Effect.flip(enqueue(job as Job))
    expect(await services.runPromise(refused)).toMatchObject({ _tag: "InvalidJob" })
  })

  test.each([
    ["with a character that no text can hold", "of\0account"],
    ["with half a surrogate pair", "of\ud800account"],
    ["that begins as those which are written otherwise", "\u0001account"],
    ["longer than other names may be", "account ".repeat(40)],
  ])("are kept for an account %s", async (_, accountId) => {
    const jobs = [{ kind: "close-due", accountId } as const, recording(accountId, "part")]
    await services.runPromise(enqueue(...jobs))
    const name = { accountId, kind: "record-sales", key: "part" } as const
    const kept = Effect.flatMap(Jobs, ({ get }) => get(name))
    expect(await services.runPromise(kept)).toMatchObject({ ...name, state: "waiting" })
    const other = enqueue(recording(accountId, "part", [orderOf("another")]))
    const error = await services.runPromise(Effect.flip(other))
    expect(error).toMatchObject({ _tag: "JobChanged", ...name })
  })

  test("are enqueued with the transaction that they are enqueued in, or not at all", async () => {
    const sql = client()
    const before = await services.runPromise(waiting)
    const within = enqueue(recording("shop", "within"))
    const undone = sql.withTransaction(Effect.andThen(within, Effect.fail("taken back")))
    expect(await services.runPromise(Effect.flip(undone))).toBe("taken back")
    expect(await services.runPromise(waiting)).toBe(before)
    await services.runPromise(sql.withTransaction(within))
    expect(await services.runPromise(waiting)).toBe(before + 1)
  })
})

describe("apportion worker", () => {
  test("says everything that is wrong with its flags at once", async () => {
    const { code, err } = await run(["worker", "--port", "0", "--steps", "many"])
    expect(code).toBe(2)
    expect(err.split("\n").slice(0, 3)).toEqual([
      "apportion: --database-url: is missing: name the database of a PostgreSQL server, or set APPORTION_DATABASE_URL",
      'apportion: --port: must be a whole number from 1 to 65535, got "0"',
      'apportion: --steps: must be a whole number from 1 to 64, got "many"',
    ])
  })
})
