/** What random requests have found: each as the request that showed it. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { recordIn } from "./fuzz/Model.js"
import { open, type World } from "./fuzz/World.js"

let world: World
beforeAll(async () => {
  world = await open()
})
afterAll(() => world.close())

const authorization = "Bearer first-token"

const get = (address: string) =>
  world.handler(new Request(`http://shop.test${address}`, { headers: { authorization } }))

it.each([
  ["/v1/payouts??page=x", 1],
  ["/v1/payouts??page=2", 1],
  ["/v1/payouts?page=1#x", 1],
  ["/v1/payouts?page=2#page=x", 2],
  ["/v1/payouts#?page=x", 1],
])(
  "%s asks for page %i: a second question mark is part of a name, a fragment of nothing",
  async (address, page) => {
    const response = await get(address)
    expect(response.status).toBe(200)
    expect(recordIn(await response.json(), "meta").current_page).toBe(page)
  },
)

const chunks: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
  ["null", [null]],
  ["nothing", [undefined]],
  ["texts", ['{"amount":1,', '"name":"x"}']],
  ["numbers", [5, 6]],
  ["a length below 0", [{ length: -5 }, new Uint8Array(5)]],
  ["buffers", [new TextEncoder().encode('{"amount":1,"name":"x"}').buffer]],
]

it.each(chunks)("a body whose parts are %s instead of bytes can't be read", async (_, parts) => {
  const body = new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  const headers = { authorization }
  const options = { method: "POST", headers, body, duplex: "half" as const }
  const request = new Request("http://shop.test/v1/payouts/p-active/expense", options)
  const response = await world.handler(request)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ message: expect.any(String) })
})
