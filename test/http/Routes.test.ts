import { Api } from "apportion/http"
import { Effect, Result } from "effect"
import { HttpClientRequest, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { completeOptions } from "../../src/http/HttpOptions.js"
import * as Server from "../../src/http/Server.js"
import { routes } from "./RouteTable.js"
import { groups, openStocked, readAnswer } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
})
afterAll(() => shop.close())

/** The endpoints that the definition has, as they are listed there. */
const endpoints = (() => {
  const found: Array<{ group: string; endpoint: HttpApiEndpoint.Top; status: number }> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, successes: [...successes] }) => {
      // What is answered line by line has no schema as a whole, and the usual status.
      const status = Number(successes[0]?.[0] ?? 200)
      found.push({ group: group.identifier, endpoint, status })
    },
  })
  return found
})()

it.each(Object.entries(routes))("the definition has the endpoints of %s", (group, wanted) => {
  const found = endpoints
    .filter((one) => one.group === group)
    .map(({ endpoint: { method, path, headers, payload }, status }) =>
      [
        `${method} ${path} ${status}`,
        ...(headers === undefined ? [] : ["keyed"]),
        ...(payload.size > 0 ? ["body"] : []),
      ].join(" "),
    )
  expect(found).toEqual(wanted)
})

/** What comes line by line or from platforms is known by its own ids, and a preview changes nothing. */
const withoutKey = [
  ...["/sales/lines", "/products/lines", "/sales/past/lines", "/deliveries/:shop_key"],
  ...["/sales/preview", "/sales/:order_id/refunds/preview", "/resplits/preview"],
  ...["/groups/preview", "/groups/backtest/preview", "/agreements/preview"],
]

it("there are no others, and every POST that changes something at once can have a key", () => {
  expect(Object.keys(Api.groups).toSorted()).toEqual(Object.keys(routes).toSorted())
  for (const { endpoint } of endpoints) {
    const isKeyed = endpoint.method === "POST" && !withoutKey.includes(endpoint.path)
    if (isKeyed) expect(endpoint.headers, endpoint.path).toBeDefined()
  }
})

describe("nothing stands at", () => {
  it.each([
    "/",
    "/v1",
    "/v1/",
    "/api/v1",
    "/api",
    "/api/v2/payouts",
    "/v2/payouts",
    "/V1/payouts",
    "/v1/Payouts",
    "/payouts",
    "/v1/payouts/",
    "/v1//payouts",
    "//v1/payouts",
    "/v1/payouts/p/",
    "/v1/payouts//expense",
    "/v1/payouts/p/expense/x",
    "/v1/payouts/p/unknown",
    "/v1/collaborators/ada/sales",
    "/v1/sales/1001/refunds/r1",
    "/v1/collaborators//products",
    "/v1/collaborators/ada/products/",
    "/v1/payouts/%",
    "/v1/payouts/%zz",
    "/v1/payouts/%ff",
    "/v1/payouts/%c3%28",
    "/v1/payouts/%ED%A0%80",
    "/%61pi/v1/payouts",
    "/ready/",
    "/docs/x",
    "/api/v1/ready",
  ])("%s", async (path) => {
    const { status, json } = await shop.ask("GET", `http://shop.test${path}`)
    expect(status).toBe(404)
    expect(json).toStrictEqual({ message: "there is nothing at this path" })
  })
})

describe("an id in a path", () => {
  it.each([
    ["a%2Fb", "a/b"],
    ["%00", "\u0000"],
    ["%F0%9F%8E%A8", "🎨"],
    ["a%20b", "a b"],
    ["a+b", "a+b"],
    ["a;b=1", "a;b=1"],
    ["%25", "%"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["x".repeat(5_000), "x".repeat(5_000)],
  ])("is decoded once: %s", async (written, id) => {
    const { status, json } = await shop.ask("GET", `/v1/collaborators/${written}/products`)
    expect(status).toBe(404)
    const shown = id.length > 80 ? `${id.slice(0, 80)}…` : id
    expect(json).toStrictEqual({ message: `there is no collaborator with the id ${shown}` })
  })
})

it("dots are an id like any other, where whoever made the URL has left them", async () => {
  const ask = (path: string) => {
    const request = HttpServerRequest.fromClientRequest(
      HttpClientRequest.get(path, { headers: { authorization: "Bearer ada-token" } }),
    )
    return shop.run(
      Effect.gen(function* () {
        const server = yield* Server.make(Result.getOrThrow(completeOptions()))
        const response = yield* Effect.scoped(
          Effect.provideService(server, HttpServerRequest.HttpServerRequest, request),
        )
        const web = HttpServerResponse.toWeb(response)
        return yield* Effect.promise(() => readAnswer(web))
      }).pipe(Effect.provideContext(shop.context)),
    )
  }
  expect((await ask("/v1/payouts/%2e%2E")).json).toEqual({
    message: "there is no payout with the id ..",
  })
  expect((await ask("/v1/payouts/../products")).json).toEqual({
    message: "there is nothing at this path",
  })
})

describe("a method that a path does not have", () => {
  it.each([
    ["POST", groups, "GET, HEAD, PUT"],
    ["DELETE", groups, "GET, HEAD, PUT"],
    ["OPTIONS", groups, "GET, HEAD, PUT"],
    ["PATCH", `${groups}/g`, "PUT, GET, HEAD, DELETE"],
    ["OPTIONS", "/v1/payouts", "GET, HEAD"],
    ["PROPFIND", "/v1/payouts", "GET, HEAD"],
    ["DELETE", "/v1/payouts/p", "GET, HEAD"],
    ["GET", "/v1/payouts/p/expense", "POST"],
    ["HEAD", "/v1/payouts/p/expense", "POST"],
    ["PUT", "/api/v1/payouts/p/set-paid", "POST"],
    ["DELETE", "/v1/payments", "GET, HEAD"],
    ["PUT", "/v1/payments/p", "GET, HEAD"],
    ["POST", "/v1/payments/stuck", "GET, HEAD"],
    ["DELETE", "/v1/payments/answers", "GET, HEAD, POST"],
    ["GET", "/v1/payments/p/send", "POST"],
    ["GET", "/v1/payouts/p/claim", "POST"],
    ["POST", "/v1/payouts/p/payments", "GET, HEAD"],
    ["DELETE", "/v1/collaborators/ada", "GET, HEAD, PUT"],
    ["GET", "/v1/sales/1001/refunds", "POST"],
    ["DELETE", "/v1/sales/lines", "POST, GET, HEAD"],
    ["POST", "/v1/settings", "GET, HEAD, PUT"],
    ["PUT", "/v1/settings/changes", "GET, HEAD"],
    ["POST", "/health", "GET, HEAD"],
    ["POST", "/ready", "GET, HEAD"],
    ["POST", "/docs", "GET, HEAD"],
    ["PUT", "/openapi.json", "GET, HEAD"],
  ])("is refused with the ones it has: %s %s", async (method, path, allow) => {
    const { status, headers, json } = await shop.ask(method, path)
    expect(status).toBe(405)
    expect(headers.get("allow")).toBe(allow)
    expect(json ?? {}).toStrictEqual(
      method === "HEAD"
        ? {}
        : { message: `the method ${method} is not allowed here, only ${allow}` },
    )
  })
})

it("HEAD is answered as GET is, without the body", async () => {
  const path = `${groups}/${shop.groupId}`
  const [get, head] = [await shop.ask("GET", path), await shop.ask("HEAD", path)]
  expect(head.status).toBe(200)
  expect(head.text).toBe("")
  expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"))
  expect((await shop.ask("HEAD", `${groups}/none`)).status).toBe(404)
})
