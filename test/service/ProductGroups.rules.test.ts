/** The rule sets that services keep: never older, and never of a transaction that was not kept. */
import { ProductGroup } from "apportion"
import { MemoryStorage } from "apportion/memory"
import type { StorageService, Stores } from "apportion/ports"
import { Effect, Ref } from "effect"
import { expect, test } from "vitest"
import {
  groupsChange,
  makeRulesCache,
  matchingRules,
  type RulesCache,
  rulesOf,
} from "../../src/service/internal/rules/rules.js"
import { transact } from "../../src/service/internal/transactions.js"

const groupOf = (id: string): ProductGroup.ProductGroup =>
  ProductGroup.make({ id, collaboratorId: "ada", link: { type: "products.all" }, percent: 10 })

const write = { accountId: "shop", mode: "write" } as const
const read = { accountId: "shop", mode: "read" } as const

const insert = (stores: Stores, id: string) =>
  Effect.andThen(groupsChange(stores), stores.groups.insert({ group: groupOf(id), updatedAt: 0 }))

const idsWithin = (cache: RulesCache, stores: Stores) =>
  Effect.map(matchingRules(cache, "shop", stores), ({ groups }) =>
    groups.map(({ id }) => id).sort(),
  )

const idsOf = (cache: RulesCache, storage: StorageService) =>
  transact(storage, read, (stores) => idsWithin(cache, stores))

/** Changes what the stores of groups answer. */
const withGroups = (
  storage: StorageService,
  change: (stores: Stores) => Effect.Effect<Partial<Stores["groups"]>>,
): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    storage.transaction(
      accountId,
      (stores) =>
        Effect.flatMap(change(stores), (changed) =>
          work({ ...stores, groups: { ...stores.groups, ...changed } }),
        ),
      options,
    ),
})

/** Counts how often all groups are read. */
const counting = (storage: StorageService) => {
  let reads = 0
  const counted = withGroups(storage, ({ groups }) =>
    Effect.succeed({
      all: Effect.tap(groups.all, () =>
        Effect.sync(() => {
          reads += 1
        }),
      ),
    }),
  )
  return { storage: counted, reads: () => reads }
}

/**
 * A storage that numbers revisions as simply as the contract allows: one more for each transaction that
 * was kept, so that the number of one that was taken back is given again. Within a transaction that
 * changes groups the number is the old one, or the one it will have.
 */
const plainRevisions = (storage: StorageService, within: "old" | "new"): StorageService => {
  const kept = Ref.makeUnsafe(0)
  return {
    ...storage,
    transaction: (accountId, work, options) =>
      Effect.suspend(() => {
        let changes = 0
        const noting = <A, E>(effect: Effect.Effect<A, E>) =>
          Effect.tap(effect, () =>
            Effect.sync(() => {
              changes = 1
            }),
          )
        const { transaction } = withGroups(storage, ({ groups }) =>
          Effect.succeed({
            insert: (group) => noting(groups.insert(group)),
            revision: Effect.map(Ref.get(kept), (number) =>
              within === "new" ? number + changes : number,
            ),
          }),
        )
        return Effect.tap(transaction(accountId, work, options), () =>
          Ref.update(kept, (number) => number + changes),
        )
      }),
  }
}

test("the rules are read once as long as no group changes", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { storage, reads } = counting(yield* MemoryStorage.make)
      const cache = makeRulesCache()
      yield* transact(storage, write, (stores) => insert(stores, "a"))
      expect(yield* idsOf(cache, storage)).toEqual(["a"])
      expect(yield* idsOf(cache, storage)).toEqual(["a"])
      expect(reads()).toBe(1)
      yield* transact(storage, write, (stores) => insert(stores, "b"))
      expect(yield* idsOf(cache, storage)).toEqual(["a", "b"])
      expect(yield* idsOf(cache, storage)).toEqual(["a", "b"])
      expect(reads()).toBe(2)
    }),
  ))

test("a transaction that changed groups reads its own rules once after each change", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { storage, reads } = counting(yield* MemoryStorage.make)
      const cache = makeRulesCache()
      yield* transact(storage, write, (stores) =>
        Effect.gen(function* () {
          yield* insert(stores, "a")
          expect(yield* idsWithin(cache, stores)).toEqual(["a"])
          expect(yield* idsWithin(cache, stores)).toEqual(["a"])
          yield* insert(stores, "b")
          expect(yield* idsWithin(cache, stores)).toEqual(["a", "b"])
        }),
      )
      expect(reads()).toBe(2)
    }),
  ))

test.each(["old", "new"] as const)(
  "what a transaction saw that was taken back is seen by nobody else, even under the same number (%s)",
  (within) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const storage = plainRevisions(yield* MemoryStorage.make, within)
        const cache = makeRulesCache()
        yield* transact(storage, write, (stores) => insert(stores, "a"))
        expect(yield* idsOf(cache, storage)).toEqual(["a"])
        const reversed = transact(storage, write, (stores) =>
          Effect.gen(function* () {
            expect(yield* idsWithin(cache, stores)).toEqual(["a"])
            yield* insert(stores, "never kept")
            expect(yield* idsWithin(cache, stores)).toEqual(["a", "never kept"])
            return yield* Effect.fail("stop")
          }),
        )
        expect(yield* Effect.flip(reversed)).toBe("stop")
        expect(yield* idsOf(cache, storage)).toEqual(["a"])
        yield* transact(storage, write, (stores) => insert(stores, "b"))
        expect(yield* idsOf(cache, storage)).toEqual(["a", "b"])
      }),
    ),
)

test("what a failed transaction only read is not kept either", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { storage, reads } = counting(yield* MemoryStorage.make)
      const cache = makeRulesCache()
      const failed = transact(storage, read, (stores) =>
        Effect.andThen(idsWithin(cache, stores), Effect.fail("stop")),
      )
      yield* Effect.exit(failed)
      expect(cache.byAccount.get("shop")).toBeUndefined()
      expect(yield* idsOf(cache, storage)).toEqual([])
      expect(reads()).toBe(2)
    }),
  ))

test("an older revision, read late, does not take the place of a newer one", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const inner = yield* MemoryStorage.make
      const cache = makeRulesCache()
      const at = (revision: number, ids: ReadonlyArray<string>) =>
        withGroups(inner, () =>
          Effect.succeed({
            revision: Effect.succeed(revision),
            all: Effect.succeed(ids.map(groupOf)),
          }),
        )
      expect(yield* idsOf(cache, at(2, ["new"]))).toEqual(["new"])
      expect(yield* idsOf(cache, at(1, ["old"]))).toEqual(["old"])
      expect(yield* idsOf(cache, at(2, ["not asked for"]))).toEqual(["new"])
    }),
  ))

test("groups that are no rule set are refused, and not kept", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const inner = yield* MemoryStorage.make
      const cache = makeRulesCache()
      const twice = withGroups(inner, () =>
        Effect.succeed({ all: Effect.succeed([groupOf("a"), groupOf("a")]) }),
      )
      const error = yield* Effect.flip(idsOf(cache, twice))
      expect(error).toMatchObject({ _tag: "InvalidRuleSet", problems: [{ path: "[1].id" }] })
      expect(yield* idsOf(cache, inner)).toEqual([])
    }),
  ))

test("groups that were fine before are taken as they are, and what is wrong beside them is told", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const inner = yield* MemoryStorage.make
      const cache = makeRulesCache()
      const at = (revision: number, groups: ReadonlyArray<ProductGroup.ProductGroup>) =>
        withGroups(inner, () =>
          Effect.succeed({
            revision: Effect.succeed(revision),
            all: Effect.succeed(groups),
          }),
        )
      const [first, second] = [groupOf("a"), groupOf("b")]
      const groupsOf = (storage: StorageService) =>
        transact(storage, read, (stores) =>
          Effect.map(matchingRules(cache, "shop", stores), ({ groups }) => groups),
        )
      const [before] = yield* groupsOf(at(1, [first]))
      const [after, added] = yield* groupsOf(at(2, [first, second]))
      expect(after).toBe(before)
      expect(added).toEqual(second)
      const wrong = [first, { ...second, percent: "120" }]
      const error = yield* Effect.flip(groupsOf(at(3, wrong)))
      expect(error).toMatchObject({ problems: [{ path: "[1].percent" }] })
      const twice = yield* Effect.flip(groupsOf(at(3, [first, groupOf("a")])))
      expect(twice).toMatchObject({ problems: [{ path: "[1].id" }] })
    }),
  ))

test("rules are kept for a thousand accounts, those that were asked for last", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const storage = yield* MemoryStorage.make
      const cache = makeRulesCache()
      const ask = (accountId: string) =>
        transact(storage, { accountId, mode: "read" }, (stores) =>
          rulesOf(cache, accountId, stores),
        )
      yield* ask("first")
      yield* ask("second")
      for (let number = 0; number < 998; number += 1) yield* ask(`account ${number}`)
      yield* ask("first")
      yield* ask("one more")
      expect(cache.byAccount.get("first")).toBeDefined()
      expect(cache.byAccount.get("account 0")).toBeDefined()
      expect(cache.byAccount.get("second")).toBeUndefined()
    }),
  ))
