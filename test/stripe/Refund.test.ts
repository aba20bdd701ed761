import { Refund as CoreRefund, type Order, ProductGroup, RuleSet, Split } from "apportion"
import { Refund, Order as StripeOrder, Unreadable } from "apportion/stripe"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import {
  creditLine,
  creditNote,
  invoice,
  invoiceLine,
  refund,
  session,
  sessionLine,
} from "./Documents.js"

const orderOf = (document: unknown): Order.Order => Result.getOrThrow(StripeOrder.read(document))

const read = (document: unknown, order: Order.Order, moneyBack = 0) =>
  Result.getOrThrow(Refund.read(document, { order, moneyBack }))

const pathsOf = (document: unknown, order: Order.Order): ReadonlyArray<string> => {
  const result = Refund.read(document, { order })
  if (Result.isSuccess(result) || !(result.failure instanceof Unreadable)) return []
  return result.failure.problems.map(({ path }) => path)
}

const two = orderOf(
  session("cs_1", [
    sessionLine("li_1"),
    sessionLine("li_2", { amount_subtotal: 1_000, amount_total: 1_000 }),
  ]),
)

const amountsOf = ({ refunds }: Refund.StripeRefund) =>
  refunds.map(({ itemId, amount }) => [itemId, amount])

describe("a refund", () => {
  test("takes the same fraction back from each line, and from its part of the shipping", () => {
    const back = read(refund("re_1", "pi_1", 2_500), two)
    expect(amountsOf(back)).toEqual([
      ["li_1", 2_000],
      ["li_2", 500],
    ])
    expect(back).toMatchObject({ id: "re_1", moneyBack: 2_500, notRead: [] })
    const shipping_cost = { amount_subtotal: 5_000, amount_tax: 0, amount_total: 5_000 }
    const changes = { shipping_cost, amount_total: 9_000 }
    const shipped = orderOf(session("cs_1", [sessionLine("li_1")], changes))
    expect(amountsOf(read(refund("re_1", "pi_1", 4_500), shipped))).toEqual([["li_1", 2_000]])
  })

  test("of all that is left takes back all, free lines too, however the cents fell before", () => {
    const figures = { amount_subtotal: 1, amount_total: 1 }
    const free = sessionLine("li_4", { amount_subtotal: 0, amount_total: 0 })
    const lines = [1, 2, 3].map((id) => sessionLine(`li_${id}`, figures))
    const order = orderOf(session("cs_1", [...lines, free]))
    const first = read(refund("re_1", "pi_1", 1), order)
    expect(amountsOf(first)).toEqual([])
    const rest = read(refund("re_2", "pi_1", 2), order, first.moneyBack)
    expect(
      rest.refunds.map(({ itemId, amount, remaining }) => [itemId, amount ?? remaining]),
    ).toEqual([
      ["li_1", 1],
      ["li_2", 1],
      ["li_3", 1],
      ["li_4", true],
    ])
  })

  test("that is pending or failed takes nothing back, and says so", () => {
    for (const status of ["pending", "requires_action", "failed", "canceled"]) {
      const back = read(refund("re_1", "pi_1", 2_500, { status }), two)
      expect(back).toMatchObject({ refunds: [], moneyBack: 0 })
      expect(back.notRead[0]?.message).toContain(status)
    }
  })

  test("of more than was paid takes all back, and says how much is left over", () => {
    const back = read(refund("re_1", "pi_1", 5_100), two)
    expect(amountsOf(back)).toEqual([
      ["li_1", 4_000],
      ["li_2", 1_000],
    ])
    expect(back.notRead[0]?.message).toContain("100 of")
  })

  test("in another currency, or of an unknown shape, is refused with its path", () => {
    expect(pathsOf(refund("re_1", "pi_1", 1, { currency: "eur" }), two)).toEqual(["currency"])
    expect(pathsOf(refund("re_1", "pi_1", 1, { status: "odd" }), two)).toContain("status")
    expect(pathsOf(refund("re_1", "pi_1", 1, { object: "charge" }), two)).toContain("object")
    expect(pathsOf(refund("re_1", "pi_1", 1, { created: null }), two)).toEqual(["created"])
  })

  test("of a part, in any order, ends as one of their sum does, and at zero when all went back", () => {
    const rules = RuleSet.make([
      ProductGroup.make({
        id: "a",
        collaboratorId: "ada",
        link: { type: "products.all" },
        percent: "33.33",
      }),
    ])
    const sums = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 6 })
    const reversedOf = (order: Order.Order, parts: ReadonlyArray<number>) => {
      const split = Result.getOrThrow(Split.orderResult(rules, order))
      const earlier: Array<CoreRefund.Refund> = []
      let [moneyBack, shares] = [0, 0]
      for (const amount of parts) {
        const back = read(refund("re_1", "pi_1", amount), order, moneyBack)
        moneyBack += back.moneyBack
        for (const one of back.refunds) {
          const reversal = Result.getOrThrow(CoreRefund.reverse(split, one, { earlier }))
          earlier.push(one)
          shares += reversal.shares.reduce((sum, share) => sum + share.amount, 0)
        }
      }
      const earned = split.shares.reduce((sum, share) => sum + share.amount, 0)
      return {
        shares,
        earned,
        perLine: split.items.map(({ itemId }) =>
          earlier
            .filter((one) => one.itemId === itemId)
            .reduce((sum, one) => sum + (one.amount ?? 0), 0),
        ),
      }
    }
    fc.assert(
      fc.property(
        sums,
        fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        (parts, prices, places) => {
          const total = parts.reduce((sum, part) => sum + part, 0)
          const bought = prices.reduce((sum, price) => sum + price, 0)
          // The order costs as much as all refunds together, or more.
          const rest = Math.max(0, total - bought)
          const lines = [...prices, ...(rest === 0 ? [] : [rest])].map((price, index) =>
            sessionLine(`li_${index}`, { amount_subtotal: price, amount_total: price }),
          )
          const order = orderOf(session("cs_1", lines))
          const shuffled = parts
            .map((part) => [places.next().value, part] as const)
            .sort(([one], [other]) => one - other)
            .map(([, part]) => part)
          const [once, again, whole] = [[total], shuffled, parts].map((all) =>
            reversedOf(order, all),
          )
          expect(again).toEqual(once)
          expect(whole).toEqual(once)
          if (rest > 0) expect(once?.shares).toBe(once?.earned)
        },
      ),
      runs(300),
    )
  })
})

describe("a credit note", () => {
  const order = orderOf(
    invoice("in_1", [
      invoiceLine("il_1", { amount: 6_000, quantity: 3 }),
      invoiceLine("il_2", { amount: 1_190, taxes: [] }),
    ]),
  )

  test("takes its lines back, by quantity if the money is what so many units cost, else by amount", () => {
    const lines = [
      creditLine("cnli_1", "il_1", 2_000, { quantity: 1 }),
      creditLine("cnli_2", "il_2", 500, { discount_amount: 100 }),
    ]
    const { refunds, moneyBack } = read(creditNote("cn_1", "in_1", lines), order)
    expect(refunds.map(({ itemId, quantity, amount }) => [itemId, quantity, amount])).toEqual([
      ["il_1", 1, undefined],
      ["il_2", undefined, 400],
    ])
    expect(moneyBack).toBe(0)
  })

  test("has lines without tax if the order's amounts have none, and with it if they have", () => {
    const taxes = [{ amount: 190, tax_behavior: "inclusive" }]
    const taxed = orderOf(invoice("in_1", [invoiceLine("il_1", { amount: 1_190, taxes })]))
    const half = creditLine("cnli_1", "il_1", 595, {
      taxes: [{ amount: 95, tax_behavior: "inclusive" }],
    })
    expect(amountsOf(read(creditNote("cn_1", "in_1", [half]), taxed))).toEqual([["il_1", 595]])
    const mixed = orderOf(
      invoice(
        "in_1",
        [
          invoiceLine("il_1", { amount: 1_190, taxes }),
          invoiceLine("il_2", {
            amount: 1_000,
            taxes: [{ amount: 190, tax_behavior: "exclusive" }],
          }),
        ],
        { total: 2_380 },
      ),
    )
    expect(amountsOf(read(creditNote("cn_1", "in_1", [half]), mixed))).toEqual([["il_1", 500]])
  })

  test("takes money of other lines back from the whole order, and shipping from the shipping", () => {
    const custom = creditLine("cnli_1", "", 719, {
      type: "custom_line_item",
      invoice_line_item: undefined,
    })
    const back = read(creditNote("cn_1", "in_1", [custom]), order)
    expect(back.moneyBack).toBe(719)
    expect(amountsOf(back)).toEqual([
      ["il_1", 600],
      ["il_2", 119],
    ])
    const shipping_cost = { amount_subtotal: 500, amount_tax: 0, amount_total: 500 }
    const shipped = orderOf(invoice("in_1", [invoiceLine("il_1")], { shipping_cost, total: 3_500 }))
    const lines = [creditLine("cnli_1", "il_1", 1_500)]
    const both = read(creditNote("cn_1", "in_1", lines, { shipping_cost }), shipped)
    expect(both.refunds).toMatchObject([
      { itemId: "il_1", amount: 1_500 },
      { itemId: "il_1", shippingAmount: 500, shippingTotal: 500 },
    ])
  })

  test("of a line that the order does not have, or with more lines than are there, is refused with its path", () => {
    expect(pathsOf(creditNote("cn_1", "in_1", [creditLine("cnli_1", "il_9", 1)]), order)).toEqual([
      "lines.data[0].invoice_line_item",
    ])
    const begun = { lines: { data: [creditLine("cnli_1", "il_1", 1)], has_more: true } }
    expect(pathsOf(creditNote("cn_1", "in_1", [], begun), order)).toEqual(["lines.has_more"])
  })
})
