import * as Effect from "effect/Effect"
import type { RecordedRefund, RecordedSale } from "../../ports/SaleStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractCheck, expectConflict, expectSame, expectSlices } from "./check.js"
import { onStage, type Stage } from "./Stage.js"
import { latest, type New, oddIds, refund, sale } from "./samples.js"

const insert = (stage: Stage, given: New<RecordedSale>) =>
  stage.write(({ sales }) => sales.insert(given))

const ofOrder = (stage: Stage, orderId: string) => stage.read(({ sales }) => sales.ofOrder(orderId))

const stored = (given: New<RecordedSale>, version = 1): RecordedSale => ({ ...given, version })

const addRefund = (stage: Stage, added: RecordedRefund, of: RecordedSale) =>
  stage.write(({ sales }) =>
    sales.addRefund({
      orderId: of.orderId,
      part: of.part,
      version: of.version,
      refund: added,
      postings: of.postings.map((one) => ({ ...one, reversed: one.reversed + 1 })),
    }),
  )

const recording: ReadonlyArray<ContractCheck<StorageService>> = [
  onStage(
    "a part of an order is recorded as version 1, with all it was made from",
    Effect.fnUntraced(function* (stage) {
      const given = sale("1001")
      yield* expectSame("what insert gives", yield* insert(stage, given), stored(given))
      yield* expectSame("the order's parts", yield* ofOrder(stage, "1001"), [stored(given)])
      yield* expectSame("of an unknown order", yield* ofOrder(stage, "1002"), [])
    }),
  ),
  onStage(
    "the parts of an order come the first one first",
    Effect.fnUntraced(function* (stage) {
      const parts = [1, 2, 10].map((part) =>
        sale("1001", { part, itemIds: [`i${part}`], recordedAt: 100 - part }),
      )
      for (const part of parts.toReversed()) yield* insert(stage, part)
      yield* insert(stage, sale("1002"))
      const found = yield* ofOrder(stage, "1001")
      yield* expectSame(
        "the parts",
        found,
        parts.map((part) => stored(part)),
      )
    }),
  ),
  onStage(
    "a part that is recorded already is a conflict, and the first stays",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, sale("1001"))
      yield* expectConflict("the same part", insert(stage, sale("1001", { itemIds: ["9"] })))
      yield* expectSame("the parts", yield* ofOrder(stage, "1001"), [stored(sale("1001"))])
    }),
  ),
  onStage(
    "an item that another part of its order has is a conflict; another order can have it",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, sale("1001", { itemIds: ["1", "2"] }))
      const again = sale("1001", { part: 2, itemIds: ["3", "2"] })
      yield* expectConflict("a part with the item 2", insert(stage, again))
      yield* insert(stage, sale("1002", { itemIds: ["1", "2"] }))
      yield* insert(stage, sale("1001", { part: 2, itemIds: ["3", "4"] }))
      yield* expectSame("the parts", (yield* ofOrder(stage, "1001")).length, 2)
      yield* expectSame("the other's parts", (yield* ofOrder(stage, "1002")).length, 1)
    }),
  ),
  onStage(
    "orders whose ids look alike are different ones",
    Effect.fnUntraced(function* (stage) {
      for (const id of oddIds) yield* insert(stage, sale(id))
      for (const id of oddIds) {
        yield* expectSame(`the order ${id}`, yield* ofOrder(stage, id), [stored(sale(id))])
      }
    }),
  ),
  onStage(
    "the ledger is listed by time, then by order, then by part, whatever part of it is asked for",
    Effect.fnUntraced(function* (stage) {
      const at = (recordedAt: number, orderId: string, part = 1) =>
        sale(orderId, { recordedAt, part, itemIds: [`i${part}`] })
      const list = [
        ...[at(-5, "z"), at(5, "10"), at(5, "9"), at(5, "9", 2), at(5, "9", 10)],
        ...[at(5, "B"), at(5, "a"), at(5, "é"), at(5, "🎨"), at(5, "ｚ"), at(6, "z", 2)],
        at(latest, "0"),
      ]
      for (const one of list.toReversed()) yield* insert(stage, one)
      const part = (slice: Slice) => stage.read(({ sales }) => sales.list(slice))
      yield* expectSlices(
        "the ledger",
        part,
        list.map((one) => stored(one)),
      )
    }),
  ),
]

const refunding: ReadonlyArray<ContractCheck<StorageService>> = [
  onStage(
    "a refund is added to its part as the next version, and postings are replaced",
    Effect.fnUntraced(function* (stage) {
      const given = sale("1001")
      const first = yield* insert(stage, given)
      const other = yield* insert(stage, sale("1001", { part: 2, itemIds: ["3"] }))
      const [one, two] = [refund("z", given), refund("a", given, 300)]
      const second = yield* addRefund(stage, one, first)
      const postings = given.postings.map((place) => ({ ...place, reversed: 1 }))
      const expected = { ...given, refunds: [one], postings, version: 2 }
      yield* expectSame("the next version", second, expected)
      const third = yield* addRefund(stage, two, second)
      yield* expectSame("the refunds, in order", third.refunds, [one, two])
      yield* expectSame("the parts", yield* ofOrder(stage, "1001"), [third, other])
    }),
  ),
  onStage(
    "a refund is found by its id, whatever its order",
    Effect.fnUntraced(function* (stage) {
      const [one, two] = [sale("1001"), sale("1002")]
      yield* addRefund(stage, refund("r1", one), yield* insert(stage, one))
      yield* addRefund(stage, refund("r/2 🎨", two), yield* insert(stage, two))
      const find = (id: string) => stage.read(({ sales }) => sales.refund(id))
      yield* expectSame("the first", yield* find("r1"), refund("r1", one))
      yield* expectSame("the second", yield* find("r/2 🎨"), refund("r/2 🎨", two))
      yield* expectSame("an unknown one", yield* find("R1"), undefined)
    }),
  ),
  onStage(
    "a refund of a part that was changed since, or is not there, is a conflict",
    Effect.fnUntraced(function* (stage) {
      const given = sale("1001")
      const first = yield* insert(stage, given)
      const second = yield* addRefund(stage, refund("r1", given), first)
      const late = refund("r2", given)
      yield* expectConflict("the first version", addRefund(stage, late, first))
      yield* expectConflict("a later version", addRefund(stage, late, { ...second, version: 3 }))
      yield* expectConflict("another part", addRefund(stage, late, { ...second, part: 2 }))
      yield* expectConflict("another order", addRefund(stage, late, stored(sale("1002"), 2)))
      yield* expectSame("the parts", yield* ofOrder(stage, "1001"), [second])
      const found = yield* stage.read(({ sales }) => sales.refund("r2"))
      yield* expectSame("the late refund", found, undefined)
    }),
  ),
  onStage(
    "a refund whose id the account has is a conflict, in the same order and in another",
    Effect.fnUntraced(function* (stage) {
      const [one, two] = [sale("1001"), sale("1002")]
      const first = yield* addRefund(stage, refund("r1", one), yield* insert(stage, one))
      const other = yield* insert(stage, two)
      yield* expectConflict("in the same order", addRefund(stage, refund("r1", one), first))
      yield* expectConflict("in another order", addRefund(stage, refund("r1", two), other))
      const found = yield* stage.read(({ sales }) => sales.refund("r1"))
      yield* expectSame("the refund", found, refund("r1", one))
      yield* expectSame("the other order", yield* ofOrder(stage, "1002"), [other])
    }),
  ),
]

/** What the ledger has to do. */
export const saleChecks: ReadonlyArray<ContractCheck<StorageService>> = [...recording, ...refunding]
