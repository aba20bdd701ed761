import type { ConditionType } from "../../groups/ProductGroup.js"
import type { Order, OrderItem } from "../Order.js"
import type { Product } from "../Product.js"
import type { CompiledCondition, CompiledGroup, CompiledRules } from "./CompiledRules.js"
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

/** One order as conditions ask about it: each attribute is read once, each condition answered once. */
export interface OrderView {
  readonly order: Order
  readonly attributes: Map<ConditionType, ReadonlyArray<string>>
  /** By the condition's slot. */
  readonly answers: Array<boolean | undefined>
}

export const viewOrder = (order: Order): OrderView => ({
  order,
  attributes: new Map(),
  answers: [],
})

const foldedAttribute = (view: OrderView, type: ConditionType): ReadonlyArray<string> => {
  const known = view.attributes.get(type)
  if (known !== undefined) return known
  const fold = type === "country.code" ? text.foldCountry : text.fold
  const folded = attributeOf(view.order, type).map(fold)
  view.attributes.set(type, folded)
  return folded
}

/** Whether the order satisfies a condition; no condition is satisfied by every order. */
export const conditionHolds = (view: OrderView, condition: CompiledCondition | null): boolean => {
  if (condition === null) return true
  const known = view.answers[condition.slot]
  if (known !== undefined) return known
  const found = foldedAttribute(view, condition.type).some((value) => condition.values.has(value))
  const answer = found !== condition.not
  view.answers[condition.slot] = answer
  return answer
}

/** Whether the group is in force at the order's time; an order without a time has no dated groups. */
export const inForce = (view: OrderView, { group }: CompiledGroup): boolean => {
  if (group.startsAt === null && group.endsAt === null) return true
  const at = view.order.createdAt
  if (at == null) return false
  return (
    (group.startsAt === null || group.startsAt <= at) &&
    (group.endsAt === null || at < group.endsAt)
  )
}

/** A product as links ask about it. */
export interface ProductView {
  readonly product: Product
  readonly tags: ReadonlyArray<string>
  readonly vendor: string | undefined
}

export const viewProduct = (product: Product): ProductView => ({
  product,
  tags: (product.tags ?? noTexts).map(text.fold),
  vendor: product.vendor === undefined ? undefined : text.fold(product.vendor),
})

const hasAny = (view: ProductView, group: CompiledGroup): boolean => {
  const { product, tags, vendor } = view
  switch (group.linkType) {
    case "products.all":
      return true
    case "products":
      return (
        group.linkValues.has(product.id) ||
        (product.externalId !== undefined && group.linkValues.has(product.externalId))
      )
    case "products.tag":
      return tags.some((tag) => group.linkValues.has(tag))
    case "products.vendor":
      return vendor !== undefined && group.linkValues.has(vendor)
  }
}

/** Whether the group's link selects the product. */
export const linkSelects = (view: ProductView, group: CompiledGroup): boolean =>
  hasAny(view, group) !== group.linkNot

/** The groups whose link may select the product; some may stand there twice. */
const candidates = (rules: CompiledRules, view: ProductView): Array<CompiledGroup> => {
  const found: Array<CompiledGroup> = []
  const take = (groups: ReadonlyArray<CompiledGroup> | undefined) => {
    if (groups !== undefined) for (const group of groups) found.push(group)
  }
  for (const group of rules.always) if (linkSelects(view, group)) found.push(group)
  take(rules.byProduct.get(view.product.id))
  if (view.product.externalId !== undefined) take(rules.byProduct.get(view.product.externalId))
  for (const tag of view.tags) take(rules.byTag.get(tag))
  if (view.vendor !== undefined) take(rules.byVendor.get(view.vendor))
  return found
}

const byRank = (left: CompiledGroup, right: CompiledGroup): number => left.rank - right.rank

/** The groups whose link selects a product, most specific first; orders and dates are not asked. */
export const linkedGroups = (
  rules: CompiledRules,
  product: Product,
): ReadonlyArray<CompiledGroup> =>
  candidates(rules, viewProduct(product))
    .sort(byRank)
    .filter((group, index, all) => group !== all[index - 1])

/** The groups that match an item of an order, most specific first. */
export const matchingGroups = (
  rules: CompiledRules,
  view: OrderView,
  item: OrderItem,
): ReadonlyArray<CompiledGroup> =>
  candidates(rules, viewProduct(item.product))
    .sort(byRank)
    .filter(
      (group, index, all) =>
        group !== all[index - 1] && inForce(view, group) && conditionHolds(view, group.condition),
    )

/** The groups that count for an item, and those that lost to a more specific one of their collaborator. */
export interface Standing {
  readonly counting: ReadonlyArray<CompiledGroup>
  readonly outranked: ReadonlyArray<{ readonly group: CompiledGroup; readonly by: CompiledGroup }>
}

/** Leaves each collaborator their most specific group. */
export const rankByCollaborator = (matching: ReadonlyArray<CompiledGroup>): Standing => {
  const winners = new Map<string, CompiledGroup>()
  const counting: Array<CompiledGroup> = []
  const outranked: Array<{ readonly group: CompiledGroup; readonly by: CompiledGroup }> = []
  for (const group of matching) {
    const by = winners.get(group.group.collaboratorId)
    if (by === undefined) {
      winners.set(group.group.collaboratorId, group)
      counting.push(group)
    } else {
      outranked.push({ group, by })
    }
  }
  return { counting, outranked }
}

/** What counts for an item under a store's choice of stacking. */
export const standing = (
  matching: ReadonlyArray<CompiledGroup>,
  stacking: "most-specific" | "all",
): Standing =>
  stacking === "all" ? { counting: matching, outranked: [] } : rankByCollaborator(matching)
