import { ProductGroup } from "apportion"
import { describe, expect, test } from "vitest"
import { KindSet } from "../../../src/analysis/internal/Assortment.js"
import { Budget, finish } from "../../../src/analysis/internal/Budget.js"
import { type OrderShape, sizeOf } from "../../../src/analysis/internal/OrderShape.js"
import {
  type Asking,
  always,
  type Clause,
  GroupRow,
  holds,
  isInForce,
  type Predicate,
  Values,
} from "../../../src/analysis/internal/Predicate.js"
import {
  anyOrder,
  isFound,
  isNone,
  type Premises,
  smallest,
} from "../../../src/analysis/internal/smallest.js"
import {
  claimantsOf,
  clause,
  ids,
  possibleSets,
  referers,
  tags,
  values,
  vendors,
} from "./Claimants.js"

const world = { values, kinds: undefined, from: undefined }
const times = [null, 9, 10, 12, 15, 20]

const asking = (...clauses: ReadonlyArray<Clause>): Predicate => ({ ...always, clauses })

const group = ProductGroup.make({
  id: "g",
  collaboratorId: "ada",
  link: { type: "products.all" },
  percent: 1,
})
const askings = (list: ReadonlyArray<Predicate>): ReadonlyArray<Asking> =>
  list.map((predicate) => ({ group, predicate }))

/** What is found, and whether any order is found where a smallest one is: the two ways to ask say the same. */
const foundIn = (
  apply: ReadonlyArray<Predicate>,
  not: ReadonlyArray<Predicate>,
  where: Premises,
  steps: number,
): OrderShape | "none" | "undecided" => {
  const wanted = {
    apply: askings(apply),
    not: [{ row: new GroupRow(askings(not)), before: not.length }],
  }
  const answer = finish(smallest(wanted, where, Budget.of(steps)))
  const any = finish(anyOrder(wanted, where, Budget.of(steps)))
  if (answer !== "undecided") {
    expect([isFound(any), isNone(any)]).toEqual([isFound(answer), isNone(answer)])
  }
  if (isNone(answer)) {
    // Those to blame are enough.
    const because = [...answer.because]
    const again = { ...wanted, not: [{ row: new GroupRow(because), before: because.length }] }
    expect(isNone(finish(smallest(again, where, Budget.of(steps))))).toBe(true)
    return "none"
  }
  return isFound(answer) ? answer.sketch : answer
}

const found = (
  apply: ReadonlyArray<Predicate>,
  not: ReadonlyArray<Predicate> = [],
  { steps = 100_000, kinds }: { readonly steps?: number; readonly kinds?: number } = {},
) => foundIn(apply, not, { ...world, kinds }, steps)

const applies = (
  { clauses, ...dates }: Predicate,
  list: ReadonlyArray<number>,
  at: number | null,
) => isInForce({ clauses, ...dates }, at) && clauses.every((each) => holds(each, new Set(list)))

const [tag = 0, otherTag = 0, thirdTag = 0] = tags
const [vendor = 0, otherVendor = 0] = vendors
const [id = 0, otherId = 0, thirdId = 0] = ids
const [referer = 0] = referers

test("the order that is found is the smallest, as a look at every order says", () => {
  const sizes = new Set<number | undefined>()
  for (let seed = 0; seed < 150; seed += 1) {
    const predicates = claimantsOf(seed).map(({ predicate }) => predicate)
    const [apply, not] = [predicates.slice(0, 1 + (seed % 2)), predicates.slice(1 + (seed % 2))]
    const answer = found(apply, not)
    const fitting = times.flatMap((at) =>
      possibleSets
        .filter((list) => apply.every((each) => applies(each, list, at)))
        .filter((list) => !not.some((each) => applies(each, list, at)))
        .map((list) => list.length + Number(at !== null)),
    )
    const fewest = fitting.length === 0 ? undefined : fitting.reduce((a, b) => Math.min(a, b))
    const size = typeof answer === "object" ? sizeOf(answer) : undefined
    expect(size, `${seed}`).toBe(fewest)
    sizes.add(size)
    if (typeof answer !== "object") continue
    for (const each of apply) expect(applies(each, answer.values, answer.at)).toBe(true)
    for (const each of not) expect(applies(each, answer.values, answer.at)).toBe(false)
  }
  expect([undefined, 0, 1, 2, 3].filter((size) => !sizes.has(size))).toEqual([])
})

describe("an order to which groups apply", () => {
  test("has nothing that is not asked for", () => {
    expect(found([always])).toEqual({ values: [], kind: undefined, at: null })
    expect(found([asking(clause(true, otherTag, tag))])).toMatchObject({ values: [otherTag] })
    expect(found([asking(clause(false, tag))])).toMatchObject({ values: [] })
  })

  test("has its values in order", () => {
    expect(found([asking(clause(true, referer), clause(true, tag))])).toMatchObject({
      values: [tag, referer],
    })
  })

  test("has one vendor, and two ids at most", () => {
    expect(found([asking(clause(true, vendor)), asking(clause(true, otherVendor))])).toBe("none")
    const [one, two, three] = [id, otherId, thirdId].map((each) => asking(clause(true, each)))
    if (one === undefined || two === undefined || three === undefined) throw new RangeError("three")
    expect(found([one, two])).toMatchObject({ values: [id, otherId] })
    expect(found([one, two, three])).toBe("none")
  })

  test("is none where one of them never applies", () => {
    expect(found([{ ...always, isNever: true }])).toBe("none")
    expect(found([always], [{ ...always, isNever: true }])).toMatchObject({ values: [] })
  })

  test("has what keeps the others away", () => {
    expect(found([always], [asking(clause(false, tag))])).toMatchObject({ values: [tag] })
    expect(found([asking(clause(false, tag))], [asking(clause(false, tag, otherTag))])).toEqual({
      values: [otherTag],
      kind: undefined,
      at: null,
    })
    expect(found([always], [always])).toBe("none")
    expect(found([asking(clause(true, tag))], [asking(clause(true, tag, otherTag))])).toBe("none")
  })

  test("is at a time at which another does not apply, where that needs less", () => {
    const dated = { ...always, startsAt: 10, endsAt: 20 }
    const other = { ...asking(clause(false, tag), clause(false, vendor)), endsAt: 15 }
    expect(found([dated], [other])).toEqual({ values: [], kind: undefined, at: 15 })
    expect(found([dated], [{ ...other, endsAt: 20 }])).toEqual({
      values: [tag],
      kind: undefined,
      at: 10,
    })
    expect(found([dated], [dated])).toBe("none")
  })
})

describe("where the products are known", () => {
  const of = (...kinds: ReadonlyArray<number>): Predicate => ({
    ...always,
    kinds: KindSet.of(kinds, 10_000),
  })

  test("the order is of one that all groups are for, and none of the others", () => {
    expect(found([of(0, 1), of(1, 2)], [], { kinds: 3 })).toMatchObject({ kind: 1 })
    expect(found([of(0, 1)], [of(0)], { kinds: 3 })).toMatchObject({ kind: 1 })
    expect(found([of(0)], [of(1)], { kinds: 3 })).toMatchObject({ kind: 0 })
    expect(found([of(0), of(1)], [], { kinds: 3 })).toBe("none")
    expect(found([of(0)], [of(0, 1)], { kinds: 3 })).toBe("none")
    expect(found([always], [], { kinds: 0 })).toBe("none")
    expect(found([always], [of(0)], { kinds: 2 })).toMatchObject({ kind: 1 })
    expect(found([of(0)], [always], { kinds: 2 })).toBe("none")
  })

  test("it is of the product with which it needs fewest attributes, the first of these", () => {
    const hidden = (kind: number): Predicate => ({
      ...of(kind),
      clauses: [clause(false, tag), clause(false, referer)],
    })
    expect(found([always], [hidden(0), hidden(1)], { kinds: 4 })).toMatchObject({
      kind: 2,
      values: [],
    })
    expect(found([always], [hidden(0), hidden(1)], { kinds: 2 })).toMatchObject({
      kind: 0,
      values: [tag],
    })
  })

  test("thousands of products that no group tells apart are looked at once", () => {
    const needing = asking(clause(true, tag), clause(true, referer))
    expect(found([needing], [of(1), of(2)], { kinds: 10_000, steps: 100 })).toMatchObject({
      values: [tag, referer],
      kind: 0,
    })
  })
})

describe("with few steps", () => {
  test("the search is given up, and says so", () => {
    const needing = asking(clause(true, tag), clause(true, referer))
    expect(found([needing], [], { steps: 2 })).toBe("undecided")
    expect(found([needing], [], { steps: 50 })).toMatchObject({ values: [tag, referer] })
  })

  test("values that any group tells apart are each tried", () => {
    const both = clause(true, tag, otherTag)
    const not = [asking(clause(false, otherTag)), asking(both, clause(true, referer))]
    expect(found([asking(both)], not)).toMatchObject({ values: [otherTag] })
  })

  test("sets of values are looked at once, in whatever order they come together", () => {
    const six = ["a", "b", "c", "d", "e", "f"].map((name) => values.numberOf("customer.tag", name))
    const lists = six.map((_, at) => clause(false, ...six.filter((_value, index) => index !== at)))
    const not = [...lists, ...six.map((value) => clause(false, value))].map((each) => asking(each))
    expect(found([always], not, { steps: 500 })).toMatchObject({ values: six })
  })

  test("sets of values that look alike when written without gaps are each looked at", () => {
    const table = new Values()
    const at = Array.from({ length: 113 }, (_, index) => table.numberOf("order.tag", `s${index}`))
    const only = (...list: ReadonlyArray<number>): Predicate =>
      asking({ attribute: "order.tag", isWith: true, values: list.map((place) => at[place] ?? 0) })
    const apply = [only(1, 11), only(12, 112)]
    expect(foundIn(apply, [only(11), only(12)], { ...world, values: table }, 100)).toMatchObject({
      values: [1, 112],
    })
  })

  test("what can't become smaller than a known order is not looked at", () => {
    const dated = { ...always, startsAt: 10, endsAt: 40 }
    const hidden = (startsAt: number, ...list: ReadonlyArray<number>): Predicate => ({
      ...asking(clause(false, ...list)),
      startsAt,
      endsAt: startsAt + 5,
    })
    const not = [hidden(15, tag), hidden(20, otherTag), hidden(25, thirdTag)]
    expect(found([dated], not, { steps: 10 })).toEqual({ values: [], kind: undefined, at: 10 })
  })
})
