/**
 * One process at a time uses a folder. Each one that wants to first puts a note of its own into the folder
 * and then looks for others': of two that come at once, at least one sees the other. A note whose process
 * has ended says nothing, so that nothing has to be cleared away after a crash.
 *
 * A process on the same kernel is known to live or to have ended. One of another computer, with which the
 * folder is shared, is taken for gone when it shows nothing for a while; it may only stand still, so whoever
 * takes its place must take what is there away from it first (`silent`).
 */
import { randomBytes } from "node:crypto"
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import * as LivingProcess from "./LivingProcess.js"
import * as thread from "./thread.js"

/** A folder that this process may use until it lets go of it. */
export interface FolderClaim {
  /** The file that says so; once it is gone, the folder is another's. */
  readonly note: string
  /** Takes away the notes of those who are taken for gone; `true`: there were some. */
  readonly hasSilent: boolean
  readonly dismissSilent: () => void
  readonly release: () => Promise<void>
}

/** Somebody else has the folder. */
export interface InUse {
  readonly pid: number
  /** Whether it is of this container, or of this computer where there are none. */
  readonly isNear: boolean
  readonly note: string
}

/** How long things take; tests have less patience. */
export interface Timing {
  /** A process shows this often that it lives. */
  readonly beatMs: number
  /** One that can't be seen from here is taken for gone when it showed nothing for so long. */
  readonly silenceMs: number
  /** Two that come at once may both step back for each other, and try again. */
  readonly attempts: number
  /** Told that the folder was taken away. */
  readonly onLost: () => void
}

const timing: Timing = { beatMs: 2_000, silenceMs: 20_000, attempts: 4, onLost: () => undefined }

/** Told what is waited for. */
type Tell = (message: string) => void

interface Note {
  readonly path: string
  readonly process: LivingProcess.Identity
}

const pattern = /^in-use-[0-9a-f]+\.json$/

/** Whether a file of a folder is a note of who uses it, or belongs to one. */
export const isNote = (name: string): boolean => /^in-use-[0-9a-f]+\./.test(name)

const socketOf = (note: string): string => note.replace(/json$/, "sock")

const removeNote = (path: string): void => {
  rmSync(path, { force: true })
  rmSync(socketOf(path), { force: true })
}

/** What can't be read is being taken away, or is none of ours. */
const readNote = (path: string): Note | undefined => {
  try {
    const process = LivingProcess.read(JSON.parse(readFileSync(path, "utf8")))
    return process === undefined ? undefined : { path, process }
  } catch {
    return undefined
  }
}

const notesIn = (folder: string, own: string): ReadonlyArray<Note> =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .filter((path) => path !== own)
    .map(readNote)
    .filter((note) => note !== undefined)

/** It is whole as soon as it has its name. */
const writeNote = (path: string): void => {
  const unfinished = path.replace(/json$/, "new")
  try {
    writeFileSync(unfinished, `${JSON.stringify(LivingProcess.own())}\n`, { mode: 0o600 })
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

const beatOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** A process that can't be seen from here is given time to show that it lives. */
const showsItself = async ({ path }: Note, { silenceMs }: Timing): Promise<boolean> => {
  const [first, end] = [beatOf(path), performance.now() + silenceMs]
  while (existsSync(path) && performance.now() < end) {
    if (beatOf(path) !== first) return true
    await wait(Math.min(silenceMs / 20, 500))
  }
  return false
}

const stateOf = async (note: Note, patience: Timing, tell: Tell): Promise<LivingProcess.State> => {
  const state = await LivingProcess.stateOf(note.process, socketOf(note.path))
  if (state !== "unknown") return state
  const seconds = Math.ceil(patience.silenceMs / 1_000)
  tell(
    `process ${note.process.pid}, which can't be seen from here, is given ${seconds} s to show that it lives`,
  )
  if (await showsItself(note, patience)) return "lives"
  return existsSync(note.path) ? "unknown" : "ended"
}

/** Shows that this process lives until it lets go of the folder. */
const hold = async (note: string, { beatMs, onLost }: Timing): Promise<FolderClaim["release"]> => {
  const server = await LivingProcess.listen(socketOf(note))
  const beat = thread.begin("beatThread", { isBeatThread: true, note, beatMs })
  beat.on("message", onLost)
  // Without it others only can't see from afar that this process lives.
  beat.on("error", () => undefined)
  return async () => {
    await beat.terminate()
    // First the socket: a note without one tells nobody that the process has ended.
    removeNote(note)
    server?.close()
  }
}

/** Takes the folder unless somebody else has it; then it is who. */
const attempt = async (
  folder: string,
  patience: Timing,
  tell: Tell,
): Promise<FolderClaim | Note> => {
  const own = join(folder, `in-use-${randomBytes(6).toString("hex")}.json`)
  writeNote(own)
  const release = await hold(own, patience)
  const silent: Array<string> = []
  for (const note of notesIn(folder, own)) {
    const state = await stateOf(note, patience, tell)
    if (state === "lives") {
      await release()
      return note
    }
    if (state === "unknown") silent.push(note.path)
    else removeNote(note.path)
  }
  const dismissSilent = () => silent.forEach(removeNote)
  return { note: own, hasSilent: silent.length > 0, dismissSilent, release }
}

/** Takes a folder for this process, or tells who has it. */
export const take = async (
  folder: string,
  tell: Tell,
  changes: Partial<Timing> = {},
): Promise<FolderClaim | InUse> => {
  const patience = { ...timing, ...changes }
  for (let left = patience.attempts; ; left -= 1) {
    const taken = await attempt(folder, patience, (told) => tell(`${folder}: ${told}`))
    if ("release" in taken) return taken
    if (left <= 1) {
      const { process, path } = taken
      return { pid: process.pid, isNear: LivingProcess.isNear(process), note: path }
    }
    await wait(50 + Math.random() * 250)
  }
}
