import { expect, it } from "vitest"
import { repeats } from "../../src/internal/problems.js"

it("what stands in a list again is told with its place and where it stood first", () => {
  expect(repeats(["a", "b", "a", "a", "c", "b"])).toEqual([
    { value: "a", index: 2, first: 0 },
    { value: "a", index: 3, first: 0 },
    { value: "b", index: 5, first: 1 },
  ])
  expect(repeats(["a", "b"])).toEqual([])
})
