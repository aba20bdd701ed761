import { MemoryStorage } from "apportion/memory"
import { Conflict, type StorageService, type Stores } from "apportion/ports"
import { Clock, Effect } from "effect"
import { Chance } from "../generators/Chance.js"

interface Write {
  /** When it was done, in milliseconds. */
  readonly at: number
  readonly store: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
}

/** What one transaction wrote that was kept. */
interface Kept {
  readonly actor: string | undefined
  readonly writes: ReadonlyArray<Write>
}

const writing = new Set([
  "insert",
  "insertAll",
  "update",
  "storeAll",
  "put",
  "remove",
  "add",
  "clear",
  "setOfProduct",
  "saveJob",
  "removeJob",
  "addRefund",
  "append",
  "addAdjustment",
  "move",
  "removeBefore",
  "book",
])

const call = (stores: Stores, { store, method, args }: Write): Effect.Effect<unknown, unknown> => {
  const target: unknown = Reflect.get(stores, store)
  const operation: unknown = typeof target === "object" && target && Reflect.get(target, method)
  return typeof operation === "function"
    ? Effect.suspend(() => Reflect.apply(operation, target, args))
    : Effect.die(new Error(`there is no ${store}.${method}`))
}

/** A clock that stands still. */
const stopped = (clock: Clock.Clock, at: number): Clock.Clock => ({
  currentTimeMillisUnsafe: () => at,
  currentTimeMillis: Effect.succeed(at),
  currentTimeNanosUnsafe: () => BigInt(Math.floor(at)) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(Math.floor(at)) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) => clock.sleep(duration),
})

/** Does again what was written, by whom and when it was. */
const replay = (storage: StorageService, accountId: string, { actor, writes }: Kept) =>
  Clock.clockWith((clock) =>
    storage.transaction(
      accountId,
      (stores) =>
        Effect.forEach(
          writes,
          (write) =>
            Effect.provideService(call(stores, write), Clock.Clock, stopped(clock, write.at)),
          { discard: true },
        ),
      { actor },
    ),
  )

/** What happens between any two operations of a transaction, so that others come in between. */
type Between = Effect.Effect<void, Conflict>

const watchedStore = (
  store: object,
  name: string,
  { writes, between }: { readonly writes: Array<Write>; readonly between: Between },
): object =>
  new Proxy(store, {
    get: (target, method): unknown => {
      const member: unknown = Reflect.get(target, method)
      if (Effect.isEffect(member)) return Effect.andThen(between, member)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>) =>
        between.pipe(
          Effect.andThen(Effect.suspend(() => Reflect.apply(member, target, args))),
          Effect.tap(() =>
            Effect.map(Clock.currentTimeMillis, (at) => {
              const write = { at, store: name, method: String(method), args: structuredClone(args) }
              if (writing.has(write.method)) writes.push(write)
            }),
          ),
        )
    },
  })

const watched = (stores: Stores, options: { writes: Array<Write>; between: Between }): Stores =>
  new Proxy(stores, {
    get: (target, name): unknown => {
      const store: unknown = Reflect.get(target, name)
      return typeof store === "object" && store !== null
        ? watchedStore(store, String(name), options)
        : store
    },
  })

/**
 * A storage whose transactions really run side by side: each on a copy of its account as it was when the
 * transaction began. One that wrote fails with a conflict when another one was kept in the meantime, and
 * any operation fails with one by chance. How they come in between each other depends on the seed alone.
 */
export const makeOptimistic = (options: {
  readonly seed: number
  /** How often an operation fails by chance, from 0 to 1. */
  readonly failures: number
}): StorageService & { readonly conflicts: () => number } => {
  const chance = new Chance(options.seed)
  const logs = new Map<string, ReadonlyArray<Kept>>()
  let conflicts = 0
  const conflict = (why: string) =>
    Effect.suspend(() => {
      conflicts += 1
      return Effect.fail(Conflict.of(why, String(conflicts)))
    })
  const between: Between = Effect.suspend(() =>
    chance.isLucky(options.failures)
      ? conflict("operation")
      : Effect.replicateEffect(Effect.yieldNow, chance.below(4), { discard: true }),
  )
  const keep = (accountId: string, before: ReadonlyArray<Kept>, kept: Kept) =>
    Effect.suspend(() => {
      if (kept.writes.length === 0) return Effect.void
      if ((logs.get(accountId) ?? []).length !== before.length) return conflict("account")
      logs.set(accountId, [...before, kept])
      return Effect.void
    })
  return {
    conflicts: () => conflicts,
    accounts: Effect.sync(() => [...logs.keys()].sort()),
    transaction: (accountId, work, { mode, actor } = {}) =>
      Effect.gen(function* () {
        const copy = yield* MemoryStorage.make
        const before = logs.get(accountId) ?? []
        const writes: Array<Write> = []
        for (const kept of before) yield* Effect.orDie(replay(copy, accountId, kept))
        const result = yield* copy.transaction(
          accountId,
          (stores) => work(watched(stores, { writes, between })),
          { mode, actor },
        )
        yield* between
        yield* keep(accountId, before, { actor, writes })
        return result
      }),
  }
}
