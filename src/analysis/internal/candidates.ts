import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Steps } from "../Options.js"
import { ByLink, byRank, type LinkedKinds } from "./Assortment.js"
import type { Budget } from "./Budget.js"
import { costOf, ranked, withoutTwins } from "./Inquiry.js"
import type { Predicate } from "./Predicate.js"
import { type Terms, termsOf } from "./terms.js"

/** A group that may claim something, or a crowd of groups. */
export interface Candidate {
  readonly predicate: Predicate
  readonly terms: Terms
  /** The same for all groups of which at most one counts. */
  readonly collaborator: number
  /**
   * Groups of different collaborators are a crowd when they are linked to the same products on the same terms, and each
   * needs one value that nobody else names: it only matters how many of them apply, not which. These are their values
   * in order; the predicate asks for one of them. A single group has none.
   */
  readonly members: ReadonlyArray<number>
}

/** How many groups they are. */
export const groupsOf = ({ members }: Pick<Candidate, "members">): number =>
  Math.max(1, members.length)

/** How many groups some candidates are. */
export const groupsOfAll = (candidates: ReadonlyArray<Pick<Candidate, "members">>): number =>
  candidates.reduce((sum, each) => sum + groupsOf(each), 0)

/** A candidate with its rank, where the most specific is first, and its products. */
interface RankedCandidate extends Candidate {
  readonly rank: number
  readonly link: LinkedKinds
}

/** Reads a group's predicate and, where products are known, its products. */
export interface CandidateReader {
  readonly predicateOf: (group: ProductGroup) => Predicate
  readonly linkOf: (group: ProductGroup) => LinkedKinds
  readonly policy: SplitPolicy
}

/** The only value of the only clause of a predicate. */
const ownValue = ({ isNever, clauses }: Predicate): number | undefined => {
  const [clause, ...others] = clauses
  const [value, ...more] = clause?.values ?? []
  const isOne = clause?.isWith === true && others.length === 0 && more.length === 0
  return isOne && !isNever ? value : undefined
}

/** The key that all groups of a crowd share; `undefined`: the group is in none. */
const crowdKeyOf = (
  { predicate, terms, link }: RankedCandidate,
  named: ReadonlyMap<number, number>,
): string | undefined => {
  const value = ownValue(predicate)
  if (value === undefined || named.get(value) !== 1) return undefined
  const { startsAt, endsAt, clauses } = predicate
  // Which counter it is makes no difference to how much can be claimed.
  const { counted, ...plain } = terms
  const varies = counted === undefined ? [] : [counted.lowest, counted.isCapped]
  const pays = [...Object.values(plain), ...varies]
  return [link, clauses[0]?.attribute, startsAt, endsAt, ...pays].join(" ")
}

/** How often each value is named. */
const namedBy = (all: ReadonlyArray<Candidate>): ReadonlyMap<number, number> => {
  const named = new Map<number, number>()
  for (const { predicate } of all) {
    for (const { values } of predicate.clauses) {
      for (const value of values) named.set(value, (named.get(value) ?? 0) + 1)
    }
  }
  return named
}

/** Combines the groups of each crowd, at the place of the first of them. */
const inCrowds = (all: ReadonlyArray<RankedCandidate>): ReadonlyArray<RankedCandidate> => {
  const named = namedBy(all)
  const count = new Map<number, number>()
  for (const { collaborator } of all) count.set(collaborator, (count.get(collaborator) ?? 0) + 1)
  const crowds = new Map<string, Array<number>>()
  const found = all.flatMap((each) => {
    const key = count.get(each.collaborator) === 1 ? crowdKeyOf(each, named) : undefined
    const value = ownValue(each.predicate)
    if (key === undefined || value === undefined) return [each]
    const known = crowds.get(key)
    if (known !== undefined) {
      known.push(value)
      return []
    }
    const members = [value]
    crowds.set(key, members)
    return [{ ...each, members }]
  })
  for (const members of crowds.values()) members.sort((one, other) => one - other)
  // A single group is not a crowd.
  return found.map((each) => (each.members.length === 1 ? { ...each, members: [] } : each))
}

/** The groups that may claim something, and of which products. */
export type Candidates = ByLink<RankedCandidate>

/** Every group with its predicate and its terms; `undefined`: the budget was spent. */
export function* candidatesOf(
  groups: ReadonlyArray<ProductGroup>,
  { predicateOf, linkOf, policy }: CandidateReader,
  budget: Budget,
): Steps<Candidates | undefined> {
  const numbers = new Map<string, number>()
  const ranks = new Map(ranked(groups).map((group, rank) => [group, rank]))
  const found: Array<RankedCandidate> = []
  for (const [index, group] of groups.entries()) {
    if (budget.work.isDue) yield budget.work.turn()
    if (!budget.take(costOf(group))) return undefined
    const { collaboratorId } = group
    const collaborator = numbers.get(collaboratorId) ?? index
    if (policy.stacking === "most-specific") numbers.set(collaboratorId, collaborator)
    const rank = ranks.get(group) ?? index
    const [predicate, terms] = [predicateOf(group), termsOf(group, policy)]
    found.push({ predicate, terms, collaborator, members: [], rank, link: linkOf(group) })
  }
  return new ByLink(inCrowds([...withoutTwins(found)].sort(byRank)))
}
