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
  /** Whether several groups have them. */
  isShared = false
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

/** The keys of a rule set, each once: groups that count the same have them in common. */
class KnownKeys {
  private readonly known = new Map<string, CounterKeys>()

  of(...counter: ConstructorParameters<typeof CounterKeys>): CounterKeys {
    const keys = new CounterKeys(...counter)
    const same = this.known.get(keys.name)
    if (same !== undefined) {
      same.isShared = true
      return same
    }
    this.known.set(keys.name, keys)
    return keys
  }
}

const termCountersOf = (terms: GroupTerms, group: ProductGroup, known: KnownKeys): TermCounters => {
  const { tiers, cap } = terms
  return {
    terms,
    counted: tiers?.counted ?? "units",
    bands: tiers === null ? { from: [], points: [] } : bandsOf(tiers),
    tierKeys: tiers === null ? undefined : known.of(tiers.counted, tiers, group),
    capKeys: cap === null ? undefined : known.of("share", cap, group),
  }
}

/** The terms of a rule set. */
export type CountedTerms = ReadonlyMap<ProductGroup, TermCounters>

export const countedTermsOf = (
  termed: ReadonlyArray<readonly [group: ProductGroup, terms: GroupTerms]>,
): CountedTerms => {
  const known = new KnownKeys()
  return new Map(
    termed.map(([group, terms]) => [group, termCountersOf(terms, group, known)] as const),
  )
}
