/** Rule sets that came from one another share one index, as long as that is less work than one for each. */
import { ProductGroup } from "apportion"
import { expect, test } from "vitest"
import { change, indexOf } from "../../../src/rules/engine/versions.js"

type Rules = Parameters<typeof indexOf>[0]

const groupOf = (id: string, percent = 1): ProductGroup.ProductGroup =>
  ProductGroup.make({ id, collaboratorId: id, link: { type: "products.all" }, percent })

const rulesOf = (count: number): Rules => ({
  groups: Array.from({ length: count }, (_, place) => groupOf(`g${place}`)),
})

/** The rules with another percentage of their first group. */
const replaced = (rules: Rules, percent: number): Rules => {
  const before = indexOf(rules).get("g0")
  return change(rules, { id: "g0", before, after: groupOf("g0", percent) })
}

const percentIn = (rules: Rules) => indexOf(rules).get("g0")?.percent

test("a rule set has one index, which it shares with what it was changed into", () => {
  const rules = rulesOf(20)
  const index = indexOf(rules)
  expect(indexOf(rules)).toBe(index)
  const later = replaced(rules, 2)
  expect(indexOf(later)).toBe(index)
  expect(percentIn(later)).toBe("2.00")
  expect(indexOf(rules)).toBe(index)
  expect(percentIn(rules)).toBe("1.00")
})

test("two versions that are asked in turn get an index each when going to and fro took longer", () => {
  const rules = rulesOf(80)
  const later = replaced(rules, 2)
  const turns = Array.from({ length: 40 }, () => [rules, later]).flat()
  // Ten steps, of which each takes as long as eight groups.
  expect(turns.findIndex((version) => indexOf(version) !== indexOf(later))).toBe(10)
  const [one, other] = [indexOf(rules), indexOf(later)]
  for (const version of turns) expect([one, other]).toContain(indexOf(version))
  expect([percentIn(rules), percentIn(later)]).toEqual(["1.00", "2.00"])
})

test("whoever is asked again keeps the index, also when it has had many steps for its size", () => {
  const rules = rulesOf(80)
  const later = replaced(rules, 2)
  const index = indexOf(later)
  for (let turn = 0; turn < 5; turn += 1) {
    expect(indexOf(rules)).toBe(index)
    expect(indexOf(later)).toBe(index)
  }
  const fewer = change(later, { id: "g7", before: index.get("g7"), after: undefined })
  expect(indexOf(fewer)).toBe(index)
  expect(indexOf(fewer)).toBe(index)
  expect(index.size).toBe(79)
})

/** Whether the version before the last of so many changes still shares its index. */
const isShared = (count: number, size: number): boolean => {
  let [before, rules] = [rulesOf(size), rulesOf(size)]
  for (let made = 1; made <= count; made += 1) {
    before = rules
    rules = replaced(rules, (made % 100) + 1)
  }
  return indexOf(rules) === indexOf(before)
}

test("now and then a version is left behind, for else the first would hold all that come after it", () => {
  const left = (size: number, counts: ReadonlyArray<number>) =>
    counts.filter((count) => !isShared(count, size))
  expect(left(10, [1, 2, 63, 64, 65, 66, 91, 129, 130, 131])).toEqual([65, 130])
  expect(left(90, [1, 2, 64, 65, 90, 91, 92, 130, 181, 182, 183])).toEqual([91, 182])
})

test("a list of groups is made once, with each group in its place and new ones last", () => {
  const rules = rulesOf(3)
  const more = change(replaced(rules, 7), { id: "new", before: undefined, after: groupOf("new") })
  const fewer = change(more, { id: "g1", before: groupOf("g1"), after: undefined })
  expect(fewer.groups.map(({ id, percent }) => `${id} ${percent}`)).toEqual([
    "g0 7.00",
    "g2 1.00",
    "new 1.00",
  ])
  expect(fewer.groups).toBe(fewer.groups)
  expect(rules.groups).toHaveLength(3)
})
