/**
 * Deliveries of an order that overtook each other: what is recorded stays, and the difference to what would be recorded
 * if they had come in the order of events is booked as adjustments of it.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { sameData } from "../../../internal/sameData.js"
import type { Order } from "../../../orders/Order.js"
import type { LateState } from "../../../ports/InboxStore.js"
import type { Occurrence } from "../../../ports/Platform.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import type { RecordedRefund, RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { RuleSet } from "../../../rules/RuleSet.js"
import * as Adjustment from "../../../shares/Adjustment.js"
import { inForce } from "../chosenSettings.js"
import { doesCount } from "../counters/saleCounts.js"
import { askRates } from "../rates.js"
import { type Adjusting, bookAdjustments, type TodaysRates } from "../resplits/resplitBatch.js"
import { recordedSplit } from "../resplits/resplitParts.js"
import { rulesOf } from "../rules/rules.js"
import { now } from "../transactions.js"
import { ask } from "./inboxQuestions.js"
import {
  correctionsOf,
  type InboxCall,
  type InboxDelivery,
  type InboxTools,
  type KnownOrder,
  keyOf,
} from "./inboxSteps.js"
import {
  asRecorded,
  type OrderPast,
  type PastPart,
  type PastRefund,
  type PastState,
  partsOf,
  refundsOfLines,
  stateOf,
} from "./orderPast.js"
import { type ProductHistories, productHistories, recordedAt } from "./productPast.js"
import { cancellationOf } from "./refundRequests.js"

/** An order that is compared with the order of events. */
interface CorrectedOrder extends KnownOrder {
  /** A state of it that is not noted yet. */
  readonly added?: LateState | undefined
  /** Whether all of it was taken back. */
  readonly isCancelled?: boolean
}

/** The result of a correction. */
export type Correction =
  /** The times of its parts are not known, or the order was split again since. */
  | { readonly type: "none" }
  /** `changes`: whether the state that came late would have been a part; `runId`: what was booked. */
  | { readonly type: "done"; readonly changes: boolean; readonly runId: string | undefined }
  | { readonly type: "impossible"; readonly message: string }

const numbersOf = (times: ReadonlyArray<number | null>): ReadonlyArray<number> | undefined => {
  const known = times.filter((time) => time !== null)
  return known.length === times.length ? known : undefined
}

/** The groups of a part. A flat amount that an earlier part paid is stored as 0, and gets its earlier value here. */
const groupsOf = (
  { groups, policy }: RecordedSale,
  earlier: ReadonlyArray<RecordedSale>,
): ReadonlyArray<AccountGroup> => {
  if (policy.flatScope !== "order") return groups
  const known = earlier.toReversed().flatMap((sale) => sale.groups)
  const before = new Map(known.map((group) => [group.id, group]))
  return groups.map((group) => {
    const paid = group.amount === 0 ? before.get(group.id) : undefined
    return paid === undefined
      ? group
      : { ...group, amount: paid.amount, shippingPercent: paid.shippingPercent }
  })
}

/** The states from which the parts were recorded; `undefined`: it is not known when they were. */
const recordedStates = ({ note, parts }: KnownOrder): ReadonlyArray<PastState> | undefined => {
  const times = numbersOf(note.states ?? [])
  if (times === undefined || times.length !== parts.length) return undefined
  return parts.flatMap((sale, index) => {
    const { part, policy, recordedAt } = sale
    const [updatedAt, order] = [times[index], stateOf(parts.slice(0, index + 1))]
    if (updatedAt === undefined || order === undefined) return []
    const groups = groupsOf(sale, parts.slice(0, index))
    return [{ updatedAt, order, groups, policy, part, recordedAt, isLate: false }]
  })
}

/**
 * A state with rules that did not affect what was recorded: the groups that existed then, as they are now. Rules that
 * did affect it are taken as they were.
 */
const withAllRules = (state: PastState, { groups }: RuleSet): PastState => {
  const there = groups.filter(({ createdAt }) => (createdAt ?? 0) <= state.recordedAt)
  const all = new Map([...there, ...state.groups].map((group) => [group.id, group]))
  return { ...state, groups: [...all.values()] }
}

/** States with their products as they were at the time. */
const withProducts = (
  states: ReadonlyArray<PastState>,
  histories: ProductHistories,
  rules: RuleSet,
): ReadonlyArray<PastState> =>
  states.map((state) => {
    const order = recordedAt(state.order, histories, state.updatedAt)
    return sameData(order, state.order) ? state : withAllRules({ ...state, order }, rules)
  })

/** The attributes that conditions of rules look at. */
const attributes = ["tags", "customerTags", "discountCodes", "billingCountry", "referers"] as const

const isAlike = (one: Order, other: Order): boolean =>
  attributes.every((name) => sameData(one[name], other[name]))

/** A state that came late, with the products as they were recorded, and the part that has what came with it. */
const lateState = (
  { updatedAt, order }: LateState,
  recorded: ReadonlyArray<PastState>,
  rules: RuleSet,
): PastState | undefined => {
  const into = recorded.find((state) => state.updatedAt >= updatedAt)
  if (into === undefined) return undefined
  const products = new Map(into.order.items.map(({ id, product }) => [id, product]))
  const items = order.items.map((item) => ({
    ...item,
    product: products.get(item.id) ?? item.product,
  }))
  const createdAt = order.createdAt ?? into.order.createdAt
  const late = { ...into, updatedAt, isLate: true, order: { ...order, createdAt, items } }
  return isAlike(order, into.order) ? late : withAllRules(late, rules)
}

/** The platform's refund of a recorded one; a cancellation has none, though a refund may have its id. */
const platformId = ({ id, refund: { orderId } }: RecordedRefund): string => {
  const cancellation = cancellationOf(orderId)
  return id.startsWith(`${cancellation}/`) ? cancellation : (id.split("/")[0] ?? id)
}

const refundsOf = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  parts: ReadonlyArray<RecordedSale>,
) {
  const recorded = parts.flatMap(({ refunds }) => refunds)
  const byId = Map.groupBy(recorded, platformId)
  const keys = [...byId.keys()].map((id) => keyOf(platform, "refund", id))
  const notes = keys.length === 0 ? [] : yield* stores.inbox.notes(keys)
  const documents = new Map(
    notes.map((note) => [note.key, note.kind === "refund" ? note.document : undefined]),
  )
  return Array.from(byId, ([refundId, all]): PastRefund => {
    const refundedAt = Math.min(...all.map(({ refund }) => refund.refundedAt))
    const document = documents.get(keyOf(platform, "refund", refundId))
    return { refundId, refundedAt, document, refunds: refundsOfLines(parts, all) }
  })
})

/** A part of which nothing is left. */
const takenBack = (part: Adjustment.RecordedSplit): Adjustment.RecordedSplit => {
  const { orderId, items } = part.split
  const all = items.map(
    ({ itemId }) => ({ orderId, itemId, remaining: true, refundedAt: 0 }) as const,
  )
  return { ...part, refunds: [...part.refunds, ...all] }
}

const adjustingOf = (
  { parts, isCancelled = false }: CorrectedOrder,
  pasts: ReadonlyArray<PastPart>,
  histories: ProductHistories,
): Result.Result<ReadonlyArray<Adjusting>, { readonly message: string }> =>
  Result.gen(function* () {
    const all: Array<Adjusting> = []
    for (const sale of parts) {
      const inside = asRecorded(sale, pasts, parts)
      const wanted = isCancelled ? inside.map(takenBack) : inside
      const adjustment = yield* Adjustment.betweenParts(recordedSplit(sale), wanted)
      if (adjustment === null) continue
      const own = pasts.filter(({ state }) => state.part === sale.part)
      const groups = new Map(own.flatMap((past) => past.sale.groups).map((one) => [one.id, one]))
      const at = own.at(-1)?.state.updatedAt
      const order = at === undefined ? sale.order : recordedAt(sale.order, histories, at)
      const next = { order, groups: [...groups.values()], split: adjustment.split }
      all.push({ sale, outcome: { type: "changed", next, adjustment } })
    }
    return all
  })

/** Books adjustments, and asks for the rates of collaborators who had no share of the sale. */
const book = Effect.fnUntraced(function* (
  { newId, settings, exchangeRates }: InboxTools,
  { accountId }: InboxCall,
  stores: Stores,
  { adjusting, runId }: { readonly adjusting: ReadonlyArray<Adjusting>; readonly runId: string },
) {
  const { timeZone, maturityDays } = yield* inForce(stores, yield* settings.of(accountId))
  const at = yield* now
  const terms = { at, timeZone, maturityDays, newId }
  let rates: TodaysRates = new Map()
  while (true) {
    const missing = yield* bookAdjustments(stores, terms, adjusting, { runId, rates })
    const [first] = missing
    if (first === undefined) return
    // An order has one currency.
    const { from } = first
    const currencies = [...new Set(missing.map(({ to }) => to))]
    rates = new Map([[from, yield* askRates(exchangeRates, { accountId, from, at }, currencies)]])
  }
})

/** Whether adjustments were booked beside the parts, which later refunds have to reverse too. */
export const isCorrected = (parts: ReadonlyArray<RecordedSale>): boolean =>
  parts.some(({ adjustments = [] }) => adjustments.length > 0)

/** What other orders counted in between would be another thing, too. */
const whatCounts =
  "its shares depend on what was sold before it, by terms of product groups or remainders that are carried"

const isOf = ({ isLate, updatedAt }: PastState, late: LateState): boolean =>
  isLate && updatedAt === late.updatedAt

/**
 * Books the difference between what is recorded of an order and what would be if everything had arrived in the order of
 * events. Earlier corrections count as recorded, so a second call books nothing.
 */
export const correctOrder = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  known: CorrectedOrder,
) {
  const { note, parts, added } = known
  const prefix = correctionsOf(note.key)
  const runs = new Set(
    parts.flatMap(({ adjustments = [] }) => adjustments.map(({ runId }) => runId)),
  )
  const recorded = recordedStates(known)
  const isSplitAgain = [...runs].some((runId) => !runId.startsWith(prefix))
  if (recorded === undefined || isSplitAgain) return { type: "none" } satisfies Correction
  const { rules, counted } = yield* rulesOf(tools.rules, call.accountId, stores)
  if (counted !== undefined || parts.some(({ split }) => doesCount(split))) {
    return { type: "impossible", message: whatCounts } satisfies Correction
  }
  const late = [...(note.late ?? []), ...(added === undefined ? [] : [added])]
  const states = late.map((state) => lateState(state, recorded, rules))
  const placed = states.filter((state) => state !== undefined)
  if (placed.length < late.length) return { type: "none" } satisfies Correction
  const last = recorded.at(-1)
  const histories: ProductHistories =
    last === undefined ? new Map() : yield* productHistories(call, stores, last.order)
  const past: OrderPast = {
    ...{ platform: call.platform, leftOut: note.leftOut, status: note.status },
    states: withProducts([...recorded, ...placed], histories, rules),
    refunds: yield* refundsOf(call, stores, parts),
  }
  const result = Result.flatMap(partsOf(past), (pasts) =>
    Result.map(adjustingOf(known, pasts, histories), (adjusting) => ({ pasts, adjusting })),
  )
  if (Result.isFailure(result)) {
    return { type: "impossible", message: result.failure.message } satisfies Correction
  }
  const { pasts, adjusting } = result.success
  const runId = `${prefix}${runs.size + 1}`
  if (adjusting.length > 0) yield* book(tools, call, stores, { adjusting, runId })
  return {
    type: "done",
    changes: added !== undefined && pasts.some(({ state }) => isOf(state, added)),
    runId: adjusting.length > 0 ? runId : undefined,
  } satisfies Correction
})

/**
 * The same after another change was carried out, which stays: a difference that can't be computed is a question for a
 * person. Returns the run that was booked.
 */
export const correctAfter = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  { known, delivery }: { readonly known: CorrectedOrder; readonly delivery: InboxDelivery },
) {
  const correction = yield* correctOrder(tools, call, stores, known)
  const key = `${known.note.key}/late`
  if (correction.type === "done") yield* stores.inbox.remove(key)
  if (correction.type !== "impossible")
    return correction.type === "done" ? correction.runId : undefined
  const reason = `deliveries about ${known.note.key} overtook each other, and what its shares would be otherwise can't be worked out, so they stay as they are: ${correction.message}`
  const question: Occurrence = { kind: "question", subject: key, reason }
  yield* ask(stores, { key, reason, told: question }, delivery)
  return undefined
})
