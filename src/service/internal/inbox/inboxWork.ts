/** Carrying out a delivery in one transaction, keeping deliveries that have to wait, and retrying them. */
import * as Effect from "effect/Effect"
import type { InboxEntry } from "../../../ports/InboxStore.js"
import type { Occurrence, Platform } from "../../../ports/Platform.js"
import type { Stores } from "../../../ports/Storage.js"
import { isPassing, type StorageError } from "../../../ports/StorageError.js"
import { emit, now } from "../transactions.js"
import {
  cancelStep,
  deletionStep,
  incompleteStep,
  nameStep,
  orderStep,
  passOverStep,
} from "./inboxOrders.js"
import { privacyStep } from "./inboxPrivacy.js"
import { productRemovalStep, productStep, variantStep } from "./inboxProducts.js"
import { refundStep, withdrawalStep } from "./inboxRefunds.js"
import {
  done,
  entryKeyOf,
  type InboxCall,
  type InboxDelivery,
  type InboxStep,
  type InboxTools,
  isOlder,
  keyOf,
  NotLikeThis,
  NotYet,
  nothing,
} from "./inboxSteps.js"
import { sumsStep } from "./inboxSums.js"

/** The outcome of a delivery. */
export type InboxResult =
  | { readonly outcome: "known"; readonly steps: ReadonlyArray<InboxStep> }
  | { readonly outcome: "carried out"; readonly steps: ReadonlyArray<InboxStep> }
  | { readonly outcome: "waiting" | "refused"; readonly entry: InboxEntry }

const uninstalledStep = Effect.fnUntraced(function* ({ platform }: InboxCall, stores: Stores) {
  const at = yield* now
  const key = `${platform.name}/app`
  yield* stores.inbox.putNotes([{ key, at, kind: "app", uninstalledAt: at }])
  yield* emit({ type: "app.uninstalled", data: { platform: platform.name } })
  return done()
})

const stepOf = (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  { told, delivery }: { readonly told: Occurrence; readonly delivery: InboxDelivery },
) => {
  switch (told.kind) {
    case "order recorded":
    case "order changed":
      return orderStep(tools, call, stores, { told, delivery })
    case "order cancelled":
      return cancelStep(tools, call, stores, { told, delivery })
    case "order passed over":
      return passOverStep(call, stores, told)
    case "order deleted":
      return deletionStep(call, stores, told)
    case "order incomplete":
      return incompleteStep(call, stores, told)
    case "order named":
      return nameStep(call, stores, told)
    case "refund":
      return refundStep(tools, call, stores, { told, delivery })
    case "refund withdrawn":
      return withdrawalStep(call, stores, told)
    case "refunds listed":
      return sumsStep(tools, call, stores, { told, delivery })
    case "product put":
      return productStep(tools, call, stores, { told, delivery })
    case "variant put":
      return variantStep(tools, call, stores, told)
    case "product removed":
      return productRemovalStep(tools, call, stores, told)
    case "app uninstalled":
      return uninstalledStep(call, stores)
    case "privacy request":
      return privacyStep(call, stores, told)
    case "question":
      return Effect.fail(new NotLikeThis({ message: told.reason }))
    case "nothing":
      return Effect.succeed(nothing(told.reason))
  }
}

const receiptKey = ({ platform, deliveryId }: InboxDelivery): string =>
  keyOf(platform, "delivery", deliveryId)

const receiptOf = (delivery: InboxDelivery, at: number) =>
  ({ key: receiptKey(delivery), at, kind: "delivery", topic: delivery.topic }) as const

/** Carries out all of a delivery, or nothing. */
const carryOut = (tools: InboxTools, call: InboxCall, delivery: InboxDelivery) =>
  tools.transactor.write(
    call.accountId,
    Effect.fnUntraced(function* (stores: Stores) {
      const { entry } = delivery
      if (entry === undefined) {
        const [known] = yield* stores.inbox.notes([receiptKey(delivery)])
        if (known !== undefined) return { outcome: "known", steps: [] } satisfies InboxResult
      } else if ((yield* stores.inbox.get(entry.key))?.deliveryId !== entry.deliveryId) {
        // Another call was faster, or a newer entry took its place.
        return { outcome: "known", steps: [] } satisfies InboxResult
      }
      const steps: Array<InboxStep> = []
      for (const told of delivery.occurrences) {
        steps.push(yield* stepOf(tools, call, stores, { told, delivery }))
      }
      if (entry !== undefined) yield* stores.inbox.remove(entry.key)
      yield* stores.inbox.putNotes([receiptOf(delivery, yield* now)])
      return { outcome: "carried out", steps } satisfies InboxResult
    }),
  )

// Deliveries that have to wait.

const [firstWait, longestWait] = [60, 3_600]

const waitAfter = (attempts: number): number =>
  Math.min(longestWait, firstWait * 2 ** Math.min(attempts, 10))

/** The main occurrence: an order may bring products along, which the delivery is not about. */
const mainOf = (occurrences: ReadonlyArray<Occurrence>): Occurrence | undefined =>
  occurrences.find(({ kind }) => kind !== "product put") ?? occurrences[0]

/** How old the main occurrence is, if it says so. */
const ageOf = (occurrences: ReadonlyArray<Occurrence>): number | null => {
  const main = mainOf(occurrences)
  return main !== undefined && "updatedAt" in main ? main.updatedAt : null
}

/** What the delivery is about. */
const subjectOf = ({ platform, occurrences, deliveryId }: InboxDelivery): string => {
  const first = mainOf(occurrences)
  const key = first === undefined ? null : entryKeyOf(platform, first)
  return key ?? keyOf(platform, "delivery", deliveryId)
}

/**
 * The key under which a delivery waits. Each state of an order has its own, because each may become a part of it. An
 * entry that a person has to look at replaces earlier ones.
 */
const waitingKey = (delivery: InboxDelivery): string => {
  const main = mainOf(delivery.occurrences)
  const subject = subjectOf(delivery)
  return main?.kind === "order changed" ? `${subject}/${main.updatedAt ?? "unknown"}` : subject
}

/** The inbox has no place for more; the platform has to send it again. */
export type IsFull = { readonly isFull: true; readonly count: number }

/** The largest size of an entry, in characters. */
const mostOfEntry = 1_000_000

interface Wait {
  readonly waitsFor: string | null
  readonly reason: string
}

/** Why a delivery is set aside, and what is kept of it: of one that is too large, a question that names it. */
const keptOf = (
  delivery: InboxDelivery,
  { waitsFor, reason }: Wait,
): Wait & Pick<InboxEntry, "occurrences"> => {
  const { occurrences } = delivery
  if (JSON.stringify(occurrences).length <= mostOfEntry) return { occurrences, waitsFor, reason }
  const subject = subjectOf(delivery)
  const why = `${reason}; it is too large to wait here, of more than ${mostOfEntry} characters: have ${subject} sent again when it can be carried out, and drop this`
  return { occurrences: [{ kind: "question", subject, reason: why }], waitsFor: null, reason: why }
}

/** Keeps a delivery that could not be carried out, and replaces an older one about the same. */
const setAside = (
  { transactor }: InboxTools,
  call: InboxCall,
  delivery: InboxDelivery,
  why: Wait & { readonly most: number },
) =>
  transactor.write(
    call.accountId,
    Effect.fnUntraced(function* (stores: Stores) {
      const { waitsFor, reason, occurrences } = keptOf(delivery, why)
      const isWaiting = waitsFor !== null
      const fresh = isWaiting ? waitingKey(delivery) : subjectOf(delivery)
      const before = delivery.entry?.key
      // A question beside a delivery has a key of its own.
      const key = before === undefined || before === waitingKey(delivery) ? fresh : before
      if (before !== undefined && before !== key) yield* stores.inbox.remove(before)
      const known = yield* stores.inbox.get(key)
      const count = known === undefined ? yield* stores.inbox.count() : 0
      if (count >= why.most) return { isFull: true, count } satisfies IsFull
      const at = yield* now
      const attempts = delivery.entry === undefined ? 0 : delivery.entry.attempts + 1
      const state = isWaiting ? ("waiting" as const) : ("refused" as const)
      const entry: InboxEntry = {
        ...{ key, platform: delivery.platform.name, topic: delivery.topic },
        ...{ deliveryId: delivery.deliveryId, state, waitsFor, reason },
        ...{ occurrences, receivedAt: delivery.receivedAt, attempts },
        nextAttemptAt: at + waitAfter(attempts),
      }
      const isLate =
        known !== undefined && isOlder(ageOf(entry.occurrences), ageOf(known.occurrences))
      if (!isLate) yield* stores.inbox.put(entry)
      yield* stores.inbox.putNotes([receiptOf(delivery, at)])
      const isNew = known === undefined || known.state !== state
      if (isNew) {
        const { platform, topic } = entry
        yield* emit({ type: "delivery.set-aside", data: { key, platform, topic, state, reason } })
      }
      return { outcome: state, entry } satisfies InboxResult
    }),
  )

/** How long a delivery waits at most, and how many may wait. */
export interface InboxLimits {
  readonly patienceSeconds: number
  readonly mostEntries: number
}

/**
 * Carries a delivery out, or keeps it. Only when the storage fails, nothing is kept: then the platform sends it again.
 */
export const takeIn = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  delivery: InboxDelivery,
  { patienceSeconds, mostEntries }: InboxLimits,
): Effect.fn.Return<InboxResult | IsFull, StorageError> {
  const isLong = (yield* now) - delivery.receivedAt >= patienceSeconds
  // A refused delivery does not wait, so only a person's force carries it out without what is missing.
  const isForced = call.isForced || (delivery.entry?.state === "waiting" && isLong)
  const carried = carryOut(tools, { ...call, isForced }, delivery)
  const result = yield* Effect.catch(carried, (error) => {
    // A delivery that the storage has no room for is refused, or the platform would send it again and again.
    if (isPassing(error)) return Effect.fail(error)
    const waitsFor = error instanceof NotYet ? error.waitsFor : null
    return Effect.succeed({ waitsFor, reason: error.message })
  })
  if ("outcome" in result) return result
  return yield* setAside(tools, call, delivery, { ...result, most: mostEntries })
})

const deliveryOf = (platform: Platform, entry: InboxEntry): InboxDelivery => ({
  ...{ platform, topic: entry.topic, deliveryId: entry.deliveryId, entry },
  ...{ occurrences: entry.occurrences, receivedAt: entry.receivedAt },
})

/** Retries an entry. */
export const tryAgain = (
  tools: InboxTools,
  call: InboxCall,
  entry: InboxEntry,
  limits: InboxLimits,
) => takeIn(tools, call, deliveryOf(call.platform, entry), limits)

const entriesAtATime = 50

/** However many entries one delivery sets free, it is answered soon; the sweep retries the rest. */
const mostSetFree = 200

const freedBy = (result: InboxResult | IsFull): ReadonlyArray<string> =>
  "steps" in result ? result.steps.flatMap(({ frees }) => frees) : []

/** The entries that wait for something, and those kept for a person of an order that is newer now. */
const entriesOf = (
  tools: InboxTools,
  { accountId, platform: { name } }: InboxCall,
  subject: string,
): Effect.Effect<ReadonlyArray<InboxEntry>, StorageError> =>
  tools.transactor.read(
    accountId,
    Effect.fnUntraced(function* ({ inbox }) {
      const waiting = yield* inbox.list({ waitsFor: subject, limit: entriesAtATime })
      const older = [yield* inbox.get(`${subject}/first`), yield* inbox.get(`${subject}/changed`)]
      return [
        ...waiting.filter(({ state, platform }) => state === "waiting" && platform === name),
        ...older.flatMap((entry) => (entry?.state === "refused" ? entry : [])),
      ]
    }),
  )

/**
 * Retries the entries that waited for a delivery, and those that waited for them in turn. However long an entry has
 * waited, it may wait for something else now.
 */
export const followUp = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  result: InboxResult | IsFull,
  limits: InboxLimits,
) {
  const open = [...freedBy(result)]
  const seen = new Set<string>()
  let count = 0
  for (let waitsFor = open.pop(); waitsFor !== undefined; waitsFor = open.pop()) {
    if (seen.has(waitsFor)) continue
    seen.add(waitsFor)
    for (const entry of yield* entriesOf(tools, call, waitsFor)) {
      if (count >= mostSetFree) return
      count += 1
      const patient = { ...limits, patienceSeconds: Number.POSITIVE_INFINITY }
      const again = yield* tryAgain(tools, call, entry, patient)
      const freed = freedBy(again)
      for (const key of freed) seen.delete(key)
      open.push(...freed)
    }
  }
})
