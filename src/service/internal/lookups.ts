/** What every service looks up: which part of a list is asked for, and what has to be there. */
import * as Effect from "effect/Effect"
import { maximumPerPage, type PageRequest } from "../../pagination/PageRequest.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { NotFound } from "../ServiceError.js"
import { die } from "./transactions.js"

/** The slice of a list that a page is; a page that nobody can mean is brought to the nearest one. */
export const sliceOf = ({ page, perPage }: PageRequest): Slice => {
  const limit = Math.min(Math.max(perPage, 1), maximumPerPage)
  return { offset: (Math.max(page, 1) - 1) * limit, limit }
}

/** A number that nobody can mean is brought to the nearest one that can be meant. */
export const wholeWithin = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.floor(value) || least, least), most)

/** The collaborator with an id, or the failure that there is none. */
export const needCollaborator = (
  stores: Stores,
  collaboratorId: string,
): Effect.Effect<StoredCollaborator, NotFound | StorageError> =>
  Effect.flatMap(stores.collaborators.get(collaboratorId), (stored) =>
    stored === undefined
      ? Effect.fail(NotFound.of("collaborator", collaboratorId))
      : Effect.succeed(stored),
  )

/** The payout with an id, or the failure that there is none. */
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

/**
 * An id that no item of a payout has: the one that says what the item is, unless somebody gave it to an
 * expense or income.
 */
export const unusedId = Effect.fnUntraced(function* (
  stores: Stores,
  payoutId: string,
  id: string,
): Effect.fn.Return<string, StorageError> {
  let candidate = id
  for (let count = 2; ; count += 1) {
    if ((yield* stores.payouts.item(payoutId, candidate)) === undefined) return candidate
    candidate = `${id}/${count}`
  }
})
