import * as Effect from "effect/Effect"
import {
  isSaleOf,
  type RecordedRefund,
  type RecordedSale,
  type SaleFilter,
} from "../../ports/SaleStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContext } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectSlices } from "./check.js"
import { latest, type New, oddIds, refund, sale } from "./samples.js"

const insert = (context: ContractContext, given: New<RecordedSale>) =>
  context.write(({ sales }) => sales.insert(given))

const ofOrder = (context: ContractContext, orderId: string) =>
  context.read(({ sales }) => sales.ofOrder(orderId))

const stored = (given: New<RecordedSale>, version = 1): RecordedSale => ({ ...given, version })

const addRefund = (context: ContractContext, added: RecordedRefund, of: RecordedSale) =>
  context.write(({ sales }) =>
    sales.addRefund({
      orderId: of.orderId,
      part: of.part,
      version: of.version,
      refund: added,
      postings: of.postings.map((one) => ({ ...one, reversed: one.reversed + 1 })),
    }),
  )

const recording: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a part of an order is recorded as version 1, with all it was made from",
    Effect.fnUntraced(function* (context) {
      const given = sale("1001")
      yield* expectSame("what insert gives", yield* insert(context, given), stored(given))
      yield* expectSame("the order's parts", yield* ofOrder(context, "1001"), [stored(given)])
      yield* expectSame("of an unknown order", yield* ofOrder(context, "1002"), [])
    }),
  ),
  inContext(
    "the parts of an order come the first one first",
    Effect.fnUntraced(function* (context) {
      const parts = [1, 2, 10].map((part) =>
        sale("1001", { part, itemIds: [`i${part}`], recordedAt: 100 - part }),
      )
      for (const part of parts.toReversed()) yield* insert(context, part)
      yield* insert(context, sale("1002"))
      const found = yield* ofOrder(context, "1001")
      yield* expectSame(
        "the parts",
        found,
        parts.map((part) => stored(part)),
      )
    }),
  ),
  inContext(
    "a part that is recorded already is a conflict, and the first stays",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, sale("1001"))
      yield* expectConflict("the same part", insert(context, sale("1001", { itemIds: ["9"] })))
      yield* expectSame("the parts", yield* ofOrder(context, "1001"), [stored(sale("1001"))])
    }),
  ),
  inContext(
    "an item that another part of its order has is a conflict; another order can have it",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, sale("1001", { itemIds: ["1", "2"] }))
      const again = sale("1001", { part: 2, itemIds: ["3", "2"] })
      yield* expectConflict("a part with the item 2", insert(context, again))
      yield* insert(context, sale("1002", { itemIds: ["1", "2"] }))
      yield* insert(context, sale("1001", { part: 2, itemIds: ["3", "4"] }))
      yield* expectSame("the parts", (yield* ofOrder(context, "1001")).length, 2)
      yield* expectSame("the other's parts", (yield* ofOrder(context, "1002")).length, 1)
    }),
  ),
  inContext(
    "orders whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      for (const id of oddIds) yield* insert(context, sale(id))
      for (const id of oddIds) {
        yield* expectSame(`the order ${id}`, yield* ofOrder(context, id), [stored(sale(id))])
      }
    }),
  ),
  inContext(
    "the ledger is listed by time, then by order, then by part, whatever part of it is asked for",
    Effect.fnUntraced(function* (context) {
      const at = (recordedAt: number, orderId: string, part = 1) =>
        sale(orderId, { recordedAt, part, itemIds: [`i${part}`] })
      const list = [
        ...[at(-5, "z"), at(5, "10"), at(5, "9"), at(5, "9", 2), at(5, "9", 10)],
        ...[at(5, "B"), at(5, "a"), at(5, "é"), at(5, "🎨"), at(5, "ｚ"), at(6, "z", 2)],
        at(latest, "0"),
      ]
      for (const one of list.toReversed()) yield* insert(context, one)
      const part = (slice: Slice) => context.read(({ sales }) => sales.list({}, slice))
      yield* expectSlices(
        "the ledger",
        part,
        list.map((one) => stored(one)),
      )
      yield* expectSlices(
        "the ledger, the latest first",
        (slice) => context.read(({ sales }) => sales.list({}, slice, "latest first")),
        list.toReversed().map((one) => stored(one)),
      )
    }),
  ),
]

const ranges = (from: number | undefined, to: number | undefined) => ({ recorded: { from, to } })

const finding: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "sales are found by whose share of which product they have, and by when they were recorded",
    Effect.fnUntraced(function* (context) {
      const given = [
        sale("9", { recordedAt: 5, itemIds: ["1"] }),
        sale("10", { recordedAt: 6, itemIds: ["1", "2"] }),
        sale("10", { recordedAt: 6, itemIds: ["3"], part: 2 }),
        sale("14", { recordedAt: 6, itemIds: ["1", "2", "3", "4", "5", "6"] }),
        sale("11", { recordedAt: 7, itemIds: ["2"], of: "ben" }),
        sale("12", { recordedAt: 8, itemIds: ["1", "2"], of: "ben", only: "p2" }),
        sale("13", { recordedAt: 9, itemIds: ["1"], of: "cam", only: "p2" }),
      ]
      for (const one of given.toReversed()) yield* insert(context, one)
      const found = (filter: SaleFilter) => {
        const expected = given.filter((one) => isSaleOf(filter, one)).map((one) => stored(one))
        const part = (slice: Slice) => context.read(({ sales }) => sales.list(filter, slice))
        const name = `the sales found by ${JSON.stringify(filter)}`
        const fromEnd = (slice: Slice) =>
          context.read(({ sales }) => sales.list(filter, slice, "latest first"))
        return Effect.as(
          Effect.andThen(
            expectSlices(name, part, expected),
            expectSlices(`${name}, the latest first`, fromEnd, expected.toReversed()),
          ),
          expected.map(({ orderId }) => orderId),
        )
      }
      const expect = (filter: SaleFilter, orders: string) =>
        Effect.flatMap(found(filter), (ids) =>
          expectSame(JSON.stringify(filter), ids.join(" "), orders),
        )
      yield* expect({}, "9 10 10 14 11 12 13")
      yield* expect({ collaboratorId: "ada" }, "9 10 10 14")
      yield* expect({ collaboratorId: "ben" }, "11 12")
      yield* expect({ collaboratorId: "cam" }, "")
      yield* expect({ productId: "p1" }, "9 10 14 12 13")
      yield* expect({ productId: "external-p3" }, "10 14")
      yield* expect({ collaboratorId: "ada", productId: "external-p6" }, "14")
      yield* expect({ productId: "P1" }, "")
      yield* expect({ collaboratorId: "ben", productId: "p1" }, "")
      yield* expect({ collaboratorId: "ben", productId: "p2" }, "11 12")
      yield* expect(ranges(6, 8), "10 10 14 11 12")
      yield* expect(ranges(undefined, 6), "9 10 10 14")
      yield* expect({ ...ranges(6, 7), productId: "p2" }, "10 14 11")
      yield* expect({ ...ranges(9, undefined), productId: "p1" }, "13")
      yield* expect({ ...ranges(5, 5), collaboratorId: "ada" }, "9")
      yield* expect({ ...ranges(8, 6), collaboratorId: undefined }, "")
    }),
  ),
  inContext(
    "sales of all times are found by when they were recorded, to the second",
    Effect.fnUntraced(function* (context) {
      const last = Number.MAX_SAFE_INTEGER
      const times = [-last, -7_201, -3_600, -3_599, -1, 0, 1, 3_599, 3_600, 3_601, 7_200, last]
      const given = times.flatMap((recordedAt, index) => [
        sale(`a${index}`, { recordedAt, itemIds: ["1"] }),
        sale(`b${index}`, { recordedAt, itemIds: ["1"] }),
      ])
      for (const one of given.toReversed()) yield* insert(context, one)
      const bounds = [undefined, -last, -3_600, -3_599, 0, 1, 3_600, 7_199, last]
      for (const from of bounds) {
        for (const to of bounds) {
          for (const subject of [{}, { collaboratorId: "ada", productId: "p1" }]) {
            const filter = { ...ranges(from, to), ...subject }
            const found = yield* context.read(({ sales }) =>
              sales.list(filter, { offset: 1, limit: given.length }),
            )
            const expected = given.filter((one) => isSaleOf(filter, one))
            yield* expectSame(
              `the sales found by ${JSON.stringify(filter)}`,
              [found.total, ...found.entries.map(({ orderId }) => orderId)],
              [expected.length, ...expected.slice(1).map(({ orderId }) => orderId)],
            )
          }
        }
      }
      const part = (slice: Slice) => context.read(({ sales }) => sales.list({}, slice))
      yield* expectSlices(
        "sales of all times",
        part,
        given.map((one) => stored(one)),
      )
    }),
  ),
  inContext(
    "a sale is found by what it was recorded with, whatever is refunded of it",
    Effect.fnUntraced(function* (context) {
      const given = sale("1001")
      const first = yield* insert(context, given)
      const second = yield* addRefund(context, refund("r1", given, 9_600), first)
      const part = (slice: Slice) =>
        context.read(({ sales }) => sales.list({ collaboratorId: "ada", productId: "p1" }, slice))
      yield* expectSlices("ada's sales of p1", part, [second])
    }),
  ),
  inContext(
    "sales of products and collaborators whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      const long = "x".repeat(400)
      const products = [...oddIds, `${long}1`, `${long}2`]
      const given = products.map((id, index) =>
        sale(`o${index}`, { recordedAt: index, itemIds: [id], of: oddIds[index] ?? "ada" }),
      )
      for (const one of given) yield* insert(context, one)
      for (const [index, id] of products.entries()) {
        const filter = { collaboratorId: oddIds[index] ?? "ada", productId: `p${id}` }
        const { entries } = yield* context.read(({ sales }) =>
          sales.list(filter, { offset: 0, limit: 9 }),
        )
        const ids = entries.map(({ orderId }) => orderId)
        yield* expectSame(`the sales of ${JSON.stringify(filter)}`, ids, [`o${index}`])
      }
    }),
  ),
]

const refunding: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a refund is added to its part as the next version, and postings are replaced",
    Effect.fnUntraced(function* (context) {
      const given = sale("1001")
      const first = yield* insert(context, given)
      const other = yield* insert(context, sale("1001", { part: 2, itemIds: ["3"] }))
      const [one, two] = [refund("z", given), refund("a", given, 300)]
      const second = yield* addRefund(context, one, first)
      const postings = given.postings.map((place) => ({ ...place, reversed: 1 }))
      const expected = { ...given, refunds: [one], postings, version: 2 }
      yield* expectSame("the next version", second, expected)
      const third = yield* addRefund(context, two, second)
      yield* expectSame("the refunds, in order", third.refunds, [one, two])
      yield* expectSame("the parts", yield* ofOrder(context, "1001"), [third, other])
    }),
  ),
  inContext(
    "a refund is found by its id, whatever its order",
    Effect.fnUntraced(function* (context) {
      const [one, two] = [sale("1001"), sale("1002")]
      yield* addRefund(context, refund("r1", one), yield* insert(context, one))
      yield* addRefund(context, refund("r/2 🎨", two), yield* insert(context, two))
      const find = (id: string) => context.read(({ sales }) => sales.refund(id))
      yield* expectSame("the first", yield* find("r1"), refund("r1", one))
      yield* expectSame("the second", yield* find("r/2 🎨"), refund("r/2 🎨", two))
      yield* expectSame("an unknown one", yield* find("R1"), undefined)
    }),
  ),
  inContext(
    "a refund of a part that was changed since, or is not there, is a conflict",
    Effect.fnUntraced(function* (context) {
      const given = sale("1001")
      const first = yield* insert(context, given)
      const second = yield* addRefund(context, refund("r1", given), first)
      const late = refund("r2", given)
      yield* expectConflict("the first version", addRefund(context, late, first))
      yield* expectConflict("a later version", addRefund(context, late, { ...second, version: 3 }))
      yield* expectConflict("another part", addRefund(context, late, { ...second, part: 2 }))
      yield* expectConflict("another order", addRefund(context, late, stored(sale("1002"), 2)))
      yield* expectSame("the parts", yield* ofOrder(context, "1001"), [second])
      const found = yield* context.read(({ sales }) => sales.refund("r2"))
      yield* expectSame("the late refund", found, undefined)
    }),
  ),
  inContext(
    "a refund whose id the account has is a conflict, in the same order and in another",
    Effect.fnUntraced(function* (context) {
      const [one, two] = [sale("1001"), sale("1002")]
      const first = yield* addRefund(context, refund("r1", one), yield* insert(context, one))
      const other = yield* insert(context, two)
      yield* expectConflict("in the same order", addRefund(context, refund("r1", one), first))
      yield* expectConflict("in another order", addRefund(context, refund("r1", two), other))
      const found = yield* context.read(({ sales }) => sales.refund("r1"))
      yield* expectSame("the refund", found, refund("r1", one))
      yield* expectSame("the other order", yield* ofOrder(context, "1002"), [other])
    }),
  ),
]

const moving: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "postings follow the items that move, and each part that has one becomes its next version",
    Effect.fnUntraced(function* (context) {
      const given = [sale("1001"), sale("1001", { part: 2, itemIds: ["3"] }), sale("1002")]
      for (const one of given) yield* insert(context, one)
      const item = (orderId: string, itemId: string) => ({
        orderId,
        payoutItemId: `${orderId}/${itemId}/g1`,
      })
      const move = (fromPayoutId: string, toPayoutId: string) =>
        context.write(({ sales }) =>
          sales.move({
            fromPayoutId,
            toPayoutId,
            items: [item("1001", "2"), item("1001", "3"), item("1003", "1")],
          }),
        )
      const placed = (payoutId: string, itemIds: ReadonlyArray<string>) =>
        given.map((one, index): RecordedSale => {
          const isMoved = (itemId: string) => index < 2 && itemIds.includes(itemId)
          const postings = one.postings.map((place) =>
            isMoved(place.itemId) ? { ...place, payoutId } : place,
          )
          return { ...one, postings, version: index < 2 ? 2 : 1 }
        })
      const ledger = Effect.map(
        context.read(({ sales }) => sales.list({}, { offset: 0, limit: 9 })),
        ({ entries }) => entries,
      )
      yield* move("payout", "next")
      yield* expectSame("the ledger", yield* ledger, placed("next", ["2", "3"]))
      yield* move("payout", "last")
      yield* expectSame("items of another payout", yield* ledger, placed("next", ["2", "3"]))
      const [part] = yield* ofOrder(context, "1001")
      const late = addRefund(context, refund("r1", sale("1001")), stored(sale("1001")))
      yield* expectConflict("a refund that does not know of the move", late)
      if (part !== undefined) yield* addRefund(context, refund("r1", part), part)
      yield* move("next", "last")
      const [after] = yield* ofOrder(context, "1001")
      const wanted = { version: 4, refunds: 1, moved: ["payout", "last"] }
      const found = {
        version: after?.version,
        refunds: after?.refunds.length,
        moved: after?.postings.map(({ payoutId }) => payoutId),
      }
      yield* expectSame("a part with a refund", found, wanted)
    }),
  ),
]

/** The contract of the ledger. */
export const saleChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...recording,
  ...finding,
  ...refunding,
  ...moving,
]
