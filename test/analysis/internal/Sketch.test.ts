import { expect, test } from "vitest"
import { Budget, sizeOf } from "../../../src/analysis/internal/Sketch.js"

test("an order's time is one of its attributes", () => {
  expect(sizeOf({ values: [3, 4], kind: 1, at: null })).toBe(2)
  expect(sizeOf({ values: [3, 4], kind: undefined, at: 0 })).toBe(3)
})

test("a budget may be used up, and then gives nothing more", () => {
  const budget = new Budget(3)
  expect([budget.take(2), budget.take(1), budget.isSpent]).toEqual([true, true, false])
  expect([budget.take(1), budget.isSpent]).toEqual([false, true])
})

test("a part of a budget takes from the whole, and ends with it", () => {
  const whole = new Budget(5)
  const [one, other] = [new Budget(4, whole), new Budget(4, whole)]
  expect([one.take(4), other.take(1), other.take(1)]).toEqual([true, true, false])
  expect([one.isSpent, other.isSpent, whole.isSpent]).toEqual([false, false, true])
  const small = new Budget(1, new Budget(100))
  expect([small.take(2), small.isSpent]).toEqual([false, true])
})
