/** A folder in which PGlite keeps its data, for one process at a time. */
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Pglite } from "../../PgliteClient.js"
import { FolderInUse, FolderLost, FolderUnusable } from "../FolderError.js"
import { syncAll, syncPath } from "../SyncedFolder.js"
import * as Claim from "./Claim.js"
import { DatabaseEnded, FolderDatabase, make } from "./FolderDatabase.js"

/** A folder that is open. */
export interface DataFolder {
  readonly database: Pglite
  readonly close: () => Promise<void>
}

/** How a folder is opened. */
export interface DataFolderOptions {
  /** Whether it is made when it is not there. */
  readonly create: boolean
  /** Called with a message before work that takes seconds. */
  readonly note: (message: string) => void
  /** Called once when the folder can no longer be used. */
  readonly onLost: (cause: FolderLost) => void
  /** Shorter times, for tests. */
  readonly timing?: Partial<Claim.Timing> | undefined
}

const databaseName = "database"
/** The name of a database until it is complete. */
const unfinishedName = "database.new"
/** A database to which a process that was taken for dead may still write. */
const leftName = "database.left"

const unusable = (folder: string, reason: string) => FolderUnusable.of(folder, reason)

const reasons: Readonly<Record<string, string>> = {
  EACCES: "may not be used (permission denied)",
  EPERM: "may not be used (permission denied)",
  EROFS: "is on a disk that can only be read",
  ENOSPC: "is on a disk that is full",
  EDQUOT: "is on a disk on which there is no more room for this user (quota)",
  ENOTDIR: "lies in a file",
  EEXIST: "is a file, not a folder",
}

/** A failure of the file system as a typed error with a message; any other value is returned unchanged. */
const failureOf = (folder: string, cause: unknown): unknown => {
  if (cause instanceof FolderUnusable || cause instanceof FolderInUse) return cause
  if (cause instanceof DatabaseEnded) {
    const { kind, message } = cause
    const needs = "needs PGlite, which is not installed: npm install @electric-sql/pglite"
    if (kind === "missing") return unusable(folder, `${needs} (beside apportion)`)
    return unusable(folder, `its database can't be opened: ${message}`)
  }
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  if (typeof code !== "string") return cause
  return unusable(folder, reasons[code] ?? `can't be used (${code})`)
}

/** Makes the folder, or refuses one that is used for something else. */
const prepare = (folder: string, { create }: DataFolderOptions): void => {
  if (create && !existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    syncPath(dirname(resolve(folder)))
  }
  if (!existsSync(folder)) throw unusable(folder, "there is no such folder")
  if (!statSync(folder).isDirectory()) throw unusable(folder, "is a file, not a folder")
  const names = readdirSync(folder)
  if (names.includes(databaseName) || names.includes(leftName)) return
  const isOther = (name: string) => name !== unfinishedName && !Claim.isNote(name)
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

/** Removes all permissions of other users; `false` when a file belongs to another user and keeps its permissions. */
const closeToOthers = (path: string): boolean => {
  const about = statSync(path)
  let isDone = true
  if ((about.mode & 0o077) !== 0) {
    try {
      chmodSync(path, about.mode & 0o700)
    } catch {
      isDone = false
    }
  }
  if (!about.isDirectory()) return isDone
  for (const name of readdirSync(path)) isDone = closeToOthers(join(path, name)) && isDone
  return isDone
}

/** Synchronises a complete database to the disk, then gives it its final name. */
const finish = (folder: string): void => {
  const unfinished = join(folder, unfinishedName)
  syncAll(unfinished)
  renameSync(unfinished, join(folder, databaseName))
  syncPath(folder)
}

/** Makes the database. An attempt that fails or is cut off leaves nothing that looks like a database. */
const makeDatabase = async (folder: string, note: string): Promise<void> => {
  const unfinished = join(folder, unfinishedName)
  rmSync(unfinished, { recursive: true, force: true })
  try {
    await make(unfinished, note)
    finish(folder)
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    throw cause
  }
}

/**
 * Takes the database away from processes that are taken for dead but may only be stopped. The database is renamed and
 * copied: a process that continues finds none of its files under their names, and the files that it has open belong to
 * the old copy, which is then deleted. The notes are removed after the rename, so everything that was committed is in
 * the copy. After a crash in between, the next process finishes the work.
 */
const takeOver = (
  folder: string,
  claim: Claim.FolderClaim,
  note: DataFolderOptions["note"],
): void => {
  const [path, left] = [join(folder, databaseName), join(folder, leftName)]
  if (claim.hasSilent && existsSync(path) && !existsSync(left)) {
    renameSync(path, left)
    syncPath(folder)
  }
  claim.dismissSilent()
  if (!existsSync(left)) return
  if (!existsSync(path)) {
    note(`${folder}: its database is copied, so that nobody else can write to it any more`)
    const unfinished = join(folder, unfinishedName)
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(left, unfinished, { recursive: true, mode: constants.COPYFILE_FICLONE })
    finish(folder)
  }
  rmSync(left, { recursive: true, force: true })
}

/**
 * Refuses a database without `PG_VERSION`: PGlite would treat the folder as empty and make a new database over its
 * files. A complete database always has this file, because it gets its name only when it is complete.
 */
const refuseDamaged = (folder: string, path: string): void => {
  if (existsSync(join(path, "PG_VERSION"))) return
  const reason = `its database is damaged (${databaseName}/PG_VERSION is missing), and was left as it is: put a backup or a copy into a new folder`
  throw unusable(folder, reason)
}

const openDatabase = async (
  folder: string,
  claim: Claim.FolderClaim,
  { note, onLost }: DataFolderOptions,
): Promise<FolderDatabase> => {
  const path = join(folder, databaseName)
  takeOver(folder, claim, note)
  if (existsSync(path)) refuseDamaged(folder, path)
  else await makeDatabase(folder, claim.note)
  if (!closeToOthers(folder)) {
    note(`${folder}: belongs to another user, and others may be able to read it`)
  }
  const about = { path, note: claim.note }
  const database = new FolderDatabase({
    ...about,
    onEnd: ({ kind, message }) =>
      onLost(FolderLost.of(folder, kind === "lost" ? "taken" : "broken", message)),
  })
  await database.opened()
  return database
}

const openClaimed = async (folder: string, options: DataFolderOptions): Promise<DataFolder> => {
  let lose: (() => void) | undefined
  const timing = { ...options.timing, onLost: () => lose?.() }
  const claim = await Claim.take(folder, options.note, timing)
  if (!("release" in claim)) throw FolderInUse.of(folder, claim)
  try {
    const database = await openDatabase(folder, claim, options)
    lose = () => void database.lose({ kind: "lost", reason: "was taken by another process" })
    return {
      database,
      close: async () => {
        await database.close()
        await claim.release()
      },
    }
  } catch (cause) {
    await claim.release()
    throw cause
  }
}

/** Opens a folder; rejects with `FolderInUse` or `FolderUnusable`. */
export const open = async (folder: string, options: DataFolderOptions): Promise<DataFolder> => {
  try {
    prepare(folder, options)
    return await openClaimed(folder, options)
  } catch (cause) {
    throw failureOf(folder, cause)
  }
}
