import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { JsonLines } from "../../../src/cli/input/JsonElements.js"
import { parseJson } from "../../../src/internal/reader.js"

const read = (bytes: Buffer, size: number) => {
  const lines = new JsonLines()
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return [...chunks.flatMap((chunk) => [...lines.push(chunk)]), ...lines.end()].map((entry) =>
    entry._tag === "Record" ? [entry.line, entry.value] : [entry.line, entry._tag],
  )
}

describe("lines of JSON", () => {
  it("are read however the input is cut into chunks", () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 8 })
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 50 }), fc.boolean(), (all, size, ends) => {
        const text = all.map((value) => JSON.stringify(value)).join("\r\n") + (ends ? "\r\n" : "")
        // As ids beyond 2^53 are kept: whole numbers that large are read as texts.
        const expected = all.map((value, index) => [index + 1, parseJson(JSON.stringify(value))])
        expect(read(Buffer.from(text), size)).toEqual(expected)
      }),
    )
  })

  it("that are broken or no text harm no other line, and empty lines are none", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"id":1}\n\n{"id":\n'),
      Buffer.from([0xc3, 0x28, 0x0a]),
      Buffer.from('{"id":"é"}'),
    ])
    for (const size of [1, 4, 100]) {
      expect(read(bytes, size)).toEqual([
        [1, { id: 1 }],
        [3, "BrokenLine"],
        [4, "BrokenLine"],
        [5, { id: "é" }],
      ])
    }
  })
})
