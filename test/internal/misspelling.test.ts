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
    ["s_plit_condition__type_", "splitConditionType"],
    ["tgs", "tags"],
    ["tagzz", "tags"],
    ["REFERERS", "referers"],
  ])("%s was meant to be %s", (name, right) => {
    expect(meant(name, known)).toBe(right)
  })

  it.each([
    ["note"],
    ["xy"],
    ["email"],
    ["source_name"],
    ["is"],
    ["tgas"],
    ["tagzzz"],
    ["r".repeat(100_000)],
  ])("%.20s is another one", (name) => {
    expect(meant(name, known)).toBeUndefined()
  })
})

it("a name may be as long as forty letters; longer ones are none of ours", () => {
  const name = "abcdefghij".repeat(4)
  expect(meant(`${name.slice(0, 39)}z`, [name])).toBe(name)
  expect(meant(`${name}z`, [name])).toBeUndefined()
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

  it("are told by themselves when the object is not inside of another one", () => {
    expect(misspelt({ referer: "blog" }, known).map(({ path }) => path)).toEqual(["referer"])
  })

  it("are none when it is no object", () => {
    for (const value of [null, undefined, 5, "referer", ["referer"]]) {
      expect(misspelt(value, known)).toEqual([])
    }
  })
})
