/**
 * A process that stands still while another one takes its folder, and then goes on: nothing that either of them
 * acknowledged may be missing, and no two may have the folder.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import { migratedFolder } from "../../cli/DataFolders.js"
import * as Deeds from "../../cli/Deeds.js"
import { program, Served } from "../../cli/Served.js"
import { Folder } from "../../cli/world.js"

const folder = new Folder()
const seed = Deeds.seedFile(folder)
const started: Array<Served> = []

const serve = (data: string): Served => {
  const flags = ["--port", "0", "--token", "paper-heron-at-dusk", "--rate", "1000000"]
  const served = new Served([...flags, "--data", data, "--seed", seed])
  started.push(served)
  return served
}

afterEach(async () => {
  for (const served of started.splice(0)) {
    served.child.kill("SIGCONT")
    await served.end("SIGKILL")
  }
})
afterAll(() => folder.remove(), 120_000)

const noteOf = (data: string): string =>
  join(data, readdirSync(data).find((name) => name.endsWith(".json")) ?? "")

/** Lets the note of a process say that it runs elsewhere. */
const move = (data: string, place: (own: string) => string): void => {
  const path = noteOf(data)
  const note: { readonly place: string } = JSON.parse(readFileSync(path, "utf8"))
  writeFileSync(path, JSON.stringify({ ...note, place: place(note.place) }))
}

/** Makes changes, all of which have to be acknowledged. */
const change = async (base: string, count: number): Promise<ReadonlyArray<Deeds.Deed>> => {
  const deeds = Array.from({ length: count }, () => Deeds.anyDeed())
  for (const deed of deeds) expect(Deeds.isDone(await Deeds.doDeed(base, deed))).toBe(true)
  return deeds
}

describe("a process that stands still for longer than a silent one is waited for", () => {
  it("keeps its folder from one in another container of the same computer", async () => {
    const data = await migratedFolder(join(folder.path, "containers"))
    const first = serve(data)
    const base = await first.url()
    await change(base, 3)
    move(data, (own) => `${own.split(" ")[0]} pid:[1]`)
    first.child.kill("SIGSTOP")
    const second = serve(data)
    expect(await second.ended()).toBe(1)
    expect(second.err).toContain(`is in use by process ${first.child.pid} of another system`)
    expect(second.err).not.toContain("is given")
    first.child.kill("SIGCONT")
    await change(base, 1)
    expect(await first.end("SIGTERM")).toBe(0)
  })

  it("loses it to one of another computer, acknowledges nothing afterwards, and nothing acknowledged is lost", async () => {
    const data = await migratedFolder(join(folder.path, "computers"))
    const first = serve(data)
    const base = await first.url()
    const done = [...(await change(base, 5))]
    move(data, () => "another-kernel pid:[1]")
    first.child.kill("SIGSTOP")
    // What it is asked for meanwhile it gets to see when it goes on.
    const late = Array.from({ length: 4 }, () => Deeds.anyDeed())
    const answers = Promise.all(
      late.map((deed) => Deeds.doDeed(base, deed).catch(() => ({ status: 0, text: "" }))),
    )
    const second = serve(data)
    const other = await second.url()
    expect(second.err).toContain("is given 20 s to show that it lives")
    done.push(...(await change(other, 5)))
    first.child.kill("SIGCONT")
    // While the one finds out, the other goes on.
    done.push(...(await change(other, 5)))
    const acknowledged = (await answers).filter(({ status }) => status !== 0 && status !== 503)
    expect(acknowledged).toEqual([])
    expect(await first.ended()).toBe(1)
    expect(first.err).toContain("was taken by another process")
    await wait(100)
    expect(await Deeds.seen(other)).toEqual(Deeds.expected(done))
    expect(await second.end("SIGTERM")).toBe(0)
    expect(readdirSync(data)).toEqual(["database"])
    const audited = spawnSync(process.execPath, [program, "audit", "--data", data])
    expect(audited.status).toBe(0)
    console.log(
      `${done.length} changes acknowledged, 0 lost; ${late.length} asked of the process that stood still, ${acknowledged.length} acknowledged`,
    )
  })
})
