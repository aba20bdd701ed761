import { addProblems, show } from "../../../internal/problems.js"
import type { Problem } from "../../../Problem.js"
import * as records from "./records.js"

/** A record of a file with the number of its line, from 1. */
export interface AchLine {
  readonly text: string
  readonly number: number
}

/** An entry with its addenda records. */
export interface AchEntry {
  readonly detail: AchLine
  readonly addenda: ReadonlyArray<AchLine>
}

export interface AchBatchLines {
  readonly header: AchLine
  readonly entries: ReadonlyArray<AchEntry>
}

export interface AchFileLines {
  readonly header: AchLine | undefined
  readonly batches: ReadonlyArray<AchBatchLines>
}

/** Notes a problem of a line. */
export const refuse = (
  problems: Array<Problem>,
  { text, number }: AchLine,
  message: string,
): void => {
  addProblems(problems, [
    { path: `line ${number}`, value: text, message: `${message}: ${show(text)}` },
  ])
}

const pad = (text: string) => text.padEnd(records.recordLength)

/** The lines of a file. Some files have no line breaks, and their records follow each other directly. */
const linesOf = (text: string): ReadonlyArray<AchLine> => {
  const bare = text.replace(/^\ufeff/, "")
  const isUnbroken = !/[\r\n]/.test(bare.trimEnd()) && bare.trimEnd().length > records.recordLength
  const parts = isUnbroken ? (bare.trimEnd().match(/.{1,94}/gsu) ?? []) : bare.split(/\r\n|\n|\r/)
  return parts
    .map((part, index) => ({ text: pad(part.trimEnd()), number: index + 1 }))
    .filter(({ text }) => text.trim() !== "")
}

interface OpenBatch {
  readonly header: AchLine
  readonly entries: Array<{ readonly detail: AchLine; readonly addenda: Array<AchLine> }>
}

interface Totals {
  readonly entries: number
  readonly hash: string
  readonly debits: bigint
  readonly credits: bigint
}

/** Codes of entries that are debits; the rest are credits. */
const isDebit = (code: string): boolean => "56789".includes(code.charAt(1)) && code.length === 2

const totalsOf = (entries: OpenBatch["entries"]): Totals => {
  const details = entries.map(({ detail }) => records.read(records.entryDetail, detail.text))
  const sum = (chosen: typeof details) =>
    chosen.reduce(
      (total, { amount = "" }) => total + (/^\d+$/.test(amount) ? BigInt(amount) : 0n),
      0n,
    )
  const digits = details.map(({ routing = "" }) => (/^\d{8}/.test(routing) ? routing : "0"))
  return {
    entries: entries.reduce((count, { addenda }) => count + 1 + addenda.length, 0),
    hash: records.entryHash(digits),
    debits: sum(details.filter(({ code = "" }) => isDebit(code))),
    credits: sum(details.filter(({ code = "" }) => !isDebit(code))),
  }
}

/** Notes a control record that contradicts the records before it: a record is missing or was changed. */
const compare = (
  problems: Array<Problem>,
  line: AchLine,
  columns: ReadonlyArray<records.Column>,
  entries: OpenBatch["entries"],
) => {
  const control = records.read(columns, line.text)
  for (const [name, counted] of Object.entries(totalsOf(entries))) {
    const written = control[name] ?? ""
    if (!/^\d+$/.test(written) || BigInt(written) !== BigInt(counted)) {
      refuse(problems, line, `must have ${counted} as its ${name}, has ${show(written)}`)
    }
  }
}

/** Goes through the records of a file, batch by batch. */
class AchReader {
  header: AchLine | undefined
  readonly batches: Array<OpenBatch> = []
  readonly #problems: Array<Problem>
  #open: OpenBatch | undefined
  #isEnded = false

  constructor(problems: Array<Problem>) {
    this.#problems = problems
  }

  take(line: AchLine) {
    if (line.text.length > records.recordLength) {
      refuse(this.#problems, line, `must have ${records.recordLength} characters`)
    } else if (this.#isEnded) this.#padding(line)
    else this.#record(line)
  }

  #padding(line: AchLine) {
    if (!/^9+ *$/.test(line.text)) refuse(this.#problems, line, "must be padding after the end")
  }

  #record(line: AchLine) {
    const type = line.text.charAt(0)
    const isFirst = this.header === undefined
    if (isFirst !== (type === "1")) {
      refuse(
        this.#problems,
        line,
        isFirst ? "must be the file's header" : "must not be a second header",
      )
    }
    this.header ??= line
    if (type === "5") this.#begin(line)
    else if (type === "6") this.#open?.entries.push({ detail: line, addenda: [] })
    else if (type === "7") this.#open?.entries.at(-1)?.addenda.push(line)
    else if (type === "8") this.#close(line)
    else if (type === "9") this.#end(line)
    else if (type !== "1") refuse(this.#problems, line, "must be a record of an ACH file")
    const needsBatch = type === "6" || type === "7"
    if (needsBatch && (this.#open?.entries.length ?? 0) === 0) {
      refuse(this.#problems, line, "must stand in a batch, behind its entry")
    }
  }

  #begin(line: AchLine) {
    if (this.#open !== undefined)
      refuse(this.#problems, line, "must follow the end of the last batch")
    this.#open = { header: line, entries: [] }
    this.batches.push(this.#open)
  }

  #close(line: AchLine) {
    if (this.#open === undefined) refuse(this.#problems, line, "must end a batch")
    else compare(this.#problems, line, records.batchControl, this.#open.entries)
    this.#open = undefined
  }

  #end(line: AchLine) {
    if (this.#open !== undefined)
      refuse(this.#problems, line, "must follow the end of the last batch")
    const entries = this.batches.flatMap((batch) => batch.entries)
    compare(this.#problems, line, records.fileControl, entries)
    this.#isEnded = true
  }

  /** Notes that a file was cut off. */
  finish() {
    if (this.#isEnded || this.#problems.length > 0) return
    addProblems(this.#problems, [
      { path: "", value: undefined, message: "must end with the file's control record" },
    ])
  }
}

/** The records of a file in order; each problem is noted with its line. */
export const readLines = (text: string, problems: Array<Problem>): AchFileLines => {
  const reader = new AchReader(problems)
  for (const line of linesOf(text)) reader.take(line)
  reader.finish()
  return { header: reader.header, batches: reader.batches }
}
