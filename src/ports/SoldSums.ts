/** Sums of what was sold in periods, and what of it is whose by now. */

/**
 * What somebody has by now of what was sold in a period, in one currency: as it was split, after re-splits, without what
 * was refunded. However large, it is exact.
 *
 * @since 0.6.0
 * @category models
 */
export interface SoldSum {
  /** Which of the periods, counted from 0. */
  readonly period: number
  /** ISO 4217 code. */
  readonly currency: string
  /** `null`: what the store has. */
  readonly collaboratorId: string | null
  /** In cents of the currency. */
  readonly amount: bigint
  /** How many parts of orders were recorded, in the sum of the store; 0 in those of collaborators. */
  readonly sales: number
  /** How many refunds these have by now, in the sum of the store; 0 in those of collaborators. */
  readonly refunds: number
}

/**
 * What was sold in periods that follow each other.
 *
 * @since 0.6.0
 * @category models
 */
export interface SoldSums {
  /** When the first and the last part of an order was recorded, in or out of the periods; `null`: there is none. */
  readonly first: number | null
  readonly last: number | null
  /**
   * One for each period in which something was recorded, currency and owner, in any order; whoever has nothing may be
   * left out.
   */
  readonly sums: ReadonlyArray<SoldSum>
}

/**
 * What a sum changes by, whatever its period is.
 *
 * @since 0.6.0
 * @category models
 */
export type SoldChange = Omit<SoldSum, "period">

/** A sum to which more is added. */
type GrowingSum = { -readonly [Name in keyof SoldSum]: SoldSum[Name] }

/** What stands under a key, which is made when it is first asked for. */
const underKey = <Key, A>(all: Map<Key, A>, key: Key, make: () => A): A => {
  const known = all.get(key)
  if (known !== undefined) return known
  const made = make()
  all.set(key, made)
  return made
}

type ByOwner = Map<SoldSum["collaboratorId"], GrowingSum>

/** Adds up changes by period, currency and owner. */
export class SoldTally {
  readonly #sums: Array<GrowingSum> = []
  readonly #byPeriod = new Map<number, Map<string, ByOwner>>()

  add(period: number, changes: ReadonlyArray<SoldChange>): void {
    const byCurrency = underKey(this.#byPeriod, period, () => new Map<string, ByOwner>())
    for (const { currency, collaboratorId, amount, sales, refunds } of changes) {
      const byOwner: ByOwner = underKey(byCurrency, currency, () => new Map())
      const sum = byOwner.get(collaboratorId)
      if (sum === undefined) {
        const first = { period, currency, collaboratorId, amount, sales, refunds }
        byOwner.set(collaboratorId, first)
        this.#sums.push(first)
      } else {
        sum.amount += amount
        sum.sales += sales
        sum.refunds += refunds
      }
    }
  }

  get size(): number {
    return this.#sums.length
  }

  /** In the order in which something was first added to them. */
  get sums(): ReadonlyArray<SoldSum> {
    return this.#sums.map((sum) => ({ ...sum }))
  }
}

/** Which of the periods between times a time is in; -1: it is before them, or after. */
export const periodAt = (times: ReadonlyArray<number>, at: number): number => {
  const [first = at] = times
  if (at < first) return -1
  const next = times.findIndex((time) => at < time)
  return next - 1 < 0 ? -1 : next - 1
}
