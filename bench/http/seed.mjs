// Fills a storage for the bench: many groups, and a million payout items.

import { Effect, Result } from "effect"
import { Collaborator, PayoutItem, ProductGroup } from "../../dist/index.js"
import { productKeyOf } from "../../dist/ports/index.js"

export const accountId = "bench"

/** How much there is of everything. */
export const sizes = {
  collaborators: 1_000,
  groups: 100_000,
  products: 1_000,
  payouts: 10_000,
  itemsOfPayout: 100,
}

const first = Date.UTC(2026, 0, 1) / 1000

const names = (prefix, count) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(6, "0")}`)

const collaborators = names("collaborator", sizes.collaborators)
const tags = names("tag", 100)

const product = (id, index) => ({
  id,
  externalId: String(8_000_000 + index),
  name: `Product ${index}`,
  vendor: `Vendor ${index % 20}`,
  price: 1_000 + index,
  cost: 300,
  tags: [tags[index % tags.length], "all"],
  inventoryQuantity: index % 50,
})

const products = names("product", sizes.products).map(product)
const groupIds = names("group", sizes.groups)

const group = (id, index) =>
  ProductGroup.make({
    id,
    collaboratorId: collaborators[index % collaborators.length],
    link: { type: "products.tag", values: [tags[index % tags.length]] },
    percent: "12.50",
    createdAt: first + index,
  })

const order = (id) => ({
  id,
  currency: "USD",
  items: [{ id: "1", product: products[id.length], quantity: 1, amount: 10_000 }],
})

const sale = (payoutId, index) => {
  const sold = order(`${payoutId}-${index}`)
  const share = { itemId: "1", groupId: groupIds[index], amount: 1_000 + index }
  return Result.getOrThrow(PayoutItem.fromShare(share, { order: sold, currency: "USD", at: first }))
}

const payoutStatuses = ["active", "pending", "paid", "failed", "manually paid"]

const payout = (id, index, items) => {
  // Each collaborator has one active payout, the first one.
  const status = payoutStatuses[Math.floor(index / sizes.collaborators) % payoutStatuses.length]
  const isActive = status === "active" && index < sizes.collaborators
  const kept = isActive || status !== "active" ? status : "paid"
  const closedAt = kept === "active" ? null : first + index
  return {
    id,
    collaboratorId: collaborators[index % collaborators.length],
    currency: "USD",
    status: kept,
    openedAt: first,
    toBePaidAt: first + index,
    closedAt,
    payableAt: closedAt,
    paidAt: kept.endsWith("paid") ? first + index : null,
    failureReason: kept === "failed" ? "no such account" : null,
    total: items.reduce((sum, item) => sum + item.amount, 0),
    itemsCount: items.length,
  }
}

const payoutIds = names("payout", sizes.payouts)

/** Ids that are asked for, from all over the data. */
export const some = (ids, count) =>
  Array.from({ length: count }, (_, index) => ids[Math.floor((index * ids.length) / count)])

export const ids = { collaborators, groupIds, payoutIds }

const write = (storage, work) => storage.transaction(accountId, work)

const seedPayouts = (storage) =>
  Effect.forEach(
    payoutIds,
    (id, index) =>
      write(storage, (stores) => {
        const items = Array.from({ length: sizes.itemsOfPayout }, (_, item) => sale(id, item))
        return stores.payouts.insert({ payout: payout(id, index, items), put: items })
      }),
    { discard: true },
  )

const seedGroups = (stores) =>
  Effect.gen(function* () {
    const byTag = Map.groupBy(products, (one) => one.tags[0])
    for (const [index, id] of groupIds.entries()) {
      yield* stores.groups.insert({ group: group(id, index), updatedAt: first })
      const linked = byTag.get(tags[index % tags.length]) ?? []
      yield* stores.links.add(id, linked.map(productKeyOf))
    }
  })

/** Puts everything into a storage. */
export const seed = (storage) =>
  Effect.gen(function* () {
    yield* write(storage, (stores) =>
      Effect.gen(function* () {
        for (const id of collaborators) {
          const collaborator = Collaborator.make({ id, currency: "USD" })
          yield* stores.collaborators.insert({ collaborator, createdAt: first, updatedAt: first })
        }
        yield* stores.products.put(products)
        yield* seedGroups(stores)
      }),
    )
    yield* seedPayouts(storage)
  })
