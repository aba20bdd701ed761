import { ProductGroup } from "apportion"
import { describe, expect, test } from "vitest"
import { KindSet } from "../../../src/analysis/internal/Assortment.js"
import * as predicates from "../../../src/analysis/internal/Predicate.js"
import { Values } from "../../../src/analysis/internal/Predicate.js"
import { firstSecond } from "../../../src/internal/seconds.js"

const all = { type: "products.all" } as const
const values = new Values()

const asking = (changes: Partial<ProductGroup.GroupInput> = {}, kinds?: ReadonlyArray<number>) => {
  const group = ProductGroup.make({
    id: "g",
    collaboratorId: "ada",
    link: all,
    percent: 10,
    ...changes,
  })
  return predicates.ofGroup(group, values, kinds && KindSet.of(kinds, 20))
}

const tagged = (...tags: ReadonlyArray<string>) => ({ type: "products.tag", values: tags }) as const

describe("what a group asks for", () => {
  test("is never met where it has no product", () => {
    expect(asking({}, []).isNever).toBe(true)
    expect(asking({}, [1]).isNever).toBe(false)
  })

  test("is a value of a tag once, whatever its spellings", () => {
    const { clauses } = asking({ link: tagged("mug", "cup", "Mug ") })
    expect(clauses).toMatchObject([{ attribute: "products.tag", isWith: true }])
    expect(clauses[0]?.values.map((value) => values.at(value).written)).toEqual(["mug", "cup"])
  })

  test("is asked in the order in which values were first named", () => {
    asking({ link: tagged("one", "two") })
    expect(asking({ link: tagged("two", "one") }).clauses).toEqual(
      asking({ link: tagged("one", "two") }).clauses,
    )
  })

  test("is nothing for all products without a condition", () => {
    expect(asking()).toEqual(predicates.always)
  })
})

describe("two groups apply to the same orders", () => {
  const keyOf = (changes: Partial<ProductGroup.GroupInput>, kinds?: ReadonlyArray<number>) =>
    predicates.keyOf(asking(changes, kinds))
  const no = (type: "order.tag" | "customer.tag", ...tags: ReadonlyArray<string>) =>
    ({ type, modifier: "NOT", values: tags }) as const

  test("whatever they write first", () => {
    expect(keyOf({ link: tagged("a", "b") })).toBe(keyOf({ link: tagged("B", "a") }))
    const nothing = { ...tagged(), modifier: "NOT" } as const
    expect(keyOf({ link: nothing })).toBe(keyOf({}))
  })

  test("when neither applies to any", () => {
    const never = { link: tagged() }
    expect(keyOf(never)).toBe(keyOf({ ...never, startsAt: 5, condition: no("order.tag", "a") }))
    expect(keyOf(never)).not.toBe(keyOf({}))
  })

  test("not when any of what they ask for is another", () => {
    const keys = [
      keyOf({}),
      keyOf({ link: tagged("a") }),
      keyOf({ link: { ...tagged("a"), modifier: "NOT" } }),
      keyOf({ link: tagged("a", "b") }),
      keyOf({ link: tagged("b") }),
      keyOf({ condition: no("order.tag", "a") }),
      keyOf({ condition: no("customer.tag", "a") }),
      keyOf({ link: tagged("a"), condition: no("order.tag", "a") }),
      keyOf({ startsAt: 5 }),
      keyOf({ endsAt: 5 }),
      keyOf({ startsAt: 4, endsAt: 5 }),
      keyOf({}, [1]),
      keyOf({}, [1, 2]),
      keyOf({}, [12]),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  test("not when the values of one run together to those of another", () => {
    const table = new Values()
    const tags = Array.from({ length: 13 }, (_, index) => `t${index}`)
    for (const tag of tags) table.numberOf("products.tag", tag)
    const keyFor = (...values: ReadonlyArray<string>) => {
      const group = { id: "g", collaboratorId: "ada", link: tagged(...values), percent: 10 }
      return predicates.keyOf(predicates.ofGroup(ProductGroup.make(group), table))
    }
    expect(keyFor("t1", "t2")).not.toBe(keyFor("t12"))
  })
})

describe("a group's dates", () => {
  test("allow the first second and no longer the last", () => {
    const allowed = [4, 5, 6, 7, null].filter((at) =>
      predicates.isInForce(asking({ startsAt: 5, endsAt: 7 }), at),
    )
    expect(allowed).toEqual([5, 6])
  })

  test("allow an order without a time only where there are none", () => {
    expect(predicates.isInForce(asking(), null)).toBe(true)
    expect(predicates.isInForce(asking({ startsAt: 5 }), null)).toBe(false)
    expect(predicates.isInForce(asking({ endsAt: 5 }), null)).toBe(false)
  })

  test("before the time that is asked about don't matter, the others do", () => {
    const since = (changes: Partial<ProductGroup.GroupInput>, from?: number) =>
      predicates.since(asking(changes), from)
    expect(since({ startsAt: 5 }, 10)).toEqual(since({ startsAt: 8 }, 10))
    expect(since({ startsAt: 5 }, 10)).not.toEqual(since({ startsAt: 11 }, 10))
    expect(since({ startsAt: 5 })).not.toEqual(since({ startsAt: 8 }))
    expect(since({ endsAt: 20 })).toEqual(since({ startsAt: firstSecond, endsAt: 20 }))
    expect(since({ endsAt: 20 }, 10)).not.toEqual(since({ endsAt: 21 }, 10))
    expect(since({}, 10)).toEqual(predicates.always)
  })
})

test("a linked group asks nothing more of its product", () => {
  const group = ProductGroup.make({
    id: "g",
    collaboratorId: "ada",
    link: tagged("a"),
    condition: { type: "referer", values: ["r"] },
    percent: 10,
  })
  const { clauses, isNever } = predicates.ofLinkedGroup(group, values)
  expect(clauses.map(({ attribute }) => attribute)).toEqual(["referer"])
  expect(isNever).toBe(false)
})
