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
import * as FolderUse from "../../src/cli/FolderUse.js"
import * as LivingProcess from "../../src/cli/LivingProcess.js"
import { Folder } from "./world.js"

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

const take = (folder: string, told: Array<string> = []) =>
  FolderUse.take(folder, (message) => told.push(message), hurried)

/** Leaves a note as another process would have. */
const leaveNote = (folder: string, identity: object, name = "in-use-0abc.json"): string => {
  const path = `${folder.slice(world.path.length + 1)}/${name}`
  return world.file(path, identity)
}

const refusalOf = (taken: Promise<FolderUse.FolderUse>): Promise<string> =>
  taken.then(
    (use) => {
      use.release()
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

const beganOf = (pid: number): string => {
  const words = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return words[19] ?? ""
}

const isLinux = existsSync("/proc/self/stat")
const { place } = LivingProcess.own()

describe("a folder for one process at a time", () => {
  it("has a note of who uses it, until that one lets go of it", async () => {
    const folder = newFolder()
    const use = await take(folder)
    const [name = ""] = readdirSync(folder)
    expect(FolderUse.isNote(name)).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual(LivingProcess.own())
    use.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it("is refused while it is in use, by the number of the process that has it", async () => {
    const folder = newFolder()
    const use = await take(folder)
    expect(await refusalOf(take(folder))).toContain(
      `${folder}: is in use by process ${process.pid}: a folder is for one process at a time`,
    )
    expect(readdirSync(folder)).toHaveLength(1)
    use.release()
    expect(await refusalOf(take(folder))).toBe("")
  })

  it("goes to no more than one of many who want it at once", async () => {
    const folder = newFolder()
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => take(folder)))
    const uses = taken.filter((one) => one.status === "fulfilled")
    expect(uses.length).toBeLessThanOrEqual(1)
    expect(readdirSync(folder)).toHaveLength(uses.length)
    for (const { value } of uses) value.release()
  })

  it("can be taken at once when the process that had it has ended", async () => {
    const folder = newFolder()
    const child = await liveProcess()
    const began = isLinux ? beganOf(child.pid) : null
    leaveNote(folder, { pid: child.pid, place, began })
    if (isLinux) expect(await refusalOf(take(folder))).toContain(`by process ${child.pid}`)
    child.kill("SIGKILL")
    await once(child, "exit")
    const told: Array<string> = []
    const use = await take(folder, told)
    expect(told).toEqual([])
    expect(readdirSync(folder)).toHaveLength(1)
    use.release()
  })

  it("is not taken for in use because another process has the number of the one that had it", async () => {
    const folder = newFolder()
    leaveNote(folder, { pid: process.pid, place, began: "1" })
    const told: Array<string> = []
    const use = await take(folder, told)
    expect(told).toEqual([])
    use.release()
  })

  it("is not in use by a process that has ended and of which nobody has asked how", async () => {
    // The inner process ends, and the outer one, which becomes another program, never asks.
    const script = "node -e 0 & echo $!; exec sleep 1000"
    const outer = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] })
    onTestFinished(() => void outer.kill("SIGKILL"))
    const [line] = await once(outer.stdout.setEncoding("utf8"), "data")
    const pid = Number(line)
    const began = isLinux ? beganOf(pid) : null
    const ended = () => LivingProcess.stateOf({ pid, place, began }) === "ended"
    await expect.poll(ended, { timeout: 20_000 }).toBe(isLinux)
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
    expect(refusal).toContain("is in use by process 7 of another system")
    const told: Array<string> = []
    const use = await take(folder, told)
    expect(told).toEqual([
      `${folder}: process 7, which can't be seen from here, is given 1 s to show that it lives`,
    ])
    expect(existsSync(note)).toBe(false)
    use.release()
  })

  it("is shown to be in use again and again", async () => {
    const folder = newFolder()
    const use = await take(folder)
    const [name = ""] = readdirSync(folder)
    const path = join(folder, name)
    utimesSync(path, 1, 1)
    await expect.poll(() => statSync(path).mtimeMs > 1_000, { timeout: 20_000 }).toBe(true)
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(LivingProcess.own())
    use.release()
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
    const lost = Promise.withResolvers<unknown>()
    const use = await FolderUse.take(folder, () => undefined, {
      ...hurried,
      onLost: lost.resolve,
    })
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    expect(await lost.promise).toMatchObject({ _tag: "Unavailable" })
    use.release()
  })
})
