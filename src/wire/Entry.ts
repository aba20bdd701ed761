/**
 * An expense or an extra income of a collaborator, as JSON.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as reader from "../internal/reader.js"
import { longestName } from "../payouts/PayoutItem.js"
import type { Unreadable } from "../Unreadable.js"
import type * as Schemas from "./Schemas.js"

/**
 * Money paid to or charged to a collaborator apart from their shares.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly collaboratorId: string
  readonly kind: "expense" | "income"
  /** Above 0, in cents of the payout's currency; an expense is deducted. */
  readonly amount: number
  /** 1 to 200 characters. */
  readonly name: string
  /** When it occurred, in Unix seconds. */
  readonly at: number
}

/**
 * An entry as {@link write} writes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface EntryJson {
  readonly collaborator_id: string
  readonly kind: "expense" | "income"
  readonly amount: number
  readonly name: string
  readonly at: number
}

const aName = `a text of 1 to ${longestName} characters`

/** Characters are counted as code points, after trimming. */
const parseName = (value: unknown): string | undefined => {
  const name = typeof value === "string" ? value.trim() : ""
  return name !== "" && [...name].length <= longestName ? name : undefined
}

const readName = (node: reader.Node): string => {
  const name = parseName(reader.field(node, "name"))
  if (name === undefined) reader.refuse(node, "name", aName)
  return name ?? ""
}

const kinds = ["expense", "income"] as const

const readKind = (node: reader.Node): Entry["kind"] => {
  const kind = kinds.find((known) => known === reader.field(node, "kind"))
  if (kind === undefined) reader.refuse(node, "kind", reader.oneOf(kinds))
  return kind ?? "expense"
}

const readEntry = (node: reader.Node): Entry => ({
  collaboratorId: reader.neededId(node, "collaborator_id"),
  kind: readKind(node),
  amount: reader.neededWhole(node, "amount", 1),
  name: readName(node),
  at: reader.neededTime(node, "at"),
})

/**
 * Reads an expense or an income: an amount above 0 in cents, and a name of 1 to 200 characters (after trimming). Fails
 * with `Unreadable`, which lists every problem with its path.
 *
 * @param options - `path`: the entry's path in a larger input, for the paths of problems
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Entry } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const entry = Entry.read({
 *   collaborator_id: "ada",
 *   kind: "expense",
 *   amount: 1_250,
 *   name: " Frames ",
 *   at: "2024-03-01T12:00:00Z",
 * })
 * Result.getOrThrow(entry).name // => "Frames"
 * ```
 */
export const read = (
  input: unknown,
  options: { readonly path?: string | undefined } = {},
): Result.Result<Entry, Unreadable> =>
  reader.read(input, { what: "entry", path: options.path, read: readEntry })

/**
 * The request to add an expense or an income: an amount above 0, in cents of the payout's currency, and a name of 1 to
 * 200 characters.
 *
 * @since 0.2.0
 * @category models
 */
export interface EntryRequest extends Schema.Schema.Type<typeof Schemas.EntryRequest> {}

/**
 * Reads the request to add an expense or an income to a payout: its amount, above 0 in cents, and its name of 1 to 200
 * characters (after trimming). Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.2.0
 * @category decoding
 * @example
 * ```ts
 * import { Entry } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const request = Entry.readRequest({ amount: 1_250, name: " Frames " })
 * Result.getOrThrow(request) // => { amount: 1_250, name: "Frames" }
 * ```
 */
export const readRequest = (input: unknown): Result.Result<EntryRequest, Unreadable> =>
  reader.read(input, {
    what: "entry",
    read: (node) => ({ amount: reader.neededWhole(node, "amount", 1), name: readName(node) }),
  })

/**
 * Writes an expense or an income.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Entry } from "apportion/wire"
 *
 * const entry = Entry.write({
 *   collaboratorId: "ada",
 *   kind: "income",
 *   amount: 500,
 *   name: "Workshop",
 *   at: 0,
 * })
 * entry.collaborator_id // => "ada"
 * ```
 */
export const write = (entry: Entry): EntryJson => ({
  collaborator_id: entry.collaboratorId,
  kind: entry.kind,
  amount: entry.amount,
  name: entry.name,
  at: entry.at,
})

// Entries of a collaborator, not of a payout.

/**
 * A requested entry of a collaborator: an amount above 0 in cents, and a name of 1 to 200 characters.
 *
 * @since 0.6.0
 * @category models
 */
export interface CollaboratorRequest {
  readonly id?: string | undefined
  readonly amount: number
  readonly name: string
  /** ISO 4217 code; the collaborator's own when absent. */
  readonly currency?: string | undefined
}

/**
 * A requested write-off of a debt, or request to pay it back: an amount above 0 in cents, all that is owed when absent,
 * and why.
 *
 * @since 0.6.0
 * @category models
 */
export interface DebtRequest extends Omit<CollaboratorRequest, "amount"> {
  readonly amount?: number | undefined
}

const bookedFields = ["id", "amount", "name", "currency"]

/** No field may be misspelt: without its currency, an entry would be booked in another one. */
const readBooked = <A>(
  input: unknown,
  readAmount: (node: reader.Node) => A,
): Result.Result<Omit<CollaboratorRequest, "amount"> & { readonly amount: A }, Unreadable> =>
  reader.read(input, {
    what: "entry",
    known: bookedFields,
    read: (node) => {
      const hasCurrency = reader.field(node, "currency") !== undefined
      const hasId = reader.field(node, "id") !== undefined
      return {
        // Other readers ignore an empty id: here the entry would be booked again each time.
        id: hasId ? reader.neededId(node, "id") : undefined,
        amount: readAmount(node),
        name: readName(node),
        currency: hasCurrency ? reader.readCurrency(node, "currency") : undefined,
      }
    },
  })

/**
 * Reads an expense, an income or a repayment of a collaborator. Fails with `Unreadable`, which lists
 * every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Entry } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const request = Entry.readCollaboratorRequest({ amount: 1_250, name: " Frames ", currency: "EUR" })
 * Result.getOrThrow(request).name // => "Frames"
 * ```
 */
export const readCollaboratorRequest = (
  input: unknown,
): Result.Result<CollaboratorRequest, Unreadable> =>
  readBooked(input, (node) => reader.neededWhole(node, "amount", 1))

/**
 * Reads the amount and the reason of a write-off, or of a request to pay back. Fails with `Unreadable`, which lists
 * every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Entry } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const request = Entry.readDebtRequest({ name: "Closed her shop" })
 * Result.getOrThrow(request).amount // => undefined
 * ```
 */
export const readDebtRequest = (input: unknown): Result.Result<DebtRequest, Unreadable> =>
  readBooked(input, (node) => reader.whole(node, "amount", 1))
