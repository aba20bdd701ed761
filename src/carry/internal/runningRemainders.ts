/** The remainders of sales one after another, to be looked up and changed. */
import { AmountOutOfRange } from "../../money/Cents.js"
import type { Remainder, Remainders } from "../Remainder.js"
import { make } from "../Remainder.js"
import { mostRemainder } from "./carriedParts.js"

/** A group's id, or `null` for the store. */
type Party = string | null

/** The remainders of one currency. */
export class CurrencyRemainders {
  private readonly known: Map<Party, number>
  private readonly changed = new Map<Party, number>()

  constructor(known: Map<Party, number>) {
    this.known = known
  }

  of(party: Party): number {
    return this.changed.get(party) ?? this.known.get(party) ?? 0
  }

  /** Throws `AmountOutOfRange` for more than can be stored and read again. */
  set(party: Party, remainder: number | bigint): void {
    if (remainder > mostRemainder || remainder < -mostRemainder) {
      const whose = party === null ? "the store" : `group ${party}`
      throw AmountOutOfRange.of(`the remainder of ${whose}`, remainder)
    }
    this.changed.set(party, Number(remainder))
  }

  /** Makes the changes count for the sales that follow; without this they never were. */
  keep(): void {
    for (const [party, remainder] of this.changed) this.known.set(party, remainder)
  }
}

export class RemainderBook {
  private readonly byCurrency = new Map<string, Map<Party, number>>()

  /** Throws `InvalidRemainders`. */
  constructor(remainders: Remainders) {
    for (const { currency, groupId, remainder } of make(remainders)) {
      this.ofCurrency(currency).set(groupId, remainder)
    }
  }

  private ofCurrency(currency: string): Map<Party, number> {
    const known = this.byCurrency.get(currency)
    if (known !== undefined) return known
    const none = new Map<Party, number>()
    this.byCurrency.set(currency, none)
    return none
  }

  /** The remainders of a currency, for one sale or refund. */
  open(currency: string): CurrencyRemainders {
    return new CurrencyRemainders(this.ofCurrency(currency))
  }

  get list(): Remainders {
    const all: Array<Remainder> = []
    for (const [currency, parties] of this.byCurrency) {
      for (const [groupId, remainder] of parties) all.push({ currency, groupId, remainder })
    }
    return make(all)
  }
}
