import { globSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { blocks, blocksOf, examplesOf } from "./Example.js"
import { typeCheck } from "./TypeCheck.js"

// As one program with all that they import, which takes long: the quick tests run the examples, this one reads their types.
const examples = examplesOf(blocks())
const programs = globSync("docs/examples/{json-file-store,http-hosts}/*.mjs")
const typeErrors = typeCheck(examples, programs)

describe("the types of the examples in the pages and in the doc comments", () => {
  it.each(examples.map((example) => ({ name: `${example.file}:${example.line}`, example })))(
    "$name",
    ({ example }) => {
      expect(typeErrors(example)).toEqual([])
    },
  )

  it.each(programs)("%s, a program that a page tells of", (program) => {
    expect(typeErrors(program)).toEqual([])
  })
})

it("a type error is told with the line of the page", () => {
  const text = ["Text", "```ts", "const a = 1", "a.b", "```"].join("\n")
  const [example] = examplesOf(blocksOf("page.md", text))
  if (example === undefined) throw new Error("no example")
  expect(typeCheck([example])(example)).toEqual([
    "page.md:4: Property 'b' does not exist on type '1'.",
  ])
})
