/** What is remembered so that it need not be worked out again: never wrong, and never without end. */
import type { Product } from "apportion"
import { describe, expect, it } from "vitest"
import { Slots, Spellings, TextNumbers } from "../../../src/rules/engine/Conditions.js"
import { type Linked, ProductMemory } from "../../../src/rules/engine/RuleIndex.js"

const linkedTo = (...groups: ReadonlyArray<number>): Linked => ({ groups, indexes: [] })

describe("a product", () => {
  const mug: Product.Product = { id: "p1", externalId: "7", vendor: "North", tags: ["art", "toy"] }

  it("is remembered as long as it says the same", () => {
    const memory = new ProductMemory(0)
    expect(memory.recall(mug)).toBeUndefined()
    memory.remember(mug, linkedTo(1))
    expect(memory.recall({ ...mug, name: "Mug", price: 5 })).toEqual(linkedTo(1))
    const changes: ReadonlyArray<Partial<Product.Product>> = [
      { id: "p2" },
      { externalId: "8" },
      { externalId: undefined },
      { vendor: "north" },
      { vendor: undefined },
      { tags: ["art"] },
      { tags: ["art", "mug"] },
      { tags: ["toy", "art"] },
      { tags: ["art", "toy", "mug"] },
      { tags: undefined },
      { otherIds: ["sku:MUG"] },
    ]
    for (const change of changes) expect(memory.recall({ ...mug, ...change })).toBeUndefined()
    const bare = { id: "p3" }
    memory.remember(bare, linkedTo(2))
    expect(memory.recall({ ...bare, tags: [] })).toEqual(linkedTo(2))
    memory.remember({ id: "p4", tags: [] }, linkedTo(3))
    expect(memory.recall({ id: "p4" })).toEqual(linkedTo(3))
  })

  it("is not the same when something like a list stands for its tags", () => {
    const memory = new ProductMemory(0)
    memory.remember({ id: "p1", tags: ["a"] }, linkedTo(1))
    expect(memory.recall(JSON.parse('{"id":"p1","tags":{"0":"a","length":1}}'))).toBeUndefined()
  })

  it("is remembered with the tags that it had, whatever becomes of its list", () => {
    const memory = new ProductMemory(0)
    const tags = ["art"]
    memory.remember({ id: "p1", tags }, linkedTo(1))
    tags[0] = "toy"
    expect(memory.recall({ id: "p1", tags })).toBeUndefined()
    expect(memory.recall({ id: "p1", tags: ["art"] })).toEqual(linkedTo(1))
  })

  it("is forgotten when the rules change, in both halves of the memory", () => {
    const memory = new ProductMemory(0)
    const ids = Array.from({ length: 2_100 }, (_, index) => `p${index}`)
    for (const id of ids) memory.remember({ id }, linkedTo())
    memory.forget()
    expect(ids.filter((id) => memory.recall({ id }) !== undefined)).toEqual([])
  })

  it("makes room for newer ones when it is one of the older half, unless it is asked about", () => {
    const memory = new ProductMemory(2)
    const idAt = (index: number) => `p${index}`
    const remember = (from: number, to: number) => {
      for (let index = from; index < to; index += 1)
        memory.remember({ id: idAt(index) }, linkedTo())
    }
    const knows = (index: number) => memory.recall({ id: idAt(index) }) !== undefined
    remember(0, 2_050)
    expect([knows(0), knows(2_049)]).toEqual([true, true])
    remember(2_050, 4_098)
    expect([0, 1, 2_048, 2_049, 2_050, 4_097].map(knows)).toEqual([
      true,
      false,
      false,
      true,
      true,
      true,
    ])
  })

  it("takes room for each of its groups", () => {
    const memory = new ProductMemory(0)
    const many = linkedTo(...Array.from({ length: 4_096 }, (_, index) => index))
    const knows = (id: string) => memory.recall({ id }) !== undefined
    for (let index = 0; index < 16; index += 1) memory.remember({ id: `p${index}` }, many)
    memory.remember({ id: "q" }, linkedTo())
    expect(knows("p0")).toBe(true)
    memory.forget()
    for (let index = 0; index < 31; index += 1) memory.remember({ id: `p${index}` }, many)
    expect([knows("p1"), knows("p30")]).toEqual([true, true])
    memory.forget()
    for (let index = 0; index < 32; index += 1) memory.remember({ id: `p${index}` }, many)
    expect(["p0", "p15", "p16", "p31"].map(knows)).toEqual([false, false, true, true])
  })

  it("is not remembered when it says as much as a book", () => {
    const memory = new ProductMemory(0)
    const long: ReadonlyArray<Product.Product> = [
      { id: "a".repeat(4_097) },
      { id: "p1", externalId: "a".repeat(4_095) },
      { id: "p2", vendor: "a".repeat(4_095) },
      { id: "p3", tags: ["a".repeat(2_000), "b".repeat(2_093)] },
    ]
    for (const product of long) {
      memory.remember(product, linkedTo(1))
      expect(memory.recall(product)).toBeUndefined()
    }
    const shorter: ReadonlyArray<Product.Product> = [
      { id: "a".repeat(4_096) },
      { id: "p1", externalId: "a".repeat(4_094) },
      { id: "p2", vendor: "a".repeat(4_094) },
      { id: "p3", tags: ["a".repeat(2_000), "b".repeat(2_092)] },
    ]
    for (const product of shorter) {
      memory.remember(product, linkedTo(1))
      expect(memory.recall(product)).toEqual(linkedTo(1))
    }
  })
})

describe("a spelling", () => {
  const asked: Array<string> = []
  const counting = () => {
    asked.length = 0
    return new Spellings((text) => asked.push(text) && text.length)
  }

  it("is worked out once, until what it leads to has changed", () => {
    const spellings = counting()
    expect([spellings.numberOf("Art"), spellings.numberOf("Art")]).toEqual([3, 3])
    expect(asked).toEqual(["Art"])
    spellings.forget()
    expect(spellings.numberOf("Art")).toBe(3)
    expect(asked).toEqual(["Art", "Art"])
  })

  it("is worked out each time when it is long", () => {
    const spellings = counting()
    for (const text of ["a".repeat(128), "b".repeat(129)]) {
      for (let time = 0; time < 2; time += 1) expect(spellings.numberOf(text)).toBe(text.length)
    }
    expect(asked.map((text) => text.length)).toEqual([128, 129, 129])
  })

  it("does not fill the memory together with thousands of others", () => {
    const spellings = counting()
    const most = 1 << 14
    for (let index = 0; index < most; index += 1) spellings.numberOf(`t${index}`)
    spellings.numberOf("t0")
    expect(asked).toHaveLength(most)
    spellings.numberOf("one more")
    spellings.numberOf("t1")
    expect(asked).toHaveLength(most + 2)
    spellings.numberOf("one more")
    expect(asked).toHaveLength(most + 2)
  })
})

describe("numbers for texts", () => {
  it("are given again when nobody uses them", () => {
    const words = new TextNumbers()
    expect([words.use("a"), words.use("b"), words.use("a")]).toEqual([0, 1, 0])
    expect([words.numberOf("a"), words.numberOf("c"), words.size]).toEqual([0, -1, 2])
    words.release("a")
    expect(words.numberOf("a")).toBe(0)
    words.release("a")
    expect([words.numberOf("a"), words.size]).toEqual([-1, 1])
    expect([words.use("c"), words.use("d"), words.use("a")]).toEqual([0, 2, 3])
    words.release("c")
    expect(words.numberOf("c")).toBe(-1)
  })

  it("are none that another list of texts has, when they share them", () => {
    const slots = new Slots()
    const [tags, vendors] = [new TextNumbers(slots), new TextNumbers(slots)]
    expect([tags.use("a"), vendors.use("a"), tags.use("b"), vendors.use("b")]).toEqual([0, 1, 2, 3])
    tags.release("a")
    expect(vendors.use("c")).toBe(0)
  })
})
