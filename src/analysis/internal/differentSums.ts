import type { Comparison } from "./Comparison.js"
import { show } from "./differentTerms.js"
import type { Asking, Part } from "./Parts.js"
import * as predicates from "./Predicate.js"
import type { Setting } from "./Setting.js"
import type { Sketch } from "./Sketch.js"
import * as terms from "./terms.js"
import { timesOf } from "./times.js"
import type { Values } from "./Values.js"

type Keyed = readonly [key: string, asking: Asking]

const keyed = (side: ReadonlyArray<Asking>, { policy }: Setting): ReadonlyArray<Keyed> =>
  side.flatMap((asking) => {
    const pays = terms.keyOf(terms.termsOf(asking.group, policy))
    const key = `${pays} for ${predicates.keyOf(asking.predicate)}`
    return pays === terms.nothing || asking.predicate.isNever ? [] : [[key, asking] as const]
  })

/** Those that have no counterpart that applies to the same orders and pays the same. */
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
  { values, kind, at }: Sketch,
): ReadonlyArray<Asking> => {
  const present = new Set(values)
  return list.filter(
    ({ predicate }) =>
      predicates.isInForce(predicate, at) &&
      (kind === undefined || predicate.kinds?.has(kind) === true) &&
      predicate.clauses.every((clause) => predicates.holds(clause, present)),
  )
}

const paidTo = (list: ReadonlyArray<Asking>, { policy }: Setting): string =>
  list
    .map(({ group }) => terms.keyOf(terms.termsOf(group, policy)))
    .sort()
    .join("; ")

/** Every set of so many of the values that an order can have. */
function* choicesOf(
  candidates: ReadonlyArray<number>,
  size: number,
  values: Values,
): Generator<ReadonlyArray<number>, void> {
  if (size === 0) yield []
  if (size === 0 || candidates.length < size) return
  const [first = 0, ...rest] = candidates
  const { place } = values.at(first)
  for (const others of choicesOf(rest, size - 1, values)) {
    const there = others.filter((value) => values.at(value).place === place).length
    if (there < values.mostAt(place)) yield [first, ...others]
  }
  yield* choicesOf(rest, size, values)
}

const timesFor = (list: ReadonlyArray<Asking>, { world }: Part): ReadonlyArray<number | null> => {
  const dated = list.map(({ predicate }) => predicate).filter(predicates.isDated)
  return timesOf(dated, world.from)
}

const kindsOf = ({ world }: Part): ReadonlyArray<number | undefined> =>
  world.kinds === undefined ? [undefined] : Array.from({ length: world.kinds }, (_, kind) => kind)

/** Every order that some groups can tell from others, those with few values first. */
function* sketchesFor(list: ReadonlyArray<Asking>, part: Part): Generator<Sketch, void> {
  const clauses = list.flatMap(({ predicate }) => predicate.clauses)
  const candidates = [...new Set(clauses.flatMap(({ values }) => values))]
  for (let size = 0; size <= candidates.length; size += 1) {
    for (const values of choicesOf(candidates, size, part.world.values)) {
      for (const at of timesFor(list, part)) {
        for (const kind of kindsOf(part)) yield { values, kind, at }
      }
    }
  }
}

/** Looks for orders on which a collaborator's groups together pay otherwise than in the other rule set. */
export const findDifferentSums = (comparison: Comparison, part: Part): void => {
  const { setting, budget } = comparison
  const [ones = [], others = []] = part.sides.map((side) => keyed(side, setting))
  const [left, right] = [without(ones, others), without(others, ones)]
  const list = [...left, ...right]
  if (list.length === 0) return
  for (const sketch of sketchesFor(list, part)) {
    if (!budget.take(list.length + 1)) return
    const [one, other] = [applying(left, sketch), applying(right, sketch)]
    if (comparison.isLarge(sketch)) continue
    if (paidTo(one, setting) === paidTo(other, setting)) continue
    const apply = [...one, ...other]
    const not = list.filter((asking) => !apply.includes(asking))
    show(comparison, { part, apply, not }, sketch)
  }
  // Which group stands for which is not known where the sums are made up in other ways.
  if (comparison.witness === undefined) comparison.isGivenUp = true
}
