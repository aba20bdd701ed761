/**
 * One process at a time uses a folder. Each one that wants to first puts a note of its own into the folder
 * and then looks for others': of two that come at once, at least one sees the other. A note whose process
 * has ended says nothing, so that nothing has to be cleared away after a crash.
 */
import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import * as ExitCode from "./ExitCode.js"
import * as LivingProcess from "./LivingProcess.js"

/** A folder that this process may use until it lets go of it. */
export interface FolderUse {
  readonly release: () => void
}

/** How long things take; tests have less patience. */
export interface Timing {
  /** A process shows this often that it lives. */
  readonly beatMs: number
  /** One that can't be seen from here is taken for dead when it showed nothing for so long. */
  readonly silenceMs: number
  /** Two that come at once may both step back for each other, and try again. */
  readonly attempts: number
  /** Told that the folder was taken away. */
  readonly onLost: (cause: ExitCode.Unavailable) => void
}

const timing: Timing = {
  ...{ beatMs: 2_000, silenceMs: 20_000, attempts: 4 },
  // Nothing may be written any more: the process ends.
  onLost: (cause) => {
    throw cause
  },
}

/** Told what is waited for. */
type Tell = (message: string) => void

interface Note {
  readonly path: string
  readonly process: LivingProcess.Identity
}

const pattern = /^in-use-[0-9a-f]+\.json$/

/** Whether a file of a folder is a note of who uses it. */
export const isNote = (name: string): boolean => /^in-use-[0-9a-f]+\./.test(name)

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
const writeNote = (folder: string): string => {
  const path = join(folder, `in-use-${randomBytes(6).toString("hex")}.json`)
  const unfinished = path.replace(/json$/, "new")
  writeFileSync(unfinished, `${JSON.stringify(LivingProcess.own())}\n`, { mode: 0o600 })
  renameSync(unfinished, path)
  return path
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

const isInUse = async (note: Note, patience: Timing, tell: Tell): Promise<boolean> => {
  const state = LivingProcess.stateOf(note.process)
  if (state !== "unknown") return state === "lives"
  const seconds = Math.ceil(patience.silenceMs / 1_000)
  tell(
    `process ${note.process.pid}, which can't be seen from here, is given ${seconds} s to show that it lives`,
  )
  return showsItself(note, patience)
}

/** Shows again and again that this process lives; one whose note is gone no longer has the folder. */
const keepBeating = (folder: string, path: string, { beatMs, onLost }: Timing): (() => void) => {
  const file = openSync(path, "r+")
  const beat = setInterval(() => {
    if (existsSync(path)) {
      writeSync(file, "{", 0)
    } else {
      clearInterval(beat)
      onLost(new ExitCode.Unavailable({ message: `${folder}: was taken away from this process` }))
    }
  }, beatMs)
  beat.unref()
  return () => {
    clearInterval(beat)
    closeSync(file)
    rmSync(path, { force: true })
  }
}

/** Takes the folder unless somebody else has it; then it is who. */
const attempt = async (folder: string, patience: Timing, tell: Tell): Promise<FolderUse | Note> => {
  const own = writeNote(folder)
  const release = keepBeating(folder, own, patience)
  for (const note of notesIn(folder, own)) {
    if (await isInUse(note, patience, tell)) {
      release()
      return note
    }
    rmSync(note.path, { force: true })
  }
  return { release }
}

const refusal = (folder: string, { process, path }: Note): ExitCode.Unavailable => {
  const elsewhere = LivingProcess.stateOf(process) === "unknown" ? " of another system" : ""
  const message = `${folder}: is in use by process ${process.pid}${elsewhere}: a folder is for one process at a time; end that one first (its note is ${path})`
  return new ExitCode.Unavailable({ message })
}

/** Takes a folder for this process; fails when another process has it. */
export const take = async (
  folder: string,
  tell: Tell,
  changes: Partial<Timing> = {},
): Promise<FolderUse> => {
  const patience = { ...timing, ...changes }
  for (let left = patience.attempts; ; left -= 1) {
    const taken = await attempt(folder, patience, (told) => tell(`${folder}: ${told}`))
    if ("release" in taken) return taken
    if (left <= 1) throw refusal(folder, taken)
    await wait(50 + Math.random() * 250)
  }
}
