import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import { expect, it } from "vitest"
import * as Deeds from "./Deeds.js"
import { ask, type Served } from "./Served.js"
import { ServedPrograms } from "./ServedPrograms.js"

const programs = new ServedPrograms()

const serve = (data: string): Served => programs.serveFolder(data, "--webhooks", "any")

/** A receiver that keeps what it takes, and refuses one in thirty. */
const receive = async () => {
  const taken: Array<{ readonly body: string; readonly headers: IncomingHttpHeaders }> = []
  let asked = 0
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += String(chunk)
    const isRefused = ++asked % 30 === 0
    if (!isRefused) taken.push({ body, headers: request.headers })
    response.writeHead(isRefused ? 503 : 204).end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { taken, url: `http://127.0.0.1:${port}/hooks`, close: () => server.close() }
}

it("serve sends each event at least once and in order, however often it is ended and started again", async () => {
  const receiver = await receive()
  const data = await programs.emptyData("webhooks")
  let key = ""
  let last = 0
  for (let round = 0; round < 2; round++) {
    const served = serve(data)
    const base = await served.url()
    if (round === 0) {
      const body = { url: receiver.url, after: 0 }
      const made = await ask(base, { method: "POST", path: "/v1/webhooks", body })
      expect(made.status, made.text).toBe(201)
      key = JSON.parse(made.text).data.key
    }
    for (let count = 0; count < 15; count++) {
      const answer = await Deeds.doDeed(base, Deeds.anyDeed())
      expect(Deeds.isDone(answer), answer.text).toBe(true)
    }
    // Ended at any time: while it sends, while it waits, or before it has begun.
    await wait(round * 800)
    const { text } = await ask(base, { method: "GET", path: "/v1/events?limit=1" })
    last = JSON.parse(text).meta.last
    expect(await served.end("SIGTERM")).toBe(0)
  }
  const served = serve(data)
  await served.url()
  const numbers = () => receiver.taken.map(({ body }) => Number(JSON.parse(body).number))
  while (!numbers().includes(last)) await wait(50)
  expect(last).toBeGreaterThan(25)
  // Each number is the next one, or one that came before: nothing is passed over.
  let highest = 0
  for (const number of numbers()) {
    expect(number).toBeLessThanOrEqual(highest + 1)
    highest = Math.max(highest, number)
  }
  expect(highest).toBe(last)
  for (const { body, headers } of receiver.taken) {
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
    expect(() => new Webhook(key).verify(body, signed)).not.toThrow()
    expect(signed["webhook-id"]).toBe(JSON.parse(body).id)
  }
  expect(await served.end("SIGTERM")).toBe(0)
  receiver.close()
}, 300_000)
