import { SplitPolicy } from "apportion"
import { Order as WireOrder } from "apportion/wire"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../../generators/Runs.js"
import { orderInputs } from "./OrderLines.js"
import { byColumns, difference, oneByOne } from "./TwoWays.js"

const item = {
  id: "a",
  product: { id: "p1", vendor: "v", tags: ["art"] },
  quantity: 1,
  amount: 900,
}
const usual = { id: "1", currency: "USD", createdAt: 1_735_689_600, items: [item] }

const inputOf = (lines: ReadonlyArray<unknown>) => ({
  groups: [
    { id: "g1", collaboratorId: "ada", link: { type: "products.all" as const }, percent: 10 },
  ],
  policy: SplitPolicy.defaults,
  chunks: [Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"))],
})

describe("orders that are read into columns", () => {
  it("come to what they come to one by one, to the byte", () => {
    let [lines, taken] = [0, 0]
    const agree = fc.property(fc.nat(), (seed) => {
      for (const input of orderInputs(4, seed)) {
        expect(difference(input)).toBeUndefined()
        const { counts, taken: some } = byColumns(input)
        lines += counts.orders
        taken += some
      }
    })
    fc.assert(agree, runs(100))
    // Random lines are of use as far as they are taken.
    expect(taken / lines).toBeGreaterThan(0.1)
  })

  it("are most of those that are written as usual", () => {
    const orders = Array.from({ length: 20 }, (_, at) =>
      WireOrder.write({ ...usual, id: `${at}`, items: [item, { ...item, id: "b" }] }),
    )
    const { taken, counts } = byColumns(inputOf(orders))
    expect([taken, counts.orders]).toEqual([20, 20])
  })

  describe("leave the id of an order that is refused to a later one", () => {
    const order = WireOrder.write(usual)
    const refused = {
      "two items of one id": { ...order, items: [order.items[0], order.items[0]] },
      "an unknown currency": { ...order, currency: "ZZZ" },
      "a time in milliseconds": { ...order, created_at: 1_735_689_600_000 },
    }
    for (const [name, first] of Object.entries(refused)) {
      it(name, () => {
        const input = inputOf([first, order])
        const { taken: _, ...found } = byColumns(input)
        expect(found).toEqual(oneByOne(input))
        expect(found.counts).toMatchObject({ orders: 2, failures: 1 })
      })
    }

    it("a rate of tax beyond all numbers", () => {
      const text = JSON.stringify(order).replace('"tax_percent":null', '"tax_percent":1e999')
      const input = { ...inputOf([]), chunks: [Buffer.from(`${text}\n${JSON.stringify(order)}`)] }
      expect(difference(input)).toBeUndefined()
      expect(byColumns(input).counts).toMatchObject({ orders: 2, failures: 1 })
    })
  })
})
