/** The checks of the tests of crashes find what they are there to find. */
import { MemoryStorage } from "apportion/memory"
import {
  StorageFailure,
  type StorageService,
  type Stores,
  type TransactionOptions,
} from "apportion/ports"
import { Data, Effect } from "effect"
import { describe, expect, test } from "vitest"
import { bookProblems, readBooks } from "./Books.js"
import { makeScripts } from "./Checked.js"
import { endProblems, persist } from "./Persistence.js"
import { serialOrder } from "./SerialOrder.js"
import type { Attempt } from "./WatchedStorage.js"
import { runWriters } from "./Writers.js"

/** Counts, and says when something is to go wrong. */
const every = (times: number): (() => boolean) => {
  let count = 0
  return () => {
    count += 1
    return count % times === 0
  }
}

const memory = (): StorageService => Effect.runSync(MemoryStorage.make)

/** A storage of which some transactions that write are run in another way. */
const faulty = (
  storage: StorageService,
  isFault: () => boolean,
  fault: <A, E, R>(
    run: (change: (stores: Stores) => Stores) => Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | StorageFailure, R>,
): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) => {
    if (options?.mode === "read" || !isFault()) return storage.transaction(accountId, work, options)
    return fault((change) =>
      storage.transaction(accountId, (stores) => work(change(stores)), options),
    )
  },
})

class Undone extends Data.TaggedError("Undone") {}

/** A storage that takes some transactions back and says that it has kept them. */
const forgetful = (storage: StorageService, isFault: () => boolean): StorageService => ({
  ...storage,
  transaction: <A, E, R>(
    accountId: string,
    work: (stores: Stores) => Effect.Effect<A, E, R>,
    options?: TransactionOptions,
  ) => {
    if (options?.mode === "read" || !isFault()) return storage.transaction(accountId, work, options)
    const answers: Array<A> = []
    const undone = storage.transaction(
      accountId,
      (stores) =>
        Effect.flatMap(work(stores), (answer) => {
          answers.push(answer)
          return Effect.fail(new Undone())
        }),
      options,
    )
    return Effect.catch(undone, (error) =>
      error instanceof Undone ? Effect.succeed(answers[0] as A) : Effect.fail(error),
    )
  },
})

const write = (storage: StorageService) =>
  Effect.runPromise(
    runWriters({
      storage,
      accounts: ["shop"],
      writers: 8,
      millis: 0,
      deeds: 600,
      seed: 1,
    }),
  )

describe("many writers", () => {
  test("have nothing to complain of in memory", async () => {
    const { problems, deeds } = await write(memory())
    expect(problems).toEqual([])
    expect(deeds).toBeGreaterThanOrEqual(600)
  })

  test("find a payout of which one change is not written down", async () => {
    const isFault = every(40)
    const { problems } = await write(
      faulty(
        memory(),
        () => true,
        (run) =>
          run((stores) => ({
            ...stores,
            payouts: {
              ...stores.payouts,
              storeAll: (changes) =>
                isFault() && changes.some(({ put }) => put !== undefined)
                  ? Effect.succeed(
                      changes.map(({ payout }) => ({ ...payout, version: payout.version + 1 })),
                    )
                  : stores.payouts.storeAll(changes),
            },
          })),
      ),
    )
    expect(problems.length).toBeGreaterThan(0)
  })

  test("find a sale that was acknowledged and is lost", async () => {
    const isFault = every(60)
    const { problems } = await write(
      faulty(
        memory(),
        () => true,
        (run) =>
          run((stores) => ({
            ...stores,
            sales: {
              ...stores.sales,
              insertAll: (sales) =>
                isFault()
                  ? Effect.succeed(sales.map((sale) => ({ ...sale, version: 1 })))
                  : stores.sales.insertAll(sales),
            },
          })),
      ),
    )
    expect(problems.join("\n")).toContain("are lost")
  })

  test("find everything that was acknowledged and taken back", async () => {
    const { problems } = await write(forgetful(memory(), every(50)))
    expect(problems.length).toBeGreaterThan(0)
  })

  test("find a time of payment that is another", async () => {
    const { problems } = await write(
      faulty(
        memory(),
        () => true,
        (run) =>
          run((stores) => ({
            ...stores,
            payouts: {
              ...stores.payouts,
              update: (change) =>
                change.payout.status === "manually paid"
                  ? stores.payouts.update({ ...change, payout: { ...change.payout, paidAt: 1 } })
                  : stores.payouts.update(change),
            },
          })),
      ),
    )
    expect(problems.length).toBeGreaterThan(0)
  })
})

describe("steps that are taken again", () => {
  const scripts = makeScripts({ name: "canary", seed: 1, lanes: 1, steps: 40 })

  /** What is wrong after the steps of the scripts were taken. */
  const problemsOf = async (storage: StorageService) => {
    const [script] = await scripts
    if (script === undefined) return expect.fail("there is no script")
    return Effect.runPromise(
      Effect.gen(function* () {
        const { problems, unknown } = yield* persist(storage, script)
        return { unknown, problems: [...problems, ...(yield* endProblems(storage, [script]))] }
      }),
    )
  }

  const noAnswer = StorageFailure.of("commit a transaction", "no answer")

  test("lead to the same end when answers are lost after everything was kept", async () => {
    const storage = faulty(memory(), every(7), (run) =>
      Effect.andThen(
        run((stores) => stores),
        Effect.fail(noAnswer),
      ),
    )
    const { problems, unknown } = await problemsOf(storage)
    expect(problems).toEqual([])
    expect(unknown).toBeGreaterThan(3)
  })

  test("find a key that is not kept together with its effect", async () => {
    const storage = faulty(memory(), every(7), (run) =>
      Effect.andThen(
        run((stores) => ({ ...stores, keys: { ...stores.keys, insert: () => Effect.void } })),
        Effect.fail(noAnswer),
      ),
    )
    expect((await problemsOf(storage)).problems.length).toBeGreaterThan(0)
  })

  test("find an effect of which nothing was kept though it was acknowledged", async () => {
    // Linking in the background takes turns too, so which ones are lost is not the same each time: many are.
    expect((await problemsOf(forgetful(memory(), every(4)))).problems.length).toBeGreaterThan(0)
  })
})

describe("the order in which transactions took effect", () => {
  const attempt = (
    run: number,
    reads: ReadonlyArray<readonly [string, number]>,
    writes: ReadonlyArray<readonly [string, number]>,
  ): Attempt => ({
    accountId: "shop",
    run,
    turn: run,
    reads: new Map(reads),
    writes: new Map(writes),
    actives: new Map(),
    opened: [],
    ended: [],
    firstPayout: undefined,
  })

  test("is that of the versions, whenever they began", () => {
    const second = attempt(1, [["P a", 1]], [["P a", 2]])
    const first = attempt(2, [["P a", 0]], [["P a", 1]])
    const reader = attempt(3, [["P a", 1]], [])
    const { order, problems } = serialOrder([second, first, reader], [])
    expect(problems).toEqual([])
    expect(order.map(({ run }) => run)).toEqual([2, 3, 1])
  })

  test("is none when a change is lost under another", () => {
    const one = attempt(1, [["P a", 0]], [["P a", 1]])
    const other = attempt(2, [["P a", 0]], [["P a", 1]])
    expect(serialOrder([one, other], []).problems).toEqual(["version 1 of P a was written twice"])
  })

  test("is none when a version is missing", () => {
    const one = attempt(1, [["P a", 4]], [["P a", 5]])
    expect(serialOrder([one], []).problems).toContain("nobody wrote version 4 of P a")
  })

  test("is none when each of two saw nothing of the other", () => {
    const given = attempt(
      1,
      [],
      [
        ["P a", 1],
        ["P b", 1],
      ],
    )
    const one = attempt(
      2,
      [
        ["P a", 1],
        ["P b", 1],
      ],
      [["P a", 2]],
    )
    const other = attempt(
      3,
      [
        ["P a", 1],
        ["P b", 1],
      ],
      [["P b", 2]],
    )
    const { problems } = serialOrder([given, one, other], [])
    expect(problems.join()).toContain("took effect in no order")
  })
})

describe("books", () => {
  test("are found out when a payout is not what its history says", async () => {
    const storage = memory()
    await write(storage)
    const books = await Effect.runPromise(readBooks(storage, "shop"))
    expect(bookProblems(books)).toEqual([])
    const [first, ...rest] = books.payouts
    if (first === undefined) return expect.fail("there is no payout")
    const spoilt = [
      { ...first, payout: { ...first.payout, total: first.payout.total + 1 } },
      { ...first, items: first.items.slice(1) },
      { ...first, history: first.history.slice(0, -1) },
      { ...first, history: first.history.slice(1) },
      { ...first, items: [...first.items, ...first.items] },
    ]
    for (const payout of spoilt) {
      expect(bookProblems({ ...books, payouts: [payout, ...rest] })).not.toEqual([])
    }
  })
})
