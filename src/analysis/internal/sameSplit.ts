import * as Result from "effect/Result"
import type { Order } from "../../matching/Order.js"
import type { RuleSet } from "../../matching/RuleSet.js"
import * as exact from "../../money/internal/exact.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"

type Answer = Result.Result<Split.Split, Split.SplitError>

/** What each collaborator gets, as a text; who gets nothing is not in it. */
const paidBy = (split: Split.Split): string => {
  const amounts = new Map<string, Array<number>>()
  for (const { collaboratorId, amount } of split.shares) {
    const list = amounts.get(collaboratorId)
    if (list === undefined) amounts.set(collaboratorId, [amount])
    else list.push(amount)
  }
  const sums = [...amounts].map(([id, list]): readonly [string, string] => [
    id,
    String(exact.sum(list)),
  ])
  return JSON.stringify(sums.filter(([, sum]) => sum !== "0").sort())
}

const isOutOfRange = (answer: Answer): boolean =>
  Result.isFailure(answer) && answer.failure._tag === "AmountOutOfRange"

/**
 * Whether two rule sets pay everyone the same for an order of one item. Two refusals are the same; where one of
 * them can't reckon with such large figures, nothing is said.
 */
export const isSameSplit = (
  sides: readonly [RuleSet, RuleSet],
  order: Order,
  policy: SplitPolicy,
): boolean => {
  const one = Split.orderResult(sides[0], order, policy)
  const other = Split.orderResult(sides[1], order, policy)
  if (isOutOfRange(one) || isOutOfRange(other)) return true
  if (Result.isFailure(one)) return Result.isFailure(other)
  return Result.isSuccess(other) && paidBy(one.success) === paidBy(other.success)
}
