/** The values of Stripe's objects: money, objects that may be ids, metadata. */
import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import { oddDigits } from "../../internal/stripe.js"
import * as Currency from "../../money/Currency.js"

// Money.

const odd: ReadonlyMap<string, number> = new Map(Object.entries(oddDigits))

const inSteps = (step: number): string =>
  `a multiple of ${step}: Stripe writes this currency with decimals that are always 0`

/**
 * An amount of Stripe in the lowest unit of its currency. Both are the same except for currencies that Stripe counts
 * with more or fewer decimals than ISO 4217.
 */
export const money = (node: reader.Node, key: string, currency: string): number | undefined => {
  const value = reader.whole(node, key)
  const digits = odd.get(currency)
  const iso = Currency.minorDigits(currency)
  if (value === undefined || digits === undefined || Result.isFailure(iso)) return value
  const factor = 10 ** Math.abs(digits - iso.success)
  const amount = digits > iso.success ? value / factor : value * factor
  if (Number.isSafeInteger(amount)) return amount === 0 ? 0 : amount
  const expected = digits > iso.success ? inSteps(factor) : "an amount within ±9007199254740991"
  reader.refuse(node, key, expected)
  return undefined
}

/** A required amount. */
export const neededMoney = (node: reader.Node, key: string, currency: string): number => {
  if (reader.field(node, key) === undefined) {
    reader.refuse(node, key, "an amount in Stripe's smallest unit of the currency")
  }
  return money(node, key, currency) ?? 0
}

/** The sum of the amounts of all or some objects in a list. */
export const sumOf = (
  node: reader.Node,
  key: string,
  currency: string,
  counts: (one: reader.Node) => boolean = () => true,
): number =>
  (reader.children(node, key) ?? []).reduce(
    (sum, one) => sum + (counts(one) ? neededMoney(one, "amount", currency) : 0),
    0,
  )

// Objects that may be ids.

/** A field that holds an object, or only its id. */
export interface Expandable {
  readonly id: string
  /** `undefined`: the field holds only the id. */
  readonly node: reader.Node | undefined
}

/** An optional field that holds an object or its id. */
export const expandable = (node: reader.Node, key: string): Expandable | undefined => {
  const value = reader.field(node, key)
  if (reader.isFields(value)) {
    const object = reader.child(node, key)
    return object === undefined ? undefined : { id: reader.neededId(object, "id"), node: object }
  }
  const id = reader.id(node, key)
  return id === undefined ? undefined : { id, node: undefined }
}

/** The ids in optional fields. */
export const idsOf = (node: reader.Node, ...keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.flatMap((key) => expandable(node, key)?.id ?? [])

/** The objects of a list, which must be complete: Stripe puts only the first objects into a document. */
export const listed = (node: reader.Node, key: string, how: string): ReadonlyArray<reader.Node> => {
  const list = reader.field(node, key) === undefined ? undefined : reader.child(node, key)
  if (list === undefined) {
    if (reader.field(node, key) === undefined) reader.refuse(node, key, `a list; ${how}`)
    return []
  }
  if (reader.flag(list, "has_more") === true) {
    reader.note(list, "has_more", `says that there are more than these; ${how}`, true)
  }
  return reader.neededChildren(list, "data")
}

// Texts, and metadata.

/** A text that is not blank. */
export const filled = (node: reader.Node | undefined, key: string): string | undefined => {
  const text = node === undefined ? "" : (reader.text(node, key) ?? "").trim()
  return text === "" ? undefined : text
}

/** A text of the host's own metadata. */
export const metadata = (node: reader.Node | undefined, key: string): string | undefined =>
  node === undefined ? undefined : filled(reader.child(node, "metadata"), key)

/** A list in the host's own metadata, separated by commas. */
export const metadataList = (node: reader.Node | undefined, key: string): ReadonlyArray<string> =>
  (metadata(node, key) ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")

const addressLine = (address: reader.Node | undefined): string | null => {
  const keys = ["line1", "line2", "city", "state", "postal_code", "country"]
  const parts = keys.map((key) => filled(address, key)).filter((part) => part !== undefined)
  return parts.length === 0 ? null : parts.join(", ")
}

/** The address in an object, with its country, and as one line. */
export const addressOf = (
  node: reader.Node | undefined,
  key = "address",
): { readonly country: string | null; readonly line: string | null } => {
  const address = node === undefined ? undefined : reader.child(node, key)
  return { country: filled(address, "country") ?? null, line: addressLine(address) }
}
