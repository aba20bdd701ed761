/** Going through payouts with their histories, to hold the one against the other. */
import * as Effect from "effect/Effect"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { AuditService, PayoutDifference } from "../Audit.js"
import { PayoutRebuilding } from "./PayoutRebuilding.js"
import { needPayout } from "./payoutViews.js"
import type { Transactor } from "./transactor.js"

/** How many payouts are looked at in one transaction: few, so that it is short. */
const payoutsAtATime = 20

/** How many entries of a history are read at a time. */
const entriesAtATime = 200

/** Gives every difference of one payout, in the transaction in which it was read. */
const differencesOf = Effect.fnUntraced(function* (
  { payouts }: Stores,
  payout: StoredPayout,
): Effect.fn.Return<ReadonlyArray<PayoutDifference>, StorageError> {
  const rebuilding = new PayoutRebuilding(payout.id)
  for (let after = 0; ; ) {
    const limit = entriesAtATime
    const entries = yield* payouts.history({ payoutId: payout.id, after, limit })
    for (const entry of entries) rebuilding.take(entry)
    const last = entries.at(-1)?.version ?? after
    // A store that gives the same ones again must not hold the audit up without end.
    if (entries.length < limit || last <= after) break
    after = last
  }
  return rebuilding.compare(payout, yield* payouts.items(payout.id))
})

/** `Audit.payouts` */
export const auditPayouts = ({ read }: Transactor): AuditService["payouts"] =>
  Effect.fn("Audit.payouts")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const differences: Array<PayoutDifference> = []
    let checked = 0
    for (let after: string | undefined; ; ) {
      const from = after
      const looked = yield* read(
        accountId,
        Effect.fnUntraced(function* (stores) {
          const batch = yield* stores.payouts.batch({ after: from, limit: payoutsAtATime })
          const found = yield* Effect.forEach(batch, (payout) => differencesOf(stores, payout))
          return { last: batch.at(-1)?.id, count: batch.length, found: found.flat() }
        }),
      )
      checked += looked.count
      for (const difference of looked.found) differences.push(difference)
      if (looked.count < payoutsAtATime) return { checked, differences }
      after = looked.last
    }
  })

/** `Audit.payout` */
export const auditPayout = ({ read }: Transactor): AuditService["payout"] =>
  Effect.fn("Audit.payout")(function* (accountId: string, payoutId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const differences = yield* read(accountId, (stores) =>
      Effect.flatMap(needPayout(stores, payoutId), (payout) => differencesOf(stores, payout)),
    )
    return { checked: 1, differences }
  })
