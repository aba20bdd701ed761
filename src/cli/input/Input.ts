/** Reads the entries of an input, whatever its format: JSON, NDJSON or CSV. */
import { isUtf8 } from "node:buffer"
import { lists } from "../../agreements/Agreement.js"
import { parseJson } from "../../internal/reader.js"
import * as ExitCode from "../ExitCode.js"
import * as BulkLines from "./BulkLines.js"
import * as CsvColumns from "./CsvRecords.js"
import { CsvRecords, type CsvRow, type CsvShape, columnNames, isHeader } from "./CsvRecords.js"
import * as ForeignFormats from "./ForeignFormats.js"
import { type Element, JsonElements, JsonLines, type LineTaker } from "./JsonElements.js"
import * as JsonText from "./Records.js"
import { type InputEntry, JsonRecord, type Note, type Record } from "./Records.js"
import { repeatedNames } from "./RepeatedNames.js"
import { type Opened, openInput, type Source } from "./Sources.js"

/** A kind of input: the name of its entries, the names that their list may have, and its CSV columns. */
export interface InputKind {
  readonly what: string
  readonly wrappers: ReadonlySet<string>
  readonly csv: CsvShape | undefined
  /** Lists of an entry itself, which wrap no entries. */
  readonly ownLists?: ReadonlySet<string>
}

const kind = (what: string, csv: CsvShape | undefined): InputKind => ({
  what,
  wrappers: new Set([what, "data"]),
  csv,
})

export const groups = kind("groups", { columns: CsvColumns.groups })
export const orders = kind("orders", {
  columns: CsvColumns.orders,
  lines: { by: "order_id", into: "items", columns: CsvColumns.orderItems },
})
export const products = kind("products", undefined)
export const policy = kind("policy", undefined)
export const refunds = kind("refunds", { columns: CsvColumns.refunds })
export const entries = kind("entries", { columns: CsvColumns.entries })
export const collaborators = kind("collaborators", { columns: CsvColumns.collaborators })
export const remainders = kind("remainders", undefined)
export const counters = kind("counters", undefined)
/** The agreements of an account are one object. */
export const agreements: InputKind = {
  ...kind("agreements", undefined),
  ownLists: new Set(Object.values(lists)),
}
export const rates = kind("rates", { columns: CsvColumns.rates })

const notText = (name: string, line: number) =>
  new ExitCode.UnusableInput({
    message: `${name}:${line}: is not valid UTF-8: save the file in the encoding UTF-8`,
  })

/** A value of an input as a record; invalid JSON makes the input unusable. */
export const parseElement = (name: string, element: Element): Record => {
  const { line, column, path } = element
  if (!isUtf8(element.bytes)) throw notText(name, line)
  const text = element.bytes.toString("utf8")
  try {
    return new JsonRecord(parseJson(text), { text, line, path })
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const problem = JsonText.syntaxProblem(text)
    const place = JsonText.placeOf(text, problem?.offset ?? 0)
    const shownColumn = place.line === 1 ? column + place.column - 1 : place.column
    throw new ExitCode.UnusableInput({
      message: `${name}:${line + place.line - 1}:${shownColumn}: is not valid JSON: ${problem?.message ?? cause.message}`,
    })
  }
}

/** The elements of a document, in a list for each chunk. */
export async function* readElements(
  input: Opened,
  kind: InputKind,
): AsyncGenerator<ReadonlyArray<Element>> {
  const elements = new JsonElements(input.name, input.head, kind.wrappers)
  for await (const chunk of input.chunks()) {
    const found = elements.push(chunk)
    if (found.length > 0) yield found
  }
  yield elements.end()
}

/** The records of some elements of a document. Invalid JSON makes the input unusable. */
export const parseElements = (
  elements: ReadonlyArray<Element>,
  { name, kind }: { readonly name: string; readonly kind: InputKind },
): ReadonlyArray<Record> =>
  elements.map((element) => {
    const record = parseElement(name, element)
    if (record.path !== "") return record
    const misnamed = ForeignFormats.misnamedList(record.value, kind)
    if (misnamed === undefined) return record
    throw new ExitCode.UnusableInput({
      message: `${name}:${record.line}: ${ForeignFormats.foreignLook(record.value) ?? misnamed}`,
    })
  })

async function* readDocument(input: Opened, kind: InputKind): AsyncGenerator<Iterable<InputEntry>> {
  for await (const elements of readElements(input, kind)) {
    yield parseElements(elements, { name: input.name, kind })
  }
}

async function* readLines(input: Opened, take?: LineTaker): AsyncGenerator<Iterable<InputEntry>> {
  const lines = new JsonLines(1, take)
  for await (const chunk of input.chunks()) yield lines.push(chunk)
  yield lines.end()
}

const refuseFormat = (input: Opened, kind: InputKind, header: string): never => {
  const csv =
    kind.csv === undefined
      ? ""
      : `, nor CSV with a header line of columns such as ${columnNames(kind.csv).slice(0, 4).join(", ")}`
  const look =
    ForeignFormats.foreignHeader(header) ??
    `is neither JSON nor NDJSON${csv}; it begins with "${header.slice(0, 60)}"`
  throw new ExitCode.UnusableInput({ message: `${input.name}:1: ${look}` })
}

const entriesInBatch = 512

/** Collects the lines of a CSV input, and returns complete entries in batches. */
export interface CsvCollector<Batch> {
  readonly ignored: ReadonlyArray<string>
  readonly repeated: ReadonlyArray<string>
  readonly commas?: CsvRecords["commas"]
  readonly size: number
  readonly push: (row: CsvRow) => void
  readonly take: () => Batch
  readonly end: () => Batch
}

const checkHeader = (
  input: Opened,
  { repeated, ignored }: Pick<CsvRecords, "repeated" | "ignored">,
  options: { readonly line: number; readonly note: Note },
): void => {
  if (repeated.length > 0) {
    throw new ExitCode.UnusableInput({
      message: `${input.name}:${options.line}: columns that stand there twice: ${repeated.join(", ")}`,
    })
  }
  if (ignored.length > 0) options.note(`${input.name}:1: ignored columns: ${ignored.join(", ")}`)
}

/** The batches that a collector makes of the lines of a CSV input. */
export async function* readCsv<Batch>(
  input: Opened,
  options: { readonly kind: InputKind; readonly note: Note },
  collectorOf: (shape: CsvShape, header: CsvRow) => CsvCollector<Batch>,
): AsyncGenerator<Batch> {
  const CsvRows = await import("./CsvRows.js")
  const header = input.head.toString("utf8", 0, 100_000).trimStart().split(/\r?\n/, 1)[0] ?? ""
  const shape = options.kind.csv
  if (shape === undefined || !isHeader(shape, header)) {
    return refuseFormat(input, options.kind, header)
  }
  let collector: CsvCollector<Batch> | undefined
  const delimiter = CsvRows.delimiterOf(header)
  for await (const row of CsvRows.read(input.chunks(), { name: input.name, delimiter })) {
    if (collector === undefined) {
      collector = collectorOf(shape, row)
      checkHeader(input, collector, { line: row.line, note: options.note })
    } else {
      collector.push(row)
      if (collector.size >= entriesInBatch) yield collector.take()
    }
  }
  yield (collector ?? collectorOf(shape, { cells: [], line: 1 })).end()
  if (collector?.commas !== undefined) {
    const { name, text, line } = collector.commas
    options.note(
      `${input.name}:${line}: note: ${name} "${text}" is read as one value; several are separated by ;`,
    )
  }
}

const recordsOf = (shape: CsvShape, header: CsvRow) => new CsvRecords(shape, header)

/** How an input is read. */
export interface InputOptions {
  readonly kind: InputKind
  readonly note: Note
  /** Gets each line of NDJSON before it is parsed; those that it takes are no entries. */
  readonly take?: LineTaker | undefined
}

/** The entries of an opened input. */
export async function* readOpened(
  input: Opened,
  options: InputOptions,
): AsyncGenerator<Iterable<InputEntry>> {
  if (input.format === "csv") yield* readCsv(input, options, recordsOf)
  else if (input.format === "lines") yield* readLines(input, options.take)
  else yield* readDocument(input, options.kind)
}

/** The entries of an input as they are read, in batches. Memory does not grow with the input. */
export async function* read(
  source: Source,
  options: InputOptions,
): AsyncGenerator<Iterable<InputEntry>> {
  const input = await openInput(source)
  if (options.kind !== orders || !BulkLines.isBulk(input)) {
    yield* readOpened(input, options)
    return
  }
  await BulkLines.checkGrouped(source)
  yield* BulkLines.joined(readOpened(input, { ...options, take: undefined }))
}

/** All entries as one list. A broken line makes the whole input unusable. */
export const collect = async (
  name: string,
  batches: AsyncIterable<Iterable<InputEntry>>,
): Promise<ReadonlyArray<Record>> => {
  const records: Array<Record> = []
  for await (const batch of batches) {
    for (const entry of batch) {
      if (entry._tag === "Record") records.push(entry)
      else throw new ExitCode.UnusableInput({ message: `${name}:${entry.line}: ${entry.message}` })
    }
  }
  return records
}

/** All entries of an input. */
export const readAll = (
  source: Source,
  options: { readonly kind: InputKind; readonly note: Note },
): Promise<ReadonlyArray<Record>> => collect(source.name, read(source, options))

const bytesOf = async (source: Source): Promise<Buffer> => {
  const input = await openInput(source)
  const chunks: Array<Uint8Array> = []
  for await (const chunk of input.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** An input that is one JSON document, as one record. */
export const readWhole = async (source: Source): Promise<Record> =>
  parseElement(source.name, { bytes: await bytesOf(source), line: 1, column: 1, path: "" })

/** An input that is one JSON document. No field may occur twice, because the document decides who gets money. */
export const readSettings = async (source: Source): Promise<unknown> => {
  const bytes = await bytesOf(source)
  const { value } = parseElement(source.name, { bytes, line: 1, column: 1, path: "" })
  const repeated = repeatedNames(bytes.toString("utf8"))
  if (repeated.length === 0) return value
  const message = repeated
    .map(({ line, name }) => `${source.name}:${line}: "${name}" stands there twice`)
    .join("\n")
  throw new ExitCode.UnusableInput({ message })
}

/** An input in another format, as text. */
export const readText = async (source: Source): Promise<string> => {
  const bytes = await bytesOf(source)
  if (!isUtf8(bytes)) throw notText(source.name, 1)
  return bytes.toString("utf8")
}
