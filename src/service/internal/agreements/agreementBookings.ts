/** The history of an agreement: what was booked for it, and in which payout it is by now. */
import * as Effect from "effect/Effect"
import { type AgreementItem, agreementsOf } from "../../../agreements/AgreementItem.js"
import type { AgreementEntry, AgreementKey, BookedLine } from "../../../ports/AgreementStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { orderOf } from "./agreementEntries.js"

/**
 * A line that was booked for an agreement, or a share that counts for a guarantee.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementBookingLine {
  readonly line: AgreementItem
  /** The payout in which it is by now; `null`: it is in none, as the store's lines, and shares, which are items of sales. */
  readonly payoutId: string | null
}

/**
 * What was booked for an agreement at one time: of an item of a sale, with the sale, a re-split or a refund of it, or when
 * a part of a reserve was released; or of a guarantee at its end.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementBooking {
  /** `null`: it is the end of a guarantee. */
  readonly orderId: string | null
  readonly itemId: string | null
  /** Unix seconds. */
  readonly at: number
  /** Its lines that are about the agreement. */
  readonly lines: ReadonlyArray<AgreementBookingLine>
}

const isAbout =
  ({ kind, id }: AgreementKey) =>
  ({ line }: BookedLine): boolean =>
    agreementsOf(line).some((one) => one.kind === kind && one.id === id)

const lineOf = Effect.fnUntraced(function* (
  { payouts }: Stores,
  { line, payoutItemId: itemId }: BookedLine,
): Effect.fn.Return<AgreementBookingLine, StorageError> {
  const { collaboratorId } = line
  if (itemId === null || collaboratorId === null) return { line, payoutId: null }
  const [place] = yield* payouts.entries({ collaboratorId, itemId })
  return { line, payoutId: place?.payoutId ?? null }
})

/** Entries with what of them is about an agreement. */
export const bookingsOf = (
  stores: Stores,
  key: AgreementKey,
  entries: ReadonlyArray<AgreementEntry>,
): Effect.Effect<ReadonlyArray<AgreementBooking>, StorageError> =>
  Effect.forEach(entries, ({ orderId, itemId, lines: all }) =>
    Effect.map(
      Effect.forEach(all.filter(isAbout(key)), (booked) => lineOf(stores, booked)),
      (lines) => {
        const isOfSale = lines.every(({ line }) => line.kind !== "shortfall")
        const subject = isOfSale ? { orderId: orderOf(orderId), itemId } : noSubject
        return { ...subject, at: lines[0]?.line.at ?? 0, lines }
      },
    ),
  )

const noSubject = { orderId: null, itemId: null } as const
