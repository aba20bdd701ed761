import { Storage } from "apportion/ports"
import { Actor, Idempotency, Payouts, UnitOfWork } from "apportion/service"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { expect, test } from "vitest"
import { makeOptimistic } from "./OptimisticStorage.js"
import {
  addCollaborator,
  addPayout,
  type LogLine,
  runWith,
  setTime,
  shop,
  start,
  stored,
  toItsEnd,
} from "./PayoutFixture.js"

const asked = { key: "k1", request: '{"amount":100}' }
const services = Effect.all({ idempotency: Idempotency, payouts: Payouts, unit: UnitOfWork })

const onePayout = Effect.andThen(addCollaborator(), addPayout({ id: "p1", total: 5_000 }))

/** Adds an expense each time it is run, and answers with the total. */
const charge = Effect.flatMap(Payouts, (payouts) =>
  Effect.map(payouts.addExpense(shop, "p1", { amount: 100, name: "Tea" }), ({ total }) => ({
    status: 200,
    body: { total, note: null, tags: ["a", "b"] },
  })),
)

test("work that is asked for again under its key has one effect and one answer", async () => {
  const { answers, total } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency, payouts } = yield* services
      const first = yield* idempotency.once(shop, asked, charge)
      yield* payouts.addExpense(shop, "p1", { amount: 1, name: "In between" })
      const second = yield* idempotency.once(shop, asked, charge)
      return { answers: [first, second], total: (yield* stored("p1")).total }
    }),
  )
  const answer = { status: 200, body: { total: 4_900, note: null, tags: ["a", "b"] } }
  expect(answers).toEqual([answer, answer])
  expect(total).toBe(4_899)
})

test("a key that was used for another request is refused, and the work is not done", async () => {
  const { refused, total } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency } = yield* services
      yield* idempotency.once(shop, asked, charge)
      const other = { ...asked, request: '{"amount":101}' }
      const refused = yield* Effect.flip(idempotency.once(shop, other, charge))
      return { refused, total: (yield* stored("p1")).total }
    }),
  )
  expect(refused).toMatchObject({ _tag: "KeyReused", key: "k1" })
  expect(total).toBe(4_900)
})

test("another key, and the same key of another account, are other requests", async () => {
  const total = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency } = yield* services
      yield* idempotency.once(shop, asked, charge)
      yield* idempotency.once(shop, { ...asked, key: "k2" }, charge)
      yield* idempotency.once("other", { ...asked, request: "another" }, charge)
      return (yield* stored("p1")).total
    }),
  )
  expect(total).toBe(4_700)
})

test("work that fails stores nothing, so it can be asked for again, even with another request", async () => {
  const { failed, answer, total } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency } = yield* services
      const failing = Effect.andThen(charge, Effect.fail("no"))
      const failed = yield* Effect.flip(idempotency.once(shop, asked, failing))
      const answer = yield* idempotency.once(shop, { ...asked, request: "other" }, charge)
      return { failed, answer, total: (yield* stored("p1")).total }
    }),
  )
  expect(failed).toBe("no")
  expect(answer.body.total).toBe(4_900)
  expect(total).toBe(4_900)
})

test("the key and the effect are stored together, in the unit of work around them too", async () => {
  const { total, answer } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency, unit } = yield* services
      const whole = Effect.andThen(idempotency.once(shop, asked, charge), Effect.fail("no"))
      yield* Effect.exit(unit.run(shop, whole))
      const answer = yield* idempotency.once(shop, { ...asked, request: "other" }, charge)
      return { answer, total: (yield* stored("p1")).total }
    }),
  )
  expect(answer.body.total).toBe(4_900)
  expect(total).toBe(4_900)
})

test("a unit of work can go on after a key was refused", async () => {
  const total = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency, unit } = yield* services
      yield* idempotency.once(shop, asked, charge)
      const refused = idempotency.once(shop, { ...asked, request: "other" }, charge)
      const work = Effect.andThen(
        charge,
        Effect.catchTag(refused, "KeyReused", () => Effect.void),
      )
      yield* unit.run(shop, work)
      return (yield* stored("p1")).total
    }),
  )
  expect(total).toBe(4_800)
})

test("requests with one key that come at the same time have one effect and the same answer", async () => {
  const { answers, total } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency, unit } = yield* services
      const twenty = Effect.replicateEffect(idempotency.once(shop, asked, charge), 20, {
        concurrency: "unbounded",
      })
      const answers = [...(yield* twenty), ...(yield* unit.run(shop, twenty))]
      return { answers, total: (yield* stored("p1")).total }
    }),
  )
  expect(answers.length).toBe(40)
  expect(new Set(answers.map(({ body }) => body.total))).toEqual(new Set([4_900]))
  expect(total).toBe(4_900)
})

test("the same holds where transactions run side by side and meet, whatever their order", async () => {
  let conflicts = 0
  for (let seed = 1; seed <= 10; seed += 1) {
    const storage = makeOptimistic({ seed, failures: 0.02 })
    const { answers, total } = await runWith(
      Effect.gen(function* () {
        yield* toItsEnd(Effect.eventually(addCollaborator()))
        yield* toItsEnd(Effect.eventually(addPayout({ id: "p1", total: 5_000 })))
        const { idempotency } = yield* services
        const answers = yield* toItsEnd(
          Effect.replicateEffect(idempotency.once(shop, asked, charge), 8, {
            concurrency: "unbounded",
          }),
        )
        return { answers, total: (yield* toItsEnd(Effect.eventually(stored("p1")))).total }
      }),
      { storage, settings: { conflictRetries: 1_000 } },
    )
    expect(new Set(answers.map(({ body }) => body.total))).toEqual(new Set([4_900]))
    expect(total).toBe(4_900)
    conflicts += storage.conflicts()
  }
  // Now and then the eight of a seed happen to come one after another.
  expect(conflicts).toBeGreaterThan(0)
})

const looped: Array<unknown> = []
looped.push({ looped })

const foreign: ReadonlyArray<readonly [string, unknown, string]> = [
  ["nothing", undefined, "it has nothing"],
  ["a field of nothing", { a: { b: undefined } }, "it has nothing at a.b"],
  ["a hole", [1, Array(1)], "it has nothing at [1][0]"],
  ["NaN", { total: Number.NaN }, "it has NaN at total"],
  ["infinity", [Number.NEGATIVE_INFINITY], "it has -Infinity at [0]"],
  ["a bigint", { total: 5n }, "it has 5 at total"],
  ["a date", { at: new Date(0) }, "it has an instance of a class at at"],
  ["a map", new Map(), "it has an instance of a class"],
  ["a function", { f: () => 1 }, "at f"],
  ["itself", looped, "it has a value that holds itself at [0].looped"],
]

for (const [what, answer, words] of foreign) {
  test(`an answer with ${what} is a fault that says so, and nothing is kept`, async () => {
    const { exit, total } = await runWith(
      Effect.gen(function* () {
        yield* onePayout
        const { idempotency } = yield* services
        const exit = yield* Effect.exit(idempotency.once(shop, asked, Effect.as(charge, answer)))
        return { exit, total: (yield* stored("p1")).total }
      }),
    )
    const message = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "no failure"
    expect(Exit.hasDies(exit)).toBe(true)
    expect(message).toContain("must be JSON")
    expect(message).toContain(words)
    expect(total).toBe(5_000)
  })
}

const plainAnswers = [
  null,
  "",
  "\ud800 alone, 🎨 and \u0000",
  0,
  Number.MAX_SAFE_INTEGER,
  -1.5e-7,
  true,
  [],
  {},
  [[{ a: [null] }]],
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  Object.assign(Object.create(null), { a: 1 }),
]

for (const answer of plainAnswers) {
  test(`the answer ${JSON.stringify(answer)} comes back as it was, first and again`, async () => {
    const answers = await runWith(
      Effect.gen(function* () {
        const { idempotency } = yield* services
        const once = idempotency.once(shop, asked, Effect.succeed(answer))
        return [yield* once, yield* once]
      }),
    )
    expect(answers).toEqual([answer, answer])
    expect(JSON.stringify(answers)).toBe(JSON.stringify([answer, answer]))
  })
}

test("what is stored is the key, the SHA-256 of the request, the answer as JSON and the time", async () => {
  const answer = await runWith(
    Effect.gen(function* () {
      const { idempotency } = yield* services
      yield* idempotency.once(shop, { key: "k1", request: "abc" }, Effect.succeed({ a: 1 }))
      const storage = yield* Storage
      return yield* storage.transaction(shop, ({ keys }) => keys.get("k1"))
    }),
  )
  expect(answer).toEqual({
    key: "k1",
    fingerprint: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    answer: '{"a":1}',
    createdAt: start,
  })
})

test("keys are forgotten that were stored before a time, and no others", async () => {
  const log: Array<LogLine> = []
  const { counts, total } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency } = yield* services
      yield* idempotency.once(shop, asked, charge)
      yield* setTime(start + 60)
      yield* idempotency.once(shop, { ...asked, key: "k2" }, charge)
      const counts = [
        yield* idempotency.forgetBefore(shop, start),
        yield* idempotency.forgetBefore("other", start + 99),
        yield* idempotency.forgetBefore(shop, start + 60),
      ]
      yield* idempotency.once(shop, { ...asked, request: "anything" }, charge)
      yield* idempotency.once(shop, { ...asked, key: "k2" }, charge)
      return { counts, total: (yield* stored("p1")).total }
    }),
    { log },
  )
  expect(counts).toEqual([0, 0, 1])
  expect(total).toBe(4_700)
  expect(log.filter(({ message }) => message === "idempotency keys forgotten")).toEqual([
    {
      level: "Info",
      message: "idempotency keys forgotten",
      annotations: { accountId: shop, count: 1 },
    },
  ])
})

test("a key is forgotten after a day, or as long as is set, and is new again", async () => {
  for (const idempotencySeconds of [undefined, 60]) {
    const seconds = idempotencySeconds ?? 86_400
    const totals = await runWith(
      Effect.gen(function* () {
        yield* onePayout
        const { idempotency } = yield* services
        const total = Effect.map(idempotency.once(shop, asked, charge), ({ body }) => body.total)
        const first = yield* total
        yield* setTime(start + seconds)
        const still = yield* total
        yield* setTime(start + seconds + 1)
        // It may be used for something else then.
        const other = idempotency.once(shop, { ...asked, request: "other" }, charge)
        return [first, still, (yield* other).body.total]
      }),
      { settings: idempotencySeconds === undefined ? {} : { idempotencySeconds } },
    )
    expect(totals).toEqual([4_900, 4_900, 4_800])
  }
})

test("a key is kept for its whole time from the answer on, however long the work took", async () => {
  const totals = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency } = yield* services
      const slow = Effect.andThen(setTime(start + 600), charge)
      const first = yield* idempotency.once(shop, asked, slow)
      const again = Effect.map(idempotency.once(shop, asked, charge), ({ body }) => body.total)
      yield* setTime(start + 660)
      const still = yield* again
      yield* setTime(start + 661)
      return [first.body.total, still, yield* again]
    }),
    { settings: { idempotencySeconds: 60 } },
  )
  expect(totals).toEqual([4_900, 4_900, 4_800])
})

test("a request that waits while the first one runs for longer than keys are kept gets its answer", async () => {
  const { answers, total } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency } = yield* services
      const [begun, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = Effect.gen(function* () {
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(mayEnd)
        yield* setTime(start + 600)
        return yield* charge
      })
      const first = yield* Effect.forkChild(idempotency.once(shop, asked, slow))
      yield* Deferred.await(begun)
      const second = yield* Effect.forkChild(idempotency.once(shop, asked, charge))
      yield* Deferred.succeed(mayEnd, undefined)
      const answers = [yield* Fiber.join(first), yield* Fiber.join(second)]
      return { answers, total: (yield* stored("p1")).total }
    }),
    { settings: { idempotencySeconds: 60 } },
  )
  expect(answers[1]).toEqual(answers[0])
  expect(total).toBe(4_900)
})

test("a key is the account's: somebody else who asks with it gets the first answer, and the history names the first", async () => {
  const { totals, actors } = await runWith(
    Effect.gen(function* () {
      yield* onePayout
      const { idempotency, payouts } = yield* services
      const as = (actor: string) =>
        Effect.provideService(idempotency.once(shop, asked, charge), Actor, actor)
      const totals = [(yield* as("ada")).body.total, (yield* as("ben")).body.total]
      const history = yield* payouts.history(shop, "p1")
      return { totals, actors: history.slice(1).map(({ actor }) => actor) }
    }),
  )
  expect(totals).toEqual([4_900, 4_900])
  expect(actors).toEqual(["ada"])
})

test("keys that are over go away while others are stored, without anybody asking for it", async () => {
  const kept = await runWith(
    Effect.gen(function* () {
      const { idempotency } = yield* services
      const store = (key: string) =>
        idempotency.once(shop, { key, request: "r" }, Effect.succeed(1))
      for (let index = 0; index < 50; index += 1) yield* store(`k${index}`)
      yield* setTime(start + 86_401)
      yield* store("new")
      const storage = yield* Storage
      return yield* storage.transaction(shop, ({ keys }) =>
        Effect.filter(["k0", "k49", "new"], (key) =>
          Effect.map(keys.get(key), (found) => found !== undefined),
        ),
      )
    }),
  )
  expect(kept).toEqual(["new"])
})

test("no more keys are kept than are set: a new one is refused, a known one is answered, and none is forgotten early", async () => {
  const settings = { idempotencyKeys: 3, idempotencySeconds: 600 }
  let done = 0
  const work = Effect.sync(() => {
    done += 1
    return done
  })
  const told = await runWith(
    Effect.gen(function* () {
      const { idempotency } = yield* services
      const once = (key: string) => idempotency.once(shop, { key, request: "r" }, work)
      const answers = [yield* once("k1")]
      yield* setTime(start + 100)
      answers.push(yield* once("k2"), yield* once("k3"))
      yield* setTime(start + 200)
      const refused = yield* Effect.flip(once("k4"))
      answers.push(yield* once("k1"), yield* once("k3"))
      const elsewhere = yield* idempotency.once("other", { key: "k4", request: "r" }, work)
      yield* setTime(start + 601)
      answers.push(yield* once("k4"))
      const still = yield* Effect.flip(once("k5"))
      return { answers, refused, elsewhere, still }
    }),
    { settings },
  )
  expect(told.answers).toEqual([1, 2, 3, 1, 3, 5])
  expect(told.elsewhere).toBe(4)
  expect(told.refused).toMatchObject({
    ...{ _tag: "TooManyKeys", most: 3, retryAfterSeconds: 401 },
    message:
      "there are 3 idempotency keys already, and no more are kept: the next one can be used in 401 s",
  })
  expect(told.still).toMatchObject({ _tag: "TooManyKeys", retryAfterSeconds: 100 })
  expect(done).toBe(5)
})

test("work that fails takes no room of a key", async () => {
  const settings = { idempotencyKeys: 2 }
  const answer = await runWith(
    Effect.gen(function* () {
      const { idempotency } = yield* services
      const once = (key: string, work: Effect.Effect<number, string>) =>
        idempotency.once(shop, { key, request: "r" }, work)
      for (let at = 0; at < 10; at += 1) yield* Effect.flip(once(`k${at}`, Effect.fail("no")))
      yield* once("a", Effect.succeed(1))
      return yield* once("b", Effect.succeed(2))
    }),
    { settings },
  )
  expect(answer).toBe(2)
})

test("a long answer is stored as a small part of itself and comes back as it was", async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ id: `item-${index}`, name: "“Ünïcode” 🎨", amount: index * 7 },
  }))
  const { answers, size } = await runWith(
    Effect.gen(function* () {
      const { idempotency } = yield* services
      const once = idempotency.once(shop, asked, Effect.succeed({ items }))
      const answers = [yield* once, yield* once]
      const storage = yield* Storage
      const found = yield* storage.transaction(shop, ({ keys }) => keys.get("k1"))
      return { answers, size: found?.answer.length ?? 0 }
    }),
  )
  expect(answers).toEqual([{ items }, { items }])
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThan(JSON.stringify({ items }).length / 5)
})
