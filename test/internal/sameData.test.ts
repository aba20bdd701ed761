import fc from "fast-check"
import { expect, it } from "vitest"
import { sameData } from "../../src/internal/sameData.js"

it.each([
  [1, 1],
  ["a", "a"],
  [null, null],
  [[], []],
  [{}, {}],
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: undefined }, {}],
  [
    [1, { a: [2] }],
    [1, { a: [2] }],
  ],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
])("%j is the same as %j", (one, other) => {
  expect([sameData(one, other), sameData(other, one)]).toEqual([true, true])
})

it.each([
  [1, 2],
  [1, "1"],
  [null, undefined],
  [null, {}],
  [{}, 5],
  [[], {}],
  [[0], { 0: 0 }],
  [[], { length: 0 }],
  [[7], { 0: 7, length: 1 }],
  [[1], [1, 2]],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }],
  [
    { a: undefined, b: 1 },
    { a: 1, b: undefined },
  ],
  [{ toString: 1 }, { valueOf: 1 }],
])("%j is not the same as %j", (one, other) => {
  expect([sameData(one, other), sameData(other, one)]).toEqual([false, false])
})

it("a copy is the same, whatever it is a copy of", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sameData(value, structuredClone(value))).toBe(!Object.is(value, Number.NaN))
    }),
  )
})
