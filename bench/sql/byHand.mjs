// Recording by hand over the port of the storage: what the services would come to if all that they do beside it took no time.
import { strict as assert } from "node:assert"
import { Effect, Result } from "effect"
import { Order, PayoutItem, RuleSet, Split } from "../../dist/index.js"
import { Storage } from "../../dist/ports/index.js"
import { Audit, Sales } from "../../dist/service/index.js"
import { accountId, groups, orderOf } from "./orders.mjs"

const atATime = 500

const actor = "unknown"
const currency = "USD"
const rules = RuleSet.make(groups)

const sumOf = (all) => all.reduce((sum, { amount }) => sum + amount, 0)

/** What an order is recorded as, and the items that it puts into payouts. */
const splitOrder = (order, at, recordedGroups, payouts) => {
  const dated = { ...order, createdAt: order.createdAt ?? at }
  const split = Split.order(rules, dated)
  const named = new Set(split.shares.map(({ groupId }) => groupId))
  const own = recordedGroups.filter(({ id }) => named.has(id))
  const items = split.shares.map((share) => ({
    ...{ share, payoutId: payouts.get(share.collaboratorId).id },
    item: Result.getOrThrow(PayoutItem.fromShare(share, { order: dated, currency, at })),
  }))
  return { order: dated, split, groups: own, items: byPayout(items) }
}

/** As the services do: all of a payout's items in one change. */
const byPayout = (items) =>
  [...Map.groupBy(items, ({ payoutId }) => payoutId)].map(([payoutId, all]) => ({ payoutId, all }))

const postingOf = ({ share, payoutId, item }) => ({
  ...{ itemId: share.itemId, groupId: share.groupId, collaboratorId: share.collaboratorId },
  ...{ payoutId, payoutItemId: item.id, currency, rate: null, reversed: 0, refunds: 0 },
})

const saleOf = ({ order, split, groups, items }, policy, at) => ({
  ...{ orderId: order.id, part: 1, order, groups, policy, split },
  postings: items.flatMap(({ all }) => all.map(postingOf)),
  ...{ recordedAt: at, refunds: [] },
})

const eventOf = ({ order, split, items }, at) => {
  const [sharesTotal, storeTotal] = [sumOf(split.shares), sumOf(split.store)]
  const data = {
    ...{ orderId: order.id, part: 1, currency, items: order.items.length },
    ...{ shares: split.shares.length, distributable: sharesTotal + storeTotal },
    ...{ sharesTotal, storeTotal, payoutIds: items.map(({ payoutId }) => payoutId) },
    payoutAmounts: items.map(({ all }) => sumOf(all.map(({ item }) => item))),
  }
  return { type: "sale.recorded", data, at, actor }
}

/** Each change leads on from the one before; `payouts` has what they are then. */
const changesOf = (splits, payouts) => {
  const changes = []
  for (const { items } of splits) {
    for (const { all } of items) {
      const { collaboratorId } = all[0].share
      const payout = payouts.get(collaboratorId)
      const put = all.map(({ item }) => item)
      const total = payout.total + sumOf(put)
      const after = { ...payout, total, itemsCount: payout.itemsCount + put.length }
      changes.push({ payout: after, put })
      payouts.set(collaboratorId, { ...after, version: payout.version + 1 })
    }
  }
  return changes
}

const owners = groups.map(({ collaboratorId }) => ({ collaboratorId, currency }))

/** The groups and the policy as the services record them with sales, which are the same in all. */
export const recordedTerms = Effect.gen(function* () {
  const { entries } = yield* (yield* Sales).list(accountId, {}, { page: 1, perPage: 100 })
  const all = new Map(entries.flatMap((sale) => sale.groups).map((group) => [group.id, group]))
  const found = groups.map(({ id }) => all.get(id))
  assert.ok(found.every((group) => group !== undefined))
  return { groups: found, policy: entries[0].policy }
})

const recordAll = (stores, orders, terms) =>
  Effect.gen(function* () {
    const { sales, payouts, events } = stores
    const found = yield* payouts.ofOwners(owners)
    const active = new Map(found.map(({ active }) => [active.collaboratorId, active]))
    const at = Math.floor(Date.now() / 1_000)
    for (let from = 0; from < orders.length; from += atATime) {
      const some = orders.slice(from, from + atATime)
      assert.equal((yield* sales.ofOrders(some.map(({ id }) => id))).length, 0)
      const splits = some.map((order) => splitOrder(order, at, terms.groups, active))
      const places = splits.flatMap(({ items }) =>
        items.flatMap(({ payoutId, all }) =>
          all.map(({ item }) => ({ payoutId, itemId: item.id })),
        ),
      )
      assert.equal((yield* payouts.itemsAt(places)).length, 0)
      yield* sales.insertAll(splits.map((split) => saleOf(split, terms.policy, at)))
      yield* payouts.storeAll(changesOf(splits, active))
      yield* events.append(splits.map((split) => eventOf(split, at)))
    }
    return orders.length
  })

/** Records orders, which are read first, in a transaction, of collaborators who have a payout each. */
export const byHand = (numbers, terms) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const orders = numbers.map((number) => Order.make(orderOf(number)))
    return yield* storage.transaction(accountId, (stores) => recordAll(stores, orders, terms))
  })

const told = (sale) => {
  const { recordedAt: _, ...rest } = sale
  return JSON.parse(JSON.stringify(rest).replaceAll(sale.orderId, "the order"))
}

/** What was recorded by hand must be what the services make of an order with the same items. */
export const compareByHand = (numberByHand, numberOfServices) =>
  Effect.gen(function* () {
    const sales = yield* Sales
    const [byHand] = yield* sales.get(accountId, `o${numberByHand}`)
    const [byServices] = yield* sales.get(accountId, `o${numberOfServices}`)
    assert.deepEqual(told(byHand), told(byServices))
    const audit = yield* Audit
    assert.deepEqual((yield* audit.payouts(accountId)).differences, [])
    assert.deepEqual((yield* audit.sales(accountId)).differences, [])
  })
