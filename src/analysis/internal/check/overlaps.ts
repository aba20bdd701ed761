import { at } from "../../../internal/at.js"
import { oneLine, plural } from "../../../orders/Words.js"
import { placed } from "../../../rules/engine/Precedence.js"
import type { SplitPolicy } from "../../../shares/SplitPolicy.js"
import type { Steps } from "../../Options.js"
import type { Budget } from "../Budget.js"
import { exampleOf, type GroupsPart } from "../Inquiry.js"
import type { OrderShape } from "../OrderShape.js"
import type { Asking, GroupRow, Values } from "../Predicate.js"
import type { ResolvedOptions } from "../ResolvedOptions.js"
import {
  anyOrder,
  type FoundOrder,
  isFound,
  isNone,
  type SmallestAnswer,
  smallest,
} from "../smallest.js"
import * as terms from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./Subject.js"

/** Of each collaborator so many pairs are looked for. */
const mostPairs = 100

/** A group with what is compared of it. */
interface ComparedGroup {
  readonly asking: Asking
  /** Where it stands among those of its collaborator. */
  readonly rank: number
  /** How specific it is by its link and its condition. */
  readonly place: number
  readonly terms: terms.Terms
  readonly pays: string
}

/** Two groups that meet, and why it is worth a word which of them counts. */
interface Pair {
  readonly winner: ComparedGroup
  readonly loser: ComparedGroup
  readonly why: string
  readonly found: FoundOrder
}

const knownOf = (asking: Asking, rank: number, policy: SplitPolicy): ComparedGroup => {
  const its = terms.termsOf(asking.group, policy)
  const { place } = placed(asking.group)
  return { asking, rank, place, terms: its, pays: terms.keyOf(its) }
}

/** What makes a claim larger, the more of it there is. */
const amountsOf = (its: terms.Terms, policy: SplitPolicy): ReadonlyArray<number> => {
  const sign = policy.shipping === "charge" ? -1 : 1
  const shipping = [its.shippingBasisPoints * sign, its.shippingFlat * sign]
  return [its.basisPoints, its.flat, its.least, its.most, ...shipping]
}

/** Whether a group never pays more than another one, and sometimes less. */
const paysLess = (winner: ComparedGroup, loser: ComparedGroup, policy: SplitPolicy): boolean => {
  const [less, more] = [amountsOf(winner.terms, policy), amountsOf(loser.terms, policy)]
  const isNeverMore = less.every((amount, index) => amount <= at(more, index))
  return isNeverMore && less.some((amount, index) => amount < at(more, index))
}

/** Why it is worth a word that one group counts and not the other, if it is. */
const reasonOf = (
  winner: ComparedGroup,
  loser: ComparedGroup,
  policy: SplitPolicy,
): string | undefined => {
  if (winner.pays === loser.pays || !terms.payAnything(winner.terms)) return undefined
  if (winner.place === loser.place) {
    const isOfOneAge = winner.asking.group.createdAt === loser.asking.group.createdAt
    return isOfOneAge ? "as specific, but its id comes first" : "as specific, but newer"
  }
  return paysLess(winner, loser, policy) ? "more specific, but pays less" : undefined
}

/** Without a catalogue, a product that goes by two ids of the rules is possible, but nothing to speak of. */
const isFarFetched = ({ values }: OrderShape, part: GroupsPart): boolean =>
  values.filter((value) => part.world.values.at(value).attribute === "products").length > 1

/** Whether two groups ask for different ones of something of which there is one only, as vendors. */
const isApart = (
  { asking: one }: ComparedGroup,
  { asking: other }: ComparedGroup,
  table: Values,
): boolean =>
  one.predicate.clauses.some(
    ({ isWith, attribute, values }) =>
      isWith &&
      table.mostAt(attribute) === 1 &&
      other.predicate.clauses.some(
        (clause) =>
          clause.isWith &&
          clause.attribute === attribute &&
          !clause.values.some((value) => values.includes(value)),
      ),
  )

/** Where groups are looked for that meet. */
interface Ground {
  readonly part: GroupsPart
  readonly row: GroupRow
  /** The groups that never count. */
  readonly dead: ReadonlySet<Asking>
  readonly budget: Budget
}

/** The smallest order on which the first of two groups counts and the second applies too. */
function* meetingOf(
  winner: ComparedGroup,
  loser: ComparedGroup,
  ground: Ground,
): Steps<SmallestAnswer> {
  const { part, row, dead, budget } = ground
  const apply = [winner.asking, loser.asking]
  // That they can't meet, whatever other groups there are, is quickly seen.
  const anywhere = yield* anyOrder({ apply, not: [] }, part.world, budget)
  if (!isFound(anywhere)) return anywhere
  const not = [{ row, before: winner.rank }]
  return yield* smallest({ apply, not, except: dead }, part.world, budget)
}

/** The pairs of a collaborator; `undefined`: the budget was spent. */
function* pairsIn(
  known: ReadonlyArray<ComparedGroup>,
  { policy }: ResolvedOptions,
  ground: Ground,
): Steps<ReadonlyArray<Pair> | undefined> {
  const { part, budget } = ground
  const found: Array<Pair> = []
  for (const [below, loser] of known.entries()) {
    for (let above = 0; above < below; above += 1) {
      if (budget.work.isDue) yield budget.work.turn()
      if (!budget.take(1)) return undefined
      const winner = at(known, above)
      if (winner.pays === loser.pays || isApart(winner, loser, part.world.values)) continue
      const why = reasonOf(winner, loser, policy)
      if (why === undefined) continue
      const order = yield* meetingOf(winner, loser, ground)
      if (order === "undecided") return undefined
      if (isNone(order) || isFarFetched(order.sketch, part)) continue
      found.push({ winner, loser, why, found: order })
      if (found.length === mostPairs) return found
    }
  }
  return found
}

const idOf = ({ asking }: ComparedGroup): string => asking.group.id

const draftOf = (
  pairs: readonly [Pair, ...ReadonlyArray<Pair>],
  part: GroupsPart,
  setting: ResolvedOptions,
): Draft => {
  const [first] = pairs
  const texts = pairs.map(
    ({ winner, loser, why }) => `${oneLine(idOf(winner))} before ${oneLine(idOf(loser))} (${why})`,
  )
  const count = pairs.length === mostPairs ? `at least ${mostPairs}` : String(pairs.length)
  return {
    rule: "overlap",
    groupIds: [...new Set(pairs.flatMap(({ winner, loser }) => [idOf(winner), idOf(loser)]))],
    collaboratorId: part.collaboratorId,
    message: `${count} ${plural(pairs.length, "pair")} of groups of ${oneLine(part.collaboratorId)} can meet and pay differently, and it is not obvious which one counts: ${wording.list(texts, 3)}.`,
    witness: exampleOf(first.found, part, setting),
  }
}

const undecidedOf = ({ collaboratorId }: GroupsPart): Draft => ({
  rule: "undecided",
  groupIds: [],
  collaboratorId,
  message: `Where the groups of ${oneLine(collaboratorId)} meet was not decided within the budget.`,
})

const undecided: Draft = {
  rule: "undecided",
  groupIds: [],
  message: "Where groups of one collaborator meet was not decided within the budget.",
}

/**
 * Where groups of a collaborator meet, and which of them counts is a surprise: both are equally specific and pay
 * differently, or the more specific one pays less. That the more specific one pays more is what exceptions
 * are for.
 */
export function* overlapping(subject: Subject): Steps<Report> {
  const { setting, deadIds, inquiry } = subject
  if (setting.policy.stacking === "all") return { drafts: [] }
  const whole = inquiry.budget()
  const parts = yield* inquiry.parts(whole)
  if (parts === undefined) return { drafts: [undecided] }
  const drafts: Array<Draft> = []
  inquiry.work.begin("groups that meet", parts.length)
  for (const [index, part] of parts.entries()) {
    const row = at(part.rows, 0)
    const isDead = ({ group }: Asking) => deadIds.has(group.id)
    const dead = new Set(row.list.filter(isDead))
    const budget = whole.share(parts.length - index)
    budget.take(row.list.length)
    const known = row.list.flatMap((asking, rank) =>
      dead.has(asking) ? [] : knownOf(asking, rank, setting.policy),
    )
    const pairs = yield* pairsIn(known, setting, { part, row, dead, budget })
    inquiry.work.next()
    const [first, ...others] = pairs ?? []
    if (pairs === undefined) drafts.push(undecidedOf(part))
    else if (first !== undefined) drafts.push(draftOf([first, ...others], part, setting))
  }
  return { drafts }
}
