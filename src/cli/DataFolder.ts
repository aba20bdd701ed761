/** A folder in which PGlite keeps its data, for one process at a time. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import * as ExitCode from "./ExitCode.js"
import * as FolderUse from "./FolderUse.js"
import { syncPath } from "./SyncedFolder.js"
import * as SyncedPglite from "./SyncedPglite.js"

/** A folder that is open. */
export interface DataFolder {
  readonly database: PGlite
  readonly close: () => Promise<void>
}

/** How a folder is opened. */
export interface Options {
  /** Whether it is made when it is not there. */
  readonly create: boolean
  /** Told what takes its time. */
  readonly note: (message: string) => void
}

const databaseName = "database"
/** What is being made has another name until it is whole. */
const unfinishedName = "database.new"

const unusable = (folder: string, reason: string) =>
  new ExitCode.UnusableInput({ message: `${folder}: ${reason}` })

const reasons: Readonly<Record<string, string>> = {
  EACCES: "may not be used (permission denied)",
  EPERM: "may not be used (permission denied)",
  EROFS: "is on a disk that can only be read",
  ENOSPC: "is on a disk that is full",
  ENOTDIR: "lies in a file",
  EEXIST: "is a file, not a folder",
}

/** A failure of the file system in words; whatever else was thrown stays what it is. */
const failureOf = (folder: string, cause: unknown): unknown => {
  if (ExitCode.isStopped(cause) || !(cause instanceof Error)) return cause
  const code: unknown = Reflect.get(cause, "code")
  if (typeof code !== "string") return cause
  return unusable(folder, reasons[code] ?? `can't be used (${code})`)
}

/** Makes the folder, or refuses one that is there for something else. */
const prepare = (folder: string, { create }: Options): void => {
  if (create && !existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    syncPath(dirname(resolve(folder)))
  }
  if (!existsSync(folder)) throw unusable(folder, "there is no such folder")
  if (!statSync(folder).isDirectory()) throw unusable(folder, "is a file, not a folder")
  const names = readdirSync(folder)
  if (names.includes(databaseName)) return
  const isOther = (name: string) => name !== unfinishedName && !FolderUse.isNote(name)
  if (names.includes("PG_VERSION")) {
    throw unusable(
      folder,
      "is the folder of a database itself: apportion keeps one in a folder named database within its own",
    )
  }
  const others = names.filter(isOther)
  if (others.length > 0) {
    throw unusable(folder, `holds other things (${others[0]}): name an empty folder, or a new one`)
  }
  if (!create) throw unusable(folder, "holds no data of apportion")
}

/** Whatever ends while the database is made leaves nothing that looks like one. */
const makeDatabase = async (folder: string): Promise<void> => {
  const unfinished = join(folder, unfinishedName)
  rmSync(unfinished, { recursive: true, force: true })
  await SyncedPglite.make(unfinished)
  renameSync(unfinished, join(folder, databaseName))
  syncPath(folder)
}

/**
 * PGlite takes a folder without this file for an empty one, and makes a database over what is left in it. A
 * whole one always has it, because it gets its name only when it is whole.
 */
const refuseDamaged = (folder: string, path: string): void => {
  if (existsSync(join(path, "PG_VERSION"))) return
  const reason = `its database is damaged (${databaseName}/PG_VERSION is missing), and was left as it is: put a backup or a copy into a new folder`
  throw unusable(folder, reason)
}

const openDatabase = async (folder: string): Promise<PGlite> => {
  const path = join(folder, databaseName)
  if (existsSync(path)) refuseDamaged(folder, path)
  else await makeDatabase(folder)
  return SyncedPglite.open(path)
}

const openInUse = async (folder: string, use: FolderUse.FolderUse): Promise<DataFolder> => {
  try {
    const database = await openDatabase(folder)
    return {
      database,
      close: async () => {
        await database.close()
        use.release()
      },
    }
  } catch (cause) {
    use.release()
    const isTold = (message: string) => message.startsWith("--") || message.startsWith(`${folder}:`)
    if (!(cause instanceof ExitCode.UnusableInput) || isTold(cause.message)) throw cause
    throw unusable(folder, `its database can't be opened: ${cause.message}`)
  }
}

/** Opens a folder; fails when it can't be used, or another process uses it. */
export const open = async (folder: string, options: Options): Promise<DataFolder> => {
  try {
    prepare(folder, options)
    const use = await FolderUse.take(folder, options.note)
    return await openInUse(folder, use)
  } catch (cause) {
    throw failureOf(folder, cause)
  }
}
