import * as Effect from "effect/Effect"
import * as Payment from "../../payouts/Payment.js"
import type { StoredPayment } from "../../ports/PaymentStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContext as inAccount, introduce } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame } from "./check.js"
import { earliest, largest, latest, oddIds, payment, payout } from "./samples.js"

/** Checks of a storage with pending payouts of these ids: a store may refuse payments of unknown payouts. */
const inContextWith =
  (payoutIds: ReadonlyArray<string>): typeof inAccount =>
  (name, check) =>
    inAccount(name, (context) =>
      Effect.andThen(
        context.write((stores) =>
          Effect.andThen(
            introduce(stores, ["ada"]),
            Effect.forEach(payoutIds, (id) => stores.payouts.insert({ payout: payout(id) })),
          ),
        ),
        check(context),
      ),
    )

const inContext = inContextWith(["o1", "o2", "o3"])

const insert = (context: ContractContext, given: Payment.Payment) =>
  context.write(({ payments }) => payments.insert(given))

const insertAll = (context: ContractContext, given: ReadonlyArray<Payment.Payment>) =>
  context.write(({ payments }) => Effect.forEach(given, (one) => payments.insert(one)))

const update = (context: ContractContext, given: StoredPayment) =>
  context.write(({ payments }) => payments.update(given))

const get = (context: ContractContext, id: string) =>
  context.read(({ payments }) => payments.get(id))

const idsOf = <E>(found: Effect.Effect<ReadonlyArray<StoredPayment>, E>) =>
  Effect.map(found, (payments) => payments.map(({ id }) => id))

const storing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a payment is inserted as version 1 and read as it was",
    Effect.fnUntraced(function* (context) {
      const contradiction = { at: earliest, event: "reject", message: "“no” 🎨" } as const
      const times = { claimedAt: earliest, sentAt: latest, acceptedAt: -1, endedAt: 0 }
      const given = payment("a1", {
        ...{ payoutId: "o1", status: "returned", ...times, returnedAt: latest, amount: largest },
        ...{ reference: "“42” 🎨", fee: largest, reason: "account closed", contradiction },
      })
      const expected = { ...given, version: 1 }
      yield* expectSame("what insert gives", yield* insert(context, given), expected)
      yield* expectSame("what get gives", yield* get(context, "a1"), expected)
      yield* expectSame("an unknown payment", yield* get(context, "A1"), undefined)
    }),
  ),
  inContext(
    "a second payment with the same id is a conflict, and the first stays",
    Effect.fnUntraced(function* (context) {
      const first = yield* insert(context, payment("a1", { payoutId: "o1" }))
      const other = payment("a1", { payoutId: "o2" })
      yield* expectConflict("inserting it again", insert(context, other))
      yield* expectSame("the payment", yield* get(context, "a1"), first)
    }),
  ),
  inContext(
    "an update replaces a payment as the next version",
    Effect.fnUntraced(function* (context) {
      const inserted = yield* insert(context, payment("a1", { payoutId: "o1" }))
      const other = yield* insert(context, payment("a2", { payoutId: "o2" }))
      const sent = { ...inserted, status: "sent", sentAt: 5, acceptedAt: 6 } as const
      const second = yield* update(context, sent)
      yield* expectSame("the first update", second, { ...sent, version: 2 })
      const ended = { endedAt: 7, reference: "r1", fee: 0, reason: "" }
      const confirmed = { ...second, ...ended, status: "confirmed" } as const
      const third = yield* update(context, confirmed)
      yield* expectSame("the second update", third, { ...confirmed, version: 3 })
      yield* expectSame("what get gives", yield* get(context, "a1"), third)
      yield* expectSame("the other", yield* get(context, "a2"), other)
    }),
  ),
  inContext(
    "an update of a payment that was changed since, or is not there, is a conflict",
    Effect.fnUntraced(function* (context) {
      const inserted = yield* insert(context, payment("a1", { payoutId: "o1" }))
      const second = yield* update(context, { ...inserted, reason: "again" })
      for (const version of [1, 3, 0]) {
        const late = update(context, { ...inserted, reason: "late", version })
        yield* expectConflict(`an update of version ${version}`, late)
      }
      const unknown = update(context, { ...inserted, id: "a2", payoutId: "o2" })
      yield* expectConflict("an update of an unknown payment", unknown)
      yield* expectSame("the payment", yield* get(context, "a1"), second)
    }),
  ),
  inContextWith(oddIds)(
    "payments whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      const given = oddIds.map((id) => payment(id, { payoutId: id }))
      yield* insertAll(context, given)
      for (const one of given) {
        const stored = { ...one, version: 1 }
        yield* expectSame(`the payment ${one.id}`, yield* get(context, one.id), stored)
        const ofPayout = context.read(({ payments }) => payments.ofPayout(one.id))
        yield* expectSame(`those of payout ${one.id}`, yield* ofPayout, [stored])
      }
      const all = context.read(({ payments }) => payments.list({ limit: 100 }))
      yield* expectSame("all of them", yield* idsOf(all), oddIds)
    }),
  ),
]

const being: ReadonlyArray<ContractCheck<StorageService>> = Payment.statuses
  .filter(Payment.isOpen)
  .map((status) =>
    inContext(
      `no payout has a second open payment beside one that is ${status}`,
      Effect.fnUntraced(function* (context) {
        yield* insert(context, payment("a1", { payoutId: "o1", status }))
        const rejected = payment("a2", { payoutId: "o1", status: "rejected" })
        const ended = yield* insert(context, rejected)
        const second = insert(context, payment("a3", { payoutId: "o1" }))
        yield* expectConflict("a second open one", second)
        const opened = update(context, { ...ended, status: "unknown", endedAt: null })
        yield* expectConflict("one that becomes open", opened)
        yield* insert(context, payment("a4", { payoutId: "o2", status }))
        yield* expectSame("the one that ended", yield* get(context, "a2"), ended)
      }),
    ),
  )

const ofOneSecond = { claimedAt: 1_700_000_000 }

type Place = readonly [claimedAt: number, id: string]

const placeOf = (place: Place | undefined) =>
  place === undefined ? undefined : { claimedAt: place[0], id: place[1] }

const looking: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "the payments of a payout come by the time of their claim, then by id",
    Effect.fnUntraced(function* (context) {
      const ended = { payoutId: "o1", status: "rejected" } as const
      yield* insertAll(context, [
        payment("a3", { ...ended, ...ofOneSecond }),
        payment("a4", { ...ended, claimedAt: -5 }),
        payment("a1", { ...ended, ...ofOneSecond, status: "unknown" }),
        payment("a2", { payoutId: "o2" }),
      ])
      const found = (id: string) => idsOf(context.read(({ payments }) => payments.ofPayout(id)))
      yield* expectSame("those of o1", yield* found("o1"), ["a4", "a1", "a3"])
      yield* expectSame("those of o3", yield* found("o3"), [])
    }),
  ),
  inContext(
    "payments are listed by the time of their claim, then by id, of a status or all, from a place on",
    Effect.fnUntraced(function* (context) {
      const ended = { payoutId: "o1", status: "rejected" } as const
      yield* insertAll(context, [
        payment("a5", { ...ended, claimedAt: -5 }),
        payment("a4", { ...ended, ...ofOneSecond }),
        payment("a1", { ...ofOneSecond, payoutId: "o2" }),
        payment("B", { ...ended, ...ofOneSecond }),
        payment("a3", { ...ended, claimedAt: latest }),
        payment("a2", { payoutId: "o3", claimedAt: earliest }),
      ])
      const list = (slice: { limit: number; after?: Place }) =>
        idsOf(
          context.read(({ payments }) => payments.list({ ...slice, after: placeOf(slice.after) })),
        )
      yield* expectSame("all", yield* list({ limit: 10 }), ["a2", "a5", "B", "a1", "a4", "a3"])
      yield* expectSame("the first", yield* list({ limit: 2 }), ["a2", "a5"])
      const after = [1_700_000_000, "B"] as const
      yield* expectSame("the next", yield* list({ limit: 2, after }), ["a1", "a4"])
      yield* expectSame("after the last", yield* list({ limit: 2, after: [latest, "a3"] }), [])
      const rejected = (place?: Place) => {
        const slice = { status: "rejected", limit: 2, after: placeOf(place) } as const
        return idsOf(context.read(({ payments }) => payments.list(slice)))
      }
      yield* expectSame("the first rejected", yield* rejected(), ["a5", "B"])
      yield* expectSame("the next rejected", yield* rejected(after), ["a4", "a3"])
    }),
  ),
  inContext(
    "the payments of a reference are those that have just it, the earliest claimed first",
    Effect.fnUntraced(function* (context) {
      const rejected = { payoutId: "o1", status: "rejected" } as const
      const long = "é".repeat(3_000)
      yield* insertAll(context, [
        payment("a1", { ...rejected, reference: "T-1", claimedAt: 9 }),
        payment("a2", { ...rejected, reference: "t-1" }),
        payment("a3", { ...rejected, reference: "T-1", claimedAt: 3 }),
        payment("a4", { ...rejected, reference: null }),
        payment("a5", { ...rejected, reference: "T-1", claimedAt: 9 }),
        payment("B", { ...rejected, reference: long }),
        payment("C", { ...rejected, reference: `${long}!` }),
      ])
      const of = (reference: string, limit = 10) =>
        idsOf(context.read(({ payments }) => payments.ofReference({ reference, limit })))
      yield* expectSame("those of T-1", yield* of("T-1"), ["a3", "a1", "a5"])
      yield* expectSame("the first two", yield* of("T-1", 2), ["a3", "a1"])
      yield* expectSame("those of a long one", yield* of(long), ["B"])
      yield* expectSame("those of an unknown one", yield* of("T-2"), [])
      const stored = yield* get(context, "a1")
      if (stored === undefined) return
      yield* update(context, { ...stored, reference: "T-2" })
      yield* expectSame("those of the old one", yield* of("T-1"), ["a3", "a5"])
      yield* expectSame("those of the new one", yield* of("T-2"), ["a1"])
    }),
  ),
  inContext(
    "stuck are those without an answer since a time, and those with a contradiction",
    Effect.fnUntraced(function* (context) {
      const contradiction = { at: 9, event: "confirm", message: "paid twice" } as const
      const ended = { payoutId: "o1", status: "rejected" } as const
      yield* insertAll(context, [
        payment("a1", { payoutId: "o1", status: "unknown", sentAt: 50, claimedAt: 3 }),
        payment("a2", { payoutId: "o2", status: "sent", sentAt: 60, claimedAt: 2 }),
        payment("a3", { payoutId: "o3", status: "sent", sentAt: 5, acceptedAt: 5 }),
        payment("a4", { ...ended, sentAt: 5 }),
        payment("a5", { ...ended, contradiction, sentAt: 500, claimedAt: 1 }),
      ])
      const stuck = (sentBefore: number, slice: { limit: number; after?: Place }) => {
        const asked = { sentBefore, limit: slice.limit, after: placeOf(slice.after) }
        return idsOf(context.read(({ payments }) => payments.stuck(asked)))
      }
      yield* expectSame("until 60", yield* stuck(60, { limit: 10 }), ["a5", "a2", "a1"])
      yield* expectSame("until 59", yield* stuck(59, { limit: 10 }), ["a5", "a1"])
      yield* expectSame("until 49", yield* stuck(49, { limit: 10 }), ["a5"])
      yield* expectSame("the first two", yield* stuck(60, { limit: 2 }), ["a5", "a2"])
      const rest = stuck(60, { limit: 2, after: [2, "a2"] })
      yield* expectSame("the rest", yield* rest, ["a1"])
    }),
  ),
  inContext(
    "a payout tells which payment of it is open, and its history does too",
    Effect.fnUntraced(function* (context) {
      const given = payout("o1", { paymentId: "a1", total: 5 })
      yield* context.write(({ payouts }) => payouts.update({ payout: { ...given, version: 1 } }))
      const read = yield* context.read(({ payouts }) => payouts.get("o1"))
      yield* expectSame("the payout", read, { ...given, version: 2 })
      const after = { ...given, paymentId: null, version: 2 }
      yield* context.write(({ payouts }) => payouts.update({ payout: after }))
      const options = { payoutId: "o1", after: 0, limit: 10 }
      const history = yield* context.read(({ payouts }) => payouts.history(options))
      const told = history.map((entry) => [entry.before?.paymentId, entry.after.paymentId])
      yield* expectSame("its history", told, [
        [undefined, null],
        [null, "a1"],
        ["a1", null],
      ])
    }),
  ),
]

/** The contract of the store of payments. */
export const paymentChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...storing,
  ...being,
  ...looking,
]
