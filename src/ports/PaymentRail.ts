/**
 * Payment rails, which move the money: a bank, a wallet, a payment service. A host supplies one for each way of paying.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { PaymentTerms } from "../payouts/PaymentTerms.js"
import type { Instruction } from "../rails/Instruction.js"

/**
 * A rail's answer about a payment. `accepted`: the rail has accepted it, and its outcome comes later. `confirmed`: the
 * money moved. `rejected`: it did not, and will not.
 *
 * @since 0.6.0
 * @category models
 */
export type RailAnswer =
  | { readonly type: "accepted"; readonly reference: string | null }
  | {
      readonly type: "confirmed"
      /** When the money moved, in Unix seconds. */
      readonly at: number
      /** The rail's reference. */
      readonly reference: string | null
      /** The rail's fee, in cents of the payment's currency; `null`: it does not say. */
      readonly fee: number | null
    }
  | { readonly type: "rejected"; readonly reason: string }

/**
 * A rail's answer when a payment is looked up; `absent`: it clearly has none with that key.
 *
 * @since 0.6.0
 * @category models
 */
export type FoundPayment = RailAnswer | { readonly type: "absent" }

/**
 * It is unknown whether money moved: no answer came, the connection broke, or the answer leaves it open. Any other
 * failure of a rail is treated the same way.
 *
 * @since 0.6.0
 * @category errors
 */
export class RailUnclear extends Schema.TaggedError<RailUnclear>()("RailUnclear", {
  rail: Schema.String,
  key: Schema.String,
  /** What went wrong. */
  reason: Schema.String,
  message: Schema.String,
}) {
  /**
   * Makes the error with its message.
   *
   * @since 0.6.0
   */
  static of(rail: string, key: string, reason: string): RailUnclear {
    const message = `nobody knows what became of payment ${key} on rail ${rail}: ${reason}`
    return new RailUnclear({ rail, key, reason, message })
  }
}

/**
 * The port of a rail.
 *
 * @since 0.6.0
 * @category ports
 */
export interface PaymentRail {
  /** The name by which payments refer to it; it never changes. */
  readonly name: string
  readonly terms: PaymentTerms
  /**
   * Asks the rail to pay; the rail finds the recipient by the collaborator. A repeated key is the same payment: the
   * rail pays it once, and gives the same answer. It is called outside of any transaction, and may be interrupted.
   */
  readonly send: (instruction: Instruction) => Effect.Effect<RailAnswer, RailUnclear>
  /** Asks the rail for the outcome of a payment. */
  readonly find: (key: string) => Effect.Effect<FoundPayment, RailUnclear>
}

/**
 * The port of a rail as plain async functions. Any rejection means that it is unknown whether money moved.
 *
 * @since 0.6.0
 * @category ports
 */
export interface PlainPaymentRail {
  /** The name by which payments refer to it; it never changes. */
  readonly name: string
  readonly terms: PaymentTerms
  /** Asks the rail to pay; the signal is aborted when the caller no longer waits for the answer. */
  readonly send: (instruction: Instruction, signal: AbortSignal) => Promise<RailAnswer>
  /** Asks the rail for the outcome of a payment. */
  readonly find: (key: string, signal: AbortSignal) => Promise<FoundPayment>
}

/**
 * Makes the port that services use from a rail of plain async functions.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { fromPlainRail } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const terms = { currencies: null, mode: "single", lateSeconds: 600, knownSeconds: null } as const
 * const rail = fromPlainRail({
 *   name: "wallet",
 *   terms,
 *   send: async () => {
 *     throw new Error("no connection")
 *   },
 *   find: async () => ({ type: "absent" }),
 * })
 * const unclear = await Effect.runPromise(
 *   Effect.flip(
 *     rail.send({ key: "a1", amount: 5_000, currency: "EUR", reference: "Payout p1", collaboratorId: "ada" }),
 *   ),
 * )
 * unclear.reason // => "no connection"
 * ```
 */
export const fromPlainRail = ({ name, terms, send, find }: PlainPaymentRail): PaymentRail => {
  const ask = <A>(key: string, question: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({
      try: (signal) => question(signal),
      catch: (error) =>
        RailUnclear.of(name, key, error instanceof Error ? error.message : String(error)),
    })
  return {
    ...{ name, terms },
    send: (instruction) => ask(instruction.key, (signal) => send(instruction, signal)),
    find: (key) => ask(key, (signal) => find(key, signal)),
  }
}

/**
 * The rails of a host, as an Effect reference; none by default, and then no payout can be claimed.
 *
 * @since 0.6.0
 * @category ports
 */
export const PaymentRails: Context.Reference<ReadonlyArray<PaymentRail>> = Context.Reference<
  ReadonlyArray<PaymentRail>
>("apportion/ports/PaymentRails", { defaultValue: () => [] })

/**
 * The rails of a host, as a layer.
 *
 * @since 0.6.0
 * @category layers
 * @example
 * ```ts
 * import { type PaymentRail, PaymentRails, paymentRails } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const terms = { currencies: null, mode: "single", lateSeconds: 600, knownSeconds: null } as const
 * const cash: PaymentRail = {
 *   name: "cash",
 *   terms,
 *   send: ({ key }) => Effect.succeed({ type: "accepted", reference: key }),
 *   find: () => Effect.succeed({ type: "absent" }),
 * }
 * const names = Effect.map(PaymentRails, (rails) => rails.map(({ name }) => name))
 * await Effect.runPromise(Effect.provide(names, paymentRails([cash]))) // => ["cash"]
 * ```
 */
export const paymentRails = (rails: ReadonlyArray<PaymentRail>): Layer.Layer<never> =>
  Layer.succeed(PaymentRails, rails)
