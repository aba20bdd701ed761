/** What the words about a sale call its items and the people in it. */
import * as Effect from "effect/Effect"
import type { Order } from "../../../orders/Order.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { Split } from "../../../shares/Split.js"

/** What collaborators are called, by id. */
export type CollaboratorNames = ReadonlyMap<string, string>

/** The collaborators whom the words about splits name. */
export const namedIn = (splits: ReadonlyArray<Split>): ReadonlyArray<string> =>
  splits.flatMap(({ shares, outranked }) =>
    [...shares, ...outranked].map(({ collaboratorId }) => collaboratorId),
  )

/** Their names; those who share one have their ids too. Whoever has none is not in it. */
export const collaboratorNames = Effect.fnUntraced(function* (
  { collaborators }: Pick<Stores, "collaborators">,
  collaboratorIds: ReadonlyArray<string>,
): Effect.fn.Return<CollaboratorNames, StorageError> {
  const ids = [...new Set(collaboratorIds)]
  const found = ids.length === 0 ? [] : yield* collaborators.find(ids)
  const named = found
    .map(({ collaborator: { id, account } }) => ({ id, name: account.name.trim() }))
    .filter(({ name }) => name !== "")
  const byName = Map.groupBy(named, ({ name }) => name)
  const isAlone = (name: string) => byName.get(name)?.length === 1
  return new Map(named.map(({ id, name }) => [id, isAlone(name) ? name : `${name} (${id})`]))
})

/** How an order's explanation names what it is about. */
export const namesIn = ({ items }: Pick<Order, "items">, people: CollaboratorNames) => {
  const called = new Map(items.map(({ id, product }) => [id, product.name]))
  return {
    item: (itemId: string) => called.get(itemId),
    collaborator: (collaboratorId: string) => people.get(collaboratorId),
  }
}
