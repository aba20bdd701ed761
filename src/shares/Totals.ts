/**
 * What each collaborator and the store got in all, by currency.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { AmountOutOfRange } from "../money/Cents.js"
import * as exact from "../money/internal/exact.js"
import type { Reversal } from "./Refund.js"
import type { Split } from "./Split.js"

/**
 * What a collaborator got in all.
 *
 * @since 0.6.0
 * @category models
 */
export interface CollaboratorTotal {
  readonly collaboratorId: string
  /** In the currency's lowest unit. */
  readonly amount: number
}

/**
 * What everybody got in all of the splits in one currency. The collaborators' amounts and the store's add up to
 * what was brought in.
 *
 * @since 0.6.0
 * @category models
 */
export interface Totals {
  /** ISO 4217 code. Every amount is in its lowest unit. */
  readonly currency: string
  /** How many splits. */
  readonly splits: number
  /** What their items brought in. */
  readonly broughtIn: number
  /** Everybody who has a share, by id; with several shares they are one amount. */
  readonly collaborators: ReadonlyArray<CollaboratorTotal>
  readonly store: number
}

/** Exact, whatever its size. */
export interface Sum {
  /** What shares, or the store's rests, come to. */
  given: bigint
  /** What refunds took back of it, in the same sign. */
  takenBack: bigint
}

/** The sums of one currency. Plain data, which another thread can be given. */
export interface CurrencySums {
  splits: number
  readonly collaborators: Map<string, Sum>
  readonly store: Sum
}

const nothing = (): Sum => ({ given: 0n, takenBack: 0n })

const add = (sum: Sum, { given, takenBack }: Readonly<Sum>): void => {
  sum.given += given
  sum.takenBack += takenBack
}

/** Sums that grow, for streams of splits. */
export class RunningTotals {
  private readonly byCurrency = new Map<string, CurrencySums>()

  /** The sums so far, by currency. */
  get sums(): ReadonlyMap<string, CurrencySums> {
    return this.byCurrency
  }

  /** Adds a split, and what refunds took back of it. */
  add(split: Split, reversals: ReadonlyArray<Reversal> = []): void {
    const sums = this.sumsOf(split.currency)
    sums.splits += 1
    for (const { collaboratorId, amount } of split.shares) {
      this.sumOf(sums, collaboratorId).given += BigInt(amount)
    }
    for (const { amount } of split.store) sums.store.given += BigInt(amount)
    for (const { shares, store } of reversals) {
      sums.store.takenBack += BigInt(store)
      for (const { collaboratorId, amount } of shares) {
        this.sumOf(sums, collaboratorId).takenBack += BigInt(amount)
      }
    }
  }

  /** Adds the sums of another run. */
  addAll(others: ReadonlyMap<string, CurrencySums>): void {
    for (const [currency, { splits, collaborators, store }] of others) {
      const sums = this.sumsOf(currency)
      sums.splits += splits
      add(sums.store, store)
      for (const [id, sum] of collaborators) add(this.sumOf(sums, id), sum)
    }
  }

  /** The sums of one currency so far. */
  sumsOf(currency: string): CurrencySums {
    const known = this.byCurrency.get(currency)
    if (known !== undefined) return known
    const sums = { splits: 0, collaborators: new Map(), store: nothing() }
    this.byCurrency.set(currency, sums)
    return sums
  }

  private sumOf({ collaborators }: CurrencySums, id: string): Sum {
    const known = collaborators.get(id)
    if (known !== undefined) return known
    const sum = nothing()
    collaborators.set(id, sum)
    return sum
  }
}

const byText = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

/** The entries of a map by their keys. */
export const sorted = <A>(map: ReadonlyMap<string, A>): ReadonlyArray<readonly [string, A]> =>
  [...map].sort(byText)

const amountOf = (value: bigint, what: string): number => {
  const safe = exact.toSafe(value)
  if (safe === undefined) throw AmountOutOfRange.of(what, value)
  return exact.withoutNegativeZero(safe)
}

const totalsOf = (currency: string, sums: CurrencySums): Totals => {
  const { splits, store } = sums
  const amounts = sorted(sums.collaborators)
  const broughtIn = amounts.reduce((sum, [, { given }]) => sum + given, store.given)
  return {
    currency,
    splits,
    broughtIn: amountOf(broughtIn, `what was brought in, in ${currency},`),
    collaborators: amounts.map(([collaboratorId, { given }]) => ({
      collaboratorId,
      amount: amountOf(given, `the total of ${collaboratorId} in ${currency}`),
    })),
    store: amountOf(store.given, `the store's total in ${currency}`),
  }
}

const exactly = <A>(make: () => A): Result.Result<A, AmountOutOfRange> => {
  try {
    return Result.succeed(make())
  } catch (error) {
    if (error instanceof AmountOutOfRange) return Result.fail(error)
    throw error
  }
}

/** The totals of one split; see `Split.totals`. */
export const ofSplit = (split: Split): Result.Result<Totals, AmountOutOfRange> => {
  const running = new RunningTotals()
  running.add(split)
  const { currency } = split
  return exactly(() => totalsOf(currency, running.sumsOf(currency)))
}

/** The totals of splits by currency; see `Split.totalsByCurrency`. */
export const ofSplits = (
  splits: Iterable<Split>,
): Result.Result<ReadonlyArray<Totals>, AmountOutOfRange> => {
  const running = new RunningTotals()
  for (const split of splits) running.add(split)
  return exactly(() => sorted(running.sums).map(([currency, sums]) => totalsOf(currency, sums)))
}
