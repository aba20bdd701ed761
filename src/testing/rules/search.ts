/** Looking for an order that breaks a law. */
import fc from "fast-check"
import type { Order } from "../../matching/Order.js"
import type { RuleSet } from "../../matching/RuleSet.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { appliesTo, type Law, type Sale, saleOf } from "../laws/Law.js"
import { pruned } from "./pruning.js"
import { Tally } from "./Tally.js"

/** How fast-check goes about it. */
interface Parameters {
  readonly seed: number | undefined
  readonly path: string | undefined
  readonly numRuns: number
  readonly examples: ReadonlyArray<Order>
}

/** All that decides which orders are tried. */
export interface Search {
  readonly rules: RuleSet
  readonly policy: SplitPolicy
  readonly orders: fc.Arbitrary<Order>
  readonly isCatalogued: boolean
  readonly parameters: Parameters
}

/** An order that breaks a law, and how it was found. */
export interface Found {
  readonly law: Law
  readonly reason: string
  readonly sale: Sale
  readonly seed: number
  readonly path: string
  /** How many orders were tried until one broke the law. */
  readonly runs: number
  /** Whether everything was taken away without which the order breaks the law all the same. */
  readonly isPruned: boolean
}

/** Why a sale breaks a law, if it does. Assertions throw what they have to say. */
export const reasonOf = (law: Law, sale: Sale): string | undefined => {
  try {
    return appliesTo(law, sale) ? law.check(sale) : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const parametersOf = ({ seed, path, numRuns, examples }: Parameters): fc.Parameters<[Order]> => ({
  ...(seed === undefined ? {} : { seed }),
  ...(path === undefined ? {} : { path }),
  numRuns,
  examples: examples.map((order) => [order]),
})

/** What came of trying all laws on the same orders. */
export interface Survey {
  readonly tally: Tally
  readonly seed: number
  /** For each broken law the first sale that broke it, as it came. */
  readonly broken: ReadonlyMap<Law, Omit<Found, "seed">>
  /** How many orders each law was about. */
  readonly applied: ReadonlyMap<Law, number>
}

/** Tries all laws on the same orders, and tells which of them are broken. */
export const survey = (search: Search, laws: ReadonlyArray<Law>): Survey => {
  const tally = new Tally()
  const broken = new Map<Law, Omit<Found, "seed">>()
  const applied = new Map(laws.map((law) => [law, 0]))
  const look = (law: Law, sale: Sale) => {
    const reason = reasonOf(law, sale)
    const { orders: runs } = tally
    if (reason !== undefined)
      broken.set(law, { law, reason, sale, runs, path: String(runs - 1), isPruned: false })
    else if (appliesTo(law, sale)) applied.set(law, (applied.get(law) ?? 0) + 1)
  }
  const { seed } = fc.check(
    fc.property(search.orders, (order) => {
      const sale = saleOf(search.rules, order, search.policy)
      tally.add(sale)
      for (const law of laws) if (!broken.has(law)) look(law, sale)
    }),
    parametersOf(search.parameters),
  )
  return { tally, seed, broken, applied }
}

/** An order that breaks a law, with nothing in it that could be left out, if one is found. */
export const find = (search: Search, law: Law): Found | undefined => {
  const sold = (order: Order) => saleOf(search.rules, order, search.policy)
  const breaks = (order: Order) => reasonOf(law, sold(order)) !== undefined
  const details = fc.check(
    fc.property(search.orders, (order) => !breaks(order)),
    parametersOf(search.parameters),
  )
  const [order] = details.counterexample ?? []
  if (order === undefined) return undefined
  const sale = sold(pruned(order, breaks, search))
  const { seed, numRuns: runs } = details
  const path = details.counterexamplePath ?? "0"
  return { law, reason: reasonOf(law, sale) ?? "", sale, seed, path, runs, isPruned: true }
}
