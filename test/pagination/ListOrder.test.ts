import { ListOrder } from "apportion"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"

const ids = (listed: ReadonlyArray<{ readonly id: string }>) => listed.map(({ id }) => id)

describe("Pages, order", () => {
  it("payouts come by to_be_paid_at descending, then by id", () => {
    const listed = [
      { id: "b", toBePaidAt: 5 },
      { id: "B", toBePaidAt: 5 },
      { id: "c", toBePaidAt: -1 },
      { id: "d", toBePaidAt: 9 },
    ]
    expect(ids(listed.sort(ListOrder.payouts))).toEqual(["d", "B", "b", "c"])
  })

  it("groups come by created_at descending, then by id, those without one last", () => {
    const listed = [
      { id: "a", createdAt: null },
      { id: "9", createdAt: 5 },
      { id: "10", createdAt: 5 },
      { id: "b", createdAt: 7 },
      { id: "0", createdAt: null },
    ]
    expect(ids(listed.sort(ListOrder.productGroups))).toEqual(["b", "10", "9", "0", "a"])
  })

  it("products come by name, then by id", () => {
    const listed = [
      { id: "2", name: "Mug" },
      { id: "1", name: "Mug" },
      { id: "4", name: "mug" },
      { id: "3", name: "Cap" },
      { id: "5" },
    ]
    expect(ids(listed.sort(ListOrder.products))).toEqual(["5", "3", "1", "2", "4"])
  })

  it("variants of a product come by their ids, the product without a variant first", () => {
    const listed = [
      { id: "1", name: "Mug", externalVariantId: "red" },
      { id: "1", name: "Mug", externalVariantId: "" },
      { id: "1", name: "Mug", externalVariantId: "blue" },
      { id: "1", name: "Mug" },
      { id: "0", name: "Mug", externalVariantId: "white" },
    ]
    const variants = listed.sort(ListOrder.products).map((product) => product.externalVariantId)
    expect(variants).toEqual(["white", undefined, "", "blue", "red"])
  })

  it("is total and stable: whatever order a list comes in, it is listed the same", () => {
    const entry = fc.record({
      id: fc.string({ unit: "grapheme", maxLength: 3 }),
      toBePaidAt: fc.integer({ min: 0, max: 2 }),
      createdAt: fc.constantFrom(null, 0, 1),
      name: fc.constantFrom("Mug", "mug", "Cap", ""),
    })
    const list = fc
      .uniqueArray(entry, { selector: ({ id }) => id, maxLength: 12 })
      .chain((entries) =>
        fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
      )
    fc.assert(
      fc.property(list, ([entries, shuffled]) => {
        for (const order of [ListOrder.payouts, ListOrder.productGroups, ListOrder.products]) {
          expect(shuffled.toSorted(order)).toEqual(entries.toSorted(order))
        }
      }),
      runs(300),
    )
  })
})
