/**
 * What rounding left of each party's money, from sale to sale.
 *
 * @since 0.6.0
 */

import type * as Result from "effect/Result"
import { compareTexts } from "../internal/compare.js"
import {
  id,
  listOf,
  look,
  nullable,
  number,
  objectOf,
  type Shape,
  scalar,
} from "../internal/fields.js"
import { isFields, refusal, repeats } from "../internal/problems.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import { isCurrency } from "../money/Currency.js"
import type { Problem } from "../Problem.js"
import { mostRemainder } from "./internal/carriedParts.js"

/**
 * What rounding has left of one party's money in one currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface Remainder {
  /** ISO 4217 code. */
  readonly currency: string
  /** The group; `null`: the store. */
  readonly groupId: string | null
  /**
   * In ten-thousandths of the currency's lowest unit, in which every percentage of it is exact. Above 0: the party has
   * got less than its exact share so far.
   */
  readonly remainder: number
}

/**
 * The remainders of all parties: by currency, the store before its groups, groups by id. A party that is not there has
 * none.
 *
 * @since 0.6.0
 * @category models
 */
export type Remainders = ReadonlyArray<Remainder>

/**
 * Remainders with an unknown currency, a number that is not whole or too large, or the same party twice.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidRemainders extends TaggedError("InvalidRemainders")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const shape: Shape<Remainder> = {
  currency: /* @__PURE__ */ scalar("string", isCurrency, "an ISO 4217 currency code"),
  groupId: /* @__PURE__ */ nullable(id),
  remainder: /* @__PURE__ */ number(
    (value) => Number.isSafeInteger(value) && Math.abs(value) <= mostRemainder,
    `a whole number within ±${mostRemainder}`,
  ),
}

/** The problems of a list beyond those of its entries. */
const repeated = (list: unknown): ReadonlyArray<Problem> => {
  // A list with holes is refused: going through one could take for ever.
  if (!Array.isArray(list) || Object.keys(list).length !== list.length) return []
  const keys = list.map((entry: unknown) =>
    isFields(entry) ? JSON.stringify([entry["currency"], entry["groupId"]]) : "",
  )
  return repeats(keys).flatMap(({ value, index, first }) =>
    value === ""
      ? []
      : [
          {
            path: `[${index}]`,
            value: list[index],
            message: `must be of another currency or group than [${first}]`,
          },
        ],
  )
}

const inOrder = (one: Remainder, other: Remainder): number =>
  compareTexts(one.currency, other.currency) ||
  Number(other.groupId === null) - Number(one.groupId === null) ||
  compareTexts(one.groupId ?? "", other.groupId ?? "")

const made = (input: unknown): Remainders => {
  const list = look(input, listOf(objectOf(shape)), repeated)
  if (list.made === undefined) throw refusal(InvalidRemainders)(list.problems)
  return list.made.filter(({ remainder }) => remainder !== 0).sort(inOrder)
}

/**
 * Checks remainders, such as those that were stored after the last sale. Those of 0 are left out.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Remainder } from "apportion"
 * import { Result } from "effect"
 *
 * const stored = [{ currency: "USD", groupId: "g1", remainder: 0.5 }]
 * const result = Remainder.parse(stored)
 * Result.isFailure(result) && result.failure.problems.map(({ path }) => path) // => ["[0].remainder"]
 * ```
 */
export const parse = (input: unknown): Result.Result<Remainders, InvalidRemainders> =>
  attempt([InvalidRemainders], () => made(input))

/**
 * Checks remainders as {@link parse} does, and throws {@link InvalidRemainders}.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Remainder } from "apportion"
 *
 * const remainders = Remainder.make([
 *   { currency: "USD", groupId: "g1", remainder: 2_500 },
 *   { currency: "USD", groupId: null, remainder: -2_500 },
 * ])
 * remainders.map(({ groupId }) => groupId) // => [null, "g1"]
 * ```
 */
export const make = (remainders: Remainders): Remainders => made(remainders)
