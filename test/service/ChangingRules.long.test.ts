/**
 * Whatever was done to the product groups of accounts, sales are split as a rule set splits them that is
 * made anew from the groups that are stored: in several processes, within units of work and after them, and
 * after changes that were taken back.
 */
import { Collaborator, type Order, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import { MemoryStorage } from "apportion/memory"
import {
  ExchangeRates,
  Storage,
  type StorageError,
  type StorageService,
  type Stores,
} from "apportion/ports"
import { ProductGroups, Sales, settingsLayer, UnitOfWork } from "apportion/service"
import { Context, Effect, Layer, Logger, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { secureRandom } from "../generators/Chance.js"
import { isWhole } from "../generators/Runs.js"
import { groupOf, replacementOf } from "../oracle/long/Groups.js"
import { orderOf, productOf } from "../oracle/long/Orders.js"
import { Random } from "../oracle/long/Random.js"
import { type Scene, type Shape, sceneOf } from "../oracle/long/Scene.js"
import { clientFor, emptyStorage, pglite } from "../sql/databases.js"
import { makeOptimistic } from "./OptimisticStorage.js"

type Services = ProductGroups | Sales | UnitOfWork

/** What is done wants to be answered, not refused: whoever asks for too much gets what is left. */
const policy = SplitPolicy.make({ overAllocation: "rank", stacking: "all", shipping: "share" })

const accounts = ["north", "south"] as const
type Account = (typeof accounts)[number]

/** Enough groups that a change of one, or of two, is a change of few. */
const groupsAtFirst = 40
const mostIds = 60

/** How a storage gives what it keeps. */
const kinds = {
  "the objects that it keeps": (storage: StorageService) => storage,
  "new objects each time, in any order": (storage: StorageService, random: Random) =>
    givingGroups(storage, (groups) => random.shuffled(structuredClone(groups))),
  "the revision of before to whoever changes them": (storage: StorageService) =>
    numberingLate(storage),
  "some new objects": (storage: StorageService, random: Random) =>
    givingGroups(storage, (groups) =>
      groups.map((group) => (random.percent(30) ? structuredClone(group) : group)),
    ),
}

/** Within a transaction the number of the groups' revision stays as it was, though it changes groups. */
const numberingLate = (storage: StorageService): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    storage.transaction(
      accountId,
      (stores) =>
        Effect.flatMap(stores.groups.revision, (number) => {
          const groups = { ...stores.groups, revision: Effect.succeed(number) }
          return work({ ...stores, groups })
        }),
      options,
    ),
})

type Give = (groups: Array<ProductGroup.ProductGroup>) => ReadonlyArray<ProductGroup.ProductGroup>

const givingGroups = (storage: StorageService, give: Give): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    storage.transaction(
      accountId,
      (stores) => {
        const all = Effect.map(stores.groups.all, (groups) => give([...groups]))
        return work({ ...stores, groups: { ...stores.groups, all } })
      },
      options,
    ),
})

/** The stores of a unit of work, for a test that looks at them from within. */
interface Inside {
  stores?: Stores
}

const Looking = Context.Reference<Inside>("test/service/Looking", { defaultValue: () => ({}) })

const lookingInto = (storage: StorageService): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    Effect.flatMap(Looking, (inside) =>
      storage.transaction(
        accountId,
        (stores) => {
          inside.stores = stores
          return work(stores)
        },
        options,
      ),
    ),
})

const servicesOver = (storage: StorageService, seed: number): Layer.Layer<Services> =>
  Layer.mergeAll(ProductGroups.layer, Sales.layer, UnitOfWork.layer).pipe(
    Layer.provide(settingsLayer({ policy })),
    Layer.provide(Layer.succeed(ExchangeRates)({ rate: () => Effect.succeed("1") })),
    Layer.provide(Layer.sync(SecureRandom.SecureRandom)(() => secureRandom(seed))),
    Layer.provide(Layer.succeed(Storage)(storage)),
    Layer.orDie,
  )

const told = <E extends { readonly _tag: string; readonly message: string }>(
  answer: Result.Result<Split.Split, E>,
): unknown =>
  Result.isSuccess(answer)
    ? answer.success
    : { error: answer.failure._tag, message: answer.failure.message }

interface World {
  readonly scene: Scene
  readonly storage: StorageService
  /** How often what was compared, or came about. */
  readonly counts: { splits: number; shares: number; changes: number; undone: number }
  orders: number
  /** Lets a second go by, where the test holds the clock. */
  readonly later: Effect.Effect<void>
}

const nextOrder = (world: World): Order.Order => {
  const { scene } = world
  world.orders += 1
  const order = orderOf(scene, `order ${world.orders}`, () => productOf(scene))
  return { ...order, createdAt: order.createdAt ?? 1_500 }
}

/** Asks for the split of an order, and compares it with that of the groups that are stored. */
const compare = Effect.fnUntraced(function* (
  world: World,
  accountId: Account,
  stored: Effect.Effect<ReadonlyArray<ProductGroup.ProductGroup>, StorageError>,
) {
  const order = nextOrder(world)
  const preview = yield* Effect.result((yield* Sales).preview(accountId, order))
  // A unit of work that meets a conflict runs again.
  if (Result.isFailure(preview) && preview.failure._tag === "Conflict") {
    return yield* Effect.fail(preview.failure)
  }
  const groups: Array<ProductGroup.GroupInput> = JSON.parse(JSON.stringify(yield* stored))
  const anew = RuleSet.make(world.scene.random.shuffled(groups))
  const wanted = Split.orderResult(anew, order, policy)
  expect(told(Result.map(preview, ({ split }) => split))).toEqual(told(wanted))
  world.counts.splits += 1
  if (Result.isSuccess(wanted)) world.counts.shares += wanted.success.shares.length
})

const storedOf = ({ storage }: World, accountId: Account) =>
  Effect.retry(
    storage.transaction(accountId, ({ groups }) => groups.all),
    { times: 20 },
  )

const withinUnit = Effect.flatMap(
  Looking,
  ({ stores }) => stores?.groups.all ?? Effect.die("no transaction is open"),
)

/** One group more, one less, or one in the place of another; ids come again, in all accounts. */
const change = Effect.fnUntraced(function* (world: World, accountId: Account) {
  const { scene } = world
  const { random } = scene
  const groups = yield* ProductGroups
  const id = `g${random.below(mostIds)}`
  const collaboratorId = random.pick(scene.collaborators)
  const place = random.below(100)
  const { createdAt: _, ...made } = groupOf(scene, id)
  const found = (yield* groups.list(accountId, collaboratorId, { page: 1, perPage: 50 })).entries
  const old = found.length === 0 ? undefined : random.pick(found).group
  if (old === undefined || place < 35) {
    return yield* groups.create(accountId, collaboratorId, made)
  }
  if (place < 60) return yield* groups.remove(accountId, collaboratorId, old.id)
  const same = (group: ProductGroup.ProductGroup): ProductGroup.GroupInput => ({ ...group })
  const other = (group: ProductGroup.ProductGroup) => replacementOf(scene, group)
  const next = place < 70 ? same : other
  return yield* groups.update(accountId, collaboratorId, old.id, (group) =>
    Result.succeed(next(group)),
  )
})

/** A change that may be refused, as that of a group that is there already is. */
const tryChange = (world: World, accountId: Account) =>
  Effect.tap(Effect.result(change(world, accountId)), (result) =>
    Effect.sync(() => {
      if (Result.isSuccess(result)) world.counts.changes += 1
    }),
  )

/** Changes and questions in one unit of work, which may be taken back at its end. */
const unit = Effect.fnUntraced(function* (world: World, accountId: Account) {
  const { random } = world.scene
  const isTakenBack = random.percent(50)
  const work = Effect.gen(function* () {
    if (random.percent(50)) yield* compare(world, accountId, withinUnit)
    for (let left = random.between(1, 4); left > 0; left -= 1) {
      yield* change(world, accountId)
      if (random.percent(70)) yield* compare(world, accountId, withinUnit)
    }
    if (isTakenBack) return yield* Effect.fail("taken back")
  })
  const done = yield* Effect.result(
    Effect.provideService((yield* UnitOfWork).run(accountId, work), Looking, {}),
  )
  if (Result.isFailure(done)) world.counts.undone += 1
})

const step = Effect.fnUntraced(function* (world: World, processes: ReadonlyArray<Process>) {
  const { random } = world.scene
  const process = random.pick(processes)
  const accountId = random.pick(accounts)
  const place = random.below(100)
  if (place < 50) return yield* process(tryChange(world, accountId))
  if (place < 80) return yield* process(unit(world, accountId))
  const asked = Effect.flatMap(Sales, (sales) =>
    Effect.result(sales.preview(accountId, nextOrder(world))),
  )
  const atOnce = Array.from({ length: 6 }, () => [
    random.pick(processes)(asked),
    random.pick(processes)(tryChange(world, random.pick(accounts))),
  ]).flat()
  yield* Effect.all(atOnce, { concurrency: "unbounded" })
})

type Process = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.Effect<A, E>

const open = Effect.fnUntraced(function* (world: World) {
  const { scene, storage } = world
  for (const accountId of accounts) {
    const insertion = storage.transaction(accountId, ({ collaborators }) =>
      Effect.forEach(scene.collaborators, (id) => {
        const collaborator = Collaborator.make({ id, currency: "USD" })
        return collaborators.insert({ collaborator, createdAt: 0, updatedAt: 0 })
      }),
    )
    yield* Effect.retry(insertion, { times: 20 })
  }
})

/** Groups at first; of those that are made up some are refused, as what a group may ask for is less. */
const fill = Effect.fnUntraced(function* (world: World, accountId: Account) {
  const groups = yield* ProductGroups
  for (let number = 0; number < groupsAtFirst; ) {
    const { createdAt: _, collaboratorId, ...made } = groupOf(world.scene, `g${number}`)
    const created = yield* Effect.result(groups.create(accountId, collaboratorId, made))
    if (Result.isSuccess(created)) number += 1
    yield* world.later
  }
})

interface Plan {
  readonly seed: number
  readonly shape: Shape
  readonly steps: number
  readonly wrap: (storage: StorageService, random: Random) => StorageService
  readonly storage: Effect.Effect<StorageService>
  readonly clock: "of the test" | "of the computer"
}

const play = Effect.fnUntraced(function* (plan: Plan) {
  const { seed, shape, steps, wrap } = plan
  const random = new Random(seed)
  const storage = yield* plan.storage
  const counts = { splits: 0, shares: 0, changes: 0, undone: 0 }
  const world: World = {
    scene: sceneOf(random, shape),
    storage,

    counts,
    orders: 0,
    later: plan.clock === "of the test" ? TestClock.adjust("1 second") : Effect.void,
  }
  yield* open(world)
  const shared = lookingInto(wrap(storage, new Random(seed, 1)))
  const contexts = yield* Effect.forEach([1, 2], (number) =>
    Layer.build(Layer.fresh(servicesOver(shared, number))),
  )
  const processes = contexts.map(
    (context): Process =>
      (effect) =>
        Effect.provideContext(effect, context),
  )
  for (const accountId of accounts) yield* random.pick(processes)(fill(world, accountId))
  for (let left = steps; left > 0; left -= 1) {
    yield* step(world, processes)
    for (const accountId of accounts) {
      for (const process of processes) {
        if (random.percent(70)) {
          yield* process(compare(world, accountId, storedOf(world, accountId)))
        }
      }
    }
    yield* world.later
  }
  return counts
})

const run = (plan: Plan) => {
  const counts = Effect.scoped(Effect.provide(play(plan), Logger.layer([])))
  const isTimed = plan.clock === "of the test"
  return Effect.runPromise(isTimed ? Effect.provide(counts, TestClock.layer()) : counts)
}

const isLong = (counts: World["counts"]) => {
  expect(counts.splits).toBeGreaterThan(60)
  expect(counts.shares).toBeGreaterThan(200)
  expect(counts.changes).toBeGreaterThan(20)
  expect(counts.undone).toBeGreaterThan(3)
}

const shapes = [
  ["dense", 3],
  ["small", 1],
  ["medium", 2],
] as const

describe.each(Object.entries(kinds))(
  "sales follow the groups of a storage that gives %s",
  (_, wrap) => {
    test.each(isWhole ? shapes : shapes.slice(0, 1))(
      "in long histories of changes (%s)",
      async (shape, seed) => {
        isLong(
          await run({
            seed,
            shape,
            steps: 60,
            wrap,
            storage: MemoryStorage.make,
            clock: "of the test",
          }),
        )
      },
    )
  },
)

test("sales follow the groups when transactions run side by side, meet conflicts and run again", async () => {
  const storage = makeOptimistic({ seed: 4, failures: 0.002 })
  const wrap = kinds["the objects that it keeps"]
  isLong(
    await run({
      seed: 4,
      shape: "medium",
      steps: 70,
      wrap,
      storage: Effect.succeed(storage),
      clock: "of the computer",
    }),
  )
  expect(storage.conflicts()).toBeGreaterThan(0)
})

describe.each(isWhole ? ["PGlite"] : [])("in %s", () => {
  const client = clientFor(() => pglite)

  test("sales follow the groups in a long history of changes", async () => {
    const wrap = kinds["the objects that it keeps"]
    const storage = Effect.orDie(emptyStorage(client(), {}))
    isLong(await run({ seed: 7, shape: "medium", steps: 30, wrap, storage, clock: "of the test" }))
  })
})
