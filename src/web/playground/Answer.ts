/** What happens to the order: the split, in figures and in words, and why others get nothing. */
import * as Result from "effect/Result"
import type { Order } from "../../orders/Order.js"
import type { Problem } from "../../Problem.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Explanation from "../../shares/Explanation.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { readGroups, readOrder, readPolicy, type Scenario } from "./Scenario.js"

/** A split order with all that is said about it. */
export interface Answer {
  readonly rules: RuleSet
  readonly order: Order
  readonly policy: SplitPolicy
  readonly split: Split.Split
  readonly explanation: Explanation.Explanation
  readonly text: string
  readonly nearMisses: ReadonlyArray<Explanation.NearMisses>
}

/** Where a problem is. */
export type ScenarioPart = "groups" | "order" | "policy"

/** A problem of what was put in, or why the order can't be split. */
export interface PlacedProblem extends Problem {
  readonly place: ScenarioPart
}

/** The answer, or all that stands against one. */
export type AnswerResult = Result.Result<Answer, ReadonlyArray<PlacedProblem>>

const placed = (
  place: ScenarioPart,
  problems: ReadonlyArray<Problem>,
): ReadonlyArray<PlacedProblem> => problems.map((problem) => ({ ...problem, place }))

/** At most this many groups are told of as near misses, for each item. */
const mostNear = 20

const answerOf = (rules: RuleSet, order: Order, policy: SplitPolicy): AnswerResult => {
  const made = Split.orderResult(rules, order, policy)
  if (Result.isFailure(made)) {
    const { message } = made.failure
    return Result.fail([{ place: "order", path: "", value: order.id, message }])
  }
  const split = made.success
  const explanation = Explanation.ofSplit(split)
  return Result.succeed({
    ...{ rules, order, policy, split, explanation },
    text: Explanation.toText(explanation),
    nearMisses: Explanation.nearMisses(rules, order, { policy, most: mostNear }),
  })
}

/** Reads everything and splits the order. */
export const answer = ({ groups, order, policy }: Scenario): AnswerResult => {
  const [rules, sale, chosen] = [readGroups(groups), readOrder(order), readPolicy(policy)]
  if (rules.value === undefined || sale.value === undefined || chosen.value === undefined) {
    return Result.fail([
      ...placed("groups", rules.problems),
      ...placed("order", sale.problems),
      ...placed("policy", chosen.problems),
    ])
  }
  return answerOf(rules.value, sale.value, chosen.value)
}
