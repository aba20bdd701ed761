/** Many lists in one array are what as many arrays of their own would be, whatever is done to them. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { NumberLists } from "../../../src/matching/internal/NumberLists.js"

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

test("what lists left behind is taken back", () => {
  const lists = new NumberLists()
  const all = Array.from({ length: 100 }, () => lists.add())
  for (let round = 0; round < 200; round += 1) for (const list of all) lists.push(list, round)
  expect(contentOf(lists, all[37] ?? -1)).toEqual(Array.from({ length: 200 }, (_, index) => index))
  expect(lists.numbers.length).toBeLessThan(4 * 100 * 200)
})

test("no list has nothing", () => {
  expect(contentOf(new NumberLists(), -1)).toEqual([])
})
