/**
 * What a power cut leaves of a folder: what the disk was told to keep, and of everything written since then
 * some pages and others not.
 */
import {
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join, relative } from "node:path"
import { afterAll, describe, expect, it, vi } from "vitest"
import { open } from "../../../src/sql/folder/internal/databaseThread.js"
import { Folder } from "../../cli/world.js"
import { Chance } from "../../generators/Chance.js"

const { heard } = vi.hoisted(() => ({ heard: { sync: (_file: number): void => undefined } }))
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>()
  const fsyncSync = (file: number) => {
    fs.fsyncSync(file)
    heard.sync(file)
  }
  return { ...fs, fsyncSync }
})

const world = new Folder()
afterAll(() => world.remove(), 60_000)
const pageBytes = 8_192

const inodeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.ino ?? 0

/** A disk as it is known to be: each file as it was when it was last told to be kept. */
class Disk {
  syncs = 0
  private readonly folder: string
  private readonly kept: string
  private readonly names = new Map<number, string>()

  constructor(folder: string, kept: string) {
    this.folder = folder
    this.kept = kept
    this.keepAll(folder)
  }

  private keepAll(path: string): void {
    mkdirSync(join(this.kept, relative(this.folder, path)), { recursive: true })
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) this.keepAll(inner)
      else this.keepFile(inner)
    }
  }

  private keepFile(path: string): void {
    copyFileSync(path, join(this.kept, relative(this.folder, path)))
  }

  /** A folder's list: names that came are files without anything in them yet, names that went are gone. */
  private keepList(path: string): void {
    const kept = join(this.kept, relative(this.folder, path))
    for (const name of readdirSync(kept)) {
      if (!existsSync(join(path, name))) rmSync(join(kept, name), { recursive: true })
    }
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const to = join(kept, entry.name)
      if (existsSync(to)) continue
      if (entry.isDirectory()) mkdirSync(to)
      else writeFileSync(to, "")
    }
  }

  /** The name of an open file, by what it has in common with it. */
  private pathOf(file: number): string | undefined {
    const { ino } = fstatSync(file)
    const known = this.names.get(ino)
    if (known !== undefined && inodeOf(known) === ino) return known
    for (const name of ["", ...readdirSync(this.folder, { recursive: true, encoding: "utf8" })]) {
      const path = join(this.folder, name)
      this.names.set(inodeOf(path), path)
    }
    const found = this.names.get(ino)
    return found !== undefined && inodeOf(found) === ino ? found : undefined
  }

  /** The disk is told to keep an open file. */
  sync(file: number): void {
    const path = this.pathOf(file)
    if (path === undefined) return
    this.syncs += 1
    if (statSync(path).isDirectory()) this.keepList(path)
    else this.keepFile(path)
  }

  /** What is there after a cut: of each page that is not known to be kept, the old or the new one. */
  cut(to: string, chance: Pick<Chance, "isLucky">): void {
    for (const entry of readdirSync(this.kept, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const place = relative(this.kept, path)
      if (entry.isDirectory()) continue
      mkdirSync(dirname(join(to, place)), { recursive: true })
      writeFileSync(join(to, place), this.mixed(path, join(this.folder, place), chance))
    }
    this.emptyFolders(this.kept, to)
  }

  private emptyFolders(from: string, to: string): void {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      mkdirSync(join(to, entry.name), { recursive: true })
      this.emptyFolders(join(from, entry.name), join(to, entry.name))
    }
  }

  private mixed(keptPath: string, nowPath: string, chance: Pick<Chance, "isLucky">): Buffer {
    const kept = readFileSync(keptPath)
    if (!existsSync(nowPath)) return kept
    const now = readFileSync(nowPath)
    if (now.equals(kept)) return kept
    const isLonger = now.length > kept.length && chance.isLucky(0.5)
    const mixed = Buffer.alloc(isLonger ? now.length : kept.length)
    kept.copy(mixed)
    for (let at = 0; at < mixed.length && at < now.length; at += pageBytes) {
      if (chance.isLucky(0.5)) now.copy(mixed, at, at, Math.min(at + pageBytes, mixed.length))
    }
    return mixed
  }
}

const pathIn = (name: string): string => join(world.path, name)

/** Opens the database of a folder in this thread, where what the disk is told can be heard. */
const openFolder = (folder: string) => {
  const path = join(folder, "database")
  const ignored = { check: () => undefined, onSaid: () => undefined }
  return open({ path, work: "open", ...ignored })
}

const makeFolder = async (folder: string) => {
  mkdirSync(folder)
  return openFolder(folder)
}

/** The ids that a folder has after it was opened again. */
const idsIn = async (folder: string): Promise<ReadonlyArray<number>> => {
  const database = await openFolder(folder)
  const { rows } = await database.query<{ id: number }>("SELECT id FROM kept ORDER BY id")
  await database.close()
  return rows.map(({ id }) => id)
}

const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, id) => id)

describe("a power cut", () => {
  it("takes nothing that was acknowledged, wherever it comes", async () => {
    const folder = pathIn("folder")
    const database = await makeFolder(folder)
    await database.exec(
      "CREATE TABLE kept (id int PRIMARY KEY, filling text, changes int DEFAULT 0)",
    )
    await database.exec("CHECKPOINT")
    const disk = new Disk(join(folder, "database"), pathIn("kept"))
    heard.sync = (file) => disk.sync(file)
    const chance = new Chance(7)
    let acknowledged = 0
    const cuts: Array<{ readonly folder: string; readonly count: number }> = []
    for (let round = 0; round < 6; round += 1) {
      for (let count = 0; count < 8; count += 1) {
        await database.query("INSERT INTO kept (id, filling) VALUES ($1, repeat('x', $2))", [
          ...[acknowledged, chance.below(5_000)],
        ])
        await database.query("UPDATE kept SET changes = changes + 1 WHERE id % 7 = $1", [count % 7])
        acknowledged += 1
      }
      if (chance.isLucky(0.3)) await database.exec("CHECKPOINT")
      if (chance.isLucky(0.2)) await database.exec("VACUUM kept")
      // A change is under way: of this one, nothing may be there.
      await database.exec("BEGIN; INSERT INTO kept SELECT id + 1000000 FROM kept")
      cuts.push({ folder: pathIn(`cut-${round}`), count: acknowledged })
      disk.cut(join(pathIn(`cut-${round}`), "database"), chance)
      await database.exec("ROLLBACK")
    }
    heard.sync = () => undefined
    expect(disk.syncs).toBeGreaterThanOrEqual(2 * acknowledged)
    await database.close()
    for (const { folder: cut, count } of cuts) expect(await idsIn(cut)).toEqual(upTo(count))
    expect(await idsIn(folder)).toEqual(upTo(acknowledged))
  }, 180_000)

  it("takes what the disk was never told to keep", async () => {
    const folder = pathIn("untold")
    const database = await makeFolder(folder)
    await database.exec("CREATE TABLE kept (id int PRIMARY KEY)")
    await database.exec("CHECKPOINT")
    const disk = new Disk(join(folder, "database"), pathIn("untold-kept"))
    await database.exec("INSERT INTO kept VALUES (0)")
    // Nothing listens, and no new page is there by chance.
    disk.cut(join(pathIn("untold-cut"), "database"), { isLucky: () => false })
    await database.close()
    expect(await idsIn(pathIn("untold-cut"))).toEqual([])
    expect(await idsIn(folder)).toEqual([0])
  }, 120_000)
})
