/**
 * Paying by Stripe: transfers to the connected accounts of a platform.
 *
 * @since 0.6.0
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import {
  type FoundPayment,
  type PaymentRail,
  type RailAnswer,
  RailUnclear,
} from "../../ports/PaymentRail.js"
import type { ApiAnswer, ApiRequest } from "../Api.js"
import { stripe } from "../Fields.js"
import type { Instruction } from "../Instruction.js"
import type { Outcome } from "../Outcome.js"
import type { StripeRecipient } from "../stripe/Transfers.js"
import * as Transfers from "../stripe/Transfers.js"
import { answerOf, currenciesOf } from "./internal/answer.js"
import { ask } from "./internal/ask.js"

/**
 * Options of the rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface StripeRailOptions {
  /** The platform's secret key, as `sk_live_…`. */
  readonly secretKey: Redacted.Redacted<string>
  /** The connected account of a collaborator; with `undefined`, the payment is rejected. */
  readonly recipientOf: (
    collaboratorId: string,
  ) => Effect.Effect<StripeRecipient | undefined, unknown>
  /** The name of the rail in payments; `stripe` by default. */
  readonly name?: string | undefined
  /** The version of the API, as `2025-06-30.basil`; the account's own by default. */
  readonly apiVersion?: string | undefined
  /** `https://api.stripe.com` by default. */
  readonly baseUrl?: string | undefined
  /** How long to wait for an answer; 60 by default. */
  readonly timeoutSeconds?: number | undefined
}

/** The calls to Stripe about one payment. */
interface StripeCall {
  readonly key: string
  readonly rail: string
  readonly ask: (request: ApiRequest) => Effect.Effect<ApiAnswer, RailUnclear>
  readonly answer: (outcome: Outcome) => Effect.Effect<RailAnswer, RailUnclear>
}

/** Finds the transfer that carries the key, if one exists. */
const find = (
  call: StripeCall,
  options: StripeRailOptions,
  expected: Pick<Instruction, "key"> & Partial<Instruction> = { key: call.key },
): Effect.Effect<FoundPayment, RailUnclear> =>
  Effect.gen(function* () {
    const answer = yield* call.ask(Transfers.find(call.key, options))
    const outcome = Transfers.readFound(answer, expected)
    return outcome === null ? ({ type: "absent" } as const) : yield* call.answer(outcome)
  })

const pay = (
  call: StripeCall,
  options: StripeRailOptions,
  instruction: Instruction,
  recipient: StripeRecipient,
): Effect.Effect<RailAnswer, RailUnclear> =>
  Effect.gen(function* () {
    const request = Transfers.create({ ...instruction, recipient }, options)
    if (Result.isFailure(request)) {
      return { type: "rejected", reason: request.failure.message } as const
    }
    const outcome = Transfers.readCreated(yield* call.ask(request.success), instruction)
    if (outcome.type !== "rejected") return yield* call.answer(outcome)
    // Another process may have sent it meanwhile: the payment is rejected only if no transfer exists.
    const found = yield* find(call, options, instruction)
    return found.type === "absent" ? yield* call.answer(outcome) : found
  })

/** Looks for the transfer first: Stripe forgets the key after a day, and a restored backup sends payments again. */
const send = (
  call: StripeCall,
  options: StripeRailOptions,
  instruction: Instruction,
): Effect.Effect<RailAnswer, RailUnclear> =>
  Effect.gen(function* () {
    const found = yield* find(call, options, instruction)
    if (found.type !== "absent") return found
    const { collaboratorId } = instruction
    const recipient = yield* Effect.mapError(options.recipientOf(collaboratorId), () =>
      RailUnclear.of(call.rail, call.key, "the recipient could not be looked up, nothing was sent"),
    )
    if (recipient === undefined) {
      const reason = `collaborator ${collaboratorId} has no account at Stripe`
      return { type: "rejected", reason } as const
    }
    return yield* pay(call, options, instruction, recipient)
  })

/**
 * Makes the rail. A payment is confirmed when the transfer is made: the money is in the receiver's balance at Stripe.
 *
 * No payment is made twice: before a transfer is made, the rail looks for a transfer with its key, which it carries
 * permanently; it is sent with the key as idempotency key; and an error counts as a rejection only when it is clear and
 * no transfer carries the key. Anything else is `RailUnclear`.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { StripeRail } from "apportion/rails/api"
 * import { Effect, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * // A Stripe that has no transfer yet, and makes each that is asked for.
 * const stripe: typeof fetch = async (_input, init) => {
 *   const asked = new URLSearchParams(String(init?.body ?? ""))
 *   const [amount, currency] = [Number(asked.get("amount")), asked.get("currency")]
 *   const transfer = { object: "transfer", id: "tr_1", amount, currency, created: 1_767_225_600 }
 *   return Response.json(init?.method === "POST" ? transfer : { data: [], has_more: false })
 * }
 *
 * const paid = Effect.gen(function* () {
 *   const rail = yield* StripeRail.make({
 *     secretKey: Redacted.make("sk_test_heron"),
 *     recipientOf: () => Effect.succeed({ account: "acct_1Heron" }),
 *   })
 *   const money = { amount: 1999, currency: "EUR" }
 *   return yield* rail.send({ key: "at-1", ...money, reference: "May", collaboratorId: "ada" })
 * }).pipe(
 *   Effect.provide(FetchHttpClient.layer),
 *   Effect.provideService(FetchHttpClient.Fetch, stripe),
 * )
 * const answer = await Effect.runPromise(paid)
 * answer // => { type: "confirmed", at: 1767225600, reference: "tr_1", fee: null }
 * ```
 */
export const make = (
  options: StripeRailOptions,
): Effect.Effect<PaymentRail, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) => {
    const {
      name: rail = "stripe",
      timeoutSeconds = 60,
      baseUrl = "https://api.stripe.com",
    } = options
    const authorization = `Bearer ${Redacted.value(options.secretKey)}`
    const call = (key: string): StripeCall => ({
      key,
      rail,
      ask: (request) => ask({ client, baseUrl, timeoutSeconds, rail, key }, request, authorization),
      answer: (outcome) => answerOf(rail, key, outcome),
    })
    return {
      name: rail,
      terms: {
        currencies: currenciesOf(stripe.amount),
        mode: "single",
        lateSeconds: 600,
        knownSeconds: null,
      },
      send: (instruction) => send(call(instruction.key), options, instruction),
      find: (key) => find(call(key), options),
    }
  })
