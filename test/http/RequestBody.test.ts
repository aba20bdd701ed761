import { toWebHandler } from "apportion/http"
import { ProductGroups } from "apportion/service"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "../../src/http/Request.js"
import { groups, openStocked, readAnswer } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
})
afterAll(() => shop.close())

const expense = () => `/v1/payouts/${shop.payoutId}/expense`
const fine = { amount: 1, name: "Frames" }

/** A body that comes in parts, without or with a length that may be a lie. */
const sendParts = (parts: ReadonlyArray<Uint8Array>, headers: Record<string, string> = {}) => {
  const waiting = [...parts]
  let pulled = 0
  const body = new ReadableStream({
    pull: (controller) => {
      const part = waiting.shift()
      pulled++
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
  const request = new Request(`http://shop.test${expense()}`, {
    method: "POST",
    headers: { authorization: "Bearer ada-token", ...headers },
    body,
    duplex: "half",
  })
  return shop.api
    .handler(request)
    .then(readAnswer)
    .then((answer) => ({ ...answer, pulled: () => pulled }))
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe("a body", () => {
  it.each([
    ["", "the body is empty, it must be JSON"],
    [" \n", "the body is empty, it must be JSON"],
    ["{", "the body is not valid JSON"],
    ["{'amount': 1}", "the body is not valid JSON"],
    ['{"amount": NaN}', "the body is not valid JSON"],
    ['{"amount": 1,}', "the body is not valid JSON"],
    [new Uint8Array([0x22, 0xc3, 0x28, 0x22]), "the body is not UTF-8"],
    [new Uint8Array([0xff, 0xfe, 0x7b, 0x00]), "the body is not UTF-8"],
  ])("%j is refused", async (body, message) => {
    const { status, json } = await shop.ask("POST", expense(), { body })
    expect(status).toBe(400)
    expect(json).toStrictEqual({ message })
  })

  it("that is not there at all is refused where one is needed", async () => {
    expect((await shop.ask("POST", expense())).status).toBe(400)
    expect((await shop.ask("PUT", groups)).status).toBe(400)
  })

  it("may begin with a byte order mark", async () => {
    const body = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes(JSON.stringify(fine))])
    expect((await shop.ask("POST", expense(), { body })).status).toBe(200)
  })

  it("counts as JSON whatever the content type says", async () => {
    const headers = { "content-type": "text/plain" }
    expect((await shop.ask("POST", expense(), { body: fine, headers })).status).toBe(200)
  })

  it.each([["[]"], ["5"], ["null"], ['"text"'], ["true"]])("%s is no object", async (body) => {
    const { status, json } = await shop.ask("POST", expense(), { body })
    expect(status).toBe(422)
    expect(json).toStrictEqual({
      message: expect.stringMatching(/^the body must be an object, got /),
      errors: { body: [expect.stringMatching(/^must be an object, got /)] },
    })
  })

  it("is read up to 1 MiB, and no longer", async () => {
    const limit = 1_048_576
    const text = JSON.stringify({ ...fine, more: "" })
    const padded = (length: number) => text.replace('""', `"${"x".repeat(length - text.length)}"`)
    expect((await shop.ask("POST", expense(), { body: padded(limit) })).status).toBe(200)
    const { status, json } = await shop.ask("POST", expense(), { body: padded(limit + 1) })
    expect(status).toBe(413)
    expect(json).toStrictEqual({ message: "the body is longer than 1048576 bytes" })
  })

  it("is counted while it is read, and no more of it is read than can count", async () => {
    const megabyte = new Uint8Array(1_000_000).fill(0x20)
    const answer = await sendParts(Array.from({ length: 100 }, () => megabyte))
    expect(answer.status).toBe(413)
    expect(answer.pulled()).toBeLessThan(10)
  })

  it("whose length is a lie is counted all the same", async () => {
    const parts = Array.from({ length: 20 }, () => new Uint8Array(100_000).fill(0x20))
    expect((await sendParts(parts, { "content-length": "10" })).status).toBe(413)
    const declared = { "content-length": "99999999999" }
    expect((await sendParts([bytes("{}")], declared)).status).toBe(413)
    expect((await sendParts([bytes("{}")], { "content-length": "junk" })).status).toBe(422)
  })

  it("keeps ids beyond 2^53 as they are written, and refuses amounts of that size", async () => {
    const ids = ["9007199254740993", "12345678901234567890"]
    const link = `"itemType": "products", "items": [${ids.join(", ")}]`
    const made = await shop.ask("PUT", groups, { body: `{${link}, "type": "flat", "amount": 1}` })
    expect(made.status).toBe(201)
    const read = Effect.flatMap(ProductGroups, ({ get }) => get("store", "ada", made.json.data.id))
    expect((await shop.run(read)).group.link).toMatchObject({ values: ids })
    const beyond = await shop.ask("POST", expense(), {
      body: '{"amount": 9007199254740993, "name": "Frames"}',
    })
    expect(beyond.status).toBe(422)
    expect(beyond.json.errors.amount[0]).toContain("9007199254740993")
  })

  it("may come in any parts", async () => {
    const all = bytes(JSON.stringify({ amount: 1, name: "Größe 🎨" }))
    const answer = await sendParts(Array.from(all, (byte) => new Uint8Array([byte])))
    expect(answer.status).toBe(200)
    expect(answer.json.data.items.at(-1).expense_name).toBe("Größe 🎨")
  })

  it("that breaks off is refused", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError("x")) })
    const request = new Request(`http://shop.test${expense()}`, {
      method: "POST",
      headers: { authorization: "Bearer ada-token" },
      body,
      duplex: "half",
    })
    const { status, json } = await readAnswer(await shop.api.handler(request))
    expect(status).toBe(400)
    expect(json).toStrictEqual({ message: "the body could not be read to its end" })
  })

  it("can have its own limit", async () => {
    const { handler, dispose } = toWebHandler(shop.context, { bodyLimit: 10 })
    const send = (body: string) =>
      handler(
        new Request(`http://shop.test${expense()}`, {
          method: "POST",
          headers: { authorization: "Bearer ada-token" },
          body,
        }),
      )
    expect((await send("x".repeat(11))).status).toBe(413)
    expect((await send("x".repeat(10))).status).toBe(400)
    await dispose()
  })

  it("is ignored where none is needed", async () => {
    const path = `/v1/payouts/${shop.payoutId}/set-paid`
    const own = await openStocked()
    const paid = await own.ask("POST", path.replace(shop.payoutId, own.payoutId), { body: "{" })
    expect(paid.status).toBe(200)
    expect((await own.ask("DELETE", `${groups}/none`, { body: "{" })).status).toBe(404)
    await own.close()
  })

  it("with __proto__ keys is an object like any other", async () => {
    const body = '{"__proto__":{"amount":5,"name":"x"},"constructor":{"prototype":{"name":"y"}}}'
    const { status, json } = await shop.ask("POST", expense(), { body })
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual(["amount", "name"])
    const group = '{"itemType":"products.all","type":"flat","amount":5,"__proto__":{"percent":"x"}}'
    expect((await shop.ask("PUT", groups, { body: group })).status).toBe(201)
    expect(Object.hasOwn(Object.prototype, "amount")).toBe(false)
  })

  it("of a hundred thousand mistakes is answered in few words", async () => {
    const items = Array.from({ length: 100_000 }, () => 0.5)
    const body = { itemType: "products", items, type: "flat", amount: 1 }
    const { status, json, text } = await shop.ask("PUT", groups, { body })
    expect(status).toBe(422)
    expect(json.message).toMatch(/; and at least 95 more$/)
    expect(Object.keys(json.errors)).toHaveLength(100)
    expect(text.length).toBeLessThan(20_000)
  })
})

const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth)

describe("the depth of JSON", () => {
  it("is at most 64", () => {
    expect(Result.isSuccess(parse(nested(64)))).toBe(true)
    expect(parse(nested(65))).toMatchObject({
      failure: { message: "the body is nested deeper than 64 levels" },
    })
    expect(Result.isFailure(parse(nested(70, '{"a":', "}").replace("}", "1}")))).toBe(true)
    expect(Result.isFailure(parse(nested(500_000)))).toBe(true)
  })

  it("does not count what stands in a text", () => {
    expect(Result.isSuccess(parse(JSON.stringify(`\\"${"[".repeat(100)}`)))).toBe(true)
    expect(Result.isSuccess(parse(`["\\\\", "${"{".repeat(100)}"]`))).toBe(true)
  })

  it("goes down again behind each list", () => {
    expect(Result.isSuccess(parse(`[${Array.from({ length: 100 }, () => "[]").join()}]`))).toBe(
      true,
    )
  })
})
