import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeLimiter } from "../../src/http/Access.js"
import { open } from "./Shop.js"

const withClock = <A>(effect: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, TestClock.layer()))

describe("a limit of requests", () => {
  it("is never exceeded in any 60 seconds, and lets go as soon as it can, to a tenth of a second", async () => {
    const waits = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 120 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), waits, (limit, steps) =>
        withClock(
          Effect.gen(function* () {
            const limiter = makeLimiter(limit)
            const allowed: Array<number> = []
            let now = 0
            for (const step of steps) {
              now += step
              yield* TestClock.setTime(now)
              const { isAllowed, remaining } = yield* limiter.take("t")
              const recent = allowed.filter((at) => at > now - 60_000).length
              const surely = allowed.filter((at) => at > now - 60_100).length
              if (isAllowed) {
                expect(recent).toBeLessThan(limit)
                expect(remaining).toBeLessThan(limit - recent)
                allowed.push(now)
              } else {
                expect(surely).toBeGreaterThanOrEqual(limit)
                expect(remaining).toBe(0)
              }
            }
          }),
        ),
      ),
    )
  })

  it("tells after how many seconds there is something left, and keeps its word", () =>
    withClock(
      Effect.gen(function* () {
        const limiter = makeLimiter(2)
        yield* TestClock.setTime(500)
        yield* limiter.take("t")
        yield* TestClock.setTime(30_000)
        yield* limiter.take("t")
        const refused = yield* limiter.take("t")
        expect(refused).toEqual({
          isAllowed: false,
          limit: 2,
          remaining: 0,
          retryAfterSeconds: 31,
        })
        yield* TestClock.setTime(60_499)
        expect((yield* limiter.take("t")).isAllowed).toBe(false)
        yield* TestClock.setTime(61_000)
        expect((yield* limiter.take("t")).isAllowed).toBe(true)
      }),
    ))

  it("counts each token on its own, and forgets the one that was silent longest", () =>
    withClock(
      Effect.gen(function* () {
        const limiter = makeLimiter(1)
        yield* limiter.take("first")
        yield* limiter.take("second")
        for (let index = 0; index < 9_998; index++) yield* limiter.take(`token ${index}`)
        expect((yield* limiter.take("first")).isAllowed).toBe(false)
        yield* limiter.take("one more")
        expect((yield* limiter.take("first")).isAllowed).toBe(false)
        expect((yield* limiter.take("second")).isAllowed).toBe(true)
      }),
    ))
})

describe("requests with a token", () => {
  const ask = async (shop: Awaited<ReturnType<typeof open>>, token?: string) => {
    const { status, headers, json } = await shop.ask("GET", "/v1/payouts", token ? { token } : {})
    const [limit, remaining, after] = ["x-ratelimit-limit", "x-ratelimit-remaining", "retry-after"]
      .map((name) => headers.get(name))
      .values()
    return { status, limit, remaining, after, message: json.message }
  }

  it("are counted down, refused, and accepted again after a minute", async () => {
    const shop = await open({ ratePerMinute: 3 })
    for (const remaining of ["2", "1", "0"]) {
      expect(await ask(shop)).toMatchObject({ status: 200, limit: "3", remaining, after: null })
    }
    expect(await ask(shop)).toEqual({
      status: 429,
      limit: "3",
      remaining: "0",
      after: "60",
      message: "more than 3 requests in a minute, try again in 60 seconds",
    })
    expect(await ask(shop, "second-token")).toMatchObject({ status: 200, remaining: "2" })
    await shop.pass(59)
    expect(await ask(shop)).toMatchObject({ status: 429, after: "1" })
    await shop.pass(1)
    expect(await ask(shop)).toMatchObject({ status: 200, remaining: "2" })
    await shop.close()
  })

  it("are 60 in a minute when nothing is said", async () => {
    const shop = await open({ ratePerMinute: undefined })
    expect(await ask(shop)).toMatchObject({ limit: "60", remaining: "59" })
    await shop.close()
  })

  it("are told what is left when they are refused for another reason, too", async () => {
    const shop = await open({ ratePerMinute: 5 })
    const { status, headers } = await shop.ask("GET", "/v1/payouts/none")
    expect(status).toBe(404)
    expect(headers.get("x-ratelimit-remaining")).toBe("4")
    await shop.close()
  })

  it("are counted before their body is read, and without a token nothing is counted", async () => {
    const shop = await open({ ratePerMinute: 1 })
    await shop.ask("GET", "/v1/payouts", { token: null })
    await shop.ask("GET", "/v1/payouts", { token: "nobody" })
    await shop.ask("GET", "/v1/nothing")
    const big = { body: "x".repeat(2_000_000) }
    expect((await shop.ask("POST", "/v1/payouts/p/expense", big)).status).toBe(413)
    expect((await shop.ask("POST", "/v1/payouts/p/expense", big)).status).toBe(429)
    await shop.close()
  })

  it("have no limit and no such headers when it is unlimited", async () => {
    const shop = await open({ ratePerMinute: "unlimited" })
    expect(await ask(shop)).toMatchObject({ status: 200, limit: null, remaining: null })
    await shop.close()
  })
})
