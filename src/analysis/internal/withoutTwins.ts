import type { Claimant } from "./Claims.js"

/** For each value the clauses that name it. */
const namingOf = (claimants: ReadonlyArray<Claimant>): ReadonlyMap<number, string> => {
  const naming = new Map<number, string>()
  claimants.forEach(({ predicate }, index) => {
    predicate.clauses.forEach(({ place, values }) => {
      for (const value of values) {
        naming.set(value, `${naming.get(value) ?? place} ${index}`)
      }
    })
  })
  return naming
}

/**
 * The same claimants with one value for all those that are named by the same clauses: what an order with one
 * of them brings about, an order with another does too, and with two of them no more.
 */
export const withoutTwins = <Kind extends Claimant>(
  claimants: ReadonlyArray<Kind>,
): ReadonlyArray<Kind> => {
  const first = new Map<string, number>()
  const kept = new Set<number>()
  for (const [value, naming] of namingOf(claimants)) {
    if (first.has(naming)) continue
    first.set(naming, value)
    kept.add(value)
  }
  return claimants.map((claimant) => {
    const clauses = claimant.predicate.clauses.map((clause) => ({
      ...clause,
      values: clause.values.filter((value) => kept.has(value)),
    }))
    return { ...claimant, predicate: { ...claimant.predicate, clauses } }
  })
}
