/**
 * A storage that notes what each transaction that writes has read and written, as versions of things: from
 * that it can be told in which order they took effect.
 */
import type {
  PayoutOwner,
  RecordedSale,
  StorageService,
  StoredPayout,
  Stores,
} from "apportion/ports"
import { Cause, Context, Effect, Exit, Option } from "effect"

/** A thing that has a version: `P` a payout, `A` who is active for an owner, `O` an order, `R`, `K`. */
export type Thing = string

export const things = {
  payout: (id: string): Thing => `P ${id}`,
  active: (owner: { readonly collaboratorId: string; readonly currency: string }): Thing =>
    `A ${owner.collaboratorId} ${owner.currency}`,
  order: (id: string): Thing => `O ${id}`,
  refund: (id: string): Thing => `R ${id}`,
  key: (key: string): Thing => `K ${key}`,
}

/** One attempt at a transaction. */
export interface Attempt {
  readonly accountId: string
  /** Which deed it is for. */
  readonly run: number
  /** When its work began, among all. */
  readonly turn: number
  /** What it read of others, by version; 0: there was none. */
  readonly reads: Map<Thing, number>
  /** What it wrote, by the last version. */
  readonly writes: Map<Thing, number>
  /** Payouts that it read as the active ones of their owners; `undefined`: there was none. */
  readonly actives: Map<Thing, string | undefined>
  /** Payouts that it opened, and when among all that were opened. */
  readonly opened: Array<{
    readonly thing: Thing
    readonly payoutId: string
    readonly number: number
  }>
  /** Payouts that were active, and are not any more. */
  readonly ended: Array<{ readonly thing: Thing; readonly payoutId: string }>
  /** The first payout that it read. */
  firstPayout: string | undefined
}

export interface Notes {
  /** In the order in which their end was heard of. */
  readonly kept: Array<Attempt>
  /** Those that a refusal ended. */
  readonly refused: Array<Attempt>
  /** How often each run met a conflict. */
  readonly conflicts: Map<number, number>
}

/** The deed for which something is done. */
export const CurrentRun = Context.Reference<number>("apportion/test/CurrentRun", {
  defaultValue: () => 0,
})

/** Counts for several storages, so that what they note can be compared. */
class Counter {
  #count = 0
  next(): number {
    this.#count += 1
    return this.#count
  }
}

const noteRead = (attempt: Attempt, thing: Thing, version: number): void => {
  if (!attempt.writes.has(thing) && !attempt.reads.has(thing)) attempt.reads.set(thing, version)
}

const notePayout = (attempt: Attempt, id: string, payout: StoredPayout | undefined): void => {
  attempt.firstPayout ??= id
  noteRead(attempt, things.payout(id), payout?.version ?? 0)
}

const versionNow = ({ writes, reads }: Attempt, thing: Thing): number =>
  writes.get(thing) ?? reads.get(thing) ?? 0

const watchPayouts = (attempt: Attempt, stores: Stores, opening: Counter): Stores["payouts"] => {
  const { payouts } = stores
  const statuses = new Map<string, string>()
  const seen = (payout: StoredPayout | undefined) => {
    if (payout !== undefined) statuses.set(payout.id, payout.status)
  }
  const readActive = (owner: PayoutOwner, payout: StoredPayout | undefined) => {
    const thing = things.active(owner)
    const isOwn = attempt.opened.some((one) => one.thing === thing)
    const hasEnded = attempt.ended.some((one) => one.thing === thing)
    if (!isOwn && !hasEnded && !attempt.actives.has(thing)) attempt.actives.set(thing, payout?.id)
    if (payout !== undefined) notePayout(attempt, payout.id, payout)
    seen(payout)
  }
  const opened = (payout: StoredPayout, number: number) => {
    attempt.writes.set(things.payout(payout.id), payout.version)
    attempt.opened.push({ thing: things.active(payout), payoutId: payout.id, number })
    seen(payout)
  }
  const changed = (payout: StoredPayout) => {
    attempt.writes.set(things.payout(payout.id), payout.version)
    if (statuses.get(payout.id) === "active" && payout.status !== "active") {
      attempt.ended.push({ thing: things.active(payout), payoutId: payout.id })
    }
    seen(payout)
  }
  return {
    ...payouts,
    get: (id) =>
      Effect.tap(payouts.get(id), (payout) =>
        Effect.sync(() => {
          notePayout(attempt, id, payout)
          seen(payout)
        }),
      ),
    active: (owner) =>
      Effect.tap(payouts.active(owner), (payout) => Effect.sync(() => readActive(owner, payout))),
    ofOwners: (owners) =>
      Effect.tap(payouts.ofOwners(owners), (all) =>
        Effect.sync(() => {
          for (const [index, owner] of owners.entries()) readActive(owner, all[index]?.active)
        }),
      ),
    insert: (change) =>
      Effect.suspend(() => {
        const number = opening.next()
        return Effect.tap(payouts.insert(change), (payout) =>
          Effect.sync(() => opened(payout, number)),
        )
      }),
    update: (change) =>
      Effect.tap(payouts.update(change), (payout) => Effect.sync(() => changed(payout))),
    storeAll: (changes) =>
      Effect.suspend(() => {
        const numbers = changes.map(({ payout }) => (payout.version === 0 ? opening.next() : 0))
        return Effect.tap(payouts.storeAll(changes), (all) =>
          Effect.sync(() => {
            for (const [index, payout] of all.entries()) {
              if (payout.version === 1) opened(payout, numbers[index] ?? 0)
              else changed(payout)
            }
          }),
        )
      }),
  }
}

const watchSales = (attempt: Attempt, { sales }: Stores): Stores["sales"] => {
  const readOrders = (ids: Iterable<string>, parts: ReadonlyArray<RecordedSale>) => {
    for (const id of ids) {
      const own = parts.filter(({ orderId }) => orderId === id)
      const version = own.reduce((sum, part) => sum + part.version, 0)
      noteRead(attempt, things.order(id), version)
    }
  }
  const wroteOrder = (orderId: string) => {
    const thing = things.order(orderId)
    attempt.writes.set(thing, versionNow(attempt, thing) + 1)
  }
  return {
    ...sales,
    ofOrder: (orderId) =>
      Effect.tap(sales.ofOrder(orderId), (parts) =>
        Effect.sync(() => readOrders([orderId], parts)),
      ),
    ofOrders: (orderIds) =>
      Effect.tap(sales.ofOrders(orderIds), (parts) =>
        Effect.sync(() => readOrders(orderIds, parts)),
      ),
    insert: (sale) =>
      Effect.tap(sales.insert(sale), ({ orderId }) => Effect.sync(() => wroteOrder(orderId))),
    insertAll: (all) =>
      Effect.tap(sales.insertAll(all), (stored) =>
        Effect.sync(() => {
          for (const { orderId } of stored) wroteOrder(orderId)
        }),
      ),
    addRefund: (given) =>
      Effect.tap(sales.addRefund(given), ({ orderId }) =>
        Effect.sync(() => {
          wroteOrder(orderId)
          attempt.writes.set(things.refund(given.refund.id), 1)
        }),
      ),
    refund: (refundId) =>
      Effect.tap(sales.refund(refundId), (refund) =>
        Effect.sync(() => noteRead(attempt, things.refund(refundId), refund === undefined ? 0 : 1)),
      ),
  }
}

const watchKeys = (attempt: Attempt, { keys }: Stores): Stores["keys"] => ({
  ...keys,
  get: (key) =>
    Effect.tap(keys.get(key), (answer) =>
      Effect.sync(() => noteRead(attempt, things.key(key), answer === undefined ? 0 : 1)),
    ),
  insert: (answer) =>
    Effect.tap(keys.insert(answer), () =>
      Effect.sync(() => {
        attempt.writes.set(things.key(answer.key), 1)
      }),
    ),
})

const newAttempt = (accountId: string, run: number, turn: number): Attempt => ({
  accountId,
  run,
  turn,
  reads: new Map(),
  writes: new Map(),
  actives: new Map(),
  opened: [],
  ended: [],
  firstPayout: undefined,
})

const tagOf = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const error: unknown = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  const tag: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "_tag") : "defect"
  return String(tag)
}

const noteEnd = (notes: Notes, attempt: Attempt, exit: Exit.Exit<unknown, unknown>): void => {
  const tag = tagOf(exit)
  if (tag === undefined) notes.kept.push(attempt)
  else if (tag === "Conflict") {
    notes.conflicts.set(attempt.run, (notes.conflicts.get(attempt.run) ?? 0) + 1)
  } else if (tag !== "StorageFailure" && tag !== "defect") notes.refused.push(attempt)
}

/** A storage that notes what is done with another one. */
export const watched = (
  storage: StorageService,
): { readonly storage: StorageService; readonly notes: Notes } => {
  const notes: Notes = { kept: [], refused: [], conflicts: new Map() }
  const turns = new Counter()
  const opening = new Counter()
  return {
    notes,
    storage: {
      ...storage,
      transaction: (accountId, work, options) =>
        Effect.flatMap(CurrentRun, (run) => {
          if (options?.mode === "read") return storage.transaction(accountId, work, options)
          let attempt = newAttempt(accountId, run, 0)
          const watching = (stores: Stores) => {
            attempt = newAttempt(accountId, run, turns.next())
            return work({
              ...stores,
              payouts: watchPayouts(attempt, stores, opening),
              sales: watchSales(attempt, stores),
              keys: watchKeys(attempt, stores),
            })
          }
          return Effect.onExit(storage.transaction(accountId, watching, options), (exit) =>
            Effect.sync(() => noteEnd(notes, attempt, exit)),
          )
        }),
    },
  }
}
