/** What recording a refund would do: of whom it takes back what, and what they keep. */
import * as Effect from "effect/Effect"
import * as Cents from "../../../money/Cents.js"
import type { RecordedRefund, RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"

/**
 * What a refund takes back of a collaborator.
 *
 * @since 0.6.0
 * @category models
 */
export interface TakenBack {
  readonly collaboratorId: string
  /** `undefined`: they have none. */
  readonly name: string | undefined
  /** Of all their shares of the item, and of later adjustments, in cents of the order's currency. */
  readonly amount: number
  /** What they have of these after it, in cents of the order's currency. */
  readonly keeps: number
}

/**
 * What recording a refund would do now.
 *
 * @since 0.6.0
 * @category models
 */
export interface RefundPreview {
  /** As it would be recorded; as it was, if it is. */
  readonly refund: RecordedRefund
  /** Whether it is recorded already: the same refund again takes nothing back. */
  readonly isRecorded: boolean
  /** The order's. */
  readonly currency: string
  /** Whoever has a share of the item, in the order of the shares. */
  readonly collaborators: ReadonlyArray<TakenBack>
  /** What the store gives back. */
  readonly store: number
}

/** What each collaborator has of an item by now: of its shares and of later adjustments, without what refunds took back. */
const partsHeld = (
  parts: ReadonlyArray<RecordedSale>,
  itemId: string,
): ReadonlyMap<string, ReadonlyArray<number>> => {
  const held = parts.flatMap(({ split, adjustments = [], refunds }) => [
    ...[split, ...adjustments.map(({ adjustment }) => adjustment)].flatMap(({ shares }) =>
      shares.filter((share) => share.itemId === itemId),
    ),
    ...refunds
      .filter(({ refund }) => refund.itemId === itemId)
      .flatMap(({ reversal, adjusted = [] }) => [reversal, ...adjusted])
      .flatMap(({ shares }) => shares.map((share) => ({ ...share, amount: -share.amount }))),
  ])
  return new Map(
    Array.from(
      Map.groupBy(held, ({ collaboratorId }) => collaboratorId),
      ([id, own]) => [id, own.map(({ amount }) => amount)],
    ),
  )
}

/** What a refund takes back of each collaborator, and of the store; of one that is recorded, what it has taken back. */
export const takenBack = Effect.fnUntraced(function* (
  { collaborators, sales }: Stores,
  { refund, reversal, adjusted = [] }: RecordedRefund,
  { isRecorded }: Pick<RefundPreview, "isRecorded">,
): Effect.fn.Return<
  Pick<RefundPreview, "collaborators" | "store">,
  Cents.AmountOutOfRange | StorageError
> {
  const all = [reversal, ...adjusted]
  const shares = Map.groupBy(
    all.flatMap((one) => one.shares),
    ({ collaboratorId }) => collaboratorId,
  )
  const people = yield* collaborators.find([...shares.keys()])
  const names = new Map(
    people.map(({ collaborator: { id, account } }) => [id, account.name] as const),
  )
  const held = partsHeld(yield* sales.ofOrder(refund.orderId), refund.itemId)
  const sum = (amounts: ReadonlyArray<number>, what: string) =>
    Effect.fromResult(Cents.sum(amounts, { what }))
  return {
    collaborators: yield* Effect.forEach(
      shares,
      Effect.fnUntraced(function* ([collaboratorId, own]) {
        const name = names.get(collaboratorId)
        const of = `collaborator ${collaboratorId}`
        const amounts = own.map(({ amount }) => amount)
        const amount = yield* sum(amounts, `what is taken back of ${of}`)
        const left = [...(held.get(collaboratorId) ?? []), isRecorded ? 0 : -amount]
        return { collaboratorId, name, amount, keeps: yield* sum(left, `what ${of} keeps`) }
      }),
    ),
    store: yield* sum(
      all.map(({ store }) => store),
      "what is taken back of the store",
    ),
  }
})
