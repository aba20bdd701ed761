/** Puts a store into an account that has nothing yet. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Payout from "../payouts/Payout.js"
import type { StorageService, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { Store, StoreGroup } from "../wire/Store.js"

/** Stores a group. Its products are linked in the background, as those of a new group are. */
const putGroup = (
  { groups, links }: Stores,
  { group, updatedAt }: StoreGroup,
  now: number,
): Effect.Effect<void, StorageError> => {
  const createdAt = group.createdAt ?? now
  return Effect.flatMap(
    groups.insert({ group: { ...group, createdAt }, updatedAt: updatedAt ?? createdAt }),
    ({ version }) =>
      links.saveJob({
        ...{ groupId: group.id, groupVersion: version, after: null, scanned: 0 },
        ...{ status: "running", startedAt: now, updatedAt: now },
      }),
  )
}

const putPayout = ({ payouts }: Stores, { items, ...standing }: Payout.Payout) =>
  payouts.insert({
    payout: {
      ...standing,
      total: Result.getOrThrow(Payout.total({ id: standing.id, items })),
      itemsCount: items.length,
    },
    put: items,
  })

const putAll = (stores: Stores, store: Store, now: number): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    for (const collaborator of store.collaborators) {
      yield* stores.collaborators.insert({ collaborator, createdAt: now, updatedAt: now })
    }
    yield* stores.products.put(store.products)
    for (const group of store.groups) yield* putGroup(stores, group, now)
    for (const payout of store.payouts) yield* putPayout(stores, payout)
  })

const nothing = { offset: 0, limit: 1 }

/** Whether an account has nothing that somebody could miss. */
const isEmpty = ({ collaborators, products, payouts, sales }: Stores) =>
  Effect.map(
    Effect.all([
      collaborators.list(nothing),
      products.list({}, nothing),
      payouts.list({}, nothing),
      sales.list(nothing),
    ]),
    (lists) => lists.every(({ total }) => total === 0),
  )

/** Writes everything of a store into an account that has nothing yet, as one change; else nothing. */
export const seed = (
  storage: StorageService,
  accountId: string,
  store: Store,
): Effect.Effect<boolean, StorageError> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) =>
    storage.transaction(
      accountId,
      (stores) =>
        Effect.tap(isEmpty(stores), (empty) =>
          empty ? putAll(stores, store, Math.floor(millis / 1_000)) : Effect.void,
        ),
      { actor: "seed" },
    ),
  )
