/** What a server tells of itself: its log and its figures; and the settings that it is started with. */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { Folder } from "../world.js"
import { serve } from "./InProcess.js"

const folder = new Folder()
afterAll(() => folder.remove())

const token = "secret-of-these-tests"
const shopSecret = "hush-hush-of-these-tests"

const ask = async (url: string, method: string, path: string, body?: object) => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, json: JSON.parse((await answer.text()) || "null") }
}

const shops = () =>
  folder.file("shops.json", {
    shops: [
      {
        ...{ key: "north", platform: "shopify", shop: "north.myshopify.com", currency: "EUR" },
        secrets: [shopSecret],
      },
    ],
  })

const deliver = async (url: string, topic: string, content: object, secret = shopSecret) => {
  const body = JSON.stringify(content)
  const answer = await fetch(`${url}/v1/deliveries/north`, {
    method: "POST",
    body,
    headers: {
      "X-Shopify-Topic": topic,
      "X-Shopify-Shop-Domain": "north.myshopify.com",
      "X-Shopify-Hmac-Sha256": createHmac("sha256", secret).update(body).digest("base64"),
    },
  })
  return answer.status
}

const people = ["Ada Lovelace", "ada@example.com", "12 Heron Lane", "+44 20 7946 0000"]
const [name = "", email = "", street = "", phone = ""] = people

/** Requests that say all there is to say about people, fine ones and broken ones. */
const tellOfPeople = async (url: string) => {
  const account = { name, email, phone, address: street, paypalEmail: email }
  const collaborator = { id: "c1", currency: "EUR", notes: street, account }
  await ask(url, "POST", "/v1/collaborators", collaborator)
  await ask(url, "POST", "/v1/collaborators", { ...collaborator, currency: name })
  await ask(url, "GET", `/v1/products?search=${encodeURIComponent(name)}`)
  await ask(url, "GET", `/v1/nowhere/${encodeURIComponent(email)}`)
  const item = { id: "1", amount: 500, product: { id: "p1" } }
  await ask(url, "POST", "/v1/sales", { id: "s1", currency: "EUR", items: [item], email, name })
  await ask(url, "POST", "/v1/collaborators/c1/expense", { amount: 5, name: "Tea", note: street })
  await ask(url, "POST", "/v1/webhooks", { url: "https://example.com/hooks/s3cret-path" })
  const address = { name, address1: street, phone }
  const order = {
    ...{ id: 1001, currency: "EUR", financial_status: "paid", email, billing_address: address },
    ...{ created_at: "2024-05-02T08:00:00Z", updated_at: "2024-05-02T08:00:00Z" },
    customer: { first_name: name, email, phone },
    line_items: [{ id: 1, product_id: 7, quantity: 1, price: "20.00", vendor: "North" }],
  }
  expect(await deliver(url, "orders/create", order)).toBe(200)
  expect(await deliver(url, "orders/create", { ...order, email: [] }, "guessed-secret")).toBe(401)
  const wrong = await fetch(`${url}/v1/payouts`, { headers: { authorization: `Bearer x${token}` } })
  expect(wrong.status).toBe(401)
}

describe("the log of a server", () => {
  it.each(["text", "json"])("holds nothing about people and no secret, as %s", async (format) => {
    const flags = ["--log-format", format, "--log-level", "debug", "--shops", shops()]
    const { url, err, stop } = await serve(["--port", "0", "--token", token, ...flags])
    await tellOfPeople(url)
    await stop()
    const log = err.join("")
    expect(log).toContain("sale recorded")
    for (const secret of [...people, token, shopSecret, "s3cret-path", "Lovelace", "Heron"]) {
      expect(log).not.toContain(secret)
      expect(log).not.toContain(encodeURIComponent(secret))
    }
  })

  it("is a line of JSON for each, with its level and time", async () => {
    const flags = ["--log-format", "json", "--metrics-port", "0"]
    const { url, err, stop } = await serve(["--port", "0", "--token", token, ...flags])
    await ask(url, "GET", "/v1/payouts")
    await stop()
    const lines: ReadonlyArray<Record<string, unknown>> = err
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.map(({ message }) => [message].flat()[0])).toEqual(
      expect.arrayContaining(["request"]),
    )
    for (const line of lines) {
      expect(line.level).toBe("INFO")
      expect(Date.parse(String(line.timestamp))).not.toBeNaN()
    }
    const request = lines.find(({ message }) => message === "request")
    expect(request?.annotations).toMatchObject({ method: "GET", route: "/payouts", status: 200 })
  })

  it("leaves out what is below its level", async () => {
    const flags = ["--log-level", "warning", "--no-pages"]
    const { url, err, stop } = await serve(["--port", "0", "--token", token, ...flags])
    await ask(url, "GET", "/v1/payouts")
    await stop()
    expect(err).toEqual([])
  })
})

/** The figures by their whole names. */
const readMetrics = async (url: string): Promise<ReadonlyMap<string, number>> => {
  const text = await (await fetch(url)).text()
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const place = line.lastIndexOf(" ")
        return [line.slice(0, place), Number(line.slice(place + 1))] as const
      }),
  )
}

const metricsUrl = (err: ReadonlyArray<string>) =>
  /metrics are at (\S+)/.exec(err.join(""))?.[1] ?? "none"

describe("the figures of a server", () => {
  it("count requests, sales, payouts, deliveries and what waits, on a port of their own", async () => {
    const flags = ["--metrics-port", "0", "--shops", shops()]
    const { url, err } = await serve(["--port", "0", "--token", token, ...flags])
    await tellOfPeople(url)
    const [payout] = (await ask(url, "GET", "/v1/payouts")).json.data
    const claimed = await ask(url, "POST", `/v1/payouts/${payout?.id}/claim`, { rail: "sepa" })
    expect(claimed.status).toBe(409)
    const figures = await readMetrics(metricsUrl(err))
    const requests = (labels: string) => figures.get(`apportion_http_requests_total{${labels}}`)
    expect(requests('method="POST",route="/sales",status="200"')).toBe(1)
    expect(requests('method="GET",route="unknown",status="404"')).toBe(1)
    expect(requests('method="POST",route="/deliveries/:shop_key",status="401"')).toBe(1)
    const seconds = "apportion_http_request_duration_seconds"
    expect(figures.get(`${seconds}_count{method="POST",route="/sales"}`)).toBe(1)
    expect(figures.get('apportion_events_total{type="sale.recorded"}')).toBeGreaterThan(0)
    const delivered = (outcome: string) =>
      figures.get(`apportion_deliveries_total{outcome="${outcome}",platform="shopify"}`) ??
      figures.get(`apportion_deliveries_total{platform="shopify",outcome="${outcome}"}`)
    expect(delivered("InvalidSignature")).toBe(1)
    expect((delivered("done") ?? 0) + (delivered("waiting") ?? 0)).toBe(1)
    expect(figures.get('apportion_open_payments{status="claimed"}')).toBe(0)
    expect(figures.get("apportion_webhook_events_waiting")).toBeGreaterThanOrEqual(0)
    expect(figures.get("apportion_inbox_entries")).toBeGreaterThanOrEqual(0)
    expect(figures.get("apportion_lookup_ok")).toBe(1)
    const names = [...figures.keys()].join("\n")
    for (const secret of [...people, token, "s1", "c1"]) expect(names).not.toContain(`"${secret}"`)
  })

  it("are not on the port of the API, and nothing else is on theirs", async () => {
    const { url, err } = await serve(["--port", "0", "--token", token, "--metrics-port", "0"])
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    const metrics = metricsUrl(err)
    expect((await fetch(metrics)).headers.get("content-type")).toContain("version=0.0.4")
    expect((await fetch(metrics.replace("/metrics", "/v1/payouts"))).status).toBe(404)
    expect((await fetch(metrics, { method: "POST" })).status).toBe(405)
  })

  it("are those of this server alone", async () => {
    const flags = ["--port", "0", "--token", token, "--metrics-port", "0"]
    const first = await serve(flags)
    await ask(first.url, "GET", "/v1/settings")
    const second = await serve(flags)
    const name = 'apportion_http_requests_total{method="GET",route="/settings",status="200"}'
    expect((await readMetrics(metricsUrl(first.err))).get(name)).toBe(1)
    expect((await readMetrics(metricsUrl(second.err))).get(name)).toBeUndefined()
  })
})

describe("a collector", () => {
  it("gets the log, the figures and the spans of the services, without addresses and queries", async () => {
    const got = new Map<string, string>()
    const collector = createServer((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (piece: string) => {
        text += piece
      })
      request.on("end", () => {
        const path = request.url ?? ""
        got.set(path, `${got.get(path) ?? ""}${text}`)
        response.end("{}")
      })
    }).listen(0, "127.0.0.1")
    await once(collector, "listening")
    onTestFinished(() => void collector.close())
    const { port } = collector.address() as AddressInfo
    const flags = ["--otlp", `http://127.0.0.1:${port}`, "--shops", shops()]
    const { url, stop } = await serve(["--port", "0", "--token", token, ...flags])
    await tellOfPeople(url)
    await stop()
    expect([...got.keys()].toSorted()).toEqual(["/v1/logs", "/v1/metrics", "/v1/traces"])
    expect(got.get("/v1/logs")).toContain("sale recorded")
    expect(got.get("/v1/metrics")).toContain("apportion_http_requests_total")
    expect(got.get("/v1/traces")).toContain("Sales.record")
    const all = [...got.values()].join("")
    for (const secret of [...people, token, shopSecret, "s3cret-path", "127.0.0.1"]) {
      expect(all).not.toContain(secret)
      expect(all).not.toContain(encodeURIComponent(secret))
    }
  })
})

describe("the settings of a server", () => {
  it("are those of its policy and its days, which GET /settings shows", async () => {
    const policy = folder.file("policy.json", { tax: "keep", time_zone: "Europe/Paris" })
    const flags = ["--policy", policy, "--maturity-days", "14"]
    const { url } = await serve(["--port", "0", "--token", token, ...flags])
    const { json } = await ask(url, "GET", "/v1/settings")
    expect(json.data).toMatchObject({
      policy: { tax: "keep", time_zone: "Europe/Paris" },
      maturity_days: 14,
    })
  })

  it("convert what is sold in another currency by the rates of a file", async () => {
    const rates = folder.file("rates.json", [
      { from: "USD", to: "EUR", rate: "0.5", from_date: "2024-01-01" },
    ])
    const sell = async (flags: ReadonlyArray<string>) => {
      const { url } = await serve(["--port", "0", "--token", token, ...flags])
      await ask(url, "POST", "/v1/collaborators", { id: "c1", currency: "EUR" })
      const group = { itemType: "products.all", type: "percentage", percentage: 10 }
      await ask(url, "PUT", "/v1/collaborators/c1/products", group)
      const item = { id: "1", amount: 10_000, product: { id: "p1" } }
      const sale = { id: "s1", currency: "USD", items: [item] }
      const { status } = await ask(url, "POST", "/v1/sales", sale)
      const [payout] = (await ask(url, "GET", "/v1/payouts")).json.data
      const { json } = await ask(url, "GET", `/v1/payouts/${payout?.id}`)
      return { status, total: json.data?.total }
    }
    expect(await sell([])).toEqual({ status: 409, total: undefined })
    expect(await sell(["--rates", rates])).toEqual({ status: 200, total: 500 })
  })
})
