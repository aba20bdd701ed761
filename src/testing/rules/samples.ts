import * as Result from "effect/Result"
import fc from "fast-check"
import * as Percent from "../../money/Percent.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { asksOf } from "./asks.js"
import {
  type Aim,
  aimed,
  attributesOf,
  type Blank,
  type Draft,
  missesOf,
  momentsOf,
  productOf,
  Selection,
  strew,
  timeOf,
} from "./Draft.js"

/**
 * Values for the attributes that groups match, by the type of link or condition.
 *
 * @since 0.5.0
 * @category models
 * @example
 * ```ts
 * import type { Arbitraries } from "apportion/testing"
 *
 * const values: Arbitraries.RuleOrderValues = { "customer.tag": ["wholesale"], products: ["p1"] }
 * ```
 */
export type RuleOrderValues = Readonly<Partial<Record<Attribute.Attribute, ReadonlyArray<string>>>>

/**
 * A feature of orders that a shop may not have. Free items are those for which nothing, or next to nothing, is paid
 * after a discount. Odd sums are valid but rare in practice: discounts and taxes above the amount or of the opposite
 * sign, shipping and fees below 0, sales and returns in one order.
 *
 * @since 0.5.0
 * @category models
 */
export type RuleOrderFeature =
  | "returns"
  | "discounts"
  | "taxes"
  | "costs"
  | "shipping"
  | "fees"
  | "free items"
  | "odd sums"

/**
 * Options for orders at the bounds of a rule set.
 *
 * @since 0.5.0
 * @category models
 */
export interface RuleOrderOptions {
  /** `usual`: at most a few hundred units of money; `any`, the default: up to the exact range. */
  readonly amounts?: "usual" | "any" | undefined
  /** Every product is one of these, unchanged, and is sold at its price if it has one. */
  readonly catalogue?: ReadonlyArray<Product> | undefined
  /** Values that no rule names, but that orders should have because a law is about them. */
  readonly values?: RuleOrderValues | undefined
  /** Features that no order has. */
  readonly without?: ReadonlyArray<RuleOrderFeature> | undefined
  /** ISO 4217 code; `USD` when absent. */
  readonly currency?: string | undefined
  /** 3 when absent. */
  readonly maxItems?: number | undefined
}

// What is drawn of an order before it is made: small choices, the plainest of which is the first.

/** What part of a sum another one is. */
export type Portion =
  | "none"
  | "zero"
  | "cent"
  | "fifth"
  | "third"
  | "almost"
  | "all"
  | "more"
  | "against"

/** A choice of which the first is the plainest; the others come up as often as they are listed. */
const choice = <A>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values)

const pick = (): fc.Arbitrary<number> => fc.nat({ max: 999_999 })

/** As it is every other time, else one of the other ways. */
const plainOrPick = (): fc.Arbitrary<number> =>
  fc.oneof({ withCrossShrink: true }, fc.constant(0), pick())

export const aimPlan = () =>
  fc.record({
    group: pick(),
    item: pick(),
    // Beyond half, one of the things by which the group can be missed.
    amiss: fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.nat({ max: 59 })),
    choice: fc.record({ value: pick(), spelling: plainOrPick(), near: pick() }),
  })

const strewnPlan = () =>
  fc.record({
    place: pick(),
    item: pick(),
    value: pick(),
    isAdded: fc.boolean(),
    kind: choice<"spelt" | "nearly" | "elsewhere">("spelt", "spelt", "nearly", "elsewhere"),
    pick: pick(),
  })

/** How the money of a line is drawn. */
export interface MoneyPlan {
  /** The first is the plainest. */
  readonly amounts: ReadonlyArray<number>
  readonly quantities: ReadonlyArray<number>
  readonly discounts: ReadonlyArray<Portion>
  readonly taxes: ReadonlyArray<Portion>
  readonly costs: ReadonlyArray<Portion>
  readonly hasReturns: boolean
  /** Whether one order may have both sold and returned items. */
  readonly isOdd: boolean
}

const linePlan = (money: MoneyPlan) =>
  fc.record({
    product: pick(),
    isExternal: fc.boolean(),
    amount: fc.oneof(
      { withCrossShrink: true },
      { weight: 3, arbitrary: choice(...money.amounts) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
    ),
    quantity: choice(...money.quantities),
    discount: choice(...money.discounts),
    tax: choice(...money.taxes),
    cost: choice(...money.costs),
    isReturn: money.hasReturns ? choice(false, false, false, false, true) : fc.constant(false),
  })

export interface OrderPlan extends MoneyPlan {
  readonly maxItems: number
  readonly shippings: ReadonlyArray<number | undefined>
  readonly fees: ReadonlyArray<number | undefined>
}

/** Everything that is drawn of an order. */
export const orderPlan = (plan: OrderPlan) =>
  fc.record({
    lines: fc.array(linePlan(plan), {
      minLength: 1,
      maxLength: Math.max(1, plan.maxItems),
      size: "max",
    }),
    strewn: fc.array(strewnPlan(), { maxLength: 3, size: "max" }),
    aims: fc.array(aimPlan(), { maxLength: 3, size: "max" }),
    time: plainOrPick(),
    shipping: choice(...plan.shippings),
    fee: choice(...plan.fees),
    taxesIncluded: choice<boolean | undefined>(undefined, false, true, true),
    writesEmpty: choice(false, false, false, true),
    isOdd: fc.constant(plan.isOdd),
  })

type Drawn<A> = A extends fc.Arbitrary<infer Value> ? Value : never

export type OrderDrawn = Drawn<ReturnType<typeof orderPlan>>
export type LineDrawn = Drawn<ReturnType<typeof linePlan>>
export type AimDrawn = Drawn<ReturnType<typeof aimPlan>>

// Amounts of money at which what a group pays turns from one thing to another.

const pointsOf = ({ percent }: ProductGroup): number =>
  percent === null ? 0 : Result.getOrElse(Percent.parse(percent), () => 0)

/** The smallest amount of which a percentage leaves exactly half a cent; most have one. */
const halfOf = (points: number): number | undefined => {
  for (let amount = 1; amount <= Percent.whole; amount += 1) {
    if ((amount * points) % Percent.whole === Percent.whole / 2) return amount
  }
  return undefined
}

const around = (amount: number): ReadonlyArray<number> => [amount, amount - 1, amount + 1]

/** The amounts at whose percentage a limit begins or ends to count. */
const limitsOf = (group: ProductGroup, points: number): ReadonlyArray<number> =>
  [group.minAmount, group.maxAmount].flatMap((limit) =>
    limit === null || points === 0 ? [] : around(Math.ceil((limit * Percent.whole) / points)),
  )

/** The amounts that a flat amount takes just all of, alone or beside its group's own percentage. */
const flatsOf = ({ amount, minAmount }: ProductGroup, points: number): ReadonlyArray<number> =>
  [amount, minAmount].flatMap((flat) => {
    if (flat === null || flat === 0) return []
    const rest = Percent.whole - points
    return [...around(flat), ...(rest === 0 ? [] : [Math.ceil((flat * Percent.whole) / rest)])]
  })

const figuresOf = (group: ProductGroup): ReadonlyArray<number> => {
  const points = pointsOf(group)
  return [...limitsOf(group, points), ...flatsOf(group, points)]
}

/** So many figures are enough, however many groups there are. */
const enough = 2_000

/**
 * The amounts that are interesting for the groups, besides the amounts that always are. Each is a safe integer of 1
 * or more.
 */
export const interesting = (groups: ReadonlyArray<ProductGroup>): ReadonlyArray<number> => {
  const some = groups.slice(0, enough)
  const halves = [...new Set(some.map(pointsOf))].flatMap((points) => halfOf(points) ?? [])
  const found = [...new Set([...halves, ...some.flatMap(figuresOf)])]
  return found.filter((amount) => Number.isSafeInteger(amount) && amount > 0).slice(0, enough)
}

// The sums of money that orders are made of.

const most = Number.MAX_SAFE_INTEGER

/** The plain sum of 100.00 first, then the amounts that are always interesting. */
const usual = [10_000, 0, 1, 2, 3, 99, 100, 101, 333, 9_999, 10_001, 5_000]
const huge = [most, most - 1, (most - 1) / 2, (most + 1) / 2, 90_071_992_547_409]

/** How the money of orders is drawn for some groups. */
export const moneyOf = (
  groups: ReadonlyArray<ProductGroup>,
  { amounts, without = [], maxItems = 3 }: RuleOrderOptions,
): OrderPlan => {
  const has = (feature: (typeof without)[number]) => !without.includes(feature)
  const figures = interesting(groups)
  // Ordinary sums as often as interesting ones, however many of these there are.
  const plain = [...usual, ...figures, ...usual.slice(2)]
  const all =
    amounts === "usual" ? plain.filter((amount) => amount < 10_000_000) : [...plain, ...huge]
  const isOdd = has("odd sums")
  const odd = <A>(...list: ReadonlyArray<A>): ReadonlyArray<A> => (isOdd ? list : [])
  const sums = [undefined, undefined, 0, 1, 499, 1_001, ...odd(-500), ...figures.slice(0, 5)]
  const parts = (feature: (typeof without)[number], list: ReadonlyArray<Portion>) =>
    has(feature) ? list : (["none"] as const)
  const few: ReadonlyArray<Portion> = ["none", "none", "none", "fifth", "third", "cent", "zero"]
  const free: ReadonlyArray<Portion> = ["almost", "all", ...odd<Portion>("more", "against")]
  return {
    maxItems,
    amounts: has("free items") ? all : all.filter((amount) => amount > 0),
    quantities: has("free items") ? [1, 2, 3, 0, 7, 1_000] : [1, 2, 3, 7, 1_000],
    discounts: parts("discounts", [...few, ...(has("free items") ? free : [])]),
    taxes: parts("taxes", [...few, ...odd<Portion>("all", "more", "against")]),
    costs: parts("costs", [...few, "all", "more"]),
    hasReturns: has("returns"),
    isOdd,
    shippings: has("shipping") ? sums : [undefined],
    fees: has("fees") ? sums : [undefined],
  }
}

/** A part of a sum, with its sign; `undefined` without one. Never beyond the safe integers. */
export const partOf = (whole: number, part: Portion): number | undefined => {
  const sign = whole < 0 ? -1 : 1
  switch (part) {
    case "none":
      return undefined
    case "zero":
      return 0
    case "cent":
      return Math.sign(whole)
    case "fifth":
      return Math.trunc(whole / 5) + 0
    case "third":
      return Math.trunc(whole / 3) + 0
    case "almost":
      return whole - Math.sign(whole)
    case "all":
      return whole
    case "more":
      return Math.abs(whole) < most ? whole + sign : whole
    case "against":
      return 0 - Math.trunc(whole / 5)
  }
}

// From a draw to an order.

type AskedValue = readonly [attribute: Attribute.Attribute, value: string]

/** All that is known before the first order is made. */
interface Sources {
  readonly groups: ReadonlyArray<ProductGroup>
  readonly selection: Selection | undefined
  readonly currency: string
  readonly values: ReadonlyArray<AskedValue>
  /** Those that no rule names. */
  readonly added: ReadonlyArray<AskedValue>
  readonly moments: ReadonlyArray<number>
  readonly productId: string
}

const addedOf = (values: RuleOrderValues): ReadonlyArray<AskedValue> =>
  Attribute.all.flatMap((attribute) =>
    (values[attribute] ?? []).map((value) => [attribute, value] as const),
  )

const namedIn = (groups: ReadonlyArray<ProductGroup>): ReadonlyArray<AskedValue> =>
  groups.flatMap((group) => {
    const { link, condition } = asksOf(group)
    return [link, condition].flatMap((ask) =>
      ask === undefined ? [] : ask.values.map((value) => [ask.attribute, value] as const),
    )
  })

/** The plainest id that no group names. */
const unnamed = (values: ReadonlyArray<AskedValue>): string => {
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
  const misses = missesOf(group)
  const amiss = drawn.amiss === 0 ? undefined : misses[(drawn.amiss - 1) % misses.length]
  return { group, item: drawn.item % items, amiss, choice: drawn.choice }
}

const strewnIn = (draft: Draft, drawn: OrderDrawn, { values, added }: Sources): Draft =>
  drawn.strewn.reduce((before, { item, value, place, isAdded, kind, pick }) => {
    const list = isAdded && added.length > 0 ? added : values
    const found = list[value % Math.max(1, list.length)]
    if (found === undefined) return before
    // Now and then a value where no rule looks for it.
    const [own, text] = found
    const at = place % 10 === 9 ? (Attribute.all[place % Attribute.all.length] ?? own) : own
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

/** A cost for a product that is not in a catalogue. */
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

/** The order of a draw. */
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

/** Makes orders for some groups from draws. */
export const makerOf = (
  groups: ReadonlyArray<ProductGroup>,
  options: RuleOrderOptions,
): ((drawn: OrderDrawn) => Order) => {
  const sources = sourcesOf(groups, options)
  return (drawn) => madeOf(drawn, sources)
}
