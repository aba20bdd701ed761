/** Requests of buyers, which platforms pass on: to report what is stored of them, or to remove it. */
import * as Effect from "effect/Effect"
import type { Order } from "../../../orders/Order.js"
import type { Occurrence } from "../../../ports/Platform.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { emit } from "../transactions.js"
import { done, type InboxCall, NotLikeThis, type StoredOfOrder } from "./inboxSteps.js"

type Request = Extract<Occurrence, { readonly kind: "privacy request" }>

type Fields = StoredOfOrder["fields"]

/** The fields that rules look at and the recorded split depends on: they stay, and identify nobody. */
const ruleFields = (order: Order): Fields => ({
  ...((order.customerTags ?? []).length === 0 ? {} : { customerTags: order.customerTags ?? [] }),
  ...((order.referers ?? []).length === 0 ? {} : { referers: order.referers ?? [] }),
  ...(order.billingCountry == null ? {} : { billingCountry: order.billingCountry }),
})

const names = ["customerEmail", "customerName", "shippingAddress", "billingAddress"] as const

/** The fields that identify the buyer: only hosts that record orders directly store them. */
const namingFields = ({ details }: Order): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = details?.[name]
      return value == null ? [] : [[name, value]]
    }),
  )

const storedOf = Effect.fnUntraced(function* (
  stores: Stores,
  orderIds: ReadonlyArray<string>,
  fieldsOf: (order: Order) => Fields,
): Effect.fn.Return<ReadonlyArray<StoredOfOrder>, StorageError> {
  const found: Array<StoredOfOrder> = []
  for (const orderId of new Set(orderIds)) {
    const parts = yield* stores.sales.ofOrder(orderId)
    if (parts.length === 0) continue
    const all = parts.map(({ order }) => Object.entries(fieldsOf(order)))
    found.push({ orderId, fields: Object.fromEntries(all.flat()) })
  }
  return found
})

const entriesAtATime = 200

/** Entries of a shop that is gone are never carried out. */
const emptyInbox = Effect.fnUntraced(function* ({ platform }: InboxCall, { inbox }: Stores) {
  let after: string | undefined
  while (true) {
    const entries = yield* inbox.list({ after, limit: entriesAtATime })
    for (const entry of entries) {
      if (entry.platform !== platform.name) continue
      yield* inbox.remove(entry.key)
      const { key, topic } = entry
      const reason = "the shop asked for all of its data to go"
      yield* emit({
        type: "delivery.dropped",
        data: { key, platform: platform.name, topic, reason },
      })
    }
    after = entries.at(-1)?.key
    if (entries.length < entriesAtATime) return
  }
})

/** Answers a request. Deliveries store nothing that identifies a buyer, so there is little to report or to remove. */
export const privacyStep = Effect.fnUntraced(function* (
  call: InboxCall,
  stores: Stores,
  { request, requestId, orderIds }: Request,
) {
  const data = { platform: call.platform.name, request, requestId, orders: orderIds.length }
  yield* emit({ type: "privacy.requested", data })
  if (request === "shop redaction") {
    yield* emptyInbox(call, stores)
    return done()
  }
  if (request === "customer data") {
    const fieldsOf = (order: Order) => ({ ...ruleFields(order), ...namingFields(order) })
    return { ...done(), stored: yield* storedOf(stores, orderIds, fieldsOf) }
  }
  const naming = yield* storedOf(stores, orderIds, namingFields)
  const [first] = naming.filter(({ fields }) => Object.keys(fields).length > 0)
  if (first === undefined) return done()
  const what = Object.keys(first.fields).join(", ")
  const message = `order ${first.orderId} was recorded with ${what} of its buyer, which no delivery brought: who recorded it has to see to it`
  return yield* new NotLikeThis({ message })
})
