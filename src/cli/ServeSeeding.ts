/** A storage in memory that begins with a store. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as MemoryStorage from "../memory/MemoryStorage.js"
import * as Payout from "../payouts/Payout.js"
import { Storage, type StorageService, type Stores } from "../ports/Storage.js"
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

/** Writes everything of a store into an account that has nothing yet, as one change. */
export const seed = (
  storage: StorageService,
  accountId: string,
  store: Store,
): Effect.Effect<void, StorageError> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) =>
    storage.transaction(accountId, (stores) => putAll(stores, store, Math.floor(millis / 1_000))),
  )

/** The storage in memory with a store in it. What was read from a checked store can be stored. */
export const layer = (accountId: string, store: Store): Layer.Layer<Storage> =>
  Layer.effect(
    Storage,
    Effect.tap(MemoryStorage.make, (storage) => Effect.orDie(seed(storage, accountId, store))),
  )
