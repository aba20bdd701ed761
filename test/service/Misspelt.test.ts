import { makeApportion } from "apportion/promise"
import { afterAll, describe, expect, it } from "vitest"

const apportion = await makeApportion()
afterAll(() => apportion.close())

const problemsOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => [],
    (error: unknown) => {
      const problems: unknown = Reflect.get(Object(error), "problems")
      return Array.isArray(problems) ? problems.map(({ path }) => path) : error
    },
  )

/** As it comes from a parser of JSON: with no type to check. */
const parsed = (value: object) => JSON.parse(JSON.stringify(value))

const item = { id: "1", product: { id: "p" }, quantity: 1, amount: 10_000 }

describe("a misspelt field that would pay someone otherwise than was meant", () => {
  it("refuses a sale, and nothing is recorded", async () => {
    const order = { id: "o", currency: "USD", items: [item] }
    const record = (changes: object) =>
      apportion.sales.record("shop", parsed({ ...order, ...changes }))
    expect(await problemsOf(record({ referer: ["blog"] }))).toEqual(["referer"])
    const misspeltItem = { ...item, discont: 5, product: { id: "p", tag: ["art"] } }
    const paths = ["items[0].discont", "items[0].product.tag"]
    expect(await problemsOf(record({ items: [misspeltItem] }))).toEqual(paths)
    expect((await apportion.sales.list("shop")).total).toBe(0)
  })

  it("is no matter when it is no field at all: orders of hosts have much in them", async () => {
    const order = { id: "rich", currency: "USD", items: [item], note: "gift", source_name: "web" }
    expect((await apportion.sales.record("shop", parsed(order))).newItemIds).toEqual(["1"])
  })

  it("refuses products, collaborators and refunds", async () => {
    const product = { id: "p", tag: ["art"], vendr: "x" }
    const put = apportion.products.put("shop", parsed([product]))
    expect(await problemsOf(put)).toEqual(["[0].tag", "[0].vendr"])
    const ada = { id: "ada", currency: "USD", payoutTreshold: 500, payout_frequency: 15 }
    const create = apportion.collaborators.create("shop", parsed(ada))
    expect(await problemsOf(create)).toEqual(["payoutTreshold", "payout_frequency"])
    const nested = {
      id: "ada",
      currency: "USD",
      account: { mail: "a" },
      permissions: { all: true },
    }
    const createNested = apportion.collaborators.create("shop", parsed(nested))
    expect(await problemsOf(createNested)).toEqual(["account.mail", "permissions.all"])
    const refund = { id: "r", orderId: "o", itemId: "1", amount: 5, refunded_at: 1 }
    expect(await problemsOf(apportion.sales.refund("shop", parsed(refund)))).toEqual([
      "refunded_at",
    ])
  })
})
