import fc from "fast-check"
import { firstSecond } from "../../internal/seconds.js"
import * as Attribute from "../../orders/Attribute.js"
import * as Catalogue from "../../orders/Catalogue.js"
import type { Order, OrderDetails, OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type * as ProductGroup from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import { type AmountRange, orNothing, orNull, orUndefined } from "./internal/Choice.js"
import { amount, attributeValue, moment, several, texts } from "./internal/pools.js"
import { currency, entryName, id, productId, spellingsOf, text } from "./Scalars.js"

/**
 * Products, or variants of one: any field except the id may be absent.
 *
 * @param options.amounts - how large price and cost may be
 * @param options.id - of the product; {@link productId} when absent
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { Product } from "apportion/schema"
 * import { Arbitraries } from "apportion/testing"
 * import { Schema } from "effect"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.product(), 50).every(Schema.is(Product)) // => true
 * ```
 */
export const product = (
  options: AmountRange & { readonly id?: fc.Arbitrary<string> | undefined } = {},
): fc.Arbitrary<Product> =>
  fc.record(
    {
      id: options.id ?? productId(),
      externalId: productId(),
      externalVariantId: fc.constantFrom("red", "blue", "7", "a/b", ""),
      name: fc.oneof(text(), entryName()),
      sku: fc.option(text()),
      vendor: text(),
      price: amount(options),
      cost: amount(options),
      tags: texts(),
      inventoryQuantity: fc.option(fc.integer({ min: -5, max: 1_000 })),
    },
    { requiredKeys: ["id"] },
  )

/**
 * Lists of products that can be put into a store together: each of them has its own key.
 *
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { productKeyOf } from "apportion/ports"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const lists = fc.sample(Arbitraries.products(), 50)
 * lists.every((list) => new Set(list.map(productKeyOf)).size === list.length) // => true
 * ```
 */
export const products = (
  options: AmountRange & { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<ReadonlyArray<Product>> => {
  const { minLength = 0, maxLength = 8 } = options
  return fc.uniqueArray(product(options), { minLength, maxLength, selector: productKeyOf })
}

/**
 * Catalogues, with and without a currency.
 *
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.catalogue(), 200).some(({ products }) => products.length > 2) // => true
 * ```
 */
export const catalogue = (options: AmountRange = {}): fc.Arbitrary<Catalogue.Catalogue> =>
  fc
    .tuple(products(options), fc.option(currency(), { nil: undefined }))
    .map(([list, code]) => Catalogue.make(list, { currency: code }))

/**
 * Options for orders.
 *
 * @since 0.2.0
 * @category models
 */
export interface OrderOptions extends AmountRange {
  /** Any id when absent. */
  readonly id?: fc.Arbitrary<string> | undefined
  /** Any currency when absent. */
  readonly currency?: fc.Arbitrary<string> | undefined
  /** 0 when absent. */
  readonly minItems?: number | undefined
  /** 4 when absent. */
  readonly maxItems?: number | undefined
}

/** The sources of an order's attributes. */
interface Pools {
  readonly of: (attribute: Attribute.Attribute) => fc.Arbitrary<string>
  readonly moment: fc.Arbitrary<number>
}

/**
 * The relation of one amount to another: none of it, some, all, or an independent amount, also of the opposite sign.
 */
interface Portion {
  readonly kind: "part" | "sum" | "against"
  readonly fifths: number
  readonly sum: number
}

const part = (options: AmountRange): fc.Arbitrary<Portion> =>
  fc.record({
    kind: fc.constantFrom("part", "part", "sum", "against"),
    fifths: fc.constantFrom(0, 0, 1, 2, 4, 5, 5),
    sum: amount(options),
  })

const partOf = (whole: number, { kind, fifths, sum }: Portion): number => {
  if (kind === "part") return fifths === 5 ? whole : Math.trunc((whole / 5) * fifths) + 0
  return whole < 0 === (kind === "sum") ? 0 - sum : sum
}

const quantity = ({ amounts }: AmountRange): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(0, 1, 1, 2, 3, 7, 100) },
    ...(amounts === "usual" ? [] : [{ weight: 1, arbitrary: amount({}) }]),
  )

const productFrom = (pools: Pools, options: AmountRange) =>
  fc
    .tuple(
      product({ ...options, id: pools.of("products") }),
      fc.record(
        {
          vendor: pools.of("products.vendor"),
          externalId: pools.of("products"),
          otherIds: several(pools.of("products")),
          tags: several(pools.of("products.tag")),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([plain, known]) => ({ ...plain, ...known }))

/** A line of an order before its sign is known. */
const line = (pools: Pools, options: AmountRange) =>
  fc.record({
    id: id(),
    product: productFrom(pools, options),
    quantity: quantity(options),
    size: amount(options),
    isReturn: fc.boolean(),
    discount: orUndefined(part(options)),
    taxTotal: orNothing(part(options)),
    more: fc.record(
      {
        taxPercent: fc.constantFrom(null, 0, 7, 19, 8.875),
        taxName: orNull(text()),
        grams: fc.nat({ max: 100_000 }),
      },
      { requiredKeys: [] },
    ),
  })

type DrawnLine = ReturnType<typeof line> extends fc.Arbitrary<infer A> ? A : never

/** Drops a discount that would make the net amount leave the exact range. */
const withSafeNet = (item: OrderItem): OrderItem =>
  Number.isSafeInteger(item.amount - (item.discount ?? 0)) ? item : { ...item, discount: 0 }

const itemOf = (drawn: DrawnLine, isReturn: boolean): OrderItem => {
  const { size, discount, taxTotal, more, id: itemId, product: sold, quantity: units } = drawn
  const whole = isReturn ? 0 - size : size
  return withSafeNet({
    id: itemId,
    product: sold,
    quantity: units,
    amount: whole,
    ...(discount === undefined ? {} : { discount: partOf(whole, discount) }),
    ...(taxTotal === undefined
      ? {}
      : { taxTotal: taxTotal === null ? null : partOf(whole, taxTotal) }),
    ...more,
  })
}

const details = (): fc.Arbitrary<OrderDetails> => {
  const value = orNull(text())
  return fc.record(
    {
      customerEmail: value,
      customerName: value,
      status: value,
      paymentGateway: value,
      shippingAddress: value,
      billingAddress: value,
      orderName: value,
    },
    { requiredKeys: [] },
  )
}

const orderSum = (options: AmountRange) =>
  fc.tuple(amount(options), fc.boolean()).map(([n, isNegative]) => (isNegative ? 0 - n : n))

const orderFrom = (pools: Pools, options: OrderOptions): fc.Arbitrary<Order> => {
  const { amounts, minItems: minLength = 0, maxItems = 4 } = options
  const maxLength = Math.max(minLength, maxItems)
  const lines = fc.uniqueArray(line(pools, { amounts }), {
    minLength,
    maxLength,
    selector: (drawn) => drawn.id,
  })
  const head = fc.record(
    {
      id: options.id ?? id(),
      currency: options.currency ?? currency(),
      createdAt: orNothing(pools.moment),
      tags: several(pools.of("order.tag")),
      customerTags: several(pools.of("customer.tag")),
      discountCodes: several(pools.of("discount.code")),
      billingCountry: orNothing(pools.of("country.code")),
      referers: several(pools.of("referer")),
      taxesIncluded: fc.boolean(),
      shippingAmount: orderSum({ amounts }),
      gatewayFee: orderSum({ amounts }),
      details: details(),
    },
    { requiredKeys: ["id", "currency"] },
  )
  // Mostly sales, sometimes returns, sometimes both in one order.
  const kind = fc.constantFrom("sale", "sale", "sale", "return", "both")
  // A part of the shipping, so that the order is split as often as without it.
  const shippingTax = orUndefined(part({ amounts }))
  return fc.tuple(head, lines, kind, shippingTax).map(([facts, drawn, sign, tax]) => ({
    ...facts,
    ...(tax === undefined
      ? {}
      : { shippingTax: partOf(facts.shippingAmount ?? 0, { ...tax, kind: "part" }) }),
    items: drawn.map((each) => itemOf(each, sign === "both" ? each.isReturn : sign === "return")),
  }))
}

/**
 * Orders of up to four items: sales and returns, with and without discount, tax, shipping and fee. Each can be split by
 * some rules; with `amounts: "usual"` no sum in it leaves the exact range.
 *
 * @since 0.2.0
 * @category orders
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const orders = fc.sample(Arbitraries.order({ amounts: "usual" }), 50)
 * const splits = orders.map((order) => Split.orderResult(RuleSet.make([]), order))
 * splits.every(Result.isSuccess) // => true
 * ```
 */
export const order = (options: OrderOptions = {}): fc.Arbitrary<Order> =>
  orderFrom({ of: attributeValue, moment: moment() }, options)

/** Mostly values of the rules, in any of their spellings. */
const mostly = (
  values: ReadonlyArray<string>,
  other: fc.Arbitrary<string>,
): fc.Arbitrary<string> => {
  if (values.length === 0) return other
  const known = fc.constantFrom(...values).chain((value) => fc.constantFrom(...spellingsOf(value)))
  return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: other })
}

const poolsOf = ({ groups }: Pick<RuleSet, "groups">): Pools => {
  const named = (attribute: Attribute.Attribute) =>
    groups.flatMap(({ link, condition }) =>
      [link, condition].flatMap((asked) => (asked?.type === attribute ? asked.values : [])),
    )
  const edges = groups
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .flatMap((at) => (at === null ? [] : [Math.max(at - 1, firstSecond), at]))
  const productIds = named("products").filter((value) => value !== "")
  return {
    of: (attribute) => {
      if (Attribute.kindOf(attribute) !== "id")
        return mostly(named(attribute), attributeValue(attribute))
      return productIds.length === 0
        ? productId()
        : fc.oneof(fc.constantFrom(...productIds), productId())
    },
    moment: edges.length === 0 ? moment() : fc.oneof(fc.constantFrom(...edges), moment()),
  }
}

/** A product that a link selects, if the link needs a value. */
const towardsLink = (
  sold: Product,
  { type, modifier, values }: ProductGroup.Link,
  pick: number,
): Product => {
  const value = values[pick % values.length]
  if (modifier === "NOT" || value === undefined || type === "products.all") return sold
  if (type === "products") return value === "" ? sold : { ...sold, id: value }
  const more = Attribute.withValue(type, Attribute.ofProduct[type](sold), value)
  return { ...sold, ...Attribute.inProduct[type](more) }
}

/** Fields of an order that meet a condition, if the condition needs a value. */
const towardsCondition = (
  made: Order,
  condition: ProductGroup.Condition | null,
  pick: number,
): Partial<Order> => {
  const value = condition?.values[pick % condition.values.length]
  if (condition === null || condition.modifier === "NOT" || value === undefined) return {}
  const { type } = condition
  return Attribute.inOrder[type](Attribute.withValue(type, Attribute.ofOrder[type](made), value))
}

/** The order, changed so that a group applies to one of its items. */
const towards = (made: Order, group: ProductGroup.ProductGroup, pick: number): Order => {
  const { startsAt, endsAt, link, condition } = group
  const inForce = startsAt ?? (endsAt === null ? null : Math.max(endsAt - 1, firstSecond))
  return {
    ...made,
    ...(inForce === null ? {} : { createdAt: inForce }),
    ...towardsCondition(made, condition, pick),
    items: made.items.map((item, index) =>
      index === pick % made.items.length
        ? { ...item, product: towardsLink(item.product, link, pick) }
        : item,
    ),
  }
}

/**
 * Orders that match a rule set: their products, tags, vendors, codes, countries, referers and times are mostly those
 * that its groups name, in any spelling; every other order has an item to which one of the groups applies.
 *
 * @since 0.2.0
 * @category orders
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.tag", values: ["rare"] }, percent: 10 },
 * ])
 * const orders = fc.sample(Arbitraries.orderFor(rules, { amounts: "usual", minItems: 1 }), 100)
 * const met = orders.filter((order) =>
 *   order.items.some((item) => RuleSet.matchingGroups(rules, order, item).length > 0),
 * )
 * met.length > 20 // => true
 * ```
 */
export const orderFor = (
  rules: Pick<RuleSet, "groups">,
  options: OrderOptions = {},
): fc.Arbitrary<Order> => {
  const { groups } = rules
  const aim = fc.record({ isAimed: fc.boolean(), pick: fc.nat() })
  return fc.tuple(orderFrom(poolsOf(rules), options), aim).map(([made, { isAimed, pick }]) => {
    const group = groups[pick % Math.max(1, groups.length)]
    return isAimed && group !== undefined ? towards(made, group, pick) : made
  })
}
