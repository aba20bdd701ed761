/**
 * What the life cycle of the core says about payouts, stored: each step in its order, with its event.
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { AmountOutOfRange } from "../../money/Cents.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as Lifecycle from "../../payouts/Lifecycle.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { TransitionError } from "../../payouts/PayoutStatus.js"
import type { ScheduleError } from "../../payouts/Schedule.js"
import type { PayoutChange, StoredPayout } from "../../ports/PayoutStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { SettingsService } from "../Settings.js"
import { die, emit, now, type Transactor } from "./transactions.js"

/** The terms of a collaborator, and the time up to which they are applied. */
interface Passing {
  readonly collaborator: Collaborator
  readonly timeZone: string
  /** Unix seconds. */
  readonly at: number
}

/** When a payout was paid is for the host to say. */
const termsOf = ({ collaborator, timeZone }: Passing): Lifecycle.Terms => ({
  collaborator: { ...collaborator, shouldPayAutomatically: false },
  timeZone,
})

type Owner = Pick<StoredPayout, "collaboratorId" | "currency">

const payoutOf = (stored: StoredPayout): Lifecycle.PayoutHead => ({
  ...stored,
  total: BigInt(stored.total),
})

/** What is known of an owner of whose payouts one at the most is concerned. */
const headOf = (owner: Owner, active: StoredPayout | undefined): Lifecycle.Head => ({
  ...Lifecycle.empty(owner),
  active: active === undefined ? null : payoutOf(active),
})

const firstOpened = (
  { payouts }: Stores,
  { collaboratorId, currency }: Owner,
): Effect.Effect<number | null, StorageError> =>
  Effect.map(payouts.firstOpenedAt({ collaboratorId, currency }), (at) => at ?? null)

/** Of what can stand in the way, only dates can go wrong for a payout that is active and due. */
const refuse = (error: TransitionError): Effect.Effect<never, ScheduleError> =>
  error._tag === "InvalidTime" || error._tag === "UnknownTimeZone"
    ? Effect.fail(error)
    : Effect.die(error)

const take = (
  head: Lifecycle.Head,
  fact: Lifecycle.Fact,
): Effect.Effect<Lifecycle.Step, ScheduleError> =>
  Effect.catch(Effect.fromResult(Lifecycle.transition(head, fact)), refuse)

/** Items that come and go are told by whoever moves them. */
const tell = (
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

/** Stores the changes of a step, which concern the payout that was read and one that is opened; gives the last one. */
const store = Effect.fnUntraced(function* (
  stores: Stores,
  { changes }: Lifecycle.Step,
  before: StoredPayout | undefined,
  items?: Pick<PayoutChange, "put" | "remove">,
): Effect.fn.Return<StoredPayout, AmountOutOfRange | StorageError> {
  let stored = before
  for (const change of changes) {
    const payout = {
      ...change.payout,
      total: yield* Effect.fromResult(Lifecycle.totalOf(change.payout)),
    }
    stored =
      stored === undefined || change.type === "opened"
        ? yield* stores.payouts.insert({ payout })
        : yield* stores.payouts.update({ payout: { ...payout, version: stored.version }, ...items })
    yield* tell(change.type, payout)
  }
  return stored ?? (yield* die("a step of the life cycle of payouts has no payout"))
})

/** What became of an active payout, and how it is stored now. */
export interface Brought {
  readonly payout: StoredPayout
  readonly done: "closed" | "rolled" | "nothing"
}

/**
 * Closes an active payout that is due by a time, or rolls its due date. A payout that is not active or not due stays
 * as it is.
 */
export const closeOrRoll = Effect.fnUntraced(function* (
  stores: Stores,
  { payout, ...passing }: Passing & { readonly payout: StoredPayout },
): Effect.fn.Return<Brought, ScheduleError | StorageError> {
  const { at, collaborator } = passing
  if (!Lifecycle.isDue(payout, at)) return { payout, done: "nothing" }
  const isClosed = Lifecycle.reachesThreshold(payout.total, collaborator.payoutThreshold)
  // A payout that is closed gets no new due date.
  const firstOpenedAt = isClosed ? null : yield* firstOpened(stores, payout)
  const head = { ...headOf(payout, payout), firstOpenedAt }
  const step = yield* take(head, { type: "time", at, terms: termsOf(passing) })
  const stored = yield* Effect.catchTag(store(stores, step, payout), "AmountOutOfRange", Effect.die)
  return { payout: stored, done: isClosed ? "closed" : "rolled" }
})

/**
 * The active payout of a collaborator in a currency, into which items of a time can go: what was due by
 * then is closed or rolled before, and a payout is opened when none is left.
 */
export const openOrActive = Effect.fnUntraced(function* (
  stores: Stores,
  options: Passing & {
    /** ISO 4217 code of the payout; not always the collaborator's own, who may have changed it. */
    readonly currency: string
    /** Names a payout that is opened. */
    readonly newId: Effect.Effect<string>
  },
): Effect.fn.Return<StoredPayout, ScheduleError | StorageError> {
  const { collaborator, currency, at } = options
  const owner = { collaboratorId: collaborator.id, currency }
  const active = yield* stores.payouts.active(owner)
  if (active !== undefined && !Lifecycle.isDue(active, at)) return active
  const head = { ...headOf(owner, active), firstOpenedAt: yield* firstOpened(stores, owner) }
  const id = yield* options.newId
  const terms = termsOf(options)
  const step = yield* take(head, { type: "posting", at, terms, payoutId: () => id })
  return yield* Effect.catchTag(store(stores, step, active), "AmountOutOfRange", Effect.die)
})

/**
 * The same as {@link closeOrRoll} where no date can go wrong: time zones and schedules were checked when they were
 * set, so one that can't be computed is a fault.
 */
export const upToDate = (
  ...given: Parameters<typeof closeOrRoll>
): Effect.Effect<StoredPayout, StorageError> =>
  closeOrRoll(...given).pipe(
    Effect.catchTags({ UnknownTimeZone: Effect.die, InvalidTime: Effect.die }),
    Effect.map(({ payout }) => payout),
  )

/** Closes or rolls all that is due of a collaborator by a time, under the terms in force until then. */
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

type Changed = Effect.Effect<StoredPayout, AmountOutOfRange | StorageError>

/** A step that would break what always holds of payouts: a bug of the caller, or a broken store. */
const requireThat = (holds: boolean, message: string): Effect.Effect<void> =>
  holds ? Effect.void : die(message)

const change = Effect.fnUntraced(function* (
  stores: Stores,
  {
    payout,
    put,
    remove,
    amounts,
    added,
  }: PayoutChange & {
    readonly amounts: ReadonlyArray<number>
    readonly added: number
  },
): Effect.fn.Return<StoredPayout, AmountOutOfRange | StorageError> {
  const head = headOf(payout, undefined)
  const step = Lifecycle.changeItems(head, { payout: payoutOf(payout), amounts, added })
  const taken = yield* Effect.orDie(Effect.fromResult(step))
  return yield* store(stores, taken, payout, { put, remove })
})

const requireNewIds = (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Effect.Effect<void, StorageError> =>
  Effect.forEach(
    items,
    ({ id }) =>
      Effect.flatMap(stores.payouts.item(payout.id, id), (known) =>
        requireThat(known === undefined, `payout ${payout.id} has an item ${id} already`),
      ),
    { discard: true },
  )

/**
 * Adds items to a payout that is not settled, as one change; their ids were looked up before in this
 * transaction and are new. No items: nothing happens. A total beyond the range of exact cents fails, and
 * nothing is stored.
 */
export const addNewItems = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Effect.fn.Return<StoredPayout, AmountOutOfRange | StorageError> {
  if (items.length === 0) return payout
  const isRepeated = new Set(items.map(({ id }) => id)).size < items.length
  yield* requireThat(!isRepeated, `payout ${payout.id} would get an item twice`)
  const amounts = items.map(({ amount }) => amount)
  return yield* change(stores, { payout, put: items, amounts, added: items.length })
})

/** The same for ids of which that is not known: one that the payout has is a fault. */
export const addItems = (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<PayoutItem>,
): Changed =>
  Effect.andThen(requireNewIds(stores, payout, items), addNewItems(stores, payout, items))

/** Puts an item in the place of the one with its id, in a payout that is not settled. */
export const replaceItem = (
  stores: Stores,
  payout: StoredPayout,
  { before, after }: { readonly before: PayoutItem; readonly after: PayoutItem },
): Changed =>
  Effect.andThen(
    requireThat(before.id === after.id, `item ${before.id} can't become item ${after.id}`),
    change(stores, { payout, put: [after], amounts: [-before.amount, after.amount], added: 0 }),
  )

/** Takes an item, as it was read, out of a payout that is not settled. */
export const removeItem = (stores: Stores, payout: StoredPayout, item: PayoutItem): Changed =>
  change(stores, { payout, remove: [item.id], amounts: [-item.amount], added: -1 })

// Closing all payouts that are due.

/** How many due payouts are looked up at a time. */
const batchSize = 100

/** How many of them a worker that is not alone closes before it looks again. */
const togetherSize = 10

interface ClosingTools extends Transactor {
  readonly settings: SettingsService
}

interface Task {
  readonly accountId: string
  readonly timeZone: string
  readonly at: number
}

/** Closes or rolls one payout in a transaction, unless someone else did so since it was looked up. */
const closeOne = (
  { write }: ClosingTools,
  { accountId, timeZone, at }: Task,
  payoutId: string,
): Effect.Effect<Brought["done"] | "orphaned", ScheduleError | StorageError> =>
  write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const payout = yield* stores.payouts.get(payoutId)
      if (payout === undefined) return "nothing"
      const owner = yield* stores.collaborators.get(payout.collaboratorId)
      if (owner === undefined) return "orphaned"
      const { collaborator } = owner
      return (yield* closeOrRoll(stores, { payout, collaborator, timeZone, at })).done
    }),
  )

const warnOfOrphan = (accountId: string, payout: StoredPayout): Effect.Effect<void> =>
  Effect.annotateLogs(
    Effect.logWarning("a payout that is due has no collaborator, so it stays as it is"),
    { accountId, payoutId: payout.id, collaboratorId: payout.collaboratorId },
  )

/** What a run of closing has done so far. */
interface CloseProgress {
  readonly closed: Array<string>
  readonly rolled: Array<string>
  /** What could not be closed or rolled, and is passed over from then on. */
  readonly passed: Set<string>
  /** Set when another worker was met, who closes the same payouts. */
  isShared: boolean
}

/**
 * Which payouts to go on with, of those that are due. A worker that is alone takes them by their dates. Those
 * that met draw lots, so that they don't go side by side from then on, and look again soon, because what is
 * left becomes less without them.
 */
const nextOf = (
  due: ReadonlyArray<StoredPayout>,
  { passed, isShared }: CloseProgress,
): Effect.Effect<ReadonlyArray<StoredPayout>> => {
  const left = due.filter(({ id }) => !passed.has(id))
  if (!isShared) return Effect.succeed(left)
  return Effect.map(Random.shuffle(left), (shuffled) => shuffled.slice(0, togetherSize))
}

/** Closes or rolls one after the other, until another worker was there first. */
const closeNext = Effect.fnUntraced(function* (
  tools: ClosingTools,
  task: Task,
  next: ReadonlyArray<StoredPayout>,
  progress: CloseProgress,
) {
  for (const payout of next) {
    const done = yield* closeOne(tools, task, payout.id)
    if (done === "closed") progress.closed.push(payout.id)
    else if (done === "rolled") progress.rolled.push(payout.id)
    else progress.passed.add(payout.id)
    if (done === "orphaned") yield* warnOfOrphan(task.accountId, payout)
    if (done !== "nothing") continue
    progress.isShared = true
    return
  }
})

/**
 * `Payouts.closeDue`: each payout in a transaction of its own. What is closed or rolled is not due any
 * more, so the next look finds others; what could not be is looked past, so that it ends in any case.
 */
export const closeDue = (
  tools: ClosingTools,
): ((
  accountId: string,
) => Effect.Effect<
  { readonly closed: ReadonlyArray<string>; readonly rolled: ReadonlyArray<string> },
  ScheduleError | StorageError
>) =>
  Effect.fn("Payouts.closeDue")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { timeZone } = yield* tools.settings.of(accountId)
    const task = { accountId, timeZone, at: yield* now }
    const progress: CloseProgress = { closed: [], rolled: [], passed: new Set(), isShared: false }
    for (;;) {
      const { closed, rolled, passed } = progress
      const due = yield* tools.read(accountId, ({ payouts }) =>
        payouts.due({ at: task.at, limit: batchSize + passed.size }),
      )
      // What another worker has closed is gone from the list, and must not make the next look wider.
      const seen = new Set(due.map(({ id }) => id))
      for (const id of passed) if (!seen.has(id)) passed.delete(id)
      const next = yield* nextOf(due, progress)
      if (next.length === 0) return { closed, rolled }
      yield* closeNext(tools, task, next, progress)
    }
  })
