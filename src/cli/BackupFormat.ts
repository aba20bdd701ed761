/**
 * The lines of a backup: a header, then each table's name and columns with its rows below, each value as
 * text as PostgreSQL writes it, then the counters, then an end with a checksum of all before it.
 */
import * as ExitCode from "./ExitCode.js"

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
export type Line =
  | ({ readonly _tag: "Table" } & TableLine)
  | ({ readonly _tag: "Sequence" } & SequenceLine)
  | ({ readonly _tag: "End" } & End)
  | { readonly _tag: "Row"; readonly values: RowLine }

/** The fields that lines have, none of which need be there. */
interface Fields {
  readonly [name: string]: unknown
  readonly apportion?: unknown
}

const isFields = (value: unknown): value is Fields =>
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

/** The header of a file; `undefined`: it is no backup. */
export const readHeader = (text: string): Header | undefined => {
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

const readFields = (fields: Fields): Line | undefined => {
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
export const readLine = (text: string): Line | undefined => {
  const value = parse(text)
  if (isRow(value)) return { _tag: "Row", values: value }
  return isFields(value) ? readFields(value) : undefined
}

/** The file can't be restored. */
export const broken = (name: string, line: number, reason: string): ExitCode.UnusableInput =>
  new ExitCode.UnusableInput({ message: `${name}:${line}: ${reason}; nothing of it was restored` })
