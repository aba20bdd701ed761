import { globSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { newPglite } from "../sql/databases.js"
import { run } from "./Assertion.js"
import { blocks, type Example, examplesOf, isCode, problemOfMark } from "./Example.js"
import { typeCheck } from "./TypeCheck.js"

const all = blocks()
const examples = examplesOf(all)
const programs = globSync("docs/examples/{json-file-store,http-hosts}/*.mjs")
const typeErrors = typeCheck(examples, programs)
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

  it.each(programs)("%s, a program that a page tells of, is right about the types", (program) => {
    expect(typeErrors(program)).toEqual([])
  })

  const compiles = (example: Example) => expect(typeErrors(example)).toEqual([])

  // Those that open a database take seconds each: the long run runs them, and them alone.
  for (const example of examples.filter((one) => opensDatabase(one) === isWhole)) {
    it(`${example.file}:${example.line} compiles, runs and gives what it says`, async () => {
      compiles(example)
      await runAndCompare(example)
    })
  }

  for (const example of isWhole ? [] : examples.filter(opensDatabase)) {
    it(`${example.file}:${example.line} compiles; the long run runs it`, () => compiles(example))
  }
})
