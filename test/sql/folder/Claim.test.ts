import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import * as Claim from "../../../src/sql/folder/internal/Claim.js"
import { Folder } from "../../cli/world.js"

const world = new Folder()
afterAll(() => world.remove())

const hurried = { beatMs: 20, silenceMs: 200, attempts: 2 }
let folders = 0
const newFolder = (): string => {
  folders += 1
  const path = join(world.path, `folder-${folders}`)
  mkdirSync(path)
  return path
}

const take = async (
  folder: string,
  told: Array<string> = [],
  changes: Partial<Claim.Timing> = hurried,
): Promise<Claim.FolderClaim> => {
  const taken = await Claim.take(folder, (message) => told.push(message), changes)
  if ("release" in taken) return taken
  const { pid, isNear } = taken
  throw new RangeError(`in use by process ${pid} ${isNear ? "here" : "elsewhere"}`)
}

/** Leaves a note as another process would have. */
const leaveNote = (folder: string, identity: object, name = "in-use-0abc.json"): string => {
  const path = `${folder.slice(world.path.length + 1)}/${name}`
  return world.file(path, identity)
}

const refusalOf = (taken: Promise<Claim.FolderClaim>): Promise<string> =>
  taken.then(
    async (use) => {
      await use.release()
      return ""
    },
    (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
  )

/** A process that lives until it is told to end. */
const liveProcess = async (): Promise<ChildProcess & { readonly pid: number }> => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
  await once(child, "spawn")
  onTestFinished(() => void child.kill("SIGKILL"))
  if (child.pid === undefined) throw new RangeError("it has no number")
  return Object.assign(child, { pid: child.pid })
}

const notesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => name.endsWith(".json"))
const noteIn = (folder: string): string => notesIn(folder)[0] ?? ""

const beganOf = (pid: number): string => {
  const words = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return words[19] ?? ""
}

const isLinux = existsSync("/proc/self/stat")
const { place } = Claim.own()

describe("a folder for one process at a time", () => {
  it("has a note of who uses it, until that one lets go of it", async () => {
    const folder = newFolder()
    const use = await take(folder)
    const name = noteIn(folder)
    expect(readdirSync(folder).every(Claim.isNote)).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual(Claim.own())
    await use.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it("is refused while it is in use, by the number of the process that has it", async () => {
    const folder = newFolder()
    const use = await take(folder)
    expect(await refusalOf(take(folder))).toBe(`in use by process ${process.pid} here`)
    expect(notesIn(folder)).toHaveLength(1)
    await use.release()
    expect(await refusalOf(take(folder))).toBe("")
  })

  it("goes to no more than one of many who want it at once", async () => {
    const folder = newFolder()
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => take(folder)))
    const uses = taken.filter((one) => one.status === "fulfilled")
    expect(uses.length).toBeLessThanOrEqual(1)
    expect(notesIn(folder)).toHaveLength(uses.length)
    for (const { value } of uses) await value.release()
  })

  it("can be taken at once when the process that had it has ended", async () => {
    const folder = newFolder()
    const child = await liveProcess()
    const began = isLinux ? beganOf(child.pid) : null
    leaveNote(folder, { pid: child.pid, place, began })
    if (isLinux) expect(await refusalOf(take(folder))).toContain(`by process ${child.pid} here`)
    child.kill("SIGKILL")
    await once(child, "exit")
    const told: Array<string> = []
    const use = await take(folder, told)
    expect(told).toEqual([])
    expect(notesIn(folder)).toHaveLength(1)
    await use.release()
  })

  it("is not taken for in use because another process has the number of the one that had it", async () => {
    const folder = newFolder()
    leaveNote(folder, { pid: process.pid, place, began: "1" })
    const told: Array<string> = []
    const use = await take(folder, told)
    expect(told).toEqual([])
    await use.release()
  })

  it("is not in use by a process that has ended and of which nobody has asked how", async () => {
    // The inner process ends, and the outer one, which becomes another program, never asks.
    const script = "node -e 0 & echo $!; exec sleep 1000"
    const outer = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] })
    onTestFinished(() => void outer.kill("SIGKILL"))
    const [line] = await once(outer.stdout.setEncoding("utf8"), "data")
    const pid = Number(line)
    const began = isLinux ? beganOf(pid) : null
    const state = () => Claim.processState({ pid, place, began }, "nowhere.sock")
    await expect.poll(state, { timeout: 20_000 }).toBe(isLinux ? "ended" : "unknown")
  })

  it("is in use by a process that can't be seen from here, as long as that one shows that it lives", async () => {
    const folder = newFolder()
    const note = leaveNote(folder, { pid: 7, place: "another container", began: "1" })
    let second = 1_000
    const beat = setInterval(() => {
      second += 1
      utimesSync(note, second, second)
    }, 20)
    const refusal = await refusalOf(take(folder))
    clearInterval(beat)
    expect(refusal).toBe("in use by process 7 elsewhere")
    const told: Array<string> = []
    const use = await take(folder, told)
    expect(told).toEqual([
      `${folder}: process 7, which can't be seen from here, is given 1 s to show that it lives`,
    ])
    // It may only stand still: its note is there until what it could still write to is taken from it.
    expect({ isThere: existsSync(note), hasSilent: use.hasSilent }).toEqual({
      ...{ isThere: true, hasSilent: true },
    })
    use.dismissSilent()
    expect(existsSync(note)).toBe(false)
    await use.release()
  })

  it("is shown to be in use again and again", async () => {
    const folder = newFolder()
    const use = await take(folder)
    const path = join(folder, noteIn(folder))
    utimesSync(path, 1, 1)
    await expect.poll(() => statSync(path).mtimeMs > 1_000, { timeout: 20_000 }).toBe(true)
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(Claim.own())
    await use.release()
  })

  it("is not kept from anybody by a note that nobody can read", async () => {
    const folder = newFolder()
    for (const [index, contents] of ["", "{", "[]", '{"pid": "x"}', '{"pid": -1}'].entries()) {
      world.file(`${folder.slice(world.path.length + 1)}/in-use-0${index}.json`, contents)
    }
    expect(await refusalOf(take(folder))).toBe("")
  })

  it("is lost when its note is taken away, and the process learns of it", async () => {
    const folder = newFolder()
    const lost = Promise.withResolvers<void>()
    const use = await take(folder, [], { ...hurried, onLost: lost.resolve })
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    await lost.promise
    await use.release()
  })
})
