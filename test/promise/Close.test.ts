import { MemoryStorage } from "apportion/memory"
import type { PlainStorage } from "apportion/ports"
import { makeApportion } from "apportion/promise"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { gate, plainHost } from "./PlainHost.js"

const shop = "my-shop"
const ada = { id: "ada", currency: "USD" }
const everything = { link: { type: "products.all" }, percent: 10 } as const
const memory = () => Effect.runPromise(MemoryStorage.make)
const closed = { _tag: "Closed" }

test("what is closed takes no more calls", async () => {
  const apportion = await makeApportion()
  await apportion.close()
  await expect(apportion.collaborators.create(shop, ada)).rejects.toMatchObject(closed)
  await expect(apportion.unitOfWork(shop, async () => 1)).rejects.toMatchObject(closed)
  const watching = apportion.groups.watch(shop, "g1")[Symbol.asyncIterator]()
  await expect(watching.next()).rejects.toMatchObject(closed)
})

test("closing twice is closing once", async () => {
  const apportion = await makeApportion()
  expect(apportion.close()).toBe(apportion.close())
  await apportion.close()
})

test("closing waits for the calls that are under way, units of work included", async () => {
  const [begun, go] = [gate(), gate()]
  const storage = await memory()
  const apportion = await makeApportion({ storage })
  const events: Array<string> = []
  const unit = apportion
    .unitOfWork(shop, async ({ collaborators }) => {
      begun.resolve()
      await go.promise
      await collaborators.create(shop, ada)
    })
    .then(() => events.push("kept"))
  await begun.promise
  const closing = apportion.close().then(() => events.push("closed"))
  await expect(apportion.collaborators.list(shop)).rejects.toMatchObject(closed)
  expect(events).toEqual([])
  go.resolve()
  await Promise.all([unit, closing])
  expect(events).toEqual(["kept", "closed"])
})

test("closing ends the linking, which goes on when the storage is opened again", async () => {
  const storage = await memory()
  const [linking, go] = [gate(), gate()]
  let batches = 0
  const slow = plainHost(storage, {
    log: [],
    around: ({ products: { selected: _none, ...products }, ...stores }) => ({
      ...stores,
      products: {
        ...products,
        batch: async (options) => {
          batches += 1
          linking.resolve()
          await go.promise
          return products.batch(options)
        },
      },
    }),
  })
  const first = await makeApportion({ storage: slow, settings: { linkBatchSize: 1 } })
  await first.collaborators.create(shop, ada)
  const ids = ["p1", "p2", "p3", "p4"]
  await first.products.put(
    shop,
    ids.map((id) => ({ id, name: id })),
  )
  const { group } = await first.groups.create(shop, "ada", everything)
  await linking.promise
  const closing = first.close()
  go.resolve()
  await closing
  expect(batches).toBeLessThan(ids.length)

  const second = await makeApportion({ storage })
  let last: unknown
  for await (const progress of second.groups.watch(shop, group.id)) last = progress
  expect(last).toMatchObject({ status: "done", productsCount: 4 })
  await second.close()
})

test("a loop over the progress ends when everything is closed, however far the linking is", async () => {
  const inner = plainHost(await memory())
  const go = gate()
  let mayWrite = true
  const storage: PlainStorage = {
    accounts: inner.accounts,
    transaction: async (accountId, work, options) => {
      if (options?.mode !== "read" && !mayWrite) await go.promise
      return inner.transaction(accountId, work, options)
    },
  }
  const apportion = await makeApportion({ storage })
  const groupId = await apportion.unitOfWork(shop, async ({ collaborators, groups }) => {
    await collaborators.create(shop, ada)
    mayWrite = false
    return (await groups.create(shop, "ada", everything)).group.id
  })
  let closing: Promise<void> | undefined
  const seen: Array<string> = []
  for await (const progress of apportion.groups.watch(shop, groupId)) {
    seen.push(progress.status)
    closing = apportion.close()
  }
  expect(seen).toEqual(["running"])
  go.resolve()
  await closing
})

test("a loop over the progress can be left", async () => {
  const apportion = await makeApportion()
  await apportion.collaborators.create(shop, ada)
  const { group } = await apportion.groups.create(shop, "ada", everything)
  for await (const progress of apportion.groups.watch(shop, group.id)) {
    expect(progress.groupId).toBe(group.id)
    break
  }
  await apportion.close()
})

test("watching a group that is not there rejects", async () => {
  const apportion = await makeApportion()
  const watching = apportion.groups.watch(shop, "g1")[Symbol.asyncIterator]()
  await expect(watching.next()).rejects.toMatchObject({ _tag: "NotFound", id: "g1" })
  await apportion.close()
})
