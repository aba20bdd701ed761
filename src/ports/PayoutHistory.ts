/**
 * The content of an entry of a payout's history as one text, and its hash. Each hash covers the previous hash, so that
 * changing, inserting or removing an entry changes all hashes after it.
 *
 * @since 0.6.0
 */
import { ByNames } from "../internal/ByNames.js"
import type { PayoutHistoryEntry } from "./PayoutStore.js"

/**
 * The fields that the hash of an entry covers. `after` names the payout and the version; the state before the change is
 * in the previous entry.
 *
 * @since 0.6.0
 * @category models
 */
export type HashedEntry = Pick<PayoutHistoryEntry, "actor" | "after" | "at" | "put" | "removed">

/** A field of an object: its place among all of them, and what its text begins with, as the first one and after another. */
interface Field {
  readonly place: number
  readonly first: string
  readonly label: string
}

/** The fields of an object with these names, by name. */
const fieldsOf = (names: ReadonlyArray<string>): ReadonlyArray<Field> =>
  names
    .map((name, place) => ({ name, place, label: `${JSON.stringify(name)}:` }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ place, label }) => ({ place, first: `{${label}`, label: `,${label}` }))

const sorted = /* @__PURE__ */ new ByNames(fieldsOf)

/** Printable ASCII without the two characters that JSON escapes: a text of these is quoted as it is. */
const isPlain = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false
  }
  return true
}

/** A text with a value after it. A hot path: it runs for each change of a payout, with the changed items. */
const canonical = (before: string, value: unknown): string => {
  if (typeof value === "string" && isPlain(value)) return `${before}"${value}"`
  if (Number.isFinite(value)) return before + String(value)
  if (typeof value !== "object" || value === null) return before + JSON.stringify(value ?? null)
  let text = before
  if (Array.isArray(value)) {
    text += "["
    for (let index = 0; index < value.length; index += 1) {
      text = canonical(index === 0 ? text : `${text},`, value[index])
    }
    return `${text}]`
  }
  const values: ReadonlyArray<unknown> = Object.values(value)
  for (const { place, first, label } of sorted.of(Object.keys(value))) {
    const field = values[place]
    if (field === null || field === undefined) continue
    text = canonical(text + (text === before ? first : label), field)
  }
  return text === before ? `${text}{}` : `${text}}`
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
  canonical("", { actor, after, at, put, removed })

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
