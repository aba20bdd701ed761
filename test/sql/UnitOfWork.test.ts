import { Storage, type StorageService } from "apportion/ports"
import { type Apportion, makeApportion } from "apportion/promise"
import { Collaborators, UnitOfWork } from "apportion/service"
import type { SqlStorage } from "apportion/sql"
import { Deferred, Effect, Fiber, Layer, Logger } from "effect"
import { afterEach, describe, expect, test } from "vitest"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const shop = "shop"
const other = "another shop"
const ada = { id: "ada", currency: "USD" } as const
const ben = { id: "ben", currency: "USD" } as const
const page = { page: 1, perPage: 15 }

type Services = Collaborators | UnitOfWork | Storage

interface Kind {
  readonly name: string
  readonly layer: Parameters<typeof clientFor>[0]
  readonly options?: SqlStorage.SqlStorageOptions
}

const engines: ReadonlyArray<Kind & { readonly hasOneConnection: boolean }> = [
  { name: "PGlite", layer: () => pglite, hasOneConnection: true },
  { name: "PostgreSQL", layer: () => postgres("unit_queue"), hasOneConnection: false },
  {
    name: "PostgreSQL, optimistic",
    layer: () => postgres("unit_optimistic"),
    options: { concurrency: "optimistic" },
    hasOneConnection: false,
  },
]

const idsOf = (accountId: string) =>
  Effect.gen(function* () {
    const { entries } = yield* (yield* Collaborators).list(accountId, page)
    return entries.map(({ collaborator }) => collaborator.id)
  })

const withinAnother = {
  _tag: "StorageFailure",
  doing: "begin a transaction within another one",
}

describe.each(engines)("on $name", ({ layer, options = {}, hasOneConnection }) => {
  const client = clientFor(layer)
  const open: Array<Apportion> = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((apportion) => apportion.close()))
  })

  const empty = (): Promise<StorageService> => Effect.runPromise(emptyStorage(client(), options))

  const run = async <A, E>(program: Effect.Effect<A, E, Services>): Promise<A> => {
    const services = Layer.mergeAll(Collaborators.layer, UnitOfWork.layer, Logger.layer([]))
    const storage = Layer.succeed(Storage)(await empty())
    return Effect.runPromise(Effect.provide(program, Layer.provideMerge(services, storage)))
  }

  test("all calls of a unit of work are kept together, and see each other", async () => {
    const { inside, kept } = await run(
      Effect.gen(function* () {
        const collaborators = yield* Collaborators
        const unit = yield* UnitOfWork
        const inside = yield* unit.run(
          shop,
          Effect.gen(function* () {
            yield* collaborators.create(shop, ada)
            yield* unit.run(shop, collaborators.create(shop, ben))
            return yield* idsOf(shop)
          }),
        )
        return { inside, kept: yield* idsOf(shop) }
      }),
    )
    expect({ inside, kept }).toEqual({ inside: ["ada", "ben"], kept: ["ada", "ben"] })
  })

  test("nothing of a unit of work is kept when a call in it fails", async () => {
    const { error, kept } = await run(
      Effect.gen(function* () {
        const collaborators = yield* Collaborators
        const unit = yield* UnitOfWork
        const both = Effect.andThen(
          collaborators.create(shop, ada),
          collaborators.create(shop, { ...ben, currency: "dollars" }),
        )
        const error = yield* Effect.flip(unit.run(shop, both))
        return { error, kept: yield* idsOf(shop) }
      }),
    )
    expect(error._tag).toBe("InvalidCollaborator")
    expect(kept).toEqual([])
  })

  test("all that is read in a unit is of one moment, and others go on meanwhile", async () => {
    const { read, after } = await run(
      Effect.gen(function* () {
        const collaborators = yield* Collaborators
        const unit = yield* UnitOfWork
        yield* collaborators.create(shop, ada)
        const [begun, written] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const both = Effect.gen(function* () {
          const first = yield* idsOf(shop)
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(written)
          return [first, yield* idsOf(shop)]
        })
        const reader = yield* Effect.forkChild(unit.read(shop, both))
        yield* Deferred.await(begun)
        // With one connection, whoever writes waits for the end of the unit.
        const writer = yield* Effect.forkChild(collaborators.create(shop, ben))
        if (!hasOneConnection) yield* Fiber.join(writer)
        yield* Deferred.succeed(written, undefined)
        const read = yield* Fiber.join(reader)
        yield* Fiber.join(writer)
        return { read, after: yield* idsOf(shop) }
      }),
    )
    expect({ read, after }).toEqual({ read: [["ada"], ["ada"]], after: ["ada", "ben"] })
  })

  test("nothing can be changed in a unit that only reads", async () => {
    const exit = await run(
      Effect.gen(function* () {
        const collaborators = yield* Collaborators
        const unit = yield* UnitOfWork
        return yield* Effect.exit(unit.read(shop, collaborators.create(shop, ada)))
      }),
    )
    expect(String(exit)).toContain("only reads can't write")
  })

  test("calls side by side in a unit of work take turns on its connection", async () => {
    const kept = await run(
      Effect.gen(function* () {
        const collaborators = yield* Collaborators
        const unit = yield* UnitOfWork
        const ids = Array.from({ length: 12 }, (_, number) => `c${number + 10}`)
        const make = (id: string) => collaborators.create(shop, { ...ada, id })
        yield* unit.run(shop, Effect.forEach(ids, make, { concurrency: "unbounded" }))
        return yield* idsOf(shop)
      }),
    )
    expect(kept).toHaveLength(12)
  })

  /** Makes ada in a unit of work, and in it, ben in another account. */
  const both = (calling: "failing" | "going on") =>
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      const unit = yield* UnitOfWork
      const inner = collaborators.create(other, ben)
      const work = Effect.gen(function* () {
        yield* collaborators.create(shop, ada)
        return yield* calling === "failing" ? Effect.result(Effect.asVoid(inner)) : inner
      })
      const outcome = yield* Effect.result(Effect.asVoid(unit.run(shop, work)))
      return { outcome, shop: yield* idsOf(shop), other: yield* idsOf(other) }
    })

  if (hasOneConnection) {
    test("a call for another account in a unit of work is refused at once, and so is the unit", async () => {
      const kept = await run(both("going on"))
      expect(kept).toMatchObject({ outcome: { failure: withinAnother }, shop: [], other: [] })
    })

    test("a unit of work may go on without what was refused", async () => {
      const kept = await run(both("failing"))
      expect(kept).toMatchObject({ outcome: { _tag: "Success" }, shop: ["ada"], other: [] })
    })

    test("even reading another account is refused", async () => {
      const error = await run(
        Effect.flatMap(UnitOfWork, (unit) => Effect.flip(unit.run(shop, idsOf(other)))),
      )
      expect(error).toMatchObject(withinAnother)
    })
  } else {
    test("a call for another account in a unit of work is kept by itself", async () => {
      const kept = await run(
        Effect.gen(function* () {
          const collaborators = yield* Collaborators
          const unit = yield* UnitOfWork
          const work = Effect.gen(function* () {
            yield* collaborators.create(shop, ada)
            yield* collaborators.create(other, ben)
            return yield* Effect.fail("no" as const)
          })
          const error = yield* Effect.flip(unit.run(shop, work))
          return { error, shop: yield* idsOf(shop), other: yield* idsOf(other) }
        }),
      )
      expect(kept).toEqual({ error: "no", shop: [], other: ["ben"] })
    })

    test("a unit of work and a call for another account in it are both kept", async () => {
      const kept = await run(both("going on"))
      expect(kept).toMatchObject({ outcome: { _tag: "Success" }, shop: ["ada"], other: ["ben"] })
    })
  }

  test("a transaction of one's own for the same account, beside the unit, is refused at once", async () => {
    const { error, kept } = await run(
      Effect.gen(function* () {
        const storage = yield* Storage
        const unit = yield* UnitOfWork
        const beside = storage.transaction(shop, ({ collaborators }) => collaborators.get("ada"))
        const error = yield* Effect.flip(unit.run(shop, beside))
        return { error, kept: yield* idsOf(shop) }
      }),
    )
    expect(error).toMatchObject(withinAnother)
    expect(kept).toEqual([])
  })

  describe("without Effect", () => {
    const start = async (): Promise<Apportion> => {
      const apportion = await makeApportion({ storage: await empty() })
      open.push(apportion)
      return apportion
    }

    const ids = async ({ collaborators }: Pick<Apportion, "collaborators">, accountId: string) =>
      (await collaborators.list(accountId)).entries.map(({ collaborator }) => collaborator.id)

    test("a unit of work is kept whole or not at all", async () => {
      const apportion = await start()
      const unit = (second: { readonly id: string; readonly currency: string }) =>
        apportion.unitOfWork(shop, async ({ collaborators }) => {
          await collaborators.create(shop, ada)
          await collaborators.create(shop, second)
        })
      await expect(unit(ada)).rejects.toMatchObject({ _tag: "AlreadyExists" })
      expect(await ids(apportion, shop)).toEqual([])
      await unit(ben)
      expect(await ids(apportion, shop)).toEqual(["ada", "ben"])
    })

    test("a unit of work makes calls for other accounts only where there are connections for them", async () => {
      const apportion = await start()
      const unit = apportion.unitOfWork(shop, async ({ collaborators }) => {
        await collaborators.create(shop, ada)
        await collaborators.create(other, ben)
      })
      if (hasOneConnection) await expect(unit).rejects.toMatchObject(withinAnother)
      else await unit
      const kept = hasOneConnection ? [[], []] : [["ada"], ["ben"]]
      expect([await ids(apportion, shop), await ids(apportion, other)]).toEqual(kept)
    })

    test("work that is done once keeps its key with it", async () => {
      const apportion = await start()
      let times = 0
      const once = (id: string) =>
        apportion.once(shop, { key: "k", request: "r" }, async ({ collaborators }) => {
          times += 1
          await collaborators.create(shop, { ...ada, id })
          return times
        })
      await expect(once("")).rejects.toMatchObject({ _tag: "InvalidCollaborator" })
      expect([await once("ada"), await once("ben")]).toEqual([2, 2])
      expect(await ids(apportion, shop)).toEqual(["ada"])
    })
  })
})
