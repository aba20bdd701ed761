/** CSV as RFC 4180 has it. */
import { stringify } from "csv-stringify/sync"

/** One cell; null is empty. */
export type Cell = string | number | null

/** Several lines, each with its end. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  stringify(rows.map((row) => [...row]))

/** A line, with its end. */
export const line = (cells: ReadonlyArray<Cell>): string => lines([cells])
