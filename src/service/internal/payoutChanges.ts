/**
 * Changes of a stored payout's items that keep its total and its count of items right.
 */
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as Cents from "../../money/Cents.js"
import * as Payout from "../../payouts/Payout.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { PayoutChange, StoredPayout } from "../../ports/PayoutStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { die } from "./Fault.js"

type Changed = Effect.Effect<StoredPayout, Cents.AmountOutOfRange | StorageError>

/** A step that would break what always holds of payouts: a bug of the caller, or a broken store. */
const requireThat = (holds: boolean, message: string): Effect.Effect<void> =>
  holds ? Effect.void : die(message)

const totalWith = (
  { id, total }: StoredPayout,
  amounts: ReadonlyArray<number>,
): Result.Result<number, Cents.AmountOutOfRange> =>
  Cents.sum([total, ...amounts], { what: `the total of payout ${id}` })

const save = Effect.fnUntraced(function* (
  stores: Stores,
  change: PayoutChange & { readonly amounts: ReadonlyArray<number>; readonly added: number },
) {
  const { payout, put, remove, amounts, added } = change
  yield* requireThat(!Payout.isSettled(payout), `payout ${payout.id} is settled and can't change`)
  const total = yield* Effect.fromResult(totalWith(payout, amounts))
  const itemsCount = payout.itemsCount + added
  return yield* stores.payouts.update({ payout: { ...payout, total, itemsCount }, put, remove })
})

const requireNewIds = (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Effect.Effect<void, StorageError> =>
  Effect.forEach(
    items,
    ({ id }) =>
      Effect.flatMap(stores.payouts.item(payout.id, id), (known) =>
        requireThat(known === undefined, `payout ${payout.id} has an item ${id} already`),
      ),
    { discard: true },
  )

/**
 * Adds items to a payout that is not settled, as one change; their ids were looked up before in this
 * transaction and are new. No items: nothing happens. A total beyond the range of exact cents fails, and
 * nothing is stored.
 */
export const addNewItems = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Effect.fn.Return<StoredPayout, Cents.AmountOutOfRange | StorageError> {
  if (items.length === 0) return payout
  const isRepeated = new Set(items.map(({ id }) => id)).size < items.length
  yield* requireThat(!isRepeated, `payout ${payout.id} would get an item twice`)
  const amounts = items.map(({ amount }) => amount)
  return yield* save(stores, { payout, put: items, amounts, added: items.length })
})

/** The same for ids of which that is not known: one that the payout has is a fault. */
export const addItems = (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Effect.Effect<StoredPayout, Cents.AmountOutOfRange | StorageError> =>
  Effect.andThen(requireNewIds(stores, payout, items), addNewItems(stores, payout, items))

/** Puts an item in the place of the one with its id, in a payout that is not settled. */
export const replaceItem = (
  stores: Stores,
  payout: StoredPayout,
  { before, after }: { readonly before: PayoutItem; readonly after: PayoutItem },
): Changed =>
  Effect.andThen(
    requireThat(before.id === after.id, `item ${before.id} can't become item ${after.id}`),
    save(stores, { payout, put: [after], amounts: [-before.amount, after.amount], added: 0 }),
  )

/** Takes an item, as it was read, out of a payout that is not settled. */
export const removeItem = (stores: Stores, payout: StoredPayout, item: PayoutItem): Changed =>
  save(stores, { payout, remove: [item.id], amounts: [-item.amount], added: -1 })
