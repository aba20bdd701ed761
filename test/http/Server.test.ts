import { Conflict, StorageFailure, type StorageService } from "apportion/ports"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { groups, type LogLine, open, openStocked, type Shop } from "./Shop.js"

const security = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
}

/** What is the same for everybody may be kept, and is asked for again by its tag. */
const kept = {
  "cache-control": "no-cache",
  etag: expect.stringMatching(/^W\/"/),
  vary: "Accept-Encoding",
}

interface Expected {
  readonly status: number
  readonly withBody: boolean
  readonly withToken: boolean
  readonly isKept?: boolean
}

describe("every answer", () => {
  let shop: Awaited<ReturnType<typeof openStocked>>
  beforeAll(async () => {
    shop = await openStocked({ ratePerMinute: 1_000 })
  })
  afterAll(() => shop.close())

  it.each([
    ["GET", "/v1/payouts", { status: 200, withBody: true, withToken: true }],
    ["DELETE", `${groups}/none`, { status: 404, withBody: true, withToken: true }],
    ["GET", "/nothing", { status: 404, withBody: true, withToken: false }],
    ["PATCH", "/v1/payouts", { status: 405, withBody: true, withToken: false }],
    ["GET", "/ready", { status: 200, withBody: true, withToken: false }],
    ["GET", "/openapi.json", { status: 200, withBody: true, withToken: false, isKept: true }],
  ])(
    "of %s %s has the headers of all answers, and no others",
    async (method, path, expected: Expected) => {
      const { status, headers } = await shop.ask(method, path)
      expect(status).toBe(expected.status)
      const { allow, "content-length": _, ...rest } = Object.fromEntries(headers)
      expect(allow !== undefined).toBe(status === 405)
      expect(rest).toStrictEqual({
        ...security,
        "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...(expected.withBody ? { "content-type": "application/json" } : {}),
        ...(expected.isKept === true ? kept : {}),
        ...(expected.withToken
          ? { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": expect.any(String) }
          : {}),
      })
    },
  )

  it("carries on the request id it came with, when that can be one", async () => {
    const idFor = async (id: string) =>
      (await shop.ask("GET", "/ready", { headers: { "X-Request-Id": id } })).headers.get(
        "x-request-id",
      )
    expect(await idFor("Abc-1.2_3")).toBe("Abc-1.2_3")
    expect(await idFor("x".repeat(128))).toHaveLength(128)
    for (const bad of ["", "x".repeat(129), "a b", "a/b", "<x>", "ä"]) {
      expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it("tells browsers to keep to https where it came by https", async () => {
    const { headers, json } = await shop.ask("GET", "https://shop.test/v1/payouts")
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000")
    expect(json.meta.path).toBe("https://shop.test/v1/payouts")
  })

  it("has the public address in its links, where one is given", async () => {
    const own = await open({ publicUrl: "https://api.example.com/shop/" })
    const { headers, json } = await own.ask("GET", "/api/v1/payouts?page=1")
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000")
    expect(json.meta.path).toBe("https://api.example.com/shop/api/v1/payouts")
    await own.close()
  })
})

describe("the log", () => {
  it("has a line for each request, without tokens and bodies", async () => {
    const shop = await openStocked()
    shop.log.length = 0
    const headers = { "X-Request-Id": "r1" }
    const body = { amount: 123_456, name: "Secret name" }
    await shop.ask("POST", `/v1/payouts/${shop.payoutId}/expense`, { body, headers })
    const lines = shop.log.filter(({ message }) => message[0] === "request")
    expect(lines).toEqual([
      {
        level: "Info",
        message: ["request"],
        annotations: {
          requestId: "r1",
          method: "POST",
          route: "/payouts/:payout_id/expense",
          status: 200,
          durationMillis: expect.any(Number),
        },
      },
    ])
    expect(shop.log.every(({ annotations }) => annotations.requestId === "r1")).toBe(true)
    expect(shop.log.length).toBeGreaterThan(1)
    expect(JSON.stringify(shop.log)).not.toMatch(/ada-token|Secret name|123456/)
    await shop.ask("GET", "/secret-path?token=ada-token")
    expect(shop.log.at(-1)?.annotations).toMatchObject({ route: "unknown", status: 404 })
    expect(JSON.stringify(shop.log)).not.toContain("secret-path")
    await shop.ask("OPTIONS", "/docs?token=ada-token")
    expect(shop.log.at(-1)?.annotations).toMatchObject({ route: "/docs", status: 405 })
    await shop.close()
  })

  it("has no lines for requests when they are not wanted", async () => {
    const shop = await open({ logRequests: false })
    await shop.ask("GET", "/v1/payouts")
    expect(shop.log).toEqual([])
    await shop.close()
  })
})

const broken =
  (work: StorageService["transaction"]) =>
  (storage: StorageService): StorageService => ({ ...storage, transaction: work })

const errorsIn = (log: ReadonlyArray<LogLine>) => log.filter(({ level }) => level === "Error")

describe("when the storage", () => {
  const askBroken = async (work: StorageService["transaction"]): Promise<[Shop, unknown]> => {
    const shop = await open({ ratePerMinute: 9 }, broken(work))
    const headers = { "X-Request-Id": "r1" }
    const { status, json, headers: answered } = await shop.ask("GET", "/v1/payouts", { headers })
    const [after, remaining] = [answered.get("retry-after"), answered.get("x-ratelimit-remaining")]
    return [shop, { status, json, after, remaining }]
  }

  it("fails, nothing of it is told, and the log has it", async () => {
    const failure = StorageFailure.of("read payouts", new TypeError("password is 123"))
    const [shop, answer] = await askBroken(() => Effect.fail(failure))
    const json = { message: "not available, try again" }
    expect(answer).toStrictEqual({ status: 503, json, after: "1", remaining: "8" })
    expect(errorsIn(shop.log)).toEqual([
      { level: "Error", message: ["request failed", failure], annotations: { requestId: "r1" } },
    ])
    await shop.close()
  })

  it("has a conflict that does not end, it is busy", async () => {
    const conflict = Effect.fail(Conflict.of("payout", "p1"))
    const shop = await open(
      {},
      broken(() => conflict),
    )
    const asked = shop.ask("GET", "/v1/payouts")
    const answer = await settleWith(shop, asked)
    expect(answer).toMatchObject({ status: 503, json: { message: "busy, try again" } })
    expect(answer.headers.get("retry-after")).toBe("1")
    await shop.close()
  })

  it("has a defect, it is an internal error and no more", async () => {
    const [shop, answer] = await askBroken(() => Effect.die(new TypeError("a bug, with a stack")))
    const json = { message: "internal error" }
    expect(answer).toStrictEqual({ status: 500, json, after: null, remaining: "8" })
    expect(errorsIn(shop.log)).toMatchObject([
      { message: ["request failed unexpectedly", expect.any(TypeError)] },
    ])
    await shop.close()
  })

  it("throws, it is the same", async () => {
    const [shop, answer] = await askBroken(() => {
      throw new TypeError("a bug")
    })
    expect(answer).toMatchObject({ status: 500, json: { message: "internal error" } })
    await shop.close()
  })
})

/** Lets time pass until there is an answer: whoever met a conflict waits a little before trying again. */
const settleWith = async <A>(shop: Shop, asked: Promise<A>): Promise<A> => {
  let isDone = false
  const done = asked.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await shop.pass(1)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return done
}
