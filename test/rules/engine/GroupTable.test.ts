/** What is worked out of a group once, so that no order has to. */
import { ProductGroup } from "apportion"
import { expect, test } from "vitest"
import { Conditions, OrderView } from "../../../src/rules/engine/Conditions.js"
import { GroupTable } from "../../../src/rules/engine/GroupTable.js"

const link = { type: "products.all" } as const
const referer = { type: "referer", values: ["partner.test"] } as const
const tag = { type: "order.tag", values: ["art"] } as const

const groupOf = (input: Partial<ProductGroup.GroupInput>): ProductGroup.ProductGroup =>
  ProductGroup.make({ id: "g", collaboratorId: "ada", link, ...input })

/** Those of the groups of which something is so, by their place. */
const whichOf = (
  groups: ReadonlyArray<ProductGroup.ProductGroup>,
  ask: (table: GroupTable, slot: number) => boolean,
): ReadonlyArray<number> => {
  const table = new GroupTable(groups.length, new Conditions())
  const slots = groups.map((group) => table.add(group))
  return slots.flatMap((slot, place) => (ask(table, slot) ? [place] : []))
}

test("a group is in force from its start to just before its end, one without dates at any time", () => {
  const [startsAt, endsAt] = [1_767_225_600, 1_798_761_600]
  const groups = [
    groupOf({ percent: 1 }),
    groupOf({ percent: 1, startsAt }),
    groupOf({ percent: 1, endsAt }),
    groupOf({ percent: 1, startsAt, endsAt }),
  ]
  const inForceAt = (time: number) => whichOf(groups, (table, slot) => table.isInForce(slot, time))
  expect(inForceAt(startsAt - 1)).toEqual([0, 2])
  expect(inForceAt(startsAt)).toEqual([0, 1, 2, 3])
  expect(inForceAt(endsAt - 1)).toEqual([0, 1, 2, 3])
  expect(inForceAt(endsAt)).toEqual([0, 1])
  expect(inForceAt(Number.NaN)).toEqual([0])
})

test("a group keeps its dates when others come, also before it has any, and takes none from the one before", () => {
  const table = new GroupTable(0, new Conditions())
  const times = Array.from({ length: 40 }, (_, place) => (place % 3 === 0 ? null : place * 10))
  const slots = times.map((startsAt) => table.add(groupOf({ percent: 1, startsAt })))
  const inForce = slots.filter((slot) => table.isInForce(slot, 200))
  expect(inForce).toEqual(slots.filter((slot) => (times[slot] ?? 0) <= 200))
  table.remove(38)
  expect(table.add(groupOf({ percent: 1 }))).toBe(38)
  expect(table.isInForce(38, Number.NaN)).toBe(true)
})

test("a group pays nothing when nothing in it does", () => {
  const groups = [
    groupOf({ percent: 0 }),
    groupOf({ percent: 1 }),
    groupOf({ percent: 0, shippingPercent: 1 }),
    groupOf({ percent: 0, amount: 1 }),
    groupOf({ percent: 0, shippingAmount: 1 }),
    groupOf({ percent: 0, amount: 0, shippingAmount: 0, shippingPercent: 0 }),
  ]
  expect(whichOf(groups, (table, slot) => table.isZero(slot))).toEqual([0, 5])
})

test("only a referer's share is taken off what the others share, whatever an unchecked group says", () => {
  const unchecked = (group: ProductGroup.ProductGroup) => ({ ...group, deductForOtherSplits: true })
  const groups = [
    groupOf({ percent: 1, condition: referer, deductForOtherSplits: true }),
    groupOf({ percent: 1, condition: referer }),
    unchecked(groupOf({ percent: 1, condition: tag })),
    unchecked(groupOf({ percent: 1 })),
  ]
  expect(whichOf(groups, (table, slot) => table.isDeducting(slot))).toEqual([0])
})

test("a group with NOT is told from one that asks for the same, and from one that asks for nothing", () => {
  const groups = [
    groupOf({ percent: 1, condition: { ...tag, modifier: "NOT" } }),
    groupOf({ percent: 1, condition: tag }),
    groupOf({ percent: 1 }),
  ]
  expect(whichOf(groups, (table, slot) => table.isNot(slot))).toEqual([0])
})

test("a group without a percentage of shipping takes the percentage of the item", () => {
  const table = new GroupTable(0, new Conditions())
  const slots = [
    groupOf({ percent: "12.34" }),
    groupOf({ percent: 5, shippingPercent: 0 }),
    groupOf({ amount: 7, shippingPercent: 100 }),
  ].map((group) => table.add(group))
  expect(slots.map((slot) => table.basisPointsOf(slot))).toEqual([1_234, 500, 0])
  expect(slots.map((slot) => table.shippingBasisPointsOf(slot))).toEqual([1_234, 0, 10_000])
})

test("a group that is gone leaves its place to another, and nobody asks for what it asked for", () => {
  const conditions = new Conditions()
  const table = new GroupTable(0, conditions)
  const order = { id: "1", currency: "USD", items: [], tags: ["art", "toy"] }
  const asked = () => {
    const view = new OrderView(order)
    conditions.look(view)
    return conditions.present.length
  }
  const slot = table.add(groupOf({ percent: 1, condition: tag }))
  const other = table.add(groupOf({ percent: 1, condition: { ...tag, values: ["toy"] } }))
  expect(asked()).toBe(2)
  table.remove(slot)
  expect(asked()).toBe(1)
  expect(table.add(groupOf({ percent: 1 }))).toBe(slot)
  expect(table.add(groupOf({ percent: 1 }))).toBe(other + 1)
})
