import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { JsonElements } from "../../../src/cli/input/JsonElements.js"

const wrappers = new Set(["orders", "data"])

/** Cuts a text into chunks of the given sizes, which cut through characters and escapes too. */
const chunksOf = (text: string, sizes: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(text)
  const chunks: Array<Buffer> = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const read = (text: string, sizes: ReadonlyArray<number> = [text.length * 4 + 1]) => {
  const elements = new JsonElements("orders.json", Buffer.from(text), wrappers)
  const found = chunksOf(text, sizes).flatMap((chunk) => elements.push(chunk))
  return [...found, ...elements.end()].map(({ bytes, line, path }) => ({
    value: JSON.parse(bytes.toString()),
    line,
    path,
  }))
}

const shapes: ReadonlyArray<readonly [string, (values: ReadonlyArray<unknown>) => string]> = [
  ["a list", (values) => JSON.stringify(values)],
  ["a list over many lines", (values) => JSON.stringify(values, undefined, 2)],
  ["a list with a name", (values) => JSON.stringify({ count: 3, orders: values, more: [[]] })],
  [
    "a named list over many lines",
    (values) => JSON.stringify({ meta: { orders: [1] }, data: values }, undefined, 1),
  ],
]

describe("the elements of a JSON document", () => {
  it.each(shapes)("are found however the document is cut into chunks: %s", (_, write) => {
    const lists = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 })
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(lists, sizes, (values, cuts) => {
        const found = read(write(values), cuts)
        expect(found.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(values)))
      }),
      { numRuns: 500 },
    )
  })

  it("know the line on which they begin and their place", () => {
    const text = '{"orders": [\n  {"id": 1},\n\n  {"id":\n2},  {"id": 3}\n]}'
    expect(read(text, [5])).toEqual([
      { value: { id: 1 }, line: 2, path: "orders[0]" },
      { value: { id: 2 }, line: 4, path: "orders[1]" },
      { value: { id: 3 }, line: 5, path: "orders[2]" },
    ])
  })

  it("are the values themselves when there is no list", () => {
    expect(read('{"id": 1, "items": []}\n{"id": 2, "items": []}').map(({ line }) => line)).toEqual([
      1, 2,
    ])
    expect(read('{"id": 1, "tags": ["orders"]}').map(({ path }) => path)).toEqual([""])
  })

  it.each([
    ['[{"a": 1} {"b": 2}]', 'orders.json:1:11: is not valid JSON: expected "," or "]", found "{"'],
    ["[1, 2,\n]", 'orders.json:2:1: is not valid JSON: expected an element after ",", found "]"'],
    ["[1, 2", "orders.json:1:5: is not valid JSON: this value begins here and never ends"],
    ["[[1], [2]", 'orders.json:1:10: is not valid JSON: the list has no closing "]"'],
    ["[1]\n\n[2]", "orders.json:3:1: is not valid JSON: there is more after the end of the list"],
    ['[{"a": "b}]', "orders.json:1:8: is not valid JSON: this text has no closing quote"],
    ['{"orders": [1], "next": }', 'is not valid JSON: "}" is no JSON value'],
    ["{}, {}", 'orders.json:1:3: is not valid JSON: "," is misplaced'],
  ])("are refused with the place of the problem: %j", (text, message) => {
    for (const size of [1, 3, 100]) expect(() => read(text, [size])).toThrow(message)
  })

  it("are refused when one is longer than any order", () => {
    const text = `[{"id": "${"x".repeat(17 << 20)}"}]`
    expect(() => read(text, [1 << 18])).toThrow("longer than 16 MiB")
  })
})
