import { describe, expect, it } from "vitest"
import { count, run } from "./Assertion.js"
import { blocksOf, blocksOfComments, examplesOf, problemOfMark, wholeOnes } from "./Example.js"
import { matches, stepsOf } from "./Session.js"

const page = (...lines: ReadonlyArray<string>) => blocksOf("page.md", lines.join("\n"))

const comparisonsOf = async (code: string) => {
  const compared: Array<readonly [number, unknown, unknown]> = []
  const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ path)
  await run(code, load, (...comparison) => compared.push(comparison))
  return compared
}

describe("finding examples", () => {
  it("finds each block with the line of its code", () => {
    expect(page("# Page", "```ts", "1 + 1 // => 2", "```")).toEqual([
      { file: "page.md", line: 3, info: ["ts"], code: "1 + 1 // => 2" },
    ])
  })

  it("finds blocks in doc comments, without the stars", () => {
    const text = "const a = 1\n/**\n * Text.\n * ```ts\n * a // => 1\n * ```\n */\nconst b = 2"
    expect(blocksOfComments("a.ts", text)).toEqual([
      { file: "a.ts", line: 5, info: ["ts"], code: "a // => 1" },
    ])
  })

  it("refuses a block that is never closed", () => {
    expect(() => page("```ts", "1")).toThrow("never closed")
  })

  it("refuses code that is marked as not to be run, or in another spelling", () => {
    const marks = page("```ts no-run", "```", "```typescript", "```", "```ts", "```")
    expect(marks.map((block) => problemOfMark(block) === undefined)).toEqual([false, false, true])
  })

  it("puts what came before in front of a continued block, with the right lines", () => {
    const [, second] = examplesOf(page("```ts", "a", "```", "", "```ts continued", "b", "```"))
    expect(second).toEqual({ file: "page.md", line: 6, code: "a\nb", lines: [2, 6] })
  })

  it("runs blocks that continue each other once, as the last of them", () => {
    const code = ["```ts", "a", "```", "```ts continued", "b", "```", "```ts continued", "c", "```"]
    const examples = examplesOf(page(...code, "```ts", "d", "```"))
    expect(wholeOnes(examples).map((example) => example.code)).toEqual(["a\nb\nc", "d"])
    expect(wholeOnes(examples.slice(0, 2)).map((example) => example.code)).toEqual(["a\nb"])
  })
})

describe("running examples", () => {
  it("gives the value of an expression and what was stated, with its line", async () => {
    expect(await comparisonsOf("const a = 1\na + 1 // => 3")).toEqual([[2, 2, 3]])
  })

  it("gives the value of a declared name", async () => {
    expect(await comparisonsOf("const a = [1, -2] // => [1, -2]")).toEqual([[1, [1, -2], [1, -2]]])
  })

  it("reads a value that goes on over several comment lines, and one on a line of its own", async () => {
    const code = '({ a: 1 })\n// => {\n//   a: 1,\n//   b: "x"\n// }\n2 // => 2'
    expect(await comparisonsOf(code)).toEqual([
      [2, { a: 1 }, { a: 1, b: "x" }],
      [6, 2, 2],
    ])
  })

  it("takes an expression of several lines, and one inside a block", async () => {
    const code = "for (const n of [1, 2]) {\n  Math.max(\n    n,\n    5,\n  ) // => 5\n}"
    expect(await comparisonsOf(code)).toEqual([
      [5, 5, 5],
      [5, 5, 5],
    ])
  })

  it("loads what an example imports", async () => {
    const code = [
      'import { Cents, type Problem } from "apportion"',
      'import { Result as R } from "effect"',
      'import * as Option from "effect/Option"',
      'import type { Share } from "apportion"',
      "Cents.isCents(1) // => true",
      "R.isSuccess(R.succeed(1)) // => true",
      "Option.isNone(Option.none()) // => true",
    ].join("\n")
    expect((await comparisonsOf(code)).map(([, actual]) => actual)).toEqual([true, true, true])
  })

  it("refuses a value that is attached to nothing, or that is more than a plain value", () => {
    expect(() => count("// => 1")).toThrow("has to follow")
    expect(() => count("if (1) {} // => 1")).toThrow("has to follow")
    expect(() => count("1 // => one cent")).toThrow("plain value")
    expect(() => count("1 // => 1 (one cent)")).toThrow("plain value")
    expect(() => count("1 // => f()")).toThrow("plain value")
    expect(() => count("1 // =>")).toThrow("plain value")
  })
})

describe("running command lines", () => {
  const [block] = page(
    "```console",
    "$ one \\",
    ">   --more",
    "a",
    "...",
    "(exit code 2)",
    "$ two",
    "```",
  )

  it("reads the commands, what they print and their exit codes", () => {
    if (block === undefined) throw new Error("no block")
    expect(stepsOf(block)).toEqual([
      { line: 2, command: "one \\\n  --more", output: ["a", "..."], exitCode: 2 },
      { line: 7, command: "two", output: [], exitCode: 0 },
    ])
  })

  it("compares every line, an ellipsis standing for any number of them", () => {
    expect(matches(["a", "b"], ["a", "b"])).toBe(true)
    expect(matches(["a", "b"], ["a", "b", "c"])).toBe(false)
    expect(matches(["a", "...", "c"], ["a", "b", "b", "c"])).toBe(true)
    expect(matches(["a", "..."], ["a"])).toBe(true)
    expect(matches(["a.c"], ["abc"])).toBe(false)
    expect(matches([], ["a"])).toBe(false)
  })
})
