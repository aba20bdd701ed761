/** Which products and which orders a group is for: its link and its condition, in either shape. */
import {
  type Condition,
  type ConditionType,
  conditionTypes,
  type Link,
  type LinkType,
  type Modifier,
} from "../../groups/ProductGroup.js"
import * as reader from "../../internal/reader.js"

/** The names that one shape of a group has for its link and condition. */
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

const linkPattern = /^products?(?:\.(all|tag|vendor)s?)?$/

/** Both spellings of each link type, `product.tag` and `products.tag`. */
export const parseLinkType = (value: unknown): LinkType | undefined => {
  if (typeof value !== "string") return undefined
  const [matched, kind] = linkPattern.exec(value.trim().toLowerCase()) ?? []
  if (matched === undefined) return undefined
  if (kind === "all") return "products.all"
  if (kind === "tag") return "products.tag"
  return kind === "vendor" ? "products.vendor" : "products"
}

/**
 * Tells the two shapes apart: the answer of the service has its link in `type` and `type_values`, the
 * create request in `itemType` and `items`. What has neither is taken for a request.
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

/** An empty list is no modifier at all, as null is. */
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
  // Of the list as it was sent, so that values that can't be read don't shift the places of others.
  const sent: ReadonlyArray<unknown> = Array.isArray(given) ? given : []
  for (const [index, value] of sent.entries()) {
    if (typeof value === "string" && value.trim() === "") {
      reader.note(node, `${key}[${index}]`, "must not be blank", value)
    }
  }
}

const linkTypes = "one of products.all, products.tag, products.vendor, products"

export const readLink = (node: reader.Node, shape: Shape, requireValues: boolean): Link => {
  const given = reader.field(node, shape.link)
  const type = parseLinkType(given)
  const modifier = readModifier(node, "type_modifier")
  if (type === undefined) reader.refuse(node, shape.link, linkTypes)
  if (type === undefined || type === "products.all") {
    return { type: "products.all", modifier, values: [] }
  }
  const read = type === "products" ? reader.ids : reader.texts
  const values = read(node, shape.values)
  if (requireValues) noteMissingValues(node, shape.values, values)
  return { type, modifier, values: values ?? [] }
}

const country = {
  parse: (value: unknown) =>
    typeof value === "string" && /^[A-Za-z]{2}$/.test(value.trim()) ? value : undefined,
  expected: "a country code of two letters, as US",
}

const readConditionValues = (
  node: reader.Node,
  key: string,
  type: ConditionType,
): ReadonlyArray<string> | undefined =>
  type === "country.code" ? reader.parsedList(node, key, country) : reader.texts(node, key)

/**
 * Fields of the other shape would be read by nobody: a group with its condition there would pay on every
 * order. What says nothing, null or an empty list, is fine.
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

/** Values without a type would pay on every order, which can't be meant; an explicit null is meant. */
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
