/**
 * What recorded sales have counted. The split in force of a part counts: what its shares say, less what refunds have taken
 * back of it. So an account's counters are the sum of that over its sales, whatever was refunded or split again.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CarriedSplit from "../../../carry/CarriedSplit.js"
import { compareTexts } from "../../../internal/compare.js"
import { AmountOutOfRange } from "../../../money/Cents.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type * as Refund from "../../../shares/Refund.js"
import type { Share } from "../../../shares/Share.js"
import type { Split } from "../../../shares/Split.js"
import * as CountedSplit from "../../../terms/CountedSplit.js"

/** The key of what rounding left of a group's money in a currency; `null`: of the store's. */
export const remainderKey = (currency: string, groupId: string | null): string =>
  groupId === null ? `remainder/${currency}/store` : `remainder/${currency}/group/${groupId}`

/** By how much counters change, or how much of them is of some sales; of any size. */
export type SaleCounts = ReadonlyMap<string, bigint>

const none: SaleCounts = new Map()

const plus = (counts: Map<string, bigint>, key: string, by: bigint): void => {
  counts.set(key, (counts.get(key) ?? 0n) + by)
}

/** Adds the counts of some to those of others. */
export const addCounts = (sum: Map<string, bigint>, counts: SaleCounts): void => {
  for (const [key, by] of counts) plus(sum, key, by)
}

const sumOf = (all: ReadonlyArray<SaleCounts>): Map<string, bigint> => {
  const sum = new Map<string, bigint>()
  for (const counts of all) addCounts(sum, counts)
  return sum
}

const opposite = (counts: SaleCounts): SaleCounts =>
  new Map(Array.from(counts, ([key, by]) => [key, -by] as const))

/** Whether a split counts. */
export const doesCount = ({ shares, store }: Split): boolean =>
  shares.some(({ terms, carried }) => terms !== undefined || carried !== undefined) ||
  store.some(({ carried }) => carried !== undefined)

/** The counters of a share, each once: tiers and cap may have one between them. */
const countersOf = ({ terms }: Share): ReadonlyMap<string, bigint> => {
  const parts = [terms?.tiers ?? [], terms?.cap ?? []].flat()
  return new Map(
    parts.map(({ counter, before, after }) => [counter, BigInt(after) - BigInt(before)] as const),
  )
}

const ofSplit = ({ currency, shares, store }: Split): Map<string, bigint> => {
  const counts = new Map<string, bigint>()
  for (const share of shares) for (const [key, by] of countersOf(share)) plus(counts, key, by)
  const parties = [...shares, ...store.map(({ carried }) => ({ groupId: null, carried }))]
  for (const { groupId, carried } of parties) {
    if (carried === undefined) continue
    plus(counts, remainderKey(currency, groupId), BigInt(carried.after - carried.before))
  }
  return counts
}

/** What a refund takes back of the counts of a split. */
const takenBack = (
  split: Split,
  refund: Refund.Refund,
  earlier: ReadonlyArray<Refund.Refund>,
): Result.Result<SaleCounts, Refund.RefundError | AmountOutOfRange> =>
  Result.gen(function* () {
    const counted = CountedSplit.refund(split, refund, { earlier, counters: {} })
    const { counters } = yield* Result.mapError(counted, (error) => {
      // Each counter begins at 0 here.
      if (error._tag === "InvalidCounters") throw new TypeError(error.message)
      return error
    })
    const running = new CarriedSplit.RunningRemainders()
    yield* running.refund(split, refund, { earlier })
    return sumOf([
      new Map(Object.entries(counters).map(([key, count]) => [key, BigInt(count)])),
      new Map(
        running.remainders.map(({ currency, groupId, remainder }) => [
          remainderKey(currency, groupId),
          BigInt(remainder),
        ]),
      ),
    ])
  })

type CountedSale = Pick<RecordedSale, "split" | "adjustments" | "refunds">

/** The split of a recorded part that is in force. */
const inForceOf = ({ split, adjustments = [] }: CountedSale): Split =>
  adjustments.at(-1)?.adjustment.split ?? split

const ofSplitWithout = (
  split: Split,
  refunds: ReadonlyArray<Refund.Refund>,
): Result.Result<SaleCounts, Refund.RefundError | AmountOutOfRange> =>
  Result.gen(function* () {
    if (!doesCount(split)) return none
    const all: Array<SaleCounts> = [ofSplit(split)]
    for (const [place, refund] of refunds.entries()) {
      all.push(yield* takenBack(split, refund, refunds.slice(0, place)))
    }
    return sumOf(all)
  })

/** Where a recorded part found its counters, by its split in force. */
export const foundBy = (sale: CountedSale): ReadonlyMap<string, number> => {
  const split = inForceOf(sale)
  const found = new Map<string, number>()
  const note = (key: string, before: number) => {
    if (!found.has(key)) found.set(key, before)
  }
  const byItem = <A extends { readonly itemId: string }>(parts: ReadonlyArray<A>) =>
    parts.toSorted((one, other) => compareTexts(one.itemId, other.itemId))
  for (const { groupId, terms, carried } of byItem(split.shares)) {
    for (const part of [terms?.tiers ?? [], terms?.cap ?? []].flat())
      note(part.counter, part.before)
    if (carried !== undefined) note(remainderKey(split.currency, groupId), carried.before)
  }
  for (const { carried } of byItem(split.store)) {
    if (carried !== undefined) note(remainderKey(split.currency, null), carried.before)
  }
  return found
}

/** What a recorded part has counted. */
export const ofSale = (
  sale: CountedSale,
): Result.Result<SaleCounts, Refund.RefundError | AmountOutOfRange> =>
  ofSplitWithout(
    inForceOf(sale),
    sale.refunds.map(({ refund }) => refund),
  )

/** Changes counters by as much. */
const change = Effect.fnUntraced(function* (
  { counters }: Stores,
  by: SaleCounts,
): Effect.fn.Return<void, AmountOutOfRange | StorageError> {
  const changes = [...by].filter(([, count]) => count !== 0n)
  if (changes.length === 0) return
  const found = yield* counters.find(changes.map(([key]) => key))
  const before = new Map(found.map(({ key, count }) => [key, count]))
  const after: Array<{ readonly key: string; readonly count: number }> = []
  for (const [key, count] of changes) {
    const sum = BigInt(before.get(key) ?? 0) + count
    const number = Number(sum)
    if (!Number.isSafeInteger(number)) {
      return yield* Effect.fail(AmountOutOfRange.of(`the counter ${key}`, sum))
    }
    after.push({ key, count: number })
  }
  yield* counters.put(after)
})

/** Stores what an order left its counters at. */
export const keepCounts = (
  { counters }: Stores,
  after: ReadonlyMap<string, number>,
): Effect.Effect<void, StorageError> =>
  after.size === 0
    ? Effect.void
    : counters.put(Array.from(after, ([key, count]) => ({ key, count })))

/** Takes back what a refund takes back of a part of an order; `part`: as it was before the refund. */
export const countRefund = (
  stores: Stores,
  part: RecordedSale,
  refund: Refund.Refund,
): Effect.Effect<void, Refund.RefundError | AmountOutOfRange | StorageError> => {
  const split = inForceOf(part)
  if (!doesCount(split)) return Effect.void
  const earlier = part.refunds.map((recorded) => recorded.refund)
  return Effect.flatMap(Effect.fromResult(takenBack(split, refund, earlier)), (by) =>
    change(stores, by),
  )
}

/** By how much a new split of a recorded part changes the counters. */
export const countsOfChange = (
  sale: CountedSale,
  next: Split,
): Result.Result<SaleCounts, Refund.RefundError | AmountOutOfRange> =>
  Result.gen(function* () {
    const refunds = sale.refunds.map(({ refund }) => refund)
    const before = yield* ofSale(sale)
    return sumOf([yield* ofSplitWithout(next, refunds), opposite(before)])
  })

/** Changes counters by what a new split of a recorded part counts otherwise. */
export const countAdjustment = (
  stores: Stores,
  sale: CountedSale,
  next: Split,
): Effect.Effect<void, Refund.RefundError | AmountOutOfRange | StorageError> =>
  Effect.flatMap(Effect.fromResult(countsOfChange(sale, next)), (by) => change(stores, by))
