/**
 * Stores the steps of the core's life cycle of payouts, in their order, each with its event.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Cents from "../../../money/Cents.js"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import * as Maturity from "../../../payouts/Maturity.js"
import type { PayoutItem } from "../../../payouts/PayoutItem.js"
import type { TransitionError } from "../../../payouts/PayoutStatus.js"
import type { ScheduleError } from "../../../payouts/Schedule.js"
import type { PayoutChange, StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { die, emit, Fault } from "../transactions.js"

/** The terms of a collaborator and of the store, and the time up to which they are applied. */
export interface Passing {
  readonly collaborator: Collaborator
  readonly timeZone: string
  /** How many days after its sale a share is mature. */
  readonly maturityDays: number
  /** Unix seconds. */
  readonly at: number
  /** Makes the id of a payout that is opened. */
  readonly newId: Effect.Effect<string>
}

/** By how much a payout's total has changed, in cents of its currency. */
export interface Moved {
  readonly payoutId: string
  readonly amount: number
}

/** Only the host says when a payout was paid, so no payout is paid automatically here. */
const termsOf = ({ collaborator, timeZone }: Passing): Lifecycle.Terms => ({
  collaborator: { ...collaborator, shouldPayAutomatically: false },
  timeZone,
})

type Owner = Pick<StoredPayout, "collaboratorId" | "currency">

const payoutOf = (stored: StoredPayout): Lifecycle.PayoutHead => ({
  ...stored,
  total: BigInt(stored.total),
})

/** The state of an owner whose active payout, if any, is the only one concerned. */
const headOf = (owner: Owner, active: StoredPayout | undefined): Lifecycle.Head => ({
  ...Lifecycle.empty(owner),
  active: active === undefined ? null : payoutOf(active),
})

const firstOpened = (
  { payouts }: Stores,
  { collaboratorId, currency }: Owner,
): Effect.Effect<number | null, StorageError> =>
  Effect.map(payouts.firstOpenedAt({ collaboratorId, currency }), (at) => at ?? null)

/** For an active payout that is due, only dates can fail; any other error is a defect. */
const refuse = (error: TransitionError): Effect.Effect<never, ScheduleError> =>
  error._tag === "InvalidTime" || error._tag === "UnknownTimeZone"
    ? Effect.fail(error)
    : Effect.die(error)

const take = (
  head: Lifecycle.Head,
  fact: Lifecycle.Fact,
): Effect.Effect<Lifecycle.Step, ScheduleError> =>
  Effect.catch(Effect.fromResult(Lifecycle.transition(head, fact)), refuse)

/** Emits the event of a change. Changes of items are emitted by the code that makes them. */
const emitChange = (
  type: Lifecycle.Change["type"],
  payout: Omit<StoredPayout, "version">,
): Effect.Effect<void> => {
  const { id: payoutId, collaboratorId, currency, total, toBePaidAt, payableAt } = payout
  const data = { payoutId, collaboratorId, currency }
  switch (type) {
    case "closed":
      return emit({ type: "payout.closed", data: { ...data, total, payableAt } })
    case "rolled":
      return emit({ type: "payout.rolled", data: { ...data, total, toBePaidAt } })
    case "opened":
      return emit({ type: "payout.opened", data: { ...data, toBePaidAt } })
    default:
      return Effect.void
  }
}

/** Items by id, some of which move to the next payout when their payout is closed. */
type Waiting = ReadonlyMap<string, PayoutItem>

/** The shares with their maturity in an active payout that is due, and its items; nothing without maturity. */
const maturingOf = Effect.fnUntraced(function* (
  { payouts }: Stores,
  payout: StoredPayout | undefined,
  { maturityDays, at }: Passing,
  payoutId: Lifecycle.Maturing["payoutId"],
): Effect.fn.Return<
  { readonly maturing?: Lifecycle.Maturing; readonly items?: Waiting },
  StorageError
> {
  if (maturityDays === 0 || payout === undefined || !Lifecycle.isDue(payout, at)) return {}
  const items = yield* payouts.items(payout.id)
  const maturing = { maturityDays, shares: Maturity.sharesOf(items), payoutId }
  return { maturing, items: new Map(items.map((item) => [item.id, item])) }
})

/** A payout that was closed without its immature items, and these items. */
interface Leaving {
  readonly payout: StoredPayout
  readonly items: ReadonlyArray<PayoutItem>
}

/** Opens a payout with the immature items of a closed one, and moves their places in the ledger. */
const openWith = Effect.fnUntraced(function* (
  stores: Stores,
  opened: Omit<StoredPayout, "version">,
  { payout: { id: payoutId, collaboratorId, currency }, items }: Leaving,
): Effect.fn.Return<StoredPayout, StorageError> {
  const about = { payoutId, why: "immature" } as const
  const put = items.map((item) => ({ ...item, about }))
  const stored = yield* stores.payouts.insert({ payout: opened, put })
  const places = items.flatMap((item) =>
    item.kind === "sale" ? [{ orderId: item.orderItem.orderId, payoutItemId: item.id }] : [],
  )
  const moved = { fromPayoutId: payoutId, toPayoutId: stored.id }
  yield* stores.sales.move({ ...moved, items: places })
  yield* emitChange("opened", stored)
  const { id: toPayoutId, total: amount, itemsCount } = stored
  const data = { payoutId, collaboratorId, currency, toPayoutId, amount, items: itemsCount }
  yield* emit({ type: "payout.carried", data })
  return stored
})

/**
 * Stores the changes of a step, which concern the payout that was read and the payouts that are opened; gives all of
 * them as they are stored.
 */
const store = Effect.fnUntraced(function* (
  stores: Stores,
  { changes }: Lifecycle.Step,
  before: StoredPayout | undefined,
  items: Waiting = new Map(),
): Effect.fn.Return<ReadonlyMap<string, StoredPayout>, Cents.AmountOutOfRange | StorageError> {
  const known = new Map(before === undefined ? [] : [[before.id, before]])
  let leaving: Leaving | undefined
  for (const change of changes) {
    const { type, moved } = change
    const payout = {
      ...change.payout,
      total: yield* Effect.fromResult(Lifecycle.totalOf(change.payout)),
    }
    const version = known.get(payout.id)?.version
    if (version === undefined) {
      const stored = leaving
        ? yield* openWith(stores, payout, leaving)
        : yield* Effect.tap(stores.payouts.insert({ payout }), (opened) => emitChange(type, opened))
      known.set(payout.id, stored)
      leaving = undefined
      continue
    }
    const remove = moved?.itemIds
    const stored = yield* stores.payouts.update({ payout: { ...payout, version }, remove })
    known.set(payout.id, stored)
    yield* emitChange(type, stored)
    const waiting = moved?.itemIds.flatMap((id) => items.get(id) ?? [])
    leaving = waiting && { payout: stored, items: waiting }
  }
  return known
})

/**
 * Stops the clock while items move, so that the histories of both payouts have the same second, and at no time the items
 * are in neither.
 */
const inOneSecond = <A, E>(
  storing: Effect.Effect<A, E>,
  { changes }: Lifecycle.Step,
): Effect.Effect<A, E> => {
  if (changes.every(({ moved }) => moved === undefined)) return storing
  return Clock.clockWith((clock) => {
    const millis = clock.currentTimeMillisUnsafe()
    const nanos = clock.currentTimeNanosUnsafe()
    return Effect.provideService(storing, Clock.Clock, {
      currentTimeMillisUnsafe: () => millis,
      currentTimeMillis: Effect.succeed(millis),
      currentTimeNanosUnsafe: () => nanos,
      currentTimeNanos: Effect.succeed(nanos),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration),
    })
  })
}

/** A payout of a step; its absence is a defect. */
const payoutAmong = (
  stored: ReadonlyMap<string, StoredPayout>,
  id: string | undefined,
): Effect.Effect<StoredPayout> => {
  const payout = id === undefined ? undefined : stored.get(id)
  return payout === undefined
    ? die("a step of the life cycle of payouts has no payout")
    : Effect.succeed(payout)
}

/** Used for ids where no payout is opened, because there is no maturity. */
const noNames = (): string => ""

/** The ids of payouts that a step opens, beginning with the given one. */
const namesFrom =
  (id: string): ((number: number) => string) =>
  (number) =>
    number === 1 ? id : `${id}-${number}`

/** An active payout after it was closed or rolled, and what happened to it. */
export interface Brought {
  readonly payout: StoredPayout
  /** The ids of payouts that were closed: this one, and those that took its immature items and were due as well. */
  readonly closed: ReadonlyArray<string>
  /** The ids of payouts whose due date rolled and that are still active. */
  readonly rolled: ReadonlyArray<string>
}

const changedTo = ({ changes }: Lifecycle.Step, type: "closed" | "rolled"): ReadonlyArray<string> =>
  changes.filter((change) => change.type === type).map(({ payout }) => payout.id)

/** How the life cycle goes on with a payout that is due, and the items that a step may move. */
const dueStep = Effect.fnUntraced(function* (
  stores: Stores,
  { payout, ...passing }: Passing & { readonly payout: StoredPayout },
): Effect.fn.Return<
  { readonly step: Lifecycle.Step; readonly items: Waiting | undefined },
  ScheduleError | StorageError
> {
  const { at, collaborator, maturityDays } = passing
  const isClosed = Lifecycle.reachesThreshold(payout.total, collaborator.payoutThreshold)
  // A payout that is closed with all its items gets no new due date, and neither does another one.
  const isAll = isClosed && maturityDays === 0
  const firstOpenedAt = isAll ? null : yield* firstOpened(stores, payout)
  const head = { ...headOf(payout, payout), firstOpenedAt }
  const names = maturityDays === 0 ? noNames : namesFrom(yield* passing.newId)
  const { maturing, items } = yield* maturingOf(stores, payout, passing, names)
  const step = yield* take(head, { type: "time", at, terms: termsOf(passing), maturing })
  return { step, items }
})

/** What would become of an active payout that is due by a time, as it would be after each change; nothing is stored. */
export const foresee = Effect.fnUntraced(function* (
  stores: Stores,
  given: Omit<Passing, "newId"> & { readonly payout: StoredPayout },
): Effect.fn.Return<ReadonlyArray<Lifecycle.PayoutHead>, StorageError> {
  const passing = { ...given, newId: Effect.succeed(`after ${given.payout.id}`) }
  const { step } = yield* Effect.catchTags(dueStep(stores, passing), {
    UnknownTimeZone: Effect.die,
    InvalidTime: Effect.die,
  })
  const byId = new Map(step.changes.map(({ payout }) => [payout.id, payout]))
  return [...byId.values()]
})

/**
 * Closes an active payout that is due by a time, or rolls its due date. A payout that is not active or not due stays
 * as it is.
 */
export const closeOrRoll = Effect.fnUntraced(function* (
  stores: Stores,
  passing: Passing & { readonly payout: StoredPayout },
): Effect.fn.Return<Brought, ScheduleError | StorageError> {
  const { payout } = passing
  if (!Lifecycle.isDue(payout, passing.at)) return { payout, closed: [], rolled: [] }
  const { step, items } = yield* dueStep(stores, passing)
  const storing = inOneSecond(store(stores, step, payout, items), step)
  const stored = yield* Effect.catchTag(storing, "AmountOutOfRange", Effect.die)
  const closed = changedTo(step, "closed")
  const rolled = changedTo(step, "rolled").filter((id) => !closed.includes(id))
  return { payout: yield* payoutAmong(stored, payout.id), closed, rolled }
})

interface Collecting extends Passing {
  /** ISO 4217 code of the payout; it differs from the collaborator's after a change of that. */
  readonly currency: string
}

/** Whether an active payout takes items of a time: one that is due by then is first closed or rolled. */
export const collects = (active: StoredPayout | undefined, at: number): active is StoredPayout =>
  active !== undefined && !Lifecycle.isDue(active, at)

/** The payout that collects items in place of the active one, if any. */
export const openNext = Effect.fnUntraced(function* (
  stores: Stores,
  options: Collecting,
  active: StoredPayout | undefined,
): Effect.fn.Return<StoredPayout, ScheduleError | StorageError> {
  const { collaborator, currency, at } = options
  const owner = { collaboratorId: collaborator.id, currency }
  const head = { ...headOf(owner, active), firstOpenedAt: yield* firstOpened(stores, owner) }
  const payoutId = namesFrom(yield* options.newId)
  const { maturing, items } = yield* maturingOf(stores, active, options, payoutId)
  const terms = termsOf(options)
  const step = yield* take(head, { type: "posting", at, terms, payoutId, maturing })
  const storing = inOneSecond(store(stores, step, active, items), step)
  const stored = yield* Effect.catchTag(storing, "AmountOutOfRange", Effect.die)
  return yield* payoutAmong(stored, step.head.active?.id)
})

/**
 * The active payout of a collaborator in a currency that takes items of a time: a payout that was due by then is first
 * closed or rolled, and a payout is opened when there is none.
 */
export const openOrActive = (
  stores: Stores,
  options: Collecting,
): Effect.Effect<StoredPayout, ScheduleError | StorageError> =>
  Effect.suspend(() => {
    const { collaborator, currency, at } = options
    const active = stores.payouts.active({ collaboratorId: collaborator.id, currency })
    return Effect.flatMapEager(active, (found) =>
      collects(found, at) ? Effect.succeed(found) : openNext(stores, options, found),
    )
  })

/**
 * {@link closeOrRoll} where dates can't fail: time zones and schedules were checked when they were set, so a date that
 * can't be computed is a defect.
 */
export const upToDate = (
  ...given: Parameters<typeof closeOrRoll>
): Effect.Effect<StoredPayout, StorageError> =>
  closeOrRoll(...given).pipe(
    Effect.catchTags({ UnknownTimeZone: Effect.die, InvalidTime: Effect.die }),
    Effect.map(({ payout }) => payout),
  )

/** Closes or rolls all payouts of a collaborator that are due by a time, under the terms in force until then. */
export const allUpToDate = Effect.fnUntraced(function* (
  stores: Stores,
  passing: Passing,
): Effect.fn.Return<void, StorageError> {
  const collaboratorId = passing.collaborator.id
  // One for each currency that the collaborator ever had: few.
  const slice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const active = yield* stores.payouts.list({ collaboratorId, status: "active" }, slice)
  for (const payout of active.entries) yield* upToDate(stores, { ...passing, payout })
})

// Changes of a stored payout's items, with its total and its count of items.

type Changed = Effect.Effect<StoredPayout, Cents.AmountOutOfRange | StorageError>

/** By what a payout's total and its count of items change. */
interface ItemsChange {
  readonly amounts: ReadonlyArray<number>
  readonly added: number
}

/** A step that would violate an invariant of payouts: a bug of the caller, or a broken store. */
const requireThat = (holds: boolean, message: string): void => {
  if (!holds) throw new Fault({ message })
}

/** The payout after a change of its items. One whose items can't change any more is a defect. */
const withItems = (
  payout: StoredPayout,
  { amounts, added }: ItemsChange,
): Result.Result<StoredPayout, Cents.AmountOutOfRange> => {
  const { id } = payout
  requireThat(!Lifecycle.isFixed(payout), `the items of payout ${id} can't change any more`)
  const sum = Cents.sum([payout.total, ...amounts], { what: `the total of payout ${id}` })
  const itemsCount = payout.itemsCount + added
  return Result.map(sum, (total) => ({ ...payout, total, itemsCount }))
}

const change = (
  stores: Stores,
  before: StoredPayout,
  items: Pick<PayoutChange, "put" | "remove">,
  by: ItemsChange,
): Changed =>
  Effect.suspend(() =>
    Effect.flatMap(Effect.fromResult(withItems(before, by)), (payout) =>
      stores.payouts.update({ payout, ...items }),
    ),
  )

/**
 * The change that adds items to a payout that is not settled; their ids were looked up before in this transaction and are
 * new. A total beyond the range of exact cents fails.
 */
export const addition = (
  payout: StoredPayout,
  put: ReadonlyArray<PayoutItem>,
): Result.Result<PayoutChange, Cents.AmountOutOfRange> => {
  const isRepeated = put.length > 1 && new Set(put.map(({ id }) => id)).size < put.length
  requireThat(!isRepeated, `payout ${payout.id} would get an item twice`)
  const amounts = put.map(({ amount }) => amount)
  const changed = withItems(payout, { amounts, added: put.length })
  return Result.map(changed, (after) => ({ payout: after, put }))
}

/** Stores an {@link addition}. No items: nothing happens. */
export const addNewItems = (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Changed =>
  Effect.suspend(() =>
    items.length === 0
      ? Effect.succeed(payout)
      : Effect.flatMap(Effect.fromResult(addition(payout, items)), (one) =>
          stores.payouts.update(one),
        ),
  )

/** Adds items whose ids were not looked up; an id that the payout has is a defect. */
export const addItems = (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Changed =>
  Effect.flatMap(
    stores.payouts.itemsAt(items.map(({ id: itemId }) => ({ payoutId: payout.id, itemId }))),
    ([known]) => {
      requireThat(known === undefined, `payout ${payout.id} has an item ${known?.item.id} already`)
      return addNewItems(stores, payout, items)
    },
  )

/** Replaces the item with the same id, in a payout that is not settled. */
export const replaceItem = (
  stores: Stores,
  payout: StoredPayout,
  { before, after }: { readonly before: PayoutItem; readonly after: PayoutItem },
): Changed =>
  Effect.suspend(() => {
    requireThat(before.id === after.id, `item ${before.id} can't become item ${after.id}`)
    const amounts = [-before.amount, after.amount]
    return change(stores, payout, { put: [after] }, { amounts, added: 0 })
  })

/** Removes an item, as it was read, from a payout that is not settled. */
export const removeItem = (stores: Stores, payout: StoredPayout, item: PayoutItem): Changed =>
  change(stores, payout, { remove: [item.id] }, { amounts: [-item.amount], added: -1 })
