import { compareTexts } from "../../internal/compare.js"
import { whole } from "../../money/Percent.js"
import { bySpecificity, placed } from "../../rules/engine/Precedence.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Steps } from "../Options.js"
import { type Comparison, noneOf } from "./Comparison.js"
import type { GroupsPart } from "./Inquiry.js"
import type { Figures } from "./OrderShape.js"
import type { Wanted } from "./Outline.js"
import type { Asking } from "./Predicate.js"
import * as predicates from "./Predicate.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import * as terms from "./terms.js"

/** A pair of groups: where one of them pays a collaborator in the first rule set, the other one does in the second. */
export interface CountingPair {
  readonly part: GroupsPart
  /** The groups that apply. */
  readonly apply: ReadonlyArray<Asking>
  /** The groups that would count in their place, if they applied. */
  readonly not: Wanted["not"]
  /** The groups that count: in the first rule set, and in the second. */
  readonly counting: readonly [Asking | undefined, Asking | undefined]
}

/** A group with its properties that are compared. */
interface ComparedGroup {
  readonly asking: Asking
  readonly applies: string
  readonly pays: string
}

const knownOf = (
  side: ReadonlyArray<Asking>,
  { policy }: ResolvedOptions,
): ReadonlyArray<ComparedGroup> =>
  side.map((asking) => ({
    asking,
    applies: predicates.keyOf(asking.predicate),
    pays: terms.keyOf(terms.termsOf(asking.group, policy)),
  }))

/** How far down to look for each group: below one that applies to the same orders, none counts. */
const reachesOf = (
  list: ReadonlyArray<ComparedGroup>,
  others: ReadonlyArray<ComparedGroup>,
): ReadonlyArray<number> => {
  const first = new Map<string, number>()
  for (const [place, { applies }] of others.entries()) {
    if (!first.has(applies)) first.set(applies, place)
  }
  return list.map(({ applies }) => first.get(applies) ?? others.length)
}

const askingOf = (list: ReadonlyArray<ComparedGroup>): ReadonlyArray<Asking> =>
  list.map(({ asking }) => asking)

/** The pairs found, and how many were checked. */
interface PairsFound<Kind> {
  readonly looked: number
  readonly found: ReadonlyArray<Kind>
}

type Sides = readonly [ReadonlyArray<ComparedGroup>, ReadonlyArray<ComparedGroup>]

const sidesOf = ({ rows }: GroupsPart, setting: ResolvedOptions): Sides => {
  const [first = [], second = []] = rows.map(({ list }) => list)
  return [knownOf(first, setting), knownOf(second, setting)]
}

/** An index in each list; the length of the list means none of its groups. */
type Places = readonly [number, number]

const pairAt = (part: GroupsPart, [ones, others]: Sides, [one, other]: Places): CountingPair => {
  const counting = [ones[one]?.asking, others[other]?.asking] as const
  return {
    part,
    counting,
    apply: counting.filter((asking) => asking !== undefined),
    not: part.rows.map((row, side) => ({ row, before: side === 0 ? one : other })),
  }
}

/**
 * Every pair of groups that may count for a collaborator in the two rule sets at the same time, or no group in place of
 * one; ordered by the first group. `isWanted` gets the terms of the two.
 */
export function* countingPairs(
  part: GroupsPart,
  setting: ResolvedOptions,
  isWanted: (one: string, other: string) => boolean,
): Generator<PairsFound<CountingPair>, void> {
  const [ones, others] = sidesOf(part, setting)
  const [reaches, depths] = [reachesOf(others, ones), reachesOf(ones, others)]
  yield { looked: ones.length + others.length, found: [] }
  for (let one = 0; one <= ones.length; one += 1) {
    const known = ones[one]
    const reach = depths[one] ?? others.length
    const found: Array<CountingPair> = []
    for (let other = 0; other <= reach; other += 1) {
      const isHidden = one > (reaches[other] ?? ones.length)
      const pays = others[other]?.pays ?? terms.nothing
      if (isHidden || !isWanted(known?.pays ?? terms.nothing, pays)) continue
      found.push(pairAt(part, [ones, others], [one, other]))
    }
    yield { looked: reach + 1, found }
  }
}

/** A pair that claims the same in both rule sets, by one group in each. */
export interface Same extends CountingPair {
  readonly counting: readonly [Asking, Asking]
}

const hasBoth = (pair: CountingPair): pair is Same =>
  pair.counting.every((asking) => asking !== undefined)

/** Pairs each group of a collaborator with the groups that may count in its place and pay the same. */
export function* sames(
  part: GroupsPart,
  setting: ResolvedOptions,
): Generator<PairsFound<Same>, void> {
  const isSame = (one: string, other: string) => one === other && one !== terms.nothing
  for (const { looked, found } of countingPairs(part, setting, isSame)) {
    yield { looked, found: found.filter(hasBoth) }
  }
}

/** Pairs each group with one that applies to the same orders and pays the same. */
const twins = (part: GroupsPart, [ones, others]: Sides): ReadonlyArray<Same> => {
  const left = [...others]
  return ones.flatMap(({ asking, applies, pays }) => {
    const at = left.findIndex((other) => other.applies === applies && other.pays === pays)
    if (at === -1 || pays === terms.nothing) return []
    const found = left.splice(at, 1).map((other) => other.asking)
    return found.map(
      (other): Same => ({ part, apply: [asking, other], not: [], counting: [asking, other] }),
    )
  })
}

/** For each group of a side, the group with the same id among those that pay the same. */
const namesakes = (
  side: ReadonlyArray<ComparedGroup>,
  others: ReadonlyArray<ComparedGroup>,
): ReadonlyMap<ComparedGroup, ComparedGroup> => {
  const keyOf = ({ asking, pays }: ComparedGroup) => `${pays} ${asking.group.id}`
  const known = new Map(others.map((other) => [keyOf(other), other]))
  return new Map(
    side.flatMap((one) => {
      const other = known.get(keyOf(one))
      return other === undefined ? [] : [[one, other]]
    }),
  )
}

/**
 * Pairs groups that pay the same but don't apply to the same orders: where both apply, either may correspond to the
 * other. Two groups with the same id correspond as long as both apply.
 */
function* standIns(part: GroupsPart, [ones, others]: Sides): Generator<Same, void> {
  const [ofOnes, ofOthers] = [namesakes(ones, others), namesakes(others, ones)]
  const byPays = Map.groupBy(others, ({ pays }) => pays)
  for (const one of ones) {
    for (const other of byPays.get(one.pays) ?? []) {
      const counting = [one.asking, other.asking] as const
      const closer = [ofOnes.get(one), ofOthers.get(other)].filter((known) => known !== undefined)
      const not = closer.includes(other) ? [] : noneOf(askingOf(closer))
      yield { part, apply: counting, not, counting }
    }
  }
}

/**
 * Where every applying group is paid: each group with the groups of the other rule set that may correspond to it; all
 * of them, up to a limit.
 */
export const counterparts = (
  part: GroupsPart,
  setting: ResolvedOptions,
  most: number,
): { readonly sames: ReadonlyArray<Same>; readonly areAll: boolean } => {
  const sides = sidesOf(part, setting)
  const found = [...twins(part, sides)]
  const twinned = new Set(found.flatMap(({ counting }) => counting))
  const isSingle = ({ asking, pays }: ComparedGroup) =>
    pays !== terms.nothing && !asking.predicate.isNever && !twinned.has(asking)
  for (const same of standIns(part, [sides[0].filter(isSingle), sides[1].filter(isSingle)])) {
    if (found.length >= most) return { sames: found, areAll: false }
    found.push(same)
  }
  return { sames: found, areAll: true }
}

/** The number of steps for storing a pair. */
const stepsForSame = 20

/** The number of steps for checking whether two percentages can tie. */
const stepsForTie = 100

/** The maximum number of counting pairs checked. */
const mostPairs = 100_000

/** Small sums, on which different collaborators get the odd cent. */
const smallSales: ReadonlyArray<Figures> = Array.from({ length: 200 }, (_, at) => at + 1).flatMap(
  (amount) => [
    { amount },
    { amount, shippingAmount: amount },
    { amount: 0, shippingAmount: amount },
  ],
)

/** Whether it matters which of a collaborator's groups is the most specific, though all of them are paid. */
const isRankTelling = ({ overAllocation, shipping, stacking }: SplitPolicy): boolean =>
  overAllocation === "rank" ||
  // The most specific one gets the shipping, and its id decides who gets the odd cent.
  (shipping === "all" && stacking === "all")

/** Whether a cent can depend on the order of groups in any way. */
const isAnyOrderTelling = ({ overAllocation, shipping, rounding }: SplitPolicy): boolean =>
  overAllocation === "scale" ||
  overAllocation === "rank" ||
  shipping === "all" ||
  rounding !== "floor"

/** The key of a group's rank among others, as far as it can decide on a cent. */
const standingOf = ({ group }: Asking, policy: SplitPolicy): string =>
  isRankTelling(policy) ? `${placed(group).place} ${group.createdAt} ${group.id}` : group.id

/** How two groups are ranked, as far as that can decide on a cent. */
const order = (one: Asking, other: Asking, policy: SplitPolicy): string => {
  const byId = compareTexts(one.group.id, other.group.id)
  const byRank = Math.sign(bySpecificity(placed(one.group), placed(other.group)))
  const isOneOwner = one.group.collaboratorId === other.group.collaboratorId
  const isRanked = policy.overAllocation === "rank" || (isOneOwner && isRankTelling(policy))
  return isRanked ? `${byId} ${byRank}` : `${byId}`
}

/** Whether the ranking of the two is the same in both rule sets. */
const isInOrder = (one: Same, other: Same, policy: SplitPolicy): boolean =>
  order(one.counting[0], other.counting[0], policy) ===
  order(one.counting[1], other.counting[1], policy)

/** Whether two percentages of some sum can leave the same fraction of a cent. */
const canTie = (one: number, other: number): boolean => {
  for (let sum = 1; sum < whole; sum += 1) {
    const left = (sum * one) % whole
    if (left !== 0 && left === (sum * other) % whole) return true
  }
  return false
}

/** Whether anything can depend on which of the two is first. */
const isOrderTelling = (one: Same, other: Same, policy: SplitPolicy): boolean => {
  const left = terms.termsOf(one.counting[0].group, policy)
  const right = terms.termsOf(other.counting[0].group, policy)
  // What is left of a cent at a bound may be anything, and who is first has what is left under a cap.
  if (left.counted !== undefined || right.counted !== undefined) return true
  if (!isAnyOrderTelling(policy)) return false
  if (policy.overAllocation === "scale" || policy.overAllocation === "rank") return true
  if (policy.shipping === "all") return true
  return (
    (left.isDeducting === right.isDeducting && canTie(left.basisPoints, right.basisPoints)) ||
    canTie(left.shippingBasisPoints, right.shippingBasisPoints)
  )
}

const isMoved = ({ counting: [one, other] }: Same, policy: SplitPolicy): boolean =>
  standingOf(one, policy) !== standingOf(other, policy)

/** The pairs for which a collaborator's claim is the same in both rule sets. */
function* samesIn(comparison: Comparison, part: GroupsPart): Steps<ReadonlyArray<Same>> {
  const { setting } = comparison
  if (setting.policy.stacking === "all") {
    const found = counterparts(part, setting, mostPairs)
    comparison.isGivenUp ||= !found.areAll
    return found.sames
  }
  const all: Array<Same> = []
  for (const { looked, found } of sames(part, setting)) {
    if (!(yield* comparison.take(looked + stepsForSame * found.length))) return all
    for (const same of found) {
      const isThere =
        !isMoved(same, setting.policy) || (yield* comparison.meeting(part, same)) !== "none"
      if (isThere) all.push(same)
    }
  }
  return all
}

/** Whether a group would correspond to two groups at once, which is impossible. */
const areRivals = (one: Same, other: Same): boolean =>
  one.counting[0] === other.counting[0] || one.counting[1] === other.counting[1]

/** Where two groups of a collaborator pay the same, either may correspond to either: only their ranks differ. */
const areAlike = (one: Same, other: Same, policy: SplitPolicy): boolean =>
  one.part === other.part &&
  !isRankTelling(policy) &&
  terms.keyOf(terms.termsOf(one.counting[0].group, policy)) ===
    terms.keyOf(terms.termsOf(other.counting[0].group, policy))

function* lookAtBoth(comparison: Comparison, one: Same, other: Same): Steps<void> {
  const asked = yield* comparison.inWhole([one, other])
  if (asked === undefined) return
  const { part, wanted } = asked
  const found = yield* comparison.meeting(part, wanted)
  if (typeof found === "string" || comparison.isLarge(found)) return
  if (!(yield* comparison.try(part, found, wanted.apply, smallSales))) comparison.masked.push(found)
}

/**
 * Looks for orders on which groups with other ids or ranks claim the same, so that an odd cent goes to somebody else.
 */
export function* findOddCents(
  comparison: Comparison,
  parts: ReadonlyArray<GroupsPart>,
): Steps<void> {
  const { policy } = comparison.setting
  const all: Array<Same> = []
  for (const part of parts) all.push(...(yield* samesIn(comparison, part)))
  const moved = all.filter((same) => isMoved(same, policy))
  let pairs = 0
  for (const one of moved) {
    for (const other of all) {
      // Of one collaborator's groups, only one counts, or all do.
      if (one.part === other.part && policy.stacking !== "all") continue
      if (!(yield* comparison.take(1))) return
      if (isInOrder(one, other, policy) || areRivals(one, other)) continue
      if (areAlike(one, other, policy)) continue
      pairs += 1
      if (pairs > mostPairs || comparison.budget.isSpent) {
        comparison.isGivenUp = true
        return
      }
      if (!(yield* comparison.take(stepsForTie))) return
      if (isOrderTelling(one, other, policy)) yield* lookAtBoth(comparison, one, other)
    }
  }
}
