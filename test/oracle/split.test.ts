import { readFileSync } from "node:fs"
import { type Order, SplitPolicy } from "apportion"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { type Sale, sale } from "../generators/Sales.js"
import { difference } from "./Difference.js"
import { features } from "./Features.js"

const isTheSame = (one: Sale): void => {
  expect(difference(one), JSON.stringify(one)).toBeUndefined()
}

describe("the library and the oracle", () => {
  test("split every sale in the same way", () => {
    fc.assert(fc.property(sale, isTheSame), runs(3_000))
  })

  const regressions: ReadonlyArray<Omit<Sale, "policy"> & { why: string; policy: object }> =
    JSON.parse(readFileSync(new URL("./regressions.json", import.meta.url), "utf8"))

  test.each(regressions)("still agree where they once did not, or nearly: $why", (one) => {
    isTheSame({ ...one, policy: SplitPolicy.make(one.policy) })
  })
})

type Spoil = (order: Order.Order) => Order.Order

const spoilItem =
  (change: Partial<Order.OrderItem>): Spoil =>
  (order) => ({
    ...order,
    items: order.items.map((item, index) => (index === 0 ? { ...item, ...change } : item)),
  })

const spoils: ReadonlyArray<readonly [string, Spoil]> = [
  ["an amount with a fraction", spoilItem({ amount: 0.5 })],
  ["an amount out of range", spoilItem({ amount: 2 ** 53 })],
  ["an amount that is no number", spoilItem({ amount: Number.NaN })],
  ["a discount with a fraction", spoilItem({ discount: 0.5 })],
  ["tax out of range", spoilItem({ taxTotal: -(2 ** 53) })],
  ["a negative quantity", spoilItem({ quantity: -1 })],
  ["a fraction of a unit", spoilItem({ quantity: 0.5 })],
  ["a cost with a fraction", spoilItem({ product: { id: "p1", cost: 0.5 } })],
  ["infinite shipping", (order) => ({ ...order, shippingAmount: Number.POSITIVE_INFINITY })],
  ["a fee with a fraction", (order) => ({ ...order, gatewayFee: 0.5 })],
  ["an unknown currency", (order) => ({ ...order, currency: "ZZZ" })],
  ["two items with one id", (order) => ({ ...order, items: [...order.items, ...order.items] })],
]

describe("an order that can't be read is refused by the library and by the oracle", () => {
  const withItems = sale.filter(({ order }) => order.items.length > 0)

  test.each(spoils)("%s", (_, spoil) => {
    fc.assert(
      fc.property(withItems, (one) => {
        const spoilt = { ...one, order: spoil(one.order) }
        isTheSame(spoilt)
        expect(features(spoilt)).toContain("refused InvalidOrder")
      }),
      runs(50),
    )
  })
})
