/**
 * Many rule sets, and many pairs of them, with what is said of them held against all orders.
 */
import { changedAt, questionAt } from "../Random.js"
import { Brute } from "./Answers.js"
import { type Checked, check } from "./Checks.js"
import { possibleOrders } from "./Orders.js"
import { checkPair } from "./Pairs.js"

/** Rule sets that tell more orders apart than that are left out. */
const mostOrders = 3_000

/** Something wrong that was said, with the number it came from. */
export interface Complaint {
  readonly seed: number
  readonly what: string
  readonly about: object
}

/** What came of a run. */
export interface Report {
  readonly looked: number
  readonly counts: ReadonlyMap<string, number>
  readonly complaints: ReadonlyArray<Complaint>
}

/** Everything that is said of the rule set of a number; `undefined` where there are too many orders. */
export const ruleSetAt = (seed: number): (Checked & { readonly about: object }) | undefined => {
  const question = questionAt(seed)
  const possible = possibleOrders(question.groups, question)
  if (possible.length > mostOrders) return undefined
  return { ...check(question, undefined, new Brute(question, possible)), about: question }
}

/** What is said of the rule set of a number beside the same one with a change. */
export const pairAt = (seed: number): (Checked & { readonly about: object }) | undefined => {
  const question = questionAt(seed)
  const pair = { ...question, others: changedAt(seed, question.groups) }
  const size = possibleOrders([...pair.groups, ...pair.others], pair).length
  return size > mostOrders ? undefined : { ...checkPair(pair), about: pair }
}

/** What of a run, and who hears of it while it goes on. */
export interface Asked {
  readonly first: number
  readonly count: number
  /** Hears of each thousandth, and of which number it was made. */
  readonly told: (looked: number, seed: number) => void
  /** Hears of each complaint when it is found. */
  readonly complain?: ((complaint: Complaint) => void) | undefined
}

/** Goes on from a number until so many were looked at. */
export const run = (
  at: (seed: number) => ReturnType<typeof ruleSetAt>,
  { first, count, told, complain }: Asked,
): Report => {
  const counts = new Map<string, number>()
  const complaints: Array<Complaint> = []
  let looked = 0
  for (let seed = first; looked < count; seed += 1) {
    const found = at(seed)
    if (found === undefined) continue
    looked += 1
    for (const answer of found.answers) counts.set(answer, (counts.get(answer) ?? 0) + 1)
    for (const what of found.complaints) {
      const complaint = { seed, what, about: found.about }
      complaints.push(complaint)
      complain?.(complaint)
    }
    if (looked % 1_000 === 0) told(looked, seed)
  }
  return { looked, counts, complaints }
}
