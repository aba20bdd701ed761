import * as Result from "effect/Result"
import { addProblems, within } from "../../internal/problems.js"
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
import * as Terms from "../../terms/Terms.js"

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

// What a group pays: percent and flat amount, which of the two counts, and the terms of what depends on earlier sales.

export interface Pay {
  readonly percent: string | null
  readonly amount: number | null
  readonly terms?: Terms.GroupTerms
}

/**
 * A product group, with its terms if it has any. With tiers it has no percentage of its own. `CountedRules` takes it;
 * `RuleSet`, which would pay without the terms, refuses one that has them.
 *
 * @since 0.6.0
 * @category models
 */
export interface TermedGroup extends ProductGroup {
  readonly terms?: Terms.GroupTerms | null | undefined
}

export const percentNames = ["percent", "percentage"]

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

/** The field names of terms are those of the core, whose `parse` is what is valid. */
const readTerms = (node: reader.Node): Terms.GroupTerms | undefined => {
  const given = reader.field(node, "terms")
  if (given === undefined) return undefined
  const terms = Terms.parse(given)
  if (Result.isSuccess(terms)) return terms.success
  const path = reader.pathOf(node, "terms")
  addProblems(
    node.problems,
    terms.failure.problems.map((problem) => within(path, problem)),
  )
  return undefined
}

/** Whether the percentages of a group are those of its tiers. */
export const hasTiers = (node: reader.Node): boolean => {
  const terms = reader.field(node, "terms")
  return reader.isFields(terms) && terms.tiers != null
}

const notePercentBesideTiers = (node: reader.Node): void => {
  for (const name of percentNames) {
    if (reader.field(node, name) === undefined) continue
    reader.note(node, name, "must be absent beside tiers, whose bands have the percentages")
  }
}

/** What the group pays, with its terms if it has any. */
const withTerms = (node: reader.Node, pay: Pay): Pay => {
  const terms = readTerms(node)
  return terms === undefined ? pay : { ...pay, terms }
}

/** What a request says in `type`; the specification has the first two. */
export type PayKind = "percentage" | "flat" | "both"

/** What a group pays, as it stands. */
type TermedPay = Pick<TermedGroup, "percent" | "amount" | "terms">

const aKind = "percentage, flat or both"

const parseKind = (value: unknown): PayKind | undefined => {
  const kind = typeof value === "string" ? value.trim().toLowerCase() : undefined
  return kind === "percentage" || kind === "flat" || kind === "both" ? kind : undefined
}

/** The `type` of a request from which the same group is read. */
export const kindOf = ({ percent, amount, terms }: TermedPay): PayKind => {
  if (amount === null) return "percentage"
  return percent === null && terms?.tiers == null ? "flat" : "both"
}

const readKind = (node: reader.Node): PayKind | undefined => {
  if (hasField(node, "type")) {
    return reader.parsed(node, "type", { parse: parseKind, expected: aKind })
  }
  const [percent, flat] = [
    hasField(node, "percent") || hasField(node, "percentage") || hasTiers(node),
    hasField(node, "amount"),
  ]
  if (percent !== flat) return percent ? "percentage" : "flat"
  const share = hasTiers(node) ? "tiers" : "percent"
  const reason = percent
    ? `both ${share} and amount are given`
    : "there is no percent and no amount"
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
  const isTiered = hasTiers(node)
  if (isTiered) noteTiersBeside(node, kind)
  if (isPercent && !isTiered && !hasField(node, "percent") && !hasField(node, "percentage")) {
    reader.refuse(node, "percent", `set when type is ${kind}`)
  }
  return withTerms(node, {
    percent: isPercent && !isTiered ? readEitherPercent(node) : null,
    amount: isFlat ? readAmount(node, "amount") : null,
  })
}

/** Tiers are percentages: neither beside another percentage nor in a group that pays none. */
const noteTiersBeside = (node: reader.Node, kind: PayKind | undefined): void => {
  notePercentBesideTiers(node)
  if (kind !== "flat") return
  reader.note(node, "type", "must be percentage or both for a group with tiers, got flat")
}

/** In an answer of the service the one that does not count is null; both count when both are set. */
export const readViewPay = (node: reader.Node): Pay => {
  const isTiered = hasTiers(node)
  const isPaid = ["percent", "percentage", "amount"].some((name) => hasField(node, name))
  if (!isPaid && !isTiered) {
    reader.note(node, "percent", "is missing: a group needs a percent, an amount or both")
  }
  if (isTiered) notePercentBesideTiers(node)
  const percent = isTiered ? null : readEitherPercent(node)
  return withTerms(node, { percent, amount: readAmount(node, "amount") })
}
