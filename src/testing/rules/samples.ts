/** From what was drawn to an order. */

import type { Order, OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleOrderOptions, RuleOrderValues } from "../arbitraries/RuleOrders.js"
import { type Aim, aimed, facetsOf, momentsOf, Selection, timeOf } from "./aims.js"
import { type AttributePlace, asksOf, orderPlaces, productPlaces } from "./asks.js"
import { attributesOf, type Blank, type Draft, productOf, strew } from "./Draft.js"
import type { AimDrawn, LineDrawn, OrderDrawn } from "./plan.js"
import { partOf } from "./plan.js"

/** All that is known before the first order is made. */
interface Sources {
  readonly groups: ReadonlyArray<ProductGroup>
  readonly selection: Selection | undefined
  readonly currency: string
  readonly values: ReadonlyArray<readonly [AttributePlace, string]>
  /** Those that no rule names. */
  readonly added: ReadonlyArray<readonly [AttributePlace, string]>
  readonly moments: ReadonlyArray<number>
  readonly productId: string
}

const places: ReadonlyArray<AttributePlace> = [...productPlaces, ...orderPlaces]

const addedOf = (values: RuleOrderValues): ReadonlyArray<readonly [AttributePlace, string]> =>
  places.flatMap((place) => (values[place] ?? []).map((value) => [place, value] as const))

const namedIn = (
  groups: ReadonlyArray<ProductGroup>,
): ReadonlyArray<readonly [AttributePlace, string]> =>
  groups.flatMap((group) => {
    const { link, condition } = asksOf(group)
    return [link, condition].flatMap((ask) =>
      ask === undefined ? [] : ask.values.map((value) => [ask.place, value] as const),
    )
  })

/** The plainest id that nobody names. */
const unnamed = (values: ReadonlyArray<readonly [AttributePlace, string]>): string => {
  const named = new Set(values.map(([, value]) => value))
  let number = 1
  while (named.has(`p${number}`)) number += 1
  return `p${number}`
}

const sourcesOf = (groups: ReadonlyArray<ProductGroup>, options: RuleOrderOptions): Sources => {
  const { catalogue, currency = "USD", values = {} } = options
  const added = addedOf(values)
  const all = [...namedIn(groups), ...added]
  const isCatalogued = catalogue !== undefined && catalogue.length > 0
  return {
    groups,
    selection: isCatalogued ? new Selection(catalogue) : undefined,
    currency,
    values: all,
    added,
    moments: momentsOf(groups),
    productId: unnamed(all),
  }
}

const aimOf = (drawn: AimDrawn, { groups }: Sources, items: number): Aim | undefined => {
  const group = groups[drawn.group % Math.max(1, groups.length)]
  if (group === undefined) return undefined
  const facets = facetsOf(group)
  const amiss = drawn.amiss === 0 ? undefined : facets[(drawn.amiss - 1) % facets.length]
  return { group, item: drawn.item % items, amiss, choice: drawn.choice }
}

const strewnIn = (draft: Draft, drawn: OrderDrawn, { values, added }: Sources): Draft =>
  drawn.strewn.reduce((before, { item, value, place, isAdded, kind, pick }) => {
    const list = isAdded && added.length > 0 ? added : values
    const found = list[value % Math.max(1, list.length)]
    if (found === undefined) return before
    // Now and then a value where no rule looks for it.
    const [own, text] = found
    const at = place % 10 === 9 ? (places[place % places.length] ?? own) : own
    return strew(before, at, item % drawn.lines.length, text, { kind, pick })
  }, draft)

/** What all units cost: the price as it is known, if it is. */
const amountOf = ({ amount, quantity }: LineDrawn, { price }: Product): number => {
  const whole = price === undefined ? amount : price * quantity
  return Number.isSafeInteger(whole) ? whole : amount
}

/** Whether a line takes a sale back: as the whole order does, unless it is an odd one. */
const isReturn = (line: LineDrawn, { isOdd, lines }: OrderDrawn): boolean =>
  isOdd ? line.isReturn : lines[0]?.isReturn === true

const lineOf = (
  drawn: LineDrawn,
  product: Product,
  { id, isTakenBack }: { readonly id: string; readonly isTakenBack: boolean },
): OrderItem => {
  const sold = amountOf(drawn, product)
  const amount = isTakenBack ? 0 - sold : sold
  const discount = partOf(amount, drawn.discount)
  const taxTotal = partOf(amount, drawn.tax)
  const isExact = Number.isSafeInteger(amount - (discount ?? 0))
  return {
    id,
    product,
    quantity: drawn.quantity,
    amount,
    ...(discount === undefined || !isExact ? {} : { discount }),
    ...(taxTotal === undefined ? {} : { taxTotal }),
  }
}

/** A product that nobody's catalogue knows may cost something. */
const withCost = (product: Product, { cost, amount, quantity }: LineDrawn): Product => {
  const unit = partOf(Math.trunc(amount / Math.max(1, quantity)), cost)
  return unit === undefined ? product : { ...product, cost: unit }
}

const productIn = (
  sources: Sources,
  {
    draft,
    aims,
    blank,
  }: { readonly draft: Draft; readonly aims: ReadonlyArray<Aim>; readonly blank: Blank },
  line: LineDrawn,
  index: number,
): Product => {
  const wanted = aims.filter(({ item }) => item === index)
  const known = sources.selection?.pick(wanted, line.product)
  if (known !== undefined) return known
  const { isExternal } = line
  return withCost(productOf(draft.items[index] ?? {}, { ...blank, isExternal }), line)
}

const timeIn = (drawn: OrderDrawn, aims: ReadonlyArray<Aim>, { moments }: Sources) => {
  const aimedAt = timeOf(aims)
  if (aimedAt !== null) return aimedAt
  return drawn.time === 0 ? undefined : moments[drawn.time % moments.length]
}

const sum = (name: "shippingAmount" | "gatewayFee" | "taxesIncluded", value: unknown): object =>
  value === undefined ? {} : { [name]: value }

/** What is paid for a whole order is paid back with a whole return; where it is neither, nothing is. */
const signed = (
  amount: number | undefined,
  items: ReadonlyArray<OrderItem>,
  { isOdd }: OrderDrawn,
): number | undefined => {
  if (amount === undefined || isOdd || items.every((item) => item.amount >= 0)) return amount
  return items.every((item) => item.amount < 0) ? 0 - amount : undefined
}

/** The order that a draw stands for. */
const madeOf = (drawn: OrderDrawn, sources: Sources): Order => {
  const { lines, writesEmpty } = drawn
  const aims = drawn.aims.flatMap((aim) => aimOf(aim, sources, lines.length) ?? [])
  const blank = { productId: sources.productId, writesEmpty, isExternal: false }
  const bare: Draft = { order: {}, items: lines.map(() => ({})) }
  const draft = aims.reduce(aimed, strewnIn(bare, drawn, sources))
  const time = timeIn(drawn, aims, sources)
  const createdAt = time === undefined && writesEmpty ? null : time
  const items = lines.map((line, index) =>
    lineOf(line, productIn(sources, { draft, aims, blank }, line, index), {
      id: String(index + 1),
      isTakenBack: isReturn(line, drawn),
    }),
  )
  return {
    id: "1001",
    currency: sources.currency,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...attributesOf(draft, blank),
    ...sum("taxesIncluded", drawn.taxesIncluded),
    ...sum("shippingAmount", signed(drawn.shipping, items, drawn)),
    ...sum("gatewayFee", signed(drawn.fee, items, drawn)),
    items,
  }
}

/** What makes orders for some groups out of what was drawn. */
export const makerOf = (
  groups: ReadonlyArray<ProductGroup>,
  options: RuleOrderOptions,
): ((drawn: OrderDrawn) => Order) => {
  const sources = sourcesOf(groups, options)
  return (drawn) => madeOf(drawn, sources)
}
