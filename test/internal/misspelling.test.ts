import { describe, expect, it } from "vitest"
import { meant, misspelt } from "../../src/internal/misspelling.js"

const known = ["id", "tags", "referers", "discountCodes", "splitConditionType", "max_amount"]

describe("a name that nobody knows", () => {
  it.each([
    ["referer", "referers"],
    ["refferers", "referers"],
    ["tag", "tags"],
    ["splitConditonType", "splitConditionType"],
    ["discount_codes", "discountCodes"],
    ["maxAmount", "max_amount"],
  ])("%s was meant to be %s", (name, right) => {
    expect(meant(name, known)).toBe(right)
  })

  it.each([["note"], ["xy"], ["email"], ["source_name"], ["r".repeat(100_000)]])(
    "%.20s is another one",
    (name) => {
      expect(meant(name, known)).toBeUndefined()
    },
  )
})

describe("the fields of an object", () => {
  it("that are misspelt are told with their places and values", () => {
    const problems = misspelt(
      { id: "1", referer: "blog", note: "x", tag: undefined },
      known,
      "a[0]",
    )
    expect(problems).toEqual([
      {
        path: "a[0].referer",
        value: "blog",
        message: "is no field and would have no effect, did you mean referers?",
      },
    ])
  })

  it("are none when it is no object", () => {
    for (const value of [null, undefined, 5, "referer", ["referer"]]) {
      expect(misspelt(value, known)).toEqual([])
    }
  })
})
