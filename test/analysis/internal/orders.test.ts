import { expect, test } from "vitest"
import { orderOf } from "../../../src/analysis/internal/OrderShape.js"
import { Values } from "../../../src/analysis/internal/Predicate.js"
import type { Attribute } from "../../../src/orders/Attribute.js"

const table = new Values()
const numbers = (attribute: Attribute, ...names: ReadonlyArray<string>) =>
  names.map((name) => table.numberOf(attribute, name))

const made = (values: ReadonlyArray<number>, at: number | null = null) =>
  orderOf({ values, kind: undefined, at }, table, { figures: { amount: 100 }, product: undefined })

test("an order has what its sketch has, each in its place", () => {
  const values = [
    ...numbers("products", "p", "q"),
    ...numbers("products.vendor", "North"),
    ...numbers("products.tag", "art", "print"),
    ...numbers("order.tag", "o"),
    ...numbers("customer.tag", "c"),
    ...numbers("discount.code", "d"),
    ...numbers("referer", "r"),
    ...numbers("country.code", "DE"),
  ]
  expect(made(values, 0)).toEqual({
    id: "example",
    currency: "USD",
    createdAt: 0,
    tags: ["o"],
    customerTags: ["c"],
    discountCodes: ["d"],
    referers: ["r"],
    billingCountry: "DE",
    items: [
      {
        id: "item",
        product: { id: "p", externalId: "q", vendor: "North", tags: ["art", "print"] },
        quantity: 1,
        amount: 100,
      },
    ],
  })
})

test("an order has nothing that its sketch has not", () => {
  expect(made([])).toStrictEqual({
    id: "example",
    currency: "USD",
    items: [{ id: "item", product: { id: "any-product" }, quantity: 1, amount: 100 }],
  })
})

test("a product's own id is not the empty one", () => {
  const productOf = (...ids: ReadonlyArray<string>) =>
    made(numbers("products", ...ids)).items[0]?.product
  expect(productOf("")).toEqual({ id: "any-product", externalId: "" })
  expect(productOf("", "p")).toEqual({ id: "p", externalId: "" })
  expect(productOf("q")).toStrictEqual({ id: "q" })
})

test("a product of the catalogue is what it is, and the sale is as it is told", () => {
  const product = { id: "known", tags: ["x"], price: 7 }
  const figures = { amount: 9, quantity: 2, discount: 1, shippingAmount: 3, currency: "JPY" }
  const sketch = { values: numbers("referer", "r"), kind: 0, at: null }
  expect(orderOf(sketch, table, { figures, product })).toEqual({
    id: "example",
    currency: "JPY",
    referers: ["r"],
    shippingAmount: 3,
    items: [{ id: "item", product, quantity: 2, amount: 9, discount: 1 }],
  })
})
