/** A rule set by what its groups look for. */
import { ProductGroup } from "apportion"
import fc from "fast-check"
import { expect, test, vi } from "vitest"
import { OrderView } from "../../../src/rules/engine/Conditions.js"
import { LinkIndex } from "../../../src/rules/engine/LinkIndex.js"
import { RuleIndex } from "../../../src/rules/engine/RuleIndex.js"

const groupOf = (
  id: string,
  input: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.ProductGroup =>
  ProductGroup.make({
    id,
    collaboratorId: "ada",
    link: { type: "products.all" },
    percent: 1,
    ...input,
  })

const art = { link: { type: "products.tag", values: ["art"] } } as const
const print = { link: { type: "products", values: ["p1"] } } as const

const idsOf = (index: RuleIndex, slots: ReadonlyArray<number>) =>
  slots.map((slot) => index.table.groupAt(slot).id)

test("all groups are listed, the most specific one first, as they come and go", () => {
  const groups = [groupOf("all"), groupOf("art", art), groupOf("print", print)]
  const index = new RuleIndex(groups)
  expect(index.size).toBe(3)
  expect(idsOf(index, index.all())).toEqual(["print", "art", "all"])
  index.change(groups[1], undefined)
  index.change(undefined, groupOf("also", print))
  index.change(groups[0], groupOf("all", { percent: 2 }))
  expect(index.size).toBe(3)
  expect(idsOf(index, index.all())).toEqual(["also", "print", "all"])
  expect(index.get("all")?.percent).toBe("2.00")
  expect(index.get("art")).toBeUndefined()
})

/** The ids of the groups that match an item of the product in an order with these tags. */
const matchesOf = (index: RuleIndex, tags: ReadonlyArray<string>) => {
  const product = { id: "p1", vendor: "North", tags: ["art"] }
  const view = new OrderView({ id: "1", currency: "USD", items: [], tags })
  const count = index.match(view, product)
  return idsOf(index, [...index.matches.subarray(0, count)])
}

const tagged = (value: string) => ({ condition: { type: "order.tag", values: [value] } }) as const

test.each([1, 16, 17, 31, 32, 33, 64, 100])(
  "of %i groups for all products those match whose tag the order has, before and after changes",
  (count) => {
    const groups = Array.from({ length: count }, (_, place) =>
      groupOf(`g${place}`, tagged(`tag ${place}`)),
    )
    const index = new RuleIndex([...groups, groupOf("art", art), groupOf("all")])
    expect(matchesOf(index, [])).toEqual(["art", "all"])
    expect(matchesOf(index, ["tag 0", "?"])).toEqual(["art", "g0", "all"])
    index.change(groups[0], undefined)
    expect(matchesOf(index, ["tag 0"])).toEqual(["art", "all"])
    index.change(undefined, groupOf("new", { ...tagged("tag 0"), ...print }))
    expect(matchesOf(index, ["tag 0"])).toEqual(["new", "art", "all"])
    index.change(undefined, groups[0])
    expect(matchesOf(index, ["tag 0", `tag ${count}`])).toEqual(["new", "art", "g0", "all"])
  },
)

test.each([1, 15, 16, 17, 40])(
  "%i groups for all products but some leave out the one that they are not for",
  (count) => {
    const but = (id: string, value: string) =>
      groupOf(id, { link: { type: "products.vendor", modifier: "NOT", values: [value] } })
    const groups = Array.from({ length: count }, (_, place) =>
      but(`g${String(place).padStart(2, "0")}`, place % 2 === 0 ? "north" : "south"),
    )
    const index = new RuleIndex(groups)
    const odd = groups.flatMap(({ id }, place) => (place % 2 === 0 ? [] : [id]))
    expect(matchesOf(index, [])).toEqual(odd)
    index.change(undefined, but("h", "North"))
    index.change(undefined, but("i", "West"))
    expect(matchesOf(index, [])).toEqual([...odd, "i"])
    for (const group of groups) index.change(group, undefined)
    expect(matchesOf(index, [])).toEqual(["i"])
  },
)

const anyOrder = () => new OrderView({ id: "1", currency: "USD", items: [] })

test.each([
  [1, true],
  [48, true],
  [49, false],
])("a product with %i groups is looked up once: %s", (count, isOnce) => {
  const groups = Array.from({ length: count }, (_, place) => groupOf(`g${place}`, art))
  const index = new RuleIndex(groups)
  using lookUps = vi.spyOn(LinkIndex.prototype, "listOf")
  const ask = () => {
    lookUps.mockClear()
    expect(index.match(anyOrder(), { id: "p1", tags: ["Art"] })).toBe(count)
    return lookUps.mock.calls.length
  }
  const first = ask()
  expect(first).toBeGreaterThan(0)
  expect(ask()).toBe(isOnce ? 0 : first)
})

test.each([0, 1])("what is remembered is of the tags that were looked up: %i", (begin) => {
  const index = new RuleIndex([groupOf("g", art)])
  let reads = begin
  const read = () => {
    reads += 1
    return reads % 2 === 0 ? ["Art"] : ["Toy"]
  }
  index.match(anyOrder(), Object.defineProperty({ id: "p1" }, "tags", { get: read }))
  expect(index.match(anyOrder(), { id: "p1", tags: ["Art"] })).toBe(1)
  expect(index.match(anyOrder(), { id: "p1", tags: ["Toy"] })).toBe(0)
})

test("groups that no value leads to are asked once an order when they are more than sixteen", () => {
  const groups = Array.from({ length: 16 }, (_, place) => groupOf(`g${place}`))
  const index = new RuleIndex(groups)
  const isOnce = () => {
    const view = new OrderView({ id: "1", currency: "USD", items: [] })
    index.match(view, { id: "p1" })
    return view.wide !== undefined
  }
  const south = { link: { type: "products.vendor", modifier: "NOT", values: ["south"] } } as const
  const [print17, wide17] = [groupOf("print", print), groupOf("g16", south)]
  expect(isOnce()).toBe(false)
  index.change(undefined, print17)
  expect(isOnce()).toBe(false)
  index.change(undefined, wide17)
  expect(isOnce()).toBe(true)
  index.change(wide17, undefined)
  expect(isOnce()).toBe(false)
  index.change(undefined, wide17)
  expect(isOnce()).toBe(true)
})

test("hundreds of groups match an item, of its product and of all products", () => {
  const many = (count: number, prefix: string, input: Partial<ProductGroup.GroupInput>) =>
    Array.from({ length: count }, (_, place) =>
      groupOf(`${prefix}${String(place).padStart(3, "0")}`, input),
    )
  const groups = [...many(30, "art", art), ...many(200, "wide", {})]
  expect(matchesOf(new RuleIndex(groups), [])).toEqual(groups.map(({ id }) => id))
})

test("of many groups for all products those with NOT and those with dates are asked one by one", () => {
  const asking = Array.from({ length: 40 }, (_, place) => groupOf(`g${place}`, tagged(`t${place}`)))
  const not = { condition: { type: "order.tag", modifier: "NOT", values: ["art"] } } as const
  const index = new RuleIndex([...asking, groupOf("not", not), groupOf("old", { endsAt: 1 })])
  expect(matchesOf(index, ["t7"])).toEqual(["g7", "not"])
  expect(matchesOf(index, ["t7", "Art"])).toEqual(["g7"])
})

test("each group matches once where few are for all products and many for one tag", () => {
  const asking = Array.from({ length: 40 }, (_, place) =>
    groupOf(`g${place}`, { ...art, ...tagged(`t${place}`) }),
  )
  const index = new RuleIndex([...asking, groupOf("art", art), groupOf("all"), groupOf("also")])
  expect(matchesOf(index, ["t7"])).toEqual(["g7", "art", "all", "also"])
  expect(matchesOf(index, [])).toEqual(["art", "all", "also"])
})

test("a group that goes leaves its place to the next one", () => {
  const index = new RuleIndex([groupOf("all")])
  for (let round = 0; round < 100; round += 1) {
    const group = groupOf(`g${round}`, art)
    index.change(undefined, group)
    index.change(group, undefined)
  }
  expect(index.table.groups.length).toBeLessThanOrEqual(2)
})

test("groups are put in the order of their ids, as they come and go", () => {
  const start = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 30 })
  const changes = fc.array(fc.string({ maxLength: 3 }), { maxLength: 30 })
  fc.assert(
    fc.property(start, changes, fc.integer({ min: 1, max: 3 }), (ids, changed, every) => {
      const known = new Map(ids.map((id) => [id, groupOf(`g${id}`)]))
      const index = new RuleIndex([...known.values()])
      const ordered = () => idsOf(index, index.inOrderOfIds(index.all().toReversed()))
      if (every === 1) ordered()
      for (const [turn, id] of changed.entries()) {
        const before = known.get(id)
        const after = before === undefined ? groupOf(`g${id}`) : undefined
        if (after === undefined) known.delete(id)
        else known.set(id, after)
        index.change(before, after)
        if (turn % every !== 0) continue
        expect(ordered()).toEqual([...known.values()].map((group) => group.id).sort())
      }
    }),
    { numRuns: 100 },
  )
})
