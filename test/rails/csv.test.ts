import { stringify } from "csv-stringify/sync"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parse } from "../../src/rails/internal/csv.js"

const columns = ["First", "Second", "Third"]

/** The cells under the columns, row by row. */
const read = (text: string) =>
  parse(text, columns).lines.map(({ cell }) => columns.map((column) => cell(column)))

describe("CSV that a rail wrote", () => {
  it("is read as another writer of CSV meant it", () => {
    const cell = fc
      .string({ unit: fc.constantFrom(..."aé🎉 ,;\t\"'=\r\n"), maxLength: 6 })
      .map((text) => text.trim())
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 })
    const separator = fc.constantFrom(",", ";", "\t")
    const end = fc.constantFrom("\n", "\r\n")
    let quoted = 0
    fc.assert(
      fc.property(rows, separator, end, (cells, delimiter, record_delimiter) => {
        const text = stringify([columns, ...cells], {
          delimiter,
          record_delimiter,
          quoted_match: /[\r\n]/,
        })
        quoted += text.includes('"') ? 1 : 0
        const there = cells.filter((row) => row.some((value) => value !== ""))
        expect(read(text)).toEqual(there)
      }),
      { numRuns: 500 },
    )
    expect(quoted).toBeGreaterThan(250)
  })

  it("has the line of each row, though cells have line breaks", () => {
    const text = 'First,Second,Third\n"a\nb",1,2\n\nc,3,4'
    expect(parse(text, columns).lines.map(({ line }) => line)).toEqual([2, 5])
  })

  it("is refused at the line where a quoted cell is broken", () => {
    const problemOf = (text: string) => parse(text, columns).problems[0]?.path
    expect(problemOf('First,Second,Third\na,"b,c')).toBe("line 2")
    expect(problemOf('First,Second,Third\na,"b"c,d')).toBe("line 2")
    expect(problemOf("First,Second\n")).toBe("Third")
  })

  it("is read however long a cell is", () => {
    const long = '""'.repeat(1_000_000)
    expect(read(`First,Second,Third\n"${long}",b,c`)[0]?.[0]).toHaveLength(1_000_000)
    expect(parse(`First,Second,Third\n"${long}`, columns).problems).toHaveLength(1)
  })
})
