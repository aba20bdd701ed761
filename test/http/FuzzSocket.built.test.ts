import { createConnection } from "node:net"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Folder } from "../cli/world.js"
import { runs } from "../generators/Runs.js"
import { type Raw, raw, token } from "./fuzz/Raw.js"
import { type Served, serve } from "./fuzz/Served.js"
import {
  askPlainly,
  exchange,
  exchangeToEnd,
  plainRequest,
  type RawAnswer,
  readAnswers,
} from "./fuzz/Wire.js"

const folder = new Folder()
const store = folder.file("store.json", {
  collaborators: [{ id: "ada", currency: "EUR", account: { name: "Ada" } }],
  products: [{ id: "p1", name: "Mug", tags: ["art"] }],
  groups: [{ id: "g1", collaborator_id: "ada", itemType: "products.all", percent: 5 }],
  payouts: [
    {
      ...{ id: "p1", currency: "EUR", collaborator: "ada", status: "pending" },
      ...{ to_be_paid_at: 1_700_000_000, paid_at: null, items: [] },
    },
  ],
})

let served: Served
beforeAll(async () => {
  served = await serve(token, store)
})
afterAll(async () => {
  await served.end()
  folder.remove()
})

const isFine = async (): Promise<boolean> =>
  (await askPlainly(served.port, "/v1/payouts/p1", token))?.status === 200

/** What the API answers itself, and what Node does with what is no request. */
const ofApi = [200, 201, 204, 400, 401, 404, 405, 409, 413, 422]
const ofNode = [100, 400, 408, 413, 417, 431]

const always = ["x-content-type-options", "cache-control", "referrer-policy", "x-frame-options"]

const problemsOf = ({ status, headers, body }: RawAnswer): ReadonlyArray<string> => {
  const isOfApi = headers.has("x-request-id")
  if (!isOfApi) return ofNode.includes(status) ? [] : [`status ${status}`]
  const isPage = headers.get("content-type")?.startsWith("text/html") === true
  return [
    ...(ofApi.includes(status) ? [] : [`status ${status}`]),
    ...always.filter((name) => !headers.has(name)).map((name) => `no ${name}`),
    ...(headers.has("set-cookie") ? ["a cookie"] : []),
    ...(!isPage && /\n\s+at |node_modules|Error:|\.js:\d/.test(body) ? ["the inside"] : []),
    ...(status >= 400 && body !== "" && !/^\{"message":"/.test(body) ? [body.slice(0, 200)] : []),
  ]
}

const problemsWith = async (one: Raw): Promise<ReadonlyArray<string>> => {
  const { answers, rest } = readAnswers(await exchange(served.port, one))
  const isStrange = rest !== "" && !rest.startsWith("HTTP/1.1 ")
  return [...answers.flatMap(problemsOf), ...(isStrange ? [rest.slice(0, 200)] : [])]
}

describe("a server that is sent anything", () => {
  it("answers what is a request, refuses what is none, and goes on", async () => {
    const { numRuns } = runs(240)
    const all = fc.sample(raw, { numRuns, seed: 11 })
    const together = 12
    for (let at = 0; at < all.length; at += together) {
      const some = all.slice(at, at + together)
      const problems = await Promise.all(some.map(problemsWith))
      expect(
        problems.flatMap((found, index) => found.map((each) => [each, some[index]?.what])),
      ).toEqual([])
    }
    expect(served.isAlive()).toBe(true)
    expect(await isFine()).toBe(true)
    expect(served.said()).not.toMatch(/level=(?:Error|Fatal|Warn)/i)
  }, 600_000)

  it("answers requests that come one behind the other, in their order", async () => {
    const paths = [
      "/v1/payouts",
      "/v1/nothing",
      "/v1/payouts?page=x",
      "/v1/payouts/nobody",
      "/ready",
    ]
    const requests = paths.map((path, index) => {
      const ending = index === paths.length - 1 ? ["Connection: close"] : []
      const own = [`Authorization: Bearer ${token}`, `X-Request-Id: r${index}`, ...ending]
      return plainRequest(path, own)
    })
    const text = await exchangeToEnd(served.port, requests.join(""))
    const { answers } = readAnswers(text)
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 422, 404, 200])
    expect(answers.map(({ headers }) => headers.get("x-request-id"))).toEqual([
      "r0",
      "r1",
      "r2",
      "r3",
      "r4",
    ])
  })

  it("tells nobody's name and password in its links", async () => {
    const headers = [`Authorization: Bearer ${token}`, "Connection: close"]
    const request = plainRequest("http://me:secret@shop.test/v1/payouts", headers)
    const [answer] = readAnswers(await exchangeToEnd(served.port, request)).answers
    expect(answer?.status).toBe(200)
    expect(answer?.body).toContain('"path":"http://shop.test/v1/payouts"')
  })

  it.each(["a b", "@", "[::1", "a/b?c#d", ""])(
    "answers a request for the host %j with 400, as all others are answered",
    async (host) => {
      const lines = ["GET /v1/payouts HTTP/1.1", `Host: ${host}`, "Connection: close"]
      const text = await exchangeToEnd(served.port, `${lines.join("\r\n")}\r\n\r\n`)
      const [answer] = readAnswers(text).answers
      expect(answer?.status).toBe(400)
      expect(JSON.parse(answer?.body ?? "")).toEqual({ message: expect.any(String) })
      expect(
        ["x-request-id", ...always].filter((name) => answer?.headers.has(name) !== true),
      ).toEqual([])
    },
  )

  it("goes on for others while many never end what they began", async () => {
    const lines = [
      "POST /v1/payouts/p1/expense HTTP/1.1",
      "Host: a",
      `Authorization: Bearer ${token}`,
    ]
    const begun = `${lines.join("\r\n")}\r\nContent-Length: 1000\r\n\r\n{"amount"`
    const held = Array.from({ length: 50 }, (_, index) => {
      const socket = createConnection(served.port, "127.0.0.1")
      socket.on("error", () => undefined)
      socket.write(index % 2 === 0 ? begun : "GET /v1/payouts HTTP/1.1\r\nHost: a\r\nX-Slow: ")
      return socket
    })
    expect(await isFine()).toBe(true)
    for (const socket of held) socket.destroy()
    expect(await isFine()).toBe(true)
  })
})
