import { createServer } from "node:http"
import { makeApportion } from "apportion/promise"
import { Webhook } from "standardwebhooks"
import { expect, test, vi } from "vitest"

const shop = "shop"

test("a host reads what happened after a number", async () => {
  const apportion = await makeApportion()
  await apportion.as("alice").collaborators.create(shop, { id: "ada", currency: "EUR" })
  await apportion.collaborators.create(shop, { id: "ben", currency: "EUR" })
  const events = await apportion.events.after(shop, 0)
  expect(events.map(({ number, type, actor }) => ({ number, type, actor }))).toEqual([
    { number: 1, type: "collaborator.created", actor: "alice" },
    { number: 2, type: "collaborator.created", actor: "system" },
  ])
  expect(await apportion.events.after(shop, 1)).toEqual(events.slice(1))
  expect(await apportion.events.last(shop)).toBe(2)
  await expect(apportion.events.after(shop, -1)).rejects.toMatchObject({ _tag: "InvalidArgument" })
  await apportion.close()
})

test("a loop gets events as they come, until it is left or everything is closed", async () => {
  const apportion = await makeApportion()
  await apportion.collaborators.create(shop, { id: "ada", currency: "EUR" })
  const numbers: Array<number> = []
  for await (const { number } of apportion.events.follow(shop, { every: 10 })) {
    numbers.push(number)
    if (number === 3) break
    await apportion.collaborators.create(shop, { id: `next ${number}`, currency: "EUR" })
  }
  expect(numbers).toEqual([1, 2, 3])
  const begun = Promise.withResolvers<void>()
  const ending = (async () => {
    for await (const { number } of apportion.events.follow(shop, { after: 2 })) {
      numbers.push(number)
      begun.resolve()
    }
  })()
  await begun.promise
  await apportion.close()
  await ending
  expect(numbers).toEqual([1, 2, 3, 3])
})

test("events are sent to an endpoint, signed with the key that was shown", async () => {
  const received: Array<{ headers: Record<string, string>; body: string }> = []
  const arrived = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      received.push({ headers: Object.fromEntries(headers), body })
      response.writeHead(204).end()
      arrived.resolve()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const apportion = await makeApportion({
    settings: { webhookTargets: "any" },
    sendWebhooksEvery: 1,
  })
  const url = `http://127.0.0.1:${port}/hooks`
  const { key } = await apportion.webhooks.create(shop, { url, types: ["collaborator.created"] })
  await apportion.collaborators.create(shop, { id: "ada", currency: "EUR" })
  await arrived.promise
  await apportion.close()
  server.close()
  const [{ body = "", headers = {} } = {}] = received
  expect(new Webhook(key).verify(body, headers)).toMatchObject({
    type: "collaborator.created",
    data: { collaborator_id: "ada", currency: "EUR" },
  })
})

test.each([
  ["leads to a private network", async () => ["93.184.215.14", "10.0.0.7"]],
  ["can't be looked up", () => Promise.reject(new Error("ENOTFOUND"))],
])(
  "nothing is sent to a host whose name %s",
  async (_name, addressesOf) => {
    const resolveHost = vi.fn((_host: string): Promise<ReadonlyArray<string>> => addressesOf())
    const apportion = await makeApportion({ sendWebhooksEvery: 1, resolveHost })
    const { id } = await apportion.webhooks.create(shop, { url: "https://hooks.example.com/a" })
    await apportion.collaborators.create(shop, { id: "ada", currency: "EUR" })
    await vi.waitFor(
      async () => {
        const { failure } = await apportion.webhooks.get(shop, id)
        expect(failure).toBe("the host leads to no public address")
      },
      { timeout: 20_000 },
    )
    expect(resolveHost).toHaveBeenCalledWith("hooks.example.com")
    await apportion.close()
  },
  30_000,
)
