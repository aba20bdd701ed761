/** What a collaborator is owed or owes, computed from the stored payouts. */
import * as Effect from "effect/Effect"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import * as Balance from "../../../payouts/Balance.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"

/** Whose balance, in which currency. */
export type BalanceOwner = Pick<Balance.Balance, "collaboratorId" | "currency">

// A collaborator has one active payout in a currency, and few that wait to be paid.
const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

/** The payouts of a collaborator in a currency that are not paid yet: the earliest opened first. */
export const unsettledOf = Effect.fnUntraced(function* (
  { payouts }: Stores,
  { collaboratorId, currency }: BalanceOwner,
): Effect.fn.Return<ReadonlyArray<StoredPayout>, StorageError> {
  const found: Array<StoredPayout> = []
  for (const status of ["active", "pending", "failed"] as const) {
    const { entries } = yield* payouts.list({ collaboratorId, status }, all)
    found.push(...entries.filter((payout) => payout.currency === currency))
  }
  return found.sort((one, other) => one.openedAt - other.openedAt || (one.id < other.id ? -1 : 1))
})

/** The total of payouts; below zero, it is owed. */
export const totalOf = (
  owner: BalanceOwner,
  payouts: ReadonlyArray<StoredPayout>,
): Effect.Effect<number, AmountOutOfRange> =>
  Effect.fromResult(Balance.of(owner, payouts.reduce(Balance.add, Balance.none))).pipe(
    Effect.map(({ total }) => total),
  )
