/** Look-ups that the services share: slices of lists, and records that must exist. */
import * as Effect from "effect/Effect"
import { at } from "../../internal/at.js"
import { maximumPerPage, type PageRequest } from "../../pagination/PageRequest.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { ItemPlace, StoredPayout } from "../../ports/PayoutStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { NotFound } from "../ServiceError.js"
import { die } from "./transactions.js"

/** The slice of a list for a page; numbers out of range are brought to the nearest valid ones. */
export const sliceOf = ({ page, perPage }: PageRequest): Slice => {
  const limit = Math.min(Math.max(perPage, 1), maximumPerPage)
  return { offset: (Math.max(page, 1) - 1) * limit, limit }
}

/** A whole number within a range; a number outside of it is brought to the nearest one inside. */
export const wholeWithin = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.floor(value) || least, least), most)

/** The collaborator with an id; fails when there is none. */
export const needCollaborator = (
  stores: Stores,
  collaboratorId: string,
): Effect.Effect<StoredCollaborator, NotFound | StorageError> =>
  Effect.flatMap(stores.collaborators.get(collaboratorId), (stored) =>
    stored === undefined
      ? Effect.fail(NotFound.of("collaborator", collaboratorId))
      : Effect.succeed(stored),
  )

/** The payout with an id; fails when there is none. */
export const needPayout = (
  stores: Stores,
  payoutId: string,
): Effect.Effect<StoredPayout, NotFound | StorageError> =>
  Effect.flatMap(stores.payouts.get(payoutId), (payout) =>
    payout === undefined ? Effect.fail(NotFound.of("payout", payoutId)) : Effect.succeed(payout),
  )

/** Collaborators are never removed, so a payout without one is a fault of the store. */
export const withoutOwner = ({ id, collaboratorId }: StoredPayout): Effect.Effect<never> =>
  die(`payout ${id} belongs to collaborator ${collaboratorId}, whom the store does not have`)

/** The collaborator of a payout. */
export const ownerOf = (
  stores: Stores,
  payout: StoredPayout,
): Effect.Effect<Collaborator, StorageError> =>
  Effect.flatMap(stores.collaborators.get(payout.collaboratorId), (stored) =>
    stored === undefined ? withoutOwner(payout) : Effect.succeed(stored.collaborator),
  )

/** The ids of candidates for places, of which those that items have already are numbered, beginning with a number. */
const numberedIds = (
  stores: Stores,
  places: ReadonlyArray<ItemPlace>,
  candidates: ReadonlyArray<ItemPlace>,
  number: number,
): Effect.Effect<ReadonlyArray<string>, StorageError> =>
  Effect.flatMapEager(stores.payouts.itemsAt(candidates), (taken) => {
    if (taken.length === 0) return Effect.succeed(candidates.map(({ itemId }) => itemId))
    const isTaken = (place: ItemPlace) =>
      taken.some(({ payoutId, item }) => payoutId === place.payoutId && item.id === place.itemId)
    const next = candidates.map((place, index) =>
      isTaken(place) ? { ...place, itemId: `${at(places, index).itemId}/${number}` } : place,
    )
    return numberedIds(stores, places, next, number + 1)
  })

/**
 * Ids that no items of payouts have: the given ones, in their order, unless an expense or income has one already; then it
 * is numbered.
 */
export const unusedIds = (
  stores: Stores,
  places: ReadonlyArray<ItemPlace>,
): Effect.Effect<ReadonlyArray<string>, StorageError> =>
  places.length === 0 ? Effect.succeed([]) : numberedIds(stores, places, places, 2)

/** The same of one item. */
export const unusedId = (
  stores: Stores,
  payoutId: string,
  itemId: string,
): Effect.Effect<string, StorageError> =>
  Effect.map(unusedIds(stores, [{ payoutId, itemId }]), ([unused = itemId]) => unused)
