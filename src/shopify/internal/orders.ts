import type * as Result from "effect/Result"
import { idsBrought } from "../../internal/productTags.js"
import * as reader from "../../internal/reader.js"
import { readCurrency } from "../../internal/reader.js"
import {
  type LeftOut,
  type NotASale,
  type Reading,
  type Reason,
  readSale,
  type Unsold,
} from "../../internal/sales.js"
import * as Allocation from "../../money/Allocation.js"
import * as Currency from "../../money/Currency.js"
import type { OrderDetails, OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { Unreadable } from "../../Unreadable.js"
import type { ProductTagSource } from "../Products.js"
import * as values from "./values.js"
import { filled, notBlank, tags } from "./values.js"

// The referers of the buyer, from all fields of an order that have them.

/** The parameters of a landing page's address that name the referer. */
export const defaultParameters: ReadonlyArray<string> = [
  "ref",
  "source",
  "r",
  "referer",
  "referrer",
  "utm_source",
]

const hostOf = (address: string | undefined): string | undefined =>
  /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#:\s]+)/i
    .exec(address ?? "")?.[1]
    ?.toLowerCase()

/** The parameters of an address, which may be only a path; the part after `#` is ignored. */
const parametersOf = (address: string | undefined): URLSearchParams => {
  const [beforeFragment = ""] = (address ?? "").split("#")
  const start = beforeFragment.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : beforeFragment.slice(start + 1))
}

const valuesOf = (
  address: string | undefined,
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  return [...parametersOf(address)]
    .filter(([name]) => wanted.has(name.toLowerCase()))
    .map(([, value]) => value)
}

export const readReferers = (
  node: reader.Node,
  parameters: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const site = reader.text(node, "referring_site")
  const landing = reader.text(node, "landing_site")
  const all = notBlank([
    reader.text(node, "landing_site_ref"),
    site,
    hostOf(site),
    ...valuesOf(landing, parameters),
  ])
  return [...new Set(all)]
}

// The lines of an order, and the part of the order's discount and tax that each gets.

interface LineItem {
  readonly node: reader.Node
  readonly id: string
  readonly quantity: number
  readonly price: number
  readonly amount: number
}

const readLine = (node: reader.Node, currency: values.ShopCurrency): LineItem => {
  const quantity = reader.neededWhole(node, "quantity", 0)
  const price = values.neededAmount(node, "price", currency)
  const amount = values.times(node, { price, quantity })
  return { node, id: reader.neededId(node, "id"), quantity, price, amount }
}

/** Whether a line is a tip: Shopify writes into it how the tip was paid. */
const isTip = ({ fields }: reader.Node): boolean =>
  (fields.tip_payment_gateway ?? fields.tip_payment_method ?? fields.tip ?? null) !== null

/** In older documents a tip is a line with this name and without a product, next to the sum of the tips. */
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

const allocations = (currency: values.ShopCurrency) => ({
  list: "discount_allocations",
  field: "amount",
  currency,
})

const taxes = (currency: values.ShopCurrency) => ({ list: "tax_lines", field: "price", currency })

/** The part of an order-level amount for the lines: the amount less the part of the shipping lines. */
const withoutShipping = (
  order: reader.Node,
  total: number,
  partOf: (shippingLine: reader.Node) => number,
): number => {
  const shipping = reader.children(order, "shipping_lines") ?? []
  return Math.max(0, total - values.sum(order, "shipping_lines", shipping.map(partOf)))
}

/** The cost of a shipping line, and the discount on its price. */
const shippingCost = (
  line: reader.Node,
  currency: values.ShopCurrency,
): { readonly cost: number; readonly discount: number } => {
  const price = values.neededAmount(line, "price", currency)
  const allocated = values.sumOf(line, allocations(currency)) ?? 0
  if (allocated !== 0) return { cost: price - allocated, discount: allocated }
  const cost =
    values.shopAmount(line, "discounted_price_set", currency) ??
    values.amount(line, "discounted_price", currency) ??
    price
  return { cost, discount: price - cost }
}

/** The amount paid for shipping, and the tax on it. */
export const readShipping = (
  order: reader.Node,
  currency: values.ShopCurrency,
): { readonly amount: number; readonly tax: number } => {
  const all = reader.children(order, "shipping_lines")
  if (all === undefined) {
    return { amount: values.shopAmount(order, "total_shipping_price_set", currency) ?? 0, tax: 0 }
  }
  const lines = all.filter((line) => line.fields.is_removed !== true)
  const sum = (amounts: ReadonlyArray<number>) => values.sum(order, "shipping_lines", amounts)
  return {
    amount: sum(lines.map((line) => shippingCost(line, currency).cost)),
    tax: sum(lines.map((line) => values.sumOf(line, taxes(currency)) ?? 0)),
  }
}

/**
 * A line's discount is the sum of its `discount_allocations`, else its `total_discount`. When no line has any, the
 * order's `total_discounts` is spread over the lines in proportion to their amounts.
 */
const discountsOf = (
  order: reader.Node,
  lines: ReadonlyArray<LineItem>,
  currency: values.ShopCurrency,
): ReadonlyArray<number> => {
  const own = lines.map(({ node }) => values.lineDiscount(node, currency))
  const total = values.amount(order, "total_discounts", currency) ?? 0
  if (own.some((part) => part !== 0) || total <= 0) return own
  const forLines = withoutShipping(order, total, (line) => shippingCost(line, currency).discount)
  // Gift cards and tips never get a discount.
  const goodsOf = (line: LineItem) =>
    unsharedKind(order, line.node) === undefined ? line.amount : 0
  const goods = values.sum(order, "line_items", lines.map(goodsOf))
  return spread(Math.min(forLines, Math.max(0, goods)), lines, goodsOf)
}

/**
 * A line's tax is the sum of its `tax_lines`. When no line has any, the order's `total_tax` is spread over the taxable
 * lines in proportion to their amounts after discount.
 */
const taxesOf = (
  order: reader.Node,
  lines: ReadonlyArray<LineItem>,
  options: { readonly discounts: ReadonlyArray<number>; readonly currency: values.ShopCurrency },
): ReadonlyArray<number> => {
  const part = taxes(options.currency)
  const own = lines.map(({ node }) => values.sumOf(node, part) ?? 0)
  const said = values.amount(order, "total_tax", options.currency)
  const total = said ?? values.sumOf(order, part) ?? 0
  if (own.some((tax) => tax !== 0) || total <= 0) return own
  const net = (line: LineItem, index: number) => line.amount - (options.discounts[index] ?? 0)
  const taxableNet = (line: LineItem, index: number) =>
    line.node.fields.taxable === false || unsharedKind(order, line.node) !== undefined
      ? 0
      : net(line, index)
  const forLines = withoutShipping(order, total, (line) => values.sumOf(line, part) ?? 0)
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

/** A line without a product (a custom line) is identified by its variant, else by itself. */
const readProduct = (
  { node, id, price }: LineItem,
  idsFrom: ShopifyOrderOptions["idsFrom"],
): Product => {
  const productId = reader.id(node, "product_id")
  const variantId = reader.id(node, "variant_id")
  const sku = filled(node, "sku")
  return {
    id: productId ?? variantId ?? id,
    externalId: productId,
    externalVariantId: variantId,
    name: filled(node, "name") ?? filled(node, "title"),
    sku: sku ?? null,
    vendor: filled(node, "vendor"),
    price,
    ...idsBrought(idsFrom, { variant: [variantId], sku: [sku] }),
  }
}

/** Reads the lines of an order as items. Discounts and taxes of the order are spread over all of its lines. */
export const readItems = (
  order: reader.Node,
  currency: values.ShopCurrency,
  options: ShopifyOrderOptions,
): { readonly items: ReadonlyArray<OrderItem>; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const shared = sharedKinds(options)
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
      product: readProduct(line, options.idsFrom),
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

// The fields of an order, besides its items, that a collaborator may be allowed to see.

const addressLine = (node: reader.Node, key: string): string | null => {
  const address = reader.child(node, key)
  if (address === undefined) return null
  const name = filled(address, "name") ?? fullName(address)
  const parts = ["company", "address1", "address2", "city", "province", "zip", "country"]
  const line = notBlank([name, ...parts.map((part) => reader.text(address, part))]).join(", ")
  return line === "" ? null : line
}

const fullName = (node: reader.Node | undefined): string | undefined => {
  if (node === undefined) return undefined
  const name = notBlank([reader.text(node, "first_name"), reader.text(node, "last_name")]).join(" ")
  return name === "" ? undefined : name
}

const gatewayOf = (node: reader.Node): string | undefined => {
  const names = notBlank(reader.texts(node, "payment_gateway_names") ?? [])
  return names.length === 0 ? filled(node, "gateway") : names.join(", ")
}

export const readDetails = (node: reader.Node, customer: reader.Node | undefined): OrderDetails => {
  const email = filled(node, "email") ?? filled(node, "contact_email")
  const billing = reader.child(node, "billing_address")
  const orderName = filled(node, "name")
  return {
    customerEmail: email ?? (customer && filled(customer, "email")) ?? null,
    customerName: fullName(customer) ?? fullName(billing) ?? null,
    status: filled(node, "financial_status") ?? null,
    paymentGateway: gatewayOf(node) ?? null,
    shippingAddress: addressLine(node, "shipping_address"),
    billingAddress: addressLine(node, "billing_address"),
    ...(orderName === undefined ? {} : { orderName }),
  }
}

// A Shopify order: its items, the lines that are left out, and whether it is a sale.

/**
 * Options for reading Shopify's orders.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShopifyOrderOptions {
  /**
   * The parameters of the landing page's address whose values are referers; `refererParameters` when absent. Case is
   * ignored.
   */
  readonly refererParameters?: ReadonlyArray<string> | undefined
  /**
   * How to treat sold gift cards: a gift card is a debt to its holder, and not a sale. `"leave-out"` when absent.
   *
   * @since 0.6.0
   */
  readonly giftCards?: "leave-out" | "share" | undefined
  /**
   * How to treat tips. `"leave-out"` when absent.
   *
   * @since 0.6.0
   */
  readonly tips?: "leave-out" | "share" | undefined
  /**
   * Reasons for which orders that are not sales are read anyway. None when absent.
   *
   * @since 0.6.0
   */
  readonly include?: ReadonlyArray<Reason> | undefined
  /**
   * The data of a line that is used as `otherIds` of its product. An order has only `variant` and `sku`; the product
   * data has the others. None when absent.
   *
   * @since 0.6.0
   */
  readonly idsFrom?: ReadonlyArray<ProductTagSource> | undefined
  /** The path of the document in a larger input, for the problems' paths. */
  readonly path?: string | undefined
}

/** If the order does not name the shop's currency, its total in the shop's money may. */
const readShopCurrency = (node: reader.Node): values.ShopCurrency => {
  const named = shopCurrencyOf(node.fields.total_price_set)
  if (reader.field(node, "currency") === undefined && named !== undefined) return named
  const currency = readCurrency(node, "currency")
  return currency === "" ? undefined : currency
}

/** The currency of the shop's own money in a `…_set`. */
export const shopCurrencyOf = (value: unknown): string | undefined => {
  const shop = reader.isFields(value) ? value.shop_money : undefined
  const code = reader.isFields(shop) ? shop.currency_code : undefined
  return Currency.isCurrency(code) ? code : undefined
}

const readCodes = (node: reader.Node): ReadonlyArray<string> =>
  notBlank((reader.children(node, "discount_codes") ?? []).map((code) => reader.text(code, "code")))

const sharedKinds = ({ giftCards, tips }: ShopifyOrderOptions): ReadonlySet<LeftOut["what"]> =>
  new Set<LeftOut["what"]>([
    ...(giftCards === "share" ? (["gift card"] as const) : []),
    ...(tips === "share" ? (["tip"] as const) : []),
  ])

const readOrder = (node: reader.Node, options: ShopifyOrderOptions): Reading => {
  const currency = readShopCurrency(node)
  const customer = reader.child(node, "customer")
  const billing = reader.child(node, "billing_address")
  const shipping = readShipping(node, currency)
  const { items, leftOut } = readItems(node, currency, options)
  const order = {
    id: reader.neededId(node, "id"),
    currency: currency ?? "",
    createdAt: reader.time(node, "created_at") ?? reader.time(node, "processed_at") ?? null,
    tags: tags(node, "tags"),
    customerTags: customer === undefined ? [] : tags(customer, "tags"),
    discountCodes: readCodes(node),
    billingCountry: (billing && reader.text(billing, "country_code")) ?? null,
    referers: readReferers(node, options.refererParameters ?? defaultParameters),
    taxesIncluded: reader.flag(node, "taxes_included") ?? false,
    shippingAmount: shipping.amount,
    ...(shipping.tax === 0 ? {} : { shippingTax: shipping.tax }),
    gatewayFee: 0,
    items,
    details: readDetails(node, customer),
  }
  return { order, leftOut }
}

const unpaid: ReadonlySet<unknown> = new Set(["pending", "authorized", "expired", "unpaid"])

const unsold = ({ fields }: reader.Node): Unsold | undefined => {
  const status = fields.financial_status
  if (fields.test === true) return ["test", "is a test order"]
  if (Object.hasOwn(fields, "invoice_url")) return ["draft", "is a draft, which nobody bought yet"]
  if (Object.hasOwn(fields, "abandoned_checkout_url")) {
    return ["draft", "is a checkout that was abandoned"]
  }
  if ((fields.cancelled_at ?? null) !== null) return ["cancelled", "was cancelled"]
  if (status === "voided") return ["voided", "was voided"]
  if (unpaid.has(status)) return ["unpaid", `is not paid yet (${status})`]
  return undefined
}

/** Reads one order; one that is not a sale is `NotASale`. */
export const readFound = (
  { path, value }: values.FoundObject,
  options: ShopifyOrderOptions,
): Result.Result<Reading, Unreadable | NotASale> =>
  readSale(value, {
    what: "Shopify order",
    path,
    include: options.include,
    unsold,
    read: (node) => readOrder(node, options),
  })
