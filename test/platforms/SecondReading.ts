/**
 * A second reading of platforms' orders, written from what the platforms document and without the readers' own
 * modules: exact decimals in, figures out, with what the document itself says they come to.
 */

/** A JSON object. */
export interface Json {
  readonly [name: string]: unknown
}

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const list = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter(isJson) : []

/** Whole numbers of 10^-15 of a currency's unit. */
type Exact = bigint
const places = 15

const exact = (value: unknown): Exact => {
  const text = value === null || value === undefined || value === "" ? "0" : String(value)
  const [, sign = "", whole = "", part = ""] = /^\s*([+-]?)(\d*)\.?(\d*)\s*$/.exec(text) ?? []
  const magnitude = BigInt(`${whole}${part.padEnd(places, "0").slice(0, places)}`)
  return sign === "-" ? -magnitude : magnitude
}

const total = (all: ReadonlyArray<Exact>): Exact => all.reduce((sum, one) => sum + one, 0n)
const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

const withoutDecimals = [
  "BIF",
  "CLP",
  "DJF",
  "GNF",
  "ISK",
  "JPY",
  "KMF",
  "KRW",
  "PYG",
  "RWF",
  "UGX",
  "UYI",
  "VND",
  "VUV",
  "XAF",
  "XOF",
  "XPF",
]
const withThree = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

/** The lowest units of a currency, half-up. */
export const units = (value: Exact, currency: unknown): number => {
  const code = String(currency)
  const digits = withoutDecimals.includes(code) ? 0 : withThree.includes(code) ? 3 : 2
  const unit = 10n ** BigInt(places - digits)
  const rounded = (2n * absolute(value) + unit) / (2n * unit)
  return Number(value < 0n ? -rounded : rounded) || 0
}

/** What a document says of an order. */
export interface Figures {
  readonly lines: ReadonlyArray<{
    readonly id: string
    readonly quantity: number
    /** Before its discount; `undefined`: not told apart. */
    readonly amount: number | undefined
    /** What was paid; `undefined`: the order has the discount, and not the line. */
    readonly net: number | undefined
  }>
  /** What the lines, shipping and tax come to by its own total. */
  readonly total: number
  /** What its lines, shipping and tax add up to; several where it says a discount twice. */
  readonly sums: ReadonlyArray<number>
}

/** Shopify's, gift cards and tips included. */
export const ofShopify = (order: Json): Figures => {
  const { currency } = order
  const cents = (value: Exact) => units(value, currency)
  const lines = list(order.line_items).map((line) => {
    const amount = exact(line.price) * BigInt(String(line.quantity))
    const allocated = total(list(line.discount_allocations).map((one) => exact(one.amount)))
    const discount = allocated === 0n ? exact(line.total_discount) : allocated
    return { id: String(line.id), quantity: Number(line.quantity), amount, discount }
  })
  const isByLine = lines.some(({ discount }) => discount !== 0n)
  const isUntold = !isByLine && exact(order.total_discounts) !== 0n
  const tax = order.taxes_included === true ? 0n : exact(order.total_tax)
  const shipping = list(order.shipping_lines)
    .filter((line) => line.is_removed !== true)
    .map((line) => exact(line.price))
  const goods = total(lines.map(({ amount }) => amount))
  const discounts = [exact(order.total_discounts), total(lines.map(({ discount }) => discount))]
  return {
    lines: lines.map(({ id, quantity, amount, discount }) => ({
      id,
      quantity,
      amount: cents(amount),
      net: isUntold ? undefined : cents(amount - discount),
    })),
    total: cents(exact(order.total_price)),
    sums: discounts.map((discount) => cents(goods - discount + total(shipping) + tax)),
  }
}

/** WooCommerce's, fees included. */
export const ofWooCommerce = (order: Json): Figures => {
  const { currency, prices_include_tax: withTax } = order
  const cents = (value: Exact) => units(value, currency)
  const gross = (lines: ReadonlyArray<Json>) =>
    total(lines.map((line) => exact(line.total) + exact(line.total_tax)))
  const lines = list(order.line_items).map((line) => ({
    id: String(line.id),
    quantity: Number(line.quantity),
    amount: cents(exact(line.subtotal) + (withTax === true ? exact(line.subtotal_tax) : 0n)),
    net: cents(exact(line.total) + (withTax === true ? exact(line.total_tax) : 0n)),
  }))
  const own =
    gross(list(order.line_items)) +
    gross(list(order.fee_lines)) +
    exact(order.shipping_total) +
    exact(order.shipping_tax)
  return {
    lines,
    total: cents(exact(order.total)),
    sums: [cents(own)],
  }
}

/** How much money Shopify's refunds say went back of each line; `undefined` where money beside the lines moves it. */
export const refundedOf = (order: Json): ReadonlyMap<string, number> | undefined => {
  const back = new Map<string, Exact>()
  for (const refund of list(order.refunds)) {
    const payments = list(refund.transactions)
    const failed = payments.filter(({ status }) => status === "failure" || status === "error")
    const discrepancies = list(refund.order_adjustments).filter(
      ({ kind }) => kind !== "shipping_refund",
    )
    const lines = list(refund.refund_line_items)
    const isTold = lines.length > 0 && lines.every(({ subtotal }) => exact(subtotal) > 0n)
    if (failed.length > 0 || discrepancies.length > 0 || !isTold) return undefined
    for (const { line_item_id, subtotal } of lines) {
      const id = String(line_item_id)
      back.set(id, (back.get(id) ?? 0n) + exact(subtotal))
    }
  }
  return new Map([...back].map(([id, value]) => [id, units(value, order.currency)]))
}
