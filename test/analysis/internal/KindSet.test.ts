import { expect, test } from "vitest"
import { KindSet } from "../../../src/analysis/internal/Assortment.js"

const count = 100
const some = [0, 1, 31, 32, 63, 64, 99]
const others = [1, 2, 32, 98, 99]
const set = (kinds: ReadonlyArray<number>) => KindSet.of(kinds, count)

test("kinds are told in order, and how many there are", () => {
  expect([...set([99, 0, 32, 31, 63, 1, 64, 1])]).toEqual(some)
  expect(set(some).size).toBe(some.length)
  expect([set(some).first, set([64, 99]).first, set([31]).first, set([]).first]).toEqual([
    ...[0, 64, 31, undefined],
  ])
  expect([set([]).isEmpty, set([99]).isEmpty]).toEqual([true, false])
})

test("those of two sets, and those of one that are not in the other", () => {
  expect([...set(some).and(set(others))]).toEqual([1, 32, 99])
  expect([...set(some).without(set(others))]).toEqual([0, 31, 63, 64])
  expect(some.map((kind) => set(others).has(kind))).toEqual(
    some.map((kind) => others.includes(kind)),
  )
})

test.each([0, 1, 31, 32, 33, 64])("all of %i kinds", (all) => {
  expect([...KindSet.all(all)]).toEqual(Array.from({ length: all }, (_, kind) => kind))
})
