/** Claimants over few values, made of a number, and every order that they can tell apart. */
import type { Claimant } from "../../../src/analysis/internal/Claims.js"
import {
  always,
  type Clause,
  holds,
  isInForce,
  Values,
} from "../../../src/analysis/internal/Predicate.js"
import type { Terms } from "../../../src/analysis/internal/terms.js"
import type { Attribute } from "../../../src/orders/Attribute.js"
import { Chance } from "../../generators/Chance.js"

/** Terms on which nothing is paid. */
export const terms: Terms = {
  basisPoints: 0,
  flat: 0,
  shippingBasisPoints: 0,
  shippingFlat: 0,
  isDeducting: false,
  least: 0,
  most: Number.POSITIVE_INFINITY,
  isServed: false,
}

/** Two values each of what an order can have many of, of what it has one of, and of what it has two of. */
const attributes: ReadonlyArray<Attribute> = [
  "products.tag",
  "products.vendor",
  "products",
  "referer",
]
export const values = new Values()
const names: ReadonlyArray<ReadonlyArray<number>> = attributes.map((attribute) =>
  ["a", "b", "c"].map((name) => values.numberOf(attribute, name)),
)
export const allValues = names.flat()

/** The numbers of values: of tags, vendors, ids and referers. */
export const [tags = [], vendors = [], ids = [], referers = []] = names

export const clause = (isWith: boolean, ...list: ReadonlyArray<number>): Clause => ({
  attribute: values.at(list[0] ?? 0).attribute,
  isWith,
  values: list,
})

export const claimant = (
  claimed: number,
  collaborator: number,
  clauses: ReadonlyArray<Clause> = [],
  dates: { readonly startsAt?: number; readonly endsAt?: number } = {},
): Claimant => ({
  claimed,
  collaborator,
  terms,
  members: [],
  predicate: { ...always, clauses, ...dates },
})

/** Some claimants, each time the same for the same number. */
export const claimantsOf = (seed: number): ReadonlyArray<Claimant> => {
  const chance = new Chance(seed)
  const next = (below: number) => chance.below(below)
  const clauseAt = (list: ReadonlyArray<number>): Clause => {
    const first = list[next(list.length)] ?? 0
    const others = list.filter((value) => value !== first && next(4) === 0)
    return clause(next(3) > 0, ...[first, ...others].sort((a, b) => a - b))
  }
  return Array.from({ length: 2 + next(5) }, () => {
    const link = next(5) === 0 ? [] : [clauseAt([tags, vendors, ids][next(3)] ?? tags)]
    const condition = next(2) === 0 ? [] : [clauseAt(referers)]
    const dates = [{}, {}, {}, { startsAt: 10 }, { endsAt: 15 }, { startsAt: 12, endsAt: 20 }]
    return claimant(10 * (1 + next(9)), next(3), [...link, ...condition], dates[next(6)])
  })
}

const isPossible = (list: ReadonlyArray<number>): boolean =>
  list.every((value) => {
    const { attribute } = values.at(value)
    return (
      list.filter((other) => values.at(other).attribute === attribute).length <=
      values.mostAt(attribute)
    )
  })

/** Every set of values that an order can have. */
export const possibleSets: ReadonlyArray<ReadonlyArray<number>> = Array.from(
  { length: 2 ** allValues.length },
  (_, bits) => allValues.filter((_value, place) => ((bits >> place) & 1) === 1),
).filter(isPossible)

/** What is claimed of an order with these values at this time. */
export const claimedOf = (
  claimants: ReadonlyArray<Claimant>,
  list: ReadonlyArray<number>,
  at: number | null,
): number => {
  const present = new Set(list)
  const paid = new Set<number>()
  let sum = 0
  for (const { collaborator, claimed, predicate } of claimants) {
    if (paid.has(collaborator) || !isInForce(predicate, at)) continue
    if (!predicate.clauses.every((each) => holds(each, present))) continue
    paid.add(collaborator)
    sum += claimed
  }
  return sum
}
