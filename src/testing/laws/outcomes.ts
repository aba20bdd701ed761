/** Outcomes of a split as laws compare them: whatever the order in which their parts are listed. */
import * as Result from "effect/Result"
import { sameData } from "../../internal/sameData.js"
import type { Split } from "../../shares/Split.js"
import { tellDifference } from "../contracts/check.js"
import type { JudgedSale } from "./Law.js"

type Outcome = JudgedSale["result"]

const keyOf = (part: object): string =>
  JSON.stringify(["itemId", "groupId", "byGroupId"].map((name) => Reflect.get(part, name) ?? ""))

const sorted = <A extends object>(parts: ReadonlyArray<A>): ReadonlyArray<A> =>
  parts
    .map((part) => ({ part, key: keyOf(part) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ part }) => part)

const essenceOfSplit = ({ shares, store, items, outranked, ...rest }: Split): object => ({
  ...rest,
  shares: sorted(shares),
  store: sorted(store),
  items: sorted(items),
  outranked: sorted(outranked),
})

/** What must be the same for two outcomes to be the same: every figure, but not the order of the lists. */
export const essenceOf = (outcome: Outcome): object => {
  if (Result.isSuccess(outcome)) return essenceOfSplit(outcome.success)
  const error = outcome.failure
  if (error._tag !== "OverAllocated") return { error: error._tag }
  const { itemId, distributable, claims } = error
  return { error: error._tag, itemId, distributable, claims: sorted(claims) }
}

/** In what an outcome is another one than it should be. */
export const differenceOf = (expected: Outcome, actual: Outcome): string | undefined => {
  const [one, other] = [essenceOf(expected), essenceOf(actual)]
  return sameData(one, other) ? undefined : tellDifference(one, other)
}
