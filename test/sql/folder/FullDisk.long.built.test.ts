/** A folder on a disk that is full when it is opened, or becomes full: on a small file system in memory. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import * as Deeds from "../../cli/Deeds.js"
import { program, Served } from "../../cli/Served.js"
import { Folder } from "../../cli/world.js"

const folder = new Folder()
const seed = Deeds.seedFile(folder)
const started: Array<Served> = []
const disks: Array<string> = []

afterEach(async () => {
  for (const served of started.splice(0)) await served.end("SIGKILL")
  for (const disk of disks.splice(0)) spawnSync("umount", [disk])
})
afterAll(() => folder.remove(), 120_000)

/** A disk of so many megabytes; `undefined`: this user may not have one. */
const diskOf = (megabytes: number): string | undefined => {
  const disk = join(folder.path, `disk-${megabytes}`)
  mkdirSync(disk)
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}M`, "tmpfs", disk])
  if (status !== 0) {
    console.log("not looked at: only root can mount a small file system")
    return undefined
  }
  disks.push(disk)
  return disk
}

const serve = (data: string): Served => {
  const flags = ["--port", "0", "--token", "paper-heron-at-dusk", "--rate", "1000000"]
  const served = new Served([...flags, "--data", data, "--seed", seed])
  started.push(served)
  return served
}

/** Leaves no room on a disk; gives what makes room again. */
const fill = (disk: string): (() => void) => {
  const path = join(disk, "filling")
  const piece = Buffer.alloc(1 << 20)
  for (const size of [piece.length, 4_096]) {
    try {
      while (true) writeFileSync(path, piece.subarray(0, size), { flag: "a" })
    } catch {
      // There is no more room for a piece of this size.
    }
  }
  return () => rmSync(path)
}

describe("a disk that is full", () => {
  it("when a folder is made is told of, and leaves nothing there", () => {
    for (const megabytes of [3, 20, 38]) {
      const disk = diskOf(megabytes)
      if (disk === undefined) return
      const data = join(disk, "shop")
      const { status, stderr, signal } = spawnSync(
        process.execPath,
        [program, "migrate", "--data", data],
        { encoding: "utf8", timeout: 100_000 },
      )
      expect({ status, signal }, `${megabytes} MB: ${stderr}`).toEqual({ status: 2, signal: null })
      expect(stderr).toBe(`apportion: ${data}: its database can't be opened: the disk is full\n`)
      expect(readdirSync(data)).toEqual([])
    }
  })

  it("while a program serves is answered with 503, and when there is room again everything goes on", async () => {
    const disk = diskOf(90)
    if (disk === undefined) return
    const data = join(disk, "shop")
    const served = serve(data)
    const base = await served.url()
    const done: Array<Deeds.Deed> = []
    let open: Array<Deeds.Deed> = []
    for (let times = 0; times < 3; times += 1) {
      const makeRoom = fill(disk)
      const refused: Array<Deeds.Deed> = []
      for (let count = 0; refused.length < 3; count += 1) {
        expect(count).toBeLessThan(5_000)
        const deed = Deeds.anyDeed()
        const answer = await Deeds.doDeed(base, deed)
        if (Deeds.isDone(answer)) done.push(deed)
        else {
          expect(answer.status, answer.text).toBe(503)
          refused.push(deed)
        }
      }
      expect(served.isOver).toBe(false)
      makeRoom()
      // The first may still meet what was said a moment ago.
      open = refused
      for (const deed of open) {
        let answer = await Deeds.doDeed(base, deed)
        while (answer.status === 503) answer = await Deeds.doDeed(base, deed)
        expect(Deeds.isDone(answer), answer.text).toBe(true)
        done.push(deed)
      }
      expect(await Deeds.seen(base)).toEqual(Deeds.expected(done))
    }
    expect(await served.end("SIGTERM")).toBe(0)
    const audited = spawnSync(process.execPath, [program, "audit", "--data", data])
    expect(audited.status).toBe(0)
    console.log(`${done.length} changes acknowledged over a disk that was full 3 times, 0 lost`)
  })
})
