import { Balance, Payment, PayoutStatus, Statement, Visibility } from "apportion"
import { describe, expect, test } from "vitest"

const isFrozen = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozen))

describe("what decides for everybody", () => {
  test.each([
    ["the table of statuses", PayoutStatus.table],
    ["the table of payments", Payment.table],
    ["the table of what is hidden", Visibility.table],
    ["an empty balance", Balance.none],
    ["an empty statement", Statement.none],
  ])("can't be changed by who shows it: %s", (_, value) => {
    expect(isFrozen(value)).toBe(true)
  })

  test("is the same after somebody tried", () => {
    const [first] = PayoutStatus.table
    expect(() => Object.assign(first ?? {}, { event: "pay", to: "paid" })).toThrow(TypeError)
    expect(PayoutStatus.transition("active", "pay")).toMatchObject({ _tag: "Failure" })
  })
})
