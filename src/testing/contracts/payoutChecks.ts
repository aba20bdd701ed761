import * as Effect from "effect/Effect"
import type { PayoutStatus } from "../../payouts/PayoutStatus.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContextWith } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame } from "./check.js"
import { active, earliest, largest, latest, oddIds, payout } from "./samples.js"

const inContext = inContextWith(["ada", "ben"])

type CheckedPayout = ReturnType<typeof payout>

const insert = (context: ContractContext, given: CheckedPayout) =>
  context.write(({ payouts }) => payouts.insert({ payout: given }))

const insertAll = (context: ContractContext, given: ReadonlyArray<CheckedPayout>) =>
  context.write(({ payouts }) => Effect.forEach(given, (one) => payouts.insert({ payout: one })))

const update = (context: ContractContext, given: CheckedPayout, version: number) =>
  context.write(({ payouts }) => payouts.update({ payout: { ...given, version } }))

const get = (context: ContractContext, id: string) => context.read(({ payouts }) => payouts.get(id))

const activeOf = (context: ContractContext, collaboratorId: string, currency = "USD") =>
  Effect.map(
    context.read(({ payouts }) => payouts.active({ collaboratorId, currency })),
    (found) => found?.id,
  )

const storing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a payout is inserted as version 1 and read as it was",
    Effect.fnUntraced(function* (context) {
      const given = payout("o1", { status: "failed", failureReason: "no “account” 🎨", total: 5 })
      yield* expectSame("what insert gives", yield* insert(context, given), {
        ...given,
        version: 1,
      })
      yield* expectSame("what get gives", yield* get(context, "o1"), { ...given, version: 1 })
      yield* expectSame("an unknown payout", yield* get(context, "O1"), undefined)
    }),
  ),
  inContext(
    "payouts keep the largest and the most negative numbers",
    Effect.fnUntraced(function* (context) {
      const times = { openedAt: earliest, toBePaidAt: latest, closedAt: 0, payableAt: -1 }
      const paid = { status: "manually paid", paidAt: latest } as const
      const given = payout("o1", { ...times, ...paid, total: -largest })
      yield* insert(context, given)
      yield* expectSame("the payout", yield* get(context, "o1"), { ...given, version: 1 })
      const next = { ...given, total: largest, itemsCount: largest }
      yield* update(context, next, 1)
      yield* expectSame("the payout", yield* get(context, "o1"), { ...next, version: 2 })
    }),
  ),
  inContext(
    "a second payout with the same id is a conflict, and the first stays",
    Effect.fnUntraced(function* (context) {
      const first = yield* insert(context, payout("o1"))
      const other = payout("o1", { collaboratorId: "ben", currency: "EUR" })
      yield* expectConflict("inserting it again", insert(context, other))
      yield* expectSame("the payout", yield* get(context, "o1"), first)
    }),
  ),
  inContext(
    "an update replaces a payout as the next version",
    Effect.fnUntraced(function* (context) {
      yield* insertAll(context, [active("o1"), payout("o2")])
      const given = payout("o1", { status: "failed", failureReason: "refused", total: -7 })
      yield* expectSame("the first update", yield* update(context, given, 1), {
        ...given,
        version: 2,
      })
      yield* expectSame("the second update", yield* update(context, given, 2), {
        ...given,
        version: 3,
      })
      yield* expectSame("what get gives", yield* get(context, "o1"), { ...given, version: 3 })
      yield* expectSame("the other", yield* get(context, "o2"), { ...payout("o2"), version: 1 })
    }),
  ),
  inContext(
    "an update of a payout that was changed since, or is not there, is a conflict",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, payout("o1"))
      const second = yield* update(context, payout("o1", { total: 2 }), 1)
      for (const version of [1, 3, 0]) {
        const late = update(context, payout("o1", { total: 3 }), version)
        yield* expectConflict(`an update of version ${version}`, late)
      }
      yield* expectConflict("an update of an unknown payout", update(context, payout("o2"), 1))
      yield* expectSame("the payout", yield* get(context, "o1"), second)
    }),
  ),
  inContextWith(oddIds)(
    "payouts whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      const given = oddIds.map((id) => active(id, { collaboratorId: id }))
      yield* insertAll(context, given)
      for (const one of given) {
        yield* expectSame(`the payout ${one.id}`, yield* get(context, one.id), {
          ...one,
          version: 1,
        })
        yield* expectSame("the active payout", yield* activeOf(context, one.id), one.id)
      }
    }),
  ),
]

const beingActive: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "the active payout is found by its collaborator and currency, until it is closed",
    Effect.fnUntraced(function* (context) {
      yield* insertAll(context, [payout("o1"), active("o2"), active("o3", { currency: "EUR" })])
      yield* expectSame("in dollars", yield* activeOf(context, "ada"), "o2")
      yield* expectSame("in euros", yield* activeOf(context, "ada", "EUR"), "o3")
      yield* expectSame("in yen", yield* activeOf(context, "ada", "JPY"), undefined)
      yield* expectSame("another's", yield* activeOf(context, "Ada"), undefined)
      const changed = yield* update(context, active("o2", { total: 9 }), 1)
      const owner = { collaboratorId: "ada", currency: "USD" }
      const found = yield* context.read(({ payouts }) => payouts.active(owner))
      yield* expectSame("the active payout", found, changed)
      yield* update(context, payout("o2"), 2)
      yield* expectSame("in dollars, closed", yield* activeOf(context, "ada"), undefined)
    }),
  ),
  inContext(
    "a second active payout of a collaborator in a currency is a conflict",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, active("o1"))
      yield* expectConflict("inserting another active one", insert(context, active("o2")))
      yield* expectSame("it", yield* get(context, "o2"), undefined)
      const others = [
        payout("o3"),
        active("o4", { currency: "EUR" }),
        active("o5", { collaboratorId: "ben" }),
      ]
      yield* insertAll(context, others)
      yield* expectSame("the active one", yield* activeOf(context, "ada"), "o1")
    }),
  ),
  inContext(
    "a payout that becomes active beside another active one is a conflict",
    Effect.fnUntraced(function* (context) {
      yield* insertAll(context, [active("o1"), payout("o2"), active("o3", { currency: "EUR" })])
      yield* expectConflict("opening o2", update(context, active("o2"), 1))
      yield* expectConflict("moving o3 to dollars", update(context, active("o3"), 1))
      yield* expectSame("o2", yield* get(context, "o2"), { ...payout("o2"), version: 1 })
      yield* update(context, payout("o1"), 1)
      yield* update(context, active("o2"), 1)
      yield* expectSame("the active one", yield* activeOf(context, "ada"), "o2")
    }),
  ),
  inContext(
    "one transaction closes the active payout and opens the next",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, active("o1"))
      yield* context.write(({ payouts }) =>
        Effect.gen(function* () {
          yield* payouts.update({ payout: { ...payout("o1"), version: 1 } })
          yield* payouts.insert({ payout: active("o2") })
        }),
      )
      yield* expectSame("the active one", yield* activeOf(context, "ada"), "o2")
      yield* expectSame("the first", (yield* get(context, "o1"))?.status, "pending")
    }),
  ),
  inContext(
    "when the first payout was opened is known by collaborator and currency, whatever became of it",
    Effect.fnUntraced(function* (context) {
      const first = (collaboratorId: string, currency: string) =>
        context.read(({ payouts }) => payouts.firstOpenedAt({ collaboratorId, currency }))
      yield* expectSame("before there is one", yield* first("ada", "USD"), undefined)
      yield* insertAll(context, [
        payout("o1", { openedAt: 50 }),
        payout("o2", { openedAt: -10, status: "paid" }),
        active("o3", { openedAt: 30 }),
        payout("o4", { openedAt: -99, currency: "EUR" }),
        payout("o5", { openedAt: -100, collaboratorId: "ben" }),
      ])
      yield* expectSame("in dollars", yield* first("ada", "USD"), -10)
      yield* expectSame("in euros", yield* first("ada", "EUR"), -99)
      yield* expectSame("in yen", yield* first("ada", "JPY"), undefined)
      yield* expectSame("ben's", yield* first("ben", "USD"), -100)
    }),
  ),
]

const ids = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id)

const waiting: ReadonlyArray<ContractCheck<StorageService>> = [
  inContextWith(["ada", "z", "10", "9", "a", "b", "c"])(
    "active payouts are due at their date: the earliest first, then by id, at most as many as asked for",
    Effect.fnUntraced(function* (context) {
      const at = (id: string, toBePaidAt: number, status: PayoutStatus = "active") =>
        payout(id, { status, toBePaidAt, collaboratorId: id })
      const given = [at("z", -5), at("10", 5), at("9", 5), at("a", 5), at("b", 6), at("c", latest)]
      yield* insertAll(context, [payout("p", { toBePaidAt: 0 }), ...given.toReversed()])
      const due = (time: number, limit: number) =>
        Effect.map(
          context.read(({ payouts }) => payouts.due({ at: time, limit })),
          ids,
        )
      yield* expectSame("due at 5", yield* due(5, 100), ["z", "10", "9", "a"])
      yield* expectSame("the first two", yield* due(5, 2), ["z", "10"])
      yield* expectSame("due before all", yield* due(-6, 100), [])
      yield* expectSame("all", yield* due(latest, 100), ["z", "10", "9", "a", "b", "c"])
      yield* update(context, at("z", 6), 1)
      yield* update(context, at("10", 5, "paid"), 1)
      yield* expectSame("due at 5, later", yield* due(5, 100), ["9", "a"])
    }),
  ),
  inContext(
    "pending payouts are payable when they are no longer held: the earliest first, then by id",
    Effect.fnUntraced(function* (context) {
      const at = (id: string, payableAt: number | null, status: PayoutStatus = "pending") =>
        payout(id, { status, payableAt })
      const given = [at("z", -5), at("10", 5), at("9", 5), at("a", 5), at("b", 6)]
      const others = (["paid", "failed", "manually paid"] as const).map((status) =>
        payout(status, { status, payableAt: 0 }),
      )
      const never = at("n", null)
      yield* insertAll(context, [...others, never, active("c"), ...given.toReversed()])
      const payable = (time: number, limit: number) =>
        Effect.map(
          context.read(({ payouts }) => payouts.payable({ at: time, limit })),
          ids,
        )
      yield* expectSame("payable at 5", yield* payable(5, 100), ["z", "10", "9", "a"])
      yield* expectSame("the first two", yield* payable(5, 2), ["z", "10"])
      yield* expectSame("all", yield* payable(latest, 100), ["z", "10", "9", "a", "b"])
      yield* update(context, at("z", -5, "paid"), 1)
      yield* expectSame("payable at 5, later", yield* payable(5, 1), ["10"])
    }),
  ),
  inContextWith(["ada", "ben", "cam"])(
    "payouts that are not settled and below zero come by their ids, after one of them",
    Effect.fnUntraced(function* (context) {
      yield* insertAll(context, [
        ...[active("z", { total: -1 }), active("a", { total: 0, collaboratorId: "ben" })],
        ...[
          payout("9", { total: -largest }),
          payout("b", { total: 5 }),
          payout("10", { total: -2 }),
        ],
        payout("m", { total: -7, status: "manually paid" }),
        payout("f", { total: -7, status: "failed", collaboratorId: "cam" }),
      ])
      const below = (after: string | undefined, limit: number) =>
        Effect.map(
          context.read(({ payouts }) => payouts.belowZero({ after, limit })),
          ids,
        )
      yield* expectSame("all", yield* below(undefined, 100), ["10", "9", "f", "z"])
      yield* expectSame("the first", yield* below(undefined, 1), ["10"])
      yield* expectSame("the next two", yield* below("10", 2), ["9", "f"])
      yield* expectSame("after one that is none", yield* below("a", 9), ["f", "z"])
      yield* update(context, active("z", { total: 0 }), 1)
      yield* expectSame("all, later", yield* below(undefined, 100), ["10", "9", "f"])
    }),
  ),
]

/** The contract of the store of payouts, without their items and their list. */
export const payoutChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...storing,
  ...beingActive,
  ...waiting,
]
