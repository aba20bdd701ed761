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

// Whether a process that was once noted still lives. Its number and start time answer that where the process is
// visible from here. It also listens at a socket for as long as it lives: the kernel answers all processes on the
// same kernel, in other containers too, whether anything listens there, also while the process is stopped.

/** What distinguishes a process from every other one. */
export interface Identity {
  readonly pid: number
  /** Where its number means something: the running system, and in it the container. */
  readonly place: string
  /** When it began, as the system counts; `null` where the system does not say. A number is used again, this is not. */
  readonly began: string | null
}

/** Whether it lives; `unknown`: it is of another container or computer, or its number may be another's. */
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
 * What the system says of a process: its 22nd word is when it began, its third how it is. The second is a
 * name that may hold anything. One that has ended is there (`Z`) until its parent asks how it ended.
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

/** An identity as it was written down; `undefined`: it is none. */
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

/** A process of somebody else's can't be sent a signal, and lives all the same. */
const hasNumber = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && Reflect.get(cause, "code") === "EPERM"
  }
}

/** Uses the address of a socket. Those on Windows are no files, and other systems take short names only. */
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

/** Listens at a socket until the process ends; `undefined`: there can be none in this folder. */
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

/** Whether anybody listens at a socket; `undefined`: that can't be known. */
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
        // So many ask that the process, which stands still, has no room for more.
        if (code === "EAGAIN") return tell(true)
        tell(code === "ECONNREFUSED" ? false : undefined)
      })
    })
  })

/** What is known without asking at its socket. */
const seenOf = ({ pid, place, began }: Identity): State => {
  if (place !== ownPlace()) return "unknown"
  if (!hasNumber(pid)) return "ended"
  if (began === null) return "unknown"
  return beganOf(pid) === began ? "lives" : "ended"
}

/** The kernel on which a process runs; on other systems, the computer. */
const kernelOf = (place: string): string => place.split(" ")[0] ?? place

/** Whether the process lives, as far as it can be known from here. */
export const processState = async (identity: Identity, socket: string): Promise<State> => {
  const seen = seenOf(identity)
  if (seen !== "unknown" || kernelOf(identity.place) !== kernelOf(ownPlace())) return seen
  const isThere = await answers(socket)
  if (isThere === undefined) return "unknown"
  return isThere ? "lives" : "ended"
}

/** Whether the process is of this container, so that its number means something to the user. */
export const isNear = ({ place }: Identity): boolean => place === ownPlace()

// One process at a time uses a folder. Each one that wants to first puts a note of its own into the folder
// and then looks for others': of two that come at once, at least one sees the other. A note whose process
// has ended says nothing, so that nothing has to be cleared away after a crash.
//
// A process on the same kernel is known to live or to have ended. One of another computer, with which the
// folder is shared, is taken for gone when it shows nothing for a while; it may only be stopped, so a process that
// takes its place must take what is there away from it first (`silent`).

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

/** How long things take; tests wait less. */
export interface Timing {
  /** A process shows this often that it lives. */
  readonly beatMs: number
  /** One that can't be seen from here is taken for gone when it showed nothing for so long. */
  readonly silenceMs: number
  /** Two that come at once may both step back for each other, and try again. */
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

/** Called with what is waited for. */
type Tell = (message: string) => void

interface Note {
  readonly path: string
  readonly process: Identity
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

/** It is whole as soon as it has its name. */
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

/** A process that can't be seen from here is given time to show that it lives. */
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

/** Shows that this process lives until it lets go of the folder. */
const hold = async (note: string, { beatMs, onLost }: Timing): Promise<FolderClaim["release"]> => {
  const server = await listen(socketOf(note))
  const beat = thread.begin("beatThread", { isBeatThread: true, note, beatMs })
  beat.on("message", onLost)
  // Without it others only can't see from afar that this process lives.
  beat.on("error", () => undefined)
  return async () => {
    await beat.terminate()
    // First the socket: a note without one says nothing about whether the process has ended.
    removeNote(note)
    server?.close()
  }
}

/** Takes the folder unless another process has it; then that is the result. */
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

/** Takes a folder for this process, or returns who has it. */
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
