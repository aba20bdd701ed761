/** The tables of a database as a backup sees them: found in the database itself, so that none is forgotten. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Row, textOf } from "./Rows.js"

/** A column: its name, the same as SQL needs it, and its type. */
export interface Column {
  readonly name: string
  readonly quoted: string
  readonly type: string
}

/** A table with its columns. */
export interface Table {
  readonly name: string
  /** As SQL needs it, with the schema. */
  readonly quoted: string
  readonly columns: ReadonlyArray<Column>
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

const tableOf = (rows: ReadonlyArray<Row>, needs: ReadonlyArray<Row>): Table => {
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
    const columns = yield* sql.unsafe<Row>(columnsQuery)
    const needs = yield* sql.unsafe<Row>(needsQuery)
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
    sql.unsafe<Row>(`SELECT c.relname::text AS name, c.oid::regclass::text AS quoted FROM pg_class c
        WHERE c.relnamespace = 'apportion'::regnamespace AND c.relkind = 'S'
        ORDER BY c.relname COLLATE "C"`),
    (rows) => rows.map((row) => ({ name: textOf(row, "name"), quoted: textOf(row, "quoted") })),
  ),
)
