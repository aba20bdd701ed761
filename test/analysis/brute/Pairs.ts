/**
 * Two rule sets, whether they are equivalent, and what all orders say to it.
 */
import { Analysis, RuleSet } from "apportion"
import { Brute, fewestWherePaidOtherwise, paidFor, type Question } from "./Answers.js"
import type { Checked } from "./Checks.js"
import { type Group, possibleOrders, sizeOf } from "./Orders.js"

/** Two lists of groups that are to be compared, with what else there is. */
export interface Pair extends Question {
  readonly others: ReadonlyArray<Group>
}

const wrongWitness = (
  { policy, rules, question }: Brute,
  { others }: Pair,
  { order, attributeCount, isSmallest }: Analysis.Witness,
  fewest: number | undefined,
): ReadonlyArray<string> => {
  const all = [...question.groups, ...others]
  const isSame = paidFor(rules, order, policy) === paidFor(RuleSet.make(others), order, policy)
  const counted = sizeOf(order, all, question.catalogue !== undefined)
  return [
    ...(isSame ? [`everyone is paid the same for ${JSON.stringify(order)}`] : []),
    ...(counted === attributeCount
      ? []
      : [`the witness has ${counted} attributes, not ${attributeCount}`]),
    ...(isSmallest && fewest !== undefined && fewest < attributeCount
      ? [`the witness has ${attributeCount} attributes, ${fewest} are enough`]
      : []),
  ]
}

/** What is wrong with what is said of two rule sets. */
export const checkPair = (pair: Pair, budget?: number): Checked => {
  const all = [...pair.groups, ...pair.others]
  const other = RuleSet.make(pair.others)
  const brute = new Brute(pair, possibleOrders(all, pair), other)
  const { policy, catalogue, from, atMost, idsOfProduct } = pair
  const options = {
    policy,
    catalogue,
    from,
    atMost,
    idsOfProduct,
    ...(budget === undefined ? {} : { budget }),
  }
  const { verdict, witness } = Analysis.equivalent(brute.rules, other, options)
  const fewest = fewestWherePaidOtherwise(brute, other)
  return {
    answers: [
      verdict === "undecided"
        ? `undecided and ${fewest === undefined ? "the same" : "different"}`
        : verdict,
      ...(witness === null ? [] : [`difference smallest ${witness.isSmallest}`]),
    ],
    complaints: [
      ...(verdict === "equivalent" && fewest !== undefined
        ? [`said to be equivalent, and paid otherwise with ${fewest} attributes`]
        : []),
      ...(witness === null ? [] : wrongWitness(brute, pair, witness, fewest)),
    ],
  }
}
