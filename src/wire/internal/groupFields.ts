import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import * as Percent from "../../money/Percent.js"
import * as Attribute from "../../orders/Attribute.js"
import {
  type Condition,
  type ConditionType,
  conditionTypes,
  type Link,
  type LinkType,
  linkTypes,
  type Modifier,
  type ProductGroup,
} from "../../rules/ProductGroup.js"

// The link and the condition of a group, in either shape.

/** The field names of one shape of a group for its link and condition. */
export interface Shape {
  readonly link: string
  readonly values: string
  readonly condition: string
  readonly conditionValues: string
}

const request: Shape = {
  link: "itemType",
  values: "items",
  condition: "splitConditionType",
  conditionValues: "splitConditions",
}

const view: Shape = {
  link: "type",
  values: "type_values",
  condition: "condition",
  conditionValues: "condition_values",
}

/** Every spelling of a link type: `product.tag`, `products.tags`. */
export const parseLinkType = (value: unknown): LinkType | undefined => {
  if (typeof value !== "string") return undefined
  const name = value
    .trim()
    .toLowerCase()
    .replace(/^product(?=\.|$)/, "products")
    .replace(/(\.[^.]+)s$/, "$1")
  return linkTypes.find((type) => type === name)
}

/**
 * Recognises the shape: the answer of the service has its link in `type` and `type_values`, the create request in
 * `itemType` and `items`. An object with neither is read as a request.
 */
export const shapeOf = (node: reader.Node): Shape => {
  if ("itemType" in node.fields) return request
  const isView = "type_values" in node.fields || parseLinkType(node.fields.type) !== undefined
  return isView ? view : request
}

export const isView = (shape: Shape): boolean => shape === view

const parseModifier = (value: unknown): Modifier | undefined => {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const capitals = typeof single === "string" ? single.trim().toUpperCase() : undefined
  return capitals === "WITH" || capitals === "NOT" ? capitals : undefined
}

const aModifier = "WITH or NOT, as a text or a list of one"

/** An empty list means no modifier, like null. */
const readModifier = (node: reader.Node, key: string): Modifier => {
  const value = reader.field(node, key)
  if (Array.isArray(value) && value.length === 0) return "WITH"
  return reader.parsed(node, key, { parse: parseModifier, expected: aModifier }) ?? "WITH"
}

const noteMissingValues = (
  node: reader.Node,
  key: string,
  values: ReadonlyArray<string> | undefined,
): void => {
  const given = reader.field(node, key)
  if (values === undefined || values.length === 0) {
    if (given === undefined || (Array.isArray(given) && given.length === 0)) {
      reader.refuse(node, key, "a list of at least one value")
    }
    return
  }
  // Indexes are those of the list as sent, so that unreadable values don't shift the others.
  const sent: ReadonlyArray<unknown> = Array.isArray(given) ? given : []
  for (const [index, value] of sent.entries()) {
    if (typeof value === "string" && value.trim() === "") {
      reader.note(node, `${key}[${index}]`, "must not be blank", value)
    }
  }
}

const [ids, ...others] = Attribute.productAttributes
const aLinkType = `one of ${["products.all", ...others, ids].join(", ")}`

export const readLink = (node: reader.Node, shape: Shape, requireValues: boolean): Link => {
  const given = reader.field(node, shape.link)
  const type = parseLinkType(given)
  const modifier = readModifier(node, "type_modifier")
  if (type === undefined) reader.refuse(node, shape.link, aLinkType)
  if (type === undefined || type === "products.all") {
    return { type: "products.all", modifier, values: [] }
  }
  const read = Attribute.kindOf(type) === "id" ? reader.ids : reader.texts
  const values = read(node, shape.values)
  if (requireValues) noteMissingValues(node, shape.values, values)
  return { type, modifier, values: values ?? [] }
}

const readConditionValues = (
  node: reader.Node,
  key: string,
  type: ConditionType,
): ReadonlyArray<string> | undefined => {
  const expected = Attribute.expectedOf(type)
  if (expected === undefined) return reader.texts(node, key)
  const parse = (value: unknown) =>
    typeof value === "string" && Attribute.isAskable(type, value) ? value : undefined
  return reader.parsedList(node, key, { parse, expected })
}

/**
 * Fields of the other shape would be ignored: a group with its condition there would pay on every order. Empty ones,
 * null or an empty list, are accepted.
 */
export const noteOtherShape = (node: reader.Node, shape: Shape): void => {
  const other = shape === request ? view : request
  const names = [other.values, other.condition, other.conditionValues]
  for (const name of names) {
    const value = reader.field(node, name)
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    const instead = `${shape.link} goes with ${shape.values}, ${shape.condition} and ${shape.conditionValues}`
    reader.note(node, name, `has no effect beside ${shape.link}: ${instead}`)
  }
}

/** Values without a type would pay on every order, which can't be intended; an explicit null is intended. */
const noteForgottenType = (node: reader.Node, shape: Shape): void => {
  const values = reader.field(node, shape.conditionValues)
  const isForgotten = !(shape.condition in node.fields) && Array.isArray(values)
  if (isForgotten && values.length > 0) {
    reader.refuse(node, shape.condition, `set when ${shape.conditionValues} has values`)
  }
}

export const readCondition = (
  node: reader.Node,
  shape: Shape,
  requireValues: boolean,
): Condition | null => {
  if (reader.field(node, shape.condition) === undefined) {
    noteForgottenType(node, shape)
    return null
  }
  const type = reader.choice(node, shape.condition, conditionTypes)
  const modifier = readModifier(node, "condition_modifier")
  if (type === undefined) return null
  const values = readConditionValues(node, shape.conditionValues, type)
  if (requireValues) noteMissingValues(node, shape.conditionValues, values)
  return { type, modifier, values: values ?? [] }
}

// What a group pays: percent and flat amount, and which of the two counts.

export interface Pay {
  readonly percent: string | null
  readonly amount: number | null
}

const parsePercent = (value: unknown): string | undefined => {
  const basisPoints = Percent.parse(value)
  return Result.isSuccess(basisPoints) ? Percent.format(basisPoints.success) : undefined
}

export const readPercent = (node: reader.Node, key: string): string | null =>
  reader.parsed(node, key, { parse: parsePercent, expected: Percent.expected }) ?? null

export const readAmount = (node: reader.Node, key: string): number | null =>
  reader.whole(node, key, 0) ?? null

const hasField = (node: reader.Node, key: string): boolean => reader.field(node, key) !== undefined

/** The percentage has two names; if both are given, they must agree. */
const readEitherPercent = (node: reader.Node): string | null => {
  if (!hasField(node, "percentage")) return readPercent(node, "percent")
  const percentage = readPercent(node, "percentage")
  const other = readPercent(node, "percent")
  if (percentage !== null && other !== null && percentage !== other) {
    reader.note(node, "percentage", `is ${percentage}, but percent is ${other}: give one of them`)
  }
  return percentage
}

/** What a request says in `type`; the specification has the first two. */
export type PayKind = "percentage" | "flat" | "both"

const aKind = "percentage, flat or both"

const parseKind = (value: unknown): PayKind | undefined => {
  const kind = typeof value === "string" ? value.trim().toLowerCase() : undefined
  return kind === "percentage" || kind === "flat" || kind === "both" ? kind : undefined
}

/** The `type` of a request from which the same group is read. */
export const kindOf = ({ percent, amount }: Pay): PayKind => {
  if (amount === null) return "percentage"
  return percent === null ? "flat" : "both"
}

const readKind = (node: reader.Node): PayKind | undefined => {
  if (hasField(node, "type")) {
    return reader.parsed(node, "type", { parse: parseKind, expected: aKind })
  }
  const [percent, flat] = [
    hasField(node, "percent") || hasField(node, "percentage"),
    hasField(node, "amount"),
  ]
  if (percent !== flat) return percent ? "percentage" : "flat"
  const reason = percent ? "both percent and amount are given" : "there is no percent and no amount"
  reader.note(node, "type", `is missing, it must be ${aKind}: ${reason}`)
  return undefined
}

/** In a request `type` says which of the two counts; one that does not count is ignored. */
export const readRequestPay = (node: reader.Node): Pay => {
  const kind = readKind(node)
  const [isPercent, isFlat] = [
    kind === "percentage" || kind === "both",
    kind === "flat" || kind === "both",
  ]
  if (isFlat && !hasField(node, "amount")) {
    reader.refuse(node, "amount", `set when type is ${kind}`)
  }
  if (isPercent && !hasField(node, "percent") && !hasField(node, "percentage")) {
    reader.refuse(node, "percent", `set when type is ${kind}`)
  }
  return {
    percent: isPercent ? readEitherPercent(node) : null,
    amount: isFlat ? readAmount(node, "amount") : null,
  }
}

/** In an answer of the service the one that does not count is null; both count when both are set. */
export const readViewPay = (node: reader.Node): Pay => {
  if (!hasField(node, "percent") && !hasField(node, "percentage") && !hasField(node, "amount")) {
    reader.note(node, "percent", "is missing: a group needs a percent, an amount or both")
  }
  return { percent: readEitherPercent(node), amount: readAmount(node, "amount") }
}

// A request to change a group, merged into the current group.

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
    // Without a condition the field is absent, so that values without a type are noticed.
    ...(kind === undefined ? {} : { [shape.condition]: kind }),
    [shape.conditionValues]: values,
    condition_modifier: over(node, "condition_modifier", {
      now: condition?.modifier,
      nullClears: true,
    }),
  }
}

const percentNames = ["percent", "percentage"]

/** The group's percent and amount, where the request has neither; a percentage may have either name. */
const overlayPay = (node: reader.Node, group: ProductGroup): reader.Fields => {
  const saysPercent = percentNames.some((name) => has(node, name))
  return {
    percent: saysPercent ? node.fields.percent : (group.percent ?? undefined),
    percentage: node.fields.percentage,
    amount: over(node, "amount", { now: group.amount, nullClears: true }),
  }
}

/** What is left of a percentage and an amount: `null` takes one of them away. */
const leftOfBoth = (node: reader.Node): PayKind => {
  const isWithout = (...names: ReadonlyArray<string>) =>
    names.some((name) => has(node, name)) && !names.some((name) => given(node, name))
  if (isWithout("amount")) return "percentage"
  return isWithout(...percentNames) ? "flat" : "both"
}

/**
 * Without `type` the kind of payment stays. An amount for a group that pays a percentage would then be ignored, which
 * can't be intended.
 */
const keptKind = (node: reader.Node, group: ProductGroup): PayKind => {
  const kind = kindOf(group)
  if (kind === "both") return leftOfBoth(node)
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
 * The complete request that results from the change, in the shape it was written in. If that shape has its link in
 * `type`, the kind of payment is not named.
 */
export const overlay = (node: reader.Node, group: ProductGroup, shape: Shape): reader.Node => {
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
