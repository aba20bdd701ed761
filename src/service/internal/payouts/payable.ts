/** Which payouts can be paid now. */
import * as Effect from "effect/Effect"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { type ListedPayout, withOwners } from "./payoutViews.js"

/** How many payouts are looked at first; it doubles each time that too few of them can be paid. */
const leastLook = 100
const mostAtFirst = 1_000

const isPayable = ({ payout, collaborator }: ListedPayout): boolean =>
  collaborator.shouldPayAutomatically && payout.total >= 0 && payout.paymentId === null

/** The first payouts that may be paid at a time, by when they could be, and without a payment under way. */
export const payable = Effect.fnUntraced(function* (
  stores: Stores,
  options: {
    /** Unix seconds. */
    readonly at: number
    /** At most how many. */
    readonly wanted: number
    /** Payouts to pass over. */
    readonly passed?: ReadonlySet<string> | undefined
  },
): Effect.fn.Return<ReadonlyArray<ListedPayout>, StorageError> {
  const { at, wanted, passed } = options
  for (let look = Math.max(leastLook, Math.min(wanted, mostAtFirst)); ; look *= 2) {
    const payouts = yield* stores.payouts.payable({ at, limit: look })
    const left = payouts.filter(({ id }) => passed?.has(id) !== true)
    const found = (yield* withOwners(stores, left)).filter(isPayable)
    if (found.length >= wanted || payouts.length < look) return found.slice(0, wanted)
  }
})
