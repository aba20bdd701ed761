/**
 * The content of an entry of a payout's history as one text, and its hash. Each hash covers the previous hash, so that
 * changing, inserting or removing an entry changes all hashes after it.
 *
 * @since 0.6.0
 */
import * as Predicate from "effect/Predicate"
import type { PayoutHistoryEntry } from "./PayoutStore.js"

/**
 * The fields that the hash of an entry covers. `after` names the payout and the version; the state before the change is
 * in the previous entry.
 *
 * @since 0.6.0
 * @category models
 */
export type HashedEntry = Pick<PayoutHistoryEntry, "actor" | "after" | "at" | "put" | "removed">

/** A field of an object, and how its text begins. */
interface Field {
  readonly name: string
  readonly label: string
}

/** Objects with the same fields in the same order, and these fields by their names. */
interface ObjectForm {
  readonly names: ReadonlyArray<string>
  readonly fields: ReadonlyArray<Field>
}

const isOf = ({ names: known }: ObjectForm, names: ReadonlyArray<string>): boolean => {
  if (known.length !== names.length) return false
  for (let index = 0; index < names.length; index += 1) {
    if (names[index] !== known[index]) return false
  }
  return true
}

/** Entries, payouts and items are of a few kinds. Hosts may add any number of others, which are sorted each time. */
const mostKinds = 32
const kinds: Array<ObjectForm> = []

const fieldsOf = (names: ReadonlyArray<string>): ReadonlyArray<Field> => {
  const known = kinds.find((kind) => isOf(kind, names))
  if (known !== undefined) return known.fields
  const sorted = [...names].sort()
  const fields = sorted.map((name) => ({ name, label: `${JSON.stringify(name)}:` }))
  if (kinds.length < mostKinds) kinds.push({ names, fields })
  return fields
}

/** Printable ASCII without the two characters that JSON escapes: a text of these is quoted as it is. */
const plainText = /^[ !#-[\]-~]*$/

/** A hot path: it runs for each change of a payout, with the changed items. */
const canonical = (value: unknown): string => {
  if (typeof value === "string" && plainText.test(value)) return `"${value}"`
  if (Number.isFinite(value)) return String(value)
  if (!Predicate.isObjectOrArray(value)) return JSON.stringify(value ?? null)
  if (Array.isArray(value)) {
    let items = ""
    for (const item of value) items += items === "" ? canonical(item) : `,${canonical(item)}`
    return `[${items}]`
  }
  let fields = ""
  for (const { name, label } of fieldsOf(Object.keys(value))) {
    const field: unknown = value[name]
    if (field === null || field === undefined) continue
    const text = label + canonical(field)
    fields += fields === "" ? text : `,${text}`
  }
  return `{${fields}}`
}

/**
 * The content of an entry, as JSON without white space: the fields of each object by name (compared by code units),
 * without those that are `null`. So a storage may keep the fields in any order, and a field that is added to payouts
 * later does not change earlier hashes.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import type { Payout } from "apportion"
 * import { historyText, type StoredPayout } from "apportion/ports"
 *
 * const times = { openedAt: 0, toBePaidAt: 9, closedAt: null, payableAt: null, paidAt: null }
 * const state = { status: "active", failureReason: null, paymentId: null } as const
 * const after: StoredPayout = {
 *   ...{ id: "o1", collaboratorId: "ada", currency: "EUR", total: 0, itemsCount: 0, version: 1 },
 *   ...times,
 *   ...state,
 * }
 * historyText({ at: 5, actor: "alice", after, put: [], removed: ["i1"] })
 * // => '{"actor":"alice","after":{"collaboratorId":"ada","currency":"EUR","id":"o1","itemsCount":0,"openedAt":0,"status":"active","toBePaidAt":9,"total":0,"version":1},"at":5,"put":[],"removed":["i1"]}'
 * ```
 */
export const historyText = ({ actor, after, at, put, removed }: HashedEntry): string =>
  canonical({ actor, after, at, put, removed })

const hexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/**
 * The hash of an entry: SHA-256, in hexadecimal digits, of the hash of the entry before (nothing for the first
 * one, and for one after entries without hashes), a line feed and the entry's {@link historyText}, in UTF-8.
 *
 * @param entry - the entry
 * @param previous - the hash of the previous entry; `null`: it has none
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { historyHash, historyText } from "apportion/ports"
 * import { makeApportion } from "apportion/promise"
 *
 * const { collaborators, groups, payouts, sales } = await makeApportion()
 * await collaborators.create("shop", { id: "ada", currency: "EUR" })
 * await groups.create("shop", "ada", { link: { type: "products.all" }, percent: "12.50" })
 * const order = (id: string) => ({
 *   ...{ id, currency: "EUR" },
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * })
 * await sales.record("shop", order("1001"))
 * await sales.record("shop", order("1002"))
 *
 * const { entries } = await payouts.list("shop")
 * const history = await payouts.history("shop", entries[0]?.payout.id ?? "")
 * let previous: string | null = null
 * const proved: Array<boolean> = []
 * for (const entry of history) {
 *   const hash: string = await historyHash(entry, previous)
 *   proved.push(entry.hash === hash)
 *   previous = hash
 * }
 * proved // => [true, true, true]
 * ```
 */
export const historyHash = async (entry: HashedEntry, previous: string | null): Promise<string> => {
  const bytes = new TextEncoder().encode(`${previous ?? ""}\n${historyText(entry)}`)
  return hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))
}
