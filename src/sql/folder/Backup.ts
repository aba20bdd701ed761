/**
 * A backup: everything of a database as it is at one moment, line by line, and the same lines put into a database that
 * has nothing yet. The command line writes and reads the file.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as BackupFormat from "./BackupFormat.js"
import { type TextLine, type TextRow, textOf } from "./BackupFormat.js"

/** Takes text, and is done when it is written. */
export type Write<E> = (text: string) => Effect.Effect<void, E>

const rowsAtATime = 500

/** What has been written so far. */
class Writing<E> {
  readonly #write: Write<E>
  readonly #hash = createHash("sha256")
  rows = 0

  constructor(write: Write<E>) {
    this.#write = write
  }

  get sha256(): string {
    return this.#hash.copy().digest("hex")
  }

  lines(texts: ReadonlyArray<string>): Effect.Effect<void, E> {
    const text = texts.map((line) => `${line}\n`).join("")
    this.#hash.update(text)
    return this.#write(text)
  }

  line(value: object): Effect.Effect<void, E> {
    return this.lines([JSON.stringify(value)])
  }
}

/** Each cursor has a name of its own: what is asked in the same words is prepared once for one answer. */
const writeTable = Effect.fnUntraced(function* <E>(
  writing: Writing<E>,
  { name, quoted, columns, key }: BackupFormat.Table,
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

const writeSequence = Effect.fnUntraced(function* <E>(
  writing: Writing<E>,
  { name, quoted }: BackupFormat.Sequence,
) {
  const sql = yield* SqlClient
  const [row = {}] = yield* sql.unsafe<TextRow>(
    `SELECT last_value::text AS value, is_called::text AS is_called FROM ${quoted}`,
  )
  const isCalled = textOf(row, "is_called") === "true"
  yield* writing.line({ sequence: name, value: textOf(row, "value"), is_called: isCalled })
})

const writeAll = Effect.fnUntraced(function* <E>(writing: Writing<E>) {
  for (const table of yield* BackupFormat.all) yield* writeTable(writing, table)
  for (const sequence of yield* BackupFormat.sequences) yield* writeSequence(writing, sequence)
})

/** One moment for all tables; whoever reads what is written may take their time. */
const beginning = [
  "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
  "SET LOCAL idle_in_transaction_session_timeout = 0",
]

/** Writes a backup of a database that has a certain version of the schema, made at a time; gives how many rows it has. */
export const write = <E>(
  { schema, madeAt }: { readonly schema: number; readonly madeAt: Date },
  to: Write<E>,
): Effect.Effect<number, SqlError | E, SqlClient> =>
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

// Restoring a backup.

/** What is restored. */
export interface Restored<E> {
  /** The name of the file. */
  readonly name: string
  /** Gives the lines below the header, one after the other; `undefined`: there are no more. */
  readonly next: Effect.Effect<TextLine | undefined, E>
  /** The header's line. */
  readonly header: TextLine
}

const charactersAtATime = 1 << 20

type Restoring<A> = Effect.Effect<A, SqlError | BackupFormat.UnusableBackup, SqlClient>

/** Puts rows into a table, as the lines they are: the database reads each value by its column's type. */
const insert = (
  { quoted, columns }: BackupFormat.Table,
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
  readonly table: BackupFormat.Table
  private rows: Array<string> = []
  private characters = 0

  constructor(table: BackupFormat.Table) {
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
  readonly input: Pick<Restored<unknown>, "name" | "header">
  private readonly tables: ReadonlyMap<string, BackupFormat.Table>
  private readonly sequences: ReadonlyMap<string, BackupFormat.Sequence>
  private readonly hash = createHash("sha256")
  private waiting: TableRows | undefined
  private readonly seen = new Set<string>()
  rows = 0
  isWhole = false

  constructor(
    input: Pick<Restored<unknown>, "name" | "header">,
    tables: ReadonlyArray<BackupFormat.Table>,
    sequences: ReadonlyArray<BackupFormat.Sequence>,
  ) {
    this.input = input
    this.tables = new Map(tables.map((table) => [table.name, table]))
    this.sequences = new Map(sequences.map((sequence) => [sequence.name, sequence]))
    this.hash.update(input.header.bytes)
  }

  private refuse(line: number, reason: string): Effect.Effect<never, BackupFormat.UnusableBackup> {
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

/** The first table that has a row already. */
const firstUsed = Effect.fnUntraced(function* (tables: ReadonlyArray<BackupFormat.Table>) {
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
  tables: ReadonlyArray<BackupFormat.Table>,
  to: "ENABLE" | "DISABLE",
): Restoring<void> =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.forEach(tables, ({ quoted }) => sql.unsafe(`ALTER TABLE ${quoted} ${to} TRIGGER USER`), {
      discard: true,
    }),
  )

const restoreAll = Effect.fnUntraced(function* <E>(input: Restored<E>, databaseName: string) {
  const sql = yield* SqlClient
  yield* sql.unsafe("SET LOCAL idle_in_transaction_session_timeout = 0")
  const tables = yield* BackupFormat.all
  yield* setTriggers(tables, "DISABLE")
  const used = yield* firstUsed(tables)
  if (used !== undefined) {
    const message = `${databaseName}: has rows already (in ${used}): a backup is restored into a database that has nothing yet`
    return yield* new BackupFormat.UnusableBackup({ message })
  }
  const restoration = new Restoration(input, tables, yield* BackupFormat.sequences)
  let last = input.header.number
  for (let line = yield* input.next; line !== undefined; line = yield* input.next) {
    last = line.number
    yield* restoration.take(line)
  }
  yield* restoration.finish(last)
  yield* setTriggers(tables, "ENABLE")
  return restoration.rows
})

/** Puts everything into a database that has nothing yet, as one transaction; gives how many rows it is. */
export const restore = <E>(
  input: Restored<E>,
  databaseName: string,
): Effect.Effect<number, SqlError | BackupFormat.UnusableBackup | E, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => sql.withTransaction(restoreAll(input, databaseName)))
