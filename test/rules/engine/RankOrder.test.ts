/** However many groups are put in order among however many: each once, the most specific one first. */
import { ProductGroup } from "apportion"
import fc from "fast-check"
import { expect, test } from "vitest"
import { Conditions } from "../../../src/rules/engine/Conditions.js"
import { GroupTable } from "../../../src/rules/engine/GroupTable.js"
import { NumberLists } from "../../../src/rules/engine/NumberLists.js"
import { RankedGroups, RankOrder } from "../../../src/rules/engine/Precedence.js"

const link = { type: "products.all" } as const

/** A rank order over so many groups, which came in no order. */
const orderOver = (count: number) => {
  const table = new GroupTable(count, new Conditions())
  const ranked = new RankedGroups(table)
  const slots = Array.from({ length: count }, (_, index) => {
    const id = `g${(index * 7_919) % count}`
    return table.add(ProductGroup.make({ id, collaboratorId: "ada", link, percent: 1 }))
  })
  ranked.fill(
    [...slots].sort((one, other) =>
      (table.groups[one]?.id ?? "") < (table.groups[other]?.id ?? "") ? -1 : 1,
    ),
  )
  return { order: new RankOrder(ranked), table }
}

/** Made when it is first asked for: the library does nothing before the tests begin. */
const onlyOnce = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => {
    made ??= make()
    return made
  }
}

const few = onlyOnce(() => orderOver(300))
const many = onlyOnce(() => orderOver(40_000))

const naive = (table: GroupTable, slots: ReadonlyArray<number>): ReadonlyArray<number> =>
  [...new Set(slots)].sort((one, other) => (table.ranks[one] ?? 0) - (table.ranks[other] ?? 0))

const ordered = (order: RankOrder, slots: Iterable<number>): ReadonlyArray<number> => {
  order.begin()
  for (const slot of slots) order.add(slot)
  return order.toArray()
}

test.each([
  ["few groups of few", few, 300, 48],
  ["nearly all of few", few, 300, 900],
  ["few groups of many", many, 40_000, 48],
  ["some groups of many", many, 40_000, 250],
  ["many groups of many", many, 40_000, 3_000],
] as const)("%s are put in order", (_, ranked, count, most) => {
  const { order, table } = ranked()
  const slots = fc.array(fc.nat(count - 1), {
    minLength: Math.floor(most / 2),
    maxLength: most,
    size: "max",
  })
  fc.assert(
    fc.property(slots, (chosen) => {
      expect(ordered(order, chosen)).toEqual(naive(table, chosen))
    }),
    { numRuns: 50 },
  )
})

test("the groups that come first are among those that are marked", () => {
  const { order, table } = many()
  const byRank = Array.from({ length: 40_000 }, (_, slot) => slot).sort(
    (one, other) => (table.ranks[one] ?? 0) - (table.ranks[other] ?? 0),
  )
  for (const first of [0, 1, 2, 39_940]) {
    const chosen = byRank.slice(first, first + 60)
    expect(ordered(order, chosen.toReversed())).toEqual(chosen)
  }
})

const slotsOfMany = fc.array(fc.nat(39_999), { maxLength: 70, size: "max" })

test("groups of lists and single ones come in one order, however many each list has", () => {
  const { order, table } = many()
  const told = { marked: 0, placed: 0 }
  fc.assert(
    fc.property(fc.array(slotsOfMany, { maxLength: 4 }), slotsOfMany, (ofLists, single) => {
      const lists = new NumberLists()
      order.begin()
      order.addList(lists, -1)
      for (const slots of ofLists) {
        const list = lists.add()
        for (const slot of slots) lists.push(list, slot)
        order.addList(lists, list)
      }
      for (const slot of single) order.add(slot)
      const expected = naive(table, [...ofLists.flat(), ...single])
      expect(order.toArray()).toEqual(expected)
      told[expected.length > 48 ? "marked" : "placed"] += 1
    }),
    { numRuns: 200 },
  )
  expect(Math.min(told.marked, told.placed)).toBeGreaterThan(20)
})

test("what was added and never taken is forgotten, few groups or many", () => {
  const { order, table } = many()
  for (const count of [3, 300]) {
    order.begin()
    for (let slot = 0; slot < count; slot += 1) order.add(slot)
    expect(ordered(order, [7, 5])).toEqual(naive(table, [5, 7]))
  }
})

test("a group that is taken away again is not among them, few groups or many, added or not", () => {
  const { order, table } = many()
  for (const count of [3, 48, 300]) {
    const added = Array.from({ length: count }, (_, index) => index * 7)
    order.begin()
    for (const slot of added) order.add(slot)
    for (const slot of [7, 14, 39_999, 7]) order.remove(slot)
    const left = added.filter((slot) => slot !== 7 && slot !== 14)
    expect(order.toArray()).toEqual(naive(table, left))
  }
})
