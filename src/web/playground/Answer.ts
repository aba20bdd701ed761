/** What happens to the order: the split, in figures and in words, and why others get nothing. */
import * as Result from "effect/Result"
import type { Order } from "../../orders/Order.js"
import type { Problem } from "../../Problem.js"
import * as Explanation from "../../shares/Explanation.js"
import * as Split from "../../shares/Split.js"
import * as CountedSplit from "../../terms/CountedSplit.js"
import type { Counters } from "../../terms/Counters.js"
import type { PolicyFile } from "../../wire/Policy.js"
import {
  readCounters,
  readGroups,
  readOrder,
  readPolicy,
  type Scenario,
  type ScenarioRules,
} from "./Scenario.js"

/** A split order with all that is said about it. */
export interface Answer {
  readonly rules: ScenarioRules
  readonly order: Order
  /** Whether groups have terms that depend on earlier sales. */
  readonly isCounting: boolean
  /** How far sales are counted before the order, and with it. */
  readonly counters: { readonly before: Counters; readonly after: Counters }
  readonly split: Split.Split
  readonly explanation: Explanation.Explanation
  readonly text: string
  readonly nearMisses: ReadonlyArray<Explanation.NearMisses>
}

/** Where a problem is. */
export type ScenarioPart = "groups" | "order" | "policy" | "counters"

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

/** What stands for the payout that collects the order, where terms count for each. */
const payout = "next"

const splitOf = (
  { plain, counted }: ScenarioRules,
  order: Order,
  { policy, timeZone }: PolicyFile,
  before: Counters,
): Result.Result<CountedSplit.Counted, CountedSplit.CountedError> =>
  counted === undefined
    ? Result.map(Split.orderResult(plain, order, policy), (split) => ({ split, counters: before }))
    : CountedSplit.orderResult(counted, order, policy, before, { timeZone, payout })

const answerOf = (
  rules: ScenarioRules,
  order: Order,
  file: PolicyFile,
  before: Counters,
): AnswerResult => {
  const made = splitOf(rules, order, file, before)
  if (Result.isFailure(made)) {
    const { message } = made.failure
    return Result.fail([{ place: "order", path: "", value: order.id, message }])
  }
  const { split, counters } = made.success
  const explanation = Explanation.ofSplit(split)
  return Result.succeed({
    ...{ rules, order, split, explanation },
    isCounting: rules.counted !== undefined,
    counters: { before, after: counters },
    text: Explanation.toText(explanation),
    nearMisses: Explanation.nearMisses(rules.plain, order, {
      policy: file.policy,
      most: mostNear,
    }),
  })
}

/** Reads everything and splits the order. */
export const answer = ({ groups, order, policy, counters }: Scenario): AnswerResult => {
  const [rules, sale, chosen] = [readGroups(groups), readOrder(order), readPolicy(policy)]
  const before = readCounters(counters)
  if (
    rules.value === undefined ||
    sale.value === undefined ||
    chosen.value === undefined ||
    before.value === undefined
  ) {
    return Result.fail([
      ...placed("groups", rules.problems),
      ...placed("order", sale.problems),
      ...placed("policy", chosen.problems),
      ...placed("counters", before.problems),
    ])
  }
  return answerOf(rules.value, sale.value, chosen.value, before.value)
}
