/** The lines of a backup, and the tables whose rows they are. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Migrations from "../Migrations.js"

/** A file that can't be restored, or a database into which nothing can be. Nothing of it was restored. */
export class UnusableBackup extends Schema.TaggedError<UnusableBackup>()("UnusableBackup", {
  message: Schema.String,
}) {}

// Values of the rows that a database is asked for. Each is asked for as text.

/** A row as a client gives it. */
export interface TextRow {
  readonly [column: string]: unknown
}

/** A text; `null`: there is none. */
export const textOrNullOf = (row: TextRow, column: string): string | null => {
  const value = row[column]
  if (typeof value === "string" || value === null) return value
  throw new TypeError(`the column ${column} was not asked for as text`)
}

/** A text. */
export const textOf = (row: TextRow, column: string): string => textOrNullOf(row, column) ?? ""

// The lines of an input, one at a time, with their numbers.

const newline = 10

/** A line without its end, and its bytes with it. */
export interface TextLine {
  readonly number: number
  readonly text: string
  readonly bytes: Uint8Array
}

/** The lines, in order; what follows the last end of a line is one too. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<TextLine, undefined> {
  let [rest, number]: [Array<Buffer>, number] = [[], 0]
  const lineOf = (last: Buffer): TextLine => {
    const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last])
    rest = []
    number += 1
    const end = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length
    return { number, bytes, text: bytes.toString("utf8", 0, end) }
  }
  for await (const piece of chunks) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield lineOf(chunk.subarray(start, end + 1))
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) yield lineOf(Buffer.alloc(0))
  return undefined
}

// The lines of a backup: a header, then each table's name and columns with its rows below, each value as
// text as PostgreSQL writes it, then the counters, then an end with a checksum of all before it.

/** The version of this format. */
export const formatVersion = 1

/** The first line. */
export interface Header {
  readonly apportion: "backup"
  readonly format: number
  /** The version of the schema. */
  readonly schema: number
  readonly made_at: string
}

/** What precedes a table's rows. */
export interface TableLine {
  readonly table: string
  readonly columns: ReadonlyArray<string>
}

/** Where a counter stands. */
export interface SequenceLine {
  readonly sequence: string
  readonly value: string
  readonly is_called: boolean
}

/** The last line. */
export interface End {
  readonly end: true
  readonly rows: number
  /** SHA-256 of the bytes of all lines before, in hexadecimal digits. */
  readonly sha256: string
}

/** A row: a text or nothing for each column. */
export type RowLine = ReadonlyArray<string | null>

/** A line of a backup below its first one. */
export type BackupLine =
  | ({ readonly _tag: "Table" } & TableLine)
  | ({ readonly _tag: "Sequence" } & SequenceLine)
  | ({ readonly _tag: "End" } & End)
  | { readonly _tag: "Row"; readonly values: RowLine }

/** The fields that lines have, none of which need be there. */
interface LineFields {
  readonly [name: string]: unknown
  readonly apportion?: unknown
}

const isFields = (value: unknown): value is LineFields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isRow = (value: unknown): value is RowLine =>
  Array.isArray(value) && value.every((part) => part === null || typeof part === "string")

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((part) => typeof part === "string")

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const headerOf = (text: string): Header | undefined => {
  const value = parse(text)
  if (!isFields(value) || value.apportion !== "backup") return undefined
  const { format, schema, made_at } = value
  const isWhole = Number.isInteger(format) && Number.isInteger(schema)
  return isWhole
    ? {
        ...{ apportion: "backup", format: Number(format), schema: Number(schema) },
        made_at: typeof made_at === "string" ? made_at : "",
      }
    : undefined
}

/** The version of the schema that a file holds, by its first line. */
export const schemaOf = (text: string): number => headerOf(text)?.schema ?? Migrations.latest

/** Why nothing can be restored from a file that begins with a line; `undefined`: it can. */
export const headerProblem = (text: string): string | undefined => {
  const header = headerOf(text)
  if (header === undefined) {
    return "is no backup of apportion; a compressed one has to be decompressed first"
  }
  const { format, schema } = header
  if (format !== formatVersion) {
    return `is a backup in format ${format}, which this apportion does not know`
  }
  // An older one is restored into tables as they were then, which are brought up to date afterwards.
  return schema >= 1 && schema <= Migrations.latest
    ? undefined
    : `holds version ${schema} of the schema, and this apportion works with version ${Migrations.latest}: restore it with the apportion that made it, then migrate`
}

const readFields = (fields: LineFields): BackupLine | undefined => {
  const { table, columns, sequence, value, is_called, end, rows, sha256 } = fields
  if (typeof table === "string" && isTexts(columns)) return { _tag: "Table", table, columns }
  if (typeof sequence === "string" && typeof value === "string") {
    return { _tag: "Sequence", sequence, value, is_called: is_called === true }
  }
  return end === true && typeof rows === "number" && typeof sha256 === "string"
    ? { _tag: "End", end, rows, sha256 }
    : undefined
}

/** Another line; `undefined`: it is none of a backup. */
export const readLine = (text: string): BackupLine | undefined => {
  const value = parse(text)
  if (isRow(value)) return { _tag: "Row", values: value }
  return isFields(value) ? readFields(value) : undefined
}

/** The file can't be restored. */
export const broken = (name: string, line: number, reason: string): UnusableBackup =>
  new UnusableBackup({ message: `${name}:${line}: ${reason}; nothing of it was restored` })

// The tables of a database as a backup sees them: found in the database itself, so that none is forgotten.

/** A column: its name, the same as SQL needs it, and its type. */
export interface DatabaseColumn {
  readonly name: string
  readonly quoted: string
  readonly type: string
}

/** A table with its columns. */
export interface Table {
  readonly name: string
  /** As SQL needs it, with the schema. */
  readonly quoted: string
  readonly columns: ReadonlyArray<DatabaseColumn>
  /** The columns of its key as SQL needs them, by which its rows are put in order. */
  readonly key: ReadonlyArray<string>
  /** Names of the tables whose rows its rows need. */
  readonly needs: ReadonlySet<string>
}

const columnsQuery = `SELECT c.relname::text AS "table", c.oid::regclass::text AS quoted_table,
    a.attname::text AS name, quote_ident(a.attname) AS quoted,
    format_type(a.atttypid, a.atttypmod) AS type, coalesce(k.position, 0)::text AS position
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  LEFT JOIN LATERAL (
    SELECT array_position(i.indkey::int2[], a.attnum) + 1 AS position
    FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary
  ) k ON true
  WHERE c.relnamespace = 'apportion'::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition AND c.relname <> 'migrations'
  ORDER BY c.relname COLLATE "C", a.attnum`

const needsQuery = `SELECT f.relname::text AS "table", t.relname::text AS needed
  FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
  WHERE k.contype = 'f' AND f.relnamespace = 'apportion'::regnamespace AND f.oid <> t.oid`

const tableOf = (rows: ReadonlyArray<TextRow>, needs: ReadonlyArray<TextRow>): Table => {
  const [first = {}] = rows
  const name = textOf(first, "table")
  const columns = rows.map((row) => ({
    ...{ name: textOf(row, "name"), quoted: textOf(row, "quoted"), type: textOf(row, "type") },
    position: Number(textOf(row, "position")),
  }))
  const key = columns
    .filter(({ position }) => position > 0)
    .toSorted((one, other) => one.position - other.position)
  return {
    ...{ name, quoted: textOf(first, "quoted_table"), key: key.map(({ quoted }) => quoted) },
    columns: columns.map(({ position: _, ...column }) => column),
    needs: new Set(
      needs.filter((row) => textOf(row, "table") === name).map((row) => textOf(row, "needed")),
    ),
  }
}

/** Each table after those whose rows it needs. */
const inOrder = (tables: ReadonlyArray<Table>): ReadonlyArray<Table> => {
  const placed: Array<Table> = []
  const left = new Set(tables)
  while (left.size > 0) {
    const waiting = new Set([...left].map(({ name }) => name))
    const free = [...left].filter(({ needs }) => ![...needs].some((name) => waiting.has(name)))
    if (free.length === 0) throw new TypeError("tables need each other's rows in a circle")
    for (const table of free) {
      placed.push(table)
      left.delete(table)
    }
  }
  return placed
}

/** All tables but the one of the migrations, each after those that it needs. */
export const all: Effect.Effect<ReadonlyArray<Table>, SqlError, SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient
    const columns = yield* sql.unsafe<TextRow>(columnsQuery)
    const needs = yield* sql.unsafe<TextRow>(needsQuery)
    const byTable = Map.groupBy(columns, (row) => textOf(row, "table"))
    return inOrder([...byTable.values()].map((rows) => tableOf(rows, needs)))
  },
)

/** A sequence: a counter that no two rows are given the same number of. */
export interface Sequence {
  readonly name: string
  readonly quoted: string
}

/** The counters. */
export const sequences: Effect.Effect<
  ReadonlyArray<Sequence>,
  SqlError,
  SqlClient
> = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql.unsafe<TextRow>(`SELECT c.relname::text AS name, c.oid::regclass::text AS quoted FROM pg_class c
        WHERE c.relnamespace = 'apportion'::regnamespace AND c.relkind = 'S'
        ORDER BY c.relname COLLATE "C"`),
    (rows) => rows.map((row) => ({ name: textOf(row, "name"), quoted: textOf(row, "quoted") })),
  ),
)
