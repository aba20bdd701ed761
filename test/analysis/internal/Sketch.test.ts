import { expect, test } from "vitest"
import { sizeOf } from "../../../src/analysis/internal/OrderShape.js"

test("an order's time is one of its attributes", () => {
  expect(sizeOf({ values: [3, 4], kind: 1, at: null })).toBe(2)
  expect(sizeOf({ values: [3, 4], kind: undefined, at: 0 })).toBe(3)
})
