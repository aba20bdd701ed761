/** Carrying out the occurrences of orders that platforms report. */
import * as Effect from "effect/Effect"
import { isBroughtId } from "../../../orders/Attribute.js"
import * as Catalogue from "../../../orders/Catalogue.js"
import type { Order } from "../../../orders/Order.js"
import type { InboxNote, LateState } from "../../../ports/InboxStore.js"
import type { Occurrence } from "../../../ports/Platform.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { RuleSet } from "../../../rules/RuleSet.js"
import { inForce } from "../chosenSettings.js"
import { matchingRules } from "../rules/rules.js"
import { toRecord } from "../sales/orderStates.js"
import { now } from "../transactions.js"
import {
  done,
  type InboxCall,
  type InboxDelivery,
  type InboxTools,
  isOlder,
  type KnownOrder,
  keyOf,
  NotLikeThis,
  NotYet,
  newest,
  newOrderNote,
  nothing,
  type OrderNote,
} from "./inboxSteps.js"
import { correctAfter, correctOrder, isCorrected } from "./orderCorrections.js"
import { completedAt, isOfPast, productHistories } from "./productPast.js"
import { cancellations } from "./refundRequests.js"

export type Told<Kind extends Occurrence["kind"]> = Extract<Occurrence, { readonly kind: Kind }>

// What is known of an order.

/** Sales are stored under the platform's id alone, so when two platforms have the same id, the first one owns it. */
const ownerKeyOf = (orderId: string): string => `order/${orderId}/owner`

const ownerOf = ({ platform }: InboxCall, orderId: string, at: number): InboxNote => ({
  ...{ key: ownerKeyOf(orderId), at, kind: "owner", platform: platform.name },
})

const refuseOther = (
  key: string,
  orderId: string,
  owner: InboxNote | undefined,
): Effect.Effect<void, NotLikeThis> => {
  if (owner?.kind !== "owner") return Effect.void
  if (key === keyOf({ name: owner.platform }, "order", orderId)) return Effect.void
  const message = `order ${orderId} was recorded from ${owner.platform}, and ${key} is another one with the same id: give one of the shops an account of its own, or record this order under another id, and drop this`
  return Effect.fail(new NotLikeThis({ message }))
}

export const knownOrder = Effect.fnUntraced(function* (
  stores: Stores,
  key: string,
  orderId: string,
): Effect.fn.Return<KnownOrder, StorageError | NotLikeThis> {
  const ownerKey = ownerKeyOf(orderId)
  const notes = yield* stores.inbox.notes([key, ownerKey])
  const found = notes.find((note) => note.key === key)
  yield* refuseOther(
    key,
    orderId,
    notes.find((note) => note.key === ownerKey),
  )
  const parts = yield* stores.sales.ofOrder(orderId)
  const note = found?.kind === "order" ? found : newOrderNote(key, yield* now)
  // The host may have recorded the order directly.
  const isRecorded = parts.length > 0 && note.state === "open"
  return { note: isRecorded ? { ...note, state: "recorded" } : note, parts }
})

/** The names of an order, by which its refunds find it. */
const namesOf = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  { orderId, otherIds }: { readonly orderId: string; readonly otherIds: ReadonlyArray<string> },
) {
  const keys = otherIds.map((id) => keyOf(platform, "order", id))
  const found = keys.length === 0 ? [] : yield* stores.inbox.notes(keys)
  for (const note of found) {
    const other = note.kind === "name" ? note.orderId : undefined
    if (other === orderId) continue
    const whose = other === undefined ? "is the id of an order itself" : `is of order ${other}`
    const message = `${note.key} names order ${orderId}, and ${whose}`
    return yield* new NotLikeThis({ message })
  }
  const at = yield* now
  return keys.map((key): InboxNote => ({ key, at, kind: "name", orderId }))
})

const wasCancelled = "the order was cancelled, and nothing of it is left"

const wasPassedOver = "the order is no sale"

const isNewer = "something newer of the order was carried out"

/** Why nothing more is to be done with an order; `undefined`: it is open. */
export const whyOver = ({ state }: OrderNote): string | undefined => {
  if (state === "cancelled") return wasCancelled
  return state === "passed over" ? wasPassedOver : undefined
}

// The products of an order, for rules that need values that only the catalogue has.

const linked = new WeakMap<RuleSet, ReadonlySet<string>>()

/** The attributes that links of rules look at: `brought ids` are those that only the catalogue may have. */
const linkTypes = (rules: RuleSet): ReadonlySet<string> => {
  const known = linked.get(rules)
  if (known !== undefined) return known
  const found = new Set<string>(
    rules.groups.map(({ link: { type, values } }) =>
      type === "products" && values.some(isBroughtId) ? "brought ids" : type,
    ),
  )
  linked.set(rules, found)
  return found
}

/** Whether any rule looks at what the order does not say: tags and brought ids always, vendors on some platforms. */
const needsCatalogue = (rules: RuleSet, { items }: Order): boolean => {
  const types = linkTypes(rules)
  const isVendorMissing = items.some(({ product }) => product.vendor === undefined)
  if (types.has("products.tag") || types.has("brought ids")) return true
  return types.has("products.vendor") && isVendorMissing
}

/** The order completed with removed products, and the ids of products of which nothing is known. */
const withProducts = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  order: Order,
) {
  const ids = [...new Set(order.items.flatMap(({ product }) => product.externalId ?? []))]
  const found = ids.length === 0 ? [] : yield* stores.products.find(ids)
  const there = new Set(found.flatMap(({ id, externalId }) => [id, externalId]))
  const others = ids.filter((id) => !there.has(id))
  const keys = others.map((id) => keyOf(platform, "product", id))
  const notes = keys.length === 0 ? [] : yield* stores.inbox.notes(keys)
  const gone = notes.flatMap((note) => (note.kind === "product" ? note.products : []))
  const known = new Set(gone.map(({ id }) => id))
  const completed = gone.length === 0 ? order : Catalogue.complete(Catalogue.make(gone), order)
  return { order: completed, unknown: others.filter((id) => !known.has(id)) }
})

/** The order completed with the recorded values of products that are no longer known. */
const withRecorded = (
  order: Order,
  parts: KnownOrder["parts"],
  unknown: ReadonlyArray<string>,
): Order => {
  const recorded = parts.flatMap((part) => part.order.items.map(({ product }) => product))
  const gone = recorded.filter(({ externalId = "" }) => unknown.includes(externalId))
  return gone.length === 0 ? order : Catalogue.complete(Catalogue.make(gone), order)
}

// Orders.

/** A reported order, and its delivery. */
interface OrderIn {
  readonly told: Told<"order recorded" | "order changed">
  readonly delivery: InboxDelivery
}

/** Refuses an order that was reversed as a whole and is a sale again: its items are recorded already. */
const refuseReturned = (
  { told: { order, updatedAt }, delivery }: OrderIn,
  note: OrderNote,
): Effect.Effect<void, NotLikeThis> => {
  const isLater = updatedAt !== null && note.updatedAt !== null && updatedAt > note.updatedAt
  const isStillBack = delivery.occurrences.some(
    (other) => other.kind === "order cancelled" && other.orderId === order.id,
  )
  if (note.state !== "cancelled" || !isLater || isStillBack) return Effect.void
  const message = `order ${order.id} was cancelled and taken back, and is a sale again: record it under an id of its own, then drop this`
  return Effect.fail(new NotLikeThis({ message }))
}

/** A state that arrives after a newer one: the difference that it would have made in time is booked as adjustments. */
const lateStep = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  { known, late }: { readonly known: KnownOrder; readonly late: LateState },
) {
  const { note } = known
  const correction = yield* correctOrder(tools, call, stores, { ...known, added: late })
  if (correction.type === "impossible") {
    const message = `a state of order ${late.order.id} came after a newer one, and what the order would be otherwise can't be worked out: ${correction.message}`
    return yield* new NotLikeThis({ message })
  }
  const isKept = correction.type === "done" && correction.changes
  const changed = isKept ? { ...note, late: [...(note.late ?? []), late] } : note
  yield* stores.inbox.putNotes([changed])
  const runId = correction.type === "done" ? correction.runId : undefined
  if (runId === undefined) return nothing(isNewer)
  return done([], [`${isNewer}; what this one changes of the shares was booked as ${runId}`])
})

/** Waits for a product that is not in the catalogue, when a rule or the policy needs what only the catalogue says. */
const needProducts = Effect.fnUntraced(function* (
  tools: InboxTools,
  { accountId, platform, isForced }: InboxCall,
  stores: Stores,
  { order, missing }: { readonly order: Order; readonly missing: ReadonlyArray<string> },
) {
  const [waiting] = missing
  if (waiting === undefined || isForced) return
  const { policy } = yield* inForce(stores, yield* tools.settings.of(accountId))
  const rules = yield* matchingRules(tools.rules, accountId, stores)
  if (policy.cost !== "deduct" && !needsCatalogue(rules, order)) return
  const message = `order ${order.id} has product ${waiting}, which the catalogue does not know yet`
  return yield* new NotYet({ waitsFor: keyOf(platform, "product", waiting), message })
})

/** Records what is new of an order, and waits for what it needs. */
export const orderStep = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  recorded: OrderIn,
) {
  const { told } = recorded
  const { order, leftOut, updatedAt } = told
  const key = keyOf(call.platform, "order", order.id)
  const { note, parts } = yield* knownOrder(stores, key, order.id)
  const isFirst = told.kind === "order recorded"
  const begun = { ...note, at: yield* now, isBegun: true }
  const names = yield* namesOf(call, stores, { orderId: order.id, otherIds: told.otherIds ?? [] })
  const frees = [key, ...names.map((name) => name.key)]
  yield* refuseReturned(recorded, note)
  const over = whyOver(note) ?? (isOlder(updatedAt, note.updatedAt) ? isNewer : undefined)
  if (over === isNewer && updatedAt !== null) {
    const late = { updatedAt, order }
    const step = yield* lateStep(tools, call, stores, { known: { note: begun, parts }, late })
    yield* stores.inbox.putNotes(names)
    return { ...step, frees }
  }
  if (over !== undefined) {
    yield* stores.inbox.putNotes([begun, ...names])
    return nothing(over, ...frees)
  }
  if (!isFirst && !note.isBegun && parts.length === 0 && !call.isForced) {
    const message = `order ${order.id} changed, and the first delivery of it did not come yet`
    return yield* new NotYet({ waitsFor: key, message })
  }
  const histories = yield* productHistories(call, stores, order)
  const then = updatedAt === null ? order : completedAt(order, histories, updatedAt)
  const completed = yield* withProducts(call, stores, then)
  const missing = completed.unknown.filter((id) => !told.goneProducts.includes(id))
  yield* needProducts(tools, call, stores, { order: completed.order, missing })
  const known = withRecorded(completed.order, parts, completed.unknown)
  const sale = yield* Effect.fromResult(toRecord(known, parts))
  const { newItemIds, parts: all } = yield* tools.sales.record(call.accountId, sale)
  const status = order.details?.status ?? note.status
  const isPart = all.length > parts.length
  const states = isPart ? [...(note.states ?? []), updatedAt] : note.states
  const changed: OrderNote = {
    ...{ ...begun, state: "recorded", leftOut, status, states },
    updatedAt: newest(updatedAt, note.updatedAt),
  }
  yield* stores.inbox.putNotes([changed, ownerOf(call, order.id, begun.at), ...names])
  const isPast = updatedAt !== null && isOfPast(histories, updatedAt)
  if (note.late !== undefined || isPast || isCorrected(parts)) {
    const { delivery } = recorded
    yield* correctAfter(tools, call, stores, { known: { note: changed, parts: all }, delivery })
  }
  const unknown = missing.map((id) => `the catalogue does not know product ${id}`)
  const isNothing = newItemIds.length === 0
  return isNothing ? nothing("nothing of the order is new", ...frees) : done(frees, unknown)
})

/** Notes an order that is no sale. */
export const passOverStep = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  { orderId, updatedAt, isFinal, isFirst, isDoubtful, reason }: Told<"order passed over">,
) {
  const key = keyOf(platform, "order", orderId)
  const { note, parts } = yield* knownOrder(stores, key, orderId)
  const isOver = whyOver(note) !== undefined || parts.length > 0
  const changed: OrderNote = {
    ...{ ...note, at: yield* now, isBegun: note.isBegun || isFirst },
    state: isFinal && !isOver ? "passed over" : note.state,
  }
  yield* stores.inbox.putNotes([changed])
  // Recorded shares are not reversed automatically: a person has to see why it is no sale any more.
  const isSale = note.state === "recorded" && !isOlder(updatedAt, note.updatedAt)
  if ((isFinal && parts.length > 0) || (isDoubtful === true && isSale)) {
    const message = `${reason}, and was recorded as a sale before (state of ${updatedAt ?? "unknown"})`
    return yield* new NotLikeThis({ message })
  }
  return nothing(reason, key)
})

/** Reverses what is left of an order. */
export const cancelStep = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  cancelled: { readonly told: Told<"order cancelled">; readonly delivery: InboxDelivery },
) {
  const { told, delivery } = cancelled
  const { orderId, updatedAt, mayReturn = false } = told
  const { accountId, platform } = call
  const key = keyOf(platform, "order", orderId)
  const { note, parts } = yield* knownOrder(stores, key, orderId)
  const isLate = mayReturn && isOlder(updatedAt, note.updatedAt)
  const over = whyOver(note) ?? (isLate ? isNewer : undefined)
  if (over !== undefined) return nothing(over)
  const requests = cancellations(orderId, parts)
  for (const request of requests) yield* tools.sales.refund(accountId, request)
  if (isCorrected(parts)) {
    const all = { note, parts: yield* stores.sales.ofOrder(orderId), isCancelled: true }
    yield* correctAfter(tools, call, stores, { known: all, delivery })
  }
  const state = mayReturn && parts.length === 0 ? ("open" as const) : ("cancelled" as const)
  const changed = { ...note, at: yield* now, isBegun: true, state }
  yield* stores.inbox.putNotes([{ ...changed, updatedAt: newest(updatedAt, note.updatedAt) }])
  return requests.length === 0 ? nothing("nothing of the order was recorded", key) : done([key])
})

/** Deleting an order moves no money, so what was recorded of it stays until a person decides. */
export const deletionStep = Effect.fnUntraced(function* (
  { platform, isForced }: InboxCall,
  stores: Stores,
  { orderId }: Told<"order deleted">,
) {
  const key = keyOf(platform, "order", orderId)
  const { note } = yield* knownOrder(stores, key, orderId)
  if (note.state === "recorded") {
    const message = `order ${orderId} was deleted, and was recorded as a sale: refund it if it was none, and drop this`
    return yield* new NotLikeThis({ message })
  }
  if (note.state === "open" && !isForced) {
    const message = `order ${orderId} was deleted, and a sale of it may be on its way`
    return yield* new NotYet({ waitsFor: key, message })
  }
  return nothing("nothing of the order was recorded")
})

/** Waits for an order whose delivery left lines out. */
export const incompleteStep = Effect.fnUntraced(function* (
  { platform, isForced }: InboxCall,
  stores: Stores,
  { orderId, reason: message }: Told<"order incomplete">,
) {
  const waitsFor = keyOf(platform, "order", orderId)
  const { note, parts } = yield* knownOrder(stores, waitsFor, orderId)
  const over = whyOver(note) ?? (parts.length > 0 ? "the order was recorded" : undefined)
  if (over !== undefined) return nothing(over)
  return yield* isForced ? new NotLikeThis({ message }) : new NotYet({ waitsFor, message })
})

/** Notes another id of an order. */
export const nameStep = Effect.fnUntraced(function* (
  call: InboxCall,
  stores: Stores,
  { orderId, otherId }: Told<"order named">,
) {
  const names = yield* namesOf(call, stores, { orderId, otherIds: [otherId] })
  yield* stores.inbox.putNotes(names)
  return nothing(`${otherId} is of order ${orderId}`, ...names.map(({ key }) => key))
})
