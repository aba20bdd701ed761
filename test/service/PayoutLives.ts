/** Random lives of a payout in a storage: items that come, change and go, and statuses. */
import { Collaborator, Payout, PayoutItem, PayoutStatus } from "apportion"
import { MemoryStorage } from "apportion/memory"
import type { PayoutHistoryEntry, StorageService, StoredPayout, Stores } from "apportion/ports"
import { Effect, Result } from "effect"
import fc from "fast-check"

/** All that is stored of one payout. */
export interface StoredLife {
  readonly payout: StoredPayout
  readonly items: ReadonlyArray<PayoutItem.PayoutItem>
  readonly history: ReadonlyArray<PayoutHistoryEntry>
  /** The hash of the last entry, as the payout has it. */
  readonly lastHash: string | null
}

interface Step {
  /** Ids of items to add or to replace, and what they come to. */
  readonly put: ReadonlyArray<readonly [number, number]>
  /** Which of the items that are there to take out, by their places. */
  readonly remove: ReadonlyArray<number>
  readonly event: PayoutStatus.PayoutEvent | "roll" | undefined
}

const step: fc.Arbitrary<Step> = fc.record({
  put: fc.array(fc.tuple(fc.nat({ max: 9 }), fc.integer({ min: 1, max: 1_000_000 })), {
    maxLength: 3,
  }),
  remove: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
  event: fc.option(fc.constantFrom(...PayoutStatus.events, "roll" as const), { nil: undefined }),
})

export const steps = fc.array(step, { minLength: 3, maxLength: 12 })

const itemOf = ([id, amount]: readonly [number, number]): PayoutItem.PayoutItem => {
  const entry = { id: `e${id}`, amount, name: `Entry ${id}`, at: 1_000 + amount }
  const make = amount % 2 === 0 ? PayoutItem.expense : PayoutItem.income
  return Result.getOrThrow(make(entry, { currency: "USD" }))
}

/** The payout after an event; as it was when the event can't happen. */
const moved = (payout: StoredPayout, event: Step["event"], at: number): StoredPayout => {
  if (event === undefined || (event === "pay" && payout.total < 0)) return payout
  if (event === "roll") {
    return payout.status === "active" ? { ...payout, toBePaidAt: payout.toBePaidAt + 60 } : payout
  }
  const status = PayoutStatus.transition(payout.status, event)
  if (Result.isFailure(status)) return payout
  const isPaid = PayoutStatus.isSettled(status.success)
  return {
    ...payout,
    status: status.success,
    ...(event === "close" ? { closedAt: at, payableAt: at + 60 } : {}),
    paidAt: isPaid ? (payout.paidAt ?? at) : null,
    failureReason: status.success === "failed" ? "no account" : null,
  }
}

const take = Effect.fnUntraced(function* (stores: Stores, next: Step, at: number) {
  const payout = yield* stores.payouts.get("p1")
  if (payout === undefined) return yield* Effect.die("there is no payout")
  const items = yield* stores.payouts.items("p1")
  const isFixed = Payout.isSettled(payout)
  const remove = isFixed ? [] : next.remove.flatMap((place) => items[place]?.id ?? [])
  const put = isFixed ? [] : next.put.map(itemOf)
  const rest = new Map(items.map((item) => [item.id, item.amount]))
  for (const id of remove) rest.delete(id)
  for (const { id, amount } of put) rest.set(id, amount)
  const total = [...rest.values()].reduce((sum, amount) => sum + amount, 0)
  const whole = moved({ ...payout, total, itemsCount: rest.size }, next.event, at)
  yield* stores.payouts.update({ payout: whole, put, remove })
})

/** Lives a life in an account that is empty, and gives all that is stored of it then. */
export const liveIn = (
  storage: StorageService,
  accountId: string,
  all: ReadonlyArray<Step>,
): Promise<StoredLife> =>
  storage
    .transaction(accountId, (stores) =>
      Effect.gen(function* () {
        const collaborator = Collaborator.make({ id: "ada", currency: "USD" })
        yield* stores.collaborators.insert({ collaborator, createdAt: 0, updatedAt: 0 })
        const { items: _none, ...opened } = Payout.open({
          ...{ id: "p1", collaboratorId: "ada", currency: "USD", openedAt: 0, toBePaidAt: 60 },
        })
        const first = itemOf([100, 5])
        yield* stores.payouts.insert({
          payout: { ...opened, total: first.amount, itemsCount: 1, paymentId: null },
          put: [first],
        })
        for (const [index, next] of all.entries()) yield* take(stores, next, index)
        const payout = yield* stores.payouts.get("p1")
        if (payout === undefined) return yield* Effect.die("there is no payout")
        const history = yield* stores.payouts.history({ payoutId: "p1", after: 0, limit: 1_000 })
        const items = yield* stores.payouts.items("p1")
        return { payout, items, history, lastHash: yield* stores.payouts.lastHash("p1") }
      }),
    )
    .pipe(Effect.runPromise)

/** The same in memory. */
export const live = async (all: ReadonlyArray<Step>): Promise<StoredLife> =>
  liveIn(await Effect.runPromise(MemoryStorage.make), "shop", all)
