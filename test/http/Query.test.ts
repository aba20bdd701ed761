import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { groups, openStocked, start } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
  for (let index = 1; index <= 31; index++) {
    const body = { itemType: "products.all", type: "flat", amount: index }
    await shop.pass(1)
    await shop.ask("PUT", "/v1/collaborators/sam/products", { body })
  }
})
afterAll(() => shop.close())

const list = "/v1/collaborators/sam/products"
const path = `http://shop.test${list}`

const amounts = (json: { data: ReadonlyArray<{ amount: number }> }) =>
  json.data.map(({ amount }) => amount)

const downFrom = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, index) => first - index)

describe("a page", () => {
  it.each([
    ["", 31, 17, { current_page: 1, from: 1, to: 15, last_page: 3, per_page: 15 }],
    ["?page=2", 16, 2, { current_page: 2, from: 16, to: 30, last_page: 3, per_page: 15 }],
    ["?page=3", 1, 1, { current_page: 3, from: 31, to: 31, last_page: 3, per_page: 15 }],
    ["?page=4", 0, 1, { current_page: 4, from: null, to: null, last_page: 3, per_page: 15 }],
    ["?per_page=1000", 31, 1, { current_page: 1, from: 1, to: 31, last_page: 1, per_page: 100 }],
    ["?per_page=0", 31, 31, { current_page: 1, from: 1, to: 1, last_page: 31, per_page: 1 }],
    [
      "?per_page=-7&page=-2",
      31,
      31,
      { current_page: 1, from: 1, to: 1, last_page: 31, per_page: 1 },
    ],
    [
      "?per_page=10&page=4",
      1,
      1,
      { current_page: 4, from: 31, to: 31, last_page: 4, per_page: 10 },
    ],
    [
      "?page=%32&unknown=x&page[]=9",
      16,
      2,
      { current_page: 2, from: 16, to: 30, last_page: 3, per_page: 15 },
    ],
  ])("is what %j asks for", async (query, first, last, meta) => {
    const { status, json } = await shop.ask("GET", `${list}${query}`)
    expect(status).toBe(200)
    expect(amounts(json)).toEqual(downFrom(first, last))
    expect(json.meta).toStrictEqual({ ...meta, path, total: 31 })
  })

  it("far beyond the last one is empty", async () => {
    const { json } = await shop.ask("GET", `${list}?page=99999999999999999999`)
    expect(json.data).toEqual([])
    expect(json.meta.current_page).toBe(Number.MAX_SAFE_INTEGER)
  })

  it("is refused when it is no whole number, each one told", async () => {
    const { status, json } = await shop.ask("GET", `${list}?page=two&per_page=1.5`)
    expect(status).toBe(422)
    expect(json).toStrictEqual({
      message:
        'page: must be a whole number, got "two"; per_page: must be a whole number, got "1.5"',
      errors: {
        page: ['must be a whole number, got "two"'],
        per_page: ['must be a whole number, got "1.5"'],
      },
    })
  })

  it.each(["page=", "page=1&page=1", "per_page=1&per_page=2", "page=%zz", "page=1%00"])(
    "is refused for %s",
    async (query) => {
      for (const url of [list, "/v1/payouts", "/v1/products", `${groups}/${shop.groupId}`]) {
        const { status, json } = await shop.ask("GET", `${url}?${query}`)
        expect(status).toBe(422)
        expect(Object.keys(json.errors)).toEqual([query.split("=")[0]])
      }
    },
  )
})

describe("payouts", () => {
  const find = async (query: string) => {
    const { status, json } = await shop.ask("GET", `/v1/payouts?${query}`)
    return status === 200 ? json.data.length : { status, errors: json.errors }
  }
  const due = 1_702_512_000

  it.each([
    ["collaborator=ada", 1],
    ["collaborator=sam", 0],
    ["collaborator=nobody", 0],
    ["status=active", 1],
    ["status=pending", 0],
    ["status=paid", 0],
    ["status=failed", 0],
    ["status=manually%20paid", 0],
    ["status=manually+paid", 0],
    [`expectedPaymentDate[start_date]=${due}`, 1],
    [`expectedPaymentDate[start_date]=${due + 1}`, 0],
    [`expectedPaymentDate[end_date]=${due}`, 1],
    [`expectedPaymentDate%5Bend_date%5D=${due - 1}`, 0],
    [`expectedPaymentDate[start_date]=${due}&expectedPaymentDate[end_date]=${due}`, 1],
    ["paidDate[start_date]=0", 0],
    ["paidDate[end_date]=99999999999", 0],
    ["collaborator=ada&status=active&page=1&other=x", 1],
  ])("with %s", async (query, count) => {
    expect(await find(query)).toBe(count)
  })

  it("that were paid are found by when", async () => {
    const own = await openStocked()
    await own.pass(100)
    await own.ask("POST", `/v1/payouts/${own.payoutId}/set-paid`)
    const count = async (query: string) =>
      (await own.ask("GET", `/v1/payouts?${query}`)).json.meta.total
    expect(await count(`paidDate[start_date]=${start + 100}`)).toBe(1)
    expect(await count(`paidDate[start_date]=${start + 101}`)).toBe(0)
    expect(await count(`paidDate[end_date]=${start + 100}&status=manually paid`)).toBe(1)
    expect(await count("status=active")).toBe(0)
    await own.close()
  })

  it.each([
    [
      "status=done",
      { status: ['must be one of active, pending, paid, failed, manually paid, got "done"'] },
    ],
    ["status=", { status: [expect.stringMatching(/got ""$/)] }],
    ["collaborator=", { collaborator: ['must be an id, got ""'] }],
    ["status=paid&status=paid", { status: ["is given 2 times, it must be given once"] }],
    [
      "paidDate[start_date]=soon",
      { "paidDate[start_date]": [expect.stringMatching(/got "soon"$/)] },
    ],
    ["paidDate[start_date]=1e3", { "paidDate[start_date]": [expect.any(String)] }],
    ["paidDate[start_date]=1700000000000", { "paidDate[start_date]": [expect.any(String)] }],
    [
      "paidDate[start_date]=1&paidDate[start_date]=1",
      { "paidDate[start_date]": [expect.any(String)] },
    ],
    [
      "paidDate[start_date]=5&paidDate[end_date]=4",
      { "paidDate[start_date]": ["must not be after paidDate[end_date], which is 4, got 5"] },
    ],
    [
      "paidDate[from]=5",
      { "paidDate[from]": ["is no filter; there are paidDate[start_date] and paidDate[end_date]"] },
    ],
    ["paidDate=5", { paidDate: [expect.any(String)] }],
    ["expectedPaymentDate[]=5", { "expectedPaymentDate[]": [expect.any(String)] }],
    [
      "status=x&page=y&paidDate[end_date]=z",
      {
        "paidDate[end_date]": [expect.any(String)],
        status: [expect.any(String)],
        page: [expect.any(String)],
      },
    ],
  ])("are refused for %s", async (query, errors) => {
    expect(await find(query)).toEqual({ status: 422, errors })
  })

  it("are answered or refused for any query, and never fail", async () => {
    const name = fc.oneof(
      fc.constantFrom(
        "page",
        "per_page",
        "status",
        "collaborator",
        "paidDate[start_date]",
        "paidDate[",
      ),
      fc.string(),
    )
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.integer().map(String))
    const query = fc.array(fc.tuple(name, value), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(query, fc.string(), async (pairs, junk) => {
        const encoded = pairs.map((pair) => pair.map((part) => written(part)).join("="))
        const { status } = await shop.ask("GET", `/v1/payouts?${[...encoded, junk].join("&")}`)
        expect([200, 422]).toContain(status)
      }),
      { numRuns: 300 },
    )
  })
})

/** As browsers write it, lone surrogates too. */
const written = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2)

describe("products", () => {
  const find = async (query: string) => {
    const { status, json } = await shop.ask("GET", `/v1/products?${query}`)
    return status === 200 ? json.data.map(({ id }: { id: string }) => id) : json.errors
  }

  it.each([
    ["search=WALL", ["p2"]],
    ["search=+art+", ["p1", "p2"]],
    ["search=", ["p1", "p2", "p3"]],
    ["search=v-p3", ["p3"]],
    ["collaborator=ada", ["p1", "p2"]],
    ["collaborator=nobody", []],
    ["collaborator=ada&search=wall", ["p2"]],
    ["per_page=1&page=3", ["p3"]],
    ["include_collaborators=0", ["p1", "p2", "p3"]],
  ])("with %s", async (query, ids) => {
    expect(await find(query)).toEqual(ids)
  })

  it("are read around an escape that can't be", async () => {
    expect(await find("include_collaborators=%C3%A9%ff%2")).toEqual({
      include_collaborators: ['must be true or false, got "é\uFFFD%2"'],
    })
  })

  it("are refused for what can't be meant", async () => {
    expect(await find("include_collaborators=maybe")).toEqual({
      include_collaborators: ['must be true or false, got "maybe"'],
    })
    expect(await find("search=a&search=b")).toEqual({ search: [expect.any(String)] })
  })
})
