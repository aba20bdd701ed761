import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as JsonText from "../../../src/cli/input/Records.js"

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON texts of which one character may have been taken out, doubled or replaced. */
const nearlyJson = fc
  .record({
    text: fc.jsonValue().map((value) => JSON.stringify(value, undefined, 1)),
    at: fc.nat(),
    character: fc.constantFrom("", "{", "]", '"', ",", ":", "\\", "1", "-", "e", ".", "\n", "x"),
  })
  .map(({ text, at, character }) => {
    const index = at % (text.length + 1)
    return text.slice(0, index) + character + text.slice(index + 1)
  })

describe("the place of a problem in a JSON text", () => {
  it("is found in every text that is no JSON, and in no other", () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const problem = JsonText.syntaxProblem(text)
        expect(problem === undefined, problem?.message).toBe(isJson(text))
        if (problem !== undefined) expect(problem.offset).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['{"a": 1,}', 8, 'expected a field name in double quotes, found "}"'],
    ["[1, 2", 5, 'expected "," or "]", found the end of the text'],
    ['{"a" 1}', 5, 'expected ":" after the field name, found "1"'],
    ["[1, 02]", 4, '"02" is no JSON value'],
    ['"abc', 0, "this text has no closing quote"],
    ["'abc'", 0, '"\'" is no JSON value'],
    ['["a\nb"]', 3, "a text can't hold a line break or control character"],
    ["[1] 2", 4, "there is more after the end of the JSON value"],
  ])("is told in words: %j", (text, offset, message) => {
    expect(JsonText.syntaxProblem(text)).toMatchObject({ offset, message })
  })

  it("ends a text of a million brackets with words, not with a crash", () => {
    expect(JsonText.syntaxProblem("[".repeat(1_000_000))?.message).toMatch("levels deep")
  })
})

describe("the place of a field in a JSON text", () => {
  const text = '{\n  "id": "g1",\n  "items": [\n    {"amount": 1},\n    {"amount": 1.5}\n  ]\n}'
  const lineOf = (path: string) =>
    JsonText.placeOf(text, JsonText.offsetOf(text, JsonText.parsePath(path)))

  it("is the line and column at which its value begins", () => {
    expect(lineOf("items[1].amount")).toEqual({ line: 5, column: 16 })
    expect(lineOf("id")).toEqual({ line: 2, column: 9 })
  })

  it("is that of the nearest value around it when the field is missing", () => {
    expect(lineOf("items[1].quantity")).toEqual({ line: 5, column: 5 })
    expect(lineOf("currency")).toEqual({ line: 1, column: 1 })
  })
})
