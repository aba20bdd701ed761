import { entryAt } from "../../internal/at.js"
import type { Steps } from "../Steps.js"
import { type Comparison, noneOf } from "./Comparison.js"
import { show } from "./differentTerms.js"
import type { Part } from "./Parts.js"
import * as predicates from "./Predicate.js"
import type { Asking } from "./Row.js"
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
      (kind === undefined || predicate.kinds?.has(kind) !== false) &&
      predicate.clauses.every((clause) => predicates.holds(clause, present)),
  )
}

const paidTo = (list: ReadonlyArray<Asking>, { policy }: Setting): string =>
  list
    .map(({ group }) => terms.keyOf(terms.termsOf(group, policy)))
    .sort()
    .join("; ")

/** Every set of so many of the values that an order can have; `undefined` where there is none with what was begun. */
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
      const { place } = values.at(value)
      const there = chosen.filter((other) => values.at(other).place === place).length
      if (there >= values.mostAt(place)) continue
      chosen.push(value)
      yield* from(index + 1)
      chosen.pop()
    }
  }
  yield* from(0)
}

const timesFor = (list: ReadonlyArray<Asking>, { world }: Part): ReadonlyArray<number | null> => {
  const dated = list.map(({ predicate }) => predicate).filter(predicates.isDated)
  return timesOf(dated, world.from)
}

const kindsOf = ({ world }: Part): ReadonlyArray<number | undefined> =>
  world.kinds === undefined ? [undefined] : Array.from({ length: world.kinds }, (_, kind) => kind)

/** Every order that some groups can tell from others, those with few values first; `undefined` on the way to one. */
function* sketchesFor(
  list: ReadonlyArray<Asking>,
  part: Part,
): Generator<Sketch | undefined, void> {
  const clauses = list.flatMap(({ predicate }) => predicate.clauses)
  const candidates = [...new Set(clauses.flatMap(({ values }) => values))]
  const [times, kinds] = [timesFor(list, part), kindsOf(part)]
  // Where there is none of some size, there is no larger one either.
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

/** Looks for orders on which a collaborator's groups together pay otherwise than in the other rule set. */
export function* findDifferentSums(comparison: Comparison, part: Part): Steps<void> {
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
  // Which group stands for which is not known where the sums are made up in other ways.
  if (comparison.witness === undefined) comparison.isGivenUp = true
}
