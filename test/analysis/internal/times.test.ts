import { describe, expect, test } from "vitest"
import { always } from "../../../src/analysis/internal/Predicate.js"
import { timesFor, timesOf } from "../../../src/analysis/internal/times.js"
import { firstSecond, lastSecond } from "../../../src/internal/seconds.js"

const dates = (startsAt?: number, endsAt?: number) => ({
  ...always,
  ...(startsAt === undefined ? {} : { startsAt }),
  ...(endsAt === undefined ? {} : { endsAt }),
})

describe("the times that groups' dates tell apart", () => {
  test("are none where nothing is dated", () => {
    expect(timesFor([always], [dates(5, 6)], undefined)).toEqual([null])
    expect(timesFor([], [dates(5)], 7)).toEqual([null])
  })

  test("are one of each stretch within the dates, the first second of it", () => {
    const others = [dates(5, 15), dates(15, 18), dates(20), dates(undefined, 12), dates(10, 17)]
    expect(timesFor([dates(10, 20)], others, undefined)).toEqual([10, 12, 15, 17, 18])
  })

  test("are within the dates of all", () => {
    expect(timesFor([dates(10, 20), dates(5, 15), dates(12)], [], undefined)).toEqual([12])
    expect(timesFor([dates(10, 12), dates(12, 15)], [], undefined)).toEqual([])
    expect(timesFor([dates(10, 13), dates(12, 15)], [], undefined)).toEqual([12])
  })

  test("are not before those that are asked about", () => {
    expect(timesFor([dates(10, 20)], [dates(12, 15)], 14)).toEqual([14, 15])
    expect(timesFor([dates(10, 20)], [], 20)).toEqual([])
    expect(timesFor([dates(10, 20)], [], 5)).toEqual([10])
  })

  test("are the last second before the first change, where there was no beginning", () => {
    expect(timesFor([dates(undefined, 20)], [], undefined)).toEqual([19])
    expect(timesFor([dates(undefined, 20)], [dates(12, 15)], undefined)).toEqual([11, 12, 15])
    expect(timesFor([dates(firstSecond, 20)], [], undefined)).toEqual([19])
    expect(timesFor([dates(firstSecond)], [], undefined)).toEqual([lastSecond])
  })

  test("end with the year 9999", () => {
    expect(timesFor([dates(lastSecond)], [], undefined)).toEqual([lastSecond])
    expect(timesFor([dates(10)], [dates(undefined, lastSecond)], undefined)).toEqual([
      10,
      lastSecond,
    ])
  })

  test("come in order, whatever order the groups are in", () => {
    expect(timesFor([dates(1)], [dates(100), dates(20), dates(3)], undefined)).toEqual([
      1, 3, 20, 100,
    ])
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
  })
})
