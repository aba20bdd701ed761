import { describe, expect, it } from "vitest"
import * as problems from "../../src/internal/problems.js"
import type { Problem } from "../../src/Problem.js"

describe("a value in a message", () => {
  it.each([
    [undefined, "nothing"],
    [null, "null"],
    ["a", '"a"'],
    [5, "5"],
    [-0.5, "-0.5"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    [12n, "12"],
    [true, "true"],
    [[1, "a"], '[1,"a"]'],
    [{ a: 1 }, '{"a":1}'],
    [{ price: 12n }, '{"price":"12"}'],
    [Symbol("a"), "Symbol(a)"],
  ])("%s is shown as it is written", (value, text) => {
    expect(problems.show(value)).toBe(text)
  })

  it("is cut when it is long", () => {
    expect(problems.shorten("a".repeat(80))).toBe("a".repeat(80))
    expect(problems.shorten("a".repeat(81))).toBe(`${"a".repeat(80)}…`)
    expect(problems.show("a".repeat(1_000))).toBe(`"${"a".repeat(79)}…`)
    expect(problems.show("a".repeat(78))).toBe(`"${"a".repeat(78)}"`)
  })

  it("is not written in full only to be cut", () => {
    const written: Array<number> = []
    const entry = (index: number) => ({ toJSON: () => written.push(index) && 0 })
    const list = Array.from({ length: 1_000 }, (_, index) => entry(index))
    expect(problems.show(list)).toBe(`[${"0,".repeat(39)}0…`)
    expect(written.length).toBeLessThanOrEqual(80)
    expect(problems.show(new Array(2 ** 32 - 1))).toMatch(/^\[null,/)
  })

  it("that is a list of long texts is shown, though all of it as JSON would be longer than a text can be", () => {
    const text = "\0".repeat(1_200_000)
    const texts = Array.from({ length: 80 }, () => text)
    expect(problems.show(texts)).toBe(`["${"\\u0000".repeat(13)}…`)
  })

  it("that can't be shown is said to be so", () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(problems.show(circle)).toBe("a value that can't be shown")
  })
})

describe("a place in a value", () => {
  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a.b"],
    [["items", 2, "amount"], "items[2].amount"],
    [[0, "a"], "[0].a"],
    [["1"], "1"],
  ] as ReadonlyArray<readonly [ReadonlyArray<PropertyKey>, string]>)("%j is %s", (path, text) => {
    expect(problems.formatPath(path)).toBe(text)
  })
})

it("several problems are one message, each with its place", () => {
  const value = undefined
  expect(
    problems.summarize([
      { path: "percent", value, message: "is missing" },
      { path: "", value, message: "must be an object" },
    ]),
  ).toBe("percent: is missing; must be an object")
})

describe("of problems without end", () => {
  const wrong = Array.from({ length: 200_000 }, () => 5)

  it("the message tells a hundred, and that there may be more", () => {
    const found = wrong.map((value, index) => ({ path: `[${index}]`, value, message: "is wrong" }))
    const message = problems.summarize(found)
    expect(message).toMatch(/^\[0\]: is wrong; .*; \[99\]: is wrong; there may be more$/)
    expect(problems.summarize(found.slice(0, 99))).not.toContain("more")
  })

  it("a list takes a hundred", () => {
    const found: Array<Problem> = []
    const some = wrong.slice(0, 60).map((value) => ({ path: "a", value, message: "is wrong" }))
    for (let times = 0; times < 3; times += 1) problems.addProblems(found, some)
    expect(found).toHaveLength(100)
  })
})
