import { type Order, RuleSet, Split } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const rules = RuleSet.make([
  { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
])

const product = { id: "p1", externalId: "x1", vendor: "North", tags: ["art"], cost: 5 }
const item = { id: "1", product, quantity: 2, amount: 1_000, discount: 100, taxTotal: 50 }
const order = {
  id: "1001",
  currency: "USD",
  createdAt: 1_735_689_600,
  taxesIncluded: false,
  shippingAmount: 500,
  gatewayFee: 30,
  tags: ["gift"],
  customerTags: ["vip"],
  discountCodes: ["TEN"],
  billingCountry: "US",
  referers: ["blog"],
  items: [item],
}

/** What hosts without a compiler may hand over. */
const split = (input: object) => Split.orderResult(rules, input as Order.Order)
const withItem = (fields: object) => ({ ...order, items: [{ ...item, ...fields }] })
const withProduct = (fields: object) => withItem({ product: { ...product, ...fields } })

/** What an order is refused for, as the paths of what is wrong in it. */
const refusal = (input: object): ReadonlyArray<string> => {
  const result = split(input)
  if (Result.isSuccess(result)) return ["it is split"]
  if (result.failure._tag !== "InvalidOrder") return [result.failure._tag]
  return result.failure.problems.map(({ path }) => path)
}

describe("an order is refused before it is split", () => {
  it.each([
    ["id", { id: 5 }],
    ["currency", { currency: "usd" }],
    ["currency", { currency: 5 }],
    ["createdAt", { createdAt: 1.5 }],
    ["createdAt", { createdAt: 1_735_689_600_000 }],
    ["taxesIncluded", { taxesIncluded: "no" }],
    ["shippingAmount", { shippingAmount: 0.5 }],
    ["shippingAmount", { shippingAmount: "5" }],
    ["gatewayFee", { gatewayFee: 2 ** 53 }],
    ["tags", { tags: "gift" }],
    ["tags[1]", { tags: ["gift", 5] }],
    ["customerTags", { customerTags: "vip" }],
    ["customerTags[0]", { customerTags: [5] }],
    ["discountCodes", { discountCodes: "TEN" }],
    ["discountCodes[0]", { discountCodes: [5] }],
    ["referers", { referers: "blog" }],
    ["referers[0]", { referers: [5] }],
    ["billingCountry", { billingCountry: 5 }],
  ])("for its %s: %j", (path, fields) => {
    expect(refusal({ ...order, ...fields })).toEqual([path])
  })

  it.each([
    ["id", { id: 5 }],
    ["amount", { amount: 0.5 }],
    ["amount", { amount: 2 ** 53 }],
    ["quantity", { quantity: 1.5 }],
    ["quantity", { quantity: -1 }],
    ["discount", { discount: 0.5 }],
    ["taxTotal", { taxTotal: 0.5 }],
    ["product.id", { product: { id: 5 } }],
    ["product.externalId", { product: { id: "p1", externalId: 5 } }],
    ["product.vendor", { product: { id: "p1", vendor: 5 } }],
    ["product.tags", { product: { id: "p1", tags: "art" } }],
    ["product.tags[0]", { product: { id: "p1", tags: [5] } }],
    ["product.cost", { product: { id: "p1", cost: 0.5 } }],
  ])("for an item's %s: %j", (path, fields) => {
    expect(refusal(withItem(fields))).toEqual([`items[0].${path}`])
  })

  it("for a discount that leaves an amount which no whole number holds", () => {
    const most = Number.MAX_SAFE_INTEGER
    const result = split(withItem({ amount: -1, discount: most }))
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      orderId: "1001",
      problems: [
        {
          path: "items[0].discount",
          value: most,
          message: "leaves an amount beyond ±9007199254740991, got 9007199254740991",
        },
      ],
      message: "items[0].discount: leaves an amount beyond ±9007199254740991, got 9007199254740991",
    })
    expect(refusal(withItem({ amount: 0, discount: most }))).toEqual(["it is split"])
  })

  it.each([2, 8, 9, 20])("for an id that the first and the last of %i items have", (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ ...item, id: `${index}` }))
    expect(refusal({ ...order, items })).toEqual(["it is split"])
    const result = split({ ...order, items: [...items.slice(0, -1), item, { ...item, id: "0" }] })
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      problems: [
        ...(count > 2 ? [{ path: `items[${count - 1}].id`, value: "1" }] : []),
        {
          path: `items[${count}].id`,
          value: "0",
          message: 'must be unique in the order, items[0] has "0" too',
        },
      ],
    })
  })

  it("for a currency that is none, in words", () => {
    const result = split({ ...order, currency: "usd" })
    expect(Result.isFailure(result) && result.failure.message).toBe(
      'currency: must be an ISO 4217 currency code in capital letters, got "usd"',
    )
  })

  it("even when it is nothing at all, and then without an id", () => {
    for (const input of ["null", "5", '"1001"']) {
      const result = Split.orderResult(rules, JSON.parse(input))
      expect(Result.isFailure(result) && result.failure).toMatchObject({
        _tag: "InvalidOrder",
        orderId: undefined,
      })
    }
  })
})

describe("an order is split", () => {
  it.each([
    [order],
    [{ id: "1001", currency: "USD", items: [] }],
    [{ ...order, createdAt: null, billingCountry: null }],
    [{ ...order, createdAt: undefined, taxesIncluded: true, billingCountry: undefined }],
    [{ ...order, tags: [], customerTags: undefined }],
    [withItem({ quantity: 0, amount: 0, discount: 0, taxTotal: null })],
    [withItem({ amount: -1_000, discount: -100 })],
    [withItem({ discount: undefined, taxTotal: undefined })],
    [withProduct({ externalId: undefined, vendor: undefined, tags: undefined, cost: undefined })],
  ])("as it is: %j", (input) => {
    expect(refusal(input)).toEqual(["it is split"])
  })
})
