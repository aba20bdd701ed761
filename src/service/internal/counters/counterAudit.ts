/** Holding the counters of an account against what its recorded sales and refunds have counted. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { addCounts, ofSale, type SaleCounts } from "./saleCounts.js"

/**
 * A counter that does not stand at what the recorded sales and refunds of the account come to.
 *
 * @since 0.6.0
 * @category models
 */
export interface CounterDifference {
  readonly key: string
  /** What it stands at; 0: it is not stored. */
  readonly stored: number
  /** What was counted, as far as a number can say it. */
  readonly counted: number
  readonly message: string
}

/** Adds what parts of orders have counted; of one that contradicts itself the audit tells otherwise. */
export const countSales = (
  counted: Map<string, bigint>,
  sales: ReadonlyArray<RecordedSale>,
): void => {
  for (const sale of sales) {
    const counts = ofSale(sale)
    if (Result.isSuccess(counts)) addCounts(counted, counts.success)
  }
}

/** How many counters or parts of orders are read at a time. */
const slice = 200

/** The counters that do not stand at what was counted, by key. */
export const counterDifferences = Effect.fnUntraced(function* (
  { counters }: Stores,
  counted: SaleCounts,
): Effect.fn.Return<ReadonlyArray<CounterDifference>, StorageError> {
  const stored = new Map<string, number>()
  for (let offset = 0, passed = slice; passed === slice; offset += passed) {
    const { entries } = yield* counters.list({ offset, limit: slice })
    for (const { key, count } of entries) stored.set(key, count)
    passed = entries.length
  }
  const keys = [...new Set([...stored.keys(), ...counted.keys()])].sort()
  return keys.flatMap((key) => {
    const [has, is] = [stored.get(key) ?? 0, counted.get(key) ?? 0n]
    if (BigInt(has) === is) return []
    const message = `the counter ${key} stands at ${has}, and the recorded sales and refunds come to ${is}`
    return [{ key, stored: has, counted: Number(is), message }]
  })
})

/** The same in one transaction, in which nothing is counted meanwhile. */
export const countersAgain = Effect.fnUntraced(function* (
  stores: Stores,
): Effect.fn.Return<ReadonlyArray<CounterDifference>, StorageError> {
  const counted = new Map<string, bigint>()
  for (let offset = 0, passed = slice; passed === slice; offset += passed) {
    const { entries } = yield* stores.sales.list({}, { offset, limit: slice })
    countSales(counted, entries)
    passed = entries.length
  }
  return yield* counterDifferences(stores, counted)
})
