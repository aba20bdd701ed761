import { PageRequest } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"

const parse = (page?: unknown, per_page?: unknown) =>
  Result.getOrThrow(PageRequest.parse({ page, per_page }))
const failure = (page?: unknown, per_page?: unknown) =>
  Result.getOrThrow(Result.flip(PageRequest.parse({ page, per_page })))

describe("Pages, parameters", () => {
  it("are the first page of 15 when nothing is said", () => {
    expect(Result.getOrThrow(PageRequest.parse({}))).toEqual({ page: 1, perPage: 15 })
    expect(parse(null, null)).toEqual(PageRequest.first)
  })

  it("are read from texts and from numbers", () => {
    expect(parse("3", "40")).toEqual({ page: 3, perPage: 40 })
    expect(parse(3, 40)).toEqual({ page: 3, perPage: 40 })
    expect(parse("+3", "007")).toEqual({ page: 3, perPage: 7 })
  })

  it("per_page is clamped to 1..100", () => {
    expect([-5, 0, 1, 100, 101, "9".repeat(400)].map((value) => parse(1, value).perPage)).toEqual([
      1, 1, 1, 100, 100, 100,
    ])
  })

  it("a page below 1 is 1", () => {
    expect([0, -1, "-0", "-99999999999999999999"].map((value) => parse(value).page)).toEqual([
      1, 1, 1, 1,
    ])
  })

  it("a page beyond what a number holds is the largest there is", () => {
    const largest = Number.MAX_SAFE_INTEGER
    for (const value of [largest, String(largest), "99999999999999999999", 1e20, "9".repeat(400)]) {
      expect(parse(value).page).toBe(largest)
    }
  })

  it("what is not a whole number is a validation error that names field and value", () => {
    for (const value of ["", " ", "2.0", "1.5", "1e3", "abc", "0x10", "1 ", 1.5, Number.NaN]) {
      expect(failure(value)).toMatchObject({
        _tag: "InvalidPageRequest",
        problems: [{ path: "page", value }],
      })
    }
    for (const value of [Number.POSITIVE_INFINITY, true, [1], ["1"], {}, 1n]) {
      expect(failure(1, value).problems).toMatchObject([{ path: "per_page", value }])
    }
  })

  it("all problems are told at once", () => {
    const error = failure("x", "y")
    expect(error.problems.map(({ path, value }) => [path, value])).toEqual([
      ["page", "x"],
      ["per_page", "y"],
    ])
    expect(error.message).toBe(
      'page: must be a whole number, got "x"; per_page: must be a whole number, got "y"',
    )
  })

  it("whatever is read is a page that exists", () => {
    const value = fc.oneof(fc.anything(), fc.bigInt().map(String), fc.double(), fc.integer())
    fc.assert(
      fc.property(value, value, (page, per_page) => {
        const result = PageRequest.parse({ page, per_page })
        if (Result.isFailure(result)) return
        expect(Number.isSafeInteger(result.success.page)).toBe(true)
        expect(result.success.page).toBeGreaterThanOrEqual(1)
        expect([...Array(100).keys()].map((key) => key + 1)).toContain(result.success.perPage)
      }),
      runs(300),
    )
  })
})
