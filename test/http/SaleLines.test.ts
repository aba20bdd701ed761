import { StorageFailure } from "apportion/ports"
import { Effect } from "effect"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { open, openStocked, requestOf } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
})
afterEach(() => shop.close())

const order = (id: string, amount = 1_000) => ({
  ...{ id, currency: "EUR" },
  items: [{ id: "1", amount, product: { id: "p1" } }],
})

const line = (id: string, amount?: number) => JSON.stringify(order(id, amount))

const send = (body: string | Uint8Array) =>
  shop.api.handler(requestOf("POST", "/v1/sales/lines", { body }))

const answersIn = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((each) => JSON.parse(each))

const ask = async (body: string | Uint8Array) => answersIn(await (await send(body)).text())

const recorded = (number: number, id: string) => ({
  ...{ line: number, order_id: id, new_items: 1, known_items: 0, notes: [], refusal: null },
})

const sales = async () => {
  const { json } = await shop.ask("GET", "/v1/sales?per_page=100")
  return json.data.map(({ order_id }: { order_id: string }) => order_id)
}

describe("sales that come one a line", () => {
  it("are recorded each by itself, with an answer a line in their order", async () => {
    const response = await send(`${line("a")}\n\n  \r\n${line("b")}\r\n${line("c")}`)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/x-ndjson")
    expect(response.headers.get("x-request-id")).not.toBeNull()
    expect(answersIn(await response.text())).toStrictEqual([
      ...[recorded(1, "a"), recorded(4, "b"), recorded(5, "c")],
    ])
    expect(await sales()).toEqual(["a", "b", "c", "o1"])
  })

  it("change nothing when they come again", async () => {
    const body = `${line("a")}\n${line("b")}\n`
    await ask(body)
    const before = (await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)).text
    const again = await ask(body)
    expect(again.map(({ new_items, known_items }) => [new_items, known_items])).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect((await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)).text).toBe(before)
  })

  it("harm no others when one is refused, and say what a request with it alone would be told", async () => {
    await ask(line("known"))
    const bad: ReadonlyArray<readonly [string | Uint8Array, number, string | null]> = [
      ["{", 400, null],
      ["5", 422, null],
      [JSON.stringify({ id: "x", currency: "EUR", items: [{}] }), 422, "x"],
      [line("known", 5), 409, "known"],
      [JSON.stringify({ ...order("chf"), currency: "CHF" }), 409, "chf"],
      [new Uint8Array([0x22, 0xff, 0x22]), 400, null],
      [`"${" ".repeat(1_048_576)}"`, 413, null],
      ["[".repeat(70), 400, null],
    ]
    const encoder = new TextEncoder()
    const bytes = bad.flatMap(([text], index) => [
      ...(typeof text === "string" ? encoder.encode(text) : text),
      ...encoder.encode(`\n${line(`good ${index}`)}\n`),
    ])
    const answers = await ask(new Uint8Array(bytes))
    expect(answers).toHaveLength(bad.length * 2)
    for (const [index, [text, status, id]] of bad.entries()) {
      const [refused, good] = answers.slice(index * 2)
      expect(refused).toMatchObject({ order_id: id, new_items: 0, refusal: { status } })
      expect(good).toMatchObject({ order_id: `good ${index}`, refusal: null })
      if (typeof text !== "string" || status === 413 || status === 400) continue
      const alone = await shop.ask("POST", "/v1/sales", { body: text })
      expect({ status: alone.status, ...alone.json }).toStrictEqual(refused.refusal)
    }
  })

  it("need a token, and nothing is read without one", async () => {
    const { status } = await shop.ask("POST", "/v1/sales/lines", { body: line("a"), token: "no" })
    expect(status).toBe(401)
    expect((await shop.ask("POST", "/v1/sales/lines", {})).text).toBe("")
    expect(await sales()).toEqual(["o1"])
  })

  it("are recorded for the one whose token it is", async () => {
    await ask(line("a"))
    const { json } = await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)
    expect(json.data.items).toHaveLength(2)
    expect((await shop.ask("GET", "/v1/sales", { token: "other-token" })).json.data).toEqual([])
  })
})

it("lines are the same wherever the bytes are divided on their way", async () => {
  const text = new TextEncoder().encode(`${line("é1")}\n{\n${line("ü2")}\n\n${line("z3")}`)
  const property = fc.asyncProperty(
    fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 6 }),
    async (places) => {
      const cuts = [0, ...places.toSorted((a, b) => a - b), text.length]
      const chunks = cuts.slice(1).map((end, index) => text.slice(cuts[index], end))
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        },
      })
      const { headers, url } = requestOf("POST", "/v1/sales/lines")
      const init = { method: "POST", headers, body, duplex: "half" as const }
      const answer = await shop.api.handler(new Request(url, init))
      const found = answersIn(await answer.text()).map((one) => [one.line, one.order_id])
      expect(found).toEqual([
        [1, "é1"],
        [2, null],
        [3, "ü2"],
        [5, "z3"],
      ])
    },
  )
  await fc.assert(property, runs(100))
})

it("a body that breaks off records its whole lines alone, and can be sent again", async () => {
  const { headers, url } = requestOf("POST", "/v1/sales/lines")
  let pulls = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulls += 1
      // The second line is whole but for its end: that it is one, nobody knows.
      if (pulls === 1) controller.enqueue(new TextEncoder().encode(`${line("a")}\n${line("b")}`))
      else controller.error(new RangeError("reset"))
    },
  })
  const init = { method: "POST", headers, body, duplex: "half" as const }
  const answer = await shop.api.handler(new Request(url, init))
  await expect(answer.text()).rejects.toThrow()
  expect(await sales()).not.toContain("b")
  await ask(`${line("a")}\n${line("b")}\n${line("c")}\n`)
  expect(await sales()).toEqual(["a", "b", "c", "o1"])
  expect((await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)).json.data.total).toBe(1_125 + 375)
})

/** Lets half minutes pass until something is done: how many turns it takes to begin waiting is not known here. */
const passUntil = async (work: Promise<unknown>): Promise<void> => {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  for (let turn = 0; !isDone && turn < 2_000; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (turn % 20 === 19) await shop.pass(31)
  }
}

it("a sender that stalls is let go after half a minute, with what it ended recorded", async () => {
  const { headers, url } = requestOf("POST", "/v1/sales/lines")
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`${line("a")}\n{`)),
  })
  const init = { method: "POST", headers, body, duplex: "half" as const }
  const answer = await shop.api.handler(new Request(url, init))
  const read = answer.text()
  await passUntil(read)
  await expect(read).rejects.toThrow()
  expect(await sales()).toEqual(["o1", "a"].toSorted())
})

it("a body that is read whole has half a minute to come", async () => {
  const { headers, url } = requestOf("POST", "/v1/sales")
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  })
  const init = { method: "POST", headers, body, duplex: "half" as const }
  const answer = shop.api.handler(new Request(url, init))
  await passUntil(answer)
  expect((await answer).status).toBe(400)
})

it("a reader that takes nothing is not waited for until many answers wait", async () => {
  const body = Array.from({ length: 60 }, (_, index) => `${line(`sale ${index}`, 8)}\n`).join("")
  const answer = await send(body)
  let count = 0
  for (let turn = 0; count < 60 && turn < 400; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    count = (await shop.ask("GET", "/v1/sales?per_page=1")).json.meta.total - 1
  }
  // Nobody has read a byte of the answer.
  expect(count).toBe(60)
  expect(answersIn(await answer.text())).toHaveLength(60)
})

it("after a failure of the service no more lines are read", async () => {
  let left = 1
  const failing = await open({}, (storage) => ({
    ...storage,
    transaction: (account, work, options) =>
      options?.mode !== "read" && left-- <= 0
        ? Effect.fail(StorageFailure.of("write", "the disk is full"))
        : storage.transaction(account, work, options),
  }))
  // The first two are there at the same time.
  const body = [line("a"), line("b"), line("c")].join("\n")
  const answer = await failing.api.handler(requestOf("POST", "/v1/sales/lines", { body }))
  const answers = answersIn(await answer.text())
  expect(answers.map(({ refusal }) => refusal?.status ?? 200)).toEqual([200, 200, 503])
  expect(failing.log.some(({ level }) => level === "Error")).toBe(true)
  expect((await failing.ask("GET", "/ready")).status).toBe(503)
  await failing.close()
})
