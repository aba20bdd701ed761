/** Sales and refunds of the past in one transaction: each payout of theirs is written once, at its end. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import * as PastPayout from "../../../payouts/PastPayout.js"
import type { PayoutItem, Sale } from "../../../payouts/PayoutItem.js"
import type { ScheduleError } from "../../../payouts/Schedule.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { emit } from "../transactions.js"

/** The terms of an import. */
export interface PastTerms {
  /** Up to when everything was paid, in Unix seconds. */
  readonly paidUntil: number
  readonly timeZone: string
  /** The time of the clock: payouts of the past are opened now. */
  readonly at: number
  readonly newId: Effect.Effect<string>
}

/** A payout of the past, and its changes that are not written yet. */
interface PastAccount {
  head: Lifecycle.PayoutHead
  /** As it is stored; `undefined`: it is new. */
  readonly stored: StoredPayout | undefined
  readonly put: Array<PayoutItem>
}

/** Items for a payout of the past, which has room for their sum. */
export interface PastEntry {
  readonly account: PastAccount
  readonly head: Lifecycle.PayoutHead
  readonly items: ReadonlyArray<PayoutItem>
}

const headOf = ({ version: _, ...stored }: StoredPayout): Lifecycle.PayoutHead => ({
  ...stored,
  total: BigInt(stored.total),
})

const isLike =
  (currency: string, times: PastPayout.PastTimes) =>
  (payout: StoredPayout): boolean =>
    PastPayout.isPast(payout) &&
    payout.currency === currency &&
    payout.toBePaidAt === times.toBePaidAt &&
    payout.paidAt === times.paidAt

/** Times of a payout, and the earliest known of the sales that were paid in it. */
interface KnownTimes {
  from: number
  readonly times: PastPayout.PastTimes
}

/** The payouts of the past that a transaction has looked at. */
export class PastLedger {
  readonly #stores: Stores
  readonly #terms: PastTerms
  readonly #byTimes = new Map<string, PastAccount>()
  readonly #byId = new Map<string, PastAccount>()
  readonly #known = new Map<string, Array<KnownTimes>>()

  constructor(stores: Stores, terms: PastTerms) {
    this.#stores = stores
    this.#terms = terms
  }

  /** The payout in which items of a time were paid; a missing one is opened when it gets its first item. */
  of(
    collaborator: Collaborator,
    { currency, at }: { readonly currency: string; readonly at: number },
  ): Effect.Effect<PastAccount, ScheduleError | StorageError> {
    const ledger = this
    return Effect.gen(function* () {
      const { id: collaboratorId } = collaborator
      const times = yield* Effect.fromResult(ledger.#timesOf(collaborator, at))
      const key = JSON.stringify([collaboratorId, currency, times.toBePaidAt, times.paidAt])
      const known = ledger.#byTimes.get(key)
      if (known !== undefined) return known
      const found = yield* ledger.#find({ collaboratorId, currency }, times)
      ledger.#byTimes.set(key, found)
      ledger.#byId.set(found.head.id, found)
      return found
    })
  }

  /** Adds up the items of an account. When the sum is out of range, nothing has changed. */
  entry(
    account: PastAccount,
    items: ReadonlyArray<PayoutItem>,
  ): Effect.Effect<PastEntry, AmountOutOfRange> {
    const amounts = items.map(({ amount }) => amount)
    const head = PastPayout.add(account.head, amounts)
    return Effect.as(Effect.fromResult(Lifecycle.totalOf(head)), { account, head, items })
  }

  /** Notes the items that accounts get. */
  enter(entries: ReadonlyArray<PastEntry>): void {
    for (const { account, head, items } of entries) {
      account.head = head
      for (const item of items) account.put.push(item)
    }
  }

  /** A payout of the past and a share in it; `undefined`: the share is in another payout. */
  share(
    payoutId: string,
    itemId: string,
  ): Effect.Effect<
    { readonly head: Lifecycle.PayoutHead; readonly item: Sale } | undefined,
    StorageError
  > {
    const { payouts } = this.#stores
    const known = this.#byId.get(payoutId)
    return Effect.gen(function* () {
      const stored = known === undefined ? yield* payouts.get(payoutId) : undefined
      const head = known?.head ?? (stored && headOf(stored))
      if (head === undefined || !PastPayout.isPast(head)) return undefined
      const put = known?.put.find(({ id }) => id === itemId)
      const item = put ?? (yield* payouts.item(payoutId, itemId))
      return item?.kind === "sale" ? { head, item } : undefined
    })
  }

  /** Writes everything that was noted. */
  write(): Effect.Effect<void, AmountOutOfRange | StorageError> {
    const { payouts } = this.#stores
    return Effect.forEach(
      [...this.#byTimes.values()].filter(({ put }) => put.length > 0),
      Effect.fnUntraced(function* ({ head, stored, put }) {
        const total = yield* Effect.fromResult(Lifecycle.totalOf(head))
        const payout = { ...head, total }
        if (stored !== undefined) {
          yield* payouts.update({ payout: { ...payout, version: stored.version }, put })
          return
        }
        yield* payouts.insert({ payout, put })
      }),
      { discard: true },
    )
  }

  /** All sales between one sale and the day on which its payout was due have the same times: calendars are slow. */
  #timesOf(
    collaborator: Collaborator,
    at: number,
  ): Result.Result<PastPayout.PastTimes, ScheduleError> {
    const all = this.#known.get(collaborator.id) ?? []
    this.#known.set(collaborator.id, all)
    const known = all.find(({ from, times }) => from <= at && at < times.closedAt)
    if (known !== undefined) return Result.succeed(known.times)
    const { paidUntil, timeZone } = this.#terms
    return Result.map(PastPayout.timesOf(collaborator, { at, paidUntil, timeZone }), (times) => {
      const later = all.find((one) => one.times.closedAt === times.closedAt)
      if (later === undefined) all.push({ from: at, times })
      else later.from = Math.min(later.from, at)
      return times
    })
  }

  #find(
    owner: { readonly collaboratorId: string; readonly currency: string },
    times: PastPayout.PastTimes,
  ): Effect.Effect<PastAccount, StorageError> {
    const { payouts } = this.#stores
    const { at: openedAt, newId } = this.#terms
    return Effect.gen(function* () {
      const paid = { from: times.paidAt, to: times.paidAt }
      const { collaboratorId } = owner
      const filter = { collaboratorId, status: "manually paid", paid } as const
      // One for each currency, and for what a host had set as paid at the same second: few.
      const slice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }
      const { entries } = yield* payouts.list(filter, slice)
      const stored = entries.find(isLike(owner.currency, times))
      if (stored !== undefined) return { head: headOf(stored), stored, put: [] }
      const head = PastPayout.open({ ...owner, id: yield* newId, openedAt }, times)
      return { head, stored, put: [] }
    })
  }
}

/** Emits the events of payouts that get their first items. */
export const tellOpened = (entries: ReadonlyArray<PastEntry>): Effect.Effect<void> =>
  Effect.forEach(
    entries.filter(({ account: { stored, put } }) => stored === undefined && put.length === 0),
    ({ account: { head } }) => {
      const { id: payoutId, collaboratorId, currency, paidAt } = head
      const data = { payoutId, collaboratorId, currency, paidAt: paidAt ?? 0 }
      return emit({ type: "payout.imported", data })
    },
    { discard: true },
  )
