import { firstSecond, lastSecond } from "../../internal/seconds.js"
import * as exact from "../../money/internal/exact.js"
import { whole } from "../../money/Percent.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { isDated, type Predicate, type Values } from "./Predicate.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import type { Terms } from "./terms.js"

/** The outline of an order: which of the values that rules name it has. */
export interface OrderShape {
  /** Numbers of the values that it has, in order. */
  readonly values: ReadonlyArray<number>
  /** The kind of its product, where the products are known. */
  readonly kind: number | undefined
  /** Its time in Unix seconds; `null`: it has none. */
  readonly at: number | null
}

/** How many attributes such an order needs. A product of the catalogue needs none. */
export const sizeOf = ({ values, at }: OrderShape): number => values.length + Number(at !== null)

/** Whether any possible time is within the dates. */
export const isEver = (predicate: Predicate, from: number | undefined): boolean =>
  !isDated(predicate) ||
  Math.max(from ?? firstSecond, predicate.startsAt) < Math.min(lastSecond + 1, predicate.endsAt)

/** One time of each interval between dates; an order without a time is before all of them. */
export const timesOf = (
  dated: ReadonlyArray<Predicate>,
  from: number | undefined,
): ReadonlyArray<number | null> => {
  if (dated.length === 0) return [null]
  const start = from ?? firstSecond
  const cuts = new Set([start])
  for (const { startsAt, endsAt } of dated) {
    for (const time of [startsAt, endsAt]) {
      if (start < time && time <= lastSecond) cuts.add(time)
    }
  }
  const times = [...cuts].sort((one, other) => one - other)
  // The very first second is a poor example of a time before another.
  if (start === firstSecond) times[0] = (times[1] ?? lastSecond + 1) - 1
  return [null, ...times]
}

/** The money of an order of one item. */
export interface Figures {
  readonly amount: number
  readonly quantity?: number | undefined
  readonly discount?: number | undefined
  /** Tax included in the amount. */
  readonly tax?: number | undefined
  readonly shippingAmount?: number | undefined
  readonly currency?: string | undefined
}

const writtenAt = (
  { values }: OrderShape,
  table: Values,
  attribute: Attribute.Attribute,
): ReadonlyArray<string> =>
  values
    .map((value) => table.at(value))
    .filter((value) => value.attribute === attribute)
    .map(({ written }) => written)

/** An id that no rule names. */
const unknownId = (table: Values): string => {
  let id = "any-product"
  while (table.has("products", id)) id = `${id}-`
  return id
}

/**
 * A product's ids: those that it brings are neither its own nor its external one; of those two, only the external one may
 * be empty.
 */
const idsOf = (ids: ReadonlyArray<string>, table: Values): Partial<Product> & { id: string } => {
  const brought = ids.filter(Attribute.isBroughtId)
  const own = ids.filter((each) => !Attribute.isBroughtId(each))
  const [id = unknownId(table), ...filled] = own.filter((each) => each !== "")
  const [externalId, ...more] = [...own.filter((each) => each === ""), ...filled]
  const otherIds = [...more, ...brought]
  return {
    id,
    ...(externalId === undefined ? {} : { externalId }),
    ...(otherIds.length === 0 ? {} : { otherIds }),
  }
}

const productOf = (sketch: OrderShape, table: Values): Product => {
  const ids = idsOf(writtenAt(sketch, table, "products"), table)
  const attributes = Attribute.productAttributes.map((attribute) => {
    const values = attribute === "products" ? [] : writtenAt(sketch, table, attribute)
    return values.length === 0 ? {} : Attribute.inProduct[attribute](values)
  })
  return Object.assign(ids, ...attributes)
}

const attributesOf = (sketch: OrderShape, table: Values): Partial<Order> => {
  const attributes = Attribute.orderAttributes.map((attribute) => {
    const values = writtenAt(sketch, table, attribute)
    return values.length === 0 ? {} : Attribute.inOrder[attribute](values)
  })
  return Object.assign(sketch.at === null ? {} : { createdAt: sketch.at }, ...attributes)
}

/** An order of one item with the given shape; with a product of the catalogue, if given. */
export const orderOf = (
  sketch: OrderShape,
  table: Values,
  { figures, product }: { readonly figures: Figures; readonly product: Product | undefined },
): Order => {
  const { amount, quantity = 1, discount = 0, tax = 0 } = figures
  const { shippingAmount = 0, currency = "USD" } = figures
  return {
    id: "example",
    currency,
    ...attributesOf(sketch, table),
    ...(tax === 0 ? {} : { taxesIncluded: true }),
    ...(shippingAmount === 0 ? {} : { shippingAmount }),
    items: [
      {
        id: "item",
        product: product ?? productOf(sketch, table),
        quantity,
        amount,
        ...(discount === 0 ? {} : { discount }),
        ...(tax === 0 ? {} : { taxTotal: tax }),
      },
    ],
  }
}

/** Percentages show on large amounts, where flat amounts and limits no longer matter. */
export const ofAnything: ReadonlyArray<Figures> = [
  10_000, 1_000_000, 10_000_000_000, 100_000_000_000_000,
].map((amount) => ({ amount }))

/** A difference that rounding hides on one unit shows on several; on ten thousand, percentages are whole cents. */
const quantities = [1, 2, 3, 10, 100, 10_000]

/** Some units at their price. */
export const inUnits = (price: number): ReadonlyArray<Figures> =>
  quantities
    .map((quantity): Figures => ({ amount: price * quantity, quantity }))
    .filter(({ amount }) => Number.isSafeInteger(amount))

/** A part of an amount, rounded down. */
const partOf = (amount: number, basisPoints: number): number =>
  exact.multiplyDivide(amount, basisPoints, whole).quotient

/** The tax in a paid amount, at a rate on the rest; all of it when no rate is given. */
const taxIn = (paid: number, rate: number | undefined): number =>
  rate === undefined ? paid : exact.multiplyDivide(paid, rate, whole + rate).quotient

/** Whether shares are paid on discounts, so that they can exceed what a discount leaves. */
export const isPaidOnDiscount = ({ policy, mostDiscount = whole }: ResolvedOptions): boolean =>
  policy.discount === "ignore" && mostDiscount > 0

/**
 * The minimum that an item brings in, as a part of the base of percentages that are paid on discounts: in basis points,
 * rounded down. Tax within the price is deducted from both, and so leaves even less of it.
 */
export const leftOf = ({ policy, mostDiscount = whole, mostTax }: ResolvedOptions): number => {
  const left = whole - mostDiscount
  if (policy.tax !== "remove") return left
  if (mostTax === undefined) return mostDiscount === 0 ? left : 0
  return exact.multiplyDivide(left, whole ** 2, whole ** 2 + mostTax * mostDiscount).quotient
}

/** Ordinary discounts and taxes are tried before the largest ones: they show best what can happen. */
const discountRates = [1_000, 2_000, 5_000, 9_000]
const taxRates = [500, 2_000, 5_000, whole]

/** An amount with discounts and included taxes up to the limits. */
const withDiscounts = (
  { amount, quantity }: Figures,
  { policy, mostDiscount, mostTax }: ResolvedOptions,
): ReadonlyArray<Figures> => {
  const rates = mostDiscount === undefined ? [...discountRates, whole] : [mostDiscount]
  const discounts = rates.map((rate) => partOf(amount, rate))
  const taxes =
    policy.tax === "remove"
      ? [0, ...taxRates.filter((rate) => rate < (mostTax ?? Number.POSITIVE_INFINITY)), mostTax]
      : [0]
  return taxes.flatMap((rate) =>
    discounts.map((discount) => ({
      amount,
      quantity,
      discount,
      tax: taxIn(amount - discount, rate),
    })),
  )
}

/** How many of the amounts at which a maximum begins to apply are tried. */
const mostMaximums = 64

/** The amounts up to which a maximum does not limit a group's percentage. */
const belowMaximums = (terms: ReadonlyArray<Terms>): ReadonlyArray<Figures> => {
  const amounts = terms
    .filter(({ basisPoints, most }) => basisPoints > 0 && most > 0)
    .map(({ basisPoints, most }) => Math.floor((most / basisPoints) * whole))
    .filter((amount) => Number.isSafeInteger(amount) && amount > 0)
  return [...new Set(amounts)].slice(0, mostMaximums).map((amount) => ({ amount }))
}

/** Sales at a discount, on which percentages may exceed what it leaves. */
export const discounted = (
  terms: ReadonlyArray<Terms>,
  setting: ResolvedOptions,
): ReadonlyArray<Figures> =>
  [...ofAnything, ...belowMaximums(terms)].flatMap((sale) => withDiscounts(sale, setting))

/** Units of a product at a discount. */
export const discountedUnits = (price: number, setting: ResolvedOptions): ReadonlyArray<Figures> =>
  inUnits(price).flatMap((sale) => withDiscounts(sale, setting))

/** The largest deductions from the price of units: a discount, and tax on the rest; `undefined`: any. */
export interface Most {
  readonly discount: number
  readonly tax: number | undefined
}

/** Amounts are compared with prices without a discount, and without included tax, unless options say otherwise. */
export const mostOfAmounts = ({ mostDiscount = 0, mostTax = 0 }: ResolvedOptions): Most => ({
  discount: mostDiscount,
  tax: mostTax,
})

/** Percentages are compared with everything that is possible, unless options say otherwise. */
export const mostOfPercents = ({ mostDiscount = whole, mostTax }: ResolvedOptions): Most => ({
  discount: mostDiscount,
  tax: mostTax,
})

/** The largest discount of some units, and the largest tax in what is left. */
export const largestOff = (
  amount: number,
  most: Most,
  { tax }: SplitPolicy,
): { readonly discount: number; readonly tax: number } => {
  const discount = partOf(amount, most.discount)
  return { discount, tax: tax === "remove" ? taxIn(amount - discount, most.tax) : 0 }
}

/** A product at a price. */
export type Priced = Product & { readonly price: number }

/** With a discount that leaves a base of one cent for percentages, if that is possible. */
const ofOneCent = (product: Priced, most: Most, policy: SplitPolicy): Figures => {
  const { price: amount, cost = 0 } = product
  const largest = largestOff(amount, most, policy)
  const off = Math.max(0, amount - 1 - (policy.cost === "deduct" ? cost : 0))
  const isDeducted = policy.discount === "deduct"
  const discount = isDeducted ? Math.min(largest.discount, off) : largest.discount
  const { tax } = largestOff(amount - discount, { ...most, discount: 0 }, policy)
  return { amount, discount, tax: Math.min(tax, isDeducted ? off - discount : off) }
}

/** Units of a product at their price, also with the largest discount, the largest tax, and both. */
export const ofProduct = (
  product: Priced,
  most: Most,
  policy: SplitPolicy,
): ReadonlyArray<Figures> => {
  const all = inUnits(product.price).flatMap((sale): ReadonlyArray<Figures> => {
    const both = largestOff(sale.amount, most, policy)
    const { tax } = largestOff(sale.amount, { ...most, discount: 0 }, policy)
    return [sale, { ...sale, discount: both.discount }, { ...sale, tax }, { ...sale, ...both }]
  })
  const different = new Map(
    [...all, ofOneCent(product, most, policy)].map((sale) => [
      JSON.stringify([sale.quantity ?? 1, sale.discount ?? 0, sale.tax ?? 0]),
      sale,
    ]),
  )
  return [...different.values()]
}
