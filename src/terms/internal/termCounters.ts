/** The terms of a group as they are counted. */
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { CountPeriod, GroupTerms, Per } from "../Terms.js"
import { type Bands, bandsOf } from "./bands.js"

/** The counters of one group that count the same, one for each currency and period. */
export class CounterKeys {
  readonly period: CountPeriod
  private readonly counted: string
  private readonly whose: string
  private currency = ""
  private time = ""
  private key = ""

  constructor(
    counted: string,
    reach: { readonly per: Per; readonly period: CountPeriod },
    group: ProductGroup,
  ) {
    const { per, period } = reach
    this.period = period
    this.counted = counted
    this.whose = `${per}/${per === "group" ? group.id : group.collaboratorId}`
  }

  /** The key for a currency and a period. Most sales have those of the one before. */
  keyOf(currency: string, time: string): string {
    if (currency === this.currency && time === this.time) return this.key
    this.currency = currency
    this.time = time
    this.key = `${this.counted}/${currency}/${time}/${this.whose}`
    return this.key
  }

  /** Whether both count the same. */
  isSame(other: CounterKeys): boolean {
    return (
      other.counted === this.counted && other.period === this.period && other.whose === this.whose
    )
  }
}

export interface TermCounters {
  readonly terms: GroupTerms
  readonly bands: Bands
  readonly tierKeys: CounterKeys | undefined
  readonly capKeys: CounterKeys | undefined
  /** Whether tiers and cap have one counter between them. */
  readonly isOne: boolean
}

export const termCountersOf = (terms: GroupTerms, group: ProductGroup): TermCounters => {
  const { tiers, cap } = terms
  const tierKeys = tiers === null ? undefined : new CounterKeys(tiers.counted, tiers, group)
  const capKeys = cap === null ? undefined : new CounterKeys("share", cap, group)
  return {
    terms,
    bands: tiers === null ? { from: [], points: [] } : bandsOf(tiers),
    tierKeys,
    capKeys,
    isOne: tierKeys !== undefined && capKeys !== undefined && tierKeys.isSame(capKeys),
  }
}
