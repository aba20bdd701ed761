import { at } from "../../../internal/at.js"
import { placed } from "../../../matching/internal/specificity.js"
import type { SplitPolicy } from "../../../shares/SplitPolicy.js"
import type { Witness } from "../../Witness.js"
import { meeting } from "../meeting.js"
import { orderOf } from "../orders.js"
import { type Asking, type Part, partsOf } from "../Parts.js"
import type { Setting } from "../Setting.js"
import { Budget, type Sketch, sizeOf } from "../Sketch.js"
import type { Found } from "../smallest.js"
import * as terms from "../terms.js"
import type { Values } from "../Values.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

/** Of each collaborator so many pairs are looked for. */
const mostPairs = 100

/** A group with what is compared of it. */
interface Known {
  readonly asking: Asking
  readonly place: number
  readonly terms: terms.Terms
  readonly pays: string
}

/** Two groups that meet, and why it is worth a word which of them counts. */
interface Pair {
  readonly winner: Known
  readonly loser: Known
  readonly why: string
  readonly sketch: Sketch
}

const knownOf = (asking: Asking, policy: SplitPolicy): Known => {
  const its = terms.termsOf(asking.group, policy)
  const { place } = placed(asking.group)
  return { asking, place, terms: its, pays: terms.keyOf(its) }
}

/** What makes a claim larger, the more of it there is. */
const amountsOf = (its: terms.Terms, policy: SplitPolicy): ReadonlyArray<number> => {
  const sign = policy.shipping === "charge" ? -1 : 1
  const shipping = [its.shippingBasisPoints * sign, its.shippingFlat * sign]
  return [its.basisPoints, its.flat, its.least, its.most, ...shipping]
}

/** Whether a group never pays more than another one, and sometimes less. */
const paysLess = (winner: Known, loser: Known, policy: SplitPolicy): boolean => {
  const [less, more] = [amountsOf(winner.terms, policy), amountsOf(loser.terms, policy)]
  const isNeverMore = less.every((amount, index) => amount <= at(more, index))
  return isNeverMore && less.some((amount, index) => amount < at(more, index))
}

/** Why it is worth a word that one group counts and not the other, if it is. */
const reasonOf = (winner: Known, loser: Known, policy: SplitPolicy): string | undefined => {
  if (winner.pays === loser.pays || !terms.payAnything(winner.terms)) return undefined
  if (winner.place === loser.place) {
    const isOfOneAge = winner.asking.group.createdAt === loser.asking.group.createdAt
    return isOfOneAge ? "as specific, but its id comes first" : "as specific, but newer"
  }
  return paysLess(winner, loser, policy) ? "more specific, but pays less" : undefined
}

/** Without a catalogue, a product that goes by two ids of the rules is possible, but nothing to speak of. */
const isFarFetched = ({ values }: Sketch, part: Part): boolean =>
  values.filter((value) => part.world.values.at(value).place === "products").length > 1

/** Whether two groups ask for different ones of something of which there is one only, as vendors. */
const isApart = ({ asking: one }: Known, { asking: other }: Known, table: Values): boolean =>
  one.predicate.clauses.some(
    ({ isWith, place, values }) =>
      isWith &&
      table.mostAt(place) === 1 &&
      other.predicate.clauses.some(
        (clause) =>
          clause.isWith &&
          clause.place === place &&
          !clause.values.some((value) => values.includes(value)),
      ),
  )

/** The smallest order on which the first of two groups counts and the second applies too. */
const meetingOf = (
  known: ReadonlyArray<Known>,
  [winner, loser]: readonly [number, number],
  where: { readonly part: Part; readonly budget: Budget },
): Found => {
  const askingOf = ({ asking }: Known) => asking
  if (isApart(at(known, winner), at(known, loser), where.part.world.values)) return "none"
  const both = [...known.slice(winner, winner + 1), ...known.slice(loser, loser + 1)].map(askingOf)
  // That they can't meet, whatever other groups there are, is quickly seen.
  const anywhere = meeting(both, [], where)
  if (typeof anywhere === "string") return anywhere
  if (!where.budget.take(winner)) return "undecided"
  return meeting(both, known.slice(0, winner).map(askingOf), where)
}

/** The pairs of a collaborator; `undefined`: the budget was spent. */
const pairsIn = (
  part: Part,
  known: ReadonlyArray<Known>,
  { policy, budget: steps }: Setting,
): ReadonlyArray<Pair> | undefined => {
  const budget = new Budget(steps)
  const found: Array<Pair> = []
  for (const [below, loser] of known.entries()) {
    for (const [place, winner] of known.slice(0, below).entries()) {
      const why = reasonOf(winner, loser, policy)
      if (why === undefined) continue
      const sketch = meetingOf(known, [place, below], { part, budget })
      if (sketch === "undecided") return undefined
      if (sketch === "none" || isFarFetched(sketch, part)) continue
      found.push({ winner, loser, why, sketch })
      if (found.length === mostPairs) return found
    }
  }
  return found
}

const exampleOf = (sketch: Sketch, part: Part, { catalogue }: Setting): Witness => {
  const product = sketch.kind === undefined ? undefined : part.products[sketch.kind]
  const figures = { amount: product?.price ?? 10_000, currency: catalogue?.currency }
  const order = orderOf(sketch, part.world.values, { figures, product })
  return { order, attributeCount: sizeOf(sketch), isSmallest: true }
}

const idOf = ({ asking }: Known): string => asking.group.id

const draftOf = (
  pairs: readonly [Pair, ...ReadonlyArray<Pair>],
  part: Part,
  setting: Setting,
): Draft => {
  const [first] = pairs
  const texts = pairs.map(
    ({ winner, loser, why }) =>
      `${wording.plain(idOf(winner))} before ${wording.plain(idOf(loser))} (${why})`,
  )
  const count = pairs.length === mostPairs ? `at least ${mostPairs}` : String(pairs.length)
  return {
    rule: "overlap",
    groupIds: [...new Set(pairs.flatMap(({ winner, loser }) => [idOf(winner), idOf(loser)]))],
    collaboratorId: part.collaboratorId,
    message: `${count} ${wording.plural(pairs.length, "pair")} of groups of ${wording.plain(part.collaboratorId)} can meet and pay differently, and it is not obvious which one counts: ${wording.list(texts, 3)}.`,
    witness: exampleOf(first.sketch, part, setting),
  }
}

const undecidedOf = ({ collaboratorId }: Part): Draft => ({
  rule: "undecided",
  groupIds: [],
  collaboratorId,
  message: `Where the groups of ${wording.plain(collaboratorId)} meet was not decided within the budget.`,
})

/**
 * Where groups of a collaborator meet, and which of them counts is a surprise: both are equally specific and pay
 * differently, or the more specific one pays less. That the more specific one pays more is what exceptions
 * are for.
 */
export const overlapping = (subject: Subject): Report => {
  const { setting, deadIds } = subject
  if (setting.policy.stacking === "all") return { drafts: [] }
  const drafts = partsOf([subject.rules], setting).flatMap((part): ReadonlyArray<Draft> => {
    const living = at(part.sides, 0).filter(({ group }) => !deadIds.has(group.id))
    const known = living.map((asking) => knownOf(asking, setting.policy))
    const pairs = pairsIn(part, known, setting)
    if (pairs === undefined) return [undecidedOf(part)]
    const [first, ...others] = pairs
    return first === undefined ? [] : [draftOf([first, ...others], part, setting)]
  })
  return { drafts }
}
