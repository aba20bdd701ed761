/**
 * Recording sales, as many as there are in one transaction. What they need is looked up for all at once, and what they
 * change is written at once; in between each is split and booked as if it came alone, one after the other.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Order } from "../../../orders/Order.js"
import * as PayoutItem from "../../../payouts/PayoutItem.js"
import type { ExchangeRatesService } from "../../../ports/ExchangeRates.js"
import { isLeft } from "../../../ports/Patience.js"
import type { PayoutOwner } from "../../../ports/PayoutStore.js"
import type { ChosenSettings } from "../../../ports/SettingsStore.js"
import type { Patience, Stores } from "../../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../../ports/StorageError.js"
import type { InvalidRuleSet } from "../../../rules/RuleSet.js"
import type { SplitError } from "../../../shares/Split.js"
import type { SaleChanged } from "../../ServiceError.js"
import type { SettingsService, SettingsValue } from "../../Settings.js"
import { postAgreements } from "../agreements/agreementEntries.js"
import { type AgreementTerms, agreementTerms } from "../agreements/agreementTerms.js"
import { Batch } from "../batch/Batch.js"
import { withChosen } from "../chosenSettings.js"
import { activePayoutOf, type PayoutOf } from "../counters/countedOrder.js"
import { SaleRates } from "../rates.js"
import { type RulesCache, rulesOnce } from "../rules/rules.js"
import { die, now, type Transactor } from "../transactions.js"
import { productIdsOf } from "./completeOrder.js"
import {
  type KnownOrder,
  keep,
  type NewSplit,
  type Recording,
  type Splitting,
  splitNew,
} from "./newSale.js"
import {
  collaboratorsOf,
  openPayoutOf,
  type PostingError,
  type PostingTerms,
  postShares,
  soldOrder,
} from "./postings.js"

/** What recording needs beside the storage. */
export interface RecordingTools {
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly exchangeRates: ExchangeRatesService
  readonly newId: Effect.Effect<string>
  readonly cache: RulesCache
}

/**
 * Why a sale was not recorded, its storage aside.
 *
 * @since 0.6.0
 * @category errors
 */
export type SaleError = SplitError | InvalidRuleSet | PostingError | SaleChanged

/** A call that records orders, the same in each of its attempts. */
export interface RecordingCall {
  /** The host's. */
  readonly settings: SettingsValue
  readonly rates: SaleRates
  /** The time of which rates are asked for, in Unix seconds. */
  readonly ratesAt: number
}

/** An order that is to be recorded, and the call that it is of. */
export interface GivenOrder {
  readonly order: Order
  readonly call: RecordingCall
  /** How long it waits for others, if that has begun; those that wait longest come first. */
  readonly patience?: Patience | undefined
  /** Runs what is done for it, so that its lines of the log are those of who gave it. */
  readonly around?: (<A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>) | undefined
}

/** The recording, or the currencies to which a rate is missing: then nothing was written. */
export type Attempt =
  | { readonly recording: Recording }
  | { readonly missing: ReadonlyArray<string> }

/** What became of an attempt. */
export type AttemptExit = Exit.Exit<Attempt, SaleError | StorageError>

/** A transaction in which orders are recorded. */
interface RecordingSession {
  readonly batch: Batch
  /** What the account has chosen in place of the host's settings. */
  readonly chosen: ChosenSettings | undefined
  readonly rules: Splitting["rules"]
  readonly agreements: AgreementTerms
  readonly terms: Pick<PostingTerms, "at" | "newId">
}

type SplitExit = Exit.Exit<NewSplit | KnownOrder, SaleError | StorageError>

/** Whether an error is one of the storage. */
export const isStorageError = (error: unknown): error is StorageError =>
  error instanceof Conflict || error instanceof StorageFailure

/** Whether what ended the work of one order ends that of all: the storage failed, or nobody waits any more. */
const concernsAll = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterrupts(cause) ||
  cause.reasons.some((reason) => Cause.isFailReason(reason) && isStorageError(reason.error))

/** What became of work that may fail for one order alone. */
const ofOneAlone = <A, E>(
  exited: Effect.Effect<Exit.Exit<A, E>>,
): Effect.Effect<Exit.Exit<A, E>, E> =>
  Effect.flatMapEager(exited, (exit) =>
    Exit.isFailure(exit) && concernsAll(exit.cause)
      ? Effect.failCause(exit.cause)
      : Effect.succeed(exit),
  )

/** Splits what is new of an order. */
const splitOne = <E = never>(
  { batch: { stores }, chosen, rules, terms }: RecordingSession,
  { order, call }: GivenOrder,
  {
    payoutOf = activePayoutOf(stores),
    foresees,
  }: { readonly payoutOf?: PayoutOf<E | StorageError>; readonly foresees?: boolean } = {},
) => {
  const { policy, timeZone } = withChosen(call.settings, chosen)
  return splitNew<E>({ stores, policy, timeZone, rules, payoutOf, foresees }, order, terms.at)
}

/** Whether a split stays as it is, whatever is recorded before its turn. */
const isSettled = (exit: SplitExit): boolean =>
  Exit.isSuccess(exit) && (!exit.value.isNew || exit.value.counts === undefined)

/** How many shares a transaction books, so that it is not long, whatever orders there are: the rest goes into the next. */
const mostShares = 20_000

const countShares = (exit: SplitExit): number =>
  Exit.isSuccess(exit) && exit.value.isNew ? exit.value.split.shares.length : 0

/**
 * Splits orders that no other one before them could change; what fails then is told when their turn comes. What is counted
 * is only foreseen, and its counters are looked up. Tells with how many of them there are shares enough for a transaction.
 */
const splitAll = Effect.fnUntraced(function* (
  session: RecordingSession,
  given: ReadonlyArray<GivenOrder>,
) {
  yield* session.batch.lookUpOrders(
    given.map(({ order }) => order.id),
    productIdsOf(given.map(({ order }) => order)),
  )
  const split = new Map<GivenOrder, SplitExit>()
  const seen = new Set<string>()
  const counters = new Set<string>()
  let [count, shares] = [0, 0]
  for (const one of given) {
    if (shares >= mostShares) break
    count += 1
    if (seen.has(one.order.id)) continue
    seen.add(one.order.id)
    const exit = yield* ofOneAlone(Effect.exit(splitOne(session, one, { foresees: true })))
    split.set(one, exit)
    shares += countShares(exit)
    const counts = Exit.isSuccess(exit) && exit.value.isNew ? exit.value.counts : undefined
    for (const key of counts?.lacked ?? []) counters.add(key)
  }
  if (counters.size > 0) yield* session.batch.stores.counters.find([...counters])
  return { split, count }
})

/** Looks up what shares are booked with: collaborators, their payouts, and whether these have items of the same ids. */
const lookUpShares = Effect.fnUntraced(function* (batch: Batch, split: Iterable<SplitExit>) {
  const sales: Array<NewSplit> = []
  for (const exit of split) if (Exit.isSuccess(exit) && exit.value.isNew) sales.push(exit.value)
  const sharers = sales.flatMap(({ split }) => split.shares.map((share) => share.collaboratorId))
  const people = yield* batch.lookUpPeople(sharers)
  const owners = new Map(
    people.map(({ collaborator: { id, currency } }) => [id, { collaboratorId: id, currency }]),
  )
  yield* batch.lookUpOwners([...owners.values()])
  const items: Array<{ readonly owner: PayoutOwner; readonly itemId: string }> = []
  for (const { order, split } of sales) {
    for (const { itemId, groupId, collaboratorId } of split.shares) {
      const owner = owners.get(collaboratorId)
      const itemKey = PayoutItem.keyOf({ orderId: order.id, itemId, groupId })
      if (owner !== undefined) items.push({ owner, itemId: itemKey })
    }
  }
  yield* batch.lookUpItems(items)
})

/**
 * Books the shares of what is new of an order, and keeps it. Orders that were booked since it was split may have moved
 * shares of its earlier parts into another payout.
 */
const book = Effect.fnUntraced(function* (
  session: RecordingSession,
  given: GivenOrder,
  found: NewSplit | KnownOrder,
): Effect.fn.Return<Attempt, SaleError | StorageError> {
  const { batch, chosen, terms: own } = session
  const { stores } = batch
  const { settings, rates, ratesAt } = given.call
  const earlier = yield* stores.sales.ofOrder(given.order.id)
  if (!found.isNew) return { recording: { ...found.recording, parts: earlier } }
  const people = yield* collaboratorsOf(stores, found.split.shares)
  const need = { currency: found.order.currency, at: ratesAt }
  const { known, missing } = yield* rates.of(need, people.values())
  if (missing.length > 0) return { missing }
  const { timeZone, maturityDays } = withChosen(settings, chosen)
  const terms = { ...own, timeZone, maturityDays }
  const isOfPayouts = (found.counts?.payoutsOf.size ?? 0) > 0
  // The payouts that collect the shares are known only now that they may be opened.
  const last = isOfPayouts
    ? yield* splitOne(session, given, { payoutOf: openPayoutOf(stores, terms) })
    : found
  if (!last.isNew) return { recording: { ...last.recording, parts: earlier } }
  const sale = last.earlier === earlier ? last : { ...last, earlier }
  const { order, split } = sale
  const { shares } = split
  const sold = soldOrder(order, known)
  const { postings, moved } = yield* postShares(stores, terms, people, { sold, shares })
  const agreed = yield* postAgreements(stores, session.agreements, terms, {
    ...{ orderId: order.id, currency: order.currency, soldAt: order.createdAt, store: split.store },
    ...{ shares, postings },
  })
  const posted = { postings, moved: agreed.length === 0 ? moved : [...moved, ...agreed] }
  return { recording: yield* keep(stores, sale, { ...posted, recordedAt: own.at }) }
})

const isMissing = (exit: AttemptExit): boolean => Exit.isSuccess(exit) && "missing" in exit.value

/**
 * So many orders are written before the next ones are booked: a database works on these while this process works on those. Fewer
 * at a time cost it more, because payouts and sums change once each time.
 */
const writtenAtATime = 500

/**
 * Attempts orders in one transaction, one after the other; up to one to which a rate is missing, if none may pass it. Gives
 * what became of the first ones, at least of one.
 */
const attemptSome = (
  { cache, newId }: RecordingTools,
  accountId: string,
  given: ReadonlyArray<GivenOrder>,
  isInOrder: boolean,
) =>
  Effect.fnUntraced(function* (
    inner: Stores,
  ): Effect.fn.Return<ReadonlyArray<AttemptExit>, SaleError | StorageError> {
    const batch = new Batch(inner)
    const rules = rulesOnce(cache, accountId, inner)
    const chosen = (yield* inner.settings.current)?.chosen
    const agreements = yield* agreementTerms(inner, { kept: cache.agreements, accountId })
    const session = { batch, chosen, rules, agreements, terms: { at: yield* now, newId } }
    const known = yield* splitAll(session, given)
    yield* lookUpShares(batch, known.split.values())
    const exits: Array<AttemptExit> = []
    for (const one of given.slice(0, known.count)) {
      if (exits.length > 0 && exits.length % writtenAtATime === 0) yield* batch.write
      const foreseen = known.split.get(one)
      const split =
        foreseen !== undefined && isSettled(foreseen)
          ? foreseen
          : Effect.suspend(() => splitOne(session, one))
      const work = Effect.flatMap(split, (sale) => book(session, one, sale))
      const attempted = batch.attempt(one.around === undefined ? work : one.around(work))
      const exit = yield* ofOneAlone(attempted)
      exits.push(exit)
      if (isInOrder && isMissing(exit)) break
    }
    yield* batch.write
    return exits
  })

/** Begins a call. */
export const callOf = Effect.fnUntraced(function* (
  { settings, exchangeRates }: RecordingTools,
  accountId: string,
): Effect.fn.Return<RecordingCall> {
  const rates = new SaleRates(exchangeRates, accountId)
  return { settings: yield* settings.of(accountId), rates, ratesAt: yield* now }
})

/** Asks for the rates that an order lacks. */
export const askFor = (
  { order: { currency }, call: { rates, ratesAt: at } }: GivenOrder,
  missing: ReadonlyArray<string>,
): Effect.Effect<void, StorageFailure> => {
  rates.want(currency, missing)
  return rates.ask([{ currency, at }])
}

/** Attempts one order in a transaction of its own, which is rolled back when that fails. */
export const attemptAlone = (
  tools: RecordingTools,
  accountId: string,
  given: GivenOrder,
): Effect.Effect<Attempt, SaleError | StorageError> => {
  const attempt = attemptSome(tools, accountId, [given], true)
  return tools.transactor.write(accountId, (stores) =>
    Effect.flatMap(attempt(stores), ([exit]) => exit ?? die("nothing became of an order")),
  )
}

/** How many orders are recorded in one transaction at the most. */
export const mostTogether = 1_000

/** How many orders in a row the storage refuses, until it is believed that it refuses all. */
const mostRefused = 100

/** How many orders are attempted next: one alone where the storage refuses some, to find out which. */
class Attempts {
  #size = mostTogether
  #refused = 0

  get size(): number {
    return this.#size
  }

  /** Whether the storage is believed to refuse all. */
  get isHopeless(): boolean {
    return this.#refused >= mostRefused
  }

  went(): void {
    this.#refused = 0
    this.#size = Math.min(this.#size * 2, mostTogether)
  }

  /** Tells whether what failed is the fault of one order, which was alone. */
  failed(length: number): boolean {
    const isAlone = length === 1
    if (isAlone) this.#refused += 1
    this.#size = 1
    return isAlone
  }
}

const isOfWaiting = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some(
    (reason) =>
      Cause.isFailReason(reason) &&
      reason.error instanceof StorageFailure &&
      reason.error.waited !== undefined,
  )

/** How many wait no longer, after others were waited for in vain: those whose time is over, or all if the storage's is. */
const countLate = Effect.fnUntraced(function* (left: ReadonlyArray<GivenOrder>) {
  let late = 0
  for (const { patience } of left) {
    if (patience !== undefined && (yield* isLeft(patience))) break
    late += 1
  }
  return late === 0 ? left.length : late
})

/** A transaction that failed. */
interface FailedAttempt {
  readonly cause: Cause.Cause<unknown>
  /** What was attempted in it. */
  readonly next: ReadonlyArray<GivenOrder>
  /** That, and what comes after it. */
  readonly left: ReadonlyArray<GivenOrder>
}

/** How many of the orders that are left fail with a transaction that failed; none: each is attempted alone. */
const countFailed = Effect.fnUntraced(function* (
  { transactor }: RecordingTools,
  accountId: string,
  attempts: Attempts,
  { cause, next, left }: FailedAttempt,
) {
  if (isOfWaiting(cause)) return yield* countLate(left)
  if (!attempts.failed(next.length)) return 0
  if (attempts.isHopeless) return left.length
  if (left.length === 1) return 1
  // What does nothing at all fails for all.
  const nothing = transactor.write(accountId, () => Effect.void, next[0]?.patience)
  return Exit.isSuccess(yield* Effect.exit(nothing)) ? 1 : left.length
})

/**
 * Attempts orders, up to a thousand in one transaction; gives what became of each. An order that the storage refuses fails
 * alone; when it does nothing else either, all that are left fail. In order: rates that are missing are asked for, so that
 * none passes another.
 */
export const attemptTogether = Effect.fnUntraced(function* (
  tools: RecordingTools,
  accountId: string,
  given: ReadonlyArray<GivenOrder>,
  { isInOrder }: { readonly isInOrder: boolean },
): Effect.fn.Return<ReadonlyArray<AttemptExit>> {
  const exits: Array<AttemptExit> = []
  const attempts = new Attempts()
  while (exits.length < given.length) {
    const left = given.slice(exits.length)
    const next = left.slice(0, attempts.size)
    const work = attemptSome(tools, accountId, next, isInOrder)
    const transaction = tools.transactor.write(accountId, work, next[0]?.patience)
    const done = yield* Effect.exit(transaction)
    if (Exit.isFailure(done)) {
      const { cause } = done
      if (Cause.hasInterrupts(cause)) return yield* Effect.interrupt
      let failed = yield* countFailed(tools, accountId, attempts, { cause, next, left })
      for (; failed > 0; failed -= 1) exits.push(Exit.failCause(cause))
      continue
    }
    attempts.went()
    for (const exit of done.value) exits.push(exit)
    const [last, lacking] = [exits.at(-1), given[exits.length - 1]]
    if (!isInOrder || lacking === undefined || last === undefined || Exit.isFailure(last)) continue
    if (!("missing" in last.value)) continue
    exits.pop()
    const asked = yield* Effect.exit(askFor(lacking, last.value.missing))
    if (Exit.isFailure(asked)) exits.push(Exit.failCause(asked.cause))
  }
  return exits
})
