import { MemoryStorage } from "apportion/memory"
import type { PlainStores } from "apportion/ports"
import { type Apportion, makeApportion, type UnitServices } from "apportion/promise"
import { Effect } from "effect"
import { afterEach, describe, expect, test } from "vitest"
import { gate, plainHost } from "./PlainHost.js"

const shop = "my-shop"
const open: Array<Apportion> = []

const memory = () => Effect.runPromise(MemoryStorage.make)

const start = async (options: Parameters<typeof makeApportion>[0] = {}) => {
  const apportion = await makeApportion(options)
  open.push(apportion)
  return apportion
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((apportion) => apportion.close()))
})

const make = (id: string) => ({ id, currency: "USD" })
const idsOf = async ({ collaborators }: Pick<Apportion, "collaborators">) =>
  (await collaborators.list(shop)).entries.map((entry) => entry.collaborator.id)

const storages = {
  "the default storage": async () => undefined,
  "a storage of plain functions": async () => plainHost(await memory()),
}

describe.each(Object.entries(storages))("with %s", (_name, makeStorage) => {
  test("all changes of a unit are kept together, and it sees its own", async () => {
    const apportion = await start({ storage: await makeStorage() })
    const seen = await apportion.unitOfWork(shop, async (services) => {
      await services.collaborators.create(shop, make("ada"))
      await services.collaborators.create(shop, make("bob"))
      return idsOf(services)
    })
    expect(seen).toEqual(["ada", "bob"])
    expect(await idsOf(apportion)).toEqual(["ada", "bob"])
  })

  test("a unit that rejects keeps nothing, and rejects with the very same", async () => {
    const apportion = await start({ storage: await makeStorage() })
    const error = new RangeError("not today")
    const unit = apportion.unitOfWork(shop, async ({ collaborators }) => {
      await collaborators.create(shop, make("ada"))
      throw error
    })
    await expect(unit).rejects.toBe(error)
    expect(await idsOf(apportion)).toEqual([])
  })

  test("a unit whose call fails keeps nothing, and rejects with the error of the call", async () => {
    const apportion = await start({ storage: await makeStorage() })
    await apportion.collaborators.create(shop, make("bob"))
    const unit = apportion.unitOfWork(shop, async ({ collaborators }) => {
      await collaborators.create(shop, make("ada"))
      await collaborators.create(shop, make("bob"))
    })
    await expect(unit).rejects.toMatchObject({ _tag: "AlreadyExists", id: "bob" })
    expect(await idsOf(apportion)).toEqual(["bob"])
  })

  test("calls that nobody waited for belong to the unit", async () => {
    const apportion = await start({ storage: await makeStorage() })
    await apportion.unitOfWork(shop, async ({ collaborators }) => {
      void collaborators.create(shop, make("ada"))
      void collaborators.create(shop, make("bob"))
    })
    expect(await idsOf(apportion)).toEqual(["ada", "bob"])
  })

  test("what a unit keeps is linked in the background", async () => {
    const apportion = await start({ storage: await makeStorage() })
    const groupId = await apportion.unitOfWork(
      shop,
      async ({ collaborators, groups, products }) => {
        await collaborators.create(shop, make("ada"))
        await products.put(shop, [{ id: "p1", name: "Print" }])
        const link = { type: "products.all" } as const
        return (await groups.create(shop, "ada", { link, percent: 10 })).group.id
      },
    )
    let last: unknown
    for await (const progress of apportion.groups.watch(shop, groupId)) last = progress
    expect(last).toMatchObject({ status: "done", productsCount: 1 })
  })

  test("keys within a unit are kept with it, or not", async () => {
    const apportion = await start({ storage: await makeStorage() })
    const options = { idempotencyKey: "k1" }
    const unit = apportion.unitOfWork(shop, async ({ collaborators }) => {
      await collaborators.create(shop, make("ada"), options)
      throw new Error("no")
    })
    await expect(unit).rejects.toThrow("no")
    const created = await apportion.unitOfWork(shop, ({ collaborators }) =>
      collaborators.create(shop, make("ada"), options),
    )
    expect(await apportion.collaborators.create(shop, make("ada"), options)).toEqual(created)
  })
})

test("a unit runs again after a conflict, with services of its own", async () => {
  let conflicts = 2
  const storage = plainHost(await memory(), {
    log: [],
    beforeCommit: async () => {
      conflicts -= 1
      if (conflicts >= 0) throw { _tag: "Conflict" }
    },
  })
  const apportion = await start({ storage })
  const given: Array<UnitServices> = []
  await apportion.unitOfWork(shop, async (services) => {
    given.push(services)
    await services.collaborators.create(shop, make("ada"))
  })
  expect(new Set(given).size).toBe(3)
  expect(await idsOf(apportion)).toEqual(["ada"])
})

test("services of a unit do nothing when it is over", async () => {
  const apportion = await start()
  const services = await apportion.unitOfWork(shop, async (services) => services)
  await expect(services.collaborators.create(shop, make("ada"))).rejects.toMatchObject({
    _tag: "UnitOfWorkEnded",
    accountId: shop,
  })
  expect(await idsOf(apportion)).toEqual([])
})

test("work that a host's storage has given up can do nothing more", async () => {
  const [begun, late] = [gate(), gate()]
  const inner = plainHost(await memory())
  let isImpatient = true
  const apportion = await start({
    storage: {
      accounts: inner.accounts,
      transaction: <A>(
        accountId: string,
        work: (stores: PlainStores) => Promise<A>,
        options?: { readonly mode?: "read" | "write" | undefined },
      ): Promise<A> => {
        if (!isImpatient) return inner.transaction(accountId, work, options)
        return Promise.race([
          inner.transaction(accountId, work, options),
          begun.promise.then(() => Promise.reject<A>(new Error("took too long"))),
        ])
      },
    },
  })
  const afterwards = gate()
  let refused: unknown
  const unit = apportion.unitOfWork(shop, async ({ collaborators }) => {
    begun.resolve()
    await late.promise
    refused = await collaborators.create(shop, make("ada")).catch((error) => error)
    afterwards.resolve()
  })
  await expect(unit).rejects.toMatchObject({ _tag: "StorageFailure" })
  isImpatient = false
  late.resolve()
  await afterwards.promise
  expect(refused).toMatchObject({ _tag: "UnitOfWorkEnded" })
  expect(await idsOf(apportion)).toEqual([])
})
