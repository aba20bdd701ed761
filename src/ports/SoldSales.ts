/** What recorded sales, their refunds and their adjustments come to in the sums of what was sold. */
import * as Effect from "effect/Effect"
import type { RecordedAdjustment, RecordedRefund, RecordedSale, SaleStore } from "./SaleStore.js"
import { periodAt, type SoldChange, type SoldSums, SoldTally } from "./SoldSums.js"
import type { StorageError } from "./StorageError.js"

interface Owned {
  readonly collaboratorId: string
  readonly amount: number
}

const changesOf = (
  currency: string,
  shares: ReadonlyArray<Owned>,
  store: ReadonlyArray<number>,
  counts: Pick<SoldChange, "sales" | "refunds">,
  sign: 1n | -1n,
): ReadonlyArray<SoldChange> => [
  ...shares.map(({ collaboratorId, amount }) => ({
    ...{ currency, collaboratorId, amount: sign * BigInt(amount), sales: 0, refunds: 0 },
  })),
  {
    ...{ currency, collaboratorId: null, ...counts },
    amount: sign * store.reduce((sum, amount) => sum + BigInt(amount), 0n),
  },
]

/**
 * What a recorded refund takes off the sums of the time at which its sale was recorded.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Refund, RuleSet, Split } from "apportion"
 * import { soldByRefund } from "apportion/ports"
 * import { Result } from "effect"
 *
 * const link = { type: "products.all" } as const
 * const rules = RuleSet.make([{ id: "g1", collaboratorId: "ada", link, percent: 10 }])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }]
 * const split = Split.order(rules, { id: "1001", currency: "USD", items })
 * const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1_700_000_000 }
 * const reversal = Result.getOrThrow(Refund.reverse(split, refund))
 * soldByRefund("USD", { reversal }).map(({ amount }) => amount) // => [-500n, -4500n]
 * ```
 */
export const soldByRefund = (
  currency: string,
  { reversal, adjusted = [] }: Pick<RecordedRefund, "reversal" | "adjusted">,
): ReadonlyArray<SoldChange> => {
  const all = [reversal, ...adjusted]
  const shares = all.flatMap((one) => one.shares)
  const store = all.map((one) => one.store)
  return changesOf(currency, shares, store, { sales: 0, refunds: 1 }, -1n)
}

/**
 * What an adjustment adds to the sums of the time at which its sale was recorded.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Adjustment, RuleSet, Split } from "apportion"
 * import { soldByAdjustment } from "apportion/ports"
 * import { Result } from "effect"
 *
 * const link = { type: "products.all" } as const
 * const at = (percent: number) =>
 *   RuleSet.make([{ id: "g1", collaboratorId: "ada", link, percent }])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }]
 * const order = { id: "1001", currency: "USD", items }
 * const recorded = { split: Split.order(at(10), order), refunds: [], adjustments: [] }
 * const adjustment = Result.getOrThrow(Adjustment.between(recorded, Split.order(at(25), order)))
 * adjustment && soldByAdjustment({ adjustment }).map(({ amount }) => amount) // => [1500n, -1500n]
 * ```
 */
export const soldByAdjustment = ({
  adjustment: { currency, shares, items },
}: Pick<RecordedAdjustment, "adjustment">): ReadonlyArray<SoldChange> => {
  const store = items.map((item) => item.store)
  return changesOf(currency, shares, store, { sales: 0, refunds: 0 }, 1n)
}

/**
 * What a part of an order adds to the sums of the time at which it was recorded, with all its refunds and adjustments.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { soldBySale } from "apportion/ports"
 *
 * const link = { type: "products.all" } as const
 * const rules = RuleSet.make([{ id: "g1", collaboratorId: "ada", link, percent: 10 }])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }]
 * const split = Split.order(rules, { id: "1001", currency: "USD", items })
 * soldBySale({ split, refunds: [] }).map(({ collaboratorId, amount }) => [collaboratorId, amount])
 * // => [["ada", 1000n], [null, 9000n]]
 * ```
 */
export const soldBySale = ({
  split: { currency, shares, store },
  refunds,
  adjustments = [],
}: Pick<RecordedSale, "split" | "refunds" | "adjustments">): ReadonlyArray<SoldChange> => {
  const left = store.map(({ amount }) => amount)
  return [
    ...changesOf(currency, shares, left, { sales: 1, refunds: 0 }, 1n),
    ...refunds.flatMap((refund) => soldByRefund(currency, refund)),
    ...adjustments.flatMap(soldByAdjustment),
  ]
}

const atATime = 500

/**
 * The sums of periods, from all recorded sales of them one by one: what {@link SaleStore.sold} gives, for a store that
 * keeps no sums.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { soldOneByOne } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const sums = Effect.gen(function* () {
 *   const storage = yield* MemoryStorage.make
 *   return yield* storage.transaction("shop", ({ sales }) =>
 *     soldOneByOne(sales, [1_700_000_000, 1_800_000_000]),
 *   )
 * })
 * await Effect.runPromise(sums) // => { first: null, last: null, sums: [] }
 * ```
 */
export const soldOneByOne = Effect.fnUntraced(function* (
  { list }: Pick<SaleStore, "list">,
  times: ReadonlyArray<number>,
): Effect.fn.Return<SoldSums, StorageError> {
  const one = { offset: 0, limit: 1 }
  const [earliest] = (yield* list({}, one)).entries
  const [latest] = (yield* list({}, one, "latest first")).entries
  const [first, last] = [earliest?.recordedAt ?? null, latest?.recordedAt ?? null]
  const [from, until] = [times[0], times.at(-1)]
  if (from === undefined || until === undefined || from >= until) return { first, last, sums: [] }
  const tally = new SoldTally()
  const filter = { recorded: { from, to: until - 1 } }
  for (let offset = 0; ; offset += atATime) {
    const { entries } = yield* list(filter, { offset, limit: atATime })
    for (const sale of entries) tally.add(periodAt(times, sale.recordedAt), soldBySale(sale))
    if (entries.length < atATime) return { first, last, sums: tally.sums }
  }
})
