import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { hostname, platform } from "node:os"
import { basename, dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import * as thread from "./thread.js"

// Whether a process that wrote a note still runs. Where the process is visible from here, its number and start time
// answer that. It also listens on a socket as long as it runs: the kernel tells every process on the same kernel, in
// other containers too, whether anything listens there, even while the process is stopped.

/** What distinguishes a process from every other one. */
export interface Identity {
  readonly pid: number
  /** Where its number is valid: the running system, and in it the container. */
  readonly place: string
  /** When it began, in the units of the system; `null` where the system does not say. Numbers are reused, start times are not. */
  readonly began: string | null
}

/** Whether it runs; `unknown`: it is in another container or computer, or its number may belong to another process. */
export type State = "lives" | "ended" | "unknown"

/** On Linux, the system since it was started, and the container; elsewhere the name of the computer. */
const ownPlace = (): string => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    return hostname()
  }
}

/**
 * The start time of a process, from `/proc`: field 22 is the start time, field 3 the state, and field 2 a name that may
 * contain anything. A process that has ended stays visible as `Z` until its parent reads its exit code.
 */
const beganOf = (pid: number): string | null => {
  try {
    const about = readFileSync(`/proc/${pid}/stat`, "utf8")
    const words = about.slice(about.lastIndexOf(")") + 2).split(" ")
    return words[0] === "Z" || words[0] === "X" ? null : (words[19] ?? null)
  } catch {
    return null
  }
}

/** This process. */
export const own = (): Identity => ({
  pid: process.pid,
  place: ownPlace(),
  began: beganOf(process.pid),
})

/** Reads an identity from a note; `undefined` when it is not one. */
export const read = (value: unknown): Identity | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const { pid, place, began } = { pid: 0, place: "", began: null, ...value }
  const isOne =
    Number.isInteger(pid) &&
    pid > 0 &&
    typeof place === "string" &&
    typeof (began ?? "") === "string"
  return isOne ? { pid, place, began } : undefined
}

/** Whether a process has this number; one of another user refuses signals (`EPERM`), but runs. */
const hasNumber = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && Reflect.get(cause, "code") === "EPERM"
  }
}

/** Calls `use` with the address of a socket. On Windows it is no file; other systems accept only short names. */
const atAddress = (path: string, use: (address: string, done: () => void) => void): void => {
  const nothing = () => undefined
  if (platform() === "win32") {
    use(`\\\\.\\pipe\\apportion-${basename(path)}`, nothing)
  } else if (platform() === "linux" && Buffer.byteLength(path) > 100) {
    const folder = openSync(dirname(path), "r")
    use(`/proc/self/fd/${folder}/${basename(path)}`, () => closeSync(folder))
  } else {
    use(path, nothing)
  }
}

/** Listens on a socket until the process ends; `undefined` when this folder can hold no sockets. */
export const listen = (path: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    atAddress(path, (address, done) => {
      const server = createServer((asking) => asking.destroy())
      const tell = (found: Server | undefined) => {
        done()
        resolve(found)
      }
      server.once("error", () => tell(undefined))
      server.listen(address, () => tell(server))
      server.unref()
    })
  })

/** Whether a process listens on a socket; `undefined` when that can't be determined. */
const answers = (path: string): Promise<boolean | undefined> =>
  new Promise((resolve) => {
    atAddress(path, (address, done) => {
      const asking = connect(address)
      const tell = (answer: boolean | undefined) => {
        asking.destroy()
        done()
        resolve(answer)
      }
      asking.once("connect", () => tell(true))
      asking.once("error", (cause) => {
        const code: unknown = Reflect.get(cause, "code")
        // The queue of connections is full: the process is there, but stopped.
        if (code === "EAGAIN") return tell(true)
        tell(code === "ECONNREFUSED" ? false : undefined)
      })
    })
  })

/** What is known without its socket. */
const seenOf = ({ pid, place, began }: Identity): State => {
  if (place !== ownPlace()) return "unknown"
  if (!hasNumber(pid)) return "ended"
  if (began === null) return "unknown"
  return beganOf(pid) === began ? "lives" : "ended"
}

/** The kernel on which a process runs; on other systems, the computer. */
const kernelOf = (place: string): string => place.split(" ")[0] ?? place

/** Whether the process runs, as far as that can be determined from here. */
export const processState = async (identity: Identity, socket: string): Promise<State> => {
  const seen = seenOf(identity)
  if (seen !== "unknown" || kernelOf(identity.place) !== kernelOf(ownPlace())) return seen
  const isThere = await answers(socket)
  if (isThere === undefined) return "unknown"
  return isThere ? "lives" : "ended"
}

/** Whether the process is in this container, so that its number is of use to the user. */
export const isNear = ({ place }: Identity): boolean => place === ownPlace()

// One process at a time uses a folder. A process first writes its own note into the folder and then looks for other
// notes: of two that start at once, at least one sees the other. The note of a process that has ended is ignored, so
// nothing has to be cleaned up after a crash.
//
// For a process on the same kernel it is known whether it runs. A process on another computer that shares the folder is
// taken for dead when its note is not touched for a while. It may only be stopped, so the process that takes its place
// must first move the data out of its reach (`silent`).

/** A folder that this process may use until it releases it. */
export interface FolderClaim {
  /** The path of the note; once it is gone, the folder belongs to another process. */
  readonly note: string
  /** Whether there are notes of processes that are taken for dead. */
  readonly hasSilent: boolean
  /** Removes these notes. */
  readonly dismissSilent: () => void
  readonly release: () => Promise<void>
}

/** Another process has the folder. */
export interface InUse {
  readonly pid: number
  /** Whether it is in this container, or on this computer where there are no containers. */
  readonly isNear: boolean
  readonly note: string
}

/** Intervals and limits; tests use shorter ones. */
export interface Timing {
  /** How often a process touches its note. */
  readonly beatMs: number
  /** A process that is not visible from here is taken for dead after this time without a touch. */
  readonly silenceMs: number
  /** How often to try: two that start at once may both step back. */
  readonly attempts: number
  /** Called when the folder was taken away. */
  readonly onLost: () => void
}

const usualTiming: Timing = {
  beatMs: 2_000,
  silenceMs: 20_000,
  attempts: 4,
  onLost: () => undefined,
}

/** Called with the reason for a wait. */
type Tell = (message: string) => void

interface Note {
  readonly path: string
  readonly process: Identity
}

const pattern = /^in-use-[0-9a-f]+\.json$/

/** Whether a file name is that of a note, or of a socket or temporary file beside one. */
export const isNote = (name: string): boolean => /^in-use-[0-9a-f]+\./.test(name)

const socketOf = (note: string): string => note.replace(/json$/, "sock")

const removeNote = (path: string): void => {
  rmSync(path, { force: true })
  rmSync(socketOf(path), { force: true })
}

/** Reads a note; `undefined` when it is being removed or is no note. */
const readNote = (path: string): Note | undefined => {
  try {
    const process = read(JSON.parse(readFileSync(path, "utf8")))
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

/** Writes a note under a temporary name and renames it, so that nobody reads half a note. */
const writeNote = (path: string): void => {
  const unfinished = path.replace(/json$/, "new")
  try {
    writeFileSync(unfinished, `${JSON.stringify(own())}\n`, { mode: 0o600 })
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

const beatOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Waits for a process that is not visible from here to touch its note; gives whether it did. */
const showsItself = async ({ path }: Note, { silenceMs }: Timing): Promise<boolean> => {
  const [first, end] = [beatOf(path), performance.now() + silenceMs]
  while (existsSync(path) && performance.now() < end) {
    if (beatOf(path) !== first) return true
    await wait(Math.min(silenceMs / 20, 500))
  }
  return false
}

const stateOf = async (note: Note, timing: Timing, tell: Tell): Promise<State> => {
  const state = await processState(note.process, socketOf(note.path))
  if (state !== "unknown") return state
  const seconds = Math.ceil(timing.silenceMs / 1_000)
  tell(
    `process ${note.process.pid}, which can't be seen from here, is given ${seconds} s to show that it lives`,
  )
  if (await showsItself(note, timing)) return "lives"
  return existsSync(note.path) ? "unknown" : "ended"
}

/** Listens and touches the note until the folder is released; gives what releases it. */
const hold = async (note: string, { beatMs, onLost }: Timing): Promise<FolderClaim["release"]> => {
  const server = await listen(socketOf(note))
  const beat = thread.begin("beatThread", { isBeatThread: true, note, beatMs })
  beat.on("message", onLost)
  // Without the thread, only processes on other computers can't see that this one runs.
  beat.on("error", () => undefined)
  return async () => {
    await beat.terminate()
    // The note goes first: a note without a socket does not tell whether the process has ended.
    removeNote(note)
    server?.close()
  }
}

/** Takes the folder, or gives the note of the process that has it. */
const attempt = async (folder: string, timing: Timing, tell: Tell): Promise<FolderClaim | Note> => {
  const own = join(folder, `in-use-${randomBytes(6).toString("hex")}.json`)
  writeNote(own)
  const release = await hold(own, timing)
  const silent: Array<string> = []
  for (const note of notesIn(folder, own)) {
    const state = await stateOf(note, timing, tell)
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

/** Takes a folder for this process, or gives the process that has it. */
export const take = async (
  folder: string,
  tell: Tell,
  changes: Partial<Timing> = {},
): Promise<FolderClaim | InUse> => {
  const timing = { ...usualTiming, ...changes }
  for (let left = timing.attempts; ; left -= 1) {
    const taken = await attempt(folder, timing, (told) => tell(`${folder}: ${told}`))
    if ("release" in taken) return taken
    if (left <= 1) {
      const { process, path } = taken
      return { pid: process.pid, isNear: isNear(process), note: path }
    }
    await wait(50 + Math.random() * 250)
  }
}
