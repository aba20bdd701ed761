/** A request to change a group, merged into the current group. */
import * as reader from "../../internal/reader.js"
import {
  hasTiers,
  kindOf,
  type PayKind,
  parseLinkType,
  percentNames,
  type Shape,
  type TermedGroup,
} from "./groupFields.js"

const has = (node: reader.Node, key: string): boolean => Object.hasOwn(node.fields, key)

const given = (node: reader.Node, key: string): boolean => reader.field(node, key) !== undefined

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The given fields of the request, and those of the group where the request has none. */
const over = (
  node: reader.Node,
  key: string,
  options: { readonly now: unknown; readonly nullClears: boolean },
): unknown => {
  const says = options.nullClears ? has(node, key) : given(node, key)
  return says ? node.fields[key] : (options.now ?? undefined)
}

/** Values of another kind can't be intended: tags are not vendors. */
const noteLeftValues = (
  node: reader.Node,
  options: { readonly kind: string; readonly values: string },
): void => {
  if (given(node, options.values)) return
  reader.note(node, options.values, `is missing, a change of ${options.kind} needs its values`)
}

const overlayLink = (node: reader.Node, group: TermedGroup, shape: Shape): reader.Fields => {
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

const overlayCondition = (node: reader.Node, group: TermedGroup, shape: Shape): reader.Fields => {
  const { condition } = group
  const type = reader.field(node, shape.condition)
  if (condition !== null && type !== undefined && type !== condition.type) {
    noteLeftValues(node, { kind: shape.condition, values: shape.conditionValues })
  }
  const kind = over(node, shape.condition, { now: condition?.type, nullClears: true })
  const values = over(node, shape.conditionValues, { now: condition?.values, nullClears: false })
  return {
    // Without a condition the field is absent, so that values without a type are noticed.
    ...(kind === undefined ? {} : { [shape.condition]: kind }),
    [shape.conditionValues]: values,
    condition_modifier: over(node, "condition_modifier", {
      now: condition?.modifier,
      nullClears: true,
    }),
  }
}

/**
 * The group's percent, amount and terms, where the request has none; a percentage may have either name. Tiers take the
 * place of a percentage.
 */
const overlayPay = (node: reader.Node, group: TermedGroup): reader.Fields => {
  const saysPercent = percentNames.some((name) => has(node, name)) || hasTiers(node)
  return {
    percent: saysPercent ? node.fields.percent : (group.percent ?? undefined),
    percentage: node.fields.percentage,
    amount: over(node, "amount", { now: group.amount, nullClears: true }),
    terms: over(node, "terms", { now: group.terms, nullClears: true }),
  }
}

/** What is left of a percentage or tiers, and an amount: `null` takes one of them away. */
const leftOfBoth = (node: reader.Node, group: TermedGroup): PayKind => {
  if (has(node, "amount") && !given(node, "amount")) return "percentage"
  const isTiered = has(node, "terms") ? hasTiers(node) : group.terms?.tiers != null
  const isKept = group.percent !== null && !percentNames.some((name) => has(node, name))
  const isGiven = percentNames.some((name) => given(node, name))
  return isTiered || isKept || isGiven ? "both" : "flat"
}

/**
 * Without `type` the kind of payment stays. An amount for a group that pays a percentage would then be ignored, which
 * can't be intended.
 */
const keptKind = (node: reader.Node, group: TermedGroup): PayKind => {
  const kind = kindOf(group)
  if (kind === "both") return leftOfBoth(node, group)
  const percentual = [
    ...percentNames.filter((name) => given(node, name)),
    ...(hasTiers(node) ? ["terms.tiers"] : []),
  ]
  const flat = given(node, "amount") ? ["amount"] : []
  const [own, other] = kind === "flat" ? [flat, percentual] : [percentual, flat]
  const [name] = other
  if (name !== undefined && own.length === 0) {
    const wanted = kind === "flat" ? "percentage" : "flat"
    reader.note(
      node,
      "type",
      `is missing, it must be ${wanted} for ${name} to count: the group is ${kind} now`,
    )
  }
  return kind
}

const overlayRest = (node: reader.Node, group: TermedGroup): reader.Fields => ({
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
 * The complete request that results from the change, in the shape it was written in. If that shape has its link in
 * `type`, the kind of payment is not named.
 */
export const overlay = (node: reader.Node, group: TermedGroup, shape: Shape): reader.Node => {
  const namesKind = shape.link !== "type"
  const kind = given(node, "type") ? node.fields.type : undefined
  const fields = {
    ...overlayLink(node, group, shape),
    ...overlayCondition(node, group, shape),
    ...overlayPay(node, group),
    ...overlayRest(node, group),
    ...(namesKind ? { type: kind ?? keptKind(node, group) } : {}),
  }
  return { problems: node.problems, path: node.path, fields }
}
