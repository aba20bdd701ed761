/** What can be done with sales. */

import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { show } from "../../internal/problems.js"
import { sameData } from "../../internal/sameData.js"
import * as Catalogue from "../../orders/Catalogue.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { PageRequest } from "../../pagination/PageRequest.js"
import { ExchangeRates, type ExchangeRatesService } from "../../ports/ExchangeRates.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type { RecordedSale } from "../../ports/SaleStore.js"
import type { Storage, Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import * as Split from "../../shares/Split.js"
import type { Recording, RefundRequest, SalesService } from "../Sales.js"
import { NotFound } from "../ServiceError.js"
import { Settings, type SettingsService, type SettingsValue } from "../Settings.js"
import { now } from "./now.js"
import * as parts from "./orderParts.js"
import { askRates, collaboratorsOf, type KnownRates, missingRates, placeShares } from "./posting.js"
import { checkRequest, recordedAgain, recordRefund } from "./refunds.js"
import { makeRulesCache, type RulesCache, rulesOf } from "./rules.js"
import { sliceOf } from "./slices.js"
import { die, logChange, makeTransactor, type Transactor } from "./transactions.js"

/** All that the methods share. */
interface Dependencies {
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly exchangeRates: ExchangeRatesService
  readonly newId: Effect.Effect<string>
  readonly cache: RulesCache
}

/** A call of `record`, the same in each of its attempts. */
interface RecordCall {
  readonly accountId: string
  readonly order: Order
  readonly settings: SettingsValue
  readonly rates: KnownRates
}

const idsOf = ({ id, externalId, externalVariantId }: Product): ReadonlyArray<string> =>
  [id, externalId, externalVariantId].filter((one) => one !== undefined)

/** Fills in from the catalogue what an order leaves out; an order without a time was made now. */
const complete = Effect.fnUntraced(function* (
  stores: Stores,
  order: Order,
  at: number,
): Effect.fn.Return<Order, StorageError> {
  const ids = [...new Set(order.items.flatMap((item) => idsOf(item.product)))]
  const found = ids.length === 0 ? [] : yield* stores.products.find(ids)
  const keyed = found.map((product) => ({ key: productKeyOf(product), product }))
  const products = keyed
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ product }) => product)
  const dated = { ...order, createdAt: order.createdAt ?? at }
  return Catalogue.complete(Catalogue.make(products), dated)
})

/** Either the recording, or the currencies to which a rate is missing; then nothing was written. */
type Attempt = { readonly recording: Recording } | { readonly missing: ReadonlyArray<string> }

const storePart = Effect.fnUntraced(function* (
  stores: Stores,
  earlier: ReadonlyArray<RecordedSale>,
  sale: Pick<RecordedSale, "order" | "groups" | "policy" | "split" | "postings" | "recordedAt">,
) {
  const orderId = sale.order.id
  const part = earlier.length + 1
  const stored = yield* stores.sales.insert({ ...sale, orderId, part, refunds: [] })
  const [items, shares] = [sale.order.items.length, sale.split.shares.length]
  yield* logChange("sale recorded", { orderId, part, items, shares })
  return [...earlier, stored]
})

const attempt = (world: Dependencies, { accountId, order, settings, rates }: RecordCall) =>
  Effect.fnUntraced(function* (stores: Stores) {
    const earlier = yield* stores.sales.ofOrder(order.id)
    const part = yield* Effect.fromResult(parts.newPart(order, earlier))
    const { newItemIds, knownItemIds } = part
    if (newItemIds.length === 0) {
      return { recording: { parts: earlier, newItemIds, knownItemIds } } satisfies Attempt
    }
    const at = yield* now
    const { policy, timeZone } = settings
    const completed = yield* complete(stores, part.order, at)
    const all = yield* rulesOf(world.cache, accountId, stores)
    const rules = parts.rulesForPart(all, policy, { order: completed, earlier })
    const split = yield* Effect.fromResult(Split.orderResult(rules, completed, policy))
    const { shares } = split
    const people = yield* collaboratorsOf(stores, shares)
    const missing = missingRates(order.currency, people.values(), rates)
    if (missing.length > 0) return { missing } satisfies Attempt
    const terms = { at, timeZone, newId: world.newId }
    const sold = { order: completed, shares, rates }
    const postings = yield* placeShares(stores, terms, people, sold)
    const groups = parts.groupsWithSay(rules, split)
    const sale = { order: completed, groups, policy, split, postings, recordedAt: at }
    const recorded = yield* storePart(stores, earlier, sale)
    return { recording: { parts: recorded, newItemIds, knownItemIds } } satisfies Attempt
  })

const record = (world: Dependencies): SalesService["record"] =>
  Effect.fn("Sales.record")(function* (accountId: string, input: Order) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const order = yield* Effect.fromResult(parts.checkOrder(input))
    yield* Effect.annotateCurrentSpan({ orderId: order.id })
    const settings = yield* world.settings.of(accountId)
    const rates = new Map<string, string>()
    while (true) {
      const call = { accountId, order, settings, rates }
      const done: Attempt = yield* world.transactor.write(accountId, attempt(world, call))
      if ("recording" in done) return done.recording
      const request = { accountId, from: order.currency, at: yield* now }
      const asked = yield* askRates(world.exchangeRates, request, done.missing)
      for (const [currency, rate] of asked) rates.set(currency, rate)
    }
  })

const preview = (world: Dependencies): SalesService["preview"] =>
  Effect.fn("Sales.preview")(function* (accountId: string, input: Order) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const order = yield* Effect.fromResult(parts.checkOrder(input))
    const { policy } = yield* world.settings.of(accountId)
    return yield* world.transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const completed = yield* complete(stores, order, yield* now)
        const rules = yield* rulesOf(world.cache, accountId, stores)
        const split = yield* Effect.fromResult(Split.orderResult(rules, completed, policy))
        return { order: completed, split }
      }),
    )
  })

const refund = (world: Dependencies): SalesService["refund"] =>
  Effect.fn("Sales.refund")(function* (accountId: string, input: RefundRequest) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const request = yield* Effect.fromResult(checkRequest(input))
    const { id: refundId, orderId, itemId } = request
    yield* Effect.annotateCurrentSpan({ refundId, orderId, itemId })
    const { timeZone } = yield* world.settings.of(accountId)
    return yield* world.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const known = yield* stores.sales.refund(refundId)
        if (known !== undefined) return yield* Effect.fromResult(recordedAgain(known, request))
        const terms = { at: yield* now, timeZone, newId: world.newId }
        const recorded = yield* recordRefund(stores, terms, request)
        yield* logChange("refund recorded", { refundId, orderId, itemId })
        return recorded
      }),
    )
  })

const partsOf = Effect.fnUntraced(function* (
  { transactor }: Dependencies,
  accountId: string,
  orderId: string,
) {
  const recorded = yield* transactor.read(accountId, ({ sales }) => sales.ofOrder(orderId))
  const name = typeof orderId === "string" ? orderId : show(orderId)
  return recorded.length === 0 ? yield* NotFound.of("order", name) : recorded
})

const get = (world: Dependencies): SalesService["get"] =>
  Effect.fn("Sales.get")(function* (accountId: string, orderId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, orderId })
    return yield* partsOf(world, accountId, orderId)
  })

const list = (world: Dependencies): SalesService["list"] =>
  Effect.fn("Sales.list")(function* (accountId: string, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* world.transactor.read(accountId, ({ sales }) => sales.list(sliceOf(page)))
  })

const splitAgain = ({
  orderId,
  part,
  order,
  groups,
  policy,
  split,
}: RecordedSale): Effect.Effect<Split.Split> => {
  if (sameData(policy, split.policy) && Split.comesOutAgain(split, { groups }, order)) {
    return Effect.succeed(split)
  }
  const message = `part ${part} of order ${orderId} does not split again as it was recorded`
  return die(message)
}

const replay = (world: Dependencies): SalesService["replay"] =>
  Effect.fn("Sales.replay")(function* (accountId: string, orderId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, orderId })
    return yield* Effect.forEach(yield* partsOf(world, accountId, orderId), splitAgain)
  })

/** The service of a layer that is being built. */
export const makeSales: Effect.Effect<SalesService, never, Storage | ExchangeRates | SecureRandom> =
  Effect.gen(function* () {
    const world: Dependencies = {
      transactor: yield* makeTransactor,
      settings: yield* Settings,
      exchangeRates: yield* ExchangeRates,
      newId: (yield* SecureRandom).uuidV7(),
      cache: makeRulesCache(),
    }
    return {
      record: record(world),
      preview: preview(world),
      refund: refund(world),
      get: get(world),
      list: list(world),
      replay: replay(world),
    }
  })
