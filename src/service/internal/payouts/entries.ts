/** Expenses and incomes before they are added: which ids they can have, and which entries are booked already. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { show, summarize } from "../../../internal/problems.js"
import * as PayoutItem from "../../../payouts/PayoutItem.js"
import type { PlacedItem } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"

/** Used until the currency is known: the ISO 4217 code for "no currency". */
export const noCurrency = "XXX"

/** The ids that `PayoutItem.keyOf` gives to shares, and those of their adjustments and refunds. */
const shareKey = /^[^/]*\/[^/]*\/[^/]*(\/adjustment\/[^/]*)?(\/refund\/\d+)?$/

/** The id of an entry can't be used. */
export const invalidId = (id: string, message: string): PayoutItem.InvalidEntry => {
  const problems = [{ path: "id", value: id, message }]
  return new PayoutItem.InvalidEntry({ problems, message: summarize(problems) })
}

/** An id that a share could get is refused now, so that no sale is ever refused because of it. */
export const checkId = (
  item: PayoutItem.Entry,
): Result.Result<PayoutItem.Entry, PayoutItem.InvalidEntry> =>
  shareKey.test(item.id)
    ? Result.fail(
        invalidId(
          item.id,
          `must not look like order/item/group, as shares do, got ${show(item.id)}`,
        ),
      )
    : Result.succeed(item)

/**
 * An entry that was booked, and the payout that it is in.
 *
 * @since 0.6.0
 * @category models
 */
export interface BookedEntry {
  readonly payoutId: string
  readonly item: PayoutItem.Entry
}

const isEntry = (placed: PlacedItem): placed is BookedEntry =>
  placed.item.kind === "expense" || placed.item.kind === "income"

/** The ids of a booking that is divided over several payouts: those after the first are numbered. */
export const partId = (id: string, number: number): string =>
  number === 1 ? id : `${id} (${number})`

/** A requested entry, which may be a repeated one. */
interface AskedEntry {
  readonly item: PayoutItem.Entry
  /** Whether an amount was given; otherwise any amount is the same. */
  readonly hasAmount: boolean
  /** `undefined`: any currency is the same. */
  readonly currency: string | undefined
  /** Whether it may be divided over several payouts. */
  readonly isDivided: boolean
}

const isAskedAgain = (
  known: ReadonlyArray<BookedEntry>,
  { item: wanted, hasAmount, currency }: AskedEntry,
): boolean => {
  const sum = known.reduce((all, { item }) => all + BigInt(item.amount), 0n)
  const isAmount = ({ asked }: PayoutItem.Entry) =>
    !hasAmount || (sum === BigInt(wanted.amount) && asked === wanted.asked)
  return known.every(
    ({ item }) =>
      isAmount(item) &&
      item.kind === wanted.kind &&
      item.purpose === wanted.purpose &&
      item.name === wanted.name &&
      (currency === undefined || item.originalCurrency === currency),
  )
}

/**
 * The entries that are booked for a collaborator under an id, in whatever payout they are by now; empty: none. An id of
 * another entry is refused.
 */
export const bookedBefore = Effect.fnUntraced(function* (
  { payouts }: Stores,
  { collaboratorId, id }: { readonly collaboratorId: string; readonly id: string },
  entry: AskedEntry,
): Effect.fn.Return<ReadonlyArray<BookedEntry>, PayoutItem.InvalidEntry | StorageError> {
  const known: Array<BookedEntry> = []
  for (let number = 1; ; number += 1) {
    const found = yield* payouts.entries({ collaboratorId, itemId: partId(id, number) })
    known.push(...found.filter(isEntry))
    if (found.length === 0 || !entry.isDivided) break
  }
  if (known.length === 0 || isAskedAgain(known, entry)) return known
  return yield* Effect.fail(
    invalidId(id, `must be new, or that of the same entry, got ${show(id)}`),
  )
})

/** Fails when a further part of a booking would have the id of another entry of the collaborator. */
export const requireNewPart = Effect.fnUntraced(function* (
  { payouts }: Stores,
  { collaboratorId, id }: { readonly collaboratorId: string; readonly id: string },
): Effect.fn.Return<void, PayoutItem.InvalidEntry | StorageError> {
  const found = yield* payouts.entries({ collaboratorId, itemId: id })
  if (found.length > 0) {
    return yield* Effect.fail(
      invalidId(id, `is the id of another entry, and a part of this one needs it`),
    )
  }
})
