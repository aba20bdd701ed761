import fc from "fast-check"
import type * as ProductGroup from "../../groups/ProductGroup.js"
import { firstSecond } from "../../internal/seconds.js"
import type { Order, OrderDetails, OrderItem } from "../../matching/Order.js"
import type { RuleSet } from "../../matching/RuleSet.js"
import { type Amounts, orNothing, orNull } from "./internal/Choice.js"
import { amount, moment, several } from "./internal/pools.js"
import { currency } from "./Money.js"
import { product, productId } from "./Products.js"
import { country, id, ids, spellingsOf, text } from "./Texts.js"

/**
 * What orders are made with.
 *
 * @since 0.2.0
 * @category models
 */
export interface OrderOptions extends Amounts {
  /** Any id when absent. */
  readonly id?: fc.Arbitrary<string> | undefined
  /** Any currency when absent. */
  readonly currency?: fc.Arbitrary<string> | undefined
  /** 0 when absent. */
  readonly minItems?: number | undefined
  /** 4 when absent. */
  readonly maxItems?: number | undefined
}

/** Where an order's attributes come from. */
interface Pools {
  readonly tag: fc.Arbitrary<string>
  readonly vendor: fc.Arbitrary<string>
  readonly productId: fc.Arbitrary<string>
  readonly orderTag: fc.Arbitrary<string>
  readonly customerTag: fc.Arbitrary<string>
  readonly discountCode: fc.Arbitrary<string>
  readonly country: fc.Arbitrary<string>
  readonly referer: fc.Arbitrary<string>
  readonly moment: fc.Arbitrary<number>
}

const anyPools: Pools = {
  tag: text(),
  vendor: text(),
  productId: productId(),
  orderTag: text(),
  customerTag: text(),
  discountCode: text(),
  country: country(),
  referer: text(),
  moment: moment(),
}

/** Nothing, a part of the amount, all of it, more than it, or against its sign. */
const partOf = (whole: number, options: Amounts): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(0, whole),
    fc.integer({ min: 0, max: 5 }).map((n) => Math.trunc((whole / 5) * n) + 0),
    amount(options).map((n) => (whole < 0 ? 0 - n : n)),
    amount(options).map((n) => (whole < 0 ? n : 0 - n)),
  )

const quantity = ({ amounts }: Amounts): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(0, 1, 1, 2, 3, 7, 100) },
    ...(amounts === "usual" ? [] : [{ weight: 1, arbitrary: amount({}) }]),
  )

const productFrom = (pools: Pools, options: Amounts) =>
  fc
    .tuple(
      product({ ...options, id: pools.productId }),
      fc.record(
        { vendor: pools.vendor, externalId: pools.productId, tags: several(pools.tag) },
        { requiredKeys: [] },
      ),
    )
    .map(([plain, known]) => ({ ...plain, ...known }))

/** A discount that would take the net amount beyond what is exact is none. */
const withSafeNet = <A extends { readonly amount: number; readonly discount?: number }>(
  item: A,
): A => (Number.isSafeInteger(item.amount - (item.discount ?? 0)) ? item : { ...item, discount: 0 })

const itemFrom = (
  itemId: string,
  pools: Pools,
  { amounts, negative }: Amounts & { readonly negative: fc.Arbitrary<boolean> },
): fc.Arbitrary<OrderItem> =>
  fc
    .tuple(amount({ amounts }), negative)
    .map(([size, isNegative]) => (isNegative ? 0 - size : size))
    .chain((whole) =>
      fc.record(
        {
          id: fc.constant(itemId),
          product: productFrom(pools, { amounts }),
          quantity: quantity({ amounts }),
          amount: fc.constant(whole),
          discount: partOf(whole, { amounts }),
          taxTotal: orNull(partOf(whole, { amounts })),
          taxPercent: fc.constantFrom(null, 0, 7, 19, 8.875),
          taxName: orNull(text()),
          grams: fc.nat({ max: 100_000 }),
        },
        { requiredKeys: ["id", "product", "quantity", "amount"] },
      ),
    )
    .map(withSafeNet)

/** Mostly sales, sometimes returns, sometimes both in one order. */
const signs: fc.Arbitrary<fc.Arbitrary<boolean>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(fc.constant(false)) },
  { weight: 1, arbitrary: fc.constant(fc.constant(true)) },
  { weight: 2, arbitrary: fc.constant(fc.boolean()) },
)

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
    },
    { requiredKeys: [] },
  )
}

const orderSum = (options: Amounts) =>
  fc.tuple(amount(options), fc.boolean()).map(([n, isNegative]) => (isNegative ? 0 - n : n))

const orderFrom = (pools: Pools, options: OrderOptions): fc.Arbitrary<Order> => {
  const { amounts, minItems: minLength = 0, maxItems: maxLength = 4 } = options
  return fc
    .tuple(ids({ minLength, maxLength: Math.max(minLength, maxLength) }), signs)
    .chain(([names, negative]) =>
      fc.record(
        {
          id: options.id ?? id(),
          currency: options.currency ?? currency(),
          createdAt: orNothing(pools.moment),
          tags: several(pools.orderTag),
          customerTags: several(pools.customerTag),
          discountCodes: several(pools.discountCode),
          billingCountry: orNothing(pools.country),
          referers: several(pools.referer),
          taxesIncluded: fc.boolean(),
          shippingAmount: orderSum({ amounts }),
          gatewayFee: orderSum({ amounts }),
          details: details(),
          items: fc.tuple(...names.map((name) => itemFrom(name, pools, { amounts, negative }))),
        },
        { requiredKeys: ["id", "currency", "items"] },
      ),
    )
}

/**
 * Orders of up to four items: sales and returns, with and without discount, tax, shipping and fee. Each
 * can be split by some rules; with `amounts: "usual"` no sum in it leaves the range of what is exact.
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
  orderFrom(anyPools, options)

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
  const linked = (type: ProductGroup.LinkType) =>
    groups.flatMap(({ link }) => (link.type === type ? link.values : []))
  const asked = (type: ProductGroup.ConditionType) =>
    groups.flatMap(({ condition }) => (condition?.type === type ? condition.values : []))
  const edges = groups
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .flatMap((at) => (at === null ? [] : [Math.max(at - 1, firstSecond), at]))
  const productIds = linked("products").filter((value) => value !== "")
  return {
    tag: mostly(linked("products.tag"), text()),
    vendor: mostly(linked("products.vendor"), text()),
    productId:
      productIds.length === 0 ? productId() : fc.oneof(fc.constantFrom(...productIds), productId()),
    orderTag: mostly(asked("order.tag"), text()),
    customerTag: mostly(asked("customer.tag"), text()),
    discountCode: mostly(asked("discount.code"), text()),
    country: mostly(asked("country.code"), country()),
    referer: mostly(asked("referer"), text()),
    moment: edges.length === 0 ? moment() : fc.oneof(fc.constantFrom(...edges), moment()),
  }
}

/**
 * Orders that meet the values of a rule set: their products, tags, vendors, codes, countries, referers and
 * times are mostly those that its groups name, in any spelling.
 *
 * @since 0.2.0
 * @category orders
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.tag", values: ["rare"] }, percent: 10 },
 * ])
 * const orders = fc.sample(Arbitraries.orderFor(rules, { amounts: "usual", minItems: 1 }), 100)
 * orders.filter((order) => Split.order(rules, order).shares.length > 0).length > 20 // => true
 * ```
 */
export const orderFor = (
  rules: Pick<RuleSet, "groups">,
  options: OrderOptions = {},
): fc.Arbitrary<Order> => orderFrom(poolsOf(rules), options)
