import { MemoryStorage } from "apportion/memory"
import type { Stores } from "apportion/ports"
import { Store } from "apportion/wire"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as ServeSeeding from "../../../src/cli/serve/ServeStorage.js"

const now = 1_700_000_000
const store = Result.getOrThrow(
  Store.read({
    collaborators: [{ id: "ada", currency: "EUR" }],
    products: [{ id: "p1" }, { id: "p2" }],
    groups: ["g1", "g2"].map((id, index) => ({
      ...{ id, collaborator_id: "ada", itemType: "products.all", type: "flat", amount: 100 },
      ...(index === 0 ? { created_at: 5, updated_at: 7 } : {}),
    })),
    payouts: [
      {
        ...{ id: "pay-1", currency: "EUR", collaborator: "ada", status: "failed" },
        ...{ to_be_paid_at: 9, paid_at: null },
        items: [
          { amount: 900, expense_name: "Workshop" },
          { amount: -200, is_expenses: true, expense_name: "Frames" },
        ],
      },
    ],
  }),
)

/** A storage in memory of which the account `shop` was seeded, and whether that was done. */
const seeded = Effect.gen(function* () {
  const storage = yield* MemoryStorage.make
  return { storage, isSeeded: yield* ServeSeeding.seed(storage, "shop", store) }
})

const atNoon = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.andThen(TestClock.setTime(now * 1_000), work).pipe(
    Effect.provide(TestClock.layer()),
    Effect.runPromise,
  )

/** What an account has after a store was put into the account `shop`. */
const seen = <A, E>(accountId: string, look: (stores: Stores) => Effect.Effect<A, E>) =>
  atNoon(Effect.flatMap(seeded, ({ storage }) => storage.transaction(accountId, look)))

const all = { offset: 0, limit: 10 }

describe("an account that begins with a store", () => {
  it("has its collaborators and products", async () => {
    const [people, products] = await seen("shop", (stores) =>
      Effect.all([stores.collaborators.list(all), stores.products.list({}, all)]),
    )
    expect(people.entries).toEqual([
      { collaborator: store.collaborators[0], createdAt: now, updatedAt: now, version: 1 },
    ])
    expect(products.entries.map(({ id }) => id)).toEqual(["p1", "p2"])
  })

  it("has its groups, with their own times where they have them", async () => {
    const [groups, jobs] = await seen("shop", (stores) =>
      Effect.all([stores.groups.list("ada", all), stores.links.runningJobs(10)]),
    )
    expect(
      groups.entries.map(({ group, updatedAt }) => [group.id, group.createdAt, updatedAt]),
    ).toEqual([
      ["g2", now, now],
      ["g1", 5, 7],
    ])
    expect(jobs.map(({ groupId, groupVersion, after }) => [groupId, groupVersion, after])).toEqual([
      ["g1", 1, null],
      ["g2", 1, null],
    ])
  })

  it("has its payouts with their items and totals", async () => {
    const [payout, items] = await seen("shop", (stores) =>
      Effect.all([stores.payouts.get("pay-1"), stores.payouts.items("pay-1")]),
    )
    expect(payout).toMatchObject({ status: "failed", total: 700, itemsCount: 2, version: 1 })
    expect(items).toEqual(store.payouts[0]?.items)
  })

  it("has nothing in any other account", async () => {
    const people = await seen("other", ({ collaborators }) => collaborators.list(all))
    expect(people.total).toBe(0)
  })
  it("has a history that tells where its payouts came from", async () => {
    const history = await seen("shop", ({ payouts }) =>
      payouts.history({ payoutId: "pay-1", after: 0, limit: 10 }),
    )
    expect(history).toMatchObject([{ version: 1, actor: "seed", at: now, before: null }])
  })

  it("is left as it is when it has something already", async () => {
    const outcome = await atNoon(
      Effect.gen(function* () {
        const { storage, isSeeded } = yield* seeded
        const more = { ...store, collaborators: [], products: [{ id: "p3", tags: [] }] }
        const isSeededAgain = yield* ServeSeeding.seed(storage, "shop", more)
        const { total } = yield* storage.transaction("shop", ({ products }) =>
          products.list({}, all),
        )
        return { isSeeded, isSeededAgain, total }
      }),
    )
    expect(outcome).toEqual({ isSeeded: true, isSeededAgain: false, total: 2 })
  })
})
