/** The lines of an order, and what of the order's discount and tax falls on each. */
import * as reader from "../../internal/reader.js"
import type { LeftOut } from "../../LeftOut.js"
import * as Allocation from "../../money/Allocation.js"
import type { OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import { filled, notBlank } from "./documents.js"
import * as money from "./money.js"

interface LineItem {
  readonly node: reader.Node
  readonly id: string
  readonly quantity: number
  readonly price: number
  readonly amount: number
}

const readLine = (node: reader.Node, currency: money.ShopCurrency): LineItem => {
  const quantity = reader.neededWhole(node, "quantity", 0)
  const price = money.neededAmount(node, "price", currency)
  const amount = money.times(node, { price, quantity })
  return { node, id: reader.neededId(node, "id"), quantity, price, amount }
}

/** Shopify writes how a tip was paid into the line that it is. */
const isTip = ({ fields }: reader.Node): boolean =>
  (fields.tip_payment_gateway ?? fields.tip_payment_method ?? fields.tip ?? null) !== null

/** In older documents a tip is a line without a product by that name, beside the sum of the tips. */
const isNamedTip = (order: reader.Node, { fields }: reader.Node): boolean =>
  fields.title === "Tip" &&
  (fields.product_id ?? null) === null &&
  Number(order.fields.total_tip_received ?? 0) > 0

const unsharedKind = (order: reader.Node, line: reader.Node): LeftOut["what"] | undefined => {
  if (line.fields.gift_card === true) return "gift card"
  return isTip(line) || isNamedTip(order, line) ? "tip" : undefined
}

/** An order-level sum over the lines by largest remainder; equal remainders go to the smaller line id. */
const spread = (
  total: number,
  lines: ReadonlyArray<LineItem>,
  weightOf: (line: LineItem, index: number) => number,
): ReadonlyArray<number> => {
  const sorted = lines
    .map((line, index) => ({ id: line.id, index, weight: Math.max(0, weightOf(line, index)) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const parts = Allocation.allocate(
    total,
    sorted.map(({ weight }) => weight),
  )
  const spreadParts = lines.map(() => 0)
  for (const [position, { index }] of sorted.entries()) spreadParts[index] = parts[position] ?? 0
  return spreadParts
}

const allocations = (currency: money.ShopCurrency) => ({
  list: "discount_allocations",
  field: "amount",
  currency,
})

const taxes = (currency: money.ShopCurrency) => ({ list: "tax_lines", field: "price", currency })

/** What of an order-level sum is left for the lines once the shipping lines have had theirs. */
const withoutShipping = (
  order: reader.Node,
  total: number,
  partOf: (shippingLine: reader.Node) => number,
): number => {
  const shipping = reader.children(order, "shipping_lines") ?? []
  return Math.max(0, total - money.sum(order, "shipping_lines", shipping.map(partOf)))
}

/** What a shipping line costs, and how much of its price was taken off. */
const shippingCost = (
  line: reader.Node,
  currency: money.ShopCurrency,
): { readonly cost: number; readonly discount: number } => {
  const price = money.neededAmount(line, "price", currency)
  const allocated = money.sumOf(line, allocations(currency)) ?? 0
  if (allocated !== 0) return { cost: price - allocated, discount: allocated }
  const cost =
    money.shopAmount(line, "discounted_price_set", currency) ??
    money.amount(line, "discounted_price", currency) ??
    price
  return { cost, discount: price - cost }
}

/** What was paid for shipping, and the tax on it. */
export const readShipping = (
  order: reader.Node,
  currency: money.ShopCurrency,
): { readonly amount: number; readonly tax: number } => {
  const all = reader.children(order, "shipping_lines")
  if (all === undefined) {
    return { amount: money.shopAmount(order, "total_shipping_price_set", currency) ?? 0, tax: 0 }
  }
  const lines = all.filter((line) => line.fields.is_removed !== true)
  const sum = (amounts: ReadonlyArray<number>) => money.sum(order, "shipping_lines", amounts)
  return {
    amount: sum(lines.map((line) => shippingCost(line, currency).cost)),
    tax: sum(lines.map((line) => money.sumOf(line, taxes(currency)) ?? 0)),
  }
}

/**
 * A line's discount is the sum of its `discount_allocations`, else its `total_discount`. When no line
 * says any, the order's `total_discounts` is spread over the lines in proportion to their amounts.
 */
const discountsOf = (
  order: reader.Node,
  lines: ReadonlyArray<LineItem>,
  currency: money.ShopCurrency,
): ReadonlyArray<number> => {
  const own = lines.map(({ node }) => money.lineDiscount(node, currency))
  const total = money.amount(order, "total_discounts", currency) ?? 0
  if (own.some((part) => part !== 0) || total <= 0) return own
  const forLines = withoutShipping(order, total, (line) => shippingCost(line, currency).discount)
  // Nothing is ever taken off gift cards and tips.
  const goodsOf = (line: LineItem) =>
    unsharedKind(order, line.node) === undefined ? line.amount : 0
  const goods = money.sum(order, "line_items", lines.map(goodsOf))
  return spread(Math.min(forLines, Math.max(0, goods)), lines, goodsOf)
}

/**
 * A line's tax is the sum of its `tax_lines`. When no line says any, the order's `total_tax` is spread over
 * the taxable lines in proportion to their amounts after discount.
 */
const taxesOf = (
  order: reader.Node,
  lines: ReadonlyArray<LineItem>,
  options: { readonly discounts: ReadonlyArray<number>; readonly currency: money.ShopCurrency },
): ReadonlyArray<number> => {
  const part = taxes(options.currency)
  const own = lines.map(({ node }) => money.sumOf(node, part) ?? 0)
  const said = money.amount(order, "total_tax", options.currency)
  const total = said ?? money.sumOf(order, part) ?? 0
  if (own.some((tax) => tax !== 0) || total <= 0) return own
  const net = (line: LineItem, index: number) => line.amount - (options.discounts[index] ?? 0)
  const taxableNet = (line: LineItem, index: number) =>
    line.node.fields.taxable === false || unsharedKind(order, line.node) !== undefined
      ? 0
      : net(line, index)
  const forLines = withoutShipping(order, total, (line) => money.sumOf(line, part) ?? 0)
  const isAnyTaxable = lines.some((line, index) => taxableNet(line, index) > 0)
  return spread(forLines, lines, isAnyTaxable ? taxableNet : net)
}

const rate = {
  parse: (value: unknown) => {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    return typeof number === "number" && Number.isFinite(number) ? number : undefined
  },
  expected: "a number, as 0.06",
}

/** The rates are for display only: 0.06 and 0.01 together are 7 percent. */
const taxNaming = (node: reader.Node): Pick<OrderItem, "taxPercent" | "taxName"> => {
  const parts = reader.children(node, "tax_lines") ?? []
  if (parts.length === 0) return { taxPercent: null, taxName: null }
  const rates = parts.map((part) => reader.parsed(part, "rate", rate) ?? 0)
  const percent = rates.reduce((sum, part) => sum + part, 0) * 100
  const names = notBlank(parts.map((part) => reader.text(part, "title")))
  return {
    taxPercent: Math.round(percent * 1e6) / 1e6,
    taxName: names.length === 0 ? null : names.join(", "),
  }
}

/** A line without a product (a custom line) goes by its variant, else by itself. */
const readProduct = ({ node, id, price }: LineItem): Product => {
  const productId = reader.id(node, "product_id")
  const variantId = reader.id(node, "variant_id")
  return {
    id: productId ?? variantId ?? id,
    externalId: productId,
    externalVariantId: variantId,
    name: filled(node, "name") ?? filled(node, "title"),
    sku: filled(node, "sku") ?? null,
    vendor: filled(node, "vendor"),
    price,
  }
}

/** Reads the lines of an order as items. Discounts and taxes of the order are spread over all of its lines. */
export const readItems = (
  order: reader.Node,
  currency: money.ShopCurrency,
  shared: ReadonlySet<LeftOut["what"]>,
): { readonly items: ReadonlyArray<OrderItem>; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const nodes = reader.neededChildren(order, "line_items")
  const lines = nodes.map((node) => readLine(node, currency))
  const discounts = discountsOf(order, lines, currency)
  const taxTotals = taxesOf(order, lines, { discounts, currency })
  const isTaxNamedByLine = nodes.some((node) => (reader.list(node, "tax_lines") ?? []).length > 0)
  const items: Array<OrderItem> = []
  const leftOut: Array<LeftOut> = []
  lines.forEach((line, index) => {
    const { node, id, amount } = line
    const discount = discounts[index] ?? 0
    const what = unsharedKind(order, node)
    if (what !== undefined && !shared.has(what)) {
      leftOut.push({ itemId: id, what, amount: amount - discount })
      return
    }
    items.push({
      id,
      product: readProduct(line),
      quantity: line.quantity,
      amount,
      discount,
      taxTotal: taxTotals[index] ?? 0,
      ...taxNaming(isTaxNamedByLine ? node : order),
      grams: reader.whole(node, "grams"),
    })
  })
  return { items, leftOut }
}
