/** Storing something with a long id, in each of the places where something has an id. */
import type { StorageError, Stores } from "apportion/ports"
import { Effect } from "effect"
import * as samples from "../../../src/testing/contracts/samples.js"

type Store = (stores: Stores, id: string) => Effect.Effect<unknown, StorageError>

const withAda =
  (store: Store): Store =>
  (stores, id) =>
    Effect.andThen(stores.collaborators.insert(samples.collaborator("ada")), store(stores, id))

const withSale =
  (store: Store): Store =>
  (stores, id) =>
    Effect.andThen(stores.sales.insert(samples.sale("o1")), store(stores, id))

/** What is stored under an id. */
export const placesOfIds: Readonly<Record<string, Store>> = {
  collaborator: ({ collaborators }, id) => collaborators.insert(samples.collaborator(id)),
  "product group": withAda(({ groups }, id) => groups.insert(samples.group(id))),
  product: ({ products }, id) => products.put([samples.product(id)]),
  variant: ({ products }, id) => products.put([samples.product("p1", { externalVariantId: id })]),
  "product and its variant": ({ products }, id) =>
    products.put([samples.product(id, { externalVariantId: id })]),
  payout: withAda(({ payouts }, id) => payouts.insert({ payout: samples.payout(id) })),
  "payout item": withAda(({ payouts }, id) =>
    payouts.insert({
      payout: { ...samples.payout("pay-1"), itemsCount: 1 },
      put: [samples.income(`${id}/${id}/${id}/refund/1`)],
    }),
  ),
  order: ({ sales }, id) => sales.insert(samples.sale(id)),
  "order item": ({ sales }, id) => sales.insert(samples.sale("o1", { itemIds: [id] })),
  refund: withSale(({ sales }, id) => {
    const added = samples.refund(id, samples.sale("o1"))
    return sales.addRefund({ orderId: "o1", part: 1, version: 1, refund: added, postings: [] })
  }),
  "idempotency key": ({ keys }, id) => keys.insert(samples.answer(id)),
  "link job": ({ links }, id) => links.saveJob(samples.job(id)),
  links: withAda(({ groups, products, links }, id) =>
    Effect.gen(function* () {
      yield* groups.insert(samples.group(id))
      const product = samples.product(id, { externalVariantId: id, tags: [id.repeat(4)] })
      yield* products.put([product])
      yield* links.add(id, [`${id}/${id}`])
    }),
  ),
}
