/** The terms of a group as they are counted. */
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { type Counter, keyOf } from "../Counters.js"
import type { CountPeriod, GroupTerms, Per } from "../Terms.js"
import { type Bands, bandsOf } from "./bands.js"

/** The counters of one group that count the same, one for each currency and period. */
export class CounterKeys {
  readonly period: CountPeriod
  private readonly of: Pick<Counter, "counted" | "per" | "id">
  private currency = ""
  private time = ""
  private key = ""

  constructor(
    counted: Counter["counted"],
    reach: { readonly per: Per; readonly period: CountPeriod },
    group: ProductGroup,
  ) {
    const { per, period } = reach
    this.period = period
    this.of = { counted, per, id: per === "group" ? group.id : group.collaboratorId }
  }

  /** The key for a currency and a period. Most sales have those of the one before. */
  keyOf(currency: string, time: string): string {
    if (currency === this.currency && time === this.time) return this.key
    this.currency = currency
    this.time = time
    this.key = keyOf({ ...this.of, currency, period: time })
    return this.key
  }

  /** Whether both count the same. */
  isSame(other: CounterKeys): boolean {
    const { counted, per, id } = this.of
    const { of, period } = other
    return of.counted === counted && of.per === per && of.id === id && period === this.period
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
