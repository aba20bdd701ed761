/**
 * The thread in which the database of a folder runs, so that no statement blocks the thread that answers requests. It is
 * PGlite on files that are synchronised to the disk, and it writes to them only while the folder belongs to this process.
 * This file is the entry file of the thread.
 */
import { closeSync, fsyncSync, openSync } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import type { NodeFS } from "@electric-sql/pglite/nodefs"

/** The data that the thread is started with. */
export interface ThreadData {
  readonly isDatabaseThread: true
  /** The folder of the database itself. */
  readonly path: string
  /** `make`: the database is made in a folder that does not exist yet, and the thread ends. */
  readonly work: "make" | "open"
  /** The path of the note by which this process has the folder. */
  readonly note: string
}

/** A statement. */
export interface Statement {
  readonly id: number
  readonly statement: string
  readonly parameters: ReadonlyArray<unknown>
  readonly rowMode: "array" | "object"
}

/** The database's error for a statement that it refuses. */
export interface Refusal {
  readonly message: string
  readonly code: string
  readonly constraint: string
}

/** Why the database ended or could not be opened. */
export interface End {
  /** `lost`: the folder belongs to another process. `panic`: the database failed. `unusable`: it can't be opened. */
  readonly kind: "lost" | "panic" | "unusable" | "missing"
  readonly reason: string
}

/** The messages of the thread. */
export type Word =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Rows"; readonly id: number; readonly rows: ReadonlyArray<object> }
  | { readonly _tag: "Refused"; readonly id: number; readonly refusal: Refusal }
  | { readonly _tag: "Ended"; readonly end: End }

type Loaded = {
  readonly PGlite: typeof PGlite
  readonly NodeFS: typeof NodeFS
}

/** Whether the folder still belongs to this process. */
export type Hold = () => boolean

/** The note is opened rather than looked up: a shared file system checks with its server when a file is opened. */
const holdBy =
  (note: string): Hold =>
  () => {
    try {
      closeSync(openSync(note, "r"))
      return true
    } catch (cause) {
      const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
      return code !== "ENOENT"
    }
  }

/** PGlite, an optional package: it is large and not every host needs it. */
const load = async (): Promise<Loaded> => {
  const [{ PGlite }, { NodeFS }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite/nodefs"),
  ])
  return { PGlite, NodeFS }
}

/**
 * The parameters of PostgreSQL. By default PGlite runs it without `fsync`; the size after which the log is checkpointed
 * is left to the host.
 */
const settings = ["fsync=on", "wal_sync_method=fsync", "max_wal_size=128MB", "min_wal_size=32MB"]

const startParams = ({ PGlite }: Loaded): Array<string> => [
  // `-F` turns `fsync` off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...settings.flatMap((setting) => ["-c", setting]),
]

/** The operations of PGlite's file system that change something. */
const changes = {
  stream_ops: ["write", "setattr", "msync"],
  node_ops: ["mknod", "setattr", "rename", "unlink", "rmdir", "symlink"],
} as const

/** Replaces a function of an object. */
const around = (
  operations: object,
  name: string,
  change: (
    original: (...given: ReadonlyArray<unknown>) => unknown,
  ) => (...given: Array<unknown>) => unknown,
): void => {
  const original: unknown = Reflect.get(operations, name)
  if (typeof original !== "function") return
  const call = (...given: ReadonlyArray<unknown>): unknown =>
    Reflect.apply(original, operations, given)
  Reflect.set(operations, name, change(call))
}

/** New files have no permissions for other users. */
const ownersOnly = (mode: number): number => mode & ~0o077

/** A new file gets its mode when it is created, and again when it is first opened. */
const keepFromOthers = (nodes: object): void => {
  around(
    nodes,
    "mknod",
    (make) =>
      (parent, name, mode, ...rest) =>
        make(parent, name, typeof mode === "number" ? ownersOnly(mode) : mode, ...rest),
  )
  around(nodes, "setattr", (set) => (node, attributes, ...rest) => {
    const mode: unknown =
      typeof attributes === "object" && attributes !== null && Reflect.get(attributes, "mode")
    const kept =
      typeof mode === "number" ? { ...Object(attributes), mode: ownersOnly(mode) } : attributes
    return set(node, kept, ...rest)
  })
}

/** The file system of a folder: it synchronises files when asked to, and refuses changes once the folder is lost. */
const filesOf = ({ NodeFS }: Loaded, folder: string, check: () => void) =>
  new (class extends NodeFS {
    override async init(...[pglite, options]: Parameters<InstanceType<typeof NodeFS>["init"]>) {
      const { emscriptenOpts } = await super.init(pglite, options)
      const prepare: NonNullable<typeof emscriptenOpts.preRun>[number] = ({ NODEFS }) => {
        // Failures must be errors of PGlite's file system, or PGlite ignores them.
        const tell: (operation: () => void) => void = Reflect.get(NODEFS, "tryFSOperation")
        const streams: object = Reflect.get(NODEFS, "stream_ops")
        Reflect.set(streams, "fsync", ({ nfd }: { readonly nfd: number }) => {
          tell(() => fsyncSync(nfd))
          return 0
        })
        keepFromOthers(Reflect.get(NODEFS, "node_ops"))
        for (const [kind, names] of Object.entries(changes)) {
          for (const name of names) {
            around(Reflect.get(NODEFS, kind), name, (change) => (...given) => {
              check()
              return change(...given)
            })
          }
        }
      }
      return {
        emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), prepare] },
      }
    }
  })(folder)

/** Messages for error numbers of the file system that PostgreSQL does not report itself. */
const errors: Readonly<Record<number, string>> = {
  2: "permission denied",
  19: "the disk quota is used up",
  29: "the disk can't be read or written",
  33: "too many files are open",
  51: "the disk is full",
  69: "the disk can only be read",
}

/** The message of a thrown value; PGlite also throws values that are no errors. */
const wordsOf = (cause: unknown): string => {
  const errno: unknown = typeof cause === "object" && cause !== null && Reflect.get(cause, "errno")
  if (typeof errno === "number") return errors[errno] ?? `error ${errno} of the file system`
  if (cause instanceof Error) return cause.message
  const message: unknown =
    typeof cause === "object" && cause !== null && Reflect.get(cause, "message")
  return typeof message === "string" ? message : String(cause)
}

/** The last message of PostgreSQL before it failed; PGlite itself reports only that it failed. */
const reasonOf = (cause: unknown, said: ReadonlyArray<string>): string => {
  const fatal = said.findLast((line) => /FATAL|PANIC/.test(line))
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, "") ?? wordsOf(cause)
}

/** How a database is opened. */
export interface Opening {
  readonly path: string
  readonly work: ThreadData["work"]
  /** Called before files are changed; it ends the thread when they must not be. */
  readonly check: () => void
  /** Called with PostgreSQL's messages, line by line. */
  readonly onSaid: (line: string) => void
}

/** Opens a database; rejects with a text that gives the reason. */
export const open = async ({ path, work, check, onSaid }: Opening): Promise<PGlite> => {
  const loaded = await load()
  const said: Array<string> = []
  const onStderr = (line: string) => {
    said.splice(0, said.length - 50)
    onSaid(line)
    return said.push(line) > 0
  }
  const fs = filesOf(loaded, path, check)
  const options: PGliteOptions = work === "make" ? { fs } : { fs, startParams: startParams(loaded) }
  try {
    return await loaded.PGlite.create({ ...options, onStderr })
  } catch (cause) {
    throw new TypeError(reasonOf(cause, said))
  }
}

const refusalOf = (cause: unknown): Refusal => {
  const field = (name: string): string => {
    const value: unknown = cause instanceof Error ? Reflect.get(cause, name) : undefined
    return typeof value === "string" ? value : ""
  }
  return { message: wordsOf(cause), code: field("code"), constraint: field("constraint") }
}

/** Failures after which PGlite can't continue, such as one of the WebAssembly machine. */
const isFatal = (cause: unknown): boolean =>
  !(cause instanceof Error) || cause.name === "RuntimeError"

/** Sends a message and ends the thread at once. */
const endWith = (kind: End["kind"], reason: string): never => {
  parentPort?.postMessage({ _tag: "Ended", end: { kind, reason } } satisfies Word)
  process.exit()
}

/** How long a check of the note holds while one statement writes. */
const trustMs = 20

const run = async ({ path, work, note }: ThreadData): Promise<void> => {
  const holds = holdBy(note)
  const lost = () => endWith("lost", "was taken by another process")
  let seenAt = Number.NEGATIVE_INFINITY
  const check = () => {
    const at = performance.now()
    if (at - seenAt < trustMs) return
    if (!holds()) lost()
    seenAt = at
  }
  // Failures while opening are reported to the opener.
  let onSaid: (line: string) => void = () => undefined
  const database = await open({ path, work, check, onSaid: (line) => onSaid(line) })
  onSaid = (line) => {
    const [, reason] = /PANIC:\s*(.*)/.exec(line) ?? []
    if (reason !== undefined) endWith("panic", reason)
  }
  const say = (word: Word) => parentPort?.postMessage(word)
  const close = async () => {
    await database.close()
    process.exit()
  }
  if (work === "make") {
    await database.close()
    say({ _tag: "Ready" })
    process.exit()
  }
  const answer = async ({ id, statement, parameters, rowMode }: Statement): Promise<Word> => {
    try {
      const { rows } = await database.query<object>(statement, [...parameters], { rowMode })
      return { _tag: "Rows", id, rows }
    } catch (cause) {
      if (isFatal(cause)) endWith("panic", wordsOf(cause))
      return { _tag: "Refused", id, refusal: refusalOf(cause) }
    }
  }
  let last: Promise<void> = Promise.resolve()
  parentPort?.on("message", (question: Statement | "close") => {
    last = last.then(async () => {
      if (question === "close") return close()
      const word = await answer(question)
      // A process that takes the folder over first renames the database and then removes the note: if the note is
      // still there after the commit, the commit is in what is copied.
      if (!holds()) lost()
      say(word)
    })
  })
  say({ _tag: "Ready" })
}

const data: ThreadData | undefined = workerData?.isDatabaseThread === true ? workerData : undefined
if (data !== undefined) {
  run(data).catch((cause: unknown) => {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
    const kind = code === "ERR_MODULE_NOT_FOUND" ? "missing" : "unusable"
    endWith(kind, wordsOf(cause))
  })
}
