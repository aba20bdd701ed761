/** The database of a folder. It runs in its own thread and is reopened after a failure that allows it. */
import type { Worker } from "node:worker_threads"
import type { Pglite } from "../../PgliteClient.js"
import type { End, Refusal, Statement, ThreadData, Word } from "./databaseThread.js"
import * as thread from "./thread.js"

/** A statement that the database refused; the fields are PostgreSQL's. */
class StatementRefused extends TypeError {
  override readonly name = "StatementRefused"
  readonly code: string
  readonly constraint: string

  constructor({ message, code, constraint }: Refusal) {
    super(message)
    this.code = code
    this.constraint = constraint
  }
}

/** The database of a folder that ended, or could not be opened. */
export class DatabaseEnded extends TypeError {
  override readonly name = "DatabaseEnded"
  readonly kind: End["kind"]

  constructor({ kind, reason }: End) {
    super(reason)
    this.kind = kind
  }
}

type QueryResult = Awaited<ReturnType<Pglite["query"]>>

interface WaitingStatement {
  readonly resolve: (rows: QueryResult) => void
  readonly reject: (cause: unknown) => void
}

/** One thread with a database, from its beginning to its end. */
class DatabaseThread {
  readonly #worker: Worker
  readonly #ready = Promise.withResolvers<void>()
  readonly #over = Promise.withResolvers<void>()
  readonly #waiting = new Map<number, WaitingStatement>()
  readonly #onEnd: (end: DatabaseEnded) => void
  #asked = 0
  #end: DatabaseEnded | undefined

  constructor(data: Omit<ThreadData, "isDatabaseThread">, onEnd: (end: DatabaseEnded) => void) {
    this.#onEnd = onEnd
    this.#worker = thread.begin("databaseThread", { ...data, isDatabaseThread: true })
    this.#worker.ref()
    this.#worker.on("message", (word: Word) => this.#hear(word))
    this.#worker.on("error", (cause) => this.#fail({ kind: "panic", reason: cause.message }))
    this.#worker.on("exit", () => {
      this.#fail({ kind: "panic", reason: "its thread ended" })
      this.#over.resolve()
    })
    // Only the opener awaits this; without a handler, Node would report an unhandled rejection.
    this.#ready.promise.catch(() => undefined)
  }

  /** Fulfilled when it takes statements, rejected with `DatabaseEnded` when it can't be opened. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Why it ended; `undefined` while it runs. */
  get end(): DatabaseEnded | undefined {
    return this.#end
  }

  query: Pglite["query"] = (statement, parameters = [], { rowMode = "object" } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
    if (this.#end !== undefined) {
      reject(this.#end)
      return promise
    }
    this.#asked += 1
    const id = this.#asked
    this.#waiting.set(id, { resolve, reject })
    this.#worker.ref()
    this.#worker.postMessage({ id, statement, parameters, rowMode } satisfies Statement)
    return promise
  }

  /** Closes the database and ends the thread; after `patienceMs` the thread is terminated. */
  async close(patienceMs: number): Promise<void> {
    this.#worker.ref()
    const impatience = setTimeout(() => void this.#worker.terminate(), patienceMs)
    this.#worker.postMessage("close")
    await this.#over.promise
    clearTimeout(impatience)
  }

  /** Terminates the thread at once. */
  async terminate(end: End): Promise<void> {
    this.#fail(end)
    await this.#worker.terminate()
  }

  /** Fulfilled when the thread has ended, which it does by itself once it has made a database. */
  async over(): Promise<void> {
    await this.#over.promise
  }

  #hear(word: Word): void {
    if (word._tag === "Ended") {
      this.#fail(word.end)
    } else if (word._tag === "Ready") {
      this.#worker.unref()
      this.#ready.resolve()
    } else {
      const waiting = this.#waiting.get(word.id)
      this.#waiting.delete(word.id)
      if (this.#waiting.size === 0) this.#worker.unref()
      if (word._tag === "Rows") waiting?.resolve({ rows: word.rows })
      else waiting?.reject(new StatementRefused(word.refusal))
    }
  }

  #fail(end: End): void {
    if (this.#end !== undefined) return
    const ended = new DatabaseEnded(end)
    this.#end = ended
    this.#ready.reject(ended)
    for (const { reject } of this.#waiting.values()) reject(ended)
    this.#waiting.clear()
    this.#onEnd(ended)
  }
}

/** Makes a database in a folder that does not exist yet; rejects with `DatabaseEnded`. */
export const make = async (path: string, note: string): Promise<void> => {
  const made = new DatabaseThread({ path, note, work: "make" }, () => undefined)
  await made.ready
  await made.over()
}

/** How long closing may take: PostgreSQL writes its memory to the disk. */
const closeMs = 30_000
/** The pause after a failed opening. */
const pauseMs = 1_000

/** Whether the disk was full: once there is room, the database can be reopened. */
const isFull = ({ message }: DatabaseEnded): boolean =>
  /no space left|disk is full|quota|file too large/i.test(message)

/** The paths of a database, and what is called when it is lost. */
export interface FolderDatabaseOptions {
  readonly path: string
  readonly note: string
  /** Called once when it ends for good. */
  readonly onEnd: (end: DatabaseEnded) => void
}

/** The database of a folder, for `PgliteClient`. */
export class FolderDatabase implements Pglite {
  readonly #options: FolderDatabaseOptions
  #thread: DatabaseThread
  #isOpen = false
  #final: DatabaseEnded | undefined
  #retryAt = Number.NEGATIVE_INFINITY

  constructor(options: FolderDatabaseOptions) {
    this.#options = options
    this.#thread = this.#begin()
  }

  #begin(): DatabaseThread {
    const { path, note } = this.#options
    return new DatabaseThread({ path, note, work: "open" }, (end) => this.#ended(end))
  }

  /** Fulfilled once it is open; rejects with `DatabaseEnded`. */
  async opened(): Promise<void> {
    await this.#thread.ready
    this.#isOpen = true
  }

  query: Pglite["query"] = (...asked) => this.#thread.query(...asked)

  /** The thread for one transaction: a transaction never continues in another thread than the one it began in. */
  connect = async (): Promise<Pick<Pglite, "query">> => {
    if (this.#final !== undefined) throw this.#final
    const { end } = this.#thread
    if (end === undefined) return this.#thread
    if (performance.now() < this.#retryAt) throw end
    this.#isOpen = false
    this.#thread = this.#begin()
    try {
      await this.opened()
      return this.#thread
    } finally {
      this.#retryAt = performance.now() + pauseMs
    }
  }

  /** Ends it: no further statement is run or answered. */
  async lose(end: End): Promise<void> {
    await this.#thread.terminate(end)
  }

  async close(): Promise<void> {
    this.#final ??= new DatabaseEnded({ kind: "unusable", reason: "the folder was closed" })
    await this.#thread.close(closeMs)
  }

  #ended(end: DatabaseEnded): void {
    // Failures to open are reported to the opener; after a full disk the database is reopened.
    const isFinal = end.kind === "lost" || (this.#isOpen && !isFull(end))
    if (!isFinal || this.#final !== undefined) return
    this.#final = end
    this.#options.onEnd(end)
  }
}
