/**
 * The answer of a payment rail about a payment, as JSON.
 *
 * @since 0.6.0
 */
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as reader from "../internal/reader.js"
import type { Outcome as Core, OutcomeType } from "../rails/Outcome.js"
import type { Unreadable } from "../Unreadable.js"
import { mostOutcomes, optionalNote, outcomeTypes as types } from "./internal/payments.js"
import type * as Schemas from "./PaymentSchemas.js"

/**
 * An outcome as {@link write} writes it. The time is Unix seconds, amounts are cents.
 *
 * @since 0.6.0
 * @category models
 */
export interface OutcomeView extends Schema.Schema.Type<typeof Schemas.OutcomeView> {}

/**
 * Writes an outcome.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Outcome } from "apportion/wire"
 *
 * const money = { amount: 5_000, currency: "EUR", fee: null }
 * const json = Outcome.write({ ...money, key: "a1", railReference: "T-7", type: "confirmed", at: 0, reason: null })
 * json.rail_reference // => "T-7"
 * ```
 */
export const write = (outcome: Core): OutcomeView => ({
  key: outcome.key,
  rail_reference: outcome.railReference,
  type: outcome.type,
  at: outcome.at,
  amount: outcome.amount,
  currency: outcome.currency,
  fee: outcome.fee,
  reason: outcome.reason,
})

const fields: ReadonlyArray<string> = [
  ...["key", "rail_reference", "type", "at", "amount", "currency", "fee", "reason"],
]

const readType = (node: reader.Node): OutcomeType => {
  if (reader.field(node, "type") === undefined) reader.refuse(node, "type", reader.oneOf(types))
  return reader.choice(node, "type", types) ?? "unknown"
}

const readOutcome = (node: reader.Node): Core => {
  reader.refuseMisspelt(node, fields)
  const hasCurrency = reader.field(node, "currency") !== undefined
  return {
    key: reader.id(node, "key") ?? null,
    railReference: reader.text(node, "rail_reference") ?? null,
    type: readType(node),
    at: reader.time(node, "at") ?? null,
    amount: reader.whole(node, "amount", 0) ?? null,
    currency: hasCurrency ? reader.readCurrency(node, "currency") : null,
    fee: reader.whole(node, "fee", 0) ?? null,
    reason: optionalNote(node, "reason") ?? null,
  }
}

/**
 * Reads an outcome; only its `type` is required. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @param options - `path`: the outcome's path in a larger input, for the paths of problems
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Outcome } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const outcome = Outcome.read({ key: "a1", type: "rejected", reason: "account closed" })
 * Result.getOrThrow(outcome).amount // => null
 * ```
 */
export const read = (
  input: unknown,
  options: { readonly path?: string | undefined } = {},
): Result.Result<Core, Unreadable> =>
  reader.read(input, { what: "outcome", path: options.path, read: readOutcome })

/** The expected number of outcomes, in words. */
const expected = `a list of 1 to ${mostOutcomes} outcomes`

/**
 * Reads a request with a list of outcomes, without the outcomes themselves: each is an object for {@link read}. Fails
 * with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Outcome } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const parts = Outcome.readParts({ outcomes: [{ key: "a1", type: "accepted" }, { type: "no" }] })
 * Result.getOrThrow(parts).length // => 2
 * ```
 */
export const readParts = (input: unknown): Result.Result<ReadonlyArray<object>, Unreadable> =>
  reader.read(input, {
    what: "list of outcomes",
    read: (node) => {
      const given = reader.field(node, "outcomes")
      if (Array.isArray(given) && (given.length === 0 || given.length > mostOutcomes)) {
        reader.note(node, "outcomes", `must be ${expected}, there are ${given.length}`)
        return []
      }
      reader.refuseMisspelt(node, ["outcomes"])
      return reader.neededChildren(node, "outcomes").map((part) => part.fields)
    },
  })
