/** Writes everything of a database, as it is at one moment, line by line. */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ExitCode from "../ExitCode.js"
import * as BackupFormat from "./BackupFormat.js"
import * as BackupTables from "./BackupFormat.js"
import { type TextRow, textOf } from "./BackupFormat.js"

/** Takes text, and is done when it is written. */
export type Write = (text: string) => Promise<void>

const rowsAtATime = 500

/** What has been written so far. */
class Writing {
  readonly #write: Write
  readonly #hash = createHash("sha256")
  rows = 0

  constructor(write: Write) {
    this.#write = write
  }

  get sha256(): string {
    return this.#hash.copy().digest("hex")
  }

  lines(texts: ReadonlyArray<string>): Effect.Effect<void, ExitCode.Stopped> {
    const text = texts.map((line) => `${line}\n`).join("")
    this.#hash.update(text)
    return Effect.tryPromise({ try: () => this.#write(text), catch: ExitCode.stopped })
  }

  line(value: object): Effect.Effect<void, ExitCode.Stopped> {
    return this.lines([JSON.stringify(value)])
  }
}

/** Each cursor has a name of its own: what is asked in the same words is prepared once for one answer. */
const writeTable = Effect.fnUntraced(function* (
  writing: Writing,
  { name, quoted, columns, key }: BackupTables.Table,
) {
  const sql = yield* SqlClient
  yield* writing.line({ table: name, columns: columns.map((column) => column.name) })
  const values = columns.map((column) => `${column.quoted}::text`).join(", ")
  const order = key.length === 0 ? "" : ` ORDER BY ${key.join(", ")}`
  const cursor = `"rows of ${name}"`
  yield* sql.unsafe(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS line FROM ${quoted}${order}`,
  )
  for (let isMore = true; isMore; ) {
    const rows = yield* sql.unsafe<TextRow>(`FETCH ${rowsAtATime} FROM ${cursor}`)
    isMore = rows.length === rowsAtATime
    writing.rows += rows.length
    if (rows.length > 0) yield* writing.lines(rows.map((row) => textOf(row, "line")))
  }
  yield* sql.unsafe(`CLOSE ${cursor}`)
})

const writeSequence = Effect.fnUntraced(function* (
  writing: Writing,
  { name, quoted }: BackupTables.Sequence,
) {
  const sql = yield* SqlClient
  const [row = {}] = yield* sql.unsafe<TextRow>(
    `SELECT last_value::text AS value, is_called::text AS is_called FROM ${quoted}`,
  )
  const isCalled = textOf(row, "is_called") === "true"
  yield* writing.line({ sequence: name, value: textOf(row, "value"), is_called: isCalled })
})

const writeAll = Effect.fnUntraced(function* (writing: Writing) {
  for (const table of yield* BackupTables.all) yield* writeTable(writing, table)
  for (const sequence of yield* BackupTables.sequences) yield* writeSequence(writing, sequence)
})

/** One moment for all tables; whoever reads what is written may take their time. */
const beginning = [
  "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
  "SET LOCAL idle_in_transaction_session_timeout = 0",
]

/** Writes a backup of a database that has a certain version of the schema; gives how many rows it has. */
export const write = (
  schema: number,
  madeAt: Date,
  to: Write,
): Effect.Effect<number, SqlError | ExitCode.Stopped, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => {
    const writing = new Writing(to)
    const header = {
      ...{ apportion: "backup", format: BackupFormat.formatVersion, schema },
      made_at: madeAt.toISOString(),
    }
    const inside = Effect.gen(function* () {
      for (const statement of beginning) yield* sql.unsafe(statement)
      yield* writing.line(header)
      yield* writeAll(writing)
      const { rows, sha256 } = writing
      yield* writing.line({ end: true, rows, sha256 })
      return rows
    })
    return sql.withTransaction(inside)
  })
