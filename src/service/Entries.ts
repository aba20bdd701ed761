/**
 * Expenses, incomes, and entries about balances below zero: booked for a collaborator, not for a payout.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { refusal, show } from "../internal/problems.js"
import type { AmountOutOfRange } from "../money/Cents.js"
import * as Currency from "../money/Currency.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import * as PayoutItem from "../payouts/PayoutItem.js"
import type { ScheduleError } from "../payouts/Schedule.js"
import type { StoredPayout } from "../ports/PayoutStore.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { inForce } from "./internal/chosenSettings.js"
import { needCollaborator } from "./internal/lookups.js"
import { type BalanceOwner, totalOf, unsettledOf } from "./internal/payouts/balances.js"
import {
  type BookedEntry,
  bookedBefore,
  checkId,
  noCurrency,
  partId,
  requireNewPart,
} from "./internal/payouts/entries.js"
import { addItems, openOrActive } from "./internal/payouts/payoutCycle.js"
import { die, emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import type { NewEntry } from "./Payouts.js"
import { type NotFound, NothingOwed } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"

export type { BookedEntry } from "./internal/payouts/entries.js"

/**
 * An expense, an income or a repayment as it is booked for a collaborator.
 *
 * @since 0.6.0
 * @category models
 */
export interface CollaboratorEntry extends NewEntry {
  /** ISO 4217 code; the collaborator's own when absent. */
  readonly currency?: string | undefined
}

/**
 * A write-off of what a collaborator owes, or a request to pay it back.
 *
 * @since 0.6.0
 * @category models
 */
export interface DebtEntry {
  /** The item's id; one is made when absent. Asked again with the same id, it has one effect. */
  readonly id?: string | undefined
  /** Cents above 0; all that is owed when absent. */
  readonly amount?: number | undefined
  /** Why: 1 to 200 characters, not counting spaces at its ends. */
  readonly name: string
  /** ISO 4217 code; the collaborator's own when absent. */
  readonly currency?: string | undefined
}

/**
 * Why something could not be booked for a collaborator.
 *
 * @since 0.6.0
 * @category errors
 */
export type BookingError =
  | PayoutItem.InvalidEntry
  | AmountOutOfRange
  | ScheduleError
  | NotFound
  | StorageError

/**
 * Books entries for a collaborator. An entry goes to the active payout in its currency, which is opened if there is
 * none. Repeating a call with the same id has one effect, whatever happened to that payout since. Each call is one
 * atomic step, and the payout's history shows who made it.
 *
 * @since 0.6.0
 * @category services
 */
export interface EntriesService {
  /** Adds an expense, which lowers what a collaborator gets. */
  readonly addExpense: (
    accountId: string,
    collaboratorId: string,
    expense: CollaboratorEntry,
  ) => Effect.Effect<BookedEntry, BookingError>
  /** Adds extra income. */
  readonly addIncome: (
    accountId: string,
    collaboratorId: string,
    income: CollaboratorEntry,
  ) => Effect.Effect<BookedEntry, BookingError>
  /**
   * Writes off what a collaborator owes, or a part of it; more than is owed is refused. It is booked in the payouts
   * below zero, the earliest opened first, so that none of them is paid out because of it.
   */
  readonly writeOff: (
    accountId: string,
    collaboratorId: string,
    debt: DebtEntry,
  ) => Effect.Effect<ReadonlyArray<BookedEntry>, BookingError | NothingOwed>
  /** Records that a collaborator was asked to pay back what they owe, or a part of it. No amount changes. */
  readonly request: (
    accountId: string,
    collaboratorId: string,
    debt: DebtEntry,
  ) => Effect.Effect<BookedEntry, BookingError | NothingOwed>
  /** Books a repayment by a collaborator: into the payouts below zero first, and the rest into the active one. */
  readonly repay: (
    accountId: string,
    collaboratorId: string,
    repayment: CollaboratorEntry,
  ) => Effect.Effect<ReadonlyArray<BookedEntry>, BookingError>
}

interface EntryTools extends Transactor {
  readonly settings: SettingsService
  readonly newId: Effect.Effect<string>
}

/** An entry as it is to be booked. */
interface Booking {
  readonly accountId: string
  readonly collaborator: Collaborator
  readonly currency: string
  readonly id: string
  readonly name: string
  /** Unix seconds. */
  readonly at: number
}

type MakeEntry = typeof PayoutItem.income

const activeOf = Effect.fnUntraced(function* (
  { settings, newId }: EntryTools,
  stores: Stores,
  booking: Booking,
) {
  const { timeZone, maturityDays } = yield* inForce(stores, yield* settings.of(booking.accountId))
  const { collaborator, currency, at } = booking
  const passing = { collaborator, at, timeZone, maturityDays, newId }
  return yield* openOrActive(stores, { ...passing, currency })
})

/** An amount to book, and how its items are made. */
interface Amount {
  readonly make: MakeEntry
  /** Cents above 0. */
  readonly amount: number
}

type Booked = Effect.Effect<
  ReadonlyArray<BookedEntry>,
  PayoutItem.InvalidEntry | AmountOutOfRange | ScheduleError | StorageError
>

/** Puts each item into its payout. */
const addEach = (
  stores: Stores,
  booking: Booking,
  {
    make,
    parts,
  }: {
    readonly make: MakeEntry
    readonly parts: ReadonlyArray<{ readonly payout: StoredPayout; readonly amount: number }>
  },
): Booked =>
  Effect.forEach(parts, ({ payout, amount }, index) =>
    Effect.gen(function* () {
      const { name, at, currency, collaborator } = booking
      const id = partId(booking.id, index + 1)
      if (index > 0) yield* requireNewPart(stores, { collaboratorId: collaborator.id, id })
      const made = Result.flatMap(make({ id, name, amount, at }, { currency }), checkId)
      const item = yield* Effect.fromResult(made)
      yield* addItems(stores, payout, [item])
      return { payoutId: payout.id, item }
    }),
  )

const bookIntoActive = (
  tools: EntryTools,
  stores: Stores,
  booking: Booking,
  { make, amount }: Amount,
): Booked =>
  Effect.flatMap(activeOf(tools, stores, booking), (payout) =>
    addEach(stores, booking, { make, parts: [{ payout, amount }] }),
  )

/** Each payout below zero gets the amount that it lacks, and the active one the rest. */
const bookIntoDebts = Effect.fnUntraced(function* (
  tools: EntryTools,
  stores: Stores,
  booking: Booking,
  { make, amount }: Amount,
): Effect.fn.Return<Effect.Success<Booked>, Effect.Error<Booked>> {
  const active = yield* activeOf(tools, stores, booking)
  const owner = { collaboratorId: booking.collaborator.id, currency: booking.currency }
  const amounts = new Map<StoredPayout, number>()
  let left = amount
  for (const payout of yield* unsettledOf(stores, owner)) {
    const part = Math.min(left, Math.max(0, -payout.total))
    if (part > 0) amounts.set(payout.id === active.id ? active : payout, part)
    left -= part
  }
  if (left > 0) amounts.set(active, (amounts.get(active) ?? 0) + left)
  const parts = Array.from(amounts, ([payout, part]) => ({ payout, amount: part }))
  return yield* addEach(stores, booking, { make, parts })
})

const kinds = {
  addExpense: { make: PayoutItem.expense, event: "expense.added", isOfDebt: false },
  addIncome: { make: PayoutItem.income, event: "income.added", isOfDebt: false },
  writeOff: { make: PayoutItem.writeOff, event: "balance.written-off", isOfDebt: true },
  request: { make: PayoutItem.request, event: "balance.requested", isOfDebt: true },
  repay: { make: PayoutItem.repayment, event: "balance.repaid", isOfDebt: false },
} as const

type Method = keyof typeof kinds

/** Whether an entry goes to the payouts that are below zero. */
const isOfDebts = (method: Method): boolean => method === "writeOff" || method === "repay"

/** The amount to write off or to request: no more than is owed. */
const amountOfDebt = Effect.fnUntraced(function* (
  stores: Stores,
  owner: BalanceOwner,
  amount: number | undefined,
): Effect.fn.Return<number, NothingOwed | AmountOutOfRange | StorageError> {
  const balance = yield* totalOf(owner, yield* unsettledOf(stores, owner))
  if (balance >= 0 || (amount ?? 0) > -balance) {
    return yield* NothingOwed.of({ ...owner, balance, amount: amount ?? null })
  }
  return amount ?? -balance
})

/** The entry as one item, or all problems of the input. */
const checkEntry = (
  method: Method,
  { id, at }: { readonly id: string; readonly at: number },
  { amount, name, currency }: DebtEntry,
): Result.Result<PayoutItem.Entry, PayoutItem.InvalidEntry> => {
  const { make, isOfDebt } = kinds[method]
  const problems = []
  if (currency !== undefined && !Currency.isCurrency(currency)) {
    const message = `must be an ISO 4217 currency code, got ${show(currency)}`
    problems.push({ path: "currency", value: currency, message })
  }
  if (amount === undefined && !isOfDebt) {
    problems.push({ path: "amount", value: amount, message: "is missing" })
  }
  const made = make({ id, name, at, amount: amount ?? 1 }, { currency: currency ?? noCurrency })
  if (Result.isFailure(made)) problems.push(...made.failure.problems)
  return problems.length > 0
    ? Result.fail(refusal(PayoutItem.InvalidEntry)(problems))
    : Result.flatMap(made, checkId)
}

/** Books an entry, unless it is booked already. */
const book = (tools: EntryTools, method: Method) => {
  const { make, event, isOfDebt } = kinds[method]
  return Effect.fn(`Entries.${method}`)(function* (
    accountId: string,
    collaboratorId: string,
    entry: DebtEntry,
  ): Effect.fn.Return<ReadonlyArray<BookedEntry>, BookingError | NothingOwed> {
    const id = entry.id ?? (yield* tools.newId)
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, itemId: id })
    const at = yield* now
    const item = yield* Effect.fromResult(checkEntry(method, { id, at }, entry))
    return yield* tools.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { collaborator } = yield* needCollaborator(stores, collaboratorId)
        const { amount: given, currency = collaborator.currency } = entry
        const isDivided = isOfDebts(method)
        const again = { item, hasAmount: given !== undefined, currency: entry.currency, isDivided }
        const known = yield* bookedBefore(stores, { collaboratorId, id }, again)
        if (known.length > 0) return known
        const owner = { collaboratorId, currency }
        const amount = isOfDebt ? yield* amountOfDebt(stores, owner, given) : Math.abs(item.amount)
        const booking = { accountId, collaborator, currency, id, name: item.name, at }
        const into = isDivided ? bookIntoDebts : bookIntoActive
        const booked = yield* into(tools, stores, booking, { make, amount })
        for (const one of booked) {
          const { id: itemId, amount: cents } = one.item
          const data = { payoutId: one.payoutId, itemId, collaboratorId, currency, amount: cents }
          yield* emit({ type: event, data })
        }
        return booked
      }),
    )
  })
}

/** The only item of an entry that is never divided. */
const only = <E>(
  booked: Effect.Effect<ReadonlyArray<BookedEntry>, E>,
): Effect.Effect<BookedEntry, E> =>
  Effect.flatMap(booked, ([first]) =>
    first === undefined ? die("an entry was booked nowhere") : Effect.succeed(first),
  )

/** Entries that need no debt can't fail with `NothingOwed`. */
const withoutDebt = <A>(
  work: Effect.Effect<A, BookingError | NothingOwed>,
): Effect.Effect<A, BookingError> => Effect.catchTag(work, "NothingOwed", Effect.die)

const makeEntries: Effect.Effect<EntriesService, never, Storage | SecureRandom> = Effect.gen(
  function* () {
    const transactor = yield* makeTransactor
    const settings = yield* Settings
    const { uuidV7 } = yield* SecureRandom
    const tools = { ...transactor, settings, newId: uuidV7() }
    const [addExpense, addIncome] = [book(tools, "addExpense"), book(tools, "addIncome")]
    const [request, repay] = [book(tools, "request"), book(tools, "repay")]
    return {
      addExpense: (...given) => only(withoutDebt(addExpense(...given))),
      addIncome: (...given) => only(withoutDebt(addIncome(...given))),
      writeOff: book(tools, "writeOff"),
      request: (...given) => only(request(...given)),
      repay: (...given) => withoutDebt(repay(...given)),
    }
  },
)

/**
 * Expenses, incomes, and entries about balances below zero, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, Entries, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const entries = yield* Entries
 *   yield* entries.addExpense("shop", "ada", { id: "e1", amount: 1_500, name: "Samples" })
 *   return yield* entries.writeOff("shop", "ada", { id: "w1", name: "Closed her shop" })
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const writtenOff = await Effect.runPromise(Effect.provide(program, layer))
 * writtenOff.map(({ item }) => item.amount) // => [1500]
 * ```
 */
export class Entries extends Context.Service<Entries, EntriesService>()(
  "apportion/service/Entries",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Entries, never, Storage | SecureRandom> = Layer.effect(
    Entries,
    makeEntries,
  )
}
