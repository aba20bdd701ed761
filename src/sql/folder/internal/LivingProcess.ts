/**
 * Whether a process that was once noted still lives. Its number and when it began tell, where it can be seen
 * from here. Beside that it listens at a socket for as long as it lives: whoever runs on the same kernel, be it
 * in another container, is told by the kernel whether anybody does, also while the process stands still.
 */
import { closeSync, openSync, readFileSync, readlinkSync } from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { hostname, platform } from "node:os"
import { basename, dirname } from "node:path"

/** What tells a process from every other one. */
export interface Identity {
  readonly pid: number
  /** Where its number means something: the running system, and in it the container. */
  readonly place: string
  /** When it began, as the system counts; `null` where it does not tell. A number is used again, this is not. */
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

/** The kernel on which a process runs; on systems that don't tell, the computer. */
const kernelOf = (place: string): string => place.split(" ")[0] ?? place

/** Whether the process lives, as far as it can be known from here. */
export const stateOf = async (identity: Identity, socket: string): Promise<State> => {
  const seen = seenOf(identity)
  if (seen !== "unknown" || kernelOf(identity.place) !== kernelOf(ownPlace())) return seen
  const isThere = await answers(socket)
  if (isThere === undefined) return "unknown"
  return isThere ? "lives" : "ended"
}

/** Whether the process is of this container, so that its number means something to the user. */
export const isNear = ({ place }: Identity): boolean => place === ownPlace()
