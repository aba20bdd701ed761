import fc from "fast-check"
import { expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { open, type World } from "./fuzz/World.js"

const window = 60_000

/** The API may count requests that are so many milliseconds apart as one moment. */
const grain = 100

const tokens = ["first-token", "first-token-2", "second-token"] as const
type Token = (typeof tokens)[number]

interface Kind {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly status: number
  /** Whether it counts, if the token is known. */
  readonly counts: boolean
}

const list: Kind = { method: "GET", path: "/v1/payouts", status: 200, counts: true }

const kinds: ReadonlyArray<Kind> = [
  list,
  { method: "GET", path: "/api/v1/products?page=x", status: 422, counts: true },
  { method: "GET", path: "/v1/payouts/nobody", status: 404, counts: true },
  { method: "POST", path: "/v1/payouts/p-active/expense", body: "{", status: 400, counts: true },
  { method: "PATCH", path: "/v1/payouts", status: 405, counts: false },
  { method: "GET", path: "/v1/nothing", status: 404, counts: false },
  { method: "GET", path: "/ready", status: 200, counts: false },
]

type Step =
  | { readonly kind: "ask"; readonly token: Token; readonly what: number; readonly times: number }
  | { readonly kind: "stranger"; readonly token: string }
  | { readonly kind: "pass"; readonly millis: number }
  | { readonly kind: "wait as told"; readonly token: Token }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      token: fc.constantFrom(...tokens),
      what: fc.nat({ max: kinds.length - 1 }),
      times: fc.constantFrom(1, 1, 1, 2, 5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("stranger" as const),
      token: fc.constantFrom("nobody", "first-token3", ""),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      millis: fc.constantFrom(
        0,
        1,
        50,
        99,
        100,
        900,
        1_000,
        10_000,
        29_999,
        59_900,
        59_999,
        60_000,
        60_100,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("wait as told" as const),
      token: fc.constantFrom(...tokens),
    }),
  },
)

/** The times at which requests of each token were let in. */
class Limits {
  now = 0
  readonly retryAfter = new Map<Token, number>()
  private readonly taken = new Map<Token, Array<number>>()
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  private within(token: Token, millis: number): number {
    return (this.taken.get(token) ?? []).filter((time) => time > this.now - millis).length
  }

  check(token: Token, response: Response): void {
    const [fewest, most] = [this.within(token, window), this.within(token, window + grain)]
    if (response.status === 429) {
      expect(most).toBeGreaterThanOrEqual(this.limit)
      expect(response.headers.get("x-ratelimit-remaining")).toBe("0")
      const after = Number(response.headers.get("retry-after"))
      expect(after).toBeGreaterThanOrEqual(1)
      expect(after).toBeLessThanOrEqual(61)
      this.retryAfter.set(token, after)
    } else {
      expect(fewest).toBeLessThan(this.limit)
      this.taken.set(token, [...(this.taken.get(token) ?? []), this.now])
      const remaining = Number(response.headers.get("x-ratelimit-remaining"))
      expect(remaining).toBeLessThanOrEqual(this.limit - fewest - 1)
      expect(remaining).toBeGreaterThanOrEqual(Math.max(0, this.limit - most - 1))
      expect(response.headers.has("retry-after")).toBe(false)
    }
    expect(response.headers.get("x-ratelimit-limit")).toBe(String(this.limit))
  }
}

const send = (world: World, token: string, { method, path, body }: Kind): Promise<Response> =>
  world.handler(
    new Request(`http://shop.test${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    }),
  )

const playStep = async (world: World, limits: Limits, next: Step): Promise<void> => {
  switch (next.kind) {
    case "pass":
      limits.now += next.millis
      return world.pass(next.millis)
    case "stranger": {
      const response = await send(world, next.token, list)
      expect(response.status).toBe(401)
      return expect(response.headers.has("x-ratelimit-limit")).toBe(false)
    }
    case "wait as told": {
      const after = limits.retryAfter.get(next.token)
      if (after === undefined) return
      limits.retryAfter.clear()
      limits.now += after * 1_000
      await world.pass(after * 1_000)
      const response = await send(world, next.token, list)
      expect(response.status).toBe(200)
      return limits.check(next.token, response)
    }
    case "ask":
      return askTogether(world, limits, next)
  }
}

const askTogether = async (
  world: World,
  limits: Limits,
  { token, what, times }: Extract<Step, { kind: "ask" }>,
): Promise<void> => {
  const kind = kinds[what]
  if (kind === undefined) return
  const all = Array.from({ length: times }, () => send(world, token, kind))
  const responses = await Promise.all(all)
  const inOrder = responses.toSorted(
    (one, other) => Number(one.status === 429) - Number(other.status === 429),
  )
  const remaining = inOrder
    .filter(({ status }) => status !== 429)
    .toSorted(
      (one, other) =>
        Number(other.headers.get("x-ratelimit-remaining")) -
        Number(one.headers.get("x-ratelimit-remaining")),
    )
  const refused = inOrder.filter(({ status }) => status === 429)
  for (const response of [...remaining, ...refused]) {
    if (response.status !== 429) expect(response.status).toBe(kind.status)
    if (kind.counts) limits.check(token, response)
    else expect(response.headers.has("x-ratelimit-limit")).toBe(false)
    if (!kind.counts) expect(response.status).toBe(kind.status)
  }
}

it("however requests come, a token has its number in any minute, and no other token's", async () => {
  const statuses = new Set<string>()
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 8 }),
    fc.array(step, { minLength: 20, maxLength: 80, size: "max" }),
    async (limit, steps) => {
      const world = await open({ ratePerMinute: limit, logRequests: false })
      const limits = new Limits(limit)
      for (const next of steps) await playStep(world, limits, next)
      if (limits.retryAfter.size > 0) statuses.add("refused")
      await world.close()
    },
  )
  await fc.assert(property, { ...runs(25, 6), seed: 3 })
  expect(statuses.has("refused")).toBe(true)
})
