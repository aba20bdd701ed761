import fc from "fast-check"
import { lastSecond } from "../../internal/seconds.js"
import * as Attribute from "../../orders/Attribute.js"
import * as ProductGroup from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import { type AmountRange, orNothing, orNull, seldom } from "./internal/Choice.js"
import { amount, attributeValue, collaboratorId, moment, several } from "./internal/pools.js"
import { filledText, id, percentInput, productId, text } from "./Scalars.js"

/**
 * Options for product groups.
 *
 * @since 0.2.0
 * @category models
 */
export interface GroupOptions extends AmountRange {
  /** Any id when absent. */
  readonly id?: fc.Arbitrary<string> | undefined
  /** One of three collaborators when absent: `ada`, `ben` and `cam`. */
  readonly collaboratorId?: fc.Arbitrary<string> | undefined
  /** Whether links and conditions have at least one value, and no blank one, as the services require. */
  readonly requireValues?: boolean | undefined
}

const isOfIds = (attribute: Attribute.Attribute): boolean => Attribute.kindOf(attribute) === "id"

const modifier = fc.constantFrom("WITH" as const, "NOT" as const)

const valuesOf = (
  value: fc.Arbitrary<string>,
  { requireValues }: GroupOptions,
): fc.Arbitrary<ReadonlyArray<string>> =>
  requireValues === true ? fc.array(value, { minLength: 1, maxLength: 4 }) : several(value)

/**
 * Links of every type, with both modifiers.
 *
 * @since 0.2.0
 * @category product groups
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const links = fc.sample(Arbitraries.link({ requireValues: true }), 50)
 * links.every(({ type, values }) => type === "products.all" || values.length > 0) // => true
 * ```
 */
export const link = (
  options: Pick<GroupOptions, "requireValues"> = {},
): fc.Arbitrary<ProductGroup.Link> => {
  const word = options.requireValues === true ? filledText() : text()
  return fc.oneof(
    fc.record({
      type: fc.constant("products.all" as const),
      modifier: fc.constant("WITH" as const),
      values: fc.constantFrom([], ["ignored"]),
    }),
    fc.record({
      type: fc.constantFrom(...Attribute.productAttributes.filter((each) => !isOfIds(each))),
      modifier,
      values: valuesOf(word, options),
    }),
    fc.record({
      type: fc.constantFrom(...Attribute.productAttributes.filter(isOfIds)),
      modifier,
      values: valuesOf(productId(), options),
    }),
  )
}

/**
 * Conditions of every type, with both modifiers.
 *
 * @since 0.2.0
 * @category product groups
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * new Set(fc.sample(Arbitraries.condition(), 200).map(({ type }) => type)).size // => 5
 * ```
 */
export const condition = (
  options: Pick<GroupOptions, "requireValues"> = {},
): fc.Arbitrary<ProductGroup.Condition> => {
  const word = options.requireValues === true ? filledText() : text()
  return fc.oneof(
    ...ProductGroup.conditionTypes.map((type) =>
      fc.record({
        type: fc.constant(type),
        modifier,
        values: valuesOf(attributeValue(type, word), options),
      }),
    ),
  )
}

/** Two optional numbers, the first not above the second. */
const limits = (options: AmountRange) =>
  fc
    .tuple(seldom(amount(options)), seldom(amount(options)))
    .map(([minAmount, maxAmount]) =>
      minAmount !== null && maxAmount !== null && minAmount > maxAmount
        ? { minAmount: maxAmount, maxAmount: minAmount }
        : { minAmount, maxAmount },
    )

/** Two optional moments, the first before the second. */
const dates = fc.tuple(seldom(moment()), seldom(moment())).map(([one, other]) => {
  if (one === null || other === null) return { startsAt: one, endsAt: other }
  const startsAt = Math.min(one, other, lastSecond - 1)
  return { startsAt, endsAt: Math.max(one, other, startsAt + 1) }
})

const pay = (options: AmountRange) =>
  fc
    .record({
      kind: fc.constantFrom("percent", "flat", "both"),
      percent: percentInput(),
      amount: amount(options),
      shippingPercent: seldom(percentInput()),
      shippingAmount: seldom(amount(options)),
    })
    .map(({ kind, ...fields }) => ({
      ...fields,
      percent: kind === "flat" ? null : fields.percent,
      amount: kind === "percent" ? null : fields.amount,
    }))

/**
 * Product groups as hosts write them: every kind of link, condition and pay; fields without effect are often absent,
 * and percentages are texts or numbers. `ProductGroup.make` takes each of them.
 *
 * @since 0.2.0
 * @category product groups
 * @example
 * ```ts
 * import { ProductGroup } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const groups = fc.sample(Arbitraries.productGroupInput(), 50)
 * groups.every((group) => Result.isSuccess(ProductGroup.parse(group))) // => true
 * ```
 */
export const productGroupInput = (
  options: GroupOptions = {},
): fc.Arbitrary<ProductGroup.GroupInput> =>
  fc
    .tuple(
      fc.record(
        {
          id: options.id ?? id(),
          collaboratorId: options.collaboratorId ?? collaboratorId(),
          link: link(options),
          condition: orNull(condition(options)),
          deductForOtherSplits: fc.boolean(),
          createdAt: orNothing(moment()),
        },
        { requiredKeys: ["id", "collaboratorId", "link"] },
      ),
      pay(options),
      limits(options),
      dates,
    )
    .map(([group, money, amounts, period]) => {
      const whole = { ...group, ...money, ...amounts, ...period }
      const { deductForOtherSplits, ...rest } = whole
      return Attribute.isDeductible(whole.condition?.type) && deductForOtherSplits !== undefined
        ? { ...rest, deductForOtherSplits }
        : rest
    })

/**
 * Product groups with every field: every kind of link, condition and modifier, percent and flat, minimum
 * and maximum, dates and shipping.
 *
 * @since 0.2.0
 * @category product groups
 * @example
 * ```ts
 * import { ProductGroup } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const [group] = fc.sample(Arbitraries.productGroup({ id: fc.constant("g1") }), 1)
 * group?.id // => "g1"
 * ```
 */
export const productGroup = (options: GroupOptions = {}): fc.Arbitrary<ProductGroup.ProductGroup> =>
  productGroupInput(options).map(ProductGroup.make)

/**
 * Rule sets of up to ten groups with different ids, of a few collaborators.
 *
 * @param options.maxLength - the most groups; 10 when absent
 * @since 0.2.0
 * @category product groups
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const sets = fc.sample(Arbitraries.ruleSet({ maxLength: 3 }), 50)
 * sets.every(({ groups }) => groups.length <= 3) // => true
 * ```
 */
export const ruleSet = (
  options: Omit<GroupOptions, "id"> & { readonly maxLength?: number | undefined } = {},
): fc.Arbitrary<RuleSet.RuleSet> => {
  const { maxLength = 10, ...groups } = options
  return fc
    .uniqueArray(productGroupInput(groups), { maxLength, selector: (group) => group.id })
    .map(RuleSet.make)
}
