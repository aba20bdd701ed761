/**
 * The end-to-end id of a credit transfer: the key of the payment as SEPA carries it, from the payer to the receiver and
 * back in every answer.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"
import * as Fields from "../Fields.js"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const bare = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i

/** The text that banks write in place of a missing id. */
const none = "NOTPROVIDED"

const isTaken = (key: string): boolean => bare.test(key) || key.toUpperCase() === none

/**
 * The end-to-end id of a key, of at most 35 characters. A UUID, which has 36, is written without its hyphens; any other
 * key is unchanged, and refused if it is too long, has characters that SEPA does not allow, or would be read as another
 * key.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { EndToEndId } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * const id = EndToEndId.ofKey("0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f")
 * Result.getOrThrow(id) // => "0190a4c27b1e7cc398c4dc0c0c07398f"
 * ```
 */
export const ofKey = (key: string): Result.Result<string, Problem> => {
  if (uuid.test(key)) return Result.succeed(key.replaceAll("-", ""))
  return Result.flatMap(Fields.fit(key, Fields.sepa.key), (id) => {
    const message = `must not be 32 hexadecimal digits, which stand for a UUID, nor ${none}: ${show(key)}`
    return isTaken(id) ? Result.fail({ path: "key", value: key, message }) : Result.succeed(id)
  })
}

/**
 * The key of an end-to-end id: the reverse of {@link ofKey}. `null` for the id of a payment without one.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { EndToEndId } from "apportion/rails/sepa"
 *
 * EndToEndId.toKey("0190A4C27B1E7CC398C4DC0C0C07398F") // => "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f"
 * EndToEndId.toKey("payout-7") // => "payout-7"
 * EndToEndId.toKey("NOTPROVIDED") // => null
 * ```
 */
export const toKey = (id: string): string | null => {
  const parts = bare.exec(id)
  if (parts !== null) return parts.slice(1).join("-").toLowerCase()
  return id === "" || id.toUpperCase() === none ? null : id
}
