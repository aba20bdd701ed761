/**
 * The rule that links a collaborator to products and says what they are paid.
 *
 * @since 0.1.0
 */

import type * as Result from "effect/Result"
import { unknownFields } from "../internal/fieldNames.js"
import {
  choice,
  flag,
  id,
  listOf,
  look,
  objectOf,
  or,
  orNull,
  type Shape,
  seconds,
  text,
} from "../internal/fields.js"
import { refusal, show } from "../internal/problems.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import { nonNegative, percent } from "../money/internal/amounts.js"
import * as Attribute from "../orders/Attribute.js"
import type { Problem } from "../Problem.js"

/**
 * `WITH`: any of the values is present. `NOT`: the exact complement, none of them is present.
 *
 * @since 0.1.0
 * @category models
 */
export type Modifier = "WITH" | "NOT"

/**
 * How a group selects products.
 *
 * @since 0.1.0
 * @category models
 */
export type LinkType = "products.all" | Attribute.ProductAttribute

/**
 * The attributes of an order that a group can have a condition on.
 *
 * @since 0.1.0
 * @category models
 */
export type ConditionType = Attribute.OrderAttribute

/**
 * Which products a group applies to. `values` are tags, vendors or product ids; `products.all` needs none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Link {
  readonly type: LinkType
  readonly modifier: Modifier
  readonly values: ReadonlyArray<string>
}

/**
 * Which orders a group applies to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Condition {
  readonly type: ConditionType
  readonly modifier: Modifier
  readonly values: ReadonlyArray<string>
}

/**
 * A valid product group, every field present. Made by {@link make}; it is also a valid {@link GroupInput}, so a stored group
 * can be passed in unchanged.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProductGroup {
  readonly id: string
  readonly collaboratorId: string
  readonly link: Link
  /** `null`: every order. */
  readonly condition: Condition | null
  /** Percentage with two decimals, as `"12.50"`; `null`: no percent share. */
  readonly percent: string | null
  /** Flat amount in cents of the order's currency; `null`: no flat share. */
  readonly amount: number | null
  /** Percentage of the item's shipping; `null`: the same as `percent`. */
  readonly shippingPercent: string | null
  /** Flat amount for shipping for each unit, in cents. */
  readonly shippingAmount: number | null
  /** Deducts this share from the base of the others' percentages; for referer conditions only. */
  readonly deductForOtherSplits: boolean
  /**
   * The least that the group gets for an item on which it earns anything, in cents; its part of the shipping comes on
   * top.
   */
  readonly minAmount: number | null
  /** The most that the group gets for an item, in cents; its part of the shipping comes on top. */
  readonly maxAmount: number | null
  /** First second in which the group is in force, in Unix seconds. */
  readonly startsAt: number | null
  /** First second in which it is no longer in force, in Unix seconds. */
  readonly endsAt: number | null
  /** When the group was created, in Unix seconds: of two equally specific groups the newer one counts. */
  readonly createdAt: number | null
}

/**
 * A product group as hosts write it: absent fields have no effect, and a percentage may be a number.
 *
 * @since 0.1.0
 * @category models
 * @example
 * ```ts
 * import type { ProductGroup } from "apportion"
 *
 * const artist: ProductGroup.GroupInput = {
 *   id: "g1",
 *   collaboratorId: "ada",
 *   link: { type: "products.tag", values: ["art"] },
 *   percent: "12.50",
 * }
 * ```
 */
export interface GroupInput {
  readonly id: string
  readonly collaboratorId: string
  readonly link: {
    readonly type: LinkType
    readonly modifier?: Modifier | undefined
    readonly values?: ReadonlyArray<string> | undefined
  }
  readonly condition?:
    | {
        readonly type: ConditionType
        readonly modifier?: Modifier | undefined
        readonly values: ReadonlyArray<string>
      }
    | null
    | undefined
  readonly percent?: string | number | null | undefined
  readonly amount?: number | null | undefined
  readonly shippingPercent?: string | number | null | undefined
  readonly shippingAmount?: number | null | undefined
  readonly deductForOtherSplits?: boolean | undefined
  readonly minAmount?: number | null | undefined
  readonly maxAmount?: number | null | undefined
  readonly startsAt?: number | null | undefined
  readonly endsAt?: number | null | undefined
  readonly createdAt?: number | null | undefined
}

/**
 * The link types, most specific first.
 *
 * @since 0.1.0
 * @category constants
 */
export const linkTypes = [...Attribute.productAttributes, "products.all"] as const

/**
 * The condition types.
 *
 * @since 0.1.0
 * @category constants
 */
export const conditionTypes = Attribute.orderAttributes

const modifier = /* @__PURE__ */ or(/* @__PURE__ */ choice(["WITH", "NOT"]), "WITH")

const texts = /* @__PURE__ */ listOf(text)

const shape: Shape<ProductGroup> = {
  id,
  collaboratorId: id,
  link: /* @__PURE__ */ objectOf<Link>({
    type: /* @__PURE__ */ choice(linkTypes),
    modifier,
    values: /* @__PURE__ */ or(texts, []),
  }),
  condition: /* @__PURE__ */ orNull(
    /* @__PURE__ */ objectOf<Condition>({
      type: /* @__PURE__ */ choice(conditionTypes),
      modifier,
      values: texts,
    }),
  ),
  percent: /* @__PURE__ */ orNull(percent),
  amount: /* @__PURE__ */ orNull(nonNegative),
  shippingPercent: /* @__PURE__ */ orNull(percent),
  shippingAmount: /* @__PURE__ */ orNull(nonNegative),
  deductForOtherSplits: /* @__PURE__ */ or(flag, false),
  minAmount: /* @__PURE__ */ orNull(nonNegative),
  maxAmount: /* @__PURE__ */ orNull(nonNegative),
  startsAt: /* @__PURE__ */ orNull(seconds),
  endsAt: /* @__PURE__ */ orNull(seconds),
  createdAt: /* @__PURE__ */ orNull(seconds),
}

/**
 * An invalid product group, with all its problems.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidProductGroup extends TaggedError("InvalidProductGroup")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const field = (input: unknown, name: string): unknown =>
  typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined

/** Problems between fields, reported even when other fields are invalid. */
const problemsBetweenFields = (input: unknown): ReadonlyArray<Problem> => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return []
  // A misspelt `maxAmount` would limit nothing, a misspelt `condition` would pay on every order.
  const isNone = "is no field of a group; the fields are"
  const found: Array<Problem> = [...unknownFields(input, Object.keys(shape), { isNone })]
  const report = (path: string, message: string) =>
    found.push({ path, value: field(input, path), message })
  const inOrder = (low: string, high: string, ok: (low: number, high: number) => boolean) => {
    const [lowValue, highValue] = [field(input, low), field(input, high)]
    if (typeof lowValue !== "number" || typeof highValue !== "number" || ok(lowValue, highValue))
      return
    report(high, `must be above ${low} (${lowValue}), got ${highValue}`)
  }
  inOrder("minAmount", "maxAmount", (least, most) => least <= most)
  inOrder("startsAt", "endsAt", (start, end) => start < end)
  if (field(input, "percent") == null && field(input, "amount") == null) {
    report("percent", "a group needs a percent, an amount or both")
  }
  const conditionType = field(field(input, "condition"), "type")
  if (field(input, "deductForOtherSplits") === true && !Attribute.isDeductible(conditionType)) {
    report(
      "deductForOtherSplits",
      `only a group with a referer condition can be deducted, its condition is ${show(conditionType)}`,
    )
  }
  return found
}

/** Groups that were checked and are frozen. */
const checked = /* @__PURE__ */ new WeakSet<object>()

/**
 * Whether a value is a group returned by {@link make}, and so valid. A copy of one is not, nor a group read from a
 * storage: those may have been changed.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { ProductGroup } from "apportion"
 *
 * const link = { type: "products.all" } as const
 * const group = ProductGroup.make({ id: "g1", collaboratorId: "ada", link, percent: 12.5 })
 * ProductGroup.isMade(group) // => true
 * ProductGroup.isMade({ ...group, percent: "150.00" }) // => false
 * ```
 */
export const isMade = (value: unknown): value is ProductGroup =>
  typeof value === "object" && value !== null && checked.has(value)

const freeze = (group: ProductGroup): ProductGroup => {
  for (const part of [group.link, group.condition]) {
    if (part !== null) Object.freeze(part.values)
    Object.freeze(part)
  }
  checked.add(Object.freeze(group))
  return group
}

const made = (input: unknown): ProductGroup => {
  if (isMade(input)) return input
  const { made, problems } = look(input, objectOf(shape), problemsBetweenFields)
  if (made === undefined) throw refusal(InvalidProductGroup)(problems)
  return freeze(made)
}

/**
 * Checks a group and fills in the defaults. All problems are reported at once, each with the path and the value of its
 * field.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { ProductGroup } from "apportion"
 * import { Result } from "effect"
 *
 * const link = { type: "products.all" }
 * const result = ProductGroup.parse({ id: "g1", collaboratorId: "ada", link, percent: "120" })
 * Result.isFailure(result) && result.failure.problems.map((problem) => problem.path) // => ["percent"]
 * ```
 */
export const parse = (input: unknown): Result.Result<ProductGroup, InvalidProductGroup> =>
  attempt([InvalidProductGroup], () => made(input))

/**
 * Makes a group, and throws {@link InvalidProductGroup} when it is invalid. For groups from outside the program, {@link
 * parse} returns the error as a value.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { ProductGroup } from "apportion"
 *
 * const link = { type: "products.all" } as const
 * const group = ProductGroup.make({ id: "g1", collaboratorId: "ada", link, percent: 12.5 })
 * group.percent // => "12.50"
 * ```
 */
export const make: (input: GroupInput) => ProductGroup = made
