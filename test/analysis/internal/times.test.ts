import { describe, expect, test } from "vitest"
import { isEver, timesOf } from "../../../src/analysis/internal/OrderShape.js"
import { always } from "../../../src/analysis/internal/Predicate.js"
import { firstSecond, lastSecond } from "../../../src/internal/seconds.js"

const dates = (startsAt?: number, endsAt?: number) => ({
  ...always,
  ...(startsAt === undefined ? {} : { startsAt }),
  ...(endsAt === undefined ? {} : { endsAt }),
})

describe("a group is in force at some time that is asked about", () => {
  test("unless its dates are empty", () => {
    expect(
      [dates(), dates(10, 12), dates(12, 12), dates(12, 10)].map((each) => isEver(each, undefined)),
    ).toEqual([true, true, false, false])
  })

  test("unless all of them are before that", () => {
    expect([20, 19].map((from) => isEver(dates(10, 20), from))).toEqual([false, true])
    expect(isEver(dates(10), 500)).toBe(true)
  })

  test("up to the end of the year 9999", () => {
    expect(isEver(dates(lastSecond), undefined)).toBe(true)
    expect(isEver(dates(lastSecond + 1), undefined)).toBe(false)
    expect(isEver(dates(undefined, firstSecond), undefined)).toBe(false)
  })
})

describe("the times of orders that groups' dates tell apart", () => {
  test("are none where nothing is dated", () => {
    expect(timesOf([], undefined)).toEqual([null])
    expect(timesOf([], 5)).toEqual([null])
  })

  test("are no time, one before all dates, and one of each stretch to the last second of all", () => {
    expect(timesOf([dates(10, 20)], undefined)).toEqual([null, 9, 10, 20])
    expect(timesOf([dates(10, 20)], 15)).toEqual([null, 15, 20])
    expect(timesOf([dates(lastSecond)], undefined)).toEqual([null, lastSecond - 1, lastSecond])
    expect(timesOf([dates(firstSecond)], undefined)).toEqual([null, lastSecond])
    expect(timesOf([dates(100, 20), dates(3, 20)], undefined)).toEqual([null, 2, 3, 20, 100])
  })
})
