/**
 * Parses JSON, with ids of any size.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { parseJson, unreadable } from "../internal/reader.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * Parses JSON. A whole number that JavaScript would round (beyond ±9007199254740991) is kept as its text: ids of that
 * size, which some platforms have, are then read unchanged. Fails with `Unreadable` when the text is not JSON.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Json } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const order = Json.parse('{"id": 820982911946154508, "quantity": 2}')
 * Result.getOrThrow(order) // => { id: "820982911946154508", quantity: 2 }
 * ```
 */
export const parse = (text: string): Result.Result<unknown, Unreadable> => {
  try {
    return Result.succeed(parseJson(text))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return Result.fail(unreadable("JSON", [{ path: "", value: text, message: why }]))
  }
}
