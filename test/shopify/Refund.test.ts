import { type Order as CoreOrder, Refund as CoreRefund, RuleSet, Split } from "apportion"
import { Order, Refund } from "apportion/shopify"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const lineItem = { id: 11, price: "10.00", quantity: 3, total_discount: "0.00" }
const line = { line_item_id: 11, quantity: 1, line_item: lineItem }
const refund = {
  id: 509,
  order_id: 450,
  created_at: "2016-06-20T13:35:06-04:00",
  refund_line_items: [line],
  transactions: [{ kind: "refund", amount: "10.00", currency: "USD" }],
  order_adjustments: [],
}
const refundedAt = 1_466_444_106
const dollars = { shop_money: { amount: "0.00", currency_code: "USD" } }

const read = (input: unknown, options = {}) => Result.getOrThrow(Refund.read(input, options))
const withLine = (changes: object) => ({ ...refund, refund_line_items: [{ ...line, ...changes }] })
const partOf = (changes: object) => {
  const [first] = read(withLine(changes), { currency: "USD" }).refunds
  return { quantity: first?.quantity, amount: first?.amount }
}
const problemsOf = (input: unknown) => {
  const result = Refund.read(input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("a refund of Shopify", () => {
  it("becomes one refund for each refunded line", () => {
    const lines = [line, { line_item_id: 12, quantity: 2 }]
    expect(read({ ...refund, refund_line_items: lines })).toEqual({
      id: "509",
      refunds: [
        { orderId: "450", itemId: "11", quantity: 1, refundedAt },
        { orderId: "450", itemId: "12", quantity: 2, refundedAt },
      ],
      notRead: [],
    })
  })

  it("is found bare, wrapped, in lists, and inside orders", () => {
    const count = (input: unknown) => read(input).refunds.length
    expect(count(refund)).toBe(1)
    expect(count({ refund })).toBe(1)
    expect(count({ refunds: [refund, refund] })).toBe(2)
    expect(count([refund])).toBe(1)
    const order = { id: 450, currency: "USD", line_items: [], refunds: [refund] }
    expect(count(order)).toBe(1)
    expect(count({ order })).toBe(1)
    expect(count({ orders: [order, { ...order, refunds: [] }, order] })).toBe(2)
    expect(count({ ...order, refunds: undefined })).toBe(0)
  })

  it("inside an order has the order's id and currency when it has none of its own", () => {
    const bare = { ...withLine({ subtotal: "4.00" }), order_id: undefined, transactions: [] }
    const order = { id: 7, currency: "USD", line_items: [], refunds: [bare] }
    expect(read({ orders: [order] }).refunds).toEqual([
      { orderId: "7", itemId: "11", amount: 400, refundedAt },
    ])
  })

  it("goes by quantity when the money is what that many units cost", () => {
    expect(partOf({})).toEqual({ quantity: 1 })
    expect(partOf({ subtotal: "10.00" })).toEqual({ quantity: 1 })
    expect(partOf({ subtotal: 10 })).toEqual({ quantity: 1 })
    expect(partOf({ subtotal: "9.00", total_tax: "1.00" })).toEqual({ quantity: 1 })
    expect(partOf({ quantity: 2, subtotal: "20.00" })).toEqual({ quantity: 2 })
  })

  it("counts discounts into what units cost, within a cent", () => {
    const discounted = { ...lineItem, total_discount: "5.00" }
    const allocated = { ...lineItem, discount_allocations: [{ amount: "5.00" }] }
    expect(partOf({ subtotal: "8.33", line_item: discounted })).toEqual({ quantity: 1 })
    expect(partOf({ subtotal: "8.34", line_item: allocated })).toEqual({ quantity: 1 })
    expect(partOf({ subtotal: "8.32", line_item: allocated })).toEqual({ quantity: 1 })
    expect(partOf({ subtotal: "8.35", line_item: allocated })).toEqual({ amount: 835 })
  })

  it("goes by amount when the money is anything else", () => {
    expect(partOf({ subtotal: "4.00" })).toEqual({ amount: 400 })
    expect(partOf({ quantity: 0, subtotal: "4.00" })).toEqual({ amount: 400 })
    const subtotal_set = { shop_money: { amount: "4.00", currency_code: "USD" } }
    expect(partOf({ subtotal_set })).toEqual({ amount: 400 })
  })

  it("finds its currency where the refund names it, or is told", () => {
    const unnamed = withLine({ subtotal: "4.00" })
    expect(problemsOf(unnamed)).toEqual([["refund_line_items[0].subtotal", "4.00"]])
    expect(read(unnamed, { currency: "KWD" }).refunds[0]?.amount).toBe(4_000)
  })

  it("tells the money that belongs to no line", () => {
    const adjustment = { kind: "shipping_refund", amount: "-5.00" }
    const paths = (changes: object) =>
      read({ ...refund, ...changes }).notRead.map(({ path, value }) => [path, value])
    expect(paths({})).toEqual([])
    expect(paths({ order_adjustments: [adjustment] })).toEqual([
      ["order_adjustments[0]", adjustment],
    ])
    expect(paths({ refund_shipping_lines: [{ id: 1 }], duties: [{ id: 2 }] })).toEqual([
      ["refund_shipping_lines[0]", { id: 1 }],
      ["duties[0]", { id: 2 }],
    ])
    expect(paths({ refund_line_items: [] })).toEqual([["transactions[0]", refund.transactions[0]]])
    expect(paths({ refund_line_items: [{ ...line, quantity: 0 }] })[0]?.[0]).toBe(
      "refund_line_items[0]",
    )
  })

  it.each([
    ["without its order", { order_id: null }, "order_id", null],
    ["without a time", { created_at: null }, "created_at", null],
    ["with a time without offset", { created_at: "2016-06-20" }, "created_at", "2016-06-20"],
    ["with lines that are no list", { refund_line_items: {} }, "refund_line_items", {}],
    [
      "with a line of no item",
      { refund_line_items: [{ quantity: 1 }] },
      "refund_line_items[0].line_item_id",
      undefined,
    ],
    ["with half a unit", withLine({ quantity: 0.5 }), "refund_line_items[0].quantity", 0.5],
    [
      "with money in words",
      withLine({ subtotal: "all", subtotal_set: dollars }),
      "refund_line_items[0].subtotal",
      "all",
    ],
  ])("%s is refused, saying where and what", (_, changes, path, value) => {
    expect(problemsOf({ ...refund, ...changes })).toEqual([[path, value]])
  })

  it("tells the problems of all refunds together, and each on its own", () => {
    const broken = { ...refund, order_id: null }
    expect(problemsOf({ refunds: [broken, refund, broken] }).map(([path]) => path)).toEqual([
      "refunds[0].order_id",
      "refunds[2].order_id",
    ])
    const each = Refund.readEach({ refunds: [broken, refund] })
    expect(each.map(Result.isSuccess)).toEqual([false, true])
    expect(read({ ...refund, created_at: null, processed_at: refund.created_at }).refunds).toEqual(
      read(refund).refunds,
    )
  })

  it("takes back a share of the order it belongs to", () => {
    const order = Order.read({
      id: 450,
      currency: "USD",
      line_items: [{ ...lineItem, product_id: 1 }],
    })
    const rules = RuleSet.make([
      { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
    ])
    const split = Split.order(rules, Result.getOrThrow(order))
    const reversals = read(refund).refunds.map((it) => CoreRefund.reverse(split, it))
    expect(reversals.map((it) => Result.getOrThrow(it).shares[0]?.amount)).toEqual([100])
  })
})

describe("a refund of an order at hand", () => {
  const order: CoreOrder.Order = {
    id: "450",
    currency: "USD",
    items: [
      { id: "11", product: { id: "p1" }, quantity: 3, amount: 3_000 },
      {
        id: "12",
        product: { id: "p2" },
        quantity: 1,
        amount: 19_900,
        discount: 334,
        taxTotal: 398,
      },
    ],
  }
  const ofOrder = (changes: object, given: CoreOrder.Order = order) =>
    read({ ...refund, refund_line_items: [], transactions: [], ...changes }, { order: given })
  const partsOf = (changes: object, given = order) =>
    ofOrder(changes, given).refunds.map(({ itemId, quantity, amount }) => [
      itemId,
      quantity ?? `${amount} cents`,
    ])
  const paid = (amount: string, more: object = {}) => [
    { kind: "refund", status: "success", amount, currency: "USD", ...more },
  ]
  const bare = (line_item_id: number, quantity: number, subtotal: string) => ({
    line_item_id,
    quantity,
    subtotal,
  })

  it("needs no currency and no lines of its own", () => {
    const { refunds, notRead } = ofOrder({ refund_line_items: [bare(11, 2, "20.00")] })
    expect([refunds, notRead]).toEqual([
      [{ orderId: "450", itemId: "11", quantity: 2, refundedAt }],
      [],
    ])
  })

  it("of all units of a line is of all units, a cent off or not", () => {
    for (const subtotal of ["195.65", "195.66", "195.67"]) {
      expect(partsOf({ refund_line_items: [bare(12, 1, subtotal)] })).toEqual([["12", 1]])
    }
    const { notRead } = ofOrder({ refund_line_items: [bare(12, 1, "200.00")] })
    expect(notRead.map(({ message }) => message)).toEqual([
      "refunds 433 cents more than the line cost",
    ])
  })

  it("of units of a line that cost nothing is of those units, whatever money is said", () => {
    const free = { id: "13", product: { id: "p3" }, quantity: 2, amount: 300, discount: 300 }
    const less = { ...free, id: "14", amount: -200 }
    const given = { ...order, items: [free, less] }
    const parts = (id: number) => partsOf({ refund_line_items: [bare(id, 1, "18.50")] }, given)
    expect([parts(13), parts(14)]).toEqual([[["13", 1]], [["14", 1]]])
  })

  it("of a part of what a unit cost takes back that part, and not the unit", () => {
    expect(partsOf({ refund_line_items: [bare(12, 1, "30.00")] })).toEqual([["12", "3000 cents"]])
    expect(partsOf({ refund_line_items: [bare(11, 1, "15.00")] })).toEqual([["11", "1500 cents"]])
    const alone = { ...refund, refund_line_items: [bare(12, 1, "30.00")] }
    expect(read(alone, { currency: "USD" }).refunds[0]?.amount).toBe(3_000)
  })

  it("is in the shop's money, and not in the buyer's", () => {
    const yen: CoreOrder.Order = {
      id: "450",
      currency: "JPY",
      items: [{ id: "11", product: { id: "p1" }, quantity: 1, amount: 1_400 }],
    }
    const changes = {
      refund_line_items: [bare(11, 1, "700")],
      transactions: paid("4.67", { currency: "USD" }),
    }
    expect(partsOf(changes, yen)).toEqual([["11", "700 cents"]])
    expect(problemsOf({ ...refund, ...changes })).toEqual([
      ["refund_line_items[0].subtotal", "700"],
    ])
  })

  it("whose payment failed is none", () => {
    for (const status of ["failure", "error"]) {
      const failed = { transactions: paid("10.00", { status }) }
      const { refunds, notRead } = ofOrder({ ...failed, refund_line_items: [bare(11, 1, "10.00")] })
      expect(refunds).toEqual([])
      expect(notRead[0]?.message).toMatch(/failed/)
    }
    const again = [...paid("10.00", { status: "failure" }), ...paid("10.00")]
    expect(partsOf({ transactions: again, refund_line_items: [bare(11, 1, "10.00")] })).toEqual([
      ["11", 1],
    ])
  })

  it("whose lines say no money is of the money that was paid back, without its tax", () => {
    const changes = { refund_line_items: [bare(12, 1, "0.00")], transactions: paid("41.94") }
    expect(partsOf(changes)).toEqual([["12", "4110 cents"]])
    expect(partsOf({ ...changes, transactions: paid("199.64") })).toEqual([["12", 1]])
  })

  it("without lines is divided over all lines by what was paid for them", () => {
    expect(partsOf({ transactions: paid("22.96") })).toEqual([
      ["11", "300 cents"],
      ["12", "1956 cents"],
    ])
    const { refunds, notRead } = ofOrder({ transactions: paid("240.00") })
    expect(refunds.map(({ quantity }) => quantity)).toEqual([3, 1])
    expect(notRead.map(({ message }) => message)).toEqual([
      "1036 cents are more than the lines cost",
    ])
  })

  it("with a discrepancy takes back what really went back", () => {
    const kept = { kind: "refund_discrepancy", amount: "10.00", tax_amount: "0.00" }
    const changes = { refund_line_items: [bare(11, 3, "30.00")], order_adjustments: [kept] }
    expect(partsOf({ ...changes, transactions: paid("20.00") })).toEqual([["11", "2000 cents"]])
    const more = { ...kept, amount: "-11.48" }
    expect(partsOf({ order_adjustments: [more], transactions: paid("11.48") })).toEqual([
      ["11", "150 cents"],
      ["12", "978 cents"],
    ])
    const unpaid = { ...order, details: { status: "partially_paid" } }
    expect(partsOf({ ...changes, transactions: paid("20.00") }, unpaid)).toEqual([["11", 3]])
  })

  describe("of shipping", () => {
    const order_adjustments = [{ kind: "shipping_refund", amount: "-5.00", tax_amount: "-0.50" }]
    const shipped = { ...order, shippingAmount: 1_000 }
    const told = (changes: object, given: CoreOrder.Order = shipped) => {
      const { refunds, notRead } = ofOrder({ transactions: paid("5.50"), ...changes }, given)
      const parts = refunds.map(({ itemId, shippingAmount, shippingTotal, ...rest }) =>
        shippingAmount === undefined ? rest.quantity : [itemId, shippingAmount, shippingTotal],
      )
      return [parts, notRead.map(({ path, message }) => `${path}: ${message}`)]
    }
    const amount = (value: string) => ({ shop_money: { amount: value, currency_code: "USD" } })
    const half = [
      ["11", 500, 1_000],
      ["12", 500, 1_000],
    ]

    it("takes back as much of each line's shipping, and nothing of the goods", () => {
      expect(told({ order_adjustments })).toEqual([half, []])
      const units = { refund_line_items: [bare(11, 1, "10.00")], transactions: paid("15.50") }
      expect(told({ order_adjustments, ...units })).toEqual([[1, ...half], []])
      const taxed = { ...shipped, taxesIncluded: true }
      expect(told({ order_adjustments }, taxed)).toEqual([
        [
          ["11", 550, 1_000],
          ["12", 550, 1_000],
        ],
        [],
      ])
    })

    it("counts once where it is told twice", () => {
      const line = { id: 1, subtotal_amount_set: amount("5.00"), tax_amount_set: amount("0.50") }
      expect(told({ order_adjustments, refund_shipping_lines: [line] })).toEqual([half, []])
    })

    it("that is no part of the order, or was removed from it, takes nothing back", () => {
      const gone = /^order_adjustments\[0\]: shipping went back that is no part of the order/
      expect(told({ order_adjustments }, order)).toEqual([[], [expect.stringMatching(gone)]])
      const removed = {
        subtotal_amount_set: amount("5.00"),
        shipping_line: { id: 1, is_removed: true },
      }
      expect(told({ refund_shipping_lines: [removed], transactions: paid("5.00") })).toEqual([
        [],
        ["refund_shipping_lines[0]: shipping that was removed from the order takes nothing back"],
      ])
    })

    it("that does not say how much went back is told", () => {
      const untold = /^order_adjustments\[0\]: does not say how much shipping went back/
      for (const amount of [undefined, null, "5.00"]) {
        const adjustments = { order_adjustments: [{ kind: "shipping_refund", amount }] }
        const [parts, messages] = told({ ...adjustments, transactions: [] })
        expect([parts, messages]).toEqual([[], [expect.stringMatching(untold)]])
      }
      const zero = { order_adjustments: [{ kind: "shipping_refund", amount: "0.00" }] }
      expect(told({ ...zero, transactions: [] })).toEqual([[], []])
    })

    it("is at most what was paid for it", () => {
      const more = [{ kind: "shipping_refund", amount: "-12.00" }]
      expect(told({ order_adjustments: more, transactions: paid("12.00") })).toEqual([
        [
          ["11", 1_000, 1_000],
          ["12", 1_000, 1_000],
        ],
        ["order_adjustments[0]: 200 cents went back beyond the order's shipping"],
      ])
    })
  })
})
