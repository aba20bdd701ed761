/** The charges for the lines and the shipping of a session or an invoice, with tax in them or on top. */
import * as reader from "../../internal/reader.js"
import { type Reading, withDiscount } from "../../internal/sales.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import { expandable, filled, metadata, metadataList } from "./values.js"

/** A charge: its price before the discount, and the tax in that price and on top of it. */
export interface Charged {
  readonly price: number
  readonly discount: number
  readonly taxInPrice: number
  readonly taxOnTop: number
}

/** A line of a session or an invoice. */
export interface ChargedLine extends Charged {
  readonly id: string
  readonly product: Product
  readonly quantity: number
}

const nothing: Charged = { price: 0, discount: 0, taxInPrice: 0, taxOnTop: 0 }

/** The amount paid, with tax. */
const totalOf = ({ price, discount, taxOnTop }: Charged): number => price - discount + taxOnTop

/**
 * The charge from the figures of a line: the tax that is not on top of the discounted price is in it. Contradicting
 * figures are noted.
 */
export const charged = (
  node: reader.Node,
  figures: {
    readonly price: number
    readonly discount: number
    readonly tax: number
    readonly total: number
  },
): Charged => {
  const { price, discount, tax, total } = figures
  const taxOnTop = total - (price - discount)
  const taxInPrice = tax - taxOnTop
  const isSame = Math.sign(taxOnTop) * Math.sign(taxInPrice) >= 0
  if (!isSame || (tax === 0 && taxOnTop !== 0)) {
    const message = `must be the subtotal less the discount of ${discount}, with all, some or none of the tax of ${tax} on top, got ${total}`
    reader.note(node, "amount_total", message, total)
    return nothing
  }
  return { price, discount, taxInPrice, taxOnTop }
}

/** The product of a line, with the data that the line has. */
export const productOf = (
  line: reader.Node,
  { price, product }: { readonly price: string | undefined; readonly product: string | undefined },
  expanded: reader.Node | undefined,
): Product => {
  const name = filled(expanded, "name") ?? filled(line, "description")
  if (product === undefined) return { id: reader.neededId(line, "id"), name }
  return {
    id: product,
    externalId: product,
    externalVariantId: price,
    name,
    ...attributesOf(expanded),
  }
}

/** The attributes of a product in the host's metadata, which rules match. */
export const attributesOf = (
  product: reader.Node | undefined,
): Pick<Product, "vendor" | "tags" | "sku"> => {
  if (product === undefined || reader.field(product, "metadata") === undefined) return {}
  return {
    vendor: metadata(product, "vendor"),
    tags: metadataList(product, "tags"),
    sku: metadata(product, "sku") ?? null,
  }
}

/** The codes of discounts: the code that the buyer typed, and the ids that the host uses. */
export const codesOf = (discounts: ReadonlyArray<reader.Node>): ReadonlyArray<string> => {
  const codes = discounts.flatMap((discount) => {
    const promotion = expandable(discount, "promotion_code")
    const source = reader.isFields(discount.fields.source)
      ? reader.child(discount, "source")
      : undefined
    const coupon = expandable(source ?? discount, "coupon")
    return [filled(promotion?.node, "code"), promotion?.id, coupon?.id]
  })
  return [...new Set(codes.filter((code) => code !== undefined))]
}

/** The charges of an order. */
export interface Charges {
  readonly lines: ReadonlyArray<ChargedLine>
  readonly shipping: Charged | undefined
  /** Order-level discount that is in none of the lines. */
  readonly discount: number
  /** Stripe's total, which the charges must add up to. */
  readonly total: number
}

const itemOf = ({ id, product, quantity, ...line }: ChargedLine, withTax: boolean): OrderItem => ({
  ...{ id, product, quantity, discount: line.discount },
  amount: withTax ? line.price : line.price - line.taxInPrice,
  taxTotal: line.taxInPrice + line.taxOnTop,
  ...{ taxPercent: null, taxName: null },
})

/** The difference between the charges and their total. */
const restOf = ({ lines, shipping = nothing, discount, total }: Charges): number =>
  [...lines, shipping].reduce((rest, one) => rest - totalOf(one), total + discount)

/**
 * The lines with the rounding difference to the total added to the tax of the line with the most tax: sellers choose
 * whether tax on top is rounded for each line or for the whole. `undefined`: the difference is larger than rounding
 * explains.
 */
const settled = (charges: Charges): ReadonlyArray<ChargedLine> | undefined => {
  const { lines } = charges
  const rest = restOf(charges)
  if (rest === 0) return lines
  const taxes = lines.map(({ taxOnTop }) => Math.abs(taxOnTop))
  const most = Math.max(0, ...taxes)
  if (most === 0 || Math.abs(rest) > lines.length) return undefined
  const place = taxes.indexOf(most)
  return lines.map((line, index) =>
    index === place ? { ...line, taxOnTop: line.taxOnTop + rest } : line,
  )
}

/**
 * The order of the charges. Its amounts include tax if all taxed charges do; otherwise none does. Charges that don't
 * add up to the total are noted.
 */
export const orderOf = (
  node: reader.Node,
  { total, charges }: { readonly total: string; readonly charges: Charges },
  rest: Omit<Order, "items" | "taxesIncluded" | "shippingAmount" | "shippingTax">,
): Reading => {
  const { shipping = nothing, discount } = charges
  const whole = settled(charges)
  const lines = whole ?? charges.lines
  if (node.problems.length === 0 && whole === undefined) {
    const message = "is not what the lines, their discounts and taxes and the shipping add up to"
    reader.note(node, total, message, charges.total)
  }
  const all = [...lines, shipping]
  const withTax =
    all.some(({ taxInPrice }) => taxInPrice !== 0) && all.every(({ taxOnTop }) => taxOnTop === 0)
  const items = lines.map((line) => itemOf(line, withTax))
  const shippingTax = shipping.taxInPrice + shipping.taxOnTop
  const paid = totalOf(shipping)
  const order = {
    ...rest,
    taxesIncluded: withTax,
    shippingAmount: withTax ? paid : paid - shippingTax,
    ...(shippingTax === 0 ? {} : { shippingTax }),
    items: discount === 0 ? items : withDiscount(items, discount),
  }
  return { order, leftOut: [] }
}
