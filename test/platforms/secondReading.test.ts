/**
 * Orders of the platforms read twice: by the readers, and by a reading that shares nothing with them.
 *
 * `APPORTION_DOCUMENTS=<folder>` reads every order in the JSON files of a folder, too, and prints how many of which
 * platform came out how: `APPORTION_DOCUMENTS=... npx vitest run --project source test/platforms`
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { inFolder, shopify, wooCommerce } from "./Comparison.js"

const decimal = (cents: number): string => {
  const text = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`
}

interface Drawn {
  readonly price: number
  readonly quantity: number
  readonly discount: number
  readonly tax: number
  readonly isAllocated: boolean
  readonly back: number
}

const drawnLine: fc.Arbitrary<Drawn> = fc
  .record({
    price: fc.integer({ min: 0, max: 50_000 }),
    quantity: fc.integer({ min: 1, max: 5 }),
    discount: fc.integer({ min: 0, max: 100 }),
    tax: fc.integer({ min: 0, max: 3_000 }),
    isAllocated: fc.boolean(),
    back: fc.nat({ max: 5 }),
  })
  .map((line) => ({
    ...line,
    discount: Math.floor((line.price * line.quantity * line.discount) / 100),
    back: Math.min(line.back, line.quantity),
  }))

const sum = (all: ReadonlyArray<number>): number => all.reduce((one, other) => one + other, 0)

const shopifyLine = (line: Drawn, index: number, isByLine: boolean) => ({
  id: index + 1,
  product_id: 100 + index,
  price: decimal(line.price),
  quantity: line.quantity,
  total_discount: isByLine && !line.isAllocated ? decimal(line.discount) : "0.00",
  discount_allocations:
    isByLine && line.isAllocated
      ? [{ amount: decimal(line.discount - 1 > 0 ? line.discount - 1 : line.discount) }].concat(
          line.discount - 1 > 0 ? [{ amount: "0.01" }] : [],
        )
      : [],
  tax_lines: [{ price: decimal(line.tax), rate: 0.1, title: "VAT" }],
  taxable: true,
})

/** Orders whose figures agree, with discounts by line or of the order, and some of it refunded. */
const shopifyOrder = fc
  .record({
    lines: fc.array(drawnLine, { minLength: 1, maxLength: 4 }),
    shipping: fc.integer({ min: 0, max: 2_000 }),
    isByLine: fc.boolean(),
    taxes_included: fc.boolean(),
  })
  .map(({ lines, shipping, isByLine, taxes_included }) => {
    const goods = sum(lines.map(({ price, quantity }) => price * quantity))
    const discount = sum(lines.map((line) => line.discount))
    const tax = sum(lines.map((line) => line.tax))
    const back = lines.flatMap((line, index) => {
      const net = line.price * line.quantity - line.discount
      const subtotal = Math.round((net * line.back) / line.quantity)
      const isTold = isByLine && line.back > 0 && subtotal > 0
      return isTold
        ? [{ line_item_id: index + 1, quantity: line.back, subtotal: decimal(subtotal) }]
        : []
    })
    return {
      id: 1,
      currency: "USD",
      taxes_included,
      total_discounts: decimal(discount),
      total_tax: decimal(tax),
      subtotal_price: decimal(goods - discount),
      total_price: decimal(goods - discount + shipping + (taxes_included ? 0 : tax)),
      line_items: lines.map((line, index) => shopifyLine(line, index, isByLine)),
      shipping_lines: [{ id: 9, price: decimal(shipping) }],
      refunds:
        back.length === 0
          ? []
          : [{ id: 2, order_id: 1, created_at: "2025-01-01T00:00:00Z", refund_line_items: back }],
    }
  })

const wooOrder = fc
  .record({
    lines: fc.array(drawnLine, { minLength: 1, maxLength: 4 }),
    shipping: fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 400 })),
    fee: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
    prices_include_tax: fc.boolean(),
    more: fc.constantFrom("", "0", "00"),
  })
  .map(({ lines, shipping: [shipping, shippingTax], fee, prices_include_tax, more }) => {
    const nets = lines.map(({ price, quantity, discount }) => price * quantity - discount)
    const tax = sum(lines.map((line) => line.tax))
    const all = sum([...nets, tax, shipping, shippingTax, fee ?? 0])
    return {
      id: 1,
      currency: "EUR",
      status: "completed",
      prices_include_tax,
      billing: {},
      total: decimal(all),
      shipping_total: decimal(shipping),
      shipping_tax: decimal(shippingTax),
      fee_lines: fee === undefined ? [] : [{ id: 8, total: decimal(fee), total_tax: "0" }],
      line_items: lines.map((line, index) => ({
        id: index + 1,
        product_id: 100 + index,
        quantity: line.quantity,
        subtotal: decimal(line.price * line.quantity) + more,
        subtotal_tax: decimal(line.tax) + more,
        total: decimal(nets[index] ?? 0) + more,
        total_tax: decimal(line.tax) + more,
      })),
    }
  })

describe("orders read twice", () => {
  it("of Shopify come out the same, line by line, in total, and in what went back", () => {
    fc.assert(
      fc.property(shopifyOrder, (document) => {
        expect(shopify(document)).toEqual({ kind: "agrees", says: "" })
      }),
      runs(300),
    )
  })

  it("of WooCommerce come out the same, line by line and in total", () => {
    fc.assert(
      fc.property(wooOrder, (document) => {
        expect(wooCommerce(document)).toEqual({ kind: "agrees", says: "" })
      }),
      runs(300),
    )
  })

  it("in yen and dinars, of gift cards, and with what contradicts itself, come out as they are", () => {
    const line = { id: 1, price: "700", quantity: 3, total_discount: "100" }
    const yen = { id: 1, currency: "JPY", line_items: [line], total_price: "2000" }
    expect(shopify(yen).kind).toBe("agrees")
    expect(shopify({ ...yen, total_price: "1999" }).kind).toBe("contradicts itself")
    const dinars = { ...yen, currency: "KWD", line_items: [{ ...line, price: "0.701" }] }
    const lines = [{ id: 1, price: "0.701", quantity: 3 }]
    expect(shopify({ ...dinars, line_items: lines, total_price: "2.103" }).kind).toBe("agrees")
    const card = { id: 2, price: "25.00", quantity: 1, gift_card: true }
    const cards = { id: 1, currency: "USD", line_items: [card], total_price: "25.00", test: true }
    expect(shopify(cards).kind).toBe("agrees")
    const fee = { id: 3, total: "-5.00", total_tax: "0.00" }
    const reduced = { id: 4, quantity: 1, subtotal: "20.00", total: "20.00" }
    const woo = { id: 1, currency: "USD", total: "15.00", fee_lines: [fee], line_items: [reduced] }
    expect(wooCommerce(woo).kind).toBe("agrees")
  })
})

const asked = process.env.APPORTION_DOCUMENTS

describe("the documents of a folder", () => {
  it("come out the same by both readings, but for those that contradict themselves", () => {
    const found = inFolder(asked ?? "docs/guide/small-shop")
    const counted = new Map<string, number>()
    for (const { platform, outcome } of found) {
      const key = `${platform}: ${outcome.kind}`
      counted.set(key, (counted.get(key) ?? 0) + 1)
    }
    const counts = [...counted].sort().map(([key, count]) => `${count} ${key}`)
    const others = found
      .filter(({ outcome }) => outcome.kind !== "agrees")
      .map(({ file, outcome }) => `${outcome.kind}: ${file}: ${outcome.says}`)
    if (asked !== undefined) console.log([...counts, ...others].join("\n"))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ outcome }) => outcome.kind === "differs")).toEqual([])
  })
})
