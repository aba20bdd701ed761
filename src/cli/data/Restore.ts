/** Puts the lines of a backup into a database that has nothing yet. */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ExitCode from "../ExitCode.js"
import type { TextLine } from "./BackupFormat.js"
import * as BackupFormat from "./BackupFormat.js"
import * as BackupTables from "./BackupFormat.js"
import { type TextRow, textOf } from "./BackupFormat.js"

/** What is restored. */
export interface Input {
  /** The name of the file. */
  readonly name: string
  /** The lines below the header. */
  readonly lines: AsyncIterator<TextLine>
  /** The header's line. */
  readonly header: TextLine
}

const rowsAtATime = 500
const charactersAtATime = 1 << 20

type Restoring<A> = Effect.Effect<A, SqlError | ExitCode.Stopped, SqlClient>

/** Puts rows into a table, as the lines they are: the database reads each value by its column's type. */
const insert = (
  { quoted, columns }: BackupTables.Table,
  rows: ReadonlyArray<string>,
): Restoring<void> =>
  Effect.flatMap(SqlClient, (sql) => {
    const names = columns.map((column) => column.quoted).join(", ")
    const values = columns.map(({ type }, at) => `(line ->> ${at})::${type}`).join(", ")
    return Effect.asVoid(
      sql.unsafe(
        `INSERT INTO ${quoted} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM json_array_elements($1::text::json) AS line`,
        [`[${rows.join(",")}]`],
      ),
    )
  })

/** The rows of one table that wait to be put into it. */
class TableRows {
  readonly table: BackupTables.Table
  private rows: Array<string> = []
  private characters = 0

  constructor(table: BackupTables.Table) {
    this.table = table
  }

  /** Adds a row, and says whether it is enough to be worth it. */
  add(row: string): boolean {
    this.rows.push(row)
    this.characters += row.length
    return this.rows.length >= rowsAtATime || this.characters >= charactersAtATime
  }

  flush(): Restoring<void> {
    const { rows } = this
    this.rows = []
    this.characters = 0
    return rows.length === 0 ? Effect.void : insert(this.table, rows)
  }
}

/** A restoration under way: which tables there are, what was read, and what waits. */
class Restoration {
  readonly input: Input
  private readonly tables: ReadonlyMap<string, BackupTables.Table>
  private readonly sequences: ReadonlyMap<string, BackupTables.Sequence>
  private readonly hash = createHash("sha256")
  private waiting: TableRows | undefined
  private readonly seen = new Set<string>()
  rows = 0
  isWhole = false

  constructor(
    input: Input,
    tables: ReadonlyArray<BackupTables.Table>,
    sequences: ReadonlyArray<BackupTables.Sequence>,
  ) {
    this.input = input
    this.tables = new Map(tables.map((table) => [table.name, table]))
    this.sequences = new Map(sequences.map((sequence) => [sequence.name, sequence]))
    this.hash.update(input.header.bytes)
  }

  private refuse(line: number, reason: string): Effect.Effect<never, ExitCode.UnusableInput> {
    return Effect.fail(BackupFormat.broken(this.input.name, line, reason))
  }

  /** What is missing when the lines are over. */
  finish(line: number): Restoring<void> {
    const missing = [...this.tables.keys(), ...this.sequences.keys()].filter(
      (name) => !this.seen.has(name),
    )
    if (!this.isWhole) return this.refuse(line, "the backup is incomplete")
    return missing.length === 0
      ? Effect.void
      : this.refuse(line, `the backup lacks ${missing.join(", ")}`)
  }

  private begin(number: number, line: BackupFormat.TableLine): Restoring<void> {
    const table = this.tables.get(line.table)
    const has = table?.columns.map(({ name }) => name).join(", ")
    if (table === undefined || has !== line.columns.join(", ") || this.seen.has(table.name)) {
      return this.refuse(number, `there is no such table "${line.table}", or it has other columns`)
    }
    this.seen.add(table.name)
    const before = this.waiting
    this.waiting = new TableRows(table)
    return before?.flush() ?? Effect.void
  }

  private put({ number, text }: TextLine, values: BackupFormat.RowLine): Restoring<void> {
    const { waiting } = this
    if (waiting === undefined) return this.refuse(number, "a row belongs to no table")
    if (values.length !== waiting.table.columns.length) {
      return this.refuse(number, "a row has more or fewer values than its table has columns")
    }
    this.rows += 1
    return waiting.add(text) ? waiting.flush() : Effect.void
  }

  private count(number: number, line: BackupFormat.SequenceLine): Restoring<void> {
    const sequence = this.sequences.get(line.sequence)
    if (sequence === undefined) return this.refuse(number, `there is no counter "${line.sequence}"`)
    this.seen.add(line.sequence)
    return Effect.flatMap(SqlClient, (sql) =>
      Effect.asVoid(
        sql.unsafe("SELECT setval($1::text::regclass, $2::text::bigint, $3::text::boolean)", [
          ...[sequence.quoted, line.value, String(line.is_called)],
        ]),
      ),
    )
  }

  private end(number: number, { rows, sha256 }: BackupFormat.End): Restoring<void> {
    this.isWhole = true
    const isSame = rows === this.rows && sha256 === this.hash.digest("hex")
    if (!isSame) return this.refuse(number, "the backup was changed since it was made")
    return this.waiting?.flush() ?? Effect.void
  }

  /** Takes the next line. */
  take(line: TextLine): Restoring<void> {
    const { number, text, bytes } = line
    if (this.isWhole) return this.refuse(number, "there is more after the end of the backup")
    const read = BackupFormat.readLine(text)
    if (read === undefined) return this.refuse(number, "is no line of a backup")
    if (read._tag === "End") return this.end(number, read)
    this.hash.update(bytes)
    if (read._tag === "Table") return this.begin(number, read)
    return read._tag === "Row" ? this.put(line, read.values) : this.count(number, read)
  }
}

const nextLine = (input: Input): Effect.Effect<TextLine | undefined, ExitCode.Stopped> =>
  Effect.tryPromise({
    try: async () => {
      const next = await input.lines.next()
      return next.done === true ? undefined : next.value
    },
    catch: ExitCode.stopped,
  })

/** The first table that has a row already. */
const firstUsed = Effect.fnUntraced(function* (tables: ReadonlyArray<BackupTables.Table>) {
  const sql = yield* SqlClient
  for (const { name, quoted } of tables) {
    const [row = {}] = yield* sql.unsafe<TextRow>(
      `SELECT (EXISTS (SELECT 1 FROM ${quoted}))::text AS used`,
    )
    if (textOf(row, "used") === "true") return name
  }
  return undefined
})

/** Rows are put there as they were: nothing is to be worked out from them again. */
const setTriggers = (
  tables: ReadonlyArray<BackupTables.Table>,
  to: "ENABLE" | "DISABLE",
): Restoring<void> =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.forEach(tables, ({ quoted }) => sql.unsafe(`ALTER TABLE ${quoted} ${to} TRIGGER USER`), {
      discard: true,
    }),
  )

const restoreAll = Effect.fnUntraced(function* (input: Input, databaseName: string) {
  const sql = yield* SqlClient
  yield* sql.unsafe("SET LOCAL idle_in_transaction_session_timeout = 0")
  const tables = yield* BackupTables.all
  yield* setTriggers(tables, "DISABLE")
  const used = yield* firstUsed(tables)
  if (used !== undefined) {
    const message = `${databaseName}: has rows already (in ${used}): a backup is restored into a database that has nothing yet`
    return yield* new ExitCode.UnusableInput({ message })
  }
  const restoration = new Restoration(input, tables, yield* BackupTables.sequences)
  let last = input.header.number
  for (let line = yield* nextLine(input); line !== undefined; line = yield* nextLine(input)) {
    last = line.number
    yield* restoration.take(line)
  }
  yield* restoration.finish(last)
  yield* setTriggers(tables, "ENABLE")
  return restoration.rows
})

/** Puts everything into the database, as one transaction; gives how many rows it is. */
export const restore = (input: Input, databaseName: string): Restoring<number> =>
  Effect.flatMap(SqlClient, (sql) => sql.withTransaction(restoreAll(input, databaseName)))
