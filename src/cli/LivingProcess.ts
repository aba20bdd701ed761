/** Whether a process that was once noted still lives. */
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

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

/** Whether the process lives, as far as it can be seen from here. */
export const stateOf = ({ pid, place, began }: Identity): State => {
  if (place !== ownPlace()) return "unknown"
  if (!hasNumber(pid)) return "ended"
  if (began === null) return "unknown"
  return beganOf(pid) === began ? "lives" : "ended"
}
