/** Groups by the values of their links and, where there are many of one value, by what they ask of an order. */
import { ProductGroup } from "apportion"
import { describe, expect, it } from "vitest"
import { Conditions, OrderView } from "../../../src/rules/engine/Conditions.js"
import { GroupTable } from "../../../src/rules/engine/GroupTable.js"
import { ConditionIndex, LinkIndex } from "../../../src/rules/engine/LinkIndex.js"
import { RankedGroups, RankOrder } from "../../../src/rules/engine/Precedence.js"

/** A table to which groups are added that ask for a tag of the order, for none of it, or for nothing. */
const world = () => {
  const conditions = new Conditions()
  const table = new GroupTable(4, conditions)
  const ranked = new RankedGroups(table)
  let made = 0
  const add = (input: Partial<ProductGroup.GroupInput> = {}): number => {
    made += 1
    const id = `g${String(made).padStart(4, "0")}`
    const link = { type: "products.all" } as const
    const group = ProductGroup.make({ id, collaboratorId: "ada", link, percent: 1, ...input })
    const slot = table.add(group)
    ranked.insert(slot, group)
    return slot
  }
  const asking = (...values: ReadonlyArray<string>) =>
    add({ condition: { type: "order.tag", values } })
  const not = (value: string) =>
    add({ condition: { type: "order.tag", modifier: "NOT", values: [value] } })
  const orderWith = (...tags: ReadonlyArray<string>) => {
    const order = { id: "1", currency: "USD", items: [], tags, createdAt: 100 }
    conditions.look(new OrderView(order))
    return order
  }
  /** What is added to an order of ranks, the most specific one first. */
  const added = (adding: (found: RankOrder) => void): ReadonlyArray<number> => {
    const found = new RankOrder(ranked)
    adding(found)
    return found.toArray()
  }
  return { conditions, table, add, asking, not, orderWith, added }
}

/** How many values something remembers. */
const valuesIn = (index: object): number =>
  Object.values(index).reduce((sum, each) => sum + (each instanceof Map ? each.size : 0), 0)

describe("groups by their conditions", () => {
  it("are found by what the order has, or asked one by one", () => {
    const { conditions, table, add, asking, not, orderWith, added } = world()
    const index = new ConditionIndex(table, conditions)
    const [art, both] = [asking("art"), asking("toy", "art")]
    const [none, notArt] = [add(), not("art")]
    for (const slot of [art, both, none, notArt]) index.insert(slot)
    const found = (...tags: ReadonlyArray<string>) =>
      added((slots) => index.addAsked(orderWith(...tags), slots))
    const unasked = added((slots) => index.addUnasked(slots))
    // One with a condition is more specific than one without.
    expect(unasked).toEqual([notArt, none])
    expect(found("Art")).toEqual([art, both])
    expect(found("toy")).toEqual([both])
    expect(found("mug")).toEqual([])
  })

  it("are found only while they are in force", () => {
    const { conditions, table, add, orderWith, added } = world()
    const index = new ConditionIndex(table, conditions)
    const condition = { type: "order.tag", values: ["art"] } as const
    const [now, over] = [add({ condition, startsAt: 100 }), add({ condition, endsAt: 100 })]
    for (const slot of [now, over]) index.insert(slot)
    const found = added((slots) => index.addAsked(orderWith("art"), slots))
    expect(found).toEqual([now])
  })

  it("leave nothing behind, and nothing to those that come after them", () => {
    const { conditions, table, asking, add, orderWith, added } = world()
    const index = new ConditionIndex(table, conditions)
    asking("art")
    const [art, also, wide] = [asking("art"), asking("art"), add()]
    for (const slot of [art, also, wide]) index.insert(slot)
    index.remove(art)
    expect(valuesIn(index)).toBe(1)
    index.remove(also)
    index.remove(wide)
    expect(valuesIn(index)).toBe(0)
    const toy = asking("toy")
    index.insert(toy)
    const found = added((slots) => {
      index.addAsked(orderWith("art"), slots)
      index.addUnasked(slots)
    })
    expect(found).toEqual([])
    expect(added((slots) => index.addAsked(orderWith("toy"), slots))).toEqual([toy])
  })
})

describe("groups by their links", () => {
  const indexOver = (count: number, kinds: (place: number) => "asking" | "any") => {
    const { conditions, table, asking, add } = world()
    const index = new LinkIndex(table, { conditions })
    for (let place = 0; place < count; place += 1) {
      index.insert("art", kinds(place) === "asking" ? asking(`tag ${place}`) : add())
    }
    return index
  }
  const isDivided = (index: LinkIndex) => index.indexOf(index.listOf("art")) !== undefined

  it("are found by their conditions too from thirty-two groups of a value on", () => {
    const divided = [1, 31, 32, 33, 63, 64, 100].filter((count) =>
      isDivided(indexOver(count, () => "asking")),
    )
    expect(divided).toEqual([32, 33, 63, 64, 100])
  })

  it("are so where half of them ask for something, which is looked at when they have doubled", () => {
    const half = (place: number) => (place % 2 === 0 ? "asking" : "any")
    expect(isDivided(indexOver(32, half))).toBe(true)
    const first = (place: number) => (place < 17 ? "any" : "asking")
    const divided = [32, 33, 48, 63, 64, 65].filter((count) => isDivided(indexOver(count, first)))
    expect(divided).toEqual([64, 65])
    expect(isDivided(indexOver(64, () => "any"))).toBe(false)
  })

  it("are not found by conditions where nobody looks for that", () => {
    const { table, asking } = world()
    const index = new LinkIndex(table, {})
    for (let place = 0; place < 40; place += 1) index.insert("art", asking("art"))
    expect(isDivided(index)).toBe(false)
  })

  it("are those that were put under a value and not taken away, also after many", () => {
    const { conditions, table, asking, orderWith, added } = world()
    const index = new LinkIndex(table, { conditions, attribute: "products.tag" })
    expect([index.isEmpty, index.listOf("Art")]).toEqual([true, -1])
    const slots = Array.from({ length: 40 }, (_, place) => asking(`tag ${place % 4}`))
    for (const slot of slots) index.insert("art", slot)
    const list = index.listOf("ART")
    expect([index.isEmpty, index.listOf("toy")]).toEqual([false, -1])
    const found = () => added((asked) => index.indexOf(list)?.addAsked(orderWith("tag 3"), asked))
    expect(found()).toHaveLength(10)
    for (const slot of slots.slice(0, 39)) index.remove("art", slot)
    expect(found()).toEqual(slots.slice(39))
    expect(index.listOf("Art")).toBe(list)
    index.remove("art", slots[39] ?? -1)
    expect([index.isEmpty, index.listOf("Art"), index.listOf("ART")]).toEqual([true, -1, -1])
    expect(valuesIn(index)).toBe(0)
    index.insert("toy", slots[0] ?? -1)
    expect([index.listOf("Toy"), index.listOf("Art")]).toEqual([list, -1])
    expect(index.indexOf(list)).toBeUndefined()
  })

  it("are told from those whose NOT names the value, which leave nothing behind either", () => {
    const { conditions, table, add, added } = world()
    const index = new LinkIndex(table, { conditions, attribute: "products.tag" })
    const [one, other, third] = [add(), add(), add()]
    const barredBy = (value: string) => index.barredBy(index.listOf(value))
    const under = (value: string) =>
      added((slots) => slots.addList(index.lists, index.listOf(value)))
    index.bar("art", one)
    expect([under("Art"), barredBy("Art")]).toEqual([[], [one]])
    index.insert("art", other)
    index.bar("art", third)
    index.insert("toy", one)
    expect([under("ART"), barredBy("ART")]).toEqual([[other], [one, third]])
    expect([under("toy"), barredBy("toy")]).toEqual([[one], []])
    index.remove("art", other)
    expect([under("art"), barredBy("art")]).toEqual([[], [one, third]])
    index.insert("art", other)
    index.unbar("art", one)
    index.unbar("art", third)
    expect([under("art"), barredBy("art")]).toEqual([[other], []])
    index.remove("art", other)
    index.bar("mug", third)
    index.unbar("mug", third)
    expect([index.listOf("art"), index.listOf("mug")]).toEqual([-1, -1])
    index.remove("toy", one)
    expect([index.isEmpty, valuesIn(index)]).toEqual([true, 0])
  })
})
