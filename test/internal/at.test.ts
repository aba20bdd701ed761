import { expect, it } from "vitest"
import { at } from "../../src/internal/at.js"

it("a list has something at each of its places", () => {
  expect(["a", "b"].map((_, place, list) => at(list, place))).toEqual(["a", "b"])
  expect(at(Int32Array.of(7, 0), 1)).toBe(0)
})

it("a place with nothing in it is a mistake, not a 0", () => {
  expect(() => at([1, 2], 2)).toThrow(new RangeError("nothing stands at 2 of a list of 2"))
  expect(() => at([1, undefined], 1)).toThrow(new RangeError("nothing stands at 1 of a list of 2"))
  expect(() => at(Int32Array.of(7), -1)).toThrow("nothing stands at -1 of a list of 1")
})
