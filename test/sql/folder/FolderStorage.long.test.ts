import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { FolderStorage } from "apportion/sql/folder"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as DataFolder from "../../../src/sql/folder/internal/DataFolder.js"
import { Folder } from "../../cli/world.js"

const world = new Folder()
afterAll(() => world.remove(), 60_000)

const hurried = { beatMs: 20, silenceMs: 200, attempts: 2 }
const nothing = (): void => undefined
const openWith = (path: string, options: Partial<DataFolder.DataFolderOptions> = {}) =>
  DataFolder.open(path, {
    create: true,
    note: nothing,
    onLost: nothing,
    timing: hurried,
    ...options,
  })

/** One folder for all tests of the file: making one takes its time. */
const shop = join(world.path, "shop")
const idsIn = async (): Promise<ReadonlyArray<unknown>> => {
  const { database, close } = await openWith(shop, { create: false })
  try {
    const { rows } = await database.query("SELECT id FROM kept ORDER BY id", [], {
      rowMode: "array",
    })
    return rows.flat()
  } finally {
    await close()
  }
}
const noteIn = (): string =>
  join(shop, readdirSync(shop).find((name) => name.endsWith(".json")) ?? "")
const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))

beforeAll(async () => {
  const { database, close } = await openWith(shop)
  await database.query("CREATE TABLE kept (id int PRIMARY KEY)")
  await database.query("INSERT INTO kept VALUES (1)")
  await close()
}, 120_000)

describe("the database of a folder", () => {
  it("leaves the event loop free while a statement takes its time", async () => {
    const { database, close } = await openWith(shop)
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 1)
    await database.query("SELECT count(*) FROM generate_series(1, 2000000)")
    clearInterval(counting)
    expect(turns).toBeGreaterThan(3)
    await close()
  })

  it("says of a refused statement what PostgreSQL says, and goes on", async () => {
    const { database, close } = await openWith(shop)
    await expect(database.query("INSERT INTO kept VALUES (1)")).rejects.toMatchObject({
      ...{ code: "23505", constraint: "kept_pkey" },
    })
    expect((await database.query("SELECT $1::int AS one", [1])).rows).toEqual([{ one: 1 }])
    await close()
  })

  it("can be read and written by its owner alone, also when it was open to all", async () => {
    for (const path of [shop, ...filesIn(shop)]) {
      chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666)
    }
    const { database, close } = await openWith(shop)
    await database.query("CREATE TABLE IF NOT EXISTS made (id int)")
    await close()
    const open = [shop, ...filesIn(shop)].filter((path) => (statSync(path).mode & 0o077) !== 0)
    expect(open).toEqual([])
  })
})

describe("a folder for one program at a time", () => {
  it("is refused to a second one by name, and goes to it when the first has closed it", async () => {
    const first = await FolderStorage.open(shop)
    await expect(FolderStorage.open(shop)).rejects.toMatchObject({
      ...{ _tag: "FolderInUse", path: shop, pid: process.pid },
      message: expect.stringContaining(`${shop}: is in use by process ${process.pid}: a folder is`),
    })
    await first.close()
    await (await FolderStorage.open(shop)).close()
    expect(readdirSync(shop)).toEqual(["database"])
  })

  it("acknowledges nothing any more once its claim is gone, and says so once", async () => {
    const told: Array<FolderStorage.FolderLost> = []
    const { database, close } = await openWith(shop, {
      onLost: (cause) => told.push(cause),
      // Nothing but the statement itself finds out.
      timing: { ...hurried, beatMs: 60_000 },
    })
    await database.query("INSERT INTO kept VALUES (2)")
    rmSync(noteIn())
    await expect(database.query("INSERT INTO kept VALUES (3)")).rejects.toThrow(
      "was taken by another process",
    )
    await expect(database.query("SELECT 1")).rejects.toThrow("was taken by another process")
    await close()
    expect(told).toMatchObject([{ _tag: "FolderLost", path: shop, why: "taken" }])
    // Nobody copied the database here: what was not acknowledged may be in it or not.
    const again = await openWith(shop)
    await again.database.query("DELETE FROM kept WHERE id = 3")
    await again.close()
    expect(await idsIn()).toEqual([1, 2])
  })

  it("is a storage that fails when the folder was taken", async () => {
    const { storage, close } = await FolderStorage.open(shop)
    const put = storage.transaction("shop", ({ products }) => products.put([{ id: "p1" }]))
    await Effect.runPromise(put)
    rmSync(noteIn())
    expect(await Effect.runPromise(Effect.flip(put))).toMatchObject({ _tag: "StorageFailure" })
    await close()
  })

  it("is taken from one that is silent, and what that one still writes reaches nobody", async () => {
    const identity = { pid: 7, place: "another kernel", began: "1" }
    const note = join(shop, "in-use-0abc.json")
    writeFileSync(note, JSON.stringify(identity))
    // What the silent process has open, and where it would open more.
    const version = join(shop, "database/PG_VERSION")
    const open = openSync(version, "r+")
    const before = readFileSync(version, "utf8")
    const told: Array<string> = []
    const { database, close } = await openWith(shop, { note: (message) => told.push(message) })
    writeSync(open, "99\n", 0)
    closeSync(open)
    expect(readFileSync(version, "utf8")).toBe(before)
    expect(existsSync(note)).toBe(false)
    expect(told).toEqual([
      `${shop}: process 7, which can't be seen from here, is given 1 s to show that it lives`,
      `${shop}: its database is copied, so that nobody else can write to it any more`,
    ])
    expect((await database.query("SELECT id FROM kept")).rows).toHaveLength(2)
    await close()
    expect(readdirSync(shop)).toEqual(["database"])
  })

  it("is taken over to the end by the next one when whoever took it over was cut off", async () => {
    const left = join(shop, "database.left")
    const stages = [
      // The old database has its other name, and its process's note is still there.
      () => writeFileSync(join(shop, "in-use-0abc.json"), JSON.stringify({ pid: 7, place: "x y" })),
      // The copy is not whole.
      () => mkdirSync(join(shop, "database.new")),
    ]
    for (const stage of stages) {
      const { renameSync } = await import("node:fs")
      renameSync(join(shop, "database"), left)
      stage()
      expect(await idsIn()).toEqual([1, 2])
      expect(readdirSync(shop)).toEqual(["database"])
    }
    // The copy is whole, and what was copied is still there.
    mkdirSync(left)
    expect(await idsIn()).toEqual([1, 2])
    expect(readdirSync(shop)).toEqual(["database"])
  })
})
