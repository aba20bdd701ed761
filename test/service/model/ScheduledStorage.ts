/**
 * Storages whose every step waits until it is let go on, so that a test decides how calls come in between
 * each other. One of them keeps transactions apart by a lock, the other lets them run side by side, each on
 * a copy of its own, and finds out when they are kept whether that was right.
 */
import { isDeepStrictEqual } from "node:util"
import { MemoryStorage } from "apportion/memory"
import { Conflict, type StorageService, type Stores } from "apportion/ports"
import { Effect, Exit } from "effect"

/** A call of a store, and what it gave. */
interface Step {
  readonly store: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly answer: unknown
}

const writing = new Set([
  ...["insert", "update", "put", "remove", "add", "clear", "setOfProduct"],
  ...["saveJob", "removeJob", "addRefund", "move", "removeBefore", "insertAll", "storeAll"],
])

const isWrite = ({ method }: Step): boolean => writing.has(method)

/** What is kept of an account: all writes that ever were. */
export type Log = ReadonlyArray<Step>

/** Waits before a step. */
export type Gate = (label: string) => Effect.Effect<void>

const again = (stores: Stores, { store, method, args }: Omit<Step, "answer">) => {
  const target: unknown = Reflect.get(stores, store)
  const member: unknown =
    typeof target === "object" && target !== null ? Reflect.get(target, method) : undefined
  if (Effect.isEffect(member)) return member as Effect.Effect<unknown, Conflict>
  return typeof member === "function"
    ? (Reflect.apply(member, target, args) as Effect.Effect<unknown, Conflict>)
    : Effect.die(new TypeError(`there is no ${store}.${method}`))
}

const watchedStore = (
  name: string,
  stores: Stores,
  { steps, gate }: { readonly steps: Array<Step>; readonly gate: Gate },
): object => {
  const call = (method: string, args: ReadonlyArray<unknown>) => {
    const step = { store: name, method, args: structuredClone(args) }
    return Effect.andThen(
      gate(`${name}.${method}`),
      Effect.tap(
        Effect.suspend(() => again(stores, step)),
        (answer) =>
          Effect.sync(() => {
            steps.push({ ...step, answer })
          }),
      ),
    )
  }
  return Object.fromEntries(
    Object.entries(Reflect.get(stores, name)).map(([method, member]) => [
      method,
      Effect.isEffect(member)
        ? call(method, [])
        : (...args: ReadonlyArray<unknown>) => call(method, args),
    ]),
  )
}

const watched = (stores: Stores, how: { readonly steps: Array<Step>; readonly gate: Gate }) =>
  Object.fromEntries(
    Object.keys(stores).map((name) => [name, watchedStore(name, stores, how)]),
  ) as unknown as Stores

const replay = (stores: Stores, log: Log): Effect.Effect<void> =>
  Effect.orDie(Effect.forEach(log, (step) => again(stores, step), { discard: true }))

/** Whether steps give the same answers after other writes as they gave without them. */
const holdsAfter = (log: Log, steps: ReadonlyArray<Step>, accountId: string) =>
  Effect.gen(function* () {
    const copy = yield* MemoryStorage.make
    const check = copy.transaction(accountId, (stores) =>
      Effect.gen(function* () {
        yield* replay(stores, log)
        for (const step of steps) {
          if (!isDeepStrictEqual(yield* again(stores, step), step.answer)) return false
        }
        return true
      }),
    )
    const exit = yield* Effect.exit(check)
    return Exit.isSuccess(exit) && exit.value
  })

export interface ScheduledStorage extends StorageService {
  readonly log: () => Log
  /** How many transactions could not be kept. */
  readonly conflicts: () => number
}

interface Options {
  readonly log: Log
  readonly gate: Gate
}

/** One account in memory; transactions run one after the other, and wait before each step. */
export const lockedStorage = ({ log: before, gate }: Options): ScheduledStorage => {
  const storage = Effect.runSync(MemoryStorage.make)
  let log = before
  let isFilled = false
  const fill = (stores: Stores) =>
    Effect.suspend(() => {
      if (isFilled) return Effect.void
      isFilled = true
      return replay(stores, before)
    })
  return {
    log: () => log,
    conflicts: () => 0,
    accounts: Effect.sync(() => (log.length === 0 ? [] : ["shop"])),
    transaction: (accountId, work, options) => {
      const steps: Array<Step> = []
      const filled = storage.transaction(accountId, fill)
      const transaction = storage.transaction(
        accountId,
        (stores) => work(watched(stores, { steps, gate })),
        options,
      )
      const kept = Effect.tap(transaction, () =>
        Effect.sync(() => {
          log = [...log, ...steps.filter(isWrite)]
        }),
      )
      return Effect.andThen(Effect.orDie(filled), Effect.andThen(gate("begin"), kept))
    },
  }
}

/**
 * One account whose transactions run side by side: each on a copy of what was kept when it began. When it
 * is to be kept, everything that it read must still be so, else it is a conflict.
 */
export const optimisticStorage = (options: Options): ScheduledStorage =>
  sideBySide({ ...options, isChecked: true })

/** As {@link optimisticStorage}, but so careless that it keeps whatever it is given. */
export const carelessStorage = (options: Options): ScheduledStorage =>
  sideBySide({ ...options, isChecked: false })

const sideBySide = ({
  log: before,
  gate,
  isChecked,
}: Options & { readonly isChecked: boolean }): ScheduledStorage => {
  let log = before
  let conflicts = 0
  return {
    log: () => log,
    conflicts: () => conflicts,
    accounts: Effect.sync(() => (log.length === 0 ? [] : ["shop"])),
    transaction: (accountId, work, options) =>
      Effect.gen(function* () {
        yield* gate("begin")
        const copy = yield* MemoryStorage.make
        const atFirst = log
        const steps: Array<Step> = []
        const filled = copy.transaction(accountId, (stores) => replay(stores, atFirst))
        yield* Effect.orDie(filled)
        const result = yield* copy.transaction(
          accountId,
          (stores) => work(watched(stores, { steps, gate })),
          options,
        )
        yield* gate("commit")
        for (let seen = atFirst; isChecked && seen !== log; ) {
          seen = log
          if (yield* holdsAfter(seen, steps, accountId)) continue
          conflicts += 1
          return yield* Effect.fail(Conflict.of("account", accountId))
        }
        log = [...log, ...steps.filter(isWrite)]
        return result
      }),
  }
}
