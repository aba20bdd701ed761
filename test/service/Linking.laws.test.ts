/** Whatever is done to groups and products, when all jobs are done the links are those of the core. */
import { type Product, type ProductGroup, RuleSet } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { Conflict, productKeyOf, type StorageService } from "apportion/ports"
import { Collaborators, type NewGroup, ProductGroups, Products } from "apportion/service"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { linked, runTest, startProcess } from "./Storefront.js"

type Link = NewGroup["link"]

type Step =
  | { readonly kind: "create" | "update"; readonly groupId: string; readonly link: Link }
  | { readonly kind: "pay"; readonly groupId: string; readonly percent: number }
  | { readonly kind: "remove"; readonly groupId: string }
  | { readonly kind: "put"; readonly products: ReadonlyArray<Product.Product> }
  | { readonly kind: "take out"; readonly keys: ReadonlyArray<string> }
  | { readonly kind: "wait"; readonly turns: number }
  | { readonly kind: "restart" }

const groupId = fc.constantFrom("g1", "g2", "g3", "g4")
const tag = fc.constantFrom("art", "Art ", "wall", "music")
const vendor = fc.constantFrom("North", " north", "South")
const productId = fc.constantFrom("p1", "p2", "p3", "p4", "p5", "p6")
const some = (value: fc.Arbitrary<string>) => fc.array(value, { minLength: 1, maxLength: 3 })

const link: fc.Arbitrary<Link> = fc.oneof(
  fc.record({ type: fc.constant("products.all" as const) }),
  ...[
    { type: "products.tag", values: some(tag) } as const,
    { type: "products.vendor", values: some(vendor) } as const,
    { type: "products", values: some(productId) } as const,
  ].map(({ type, values }) =>
    fc.record({
      type: fc.constant(type),
      modifier: fc.constantFrom("WITH" as const, "WITH" as const, "NOT" as const),
      values,
    }),
  ),
)

const product: fc.Arbitrary<Product.Product> = fc.record(
  {
    id: productId,
    externalId: productId,
    otherIds: fc.array(productId, { maxLength: 2 }),
    externalVariantId: fc.constantFrom("red", "blue"),
    vendor,
    tags: fc.array(tag, { maxLength: 2 }),
  },
  { requiredKeys: ["id"] },
)

const key = fc.tuple(productId, fc.constantFrom("", "/red", "/blue")).map(([id, end]) => id + end)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("create" as const), groupId, link }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("update" as const), groupId, link }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("pay" as const), groupId, percent: fc.nat(100) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), groupId }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      products: fc.array(product, { maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("take out" as const),
      keys: fc.array(key, { maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), turns: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
)

const change = (id: string, to: Partial<ProductGroup.GroupInput>) =>
  Effect.flatMap(ProductGroups, (groups) =>
    groups.update(
      "shop",
      "ada",
      id,
      (group): Result.Result<ProductGroup.GroupInput> => Result.succeed({ ...group, ...to }),
    ),
  )

const perform = Effect.fnUntraced(function* (
  each: Exclude<Step, { readonly kind: "wait" | "restart" }>,
) {
  const groups = yield* ProductGroups
  const products = yield* Products
  switch (each.kind) {
    case "create": {
      const group = { id: each.groupId, link: each.link, percent: 5 }
      yield* groups.create("shop", "ada", group)
      return
    }
    case "update":
      yield* change(each.groupId, { link: each.link })
      return
    case "pay":
      yield* change(each.groupId, { percent: each.percent })
      return
    case "remove":
      return yield* groups.remove("shop", "ada", each.groupId)
    case "put":
      return yield* products.put("shop", each.products)
    case "take out":
      return yield* products.remove("shop", each.keys)
  }
})

/** Does a step. A group that is there already, or is not there, is no fault: steps are random. */
const act = (each: Exclude<Step, { readonly kind: "wait" | "restart" }>) =>
  Effect.catchTag(perform(each), ["NotFound", "AlreadyExists"], () => Effect.void)

/** For each product, the groups that it should be linked to and those that it is. */
const compare = (storage: StorageService) =>
  storage.transaction("shop", ({ groups, products, links }) =>
    Effect.gen(function* () {
      const all = yield* products.batch({ after: undefined, limit: 1_000 })
      const rules = RuleSet.make(yield* groups.all)
      const found = yield* links.groupsOf(all.map(productKeyOf))
      const counts = yield* links.counts(rules.groups.map(({ id }) => id))
      const right = all.map((each) =>
        RuleSet.linkedGroups(rules, each)
          .map(({ id }) => id)
          .sort(),
      )
      const rightCounts = rules.groups.map(
        ({ id }) => right.flat().filter((each) => each === id).length,
      )
      return {
        is: { links: found.map((ids) => [...ids].sort()), counts },
        right: { links: right, counts: rightCounts },
      }
    }),
  )

/** A storage that now and then takes a transaction back and says that someone else was first. */
const refusing = (storage: StorageService, everySo: number): StorageService => {
  let count = 0
  return {
    ...storage,
    transaction: (accountId, work, options) =>
      Effect.suspend(() => {
        count += 1
        const conflict = count % everySo === 0 ? Effect.fail(Conflict.of("it", "1")) : Effect.void
        return storage.transaction(
          accountId,
          (stores) => Effect.tap(work(stores), () => conflict),
          options,
        )
      }),
  }
}

/** Lets time go by, so that what waits before it tries again comes to its turn. */
const tick = Effect.forever(Effect.andThen(TestClock.adjust("1 second"), Effect.yieldNow))

const playOut = (options: {
  readonly steps: ReadonlyArray<Step>
  readonly batchSize: number
  readonly processes: number
  /** Every how many transactions the storage refuses one; none when absent. */
  readonly refusals?: number
}) =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* MemoryStorage.make
      const { refusals, batchSize } = options
      if (refusals !== undefined) yield* Effect.forkScoped(tick)
      const used = refusals === undefined ? storage : refusing(storage, refusals)
      const start = startProcess(used, { linkBatchSize: batchSize, conflictRetries: 1_000 })
      const running = yield* Effect.all(Array.from({ length: options.processes }, () => start))
      const [first] = running
      if (first === undefined) return
      yield* first.run(
        Effect.flatMap(Collaborators, (each) =>
          each.create("shop", { id: "ada", currency: "EUR" }),
        ),
      )
      for (const [number, each] of options.steps.entries()) {
        const place = number % running.length
        if (each.kind === "wait") {
          for (let turn = 0; turn < each.turns; turn += 1) yield* Effect.yieldNow
        } else if (each.kind === "restart") {
          yield* running[place]?.stop ?? Effect.void
          running[place] = yield* start
        } else {
          yield* running[place]?.run(act(each)) ?? Effect.void
        }
      }
      yield* linked(storage, "shop")
      const { is, right } = yield* compare(storage)
      expect(is).toEqual(right)
      for (const process of running) yield* process.stop
    }),
  )

test.each([1, 2, 3, 500])(
  "with batches of %i, the links end as the core alone would have them",
  (batchSize) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.constantFrom(1, 1, 2),
        (steps, processes) => playOut({ steps, batchSize, processes }),
      ),
      runs(150),
    ),
)

test("so they do when the store refuses transactions now and then because someone was first", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 20 }),
      fc.constantFrom(1, 2),
      fc.constantFrom(2, 3, 5),
      (steps, processes, refusals) => playOut({ steps, batchSize: 2, processes, refusals }),
    ),
    runs(15),
  ))
