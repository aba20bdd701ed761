/** The lines of an order, and what of the order's discount and tax falls on each. */
import * as reader from "../../internal/reader.js"
import type { OrderItem } from "../../matching/Order.js"
import type { Product } from "../../matching/Product.js"
import * as Allocation from "../../money/Allocation.js"
import * as money from "./money.js"
import { filled, notBlank } from "./texts.js"

interface Line {
  readonly node: reader.Node
  readonly id: string
  readonly quantity: number
  readonly price: number
  readonly amount: number
}

const readLine = (node: reader.Node, currency: money.ShopCurrency): Line => {
  const quantity = reader.neededWhole(node, "quantity", 0)
  const price = money.neededAmount(node, "price", currency)
  const amount = money.times(node, { price, quantity })
  return { node, id: reader.neededId(node, "id"), quantity, price, amount }
}

/** An order-level sum over the lines by largest remainder; equal remainders go to the smaller line id. */
const spread = (
  total: number,
  lines: ReadonlyArray<Line>,
  weightOf: (line: Line, index: number) => number,
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
  part: { readonly list: string; readonly field: string; readonly currency: money.ShopCurrency },
): number => {
  const shipping = reader.children(order, "shipping_lines") ?? []
  const shippingParts = shipping.map((line) => money.sumOf(line, part) ?? 0)
  return Math.max(0, total - money.sum(order, "shipping_lines", shippingParts))
}

/**
 * A line's discount is the sum of its `discount_allocations`, else its `total_discount`. When no line
 * says anything, the order's `total_discounts` is spread over the lines in proportion to their amounts.
 */
const discountsOf = (
  order: reader.Node,
  lines: ReadonlyArray<Line>,
  currency: money.ShopCurrency,
): ReadonlyArray<number> => {
  const allocated = lines.map(({ node }) => money.sumOf(node, allocations(currency)))
  const own = lines.map(
    ({ node }, index) => allocated[index] ?? money.amount(node, "total_discount", currency) ?? 0,
  )
  const isSaid = allocated.some((part) => part !== undefined) || own.some((part) => part !== 0)
  const total = money.amount(order, "total_discounts", currency) ?? 0
  if (isSaid || total <= 0) return own
  const forLines = withoutShipping(order, total, allocations(currency))
  const goods = money.sum(
    order,
    "line_items",
    lines.map((line) => line.amount),
  )
  return spread(Math.min(forLines, Math.max(0, goods)), lines, (line) => line.amount)
}

/**
 * A line's tax is the sum of its `tax_lines`. When no line has any such list, the order's `total_tax` is
 * spread over the taxable lines in proportion to their amounts after discount.
 */
const taxesOf = (
  order: reader.Node,
  lines: ReadonlyArray<Line>,
  options: { readonly discounts: ReadonlyArray<number>; readonly currency: money.ShopCurrency },
): ReadonlyArray<number> => {
  const part = taxes(options.currency)
  const own = lines.map(({ node }) => money.sumOf(node, part))
  const total = money.amount(order, "total_tax", options.currency) ?? money.sumOf(order, part) ?? 0
  if (own.some((tax) => tax !== undefined) || total <= 0) return own.map((tax) => tax ?? 0)
  const net = (line: Line, index: number) => line.amount - (options.discounts[index] ?? 0)
  const taxableNet = (line: Line, index: number) =>
    line.node.fields.taxable === false ? 0 : net(line, index)
  const forLines = withoutShipping(order, total, part)
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
const readProduct = ({ node, id, price }: Line): Product => {
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

/** Reads the lines of an order as items. */
export const readItems = (
  order: reader.Node,
  currency: money.ShopCurrency,
): ReadonlyArray<OrderItem> => {
  const nodes = reader.neededChildren(order, "line_items")
  const lines = nodes.map((node) => readLine(node, currency))
  const discounts = discountsOf(order, lines, currency)
  const taxTotals = taxesOf(order, lines, { discounts, currency })
  const isTaxNamedByLine = nodes.some((node) => reader.field(node, "tax_lines") !== undefined)
  return lines.map((line, index) => ({
    id: line.id,
    product: readProduct(line),
    quantity: line.quantity,
    amount: line.amount,
    discount: discounts[index] ?? 0,
    taxTotal: taxTotals[index] ?? 0,
    ...taxNaming(isTaxNamedByLine ? line.node : order),
    grams: reader.whole(line.node, "grams"),
  }))
}
