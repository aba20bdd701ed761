/** However many groups are put in order among however many: each once, the most specific one first. */
import { ProductGroup } from "apportion"
import fc from "fast-check"
import { expect, test } from "vitest"
import { Conditions } from "../../../src/rules/engine/Conditions.js"
import { GroupTable } from "../../../src/rules/engine/GroupTable.js"
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
  return { order: new RankOrder(table, ranked), table }
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

test.each([
  ["few groups of few", few, 300, 48],
  ["nearly all of few", few, 300, 900],
  ["few groups of many", many, 40_000, 48],
  ["so many of many that they are sorted", many, 40_000, 250],
  ["so many of many that they are marked", many, 40_000, 3_000],
] as const)("%s are put in order", (_, ranked, count, most) => {
  const { order, table } = ranked()
  const slots = fc.array(fc.nat(count - 1), {
    minLength: Math.floor(most / 2),
    maxLength: most,
    size: "max",
  })
  fc.assert(
    fc.property(slots, (chosen) => {
      expect(order.of([...chosen])).toEqual(naive(table, chosen))
    }),
    { numRuns: 50 },
  )
})

test("the groups that come first are among those that are sorted", () => {
  const { order, table } = many()
  const byRank = Array.from({ length: 40_000 }, (_, slot) => slot).sort(
    (one, other) => (table.ranks[one] ?? 0) - (table.ranks[other] ?? 0),
  )
  for (const first of [0, 1, 2]) {
    const chosen = byRank.slice(first, first + 60)
    expect(order.of(chosen.toReversed())).toEqual(chosen)
  }
})

test("two lists in order become one", () => {
  const { order, table } = many()
  const distinct = fc.uniqueArray(fc.nat(39_999), { maxLength: 200 })
  fc.assert(
    fc.property(distinct, fc.nat(200), (chosen, cut) => {
      const [left, right] = [naive(table, chosen.slice(0, cut)), naive(table, chosen.slice(cut))]
      const merged = new Int32Array(chosen.length)
      expect(order.merge(left, right, merged)).toBe(chosen.length)
      expect([...merged]).toEqual(naive(table, chosen))
    }),
  )
})
