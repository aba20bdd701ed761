import { randomInt } from "node:crypto"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { lasting } from "../sql/crash/Length.js"
import * as Deeds from "./Deeds.js"
import type { Served } from "./Served.js"
import { run, ServedPrograms } from "./ServedPrograms.js"

/** How often the program is killed. */
const crashes = lasting(6, 500)

/** How often it is killed while it makes a folder. */
const unfinished = lasting(2, 4)

const programs = new ServedPrograms()
const { folder } = programs

describe("a folder with the data of a program that is killed", () => {
  it(
    "has everything that was acknowledged, once, however often it is killed",
    async () => {
      const data = await programs.emptyData("killed")
      const [done, open]: [Array<Deeds.Deed>, Array<Deeds.Deed>] = [[], []]
      let [kills, acknowledged, repeated] = [0, 0, 0]

      /** Asks for one thing after the other until there is no answer any more. */
      const work = async (base: string, served: Served) => {
        while (true) {
          const deed = Deeds.anyDeed()
          open.push(deed)
          const answer = await Deeds.doDeed(base, deed).catch(() => undefined)
          if (answer === undefined) return
          expect(Deeds.isDone(answer), `${answer.text}\n${served.err}`).toBe(true)
          open.splice(open.indexOf(deed), 1)
          done.push(deed)
          acknowledged += 1
        }
      }

      while (kills < crashes) {
        const served = programs.serveFolder(data)
        const base = await served.url()
        // What was acknowledged is there, and of the rest nothing twice or in part.
        for (const deed of open.splice(0)) {
          const answer = await Deeds.doDeed(base, deed)
          expect(Deeds.isDone(answer), `${answer.text}\n${served.err}`).toBe(true)
          done.push(deed)
        }
        expect(await Deeds.seen(base)).toEqual(Deeds.expected(done))
        const again = done[randomInt(Math.max(done.length, 1))]
        if (again !== undefined) {
          expect(Deeds.isDone(await Deeds.doDeed(base, again))).toBe(true)
          repeated += 1
        }
        const working = [1, 2, 3, 4].map(() => work(base, served))
        const enough = acknowledged + randomInt(12)
        while (acknowledged < enough) await wait(1)
        await wait(randomInt(20))
        await served.end("SIGKILL")
        await Promise.all(working)
        kills += 1
      }

      const served = programs.serveFolder(data)
      const base = await served.url()
      for (const deed of open.splice(0)) {
        expect(Deeds.isDone(await Deeds.doDeed(base, deed))).toBe(true)
        done.push(deed)
      }
      expect(await Deeds.seen(base)).toEqual(Deeds.expected(done))
      expect(await served.end("SIGTERM")).toBe(0)
      expect(readdirSync(data)).toEqual(["database"])
      const audited = run("audit", "--data", data)
      expect(audited.stdout).toContain("no difference: 3 payouts compared with the history")
      expect(audited.status).toBe(0)
      console.log(
        `killed ${kills} times: ${acknowledged} changes were acknowledged, ${done.length} made, ${repeated} asked for again`,
      )
      expect(acknowledged).toBeGreaterThan(crashes)
    },
    60_000 + crashes * 20_000,
  )

  it("can be made by the next program when it was killed while it was made", async () => {
    for (let round = 0; round < unfinished; round += 1) {
      const data = join(folder.path, `unfinished-${round}`)
      const first = programs.serveFolder(data)
      // Until there is something of it, and then some time, up to about as long as it takes.
      while (!existsSync(data) && !first.isOver) await wait(5)
      await wait(randomInt(round * 2_000 + 1))
      await first.end("SIGKILL")
      const second = programs.serveFolder(data)
      const base = await second.url()
      expect(await Deeds.seen(base)).toEqual(Deeds.expected([]))
      expect(await second.end("SIGTERM")).toBe(0)
    }
  }, 240_000)
})

describe("a disk that can't keep what it must", () => {
  it("ends the program, which acknowledges nothing more, and what it acknowledged is there when it begins again", async () => {
    const data = await programs.emptyData("failing-disk")
    const switchPath = join(folder.path, "broken")
    const preload = folder.file(
      "preload.mjs",
      `import fs from "node:fs"
       import { syncBuiltinESMExports } from "node:module"
       const { fsyncSync } = fs
       fs.fsyncSync = (file) => {
         if (fs.existsSync(${JSON.stringify(switchPath)})) throw Object.assign(new Error(), { code: "EIO" })
         fsyncSync(file)
       }
       syncBuiltinESMExports()`,
    )
    const environment = { NODE_OPTIONS: `--import ${pathToFileURL(preload)}` }
    const failing = programs.serve(["--data", data], environment)
    const base = await failing.url()
    const deeds = [Deeds.anyDeed(), Deeds.anyDeed(), Deeds.anyDeed()]
    for (const deed of deeds) expect(Deeds.isDone(await Deeds.doDeed(base, deed))).toBe(true)
    folder.file("broken", "")
    const last = Deeds.anyDeed()
    const answer = await Deeds.doDeed(base, last).catch(() => ({ status: 503 }))
    expect(answer.status).toBe(503)
    expect(await failing.ended()).toBe(1)
    expect(failing.err).toMatch(
      /apportion: .*: could not fsync file .*: start again when the disk is sound\n/,
    )
    rmSync(switchPath)
    const again = await programs.serveFolder(data).url()
    // Whether the last one was kept is not known; asked for again, it is done once.
    expect(Deeds.isDone(await Deeds.doDeed(again, last))).toBe(true)
    expect(await Deeds.seen(again)).toEqual(Deeds.expected([...deeds, last]))
  })
})
