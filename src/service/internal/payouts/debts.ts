/** Payouts that fell below zero after they were closed: each is set off against the active payout. */
import * as Effect from "effect/Effect"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import type * as PayoutItem from "../../../payouts/PayoutItem.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { unusedId } from "../lookups.js"
import { entryData } from "../payments/paymentEvents.js"
import { emit } from "../transactions.js"
import { addItems } from "./payoutCycle.js"

const eventTypes = { income: "income.added", expense: "expense.added" } as const

const book = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
  entry: PayoutItem.Entry,
): Effect.fn.Return<StoredPayout, AmountOutOfRange | StorageError> {
  const item = { ...entry, id: yield* unusedId(stores, payout.id, entry.id) }
  const changed = yield* addItems(stores, payout, [item])
  yield* emit({ type: eventTypes[item.kind], data: entryData(payout, item) })
  return changed
})

/** Sets a payout off against the active one, when a change took it below zero; returns it as it is then. */
export const settleDebt = Effect.fnUntraced(function* <E>(
  stores: Stores,
  payout: StoredPayout,
  options: {
    /** The active payout, which is looked up only when it is needed. */
    readonly active: Effect.Effect<StoredPayout, E>
    /** Unix seconds. */
    readonly at: number
  },
): Effect.fn.Return<StoredPayout, E | AmountOutOfRange | StorageError> {
  const debt = { ...payout, total: BigInt(payout.total) }
  if (!Lifecycle.isDebt(debt)) return payout
  const active = yield* options.active
  const { income, expense } = Lifecycle.setOff(debt, { activeId: active.id, at: options.at })
  yield* book(stores, active, expense)
  return yield* book(stores, payout, income)
})
