/** What a comparison of two rule sets found, with what is needed to tell it. */
import * as Result from "effect/Result"
import type { Analysis } from "../index.js"
import type { Order } from "../matching/Order.js"
import type { RuleSet } from "../matching/RuleSet.js"
import * as Explanation from "../shares/Explanation.js"
import * as Split from "../shares/Split.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { GroupChange } from "./GroupChanges.js"

/** One of the two rule sets. */
export interface Side {
  /** Its input, as the user calls it. */
  readonly name: string
  readonly rules: RuleSet
}

/** What was found. */
export interface Differing {
  readonly one: Side
  readonly other: Side
  readonly policy: SplitPolicy
  /** Whether there was a catalogue. */
  readonly isKnown: boolean
  readonly budget: number
  readonly found: Analysis.Equivalence
  readonly changes: ReadonlyArray<GroupChange>
}

/** What a rule set makes of an order. */
export type Outcome =
  | {
      readonly _tag: "Split"
      readonly split: Split.Split
      readonly explanation: Explanation.Explanation
    }
  | { readonly _tag: "Refused"; readonly error: Split.SplitError }

/** What a side makes of an order. */
export const outcomeOf = ({ rules }: Side, order: Order, policy: SplitPolicy): Outcome =>
  Result.match(Split.orderResult(rules, order, policy), {
    onFailure: (error): Outcome => ({ _tag: "Refused", error }),
    onSuccess: (split) => ({ _tag: "Split", split, explanation: Explanation.ofSplit(split) }),
  })

/** What somebody gets on each side; `null`: the order is refused. Nobody's name: the store. */
export interface Amounts {
  readonly collaboratorId: string | null
  readonly one: number | null
  readonly other: number | null
}

const amountOf = (outcome: Outcome, collaboratorId: string | null): number | null => {
  if (outcome._tag === "Refused") return null
  const { shares, store } = outcome.split
  const own =
    collaboratorId === null
      ? store
      : shares.filter((share) => share.collaboratorId === collaboratorId)
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

const collaboratorsOf = (outcome: Outcome): ReadonlyArray<string> =>
  outcome._tag === "Refused" ? [] : outcome.split.shares.map((share) => share.collaboratorId)

/** What everybody gets: collaborators by their ids, and the store last. */
export const amountsOf = (one: Outcome, other: Outcome): ReadonlyArray<Amounts> => {
  const ids = new Set([one, other].flatMap(collaboratorsOf))
  return [...[...ids].sort(), null].map((collaboratorId) => ({
    collaboratorId,
    one: amountOf(one, collaboratorId),
    other: amountOf(other, collaboratorId),
  }))
}
