import { parse } from "csv-parse/sync"
import { stringify } from "csv-stringify/sync"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Csv from "../../src/documents/Csv.js"

describe("a line of CSV", () => {
  it("is read again as it was written, whatever is in its cells", () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", ";", "a", "é") }),
      fc.integer(),
    )
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 4 })
    fc.assert(
      fc.property(rows, (all) => {
        const read = parse(Csv.lines(all), { relax_column_count: true, record_delimiter: "\n" })
        expect(read).toEqual(all.map((row) => row.map(String)))
      }),
    )
  })

  it("is what the library for it writes, of texts that are plain and of others", () => {
    const text = fc.string({
      unit: fc.constantFrom('"', ",", "\n", "\r", "é", "a", "_", " ", ".", ":", "1"),
    })
    const row = fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
        expect(Csv.lines(rows)).toBe(rows.map((each) => stringify([each])).join(""))
        expect(Csv.lines(rows)).toBe(stringify(rows))
      }),
      { numRuns: 500 },
    )
  })

  it("holds no formula that a spreadsheet would run", () => {
    const cells = ["=1+1", "+1", "-1", "@a", "\tb", "a=1"]
    expect(Csv.line(cells)).toBe("'=1+1,'+1,'-1,'@a,'\tb,a=1\n")
    // Wide signs, and a break of the line before the sign, are formulas in some spreadsheets too.
    expect(Csv.line(["＝1", "＋1", "－1", "＠a", "\r=1", "\n=1"])).toBe(
      `'＝1,'＋1,'－1,'＠a,"'\r=1","'\n=1"\n`,
    )
    expect(Csv.line([-1, 0, 12])).toBe("-1,0,12\n")
  })

  it("has nothing where there is nothing", () => {
    expect(Csv.line(["a", null, 0, "b,c"])).toBe('a,,0,"b,c"\n')
  })
})
