/** Cuts the lines of a CSV input into pieces of whole entries, without reading their values. */
import { CsvRecords, type CsvShape } from "./CsvRecords.js"
import type { Row } from "./CsvRows.js"
import type { Entry } from "./Records.js"

/** Lines of whole entries, and the header they stand under. */
export interface Rows {
  readonly _tag: "Rows"
  readonly header: ReadonlyArray<string>
  /** The number and cells of each line in JSON, which other threads are given sooner than objects. */
  readonly rows: string
}

type NumberedCells = readonly [line: number, cells: ReadonlyArray<string>]

/** Takes lines as `CsvRecords` does, and gives them as pieces. */
export class CsvCutter {
  readonly ignored: ReadonlyArray<string>
  readonly repeated: ReadonlyArray<string>
  private readonly header: ReadonlyArray<string>
  private readonly idAt: number
  private rows: Array<NumberedCells> = []
  private openId: string | undefined
  /** How many lines belong to entries that are complete. */
  private complete = 0
  private entries = 0

  constructor(shape: CsvShape, header: Row) {
    const { ignored, repeated } = new CsvRecords(shape, header)
    this.ignored = ignored
    this.repeated = repeated
    this.header = header.cells
    const names = header.cells.map((cell) => cell.trim())
    this.idAt = shape.lines === undefined ? -1 : names.indexOf(shape.lines.by)
  }

  /** Takes a line. Neighbours with the same id are one entry. */
  push({ cells, line }: Row): void {
    const id = (cells[this.idAt] ?? "").trim()
    if (this.openId !== undefined && (id !== this.openId || id === "")) this.close()
    this.openId = id
    this.rows.push([line, cells])
  }

  /** How many complete entries wait to be taken. */
  get size(): number {
    return this.entries
  }

  /** Takes the complete entries. */
  take(): Rows {
    const rows = JSON.stringify(this.rows.slice(0, this.complete))
    this.rows = this.rows.slice(this.complete)
    this.complete = 0
    this.entries = 0
    return { _tag: "Rows", header: this.header, rows }
  }

  /** The input ended: the entry that was still open is complete. */
  end(): Rows {
    if (this.openId !== undefined) this.close()
    this.openId = undefined
    return this.take()
  }

  private close(): void {
    this.complete = this.rows.length
    this.entries += 1
  }
}

/** The entries of a piece. */
export const entriesOf = ({ header, rows }: Rows, shape: CsvShape): ReadonlyArray<Entry> => {
  const records = new CsvRecords(shape, { cells: header, line: 1 })
  const numbered: ReadonlyArray<NumberedCells> = JSON.parse(rows)
  for (const [line, cells] of numbered) records.push({ line, cells })
  return records.end()
}
