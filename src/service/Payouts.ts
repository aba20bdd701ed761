import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AmountOutOfRange } from "../money/Cents.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { Payout, PayoutAlreadyPaid, UnknownItem } from "../payouts/Payout.js"
import type { InvalidEntry } from "../payouts/PayoutItem.js"
import type { TransitionError } from "../payouts/PayoutStatus.js"
import type { ScheduleError } from "../payouts/Schedule.js"
import type { SeenCollaborator, SeenPayout } from "../payouts/Visibility.js"
import type { PayoutFilter, PayoutHistoryEntry, StoredPayout } from "../ports/PayoutStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { closeDue } from "./internal/duePayouts.js"
import { addEntry, removeEntry } from "./internal/payoutEntries.js"
import {
  getPayout,
  getPayoutAsSeen,
  historyOf,
  listPayable,
  listPayouts,
  noteEvent,
  noteFailure,
} from "./internal/payoutViews.js"
import { makeTransactor } from "./internal/transactions.js"
import type { InvalidPayoutFilter, NotFound } from "./ServiceError.js"
import { Settings } from "./Settings.js"

/**
 * A payout in a list, with its collaborator.
 *
 * @since 0.2.0
 * @category models
 */
export interface ListedPayout {
  readonly payout: StoredPayout
  readonly collaborator: Collaborator
}

/**
 * A payout with its items, or the part of them that was chosen, and its collaborator.
 *
 * @since 0.2.0
 * @category models
 */
export interface ViewedPayout {
  readonly payout: Payout
  /**
   * How many items the payout has, however many of them were read.
   *
   * @since 0.6.0
   */
  readonly itemsCount: number
  /** The sum of all items, in cents of the payout's currency. */
  readonly total: number
  readonly collaborator: Collaborator
}

/**
 * An expense or an income as it is asked for.
 *
 * @since 0.2.0
 * @category models
 */
export interface NewEntry {
  /** The item's id; one is made when absent. Asked again with the same id, it has one effect. */
  readonly id?: string | undefined
  /** Cents above 0, for an expense too. */
  readonly amount: number
  /** 1 to 200 characters, not counting spaces at its ends. */
  readonly name: string
}

/**
 * Why an item could not be added.
 *
 * @since 0.2.0
 * @category errors
 */
export type AddEntryError =
  | InvalidEntry
  | PayoutAlreadyPaid
  | AmountOutOfRange
  | NotFound
  | StorageError

/**
 * What closing the due payouts did.
 *
 * @since 0.2.0
 * @category models
 */
export interface Closing {
  /** Payouts that were closed: pending now. */
  readonly closed: ReadonlyArray<string>
  /** Payouts whose total was too small; their due date rolled to the next one. */
  readonly rolled: ReadonlyArray<string>
}

/**
 * Which part of a payout's history is asked for.
 *
 * @since 0.3.0
 * @category models
 */
export interface HistoryRequest {
  /** The version after which it begins: that of the last entry that is known; from the first when absent. */
  readonly after?: number | undefined
  /** At most how many entries, brought to 1 to 1000; 100 when absent. */
  readonly limit?: number | undefined
}

/**
 * Reading payouts and moving them on. Every change is one atomic step.
 *
 * @since 0.2.0
 * @category services
 */
export interface PayoutsService {
  /** A page of the payouts to which the whole filter applies, the latest due date first. */
  readonly list: (
    accountId: string,
    filter: PayoutFilter,
    page: PageRequest,
  ) => Effect.Effect<Sliced<ListedPayout>, InvalidPayoutFilter | StorageError>
  readonly get: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<ViewedPayout, NotFound | StorageError>
  /** A payout without what its collaborator's permissions hide, and its collaborator without the store's notes. */
  readonly getAsSeen: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<
    {
      readonly payout: SeenPayout
      /**
       * @since 0.6.0
       */
      readonly itemsCount: number
      readonly total: number
      readonly collaborator: SeenCollaborator
    },
    NotFound | StorageError
  >
  /**
   * What was done to a payout, by whom and when, the earliest first: one entry for each version, with the
   * payout before and after, and the items that came and went.
   *
   * @since 0.3.0
   */
  readonly history: (
    accountId: string,
    payoutId: string,
    request?: HistoryRequest,
  ) => Effect.Effect<ReadonlyArray<PayoutHistoryEntry>, NotFound | StorageError>
  /** Adds an expense, which lowers the total. Refused on a payout that is paid. */
  readonly addExpense: (
    accountId: string,
    payoutId: string,
    expense: NewEntry,
  ) => Effect.Effect<ViewedPayout, AddEntryError>
  /** Adds extra income. Refused on a payout that is paid. */
  readonly addIncome: (
    accountId: string,
    payoutId: string,
    income: NewEntry,
  ) => Effect.Effect<ViewedPayout, AddEntryError>
  /** Removes an expense or income from a payout that is not paid; what comes from sales stays. */
  readonly removeEntry: (
    accountId: string,
    payoutId: string,
    itemId: string,
  ) => Effect.Effect<
    ViewedPayout,
    PayoutAlreadyPaid | UnknownItem | AmountOutOfRange | NotFound | StorageError
  >
  /** Sets a payout as paid by hand, whatever its status. */
  readonly setPaid: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<ViewedPayout, TransitionError | NotFound | StorageError>
  /** Closes every payout that is due by now; those too small roll to their next due date. */
  readonly closeDue: (accountId: string) => Effect.Effect<Closing, ScheduleError | StorageError>
  /** The payouts that may be paid now: pending, past their holding days; by when that was, at most `limit`. */
  readonly listPayable: (
    accountId: string,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<ListedPayout>, StorageError>
  /** Notes that a payout was paid. */
  readonly pay: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<ViewedPayout, TransitionError | NotFound | StorageError>
  /** Notes that a payment failed, and why. */
  readonly fail: (
    accountId: string,
    payoutId: string,
    reason: string,
  ) => Effect.Effect<ViewedPayout, TransitionError | NotFound | StorageError>
  /** Makes a failed payout pending again. */
  readonly retry: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<ViewedPayout, TransitionError | NotFound | StorageError>
}

const make = Effect.gen(function* (): Effect.fn.Return<
  PayoutsService,
  never,
  Storage | SecureRandom
> {
  const transactor = yield* makeTransactor
  const settings = yield* Settings
  const { uuidV7 } = yield* SecureRandom
  const tools = { ...transactor, settings, newId: uuidV7() }
  return {
    list: listPayouts(transactor),
    get: getPayout(transactor),
    getAsSeen: getPayoutAsSeen(transactor),
    history: historyOf(transactor),
    addExpense: addEntry(tools, "expense"),
    addIncome: addEntry(tools, "income"),
    removeEntry: removeEntry(tools),
    setPaid: noteEvent(transactor, "set-paid"),
    closeDue: closeDue(tools),
    listPayable: listPayable(transactor),
    pay: noteEvent(transactor, "pay"),
    fail: noteFailure(transactor),
    retry: noteEvent(transactor, "retry"),
  }
})

/**
 * Reading payouts and moving them on, as a service of Effect.
 *
 * @since 0.2.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Payouts } from "apportion/service"
 * import { Effect, Layer } from "effect"
 * import { SecureRandom } from "effect/crypto"
 *
 * const expense = { amount: 1_500, name: "Samples" }
 * const refused = Effect.gen(function* () {
 *   const payouts = yield* Payouts
 *   return yield* Effect.flip(payouts.addExpense("shop", "p1", expense))
 * })
 * const layer = Payouts.layer.pipe(
 *   Layer.provide(MemoryStorage.layer),
 *   Layer.provide(SecureRandom.layerWebCrypto),
 * )
 * const error = await Effect.runPromise(Effect.provide(refused, layer))
 * error.message // => "there is no payout with the id p1"
 * ```
 */
export class Payouts extends Context.Service<Payouts, PayoutsService>()(
  "apportion/service/Payouts",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Payouts, never, Storage | SecureRandom> = Layer.effect(
    Payouts,
    make,
  )
}
