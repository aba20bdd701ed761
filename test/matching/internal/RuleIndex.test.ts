/** A rule set by what its groups look for. */
import { ProductGroup } from "apportion"
import { expect, test } from "vitest"
import { OrderView } from "../../../src/matching/internal/OrderView.js"
import { RuleIndex } from "../../../src/matching/internal/RuleIndex.js"

const groupOf = (id: string, input: Partial<ProductGroup.Input> = {}): ProductGroup.ProductGroup =>
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
  return idsOf(index, [...index.matches.subarray(0, index.match(view, product))])
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
