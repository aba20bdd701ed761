/** What a request to change a group says, laid over the group as it is. */
import type { ProductGroup } from "../../groups/ProductGroup.js"
import * as reader from "../../internal/reader.js"
import { parseLinkType, type Shape } from "./groupSelection.js"

const has = (node: reader.Node, key: string): boolean => Object.hasOwn(node.fields, key)

const given = (node: reader.Node, key: string): boolean => reader.field(node, key) !== undefined

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The given fields of the request; those of the group stand where it says nothing. */
const over = (
  node: reader.Node,
  key: string,
  options: { readonly now: unknown; readonly nullClears: boolean },
): unknown => {
  const says = options.nullClears ? has(node, key) : given(node, key)
  return says ? node.fields[key] : (options.now ?? undefined)
}

/** Values of another kind can't be what is meant: tags are no vendors. */
const noteLeftValues = (
  node: reader.Node,
  options: { readonly kind: string; readonly values: string },
): void => {
  if (given(node, options.values)) return
  reader.note(node, options.values, `is missing, a change of ${options.kind} needs its values`)
}

const overlayLink = (node: reader.Node, group: ProductGroup, shape: Shape): reader.Fields => {
  const type = parseLinkType(node.fields[shape.link])
  if (type !== undefined && type !== group.link.type && type !== "products.all") {
    noteLeftValues(node, { kind: shape.link, values: shape.values })
  }
  const saysModifier = given(node, "type_modifier") && !isEmptyList(node.fields.type_modifier)
  return {
    [shape.link]: over(node, shape.link, { now: group.link.type, nullClears: false }),
    [shape.values]: over(node, shape.values, { now: group.link.values, nullClears: false }),
    type_modifier: saysModifier ? node.fields.type_modifier : group.link.modifier,
  }
}

const overlayCondition = (node: reader.Node, group: ProductGroup, shape: Shape): reader.Fields => {
  const { condition } = group
  const type = reader.field(node, shape.condition)
  if (condition !== null && type !== undefined && type !== condition.type) {
    noteLeftValues(node, { kind: shape.condition, values: shape.conditionValues })
  }
  const kind = over(node, shape.condition, { now: condition?.type, nullClears: true })
  const values = over(node, shape.conditionValues, { now: condition?.values, nullClears: false })
  return {
    // Without a condition there is no field, so that values that came alone are noticed.
    ...(kind === undefined ? {} : { [shape.condition]: kind }),
    [shape.conditionValues]: values,
    condition_modifier: over(node, "condition_modifier", {
      now: condition?.modifier,
      nullClears: true,
    }),
  }
}

const percentNames = ["percent", "percentage"]

/** What the group pays as far as the request says nothing; it says a percentage under either name. */
const overlayPay = (node: reader.Node, group: ProductGroup): reader.Fields => {
  const saysPercent = percentNames.some((name) => has(node, name))
  return {
    percent: saysPercent ? node.fields.percent : (group.percent ?? undefined),
    percentage: node.fields.percentage,
    amount: over(node, "amount", { now: group.amount, nullClears: true }),
  }
}

/**
 * Without `type` the kind of payment stays. An amount for a group that pays a percentage would be ignored
 * then, which can't be meant.
 */
const keptKind = (node: reader.Node, group: ProductGroup): string => {
  const kind = group.amount === null ? "percentage" : "flat"
  const other = kind === "flat" ? percentNames : ["amount"]
  const own = kind === "flat" ? ["amount"] : percentNames
  const name = other.find((key) => given(node, key))
  if (name !== undefined && !own.some((key) => given(node, key))) {
    const wanted = kind === "flat" ? "percentage" : "flat"
    reader.note(
      node,
      "type",
      `is missing, it must be ${wanted} for ${name} to count: the group is ${kind} now`,
    )
  }
  return kind
}

/** Whether both percent and amount go on to count, as they do in groups that hosts made so. */
export const paysBoth = (node: reader.Node, group: ProductGroup): boolean =>
  !given(node, "type") && group.percent !== null && group.amount !== null

const overlayRest = (node: reader.Node, group: ProductGroup): reader.Fields => ({
  deduct_for_other_splits: over(node, "deduct_for_other_splits", {
    now: group.deductForOtherSplits,
    nullClears: false,
  }),
  shipping_percent: over(node, "shipping_percent", {
    now: group.shippingPercent,
    nullClears: true,
  }),
  shipping_amount: over(node, "shipping_amount", { now: group.shippingAmount, nullClears: true }),
  min_amount: over(node, "min_amount", { now: group.minAmount, nullClears: true }),
  max_amount: over(node, "max_amount", { now: group.maxAmount, nullClears: true }),
  starts_at: over(node, "starts_at", { now: group.startsAt, nullClears: true }),
  ends_at: over(node, "ends_at", { now: group.endsAt, nullClears: true }),
})

/**
 * The whole request that the change comes to, in the shape it was written in. Where the shape has its
 * link in `type`, the kind of payment is not named.
 */
export const overlay = (node: reader.Node, group: ProductGroup, shape: Shape): reader.Node => {
  const namesKind = shape.link !== "type"
  const kind = given(node, "type") ? node.fields.type : undefined
  const fields = {
    ...overlayLink(node, group, shape),
    ...overlayCondition(node, group, shape),
    ...overlayPay(node, group),
    ...overlayRest(node, group),
    ...(namesKind && !paysBoth(node, group) ? { type: kind ?? keptKind(node, group) } : {}),
  }
  return { problems: node.problems, path: node.path, fields }
}
