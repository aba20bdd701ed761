import { holds, isInForce, type Predicate } from "./Predicate.js"
import { type Budget, type Sketch, sizeOf } from "./Sketch.js"
import { timesFor } from "./times.js"
import type { Values } from "./Values.js"

/** What is looked for: an order to which all of `apply` apply, and none of `not`. */
export interface Wanted {
  readonly apply: ReadonlyArray<Predicate>
  readonly not: ReadonlyArray<Predicate>
}

/** What rules know of the world: the values they name, the products there are, the time that counts. */
export interface World {
  readonly values: Values
  /** How many kinds of product there are; `undefined`: any product is possible. */
  readonly kinds: number | undefined
  /** Orders before it are not asked about. */
  readonly from: number | undefined
}

/** `undecided`: the budget was spent before the search was through. */
export type Found = Sketch | "none" | "undecided"

/** What has to be there, what must not be, and what must not come together. */
interface Demands {
  readonly values: Values
  readonly required: ReadonlyArray<ReadonlyArray<number>>
  readonly forbidden: ReadonlySet<number>
  readonly not: ReadonlyArray<Predicate>
  /** Equal for values that no demand tells apart. */
  readonly signatures: ReadonlyMap<number, string>
}

const signaturesOf = (lists: ReadonlyArray<ReadonlyArray<number>>): ReadonlyMap<number, string> => {
  const signatures = new Map<number, string>()
  lists.forEach((list, index) => {
    for (const value of list) signatures.set(value, `${signatures.get(value) ?? ""} ${index}`)
  })
  return signatures
}

const demandsOf = ({ apply, not }: Wanted, values: Values): Demands => {
  const clauses = apply.flatMap((predicate) => predicate.clauses)
  const forbidden = clauses.filter(({ isWith }) => !isWith).flatMap((clause) => clause.values)
  const required = clauses.filter(({ isWith }) => isWith).map((clause) => clause.values)
  const others = not.flatMap((predicate) => predicate.clauses.map((clause) => clause.values))
  return {
    values,
    required,
    forbidden: new Set(forbidden),
    not,
    signatures: signaturesOf([...required, ...others]),
  }
}

/** Which of the values can still be added; of those that nothing tells apart, one. */
const choices = (
  candidates: ReadonlyArray<number>,
  present: ReadonlySet<number>,
  { values, forbidden, signatures }: Demands,
): ReadonlyArray<number> => {
  const taken = new Map<string, number>()
  for (const value of present) {
    const { place } = values.at(value)
    taken.set(place, (taken.get(place) ?? 0) + 1)
  }
  const seen = new Set<string>()
  return candidates.filter((value) => {
    const { place } = values.at(value)
    if (forbidden.has(value) || (taken.get(place) ?? 0) >= values.mostAt(place)) return false
    const key = `${place}${signatures.get(value)}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/**
 * Every order that meets the demands, and has all that is present, has one of these values too; `undefined`
 * when what is present meets them already.
 */
const missing = (
  present: ReadonlySet<number>,
  demands: Demands,
): ReadonlyArray<number> | undefined => {
  for (const list of demands.required) {
    if (!list.some((value) => present.has(value))) return choices(list, present, demands)
  }
  for (const { clauses } of demands.not) {
    if (!clauses.every((clause) => holds(clause, present))) continue
    const breaking = clauses.filter(({ isWith }) => !isWith).flatMap((clause) => clause.values)
    return choices(breaking, present, demands)
  }
  return undefined
}

const byNumber = (left: number, right: number) => left - right

/** The next larger sets of values, each once. */
const nextLevel = (
  values: ReadonlyArray<number>,
  options: ReadonlyArray<number>,
  next: Map<string, ReadonlyArray<number>>,
): void => {
  for (const option of options) {
    const more = [...values, option].sort(byNumber)
    next.set(more.join(" "), more)
  }
}

/**
 * The fewest values that meet the demands, if that are fewer than `most`. An order has nothing until a demand
 * asks for it: the search goes from few values to more, and meets the smallest order first.
 */
const fewestValues = (
  demands: Demands,
  most: number,
  budget: Budget,
): ReadonlyArray<number> | "none" | "undecided" => {
  let level: ReadonlyArray<ReadonlyArray<number>> = [[]]
  for (let size = 0; size < most && level.length > 0; size += 1) {
    const next = new Map<string, ReadonlyArray<number>>()
    for (const values of level) {
      if (!budget.take(1)) return "undecided"
      const options = missing(new Set(values), demands)
      if (options === undefined) return values
      nextLevel(values, options, next)
    }
    level = [...next.values()]
  }
  return "none"
}

/** The kinds of product that all of `apply` are for, each with others that a question tells from it once. */
const kindsFor = ({ apply, not }: Wanted, { kinds }: World): ReadonlyArray<number | undefined> => {
  if (kinds === undefined) return [undefined]
  const seen = new Map<string, number>()
  for (let kind = 0; kind < kinds; kind += 1) {
    if (!apply.every((predicate) => predicate.kinds?.has(kind) !== false)) continue
    const told = not.map((predicate) => (predicate.kinds?.has(kind) === false ? 0 : 1)).join("")
    if (!seen.has(told)) seen.set(told, kind)
  }
  return [...seen.values()]
}

const isFor = (predicate: Predicate, kind: number | undefined, at: number | null): boolean =>
  !predicate.isNever &&
  isInForce(predicate, at) &&
  (kind === undefined || predicate.kinds?.has(kind) !== false)

/**
 * The order with the fewest attributes to which every one of some groups applies and none of some others, or
 * that there is none. Exact: whatever orders there can be, one of those that are looked at stands for them.
 */
export const smallest = (wanted: Wanted, world: World, budget: Budget): Found => {
  if (wanted.apply.some(({ isNever }) => isNever)) return "none"
  let best: Sketch | "none" = "none"
  let fewest = Number.POSITIVE_INFINITY
  for (const kind of kindsFor(wanted, world)) {
    for (const at of timesFor(wanted.apply, wanted.not, world.from)) {
      const not = wanted.not.filter((predicate) => isFor(predicate, kind, at))
      const demands = demandsOf({ apply: wanted.apply, not }, world.values)
      const values = fewestValues(demands, fewest - Number(at !== null), budget)
      if (values === "undecided") return values
      if (values === "none") continue
      best = { values, kind, at }
      fewest = sizeOf(best)
    }
  }
  return best
}
