/**
 * The totals of each collaborator and the store, by currency.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { AmountOutOfRange } from "../money/Cents.js"
import * as exact from "../money/internal/exact.js"
import type { Reversal } from "./Refund.js"
import type { Split } from "./Split.js"

/**
 * A collaborator's total.
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
 * Everybody's totals over all splits in one currency. The collaborators' amounts and the store's add up to what the
 * items brought in.
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
  readonly distributable: number
  /** Everybody who has a share, by id, each with the sum of their shares. */
  readonly collaborators: ReadonlyArray<CollaboratorTotal>
  readonly store: number
}

/**
 * A sum that is exact, whatever its size.
 *
 * @since 0.6.0
 * @category models
 */
export interface Sum {
  /** The sum of shares, or of the store's rests. */
  given: bigint
  /** What refunds reversed of it, with the same sign. */
  reversed: bigint
}

/**
 * The sums of one currency: plain data, which can be passed to another thread.
 *
 * @since 0.6.0
 * @category models
 */
export interface CurrencySums {
  splits: number
  readonly collaborators: Map<string, Sum>
  readonly store: Sum
}

const nothing = (): Sum => ({ given: 0n, reversed: 0n })

const add = (sum: Sum, { given, reversed }: Readonly<Sum>): void => {
  sum.given += given
  sum.reversed += reversed
}

/**
 * Running sums: over splits that are added one by one, with what refunds reversed of them, and over the sums of several
 * threads. They never overflow.
 *
 * @since 0.6.0
 * @category models
 * @example
 * ```ts
 * import { Refund, RuleSet, Split, Totals } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const item = { id: "1", product: { id: "p1" }, quantity: 2, amount: 1_000 }
 * const split = Split.order(rules, { id: "1001", currency: "USD", items: [item] })
 * const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1_735_689_600 }
 * const totals = new Totals.RunningTotals()
 * totals.add(split, [Result.getOrThrow(Refund.reverse(split, refund))])
 * totals.sums.get("USD")?.collaborators.get("ada") // => { given: 100n, reversed: 50n }
 * ```
 */
export class RunningTotals {
  private readonly byCurrency = new Map<string, CurrencySums>()

  /**
   * The sums so far, by currency.
   *
   * @since 0.6.0
   */
  get sums(): ReadonlyMap<string, CurrencySums> {
    return this.byCurrency
  }

  /**
   * Adds a split, and what refunds reversed of it.
   *
   * @since 0.6.0
   */
  add(split: Split, reversals: ReadonlyArray<Reversal> = []): void {
    const sums = this.sumsOf(split.currency)
    sums.splits += 1
    for (const { collaboratorId, amount } of split.shares) {
      this.sumOf(sums, collaboratorId).given += BigInt(amount)
    }
    for (const { amount } of split.store) sums.store.given += BigInt(amount)
    for (const { shares, store } of reversals) {
      sums.store.reversed += BigInt(store)
      for (const { collaboratorId, amount } of shares) {
        this.sumOf(sums, collaboratorId).reversed += BigInt(amount)
      }
    }
  }

  /**
   * Adds the sums of another run.
   *
   * @since 0.6.0
   */
  addAll(others: ReadonlyMap<string, CurrencySums>): void {
    for (const [currency, { splits, collaborators, store }] of others) {
      const sums = this.sumsOf(currency)
      sums.splits += splits
      add(sums.store, store)
      for (const [id, sum] of collaborators) add(this.sumOf(sums, id), sum)
    }
  }

  /**
   * The sums of one currency so far.
   *
   * @since 0.6.0
   */
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
const sorted = <A>(map: ReadonlyMap<string, A>): ReadonlyArray<readonly [string, A]> =>
  [...map].sort(byText)

const amountOf = (value: bigint, what: string): number => {
  const safe = exact.toSafe(value)
  if (safe === undefined) throw AmountOutOfRange.of(what, value)
  return exact.withoutNegativeZero(safe)
}

const totalsOf = (currency: string, sums: CurrencySums): Totals => {
  const { splits, store } = sums
  const amounts = sorted(sums.collaborators)
  const distributable = amounts.reduce((sum, [, { given }]) => sum + given, store.given)
  return {
    currency,
    splits,
    distributable: amountOf(distributable, `what was brought in, in ${currency},`),
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

/**
 * The totals of each collaborator and the store in a split, over all shares of all items. The amounts add up to what
 * the order's items brought in. Fails with `AmountOutOfRange` for a total that is not a safe integer.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet, Split, Totals } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const item = (id: string, amount: number) => ({ id, product: { id: "p1" }, quantity: 1, amount })
 * const order = { id: "1001", currency: "USD", items: [item("1", 1_000), item("2", 500)] }
 * const totals = Result.getOrThrow(Totals.ofSplit(Split.order(rules, order)))
 * totals.collaborators // => [{ collaboratorId: "ada", amount: 150 }]
 * totals.store // => 1350
 * ```
 */
export const ofSplit = (split: Split): Result.Result<Totals, AmountOutOfRange> => {
  const running = new RunningTotals()
  running.add(split)
  const { currency } = split
  return exactly(() => totalsOf(currency, running.sumsOf(currency)))
}

/**
 * The totals of each collaborator and the store over any number of splits: one entry per currency, sorted by its code.
 * Splits are read one after another, so they may come from an iterable of any length. Fails with `AmountOutOfRange` for
 * a total that is not a safe integer.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet, Split, Totals } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }
 * const orders = ["USD", "EUR", "USD"].map((currency, index) => ({
 *   id: String(index),
 *   currency,
 *   items: [item],
 * }))
 * const splits = orders.map((order) => Split.order(rules, order))
 * const totals = Result.getOrThrow(Totals.byCurrency(splits))
 * totals.map(({ currency, splits, store }) => [currency, splits, store])
 * // => [["EUR", 1, 900], ["USD", 2, 1800]]
 * ```
 */
export const byCurrency = (
  splits: Iterable<Split>,
): Result.Result<ReadonlyArray<Totals>, AmountOutOfRange> => {
  const running = new RunningTotals()
  for (const split of splits) running.add(split)
  return exactly(() => sorted(running.sums).map(([currency, sums]) => totalsOf(currency, sums)))
}
