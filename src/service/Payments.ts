/**
 * Paying payouts: a payout is claimed and paid over a rail, and the rail's answer is noted.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PaymentRails } from "../ports/PaymentRail.js"
import type { StoredPayment } from "../ports/PaymentStore.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { Outcome } from "../rails/Outcome.js"
import type {
  ClaimFailure,
  Confirmation,
  PaymentFailure,
  PaymentsRequest,
} from "./internal/payments/paymentCalls.js"
import * as paymentCalls from "./internal/payments/paymentCalls.js"
import { type RunOptions, type RunReport, run } from "./internal/payments/paymentRun.js"
import * as railCalls from "./internal/payments/railCalls.js"
import { makeTransactor } from "./internal/transactions.js"
import type { NotFound, PaymentNotMatched } from "./ServiceError.js"
import { Settings } from "./Settings.js"

export type {
  ClaimFailure,
  Confirmation,
  PaymentFailure,
  PaymentsRequest,
} from "./internal/payments/paymentCalls.js"
export type { RunOptions, RunReport } from "./internal/payments/paymentRun.js"

/**
 * Paying payouts: each attempt is a payment of its own, and no payout has two that are open.
 *
 * @since 0.6.0
 * @category services
 */
export interface PaymentsService {
  /**
   * Claims a payout for a rail: a pending one whose holding days are over and whose total the rail pays. Until the
   * payment ends the payout is frozen: changes of its items go to the collaborator's active payout. Nothing is sent
   * yet.
   */
  readonly claim: (
    accountId: string,
    payoutId: string,
    rail: string,
  ) => Effect.Effect<StoredPayment, ClaimFailure>
  readonly get: (
    accountId: string,
    paymentId: string,
  ) => Effect.Effect<StoredPayment, NotFound | StorageError>
  /** Every payment of a payout, the earliest first. */
  readonly ofPayout: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<ReadonlyArray<StoredPayment>, NotFound | StorageError>
  /** The next payments by the time of their claim. */
  readonly list: (
    accountId: string,
    request?: PaymentsRequest,
  ) => Effect.Effect<ReadonlyArray<StoredPayment>, StorageError>
  /**
   * The next payments that a person has to look at: those whose outcome has been unknown for a day or longer, and those
   * about which a rail contradicted itself.
   */
  readonly stuck: (
    accountId: string,
    request?: Omit<PaymentsRequest, "status">,
  ) => Effect.Effect<ReadonlyArray<StoredPayment>, StorageError>
  /**
   * Asks the rail to pay a claimed payment, and notes its answer. That it is sent is stored before the rail is asked.
   * Without an answer it is `unknown`. For a rail that gets files the call is refused. Can't be part of a unit of work.
   */
  readonly send: (
    accountId: string,
    paymentId: string,
  ) => Effect.Effect<StoredPayment, PaymentFailure>
  /**
   * Notes that a claimed payment is sent, for rails that get files: call it before the file is handed out. `reference`:
   * the name of the file.
   */
  readonly noteSent: (
    accountId: string,
    paymentId: string,
    reference?: string,
  ) => Effect.Effect<StoredPayment, PaymentFailure>
  /**
   * Asks the rail for the outcome of a payment that is sent or unknown, and notes the answer. Only when the rail
   * clearly has no such payment, and can't get it any more, the payment is `claimed` again, to be sent with the same
   * key or released. Can't be part of a unit of work.
   */
  readonly resolve: (
    accountId: string,
    paymentId: string,
  ) => Effect.Effect<StoredPayment, PaymentFailure>
  /** Notes that a payment was made: its payout is paid. */
  readonly confirm: (
    accountId: string,
    paymentId: string,
    confirmation?: Confirmation,
  ) => Effect.Effect<StoredPayment, PaymentFailure>
  /** Notes that a payment was not made, and why: its payout fails. */
  readonly reject: (
    accountId: string,
    paymentId: string,
    reason: string,
  ) => Effect.Effect<StoredPayment, PaymentFailure>
  /** Notes that a payment came back, and why: its payout fails, and is paid again only by a new payment. */
  readonly return: (
    accountId: string,
    paymentId: string,
    reason: string,
  ) => Effect.Effect<StoredPayment, PaymentFailure>
  /** Releases a payment that is claimed: its payout is pending as before. */
  readonly release: (
    accountId: string,
    paymentId: string,
    reason?: string,
  ) => Effect.Effect<StoredPayment, PaymentFailure>
  /**
   * Notes what a rail's file or message says about a payment, which is found by its key; without one, by the rail's
   * reference: `PaymentNotMatched` when no payment has it, or more than one.
   */
  readonly answer: (
    accountId: string,
    outcome: Outcome,
  ) => Effect.Effect<StoredPayment, PaymentFailure | PaymentNotMatched>
  /** Notes that a person has looked at a contradiction: the payment is no longer listed for it. */
  readonly settle: (
    accountId: string,
    paymentId: string,
  ) => Effect.Effect<StoredPayment, NotFound | StorageError>
  /**
   * Pays everything that can be paid over a rail. First it asks for the outcome of payments that an earlier run left
   * without an answer, and sends those that it left claimed; then it claims and sends payable payouts. A rail that gets
   * files is not asked: payouts are only claimed. A run can be interrupted anywhere, and another one continues; several
   * may run at the same time. Can't be part of a unit of work.
   */
  readonly run: (
    accountId: string,
    options: RunOptions,
  ) => Effect.Effect<RunReport, NotFound | StorageError>
}

const makePayments: Effect.Effect<PaymentsService, never, Storage | SecureRandom> = Effect.gen(
  function* () {
    const transactor = yield* makeTransactor
    const settings = yield* Settings
    const rails = yield* PaymentRails
    const { uuidV7 } = yield* SecureRandom
    const tools = { ...transactor, settings, rails, newId: uuidV7() }
    return { ...paymentCalls.make(tools), ...railCalls.make(tools), run: run(tools) }
  },
)

/**
 * Paying payouts, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Payments } from "apportion/service"
 * import { Effect, Layer } from "effect"
 * import { SecureRandom } from "effect/crypto"
 *
 * const refused = Effect.gen(function* () {
 *   const payments = yield* Payments
 *   return yield* Effect.flip(payments.send("shop", "a1"))
 * })
 * const layer = Payments.layer.pipe(
 *   Layer.provide(MemoryStorage.layer),
 *   Layer.provide(SecureRandom.layerWebCrypto),
 * )
 * const error = await Effect.runPromise(Effect.provide(refused, layer))
 * error.message // => "there is no payment with the id a1"
 * ```
 */
export class Payments extends Context.Service<Payments, PaymentsService>()(
  "apportion/service/Payments",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Payments, never, Storage | SecureRandom> = Layer.effect(
    Payments,
    makePayments,
  )
}
