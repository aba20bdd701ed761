import { describe, expect, it } from "vitest"
import { meant, misspelt } from "../../src/internal/fieldNames.js"

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

it("comparing letter by letter goes on to the end of names that are not near", () => {
  expect(meant("abcdefgh", ["abcdxxxx", "abcdefxh", "abcdefgh12"])).toBe("abcdefxh")
})

it("names that came before are known to be what they were, and new ones are looked up as well", () => {
  const names = Array.from({ length: 1_500 }, (_, index) => `qq${index}`)
  expect(names.map((name) => meant(name, known)).filter((right) => right !== undefined)).toEqual([])
  for (const name of ["referrers", "taggs", "referrers"]) {
    expect(meant(name, known)).toBe(name === "taggs" ? "tags" : "referers")
  }
})

const fieldsOf = (count: number, name: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]))

describe("an object with very many fields", () => {
  it("may have a thousand that have no effect", () => {
    expect(
      misspelt(
        fieldsOf(1_000, (index) => `x_${index}_note`),
        known,
      ),
    ).toEqual([])
  })

  it("is refused when it has more, for a misspelt one could hide among them", () => {
    const value = fieldsOf(90_000, (index) => `x_${index}_note`)
    const message = "has more than 1000 fields that have no effect"
    expect(misspelt(value, known, "a[0]")).toEqual([{ path: "a[0]", value, message }])
  })

  it("is told of a hundred that are misspelt", () => {
    const spellings = fieldsOf(900, (index) => `max_am${"_".repeat(index % 30)}ount${index % 10}`)
    const many = {
      ...spellings,
      ...fieldsOf(90, (index) => `tags${String.fromCodePoint(0x4e00 + index)}`),
    }
    expect(misspelt(many, known).length).toBe(100)
  })
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

describe("a host's own fields that were met before", () => {
  const own = { id: 1, channel: "web", ["c".repeat(60)]: 1 }

  it("are passed over each time, and a misspelt one beside them is refused each time", () => {
    for (let round = 0; round < 3; round += 1) {
      expect(misspelt(own, known)).toEqual([])
      expect(misspelt({ ...own, tagz: 1 }, known).map(({ path }) => path)).toEqual(["tagz"])
      expect(misspelt({ tagz: 1, ...own }, known).map(({ path }) => path)).toEqual(["tagz"])
      expect(misspelt({ tagz: undefined, ...own }, known)).toEqual([])
    }
  })

  it("are a thousand at most, whatever was met before", () => {
    const fields = fieldsOf(1_001, (index) => `zz${index}`)
    const { zz0: _, ...allowed } = fields
    for (let round = 0; round < 3; round += 1) {
      expect(misspelt(allowed, known)).toEqual([])
      expect(misspelt(fields, known)).toHaveLength(1)
    }
  })
})
