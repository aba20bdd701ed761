import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Conflict, fromPlain } from "apportion/ports"
import { makeApportion } from "apportion/promise"
import { StorageContract } from "apportion/testing"
import { afterAll, describe, expect, test } from "vitest"
import { folder, load, withFolder } from "./JsonFileStore.js"

const { makeJsonFileStorage } = await load()

describe("the JSON file store keeps the contract of a storage", async () => {
  const root = await mkdtemp(join(tmpdir(), "json-file-store-"))
  afterAll(() => rm(root, { recursive: true, force: true }))
  const make = async () => fromPlain(await makeJsonFileStorage(await mkdtemp(join(root, "case-"))))
  for (const { name, run } of StorageContract.cases(make)) test(name, run)
})

const answer = (key: string) => ({ key, fingerprint: "f", answer: "1", createdAt: 1 })

test("what was kept is there when the folder is opened again", () =>
  withFolder(async (path) => {
    const first = await makeJsonFileStorage(path)
    await first.transaction("shop", ({ keys }) => keys.insert(answer("k1")))
    const second = await makeJsonFileStorage(path)
    const found = await second.transaction("shop", ({ keys }) => keys.get("k1"))
    expect(found).toEqual(answer("k1"))
    expect(await second.accounts()).toEqual(["shop"])
  }))

test("no account can name a file outside of the folder, or that of another account", () =>
  withFolder(async (path) => {
    const storage = await makeJsonFileStorage(join(path, "inside"))
    const ids = ["../up", "..", ".", "/etc", "A", "a", "a_b", "ä", "", "a/b", "_0041", "\u0000"]
    for (const id of ids) {
      await storage.transaction(id, ({ keys }) => keys.insert(answer(`key of ${id}`)))
    }
    expect(await storage.accounts()).toEqual([...ids].sort())
    expect(await readdir(path)).toEqual(["inside"])
    const names = await readdir(join(path, "inside"))
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length)
  }))

test("of two that change an account at the same time the later one has a conflict", () =>
  withFolder(async (path) => {
    const storage = await makeJsonFileStorage(path)
    const late = storage.transaction("shop", async ({ keys }) => {
      await keys.insert(answer("late"))
      await storage.transaction("shop", (others) => others.keys.insert(answer("early")))
    })
    await expect(late).rejects.toBeInstanceOf(Conflict)
    const kept = await storage.transaction("shop", async ({ keys }) => ({
      early: (await keys.get("early")) !== undefined,
      late: (await keys.get("late")) !== undefined,
    }))
    expect(kept).toEqual({ early: true, late: false })
  }))

test("sales that are recorded at the same time are all counted", () =>
  withFolder(async (path) => {
    const apportion = await makeApportion({ storage: await makeJsonFileStorage(path) })
    await apportion.collaborators.create("shop", { id: "ada", currency: "EUR" })
    const link = { type: "products.all" } as const
    await apportion.groups.create("shop", "ada", { link, percent: 10 })
    const record = (id: string) =>
      apportion.sales.record("shop", {
        id,
        currency: "EUR",
        items: [{ id: "1", amount: 1_000, quantity: 1, product: { id: "p1" } }],
      })
    await Promise.all(["o1", "o2", "o3", "o4", "o5", "o1"].map(record))
    const { entries } = await apportion.payouts.list("shop", {})
    expect(entries.map(({ payout }) => payout)).toMatchObject([{ total: 500, itemsCount: 5 }])
    await apportion.close()
  }))

test("one who only read has no conflict and leaves the file alone", () =>
  withFolder(async (path) => {
    const storage = await makeJsonFileStorage(path)
    const reading = storage.transaction("shop", async ({ keys }) => {
      await storage.transaction("shop", (others) => others.keys.insert(answer("k1")))
      return keys.get("k1")
    })
    expect(await reading).toBe(undefined)
    const [name = ""] = await readdir(path)
    expect(JSON.parse(await readFile(join(path, name), "utf8")).revision).toBe(1)
  }))

test("what JSON can not hold is refused, and the file stays as it was with nothing beside it", () =>
  withFolder(async (path) => {
    const storage = await makeJsonFileStorage(path)
    await storage.transaction("shop", ({ keys }) => keys.insert(answer("k1")))
    const unwritable = { ...answer("k2"), createdAt: 1n } as unknown as ReturnType<typeof answer>
    await expect(
      storage.transaction("shop", ({ keys }) => keys.insert(unwritable)),
    ).rejects.toBeInstanceOf(TypeError)
    expect(await readdir(path)).toEqual(["shop.json"])
    const found = await storage.transaction("shop", ({ keys }) => keys.get("k1"))
    expect(found).toEqual(answer("k1"))
  }))

test("a file that is no JSON is a failure, and is not written over", () =>
  withFolder(async (path) => {
    const storage = await makeJsonFileStorage(path)
    await writeFile(join(path, "shop.json"), "{")
    const writing = storage.transaction("shop", ({ keys }) => keys.insert(answer("k1")))
    await expect(writing).rejects.toBeInstanceOf(SyntaxError)
    expect(await readFile(join(path, "shop.json"), "utf8")).toBe("{")
  }))

test("the example imports nothing but Node and the entry points of apportion", async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".mjs"))
  const imported = await Promise.all(
    names.map(async (name) =>
      Array.from(
        (await readFile(join(folder, name), "utf8")).matchAll(/(?:from |import\()"([^"]+)"/g),
        ([, specifier = ""]) => specifier,
      ),
    ),
  )
  const known = /^(?:node:[a-z/]+|\.\/[\w-]+\.mjs|apportion(?:\/(?:ports|promise|testing))?)$/
  expect(imported.flat().length).toBeGreaterThan(10)
  expect(imported.flat().filter((specifier) => !known.test(specifier))).toEqual([])
})
