import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type Check, expectConflict, expectSame } from "./check.js"
import { expectParts } from "./expectSlices.js"
import { onStageWith, type Stage } from "./Stage.js"
import { income, largest, oddIds, payout, soldItem } from "./samples.js"

const onStage = onStageWith(["ada"])

interface Change {
  readonly put?: ReadonlyArray<PayoutItem>
  readonly remove?: ReadonlyArray<string>
}

const insert = (stage: Stage, id: string, put?: ReadonlyArray<PayoutItem>) =>
  stage.write(({ payouts }) => payouts.insert({ payout: payout(id), put }))

const update = (stage: Stage, version: number, change: Change) =>
  stage.write(({ payouts }) => payouts.update({ payout: { ...payout("o1"), version }, ...change }))

const items = (stage: Stage, id: string) => stage.read(({ payouts }) => payouts.items(id))

const itemIds = (stage: Stage, id: string) =>
  Effect.map(items(stage, id), (found) => found.map((item) => item.id))

const named = (...ids: ReadonlyArray<string>) => ids.map((id) => income(id))

/** What the store of payouts has to do with their items. */
export const payoutItemChecks: ReadonlyArray<Check<StorageService>> = [
  onStage(
    "items are stored with their payout, every field of them",
    Effect.fnUntraced(function* (stage) {
      const expense: PayoutItem = { ...income("e", -largest), kind: "expense", name: "Größe 🎨\n" }
      const refunded: PayoutItem = { ...soldItem("r"), kind: "refund", amount: -largest }
      const given = [soldItem("1001/1/g1"), expense, refunded, income("i", largest)]
      yield* insert(stage, "o1", given)
      yield* expectSame("the items", yield* items(stage, "o1"), given)
    }),
  ),
  onStage(
    "a payout can have no items",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1")
      yield* insert(stage, "o2", [])
      for (const id of ["o1", "o2"]) {
        yield* expectSame(`the items of ${id}`, yield* items(stage, id), [])
      }
    }),
  ),
  onStage(
    "items come in the order in which they were added, not by their ids or times",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1", named("z", "10", "9"))
      yield* update(stage, 1, { put: [{ ...income("a"), createdAt: 0 }, income("é")] })
      yield* update(stage, 2, { put: named("B") })
      yield* expectSame("the items", yield* itemIds(stage, "o1"), ["z", "10", "9", "a", "é", "B"])
    }),
  ),
  onStage(
    "an item that is put again takes the place of the one with its id",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1", named("a", "b", "c"))
      const changed = [income("d", 4), income("b", 2), income("a", 1)]
      yield* update(stage, 1, { put: changed })
      const expected = [income("a", 1), income("b", 2), income("c"), income("d", 4)]
      yield* expectSame("the items", yield* items(stage, "o1"), expected)
    }),
  ),
  onStage(
    "items that are removed are gone, and come at the end when they are added again",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1", named("a", "b", "c", "d"))
      yield* update(stage, 1, { remove: ["b", "d"], put: named("e") })
      yield* expectSame("the items", yield* itemIds(stage, "o1"), ["a", "c", "e"])
      yield* update(stage, 2, { put: named("b") })
      yield* expectSame("the items", yield* itemIds(stage, "o1"), ["a", "c", "e", "b"])
    }),
  ),
  onStage(
    "a part of the items is read in the order of all of them, also beyond the end",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1", named("z", "10", "9"))
      yield* insert(stage, "o2", named("other"))
      yield* update(stage, 1, { put: named("a", "b"), remove: ["10"] })
      yield* update(stage, 2, { put: [income("10", 2), income("z", 3)] })
      const some = (id: string) => (slice: Slice) =>
        stage.read(({ payouts }) => payouts.someItems(id, slice))
      const expected = [income("z", 3), ...named("9", "a", "b"), income("10", 2)]
      yield* expectParts("the items", some("o1"), expected)
      yield* expectParts("the items of none", some("o3"), [])
    }),
  ),
  onStage(
    "one item is read by its payout and its id",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1", [income("a", 1), income("b", 2)])
      yield* insert(stage, "o2", [income("a", 3)])
      const item = (payoutId: string, itemId: string) =>
        stage.read(({ payouts }) => payouts.item(payoutId, itemId))
      yield* expectSame("a of o1", yield* item("o1", "a"), income("a", 1))
      yield* expectSame("a of o2", yield* item("o2", "a"), income("a", 3))
      yield* expectSame("b of o2", yield* item("o2", "b"), undefined)
      yield* expectSame("a of none", yield* item("o3", "a"), undefined)
      yield* update(stage, 1, { remove: ["a"] })
      yield* expectSame("a of o1, removed", yield* item("o1", "a"), undefined)
      yield* expectSame("a of o2, later", yield* item("o2", "a"), income("a", 3))
    }),
  ),
  onStage(
    "a change without items leaves them as they are",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1", named("b", "a"))
      yield* update(stage, 1, {})
      yield* update(stage, 2, { put: [], remove: [] })
      yield* expectSame("the items", yield* itemIds(stage, "o1"), ["b", "a"])
    }),
  ),
  onStage(
    "a change that is a conflict leaves the items as they are",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, "o1", named("a", "b"))
      const late = update(stage, 2, { put: named("c"), remove: ["a"] })
      yield* expectConflict("a change of another version", late)
      yield* expectConflict("a second insert", insert(stage, "o1", named("d")))
      yield* expectSame("the items", yield* itemIds(stage, "o1"), ["a", "b"])
    }),
  ),
  onStage(
    "items whose ids look alike are different ones",
    Effect.fnUntraced(function* (stage) {
      const ids = oddIds.toReversed()
      yield* insert(
        stage,
        "o1",
        ids.map((id, index) => income(id, index)),
      )
      yield* expectSame("the items", yield* itemIds(stage, "o1"), ids)
      for (const [index, id] of ids.entries()) {
        const item = yield* stage.read(({ payouts }) => payouts.item("o1", id))
        yield* expectSame(`the item ${id}`, item, income(id, index))
      }
    }),
  ),
  onStage(
    "a payout holds a thousand items, added in many steps",
    Effect.fnUntraced(function* (stage) {
      const ids = Array.from({ length: 1_000 }, (_, index) => `i${index}`)
      yield* insert(stage, "o1")
      for (let step = 0; step < 10; step += 1) {
        yield* update(stage, step + 1, { put: named(...ids.slice(step * 100, step * 100 + 100)) })
      }
      yield* expectSame("the items", yield* itemIds(stage, "o1"), ids)
    }),
  ),
]
