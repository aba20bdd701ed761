/** Files: what is in one that was opened, and those that are saved for the command line. */
import * as Result from "effect/Result"
import type { Problem } from "../../Problem.js"
import * as Shopify from "../../shopify/Document.js"
import * as ShopifySale from "../../shopify/Sale.js"
import * as Json from "../../wire/Json.js"
import { isFields, type JsonObject, type Scenario, writeOrder } from "./Scenario.js"

/** What a file holds. */
export type Contents =
  | { readonly kind: "groups"; readonly groups: ReadonlyArray<unknown> }
  | {
      readonly kind: "orders"
      readonly orders: ReadonlyArray<unknown>
      /** What of the file is no sale or could not be read, in words. */
      readonly notes: ReadonlyArray<string>
    }
  | { readonly kind: "counters"; readonly counters: ReadonlyArray<unknown> }
  | { readonly kind: "policy"; readonly policy: JsonObject }
  | { readonly kind: "none"; readonly why: string }

/** The largest file that is read: the page is for looking, the command line for a year's orders. */
export const mostBytes = 20_000_000

/** The most orders that are kept of a file. */
const mostOrders = 1_000

const policyFields =
  /^(?:discount|tax|cost|gateway_fee|flat_scope|shipping|stacking|rounding|over_allocation|time_zone)$/

const looksLikeGroup = (value: unknown): boolean =>
  isFields(value) && ("itemType" in value || "type_values" in value || "collaborator_id" in value)

const looksLikeOrder = (value: unknown): boolean => isFields(value) && Array.isArray(value.items)

const looksLikeCounter = (value: unknown): boolean =>
  isFields(value) && "counted" in value && "count" in value

const looksLikePolicy = (value: unknown): value is JsonObject =>
  isFields(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => policyFields.test(name))

const first = ([problem]: ReadonlyArray<Problem>): string =>
  problem === undefined ? "" : `${problem.path} ${problem.message}`

const ofShopify = (value: unknown): Contents => {
  const read = ShopifySale.readEach(value).slice(0, mostOrders)
  const orders = read.flatMap((one) =>
    Result.isSuccess(one) ? [writeOrder(one.success.order)] : [],
  )
  const notes = read.flatMap((one) => {
    if (Result.isSuccess(one)) return []
    const { failure } = one
    return failure._tag === "NotASale" ? [failure.message] : [first(failure.problems)]
  })
  return { kind: "orders", orders, notes }
}

const inList = (value: unknown, names: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  if (!isFields(value)) return [value]
  const name = names.find((one) => Array.isArray(value[one]))
  const list: unknown = name === undefined ? undefined : value[name]
  return Array.isArray(list) ? list : [value]
}

const ofValue = (value: unknown): Contents => {
  const shop = Shopify.recognise(value)
  if (shop === "order" || shop === "orders") return ofShopify(value)
  if (looksLikePolicy(value)) return { kind: "policy", policy: value }
  const entries = inList(value, ["groups", "product_groups", "orders", "data"])
  const [one] = entries
  // A group has items too: the values of its link.
  if (looksLikeGroup(one)) return { kind: "groups", groups: entries }
  if (looksLikeCounter(one)) return { kind: "counters", counters: entries }
  if (looksLikeOrder(one)) {
    return { kind: "orders", orders: entries.slice(0, mostOrders), notes: [] }
  }
  return {
    kind: "none",
    why: "It holds no product groups, no orders, no order of Shopify, no policy and no counters in JSON.",
  }
}

/** A value a line, as orders of a whole year are kept. */
const lines = (text: string): ReadonlyArray<unknown> | undefined => {
  const values = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, mostOrders)
    .map((line) => Json.parse(line))
  const read = values.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
  return read.length > 1 && read.length === values.length ? read : undefined
}

/** Recognises what a file holds by its content. */
export const contentsOf = (text: string): Contents => {
  const value = Json.parse(text)
  if (Result.isSuccess(value)) return ofValue(value.success)
  const several = lines(text)
  if (several !== undefined) return ofValue(several)
  return { kind: "none", why: `It is not JSON: ${first(value.failure.problems).trim()}` }
}

/** A file to save. */
export interface SavedFile {
  readonly name: string
  readonly text: string
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** The files that `apportion split --groups groups.json --policy policy.json --orders orders.json` takes. */
export const filesOf = ({
  groups,
  order,
  policy,
  counters,
}: Scenario): ReadonlyArray<SavedFile> => [
  { name: "groups.json", text: json(groups) },
  { name: "orders.json", text: json([order]) },
  { name: "policy.json", text: json(policy) },
  ...(counters.length === 0 ? [] : [{ name: "counters.json", text: json(counters) }]),
]
