import { entryAt } from "../../internal/at.js"
import type { Steps } from "../Options.js"
import { type Comparison, noneOf } from "./Comparison.js"
import { type CountingPair, countingPairs, sames } from "./countingPairs.js"
import type { GroupsPart } from "./Inquiry.js"
import { type OrderShape, sizeOf, timesOf } from "./OrderShape.js"
import type { Asking, Values } from "./Predicate.js"
import * as predicates from "./Predicate.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import * as terms from "./terms.js"
import { payAnything, termsOf } from "./terms.js"

/** How many other groups are added to reveal a difference. */
const mostOthers = 200

/** Groups of other collaborators that are paid anything: a collaborator's share may depend on them. */
const othersOf = (
  { rows }: GroupsPart,
  collaboratorId: string,
  { setting }: Comparison,
): ReadonlyArray<Asking> => {
  const found: Array<Asking> = []
  for (const asking of rows.flatMap(({ list }) => list)) {
    if (found.length === mostOthers) break
    const isOther = asking.group.collaboratorId !== collaboratorId
    if (isOther && payAnything(termsOf(asking.group, setting.policy))) found.push(asking)
  }
  return found
}

const bySize = (one: Company, other: Company) => sizeOf(one.sketch) - sizeOf(other.sketch)

/** Groups of a collaborator that apply, and those that must not. */
type Difference = Omit<CountingPair, "counting">

/** An order to which another collaborator's group applies as well. */
interface Company {
  readonly other: Asking
  readonly sketch: OrderShape
}

/** Looks for orders to which another collaborator's group applies as well, small ones first. */
function* showInCompany(comparison: Comparison, pair: Difference): Steps<void> {
  const { part, apply } = pair
  const asked = yield* comparison.inWhole([pair])
  if (asked === undefined) return
  const { part: whole, wanted } = asked
  const company: Array<Company> = []
  for (const other of othersOf(whole, part.collaboratorId, comparison)) {
    const both = { ...wanted, apply: [...wanted.apply, other] }
    const sketch = yield* comparison.meeting(whole, both)
    if (typeof sketch === "object") company.push({ other, sketch })
  }
  for (const { other, sketch } of company.sort(bySize)) {
    if (yield* comparison.try(whole, sketch, [...apply, other])) return
  }
}

/**
 * A difference that does not show alone may show with other groups. It is still noted as masked, because another order
 * of the same size may show it.
 */
export function* show(comparison: Comparison, pair: Difference, sketch: OrderShape): Steps<void> {
  if (yield* comparison.try(pair.part, sketch, pair.apply)) return
  comparison.masked.push(sketch)
  yield* showInCompany(comparison, pair)
}

/** Looks for orders on which a collaborator's only counting group pays differently in the other rule set. */
export function* findDifferentTerms(comparison: Comparison, part: GroupsPart): Steps<void> {
  const isDifferent = (one: string, other: string) => one !== other
  for (const { looked, found } of countingPairs(part, comparison.setting, isDifferent)) {
    if (!(yield* comparison.take(looked))) return
    for (const pair of found) {
      const sketch = yield* comparison.meeting(part, pair)
      if (comparison.budget.isSpent) return
      if (typeof sketch === "string" || comparison.isLarge(sketch)) continue
      yield* show(comparison, pair, sketch)
    }
  }
}

type Keyed = readonly [key: string, asking: Asking]

const keyed = (side: ReadonlyArray<Asking>, { policy }: ResolvedOptions): ReadonlyArray<Keyed> =>
  side.flatMap((asking) => {
    const pays = terms.keyOf(terms.termsOf(asking.group, policy))
    const key = `${pays} for ${predicates.keyOf(asking.predicate)}`
    return pays === terms.nothing || asking.predicate.isNever ? [] : [[key, asking] as const]
  })

/** Groups without a counterpart that applies to the same orders and pays the same. */
const without = (list: ReadonlyArray<Keyed>, others: ReadonlyArray<Keyed>) => {
  const counts = new Map<string, number>()
  for (const [key] of others) counts.set(key, (counts.get(key) ?? 0) + 1)
  return list.flatMap(([key, asking]) => {
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count > 0 ? [] : [asking]
  })
}

const applying = (
  list: ReadonlyArray<Asking>,
  { values, kind, at }: OrderShape,
): ReadonlyArray<Asking> => {
  const present = new Set(values)
  return list.filter(
    ({ predicate }) =>
      predicates.isInForce(predicate, at) &&
      (kind === undefined || predicate.kinds?.has(kind) !== false) &&
      predicate.clauses.every((clause) => predicates.holds(clause, present)),
  )
}

const paidTo = (list: ReadonlyArray<Asking>, { policy }: ResolvedOptions): string =>
  list
    .map(({ group }) => terms.keyOf(terms.termsOf(group, policy)))
    .sort()
    .join("; ")

/** Every set of so many of the values that an order can have; `undefined` for a prefix that leads to none. */
function* choicesOf(
  candidates: ReadonlyArray<number>,
  size: number,
  values: Values,
): Generator<ReadonlyArray<number> | undefined, void> {
  const chosen: Array<number> = []
  function* from(start: number): Generator<ReadonlyArray<number> | undefined, void> {
    if (chosen.length === size) {
      yield [...chosen]
      return
    }
    yield undefined
    for (let index = start; index <= candidates.length - (size - chosen.length); index += 1) {
      const value = entryAt(candidates, index)
      const { attribute } = values.at(value)
      const there = chosen.filter((other) => values.at(other).attribute === attribute).length
      if (there >= values.mostAt(attribute)) continue
      chosen.push(value)
      yield* from(index + 1)
      chosen.pop()
    }
  }
  yield* from(0)
}

const timesFor = (
  list: ReadonlyArray<Asking>,
  { world }: GroupsPart,
): ReadonlyArray<number | null> => {
  const dated = list.map(({ predicate }) => predicate).filter(predicates.isDated)
  return timesOf(dated, world.from)
}

const kindsOf = ({ world }: GroupsPart): ReadonlyArray<number | undefined> =>
  world.kinds === undefined ? [undefined] : Array.from({ length: world.kinds }, (_, kind) => kind)

/**
 * Every order that some groups distinguish from others, those with few values first; `undefined` for each step without
 * one.
 */
function* sketchesFor(
  list: ReadonlyArray<Asking>,
  part: GroupsPart,
): Generator<OrderShape | undefined, void> {
  const clauses = list.flatMap(({ predicate }) => predicate.clauses)
  const candidates = [...new Set(clauses.flatMap(({ values }) => values))]
  const [times, kinds] = [timesFor(list, part), kindsOf(part)]
  // If there is none of some size, there is no larger one either.
  let isAny = true
  for (let size = 0; size <= candidates.length && isAny; size += 1) {
    isAny = false
    for (const values of choicesOf(candidates, size, part.world.values)) {
      if (values === undefined) {
        yield undefined
        continue
      }
      isAny = true
      for (const at of times) for (const kind of kinds) yield { values, kind, at }
    }
  }
}

/** Looks for orders on which a collaborator's groups together pay differently in the other rule set. */
export function* findDifferentSums(comparison: Comparison, part: GroupsPart): Steps<void> {
  const { setting } = comparison
  const [ones = [], others = []] = part.rows.map((row) => keyed(row.list, setting))
  const [left, right] = [without(ones, others), without(others, ones)]
  const list = [...left, ...right]
  if (list.length === 0) return
  for (const sketch of sketchesFor(list, part)) {
    if (!(yield* comparison.take(1 + list.length))) return
    if (sketch === undefined || comparison.isLarge(sketch)) continue
    const [one, other] = [applying(left, sketch), applying(right, sketch)]
    if (paidTo(one, setting) === paidTo(other, setting)) continue
    const apply = new Set([...one, ...other])
    const not = noneOf(list.filter((asking) => !apply.has(asking)))
    yield* show(comparison, { part, apply: [...apply], not }, sketch)
  }
  // When sums are made up of other terms, it is not known which groups correspond.
  if (comparison.witness === undefined) comparison.isGivenUp = true
}

function* areDivided(comparison: Comparison, part: GroupsPart): Steps<boolean> {
  const { setting } = comparison
  const known = new Set<Asking>()
  for (const { looked, found } of sames(part, setting)) {
    if (!(yield* comparison.take(looked))) return true
    for (const same of found) {
      const { counting } = same
      if (terms.termsOf(counting[0].group, setting.policy).flat === 0) continue
      if ((yield* comparison.meeting(part, same)) === "none") continue
      // The group corresponds to another group of the other rule set as well.
      if (counting.some((asking) => known.has(asking))) return true
      for (const asking of counting) known.add(asking)
    }
  }
  return false
}

/**
 * Where a flat amount is paid once an order, it matters for which items one group is paid together: two groups in its
 * place are paid twice. Orders of several items are not searched, so the answer is undecided then.
 */
export function* findDividedFlats(
  comparison: Comparison,
  parts: ReadonlyArray<GroupsPart>,
): Steps<void> {
  const { flatScope, stacking } = comparison.setting.policy
  // Where every group is paid, each one has a counterpart of its own, or was noted before.
  if (flatScope !== "order" || stacking === "all") return
  for (const part of parts) {
    if (!(yield* areDivided(comparison, part))) continue
    comparison.isGivenUp = true
    return
  }
}
