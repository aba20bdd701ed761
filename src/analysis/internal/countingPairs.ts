import { noneOf } from "./Comparison.js"
import type { GroupsPart } from "./Inquiry.js"
import type { Wanted } from "./Outline.js"
import type { Asking } from "./Predicate.js"
import * as predicates from "./Predicate.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import * as terms from "./terms.js"

/** A pair of groups: where one of them pays a collaborator in the first rule set, the other does in the second. */
export interface CountingPair {
  readonly part: GroupsPart
  /** The groups that apply. */
  readonly apply: ReadonlyArray<Asking>
  /** The groups that would count in their place, if they applied. */
  readonly not: Wanted["not"]
  /** The groups that count: in the first rule set, and in the second. */
  readonly counting: readonly [Asking | undefined, Asking | undefined]
}

/** A group with what can be compared of it. */
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

/** How far down one may look for each group: below one that applies to the same orders, none counts. */
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

/** Pairs that were found, and how many were looked at for that. */
interface PairsFound<Kind> {
  readonly looked: number
  readonly found: ReadonlyArray<Kind>
}

type Sides = readonly [ReadonlyArray<ComparedGroup>, ReadonlyArray<ComparedGroup>]

const sidesOf = ({ rows }: GroupsPart, setting: ResolvedOptions): Sides => {
  const [first = [], second = []] = rows.map(({ list }) => list)
  return [knownOf(first, setting), knownOf(second, setting)]
}

/** A place in each list; the length of the list stands for none of its groups. */
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
 * Every pair of groups that may count for a collaborator in the two rule sets at the same time, and none in the
 * place of one, those of one group after the other. `isWanted` sees what the two pay.
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

/** Where one group of a collaborator's counts: each with one that may count in its place and pays the same. */
export function* sames(
  part: GroupsPart,
  setting: ResolvedOptions,
): Generator<PairsFound<Same>, void> {
  const isSame = (one: string, other: string) => one === other && one !== terms.nothing
  for (const { looked, found } of countingPairs(part, setting, isSame)) {
    yield { looked, found: found.filter(hasBoth) }
  }
}

/** Each group with one that applies to the same orders and pays the same. */
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

/** Of those that pay the same the one with the same id, for each group of a side. */
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
 * Groups that pay the same and do not apply to the same orders: where both apply, one may stand for the other. Of
 * two with the same id, each stands for the other one as long as both apply.
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
 * Where every group that applies is paid: each group with those of the other rule set that may stand for it; all of
 * them, unless there are more than so many.
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
