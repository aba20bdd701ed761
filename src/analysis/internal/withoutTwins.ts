import type { Predicate } from "./Predicate.js"

/** Somebody who asks for values. */
interface Asking {
  readonly predicate: Predicate
}

/** For each value the clauses that name it. */
const namingOf = (all: ReadonlyArray<Asking>): ReadonlyMap<number, string> => {
  const naming = new Map<number, string>()
  all.forEach(({ predicate }, index) => {
    predicate.clauses.forEach(({ place, values }) => {
      for (const value of values) {
        naming.set(value, `${naming.get(value) ?? place} ${index}`)
      }
    })
  })
  return naming
}

/**
 * The same with one value for all those that are named by the same clauses: what an order with one
 * of them brings about, an order with another does too, and with two of them no more.
 */
export const withoutTwins = <Kind extends Asking>(
  all: ReadonlyArray<Kind>,
): ReadonlyArray<Kind> => {
  const first = new Map<string, number>()
  const kept = new Set<number>()
  for (const [value, naming] of namingOf(all)) {
    if (first.has(naming)) continue
    first.set(naming, value)
    kept.add(value)
  }
  return all.map((each) => {
    const clauses = each.predicate.clauses.map((clause) => ({
      ...clause,
      values: clause.values.filter((value) => kept.has(value)),
    }))
    return { ...each, predicate: { ...each.predicate, clauses } }
  })
}
