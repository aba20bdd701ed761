import type { ConditionType } from "../../groups/ProductGroup.js"
import type { Order } from "../Order.js"
import type { CompiledGroup } from "./CompiledGroup.js"
import type { CompiledCondition } from "./Conditions.js"
import * as text from "./text.js"

const noTexts: ReadonlyArray<string> = []

/** What an order says of what a condition asks for, as it is written there. */
export const attributeOf = (order: Order, type: ConditionType): ReadonlyArray<string> => {
  switch (type) {
    case "order.tag":
      return order.tags ?? noTexts
    case "customer.tag":
      return order.customerTags ?? noTexts
    case "discount.code":
      return order.discountCodes ?? noTexts
    case "referer":
      return order.referers ?? noTexts
    case "country.code":
      return order.billingCountry == null ? noTexts : [order.billingCountry]
  }
}

const foldAll = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.length === 0 ? noTexts : texts.map(text.fold)

const foldedAttribute = (order: Order, type: ConditionType): ReadonlyArray<string> =>
  type === "country.code"
    ? attributeOf(order, type).map(text.foldCountry)
    : foldAll(attributeOf(order, type))

let ordersViewed = 0

/** One order as conditions ask about it: each attribute is read once, and each condition is asked once. */
export class OrderView {
  readonly order: Order
  /**
   * What conditions note their answers under. No two views ever have the same: at a million orders a second
   * the safe integers last for centuries.
   */
  readonly number: number
  /** The groups of the rule set that apply whatever the product is, but for those whose link leaves it out. */
  wide: ReadonlyArray<CompiledGroup> | undefined = undefined
  private orderTags: ReadonlyArray<string> | undefined = undefined
  private customerTags: ReadonlyArray<string> | undefined = undefined
  private discountCodes: ReadonlyArray<string> | undefined = undefined
  private countryCodes: ReadonlyArray<string> | undefined = undefined
  private referers: ReadonlyArray<string> | undefined = undefined

  constructor(order: Order) {
    ordersViewed += 1
    this.order = order
    this.number = ordersViewed
  }

  /** What the order says of what a condition asks for, folded. */
  attribute(type: ConditionType): ReadonlyArray<string> {
    switch (type) {
      case "order.tag":
        this.orderTags ??= foldedAttribute(this.order, type)
        return this.orderTags
      case "customer.tag":
        this.customerTags ??= foldedAttribute(this.order, type)
        return this.customerTags
      case "discount.code":
        this.discountCodes ??= foldedAttribute(this.order, type)
        return this.discountCodes
      case "country.code":
        this.countryCodes ??= foldedAttribute(this.order, type)
        return this.countryCodes
      case "referer":
        this.referers ??= foldedAttribute(this.order, type)
        return this.referers
    }
  }
}

/** Above this many comparisons a set is made of the shorter side. */
const mostComparisons = 64

const haveCommon = (texts: ReadonlyArray<string>, values: ReadonlyArray<string>): boolean => {
  if (texts.length * values.length > mostComparisons) {
    const [few, many] = texts.length < values.length ? [texts, values] : [values, texts]
    const known = new Set(few)
    return many.some((value) => known.has(value))
  }
  for (const value of texts) if (values.includes(value)) return true
  return false
}

/** Whether the order satisfies a condition; no condition is satisfied by every order. */
export const conditionHolds = (view: OrderView, condition: CompiledCondition | null): boolean => {
  if (condition === null) return true
  if (condition.order !== view.number) {
    condition.answer =
      haveCommon(view.attribute(condition.type), condition.values) !== condition.not
    condition.order = view.number
  }
  return condition.answer
}

/** Whether the group is in force at the order's time; an order without a time has no dated groups. */
export const inForce = (view: OrderView, { group, isDated }: CompiledGroup): boolean => {
  if (!isDated) return true
  const at = view.order.createdAt
  if (at == null) return false
  return (
    (group.startsAt === null || group.startsAt <= at) &&
    (group.endsAt === null || at < group.endsAt)
  )
}

/** Whether a group applies to the order, whatever its link says. */
export const applies = (view: OrderView, group: CompiledGroup): boolean =>
  inForce(view, group) && conditionHolds(view, group.condition)
