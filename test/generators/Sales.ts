/**
 * Random product groups, orders and policies for property tests.
 *
 * Attributes come from small pools, so that rules meet products and one another; amounts come from
 * both ends of what is possible. What these generators make is always valid input.
 */
import type { Order, Product, ProductGroup, SplitPolicy } from "apportion"
import fc from "fast-check"

/**
 * Texts in families: the members of one family are the same text to a rule, members of two families
 * never are. Lists are made of a few of them, so that any two lists often share one.
 */
const textFamilies: ReadonlyArray<ReadonlyArray<string>> = [
  ["art", "ART", " Art", "aRt \t"],
  ["café", "cafe\u0301", "CAFÉ ", "Cafe\u0301"],
  ["cafe", "CAFE"],
  ["straße", "STRASSE", "Strasse", "STRAẞE"],
  ["οδος", "ΟΔΟΣ", "οδοσ"],
  ["ﬁlm", "film", "FILM"],
  ["wall art", " Wall Art"],
]

const countryFamilies: ReadonlyArray<ReadonlyArray<string>> = [
  ["DE", "de", " De "],
  ["FR", "fr"],
  ["US", "us "],
]

/** The other spellings of a text or a country, itself included. */
export const spellingsOf = (text: string): ReadonlyArray<string> =>
  [...textFamilies, ...countryFamilies].find((family) => family.includes(text)) ?? [text]

const text = fc.constantFrom(...textFamilies.flat())

/** Mostly two to four values, sometimes one, sometimes none. */
const severalOf = (value: fc.Arbitrary<string>): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.array(value, { maxLength: 1 }) },
    { weight: 4, arbitrary: fc.array(value, { minLength: 2, maxLength: 4 }) },
  )

const texts = severalOf(text)
const country = fc.constantFrom(...countryFamilies.flat())
const productId = fc.constantFrom("p1", "P1", "p2", "p3", "7", "07", " p1")

/** Ids whose order is easily got wrong: by number, by letter, by code point instead of code unit. */
const idPool = ["1", "9", "10", "a", "B", "b", "é", "ﬀ", "😀", "-"]

/** As many different ids as one of the lengths says. */
const uniqueIds = (lengths: ReadonlyArray<number>): fc.Arbitrary<ReadonlyArray<string>> =>
  fc
    .constantFrom(...lengths)
    .chain((length) => fc.shuffledSubarray(idPool, { minLength: length, maxLength: length }))

const max = Number.MAX_SAFE_INTEGER

/** How large the money of a sale may be, and how much the groups ask for. */
export interface Scale {
  readonly money: "usual" | "huge"
  readonly percents: "mild" | "wild"
}

const scale: fc.Arbitrary<Scale> = fc.record({
  money: fc.oneof(
    { weight: 9, arbitrary: fc.constant("usual" as const) },
    { weight: 1, arbitrary: fc.constant("huge" as const) },
  ),
  percents: fc.constantFrom("mild" as const, "wild" as const),
})

/** Cents of 0 or more: odd and even sums, single cents, free items, and the largest there are. */
const cents = ({ money }: Pick<Scale, "money">): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 3, 99, 100, 101, 9_999, 10_000) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
    ...(money === "huge"
      ? [
          { weight: 4, arbitrary: fc.constantFrom(max, max - 1, (max - 1) / 2, (max + 1) / 2) },
          { weight: 4, arbitrary: fc.maxSafeNat() },
        ]
      : []),
  )

const smallCents = fc.oneof(fc.constantFrom(0, 1, 2, 7, 33), fc.integer({ min: 0, max: 3_000 }))

const settingCents = ({ money }: Scale): fc.Arbitrary<number> =>
  money === "usual"
    ? smallCents
    : fc.oneof({ weight: 3, arbitrary: smallCents }, { weight: 1, arbitrary: cents({ money }) })

/** Percentages as hosts write them, from 0 to 100; mild ones seldom come to more than 100 together. */
const percent = ({ percents }: Pick<Scale, "percents">): fc.Arbitrary<string | number> => {
  const most = percents === "mild" ? 2_000 : 10_000
  const written = fc
    .integer({ min: 0, max: most })
    .chain((points) =>
      fc.constantFrom<string | number>((points / 100).toFixed(2), points / 100, `${points / 100}`),
    )
  const special = fc.constantFrom<string | number>("0.00", 0, "0.01", "10", "5.5")
  const large = fc.constantFrom<string | number>("33.33", "50.00", "100.00", 100, 66.67)
  return percents === "mild"
    ? fc.oneof({ weight: 4, arbitrary: written }, { weight: 2, arbitrary: special })
    : fc.oneof(written, special, large)
}

/** Moments just before, at and just after the ones that groups start and end at. */
const moment = fc.constantFrom(0, 999, 1_000, 1_001, 1_999, 2_000, 2_001)

const linkTypes = ["products.all", "products.tag", "products.vendor", "products"] as const
const modifier = fc.constantFrom("WITH" as const, "NOT" as const, "WITH" as const)

/** Absent, `null`, or a value, with more values than absences. */
const maybe = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(null, undefined) }, { weight: 3, arbitrary })

const seldom = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null | undefined> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(null, undefined) }, { weight: 1, arbitrary })

const link: fc.Arbitrary<ProductGroup.GroupInput["link"]> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant("products.all" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        type: fc.constantFrom("products.tag" as const, "products.vendor" as const),
        modifier,
        values: texts,
      },
      { requiredKeys: ["type", "values"] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("products" as const),
      modifier,
      values: severalOf(productId),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      { type: fc.constantFrom(...linkTypes), modifier, values: texts },
      { requiredKeys: ["type"] },
    ),
  },
)

const condition: fc.Arbitrary<NonNullable<ProductGroup.GroupInput["condition"]>> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        type: fc.constantFrom(
          "order.tag" as const,
          "customer.tag" as const,
          "discount.code" as const,
          "referer" as const,
        ),
        modifier,
        values: texts,
      },
      { requiredKeys: ["type", "values"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        type: fc.constant("country.code" as const),
        modifier,
        values: severalOf(country),
      },
      { requiredKeys: ["type", "values"] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { type: fc.constant("referer" as const), modifier, values: texts },
      { requiredKeys: ["type", "values"] },
    ),
  },
)

const inOrder = <A extends { readonly [key: string]: unknown }>(
  group: A,
  low: keyof A,
  high: keyof A,
  ok: (low: number, high: number) => boolean,
): A => {
  const [lowValue, highValue] = [group[low], group[high]]
  return typeof lowValue === "number" && typeof highValue === "number" && !ok(lowValue, highValue)
    ? { ...group, [high]: undefined }
    : group
}

/** Any valid product group. Half of those that may be deducted are. */
export const productGroup = (id: string, size: Scale): fc.Arbitrary<ProductGroup.GroupInput> =>
  fc
    .record({
      id: fc.constant(id),
      collaboratorId: fc.constantFrom("ada", "ben", "cam"),
      link,
      condition: fc.option(condition),
      percent: maybe(percent(size)),
      amount: seldom(settingCents(size)),
      shippingPercent: seldom(percent(size)),
      shippingAmount: seldom(settingCents(size)),
      deductForOtherSplits: fc.boolean(),
      minAmount: seldom(settingCents(size)),
      maxAmount: seldom(settingCents(size)),
      startsAt: seldom(moment),
      endsAt: seldom(moment),
      createdAt: maybe(moment),
    })
    .map((group) => {
      const paid =
        group.percent == null && group.amount == null ? { ...group, percent: "10" } : group
      const limited = inOrder(paid, "minAmount", "maxAmount", (low, high) => low <= high)
      const dated = inOrder(limited, "startsAt", "endsAt", (low, high) => low < high)
      return {
        ...dated,
        deductForOtherSplits: dated.deductForOtherSplits && dated.condition?.type === "referer",
      }
    })

/** Valid rule sets of up to ten groups of three collaborators. */
export const productGroups = (size: Scale): fc.Arbitrary<ReadonlyArray<ProductGroup.GroupInput>> =>
  uniqueIds([0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 10]).chain((ids) =>
    fc.tuple(...ids.map((id) => productGroup(id, size))),
  )

const product = (size: Scale): fc.Arbitrary<Product.Product> =>
  fc.record(
    {
      id: productId,
      externalId: maybe(productId).map((id) => id ?? undefined),
      vendor: maybe(text).map((vendor) => vendor ?? undefined),
      cost: maybe(settingCents(size)).map((cost) => cost ?? undefined),
      tags: texts,
      otherIds: fc.array(productId, { maxLength: 2 }),
    },
    { requiredKeys: ["id", "vendor", "externalId"] },
  )

/** Nothing, a part of the amount, all of it, more than it, or the other way round. */
const partOf = (amount: number, size: Scale): fc.Arbitrary<number | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    {
      weight: 4,
      arbitrary: fc.integer({ min: 0, max: 4 }).map((n) => Math.trunc((amount * n) / 5)),
    },
    { weight: 1, arbitrary: fc.constant(amount) },
    { weight: 1, arbitrary: cents(size) },
    { weight: 1, arbitrary: cents(size).map((n) => 0 - n) },
  )

const orderItem = (
  id: string,
  size: Scale,
  negative: fc.Arbitrary<boolean>,
): fc.Arbitrary<Order.OrderItem> =>
  fc
    .tuple(cents(size), negative)
    .map(([amount, isNegative]) => (isNegative ? 0 - amount : amount))
    .chain((amount) =>
      fc.record(
        {
          id: fc.constant(id),
          product: product(size),
          quantity: fc.oneof(
            { weight: 9, arbitrary: fc.constantFrom(0, 1, 1, 2, 3, 7, 100) },
            { weight: 1, arbitrary: settingCents(size) },
          ),
          amount: fc.constant(amount),
          discount: partOf(amount, size),
          taxTotal: partOf(amount, size),
        },
        { requiredKeys: ["id", "product", "quantity", "amount", "discount"] },
      ),
    )

/** Mostly sales, sometimes returns, sometimes both in one order. */
const signs: fc.Arbitrary<fc.Arbitrary<boolean>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(fc.constant(false)) },
  { weight: 2, arbitrary: fc.constant(fc.constant(true)) },
  { weight: 2, arbitrary: fc.constant(fc.boolean()) },
)

const orderSum = (size: Scale): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(0, 1, 5, 100, 101, 499) },
    { weight: 3, arbitrary: cents(size) },
    { weight: 2, arbitrary: cents(size).map((n) => 0 - n) },
  )

/** Any valid order of up to four items. */
export const order = (size: Scale): fc.Arbitrary<Order.Order> =>
  fc
    .tuple(uniqueIds([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4]), signs)
    .chain(([ids, negative]) =>
      fc.record(
        {
          id: fc.constant("1001"),
          currency: fc.constantFrom("USD", "JPY", "KWD"),
          createdAt: maybe(moment),
          tags: texts,
          customerTags: texts,
          discountCodes: texts,
          billingCountry: maybe(country),
          referers: texts,
          taxesIncluded: fc.boolean(),
          shippingAmount: orderSum(size),
          shippingTax: orderSum(size),
          gatewayFee: orderSum(size),
          items: fc.tuple(...ids.map((id) => orderItem(id, size, negative))),
        },
        {
          requiredKeys: [
            "id",
            "currency",
            "items",
            "createdAt",
            "tags",
            "customerTags",
            "referers",
          ],
        },
      ),
    )

/** The values of every option of a split policy. */
export const policyOptions = {
  discount: ["deduct", "ignore"],
  tax: ["remove", "keep", "share"],
  cost: ["ignore", "deduct"],
  gatewayFee: ["ignore", "deduct"],
  flatScope: ["unit", "item", "order"],
  shipping: ["store", "share", "charge", "all"],
  stacking: ["most-specific", "all"],
  rounding: ["largest-remainder", "floor"],
  overAllocation: ["reject", "scale", "rank", "allow"],
} as const satisfies {
  readonly [Option in keyof SplitPolicy.SplitPolicy]: ReadonlyArray<SplitPolicy.SplitPolicy[Option]>
}

/** Any split policy. */
export const policy: fc.Arbitrary<SplitPolicy.SplitPolicy> = fc.record({
  discount: fc.constantFrom(...policyOptions.discount),
  tax: fc.constantFrom(...policyOptions.tax),
  cost: fc.constantFrom(...policyOptions.cost),
  gatewayFee: fc.constantFrom(...policyOptions.gatewayFee),
  flatScope: fc.constantFrom(...policyOptions.flatScope),
  shipping: fc.constantFrom(...policyOptions.shipping),
  stacking: fc.constantFrom(...policyOptions.stacking),
  rounding: fc.constantFrom(...policyOptions.rounding),
  overAllocation: fc.constantFrom(...policyOptions.overAllocation),
})

/** A rule set, an order and a policy: everything that decides a split. */
export interface Sale {
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
  readonly order: Order.Order
  readonly policy: SplitPolicy.SplitPolicy
}

/** Any valid sale. */
export const sale: fc.Arbitrary<Sale> = scale.chain((size) =>
  fc.record({ groups: productGroups(size), order: order(size), policy }),
)

/** Sales without the largest amounts, for laws about what is split rather than refused. */
export const usualSale: fc.Arbitrary<Sale> = fc
  .constantFrom<Scale>({ money: "usual", percents: "mild" }, { money: "usual", percents: "wild" })
  .chain((size) => fc.record({ groups: productGroups(size), order: order(size), policy }))
