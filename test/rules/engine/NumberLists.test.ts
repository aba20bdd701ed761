/** Many lists in one array are what as many arrays of their own would be, whatever is done to them. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { NumberLists } from "../../../src/rules/engine/NumberLists.js"

interface Kept {
  readonly list: number
  readonly model: Array<number>
}

const contentOf = (lists: NumberLists, list: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  lists.addTo(found, list)
  return found
}

type Step = (lists: NumberLists, kept: Array<Kept>) => void

const place = (within: number, length: number): number => (length === 0 ? 0 : within % length)

const pushed =
  (which: number, numbers: ReadonlyArray<number>): Step =>
  (lists, kept) => {
    const one = kept[place(which, kept.length)]
    if (one === undefined) return
    for (const number of numbers) {
      lists.push(one.list, number)
      one.model.push(number)
    }
  }

const inserted =
  (which: number, at: number, number: number): Step =>
  (lists, kept) => {
    const one = kept[place(which, kept.length)]
    if (one === undefined) return
    const index = at % (one.model.length + 1)
    lists.insert(one.list, index, number)
    one.model.splice(index, 0, number)
  }

const removed =
  (which: number, at: number): Step =>
  (lists, kept) => {
    const one = kept[place(which, kept.length)]
    if (one === undefined || one.model.length === 0) return
    const index = at % one.model.length
    lists.removeAt(one.list, index)
    one.model.splice(index, 1)
  }

const dropped =
  (which: number): Step =>
  (lists, kept) => {
    const [one] = kept.splice(place(which, kept.length), 1)
    if (one !== undefined) lists.drop(one.list)
  }

const added: Step = (lists, kept) => {
  kept.push({ list: lists.add(), model: [] })
}

const compacted: Step = (lists) => lists.compact()

const nat = fc.nat(1_000)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(added) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(nat, fc.array(fc.integer(), { maxLength: 40 }))
      .map(([which, numbers]) => pushed(which, numbers)),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(nat, nat, fc.integer())
      .map(([which, at, number]) => inserted(which, at, number)),
  },
  { weight: 4, arbitrary: fc.tuple(nat, nat).map(([which, at]) => removed(which, at)) },
  { weight: 1, arbitrary: nat.map(dropped) },
  { weight: 1, arbitrary: fc.constant(compacted) },
)

test("lists that grow, shrink, come and go keep what is theirs", () => {
  let longest = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
      const lists = new NumberLists()
      const kept: Array<Kept> = []
      for (const each of steps) each(lists, kept)
      longest = Math.max(longest, ...kept.map(({ model }) => model.length))
      for (const { list, model } of kept) {
        expect(lists.lengthOf(list)).toBe(model.length)
        expect(contentOf(lists, list)).toEqual(model)
      }
    }),
    { numRuns: 300 },
  )
  expect(longest).toBeGreaterThan(50)
})

const startOf = (lists: NumberLists, list: number) => lists.starts[list]

test("the number of a list that was given back is given again, once", () => {
  const lists = new NumberLists()
  const [first, second] = [lists.add(), lists.add()]
  lists.push(first, 7)
  lists.drop(first)
  expect(lists.add()).toBe(first)
  expect(contentOf(lists, first)).toEqual([])
  expect(lists.add()).toBe(second + 1)
})

test("a list that is the last of all grows where it is", () => {
  const lists = new NumberLists()
  const [before, last] = [lists.add(), lists.add()]
  lists.push(before, 1)
  lists.push(last, 0)
  const start = startOf(lists, last)
  for (let number = 1; number < 1_000; number += 1) lists.push(last, number)
  expect(startOf(lists, last)).toBe(start)
  expect(lists.numbers.length).toBeLessThan(2_000)
})

test("a list between others moves when its room is full, which is doubled from four on", () => {
  const lists = new NumberLists()
  const [one, other] = [lists.add(), lists.add()]
  const lengths: Array<number> = []
  for (let length = 0; length < 64; length += 1) {
    const start = startOf(lists, one)
    lists.push(one, length)
    if (length > 0 && startOf(lists, one) !== start) lengths.push(length)
    lists.push(other, length)
  }
  expect(lengths).toEqual([1, 2, 3, 4, 8, 16, 32])
})

/** Lists of so many entries one behind the other, whose rooms are the next power of two. */
const listsOf = (...lengths: ReadonlyArray<number>) => {
  const lists = new NumberLists()
  const all = lengths.map((length) => {
    const list = lists.add()
    for (let number = 0; number < length; number += 1) lists.push(list, number)
    return list
  })
  return { lists, all }
}

/** Where a new list begins: in front, when the others were moved together because of it. */
const startOfNext = (lists: NumberLists): number | undefined => {
  const list = lists.add()
  lists.push(list, 1)
  return startOf(lists, list)
}

test("what lists left behind is taken back when it is more than a thousand and half of everything", () => {
  const little = listsOf(1_024)
  little.lists.drop(0)
  expect(startOfNext(little.lists)).toBe(1_024)

  const much = listsOf(1_025)
  much.lists.drop(0)
  expect(startOfNext(much.lists)).toBe(0)

  const half = listsOf(2_048, 2_048)
  half.lists.drop(0)
  expect(startOfNext(half.lists)).toBe(4_096)

  const most = listsOf(2_049, 2_000)
  most.lists.drop(0)
  expect(startOfNext(most.lists)).toBe(2_000)
  expect(contentOf(most.lists, 1)).toEqual(Array.from({ length: 2_000 }, (_, index) => index))
})

test("what lists left behind when they moved counts too", () => {
  const lists = new NumberLists()
  const [one, other] = [lists.add(), lists.add()]
  for (let number = 0; number < 1_025; number += 1) {
    lists.push(one, number)
    lists.push(other, number)
  }
  // Where it would be if nothing had ever been moved together: 4,100.
  expect(startOf(lists, one)).toBeLessThan(3_500)
})

test("room is made when there is none", () => {
  const { lists } = listsOf(9)
  const { numbers } = lists
  for (let number = 9; number < 16; number += 1) lists.push(0, number)
  expect(lists.numbers).toBe(numbers)
  lists.push(0, 16)
  expect(lists.numbers).not.toBe(numbers)
})

test("lists that come and go take no more than one of them", () => {
  const lists = new NumberLists()
  for (let round = 0; round < 100; round += 1) {
    const [long, short] = [lists.add(), lists.add()]
    for (let number = 0; number < 1_000; number += 1) lists.push(long, number)
    lists.push(short, round)
    lists.drop(long)
  }
  expect(lists.numbers.length).toBeLessThan(6_000)
})

test("lists that are moved together keep no room", () => {
  const lists = new NumberLists()
  const all = Array.from({ length: 9 }, () => lists.add())
  for (const list of all) for (let number = 0; number < 7; number += 1) lists.push(list, number)
  lists.compact()
  const sizes = Object.values(lists).flatMap((each) =>
    each instanceof Int32Array ? [each.length] : [],
  )
  expect(sizes).toEqual([9 * 7, 9, 9, 9])
  expect(contentOf(lists, 8)).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test("no list has nothing", () => {
  expect(contentOf(new NumberLists(), -1)).toEqual([])
})
