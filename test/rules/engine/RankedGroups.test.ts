import { ProductGroup, RuleSet } from "apportion"
import { describe, expect, it } from "vitest"
import { Conditions } from "../../../src/rules/engine/Conditions.js"
import { GroupTable } from "../../../src/rules/engine/GroupTable.js"
import { RankedGroups } from "../../../src/rules/engine/Precedence.js"
import { Random } from "../../oracle/long/Random.js"

const link = { type: "products.all" } as const
const idOf = (index: number) => `g${String(index).padStart(5, "0")}`

/** Groups by their ids, put in one by one; what the ranks say of their order. */
const world = () => {
  const table = new GroupTable(4, new Conditions())
  const ranked = new RankedGroups(table)
  const slots = new Map<string, number>()
  const add = (id: string): number => {
    const slot = table.add(ProductGroup.make({ id, collaboratorId: "ada", link, percent: 1 }))
    slots.set(id, slot)
    return slot
  }
  return {
    ranked,
    fill: (ids: ReadonlyArray<string>) => ranked.fill(ids.map(add)),
    put: (id: string) => ranked.insert(add(id), table.groupAt(slots.get(id) ?? -1)),
    take: (id: string) => {
      const slot = slots.get(id) ?? -1
      ranked.remove(slot)
      table.remove(slot)
      slots.delete(id)
    },
    inOrder: () => {
      const bySlot = new Map([...slots].map(([id, slot]) => [slot, id]))
      const ranks = [...slots.values()].map((slot) => table.ranks[slot] ?? -1)
      const sorted = ranks.sort((one, other) => one - other)
      expect(new Set(sorted).size).toBe(slots.size)
      for (const rank of sorted) expect(rank).toBeLessThan(ranked.limit)
      return sorted.map((rank) => bySlot.get(ranked.byRank[rank] ?? -1))
    },
    ids: () => [...slots.keys()].sort(),
  }
}

describe("the order of groups", () => {
  it("is that of their ids, whichever of thousands comes when", () => {
    const { put, take, inOrder, ids } = world()
    const random = new Random(3)
    const order = random.shuffled(Array.from({ length: 3_000 }, (_, index) => idOf(index)))
    for (const [index, id] of order.entries()) {
      put(id)
      if (index % 500 === 0) expect(inOrder()).toEqual(ids())
    }
    expect(inOrder()).toEqual(ids())
    for (const id of random.shuffled(order).slice(0, 2_900)) take(id)
    expect(inOrder()).toEqual(ids())
    for (const id of order.slice(0, 50)) if (!ids().includes(id)) put(id)
    expect(inOrder()).toEqual(ids())
  })

  it("has parts that are cut in two when they are full, and go when they are empty", () => {
    const { put, take, inOrder, ids, ranked } = world()
    expect(ranked.limit).toBe(0)
    const all = Array.from({ length: 1_024 }, (_, index) => idOf(index))
    for (const id of all.slice(0, 1_023)) put(id)
    expect(ranked.limit).toBe(1_024)
    put(idOf(1_023))
    expect(ranked.limit).toBe(2_048)
    expect(inOrder()).toEqual(ids())
    for (const id of all.slice(0, 512)) take(id)
    expect(ranked.limit).toBe(1_024)
    expect(inOrder()).toEqual(ids())
    for (const id of all.slice(512)) take(id)
    expect([inOrder(), ranked.limit]).toEqual([[], 0])
    put("again")
    expect(inOrder()).toEqual(["again"])
  })

  it("begins with parts that are half full", () => {
    const { fill, put, inOrder, ids, ranked } = world()
    fill(Array.from({ length: 1_100 }, (_, index) => idOf(2 * index)))
    expect(ranked.limit).toBe(3 * 1_024)
    expect(inOrder()).toEqual(ids())
    for (const index of [0, 1, 1_021, 1_022, 1_023, 1_024, 1_025, 2_200]) put(`${idOf(index)}x`)
    expect(inOrder()).toEqual(ids())
    expect(ranked.limit).toBe(3 * 1_024)
  })

  it("begins without an empty part, also where groups fill their parts to the half exactly", () => {
    for (const count of [0, 512, 1_024]) {
      const { fill, put, inOrder, ids, ranked } = world()
      fill(Array.from({ length: count }, (_, index) => idOf(index)))
      expect(ranked.limit).toBe(2 * count)
      put(idOf(count))
      expect(inOrder()).toEqual(ids())
    }
  })
})

it("a slot without a group is a mistake", () => {
  const table = new GroupTable(4, new Conditions())
  expect(() => table.groupAt(2)).toThrow(RangeError)
  expect(() => table.remove(2)).toThrow(RangeError)
})

it("groups that no one checked are refused where they would pay", () => {
  const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }
  const order = { id: "1001", currency: "USD", items: [item] }
  const good = ProductGroup.make({ id: "a", collaboratorId: "ada", link, percent: "100" })
  const forged = (fields: object) => () =>
    RuleSet.matchingGroups({ groups: [{ ...good, ...fields }] }, order, item)
  for (const percent of ["100.01", "-0.01", "NaN", "ten"]) {
    expect(forged({ percent }), percent).toThrow(RuleSet.InvalidRuleSet)
    expect(forged({ shippingPercent: percent }), percent).toThrow(RuleSet.InvalidRuleSet)
  }
  expect(forged({ percent: "0.00", shippingPercent: "100.00" })()).toHaveLength(1)
})
