import { Storage, StorageFailure, type StorageService } from "apportion/ports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { open } from "./Shop.js"

/** A storage of which what it can do is said from outside. */
const openChanging = async () => {
  const now = { reads: true, writes: true, answers: true, asked: 0 }
  const failure = StorageFailure.of("write", "no space left on device")
  const change = (storage: StorageService): StorageService => ({
    ...storage,
    transaction: (accountId, work, options) => {
      now.asked += 1
      if (!now.answers) return Effect.never
      const isFine = options?.mode === "read" ? now.reads : now.writes
      return isFine ? storage.transaction(accountId, work, options) : Effect.fail(failure)
    },
  })
  const shop = await open({ logRequests: false }, change)
  const ready = async () => (await shop.ask("GET", "/ready", { token: null })).status
  return { ...shop, now, ready }
}

const newGroup = JSON.stringify({ itemType: "products.all", type: "percentage", percent: 5 })

describe("whether it is ready", () => {
  it("depends on the storage, which is asked at most once a second", async () => {
    const { now, ready, pass, close } = await openChanging()
    expect(await ready()).toBe(200)
    const { asked } = now
    for (let times = 0; times < 50; times += 1) expect(await ready()).toBe(200)
    expect(now.asked).toBe(asked)
    now.reads = false
    await pass(1)
    expect(await ready()).toBe(503)
    now.reads = true
    await pass(1)
    expect(await ready()).toBe(200)
    await close()
  })

  it("is said within two seconds though the storage says nothing, which is asked no second time meanwhile", async () => {
    const { now, ready, pass, close } = await openChanging()
    now.answers = false
    await pass(1)
    const first = ready()
    await pass(2)
    expect(await first).toBe(503)
    const { asked } = now
    const second = ready()
    await pass(2)
    expect(await second).toBe(503)
    expect(now.asked).toBe(asked)
    await close()
  })

  it("is denied once something could not be written, until it can be, and nothing of that is left behind", async () => {
    const { now, ready, ask, run, pass, close } = await openChanging()
    now.writes = false
    const path = "/v1/collaborators/ada/products"
    expect((await ask("PUT", path, { token: "ada-token", body: newGroup })).status).toBe(503)
    expect(await ready()).toBe(503)
    await pass(1)
    expect(await ready()).toBe(503)
    now.writes = true
    await pass(1)
    expect(await ready()).toBe(200)
    const kept = await run(
      Effect.flatMap(Storage, (storage) =>
        storage.transaction("store", ({ keys }) => keys.get("apportion/ready"), { mode: "read" }),
      ),
    )
    expect(kept).toBeUndefined()
    await close()
  })

  it("is also for the host to say, who may take its time", async () => {
    let isReady = false
    const shop = await open({ isReady: async () => isReady })
    const status = async () => (await shop.ask("GET", "/ready", { token: null })).status
    expect(await status()).toBe(503)
    isReady = true
    expect(await status()).toBe(200)
    await shop.close()
    const broken = await open({ isReady: () => Promise.reject(new RangeError("no")) })
    expect((await broken.ask("GET", "/ready", { token: null })).status).toBe(503)
    await broken.close()
  })

  it("is another question than whether the process answers at all", async () => {
    const failure = StorageFailure.of("read", "the disk is full")
    const refusing = (storage: StorageService): StorageService => ({
      ...storage,
      transaction: () => Effect.fail(failure),
    })
    const shop = await open({ isReady: () => false }, refusing)
    const { status, json } = await shop.ask("GET", "/health", { token: null })
    expect([status, json]).toEqual([200, { status: "ok" }])
    expect((await shop.ask("GET", "/ready", { token: null })).status).toBe(503)
    await shop.close()
  })
})
