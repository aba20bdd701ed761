import { describe, expect, it } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { newPglite } from "../sql/databases.js"
import { run } from "./Assertion.js"
import { blocks, type Example, examplesOf, isCode, problemOfMark, wholeOnes } from "./Example.js"

const all = blocks()
const examples = examplesOf(all)
const load = (path: string): Promise<unknown> =>
  path === "@electric-sql/pglite"
    ? Promise.resolve({ PGlite: { create: newPglite } })
    : import(/* @vite-ignore */ path)

const runAndCompare = (example: Example) =>
  run(example.code, load, (line, actual, expected) => {
    expect(actual, `${example.file}:${example.lines[line - 1]}`).toStrictEqual(expected)
  })

const opensDatabase = ({ code }: Example) =>
  code.includes('"@electric-sql/pglite"') || code.includes('"apportion/sql/folder"')

describe("the examples in the pages and in the doc comments", () => {
  it("are all marked so that they are run", () => {
    expect(all.filter(isCode).flatMap((block) => problemOfMark(block) ?? [])).toEqual([])
  })

  it("were found in the sources", () => {
    expect(examples.some((example) => example.file === "src/money/Cents.ts")).toBe(true)
  })

  // Those that open a database take seconds each: the long run runs them, and them alone. Blocks that continue each other
  // run once, as one.
  for (const example of wholeOnes(examples.filter((one) => opensDatabase(one) === isWhole))) {
    const until = example.line === example.lines[0] ? "" : ` to ${example.line}`
    it(`${example.file}:${example.lines[0]}${until} runs and gives what it says`, async () => {
      await runAndCompare(example)
    })
  }
})
