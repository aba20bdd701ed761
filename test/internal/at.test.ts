import { expect, it } from "vitest"
import { at, entryAt, numberAt, shortAt } from "../../src/internal/at.js"

it("a list has something at each of its places", () => {
  expect(["a", "b"].map((_, place, list) => at(list, place))).toEqual(["a", "b"])
  expect(at(Int32Array.of(7, 0), 1)).toBe(0)
})

it("a place with nothing in it is a mistake, not a 0", () => {
  expect(() => at([1, 2], 2)).toThrow(new RangeError("nothing stands at 2 of a list of 2"))
  expect(() => at([1, undefined], 1)).toThrow(new RangeError("nothing stands at 1 of a list of 2"))
  expect(() => at(Int32Array.of(7), -1)).toThrow("nothing stands at -1 of a list of 1")
})

it("is the same for each kind of list of numbers", () => {
  expect([numberAt(Int32Array.of(7, 0), 1), numberAt(Int32Array.of(7, 0), 0)]).toEqual([0, 7])
  expect([shortAt(Uint16Array.of(7, 0), 1), shortAt(Uint16Array.of(7, 0), 0)]).toEqual([0, 7])
  expect([entryAt([7, 0], 1), entryAt([7, 0], 0)]).toEqual([0, 7])
  const missing = new RangeError("nothing stands at 1 of a list of 1")
  expect(() => numberAt(Int32Array.of(7), 1)).toThrow(missing)
  expect(() => shortAt(Uint16Array.of(7), 1)).toThrow(missing)
  expect(() => entryAt([7], 1)).toThrow(missing)
})
