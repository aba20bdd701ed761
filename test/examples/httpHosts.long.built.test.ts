import { once } from "node:events"
import { request } from "node:http"
import { join } from "node:path"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { folder, HttpHost } from "./HttpHost.js"

const authorized = { authorization: "Bearer paper-heron-at-dusk" }
const groups = "/api/v1/collaborators/ada/products"
const group = { itemType: "products.tag", items: ["art"], type: "percentage", percent: "12.50" }

/** Bytes of which nobody says beforehand how many there are. */
const unannounced = (length: number) =>
  new Blob([" ".repeat(length)]).stream().pipeThrough(new TransformStream())

const hosts = ["node", "express", "fastify", "hono", "worker-host"]
const withOwnPage = ["express", "fastify", "hono"]

/** Where nothing listens, or listens any more. */
const isClosed = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.text().then(() => false),
    () => true,
  )

describe.each(hosts)("the API in %s.mjs", (name) => {
  const host = new HttpHost(`${name}.mjs`)
  let base: string
  beforeAll(async () => {
    base = await host.url()
  }, 60_000)
  afterAll(() => host.kill())

  const ask = async (method: string, path: string, rest: RequestInit = {}) => {
    const response = await fetch(`${base}${path}`, { method, headers: authorized, ...rest })
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, text, json: text.startsWith("{") ? JSON.parse(text) : undefined }
  }

  it("says where it is, and that it is ready", async () => {
    expect(host.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
    expect(await ask("GET", "/ready", { headers: {} })).toMatchObject({
      status: 200,
      json: { status: "ready" },
    })
    const { json } = await ask("GET", "/openapi.json", { headers: {} })
    expect(json.openapi).toBe("3.1.0")
  })

  it("lets in those who have the token", async () => {
    const { status, json, headers } = await ask("GET", groups, { headers: {} })
    expect(status).toBe(401)
    expect(json).toEqual({ message: expect.any(String) })
    expect(headers.get("www-authenticate")).toBe("Bearer")
    const named = await ask("GET", groups, { headers: { ...authorized, "x-request-id": "r1" } })
    expect(named.status).toBe(200)
    expect(named.headers.get("x-request-id")).toBe("r1")
    expect(named.headers.get("content-type")).toBe("application/json")
  })

  it.each(["application/json", "text/plain", "x/y; charset=utf-8"])(
    "creates a group of a body that is said to be %s",
    async (type) => {
      const headers = { ...authorized, "content-type": type }
      const made = await ask("PUT", groups, { headers, body: JSON.stringify(group) })
      expect(made.status, made.text).toBe(201)
      expect(made.json.data).toMatchObject({ type: "product.tag", percent: 12.5 })
      const own = `${groups}/${made.json.data.id}`
      expect((await ask("GET", own)).json.data).toMatchObject({ percent: "12.50" })
      const removed = await ask("DELETE", own)
      expect(removed).toMatchObject({ status: 204, text: "" })
      expect((await ask("GET", own)).status).toBe(404)
    },
  )

  it("lists, with the address that was asked", async () => {
    const { json } = await ask("GET", `${groups}?page=2&per_page=1000`)
    expect(json).toEqual({
      data: [],
      meta: {
        ...{ current_page: 2, from: null, last_page: 1, per_page: 100, to: null, total: 0 },
        path: `${base}${groups}`,
      },
    })
    expect((await ask("HEAD", groups)).status).toBe(200)
    const filtered = await ask("GET", "/v1/payouts?paidDate%5Bstart_date%5D=1&paidDate[end_date]=2")
    expect(filtered).toMatchObject({ status: 200, json: { data: [], meta: { total: 0 } } })
  })

  it("answers what is not there, or can't be done there, as the API does", async () => {
    for (const path of ["/api/v1/nothing", "/api/v1/payouts/none", "/", "/api/v1/payouts/"]) {
      const { status, json } = await ask("GET", path)
      expect([path, status, json]).toEqual([path, 404, { message: expect.any(String) }])
    }
    const { status, headers, json } = await ask("DELETE", "/api/v1/payouts")
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"])
    expect(json).toEqual({ message: expect.any(String) })
  })

  it("answers a body that can't be used as the API does", async () => {
    const headers = { ...authorized, "content-type": "application/json" }
    const broken = await ask("PUT", groups, { headers, body: '{"itemType":' })
    expect(broken).toMatchObject({ status: 400, json: { message: "the body is not valid JSON" } })
    const empty = await ask("PUT", groups, { headers })
    expect(empty.status).toBe(400)
    const invalid = await ask("PUT", groups, { headers, body: JSON.stringify({ itemType: 5 }) })
    expect(invalid).toMatchObject({
      status: 422,
      json: { errors: { itemType: [expect.any(String)] } },
    })
  })

  it("refuses a body of more than a mebibyte, announced or not, and takes one that is as large", async () => {
    const headers = { ...authorized, "content-type": "application/json" }
    const json = { message: "the body is longer than 1048576 bytes" }
    const body = " ".repeat(1_048_577)
    expect(await ask("PUT", groups, { headers, body })).toMatchObject({ status: 413, json })
    const streamed = { headers, body: unannounced(1_048_577), duplex: "half" as const }
    expect(await ask("PUT", groups, streamed)).toMatchObject({ status: 413, json })
    const large = JSON.stringify(group).padEnd(1_048_576)
    expect((await ask("PUT", groups, { headers, body: large })).status).toBe(201)
  })

  it("ends when it is told to, and has said no more than its address", async () => {
    expect(await host.end()).toBe(0)
    expect([host.out, host.err]).toEqual([`${base}\n`, ""])
  })
})

describe.each(hosts)("%s.mjs, when it is told to end", (name) => {
  it("answers what is under way, and takes no more", async () => {
    const host = new HttpHost(`${name}.mjs`)
    onTestFinished(() => host.kill())
    const base = await host.url()
    const headers = { ...authorized, expect: "100-continue", connection: "close" }
    const sent = request(`${base}${groups}`, { method: "PUT", headers })
    const continued = once(sent, "continue")
    const answered = once(sent, "response")
    sent.flushHeaders()
    // The host asks for the body: the request is under way.
    await continued
    const ended = host.end()
    for (let tries = 0; tries < 1_000 && !(await isClosed(`${base}/ready`)); tries++) {
      await new Promise(setImmediate)
    }
    expect(await isClosed(`${base}/ready`)).toBe(true)
    sent.end(JSON.stringify(group))
    const [response] = await answered
    expect(response.statusCode).toBe(201)
    response.resume()
    expect(await ended).toBe(0)
    expect(host.err).toBe("")
  })
})

describe.each(withOwnPage)("%s.mjs", (name) => {
  it("leaves the application its own routes, and has the address that it is given", async () => {
    const host = new HttpHost(`${name}.mjs`, { PUBLIC_URL: "https://api.example.com" })
    onTestFinished(() => host.kill())
    const base = await host.url()
    const page = await fetch(`${base}/hello`)
    expect([page.status, await page.text()]).toEqual([200, "This is the shop's own page."])
    const listed = await fetch(`${base}${groups}`, { headers: authorized })
    expect(listed.headers.get("strict-transport-security")).toBe("max-age=31536000")
    expect(await listed.json()).toMatchObject({
      meta: { path: `https://api.example.com${groups}` },
    })
    expect(await host.end()).toBe(0)
  })
})

it("the worker needs nothing of Node, and makes its API with the first request", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, "worker.mjs")],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
    // What is built, not the sources.
    tsconfigRaw: "{}",
  })
  const inputs = Object.keys(metafile.inputs)
  expect(inputs.filter((path) => path.startsWith("dist/http/")).length).toBeGreaterThan(10)
  const [bundle] = outputFiles
  const url = `data:text/javascript;base64,${Buffer.from(bundle?.contents ?? []).toString("base64")}`
  const { worker } = await import(/* @vite-ignore */ url)
  const ask = (path: string) =>
    worker.fetch(new Request(`https://edge.test${path}`, { headers: authorized }))
  const [one, other] = await Promise.all([ask("/ready"), ask(groups)])
  expect([one.status, other.status]).toEqual([200, 200])
  expect((await other.json()).meta.path).toBe(`https://edge.test${groups}`)
})
