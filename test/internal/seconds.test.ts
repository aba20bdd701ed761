import { expect, it } from "vitest"
import { firstSecond, isSeconds, lastSecond } from "../../src/internal/seconds.js"

it("times are whole seconds of the years 1 to 9999", () => {
  expect([firstSecond, 0, lastSecond].map(isSeconds)).toEqual([true, true, true])
  expect(new Date(firstSecond * 1_000).toISOString()).toBe("0001-01-01T00:00:00.000Z")
  expect(new Date(lastSecond * 1_000).toISOString()).toBe("9999-12-31T23:59:59.000Z")
  const none = [firstSecond - 1, lastSecond + 1, 0.5, Number.NaN, "0", null, undefined]
  expect(none.map(isSeconds)).toEqual(none.map(() => false))
})
