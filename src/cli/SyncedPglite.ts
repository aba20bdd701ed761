/**
 * PGlite on files that outlive a power cut. By itself it never has the disk keep anything: PostgreSQL is
 * told not to ask for it, and where the files of Node stand in for a disk nobody would listen. Here it asks,
 * and each time it does the disk does so before the transaction counts as kept.
 */
import { fsyncSync, writeSync } from "node:fs"
import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import * as ExitCode from "./ExitCode.js"
import { syncAll } from "./SyncedFolder.js"

/** What does not come with the command line itself, because it is large and not everybody needs it. */
const load = async () => {
  try {
    const [{ PGlite }, { NodeFS }] = await Promise.all([
      import("@electric-sql/pglite"),
      import("@electric-sql/pglite/nodefs"),
    ])
    return { PGlite, NodeFS }
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
    if (code !== "ERR_MODULE_NOT_FOUND") throw cause
    const message =
      "--data: needs PGlite, which is not installed: npm install @electric-sql/pglite (beside apportion: with --global where apportion is)"
    throw new ExitCode.UnusableInput({ message })
  }
}

type Loaded = Awaited<ReturnType<typeof load>>

/** How many megabytes of log there are before it is begun anew; PGlite leaves that to whoever runs it. */
const settings = ["fsync=on", "wal_sync_method=fsync", "max_wal_size=128MB", "min_wal_size=32MB"]

const startParams = ({ PGlite }: Loaded): Array<string> => [
  // `-F` turns it off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...settings.flatMap((setting) => ["-c", setting]),
]

/** The files of a folder, which listen when they are asked to be kept. */
const syncedFiles = ({ NodeFS }: Loaded, folder: string) =>
  new (class extends NodeFS {
    override async init(...[pglite, options]: Parameters<InstanceType<typeof NodeFS>["init"]>) {
      const { emscriptenOpts } = await super.init(pglite, options)
      const listen: NonNullable<typeof emscriptenOpts.preRun>[number] = ({ NODEFS }) => {
        // Failures must be told in its own words, or it goes on as if nothing was wrong.
        const tell: (operation: () => void) => void = Reflect.get(NODEFS, "tryFSOperation")
        const operations: object = Reflect.get(NODEFS, "stream_ops")
        Reflect.set(operations, "fsync", ({ nfd }: { readonly nfd: number }) => {
          tell(() => fsyncSync(nfd))
          return 0
        })
      }
      return {
        emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), listen] },
      }
    }
  })(folder)

/** What PostgreSQL said last when it could not go on; PGlite itself only says that it could not. */
const reasonOf = (cause: unknown, said: ReadonlyArray<string>): string => {
  const fatal = said.findLast((line) => /FATAL|PANIC/.test(line))
  const message = cause instanceof Error ? cause.message : String(cause)
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, "") ?? message
}

const begin = async (
  { PGlite }: Loaded,
  options: PGliteOptions,
  onSaid: (line: string) => void = () => undefined,
): Promise<PGlite> => {
  const said: Array<string> = []
  const onStderr = (line: string) => {
    said.splice(0, said.length - 50)
    onSaid(line)
    return said.push(line) > 0
  }
  try {
    return await PGlite.create({ ...options, onStderr })
  } catch (cause) {
    throw new ExitCode.UnusableInput({ message: reasonOf(cause, said) })
  }
}

/** Makes a database in a folder that is not there yet. */
export const make = async (folder: string): Promise<void> => {
  const loaded = await load()
  const database = await begin(loaded, { fs: new loaded.NodeFS(folder) })
  await database.close()
  syncAll(folder)
}

/**
 * When the disk can't keep what it must, a server ends all its processes and begins anew from what is kept.
 * Here this process is the server. Nothing may be asked of it any more, not even what is about to be.
 */
const endAtPanic = (folder: string) => (line: string) => {
  const [, reason] = /PANIC:\s*(.*)/.exec(line) ?? []
  if (reason === undefined) return
  const advice = "what was acknowledged is kept: start again when the disk is sound"
  writeSync(process.stderr.fd, `apportion: ${folder}: ${reason}: ${advice}\n`)
  process.exit(ExitCode.unavailable)
}

/** Opens the database of a folder. */
export const open = async (folder: string): Promise<PGlite> => {
  const loaded = await load()
  const options = { fs: syncedFiles(loaded, folder), startParams: startParams(loaded) }
  // What is wrong while it is opened is told to whoever opens it.
  let onPanic: (line: string) => void = () => undefined
  const database = await begin(loaded, options, (line) => onPanic(line))
  onPanic = endAtPanic(folder)
  return database
}
