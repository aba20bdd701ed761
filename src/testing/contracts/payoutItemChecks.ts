import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { type PayoutStatus, statuses } from "../../payouts/PayoutStatus.js"
import type { PayoutFilter, StoredPayout } from "../../ports/PayoutStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContextWith } from "./ContractContext.js"
import {
  type ContractCheck,
  expectConflict,
  expectParts,
  expectSame,
  expectSlices,
} from "./check.js"
import { earliest, income, largest, latest, oddIds, payout, soldItem } from "./samples.js"

const inContext = inContextWith(["ada", "ben"])

interface ItemChange {
  readonly put?: ReadonlyArray<PayoutItem>
  readonly remove?: ReadonlyArray<string>
}

const insert = (context: ContractContext, id: string, put?: ReadonlyArray<PayoutItem>) =>
  context.write(({ payouts }) => payouts.insert({ payout: payout(id), put }))

const update = (context: ContractContext, version: number, change: ItemChange) =>
  context.write(({ payouts }) =>
    payouts.update({ payout: { ...payout("o1"), version }, ...change }),
  )

const items = (context: ContractContext, id: string) =>
  context.read(({ payouts }) => payouts.items(id))

const itemIds = (context: ContractContext, id: string) =>
  Effect.map(items(context, id), (found) => found.map((item) => item.id))

const named = (...ids: ReadonlyArray<string>) => ids.map((id) => income(id))

/** The contract of the store of payouts for their items. */
export const payoutItemChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "items are stored with their payout, every field of them",
    Effect.fnUntraced(function* (context) {
      const expense: PayoutItem = { ...income("e", -largest), kind: "expense", name: "Größe 🎨\n" }
      const refunded: PayoutItem = { ...soldItem("r"), kind: "refund", amount: -largest }
      const given = [soldItem("1001/1/g1"), expense, refunded, income("i", largest)]
      yield* insert(context, "o1", given)
      yield* expectSame("the items", yield* items(context, "o1"), given)
    }),
  ),
  inContext(
    "a payout can have no items",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1")
      yield* insert(context, "o2", [])
      for (const id of ["o1", "o2"]) {
        yield* expectSame(`the items of ${id}`, yield* items(context, id), [])
      }
    }),
  ),
  inContext(
    "items come in the order in which they were added, not by their ids or times",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1", named("z", "10", "9"))
      yield* update(context, 1, { put: [{ ...income("a"), createdAt: 0 }, income("é")] })
      yield* update(context, 2, { put: named("B") })
      yield* expectSame("the items", yield* itemIds(context, "o1"), ["z", "10", "9", "a", "é", "B"])
    }),
  ),
  inContext(
    "an item that is put again takes the place of the one with its id",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1", named("a", "b", "c"))
      const changed = [income("d", 4), income("b", 2), income("a", 1)]
      yield* update(context, 1, { put: changed })
      const expected = [income("a", 1), income("b", 2), income("c"), income("d", 4)]
      yield* expectSame("the items", yield* items(context, "o1"), expected)
    }),
  ),
  inContext(
    "items that are removed are gone, and come at the end when they are added again",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1", named("a", "b", "c", "d"))
      yield* update(context, 1, { remove: ["b", "d"], put: named("e") })
      yield* expectSame("the items", yield* itemIds(context, "o1"), ["a", "c", "e"])
      yield* update(context, 2, { put: named("b") })
      yield* expectSame("the items", yield* itemIds(context, "o1"), ["a", "c", "e", "b"])
    }),
  ),
  inContext(
    "a part of the items is read in the order of all of them, also beyond the end",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1", named("z", "10", "9"))
      yield* insert(context, "o2", named("other"))
      yield* update(context, 1, { put: named("a", "b"), remove: ["10"] })
      yield* update(context, 2, { put: [income("10", 2), income("z", 3)] })
      const some = (id: string) => (slice: Slice) =>
        context.read(({ payouts }) => payouts.someItems(id, slice))
      const expected = [income("z", 3), ...named("9", "a", "b"), income("10", 2)]
      yield* expectParts("the items", some("o1"), expected)
      yield* expectParts("the items of none", some("o3"), [])
    }),
  ),
  inContext(
    "one item is read by its payout and its id",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1", [income("a", 1), income("b", 2)])
      yield* insert(context, "o2", [income("a", 3)])
      const item = (payoutId: string, itemId: string) =>
        context.read(({ payouts }) => payouts.item(payoutId, itemId))
      yield* expectSame("a of o1", yield* item("o1", "a"), income("a", 1))
      yield* expectSame("a of o2", yield* item("o2", "a"), income("a", 3))
      yield* expectSame("b of o2", yield* item("o2", "b"), undefined)
      yield* expectSame("a of none", yield* item("o3", "a"), undefined)
      yield* update(context, 1, { remove: ["a"] })
      yield* expectSame("a of o1, removed", yield* item("o1", "a"), undefined)
      yield* expectSame("a of o2, later", yield* item("o2", "a"), income("a", 3))
    }),
  ),
  inContext(
    "the expenses and incomes of a collaborator are found by their id, in whatever payout they are",
    Effect.fnUntraced(function* (context) {
      const add = (id: string, fields: Partial<StoredPayout>, put: ReadonlyArray<PayoutItem>) =>
        context.write(({ payouts }) => payouts.insert({ payout: payout(id, fields), put }))
      const expense: PayoutItem = { ...income("e1", -5), kind: "expense" }
      yield* add("o3", { status: "active" }, [income("x"), expense])
      yield* add("o1", { status: "paid", currency: "EUR" }, [income("e1", 3)])
      yield* add("o2", {}, [{ ...soldItem("e1"), amount: 7 }, income("E1")])
      yield* add("o4", { collaboratorId: "ben" }, [income("e1", 9)])
      const entries = (collaboratorId: string, itemId: string) =>
        context.read(({ payouts }) => payouts.entries({ collaboratorId, itemId }))
      const both = [
        { payoutId: "o1", item: income("e1", 3) },
        { payoutId: "o3", item: expense },
      ]
      yield* expectSame("ada's", yield* entries("ada", "e1"), both)
      yield* expectSame("ben's", yield* entries("ben", "e1"), [
        { payoutId: "o4", item: income("e1", 9) },
      ])
      yield* expectSame("those of none", yield* entries("ada", "e2"), [])
      yield* context.write(({ payouts }) =>
        payouts.update({ payout: { ...payout("o3"), version: 1 }, remove: ["e1"] }),
      )
      yield* expectSame("ada's, one removed", yield* entries("ada", "e1"), both.slice(0, 1))
    }),
  ),
  inContext(
    "a change without items leaves them as they are",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1", named("b", "a"))
      yield* update(context, 1, {})
      yield* update(context, 2, { put: [], remove: [] })
      yield* expectSame("the items", yield* itemIds(context, "o1"), ["b", "a"])
    }),
  ),
  inContext(
    "a change that is a conflict leaves the items as they are",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, "o1", named("a", "b"))
      const late = update(context, 2, { put: named("c"), remove: ["a"] })
      yield* expectConflict("a change of another version", late)
      yield* expectConflict("a second insert", insert(context, "o1", named("d")))
      yield* expectSame("the items", yield* itemIds(context, "o1"), ["a", "b"])
    }),
  ),
  inContext(
    "items whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      const ids = oddIds.toReversed()
      yield* insert(
        context,
        "o1",
        ids.map((id, index) => income(id, index)),
      )
      yield* expectSame("the items", yield* itemIds(context, "o1"), ids)
      for (const [index, id] of ids.entries()) {
        const item = yield* context.read(({ payouts }) => payouts.item("o1", id))
        yield* expectSame(`the item ${id}`, item, income(id, index))
      }
    }),
  ),
  inContext(
    "a payout holds a thousand items, added in many steps",
    Effect.fnUntraced(function* (context) {
      const ids = Array.from({ length: 1_000 }, (_, index) => `i${index}`)
      yield* insert(context, "o1")
      for (let step = 0; step < 10; step += 1) {
        yield* update(context, step + 1, { put: named(...ids.slice(step * 100, step * 100 + 100)) })
      }
      yield* expectSame("the items", yield* itemIds(context, "o1"), ids)
    }),
  ),
]

const onListStage = inContextWith(["ada", "ben"])

type CheckedPayout = ReturnType<typeof payout>

const insertListed = (context: ContractContext, given: ReadonlyArray<CheckedPayout>) =>
  context.write(({ payouts }) => Effect.forEach(given, (one) => payouts.insert({ payout: one })))

const part = (context: ContractContext, filter: PayoutFilter) => (slice: Slice) =>
  context.read(({ payouts }) => payouts.list(filter, slice))

const stored = (given: ReadonlyArray<CheckedPayout>) => given.map((one) => ({ ...one, version: 1 }))

const made = (
  id: string,
  options: { readonly due: number; readonly paidAt: number | null; readonly of?: string },
  status: PayoutStatus = "paid",
) =>
  payout(id, {
    toBePaidAt: options.due,
    paidAt: options.paidAt,
    collaboratorId: options.of ?? "ada",
    status,
  })

/** In the order of the list. */
const history: ReadonlyArray<CheckedPayout> = [
  made("p", { due: 50, paidAt: null }, "active"),
  made("b", { due: 40, paidAt: null }, "pending"),
  made("a", { due: 30, paidAt: 35 }),
  made("c", { due: 30, paidAt: 31, of: "ben" }),
  made("d", { due: 20, paidAt: 20 }, "manually paid"),
  made("e", { due: 10, paidAt: 35, of: "ben" }, "manually paid"),
  made("f", { due: 0, paidAt: null }, "failed"),
  made("g", { due: -10, paidAt: -5 }),
]

/** Fails unless a filter finds exactly the payouts with these ids. */
const expectFound = (context: ContractContext, filter: PayoutFilter, ids: string) => {
  const expected = stored(history.filter(({ id }) => ids.includes(id)))
  return expectSlices(`found by ${JSON.stringify(filter)}`, part(context, filter), expected)
}

const ordering: ReadonlyArray<ContractCheck<StorageService>> = [
  onListStage(
    "payouts are listed by due date, the latest first, then by id, whatever part is asked for",
    Effect.fnUntraced(function* (context) {
      const at = (id: string, toBePaidAt: number) => payout(id, { toBePaidAt })
      const list = [
        at("z", latest),
        ...[at("10", 5), at("9", 5), at("B", 5), at("a", 5), at("é", 5), at("🎨", 5), at("ｚ", 5)],
        ...[at("y", 0), at("x", -7)],
      ]
      yield* insertListed(context, list.toReversed())
      yield* expectSlices("the payouts", part(context, {}), stored(list))
    }),
  ),
  onListStage(
    "a payout whose due date rolls moves in the list",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history)
      const rolled = { ...made("g", { due: 60, paidAt: -5 }), version: 1 }
      const changed = yield* context.write(({ payouts }) => payouts.update({ payout: rolled }))
      const others = stored(history.filter(({ id }) => id !== "g"))
      yield* expectSlices("the payouts", part(context, {}), [changed, ...others])
      const expected = [changed, ...stored(history.filter(({ id }) => id === "a"))]
      const filter = { status: "paid", collaboratorId: "ada" } as const
      yield* expectSlices("those paid", part(context, filter), expected)
    }),
  ),
]

const filtering: ReadonlyArray<ContractCheck<StorageService>> = [
  onListStage(
    "payouts are found by their collaborator",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history.toReversed())
      yield* expectFound(context, { collaboratorId: "ada" }, "pbadfg")
      yield* expectFound(context, { collaboratorId: "ben" }, "ce")
      yield* expectFound(context, { collaboratorId: "Ada" }, "")
    }),
  ),
  onListStage(
    "payouts are found by each of the statuses",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history.toReversed())
      for (const status of statuses) {
        const expected = stored(history.filter((one) => one.status === status))
        yield* expectSlices(`those ${status}`, part(context, { status }), expected)
      }
    }),
  ),
  onListStage(
    "payouts are found by when they were paid; both ends of the range belong to it",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history.toReversed())
      yield* expectFound(context, { paid: { from: 20, to: 35 } }, "acde")
      yield* expectFound(context, { paid: { from: 21, to: 34 } }, "c")
      yield* expectFound(context, { paid: { from: 31, to: 31 } }, "c")
      yield* expectFound(context, { paid: { from: 36, to: 20 } }, "")
      yield* expectFound(context, { paid: { from: earliest, to: latest } }, "acdeg")
    }),
  ),
  onListStage(
    "an absent end of a range is open, and payouts that were never paid are in no range",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history.toReversed())
      yield* expectFound(context, { paid: { from: 31 } }, "ace")
      yield* expectFound(context, { paid: { to: 20 } }, "dg")
      yield* expectFound(context, { paid: { from: undefined, to: 0 } }, "g")
      yield* expectFound(context, { paid: {} }, "acdeg")
      yield* expectFound(context, { expected: { to: 0 } }, "fg")
      yield* expectFound(context, { expected: {} }, "pbacdefg")
    }),
  ),
  onListStage(
    "payouts are found by when they are to be paid",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history.toReversed())
      yield* expectFound(context, { expected: { from: 10, to: 30 } }, "acde")
      yield* expectFound(context, { expected: { from: 30, to: 30 } }, "ac")
      yield* expectFound(context, { expected: { from: 31 } }, "pb")
      yield* expectFound(context, { expected: { from: 11, to: 19 } }, "")
    }),
  ),
  onListStage(
    "payouts are found to which all of a filter applies",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history.toReversed())
      const range = { from: 0, to: 35 }
      yield* expectFound(context, { collaboratorId: "ben", status: "paid" }, "c")
      yield* expectFound(context, { collaboratorId: "ada", status: "active", expected: range }, "")
      yield* expectFound(context, { collaboratorId: "ada", paid: range }, "ad")
      yield* expectFound(context, { status: "paid", paid: range, expected: { to: 30 } }, "ac")
      const every = { collaboratorId: "ben", paid: range, expected: { from: 10, to: 10 } }
      yield* expectFound(context, { ...every, status: "manually paid" }, "e")
      const none = { collaboratorId: undefined, status: undefined, paid: undefined }
      yield* expectFound(context, { ...none, expected: undefined }, "pbacdefg")
    }),
  ),
  onListStage(
    "a list tells payouts without their items",
    Effect.fnUntraced(function* (context) {
      yield* insertListed(context, history.slice(0, 1))
      const { entries } = yield* part(context, {})({ offset: 0, limit: 1 })
      yield* expectSame("the fields", Object.keys(entries[0] ?? {}).includes("items"), false)
    }),
  ),
]

/** The contract of the list of payouts. */
export const payoutListChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...ordering,
  ...filtering,
]
