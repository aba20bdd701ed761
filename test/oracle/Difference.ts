/**
 * Where the library and the oracle answer a sale differently.
 */
import { isDeepStrictEqual } from "node:util"
import type { Sale } from "../generators/Sales.js"
import { type Answer, engineAnswer, oracleAnswer, type Refusal } from "./Answer.js"

export interface Difference {
  readonly library: Answer | Refusal
  readonly oracle: Answer | ReadonlyArray<Refusal>
}

/** Claims out of range are only told roughly, so they are not compared. */
const isRough = (refusal: Refusal): boolean =>
  [refusal.distributable ?? 0, ...(refusal.claims ?? []).map((claim) => claim.amount)].some(
    (amount) => !Number.isSafeInteger(amount),
  )

const isSameRefusal = (library: Refusal, oracle: Refusal): boolean =>
  isDeepStrictEqual(library, oracle) || (isRough(oracle) && library.error === oracle.error)

/** Whether a sum on the way is out of range, though no figure of the answer is: it may be refused. */
const mayBeRefused = (oracle: Answer): boolean =>
  oracle.shares.some((share) => !Number.isSafeInteger(share.percentTotal + share.flatTotal))

/** Whether two answers in the common shape say the same. */
export const agree = (
  library: Answer | Refusal,
  oracle: Answer | ReadonlyArray<Refusal>,
): boolean => {
  if ("shares" in oracle) {
    const refused = "error" in library && library.error === "AmountOutOfRange"
    return isDeepStrictEqual(library, oracle) || (refused && mayBeRefused(oracle))
  }
  return "error" in library && oracle.some((refusal) => isSameRefusal(library, refusal))
}

/** `undefined` when both say the same. The oracle may be given another sale, to see that it is noticed. */
export const difference = (sale: Sale, shownToOracle: Sale = sale): Difference | undefined => {
  const library = engineAnswer(sale)
  const oracle = oracleAnswer(shownToOracle)
  return agree(library, oracle) ? undefined : { library, oracle }
}
