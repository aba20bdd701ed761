/**
 * A remainder as JSON: what rounding has left of one party's money, to be carried to the next sales.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as Core from "../carry/Remainder.js"
import { snakeCase } from "../internal/names.js"
import * as reader from "../internal/reader.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * A remainder on the wire. `group_id` is null for the store's.
 *
 * @since 0.6.0
 * @category models
 */
export interface RemainderJson {
  readonly currency: string
  readonly group_id: string | null
  /** Ten-thousandths of the currency's lowest unit. */
  readonly remainder: number
}

/**
 * Writes a remainder.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Remainder } from "apportion/wire"
 *
 * Remainder.write({ currency: "USD", groupId: "g1", remainder: 3_960 })
 * // => { currency: "USD", group_id: "g1", remainder: 3960 }
 * ```
 */
export const write = ({ currency, groupId, remainder }: Core.Remainder): RemainderJson => ({
  currency,
  group_id: groupId,
  remainder,
})

/**
 * Reads a remainder. Fails with `Unreadable`, which lists every problem with its path. Whether a party comes twice is
 * seen by `Remainder.parse` of the core, which checks the whole list.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Remainder } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const read = Remainder.read({ currency: "USD", group_id: null, remainder: -3_960 })
 * Result.getOrThrow(read) // => { currency: "USD", groupId: null, remainder: -3960 }
 * ```
 */
export const read = (input: unknown): Result.Result<Core.Remainder, Unreadable> =>
  reader.read(input, {
    what: "remainder",
    read: (node) => {
      const entry = {
        currency: reader.neededId(node, "currency"),
        // The store's has to be said: a misspelt field must not make a group's remainder the store's.
        groupId: node.fields["group_id"] === null ? null : reader.neededId(node, "group_id"),
        remainder: reader.neededWhole(node, "remainder"),
      }
      const checked = Core.parse([entry])
      if (Result.isFailure(checked) && node.problems.length === 0) {
        for (const { path, message } of checked.failure.problems) {
          reader.note(node, snakeCase(path.replace("[0].", "")), message)
        }
      }
      return entry
    },
  })
