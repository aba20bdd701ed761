/** The terms of a group as they are counted. */
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { type Counter, keyOf } from "../Counters.js"
import type { Counted, CountPeriod, GroupTerms, Per } from "../Terms.js"
import { type Bands, bandsOf } from "./bands.js"

/** The counters of one group that count the same, one for each currency and period. */
export class CounterKeys {
  readonly period: CountPeriod
  /** What all of them count: two with the same name are the same counters. */
  readonly name: string
  private readonly of: Pick<Counter, "counted" | "per" | "id">
  private currency = ""
  private time = ""
  private key = ""

  constructor(
    counted: Counted,
    reach: { readonly per: Per; readonly period: CountPeriod },
    group: ProductGroup,
  ) {
    const { per, period } = reach
    this.period = period
    this.of = { counted, per, id: per === "group" ? group.id : group.collaboratorId }
    this.name = keyOf({ ...this.of, currency: "", period })
  }

  /** The key for a currency and a period. Most sales have those of the one before. */
  keyOf(currency: string, time: string): string {
    if (currency === this.currency && time === this.time) return this.key
    this.currency = currency
    this.time = time
    this.key = keyOf({ ...this.of, currency, period: time })
    return this.key
  }
}

export interface TermCounters {
  readonly terms: GroupTerms
  /** What its tiers count; without tiers it is not asked. */
  readonly counted: Counted
  readonly bands: Bands
  readonly tierKeys: CounterKeys | undefined
  /** Those of the tiers where both count the same. */
  readonly capKeys: CounterKeys | undefined
}

const termCountersOf = (terms: GroupTerms, group: ProductGroup): TermCounters => {
  const { tiers, cap } = terms
  const tierKeys = tiers === null ? undefined : new CounterKeys(tiers.counted, tiers, group)
  const capKeys = cap === null ? undefined : new CounterKeys("share", cap, group)
  const isOne = tierKeys !== undefined && tierKeys.name === capKeys?.name
  return {
    terms,
    counted: tiers?.counted ?? "units",
    bands: tiers === null ? { from: [], points: [] } : bandsOf(tiers),
    tierKeys,
    capKeys: isOne ? tierKeys : capKeys,
  }
}

/** The terms of a rule set. */
export interface CountedTerms {
  readonly byGroup: ReadonlyMap<ProductGroup, TermCounters>
  /** Whether two groups have a counter in common. */
  readonly isShared: boolean
}

export const countedTermsOf = (
  termed: ReadonlyArray<readonly [group: ProductGroup, terms: GroupTerms]>,
): CountedTerms => {
  const byGroup = new Map(
    termed.map(([group, terms]) => [group, termCountersOf(terms, group)] as const),
  )
  const keys = [...byGroup.values()].flatMap(({ tierKeys, capKeys }) => [
    ...new Set([tierKeys ?? [], capKeys ?? []].flat()),
  ])
  return { byGroup, isShared: new Set(keys.map(({ name }) => name)).size < keys.length }
}
