/**
 * Paying by PayPal: payouts by its API.
 *
 * @since 0.6.0
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import type { Payment } from "../../payouts/Payment.js"
import { type PaymentRail, type RailAnswer, RailUnclear } from "../../ports/PaymentRail.js"
import type { StorageService } from "../../ports/Storage.js"
import type { ApiAnswer, ApiRequest } from "../Api.js"
import { paypal } from "../Fields.js"
import type { Instruction } from "../Instruction.js"
import type { Money } from "../internal/units.js"
import type { Outcome } from "../Outcome.js"
import * as AccessToken from "../paypal/AccessToken.js"
import type { PayPalRecipient } from "../paypal/Payouts.js"
import * as Payouts from "../paypal/Payouts.js"
import { answerOf, currenciesOf, now } from "./internal/answer.js"
import { type ApiCall, ask } from "./internal/ask.js"

/**
 * A stored payment that was sent.
 *
 * @since 0.6.0
 * @category models
 */
export type SentPayment = Pick<
  Payment,
  "amount" | "collaboratorId" | "currency" | "payoutId" | "reference" | "sentAt"
>

/**
 * Options of the rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayPalRailOptions {
  /** The client id of the host's application at PayPal. */
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
  /** The recipient of a collaborator's payments; with `undefined`, the payment is rejected. */
  readonly recipientOf: (
    collaboratorId: string,
  ) => Effect.Effect<PayPalRecipient | undefined, unknown>
  /**
   * The payment with a key, as {@link storedPayments} finds it: PayPal can't look up a payment by its key; the payment
   * can only be sent again.
   */
  readonly paymentOf: (key: string) => Effect.Effect<SentPayment | undefined, unknown>
  /** The name of the rail in payments; `paypal` by default. */
  readonly name?: string | undefined
  /** `https://api-m.paypal.com` by default; `https://api-m.sandbox.paypal.com` to try it. */
  readonly baseUrl?: string | undefined
  /** How long to wait for an answer; 60 by default. */
  readonly timeoutSeconds?: number | undefined
}

/** The calls to PayPal about one payment. */
interface PayPalCall {
  readonly key: string
  readonly options: PayPalRailOptions
  readonly ask: (request: ApiRequest) => Effect.Effect<ApiAnswer, RailUnclear>
  readonly unclear: (reason: string) => RailUnclear
  readonly answer: (outcome: Outcome, money: Money) => Effect.Effect<RailAnswer, RailUnclear>
}

/** PayPal remembers the id of a batch for 30 days; one day less, for differing clocks and requests under way. */
const rememberedSeconds = 29 * 86_400

/** Reads the outcome of a payment from its batch, which has one item. */
const readBatch = (
  call: PayPalCall,
  answer: ApiAnswer,
  money: Money,
): Effect.Effect<RailAnswer, RailUnclear> => {
  const batch = Payouts.readBatch(answer)
  if (Result.isFailure(batch)) return Effect.fail(call.unclear(batch.failure.message))
  const { batchId: reference, status, outcomes } = batch.success
  const [outcome, ...others] = outcomes.filter(({ key }) => key === call.key)
  if (others.length > 0) return Effect.fail(call.unclear(`batch ${reference} has it twice`))
  if (outcome !== undefined) return call.answer(outcome, money)
  const isOver = status === "DENIED" || status === "CANCELED"
  const accepted = { type: "accepted", reference } as const
  return Effect.succeed(isOver ? { type: "rejected", reason: `batch ${status}` } : accepted)
}

const lookInto = (call: PayPalCall, batchId: string, money: Money) =>
  Effect.flatMap(call.ask(Payouts.getBatch(batchId)), (answer) => readBatch(call, answer, money))

/** Looks up a payment by its reference: the item, or the batch while no item is known. */
const lookUp = (
  call: PayPalCall,
  reference: string,
  money: Money,
): Effect.Effect<RailAnswer, RailUnclear> =>
  Effect.gen(function* () {
    const answer = yield* call.ask(Payouts.getItem(reference))
    if (answer.status === 404) return yield* lookInto(call, reference, money)
    const outcome = Payouts.readItem(answer)
    if (Result.isFailure(outcome)) {
      return yield* Effect.fail(call.unclear(outcome.failure.message))
    }
    return yield* call.answer(outcome.success, money)
  })

const recipientOf = (call: PayPalCall, collaboratorId: string) =>
  Effect.mapError(call.options.recipientOf(collaboratorId), () =>
    call.unclear("the recipient could not be looked up, nothing was sent"),
  )

/** Sends a payment for the first time or again: PayPal makes one batch under the key, and returns an existing one. */
const post = (
  call: PayPalCall,
  instruction: Instruction,
  recipient: PayPalRecipient,
  rejected: (reason: string) => Effect.Effect<RailAnswer, RailUnclear>,
): Effect.Effect<RailAnswer, RailUnclear> =>
  Effect.gen(function* () {
    const transfers = [{ ...instruction, recipient }]
    const request = Payouts.create({ id: instruction.key, transfers })
    if (Result.isFailure(request)) return yield* rejected(request.failure.message)
    const answer = Payouts.readCreated(yield* call.ask(request.success))
    switch (answer.type) {
      case "created":
        return { type: "accepted", reference: answer.batchId } as const
      case "duplicate":
        return yield* lookInto(call, answer.batchId, instruction)
      case "rejected":
        return yield* rejected(answer.reason)
      case "unknown":
        return yield* Effect.fail(call.unclear(answer.reason))
    }
  })

const reject = (reason: string) => Effect.succeed({ type: "rejected", reason } as const)

const send = (call: PayPalCall, instruction: Instruction): Effect.Effect<RailAnswer, RailUnclear> =>
  Effect.gen(function* () {
    const { collaboratorId } = instruction
    const recipient = yield* recipientOf(call, collaboratorId)
    if (recipient === undefined) {
      return yield* reject(`collaborator ${collaboratorId} has no account at PayPal`)
    }
    return yield* post(call, instruction, recipient, reject)
  })

/** Sends a payment again that may have been sent: a rejection now says nothing about the earlier request. */
const sendAgain = (call: PayPalCall, payment: SentPayment) =>
  Effect.gen(function* () {
    const { amount, currency, collaboratorId, payoutId, sentAt } = payment
    const isRemembered = sentAt !== null && (yield* now) < sentAt + rememberedSeconds
    if (!isRemembered) {
      return yield* Effect.fail(call.unclear("PayPal may have forgotten it: look there by hand"))
    }
    const recipient = yield* recipientOf(call, collaboratorId)
    const open = (reason: string) =>
      Effect.fail(
        call.unclear(`asked again, it is refused, and what came before is open: ${reason}`),
      )
    if (recipient === undefined) return yield* open("there is no recipient any more")
    const reference = `Payout ${payoutId}`
    const instruction = { key: call.key, amount, currency, collaboratorId, reference }
    return yield* post(call, instruction, recipient, open)
  })

const find = (call: PayPalCall): Effect.Effect<RailAnswer, RailUnclear> =>
  Effect.gen(function* () {
    const payment = yield* Effect.mapError(call.options.paymentOf(call.key), () =>
      call.unclear("the payment could not be looked up"),
    )
    if (payment === undefined) return yield* Effect.fail(call.unclear("no such payment is stored"))
    return payment.reference === null
      ? yield* sendAgain(call, payment)
      : yield* lookUp(call, payment.reference, payment)
  })

interface KeptToken {
  readonly token: string
  /** In Unix seconds. */
  readonly until: number
}

/** The access token, which is requested again when it has expired. */
const tokenOf = (
  asking: ApiCall,
  { clientId, clientSecret }: PayPalRailOptions,
  kept: Ref.Ref<KeptToken | undefined>,
): Effect.Effect<string, RailUnclear> =>
  Effect.gen(function* () {
    const [at, known] = [yield* now, yield* Ref.get(kept)]
    if (known !== undefined && at < known.until) return known.token
    const credentials = { clientId, clientSecret: Redacted.value(clientSecret) }
    const answer = yield* ask(asking, AccessToken.request(credentials), null)
    const read = AccessToken.read(answer)
    if (Result.isFailure(read)) {
      const reason = `PayPal gives no access token: ${read.failure.message}`
      return yield* Effect.fail(RailUnclear.of(asking.rail, asking.key, reason))
    }
    const { token, expiresIn } = read.success
    yield* Ref.set(kept, { token, until: at + Math.max(0, expiresIn - 60) })
    return token
  })

const askWithToken = (
  asking: ApiCall,
  options: PayPalRailOptions,
  kept: Ref.Ref<KeptToken | undefined>,
  request: ApiRequest,
): Effect.Effect<ApiAnswer, RailUnclear> => {
  const once = Effect.flatMap(tokenOf(asking, options, kept), (token) =>
    ask(asking, request, `Bearer ${token}`),
  )
  // A token can be revoked early; a request that is refused for its token was not processed.
  return Effect.flatMap(once, (answer) =>
    answer.status === 401 ? Effect.andThen(Ref.set(kept, undefined), once) : Effect.succeed(answer),
  )
}

/**
 * Makes the rail. Each payment is its own batch under its key, and `accepted` when PayPal has taken it: webhooks, or
 * `find`, report when it is made.
 *
 * No payment is made twice: PayPal makes one batch under a key for 30 days, and returns it when the payment is sent
 * again. That is how a payment without an answer is found; after 29 days it is not sent again. PayPal never reports
 * that a payment does not exist, so an unknown payment stays `RailUnclear`, for a person to decide.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PayPalRail } from "apportion/rails/api"
 * import { Effect, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * // A PayPal that takes every batch.
 * const paypal: typeof fetch = async (input) =>
 *   String(input).endsWith("/oauth2/token")
 *     ? Response.json({ access_token: "A21", expires_in: 32_400 })
 *     : Response.json({ batch_header: { payout_batch_id: "5UXD2E8A7EBQJ" } }, { status: 201 })
 *
 * const sent = Effect.gen(function* () {
 *   const rail = yield* PayPalRail.make({
 *     clientId: "shop",
 *     clientSecret: Redacted.make("heron"),
 *     recipientOf: () => Effect.succeed({ email: "ada@example.com" }),
 *     paymentOf: () => Effect.succeed(undefined),
 *   })
 *   const money = { amount: 1999, currency: "EUR" }
 *   return yield* rail.send({ key: "at-1", ...money, reference: "May", collaboratorId: "ada" })
 * }).pipe(
 *   Effect.provide(FetchHttpClient.layer),
 *   Effect.provideService(FetchHttpClient.Fetch, paypal),
 * )
 * await Effect.runPromise(sent) // => { type: "accepted", reference: "5UXD2E8A7EBQJ" }
 * ```
 */
export const make = (
  options: PayPalRailOptions,
): Effect.Effect<PaymentRail, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const kept = yield* Ref.make<KeptToken | undefined>(undefined)
    const { name: rail = "paypal", timeoutSeconds = 60 } = options
    const baseUrl = options.baseUrl ?? "https://api-m.paypal.com"
    const call = (key: string): PayPalCall => {
      const asking = { client, baseUrl, timeoutSeconds, rail, key }
      return {
        key,
        options,
        ask: (request) => askWithToken(asking, options, kept, request),
        unclear: (reason) => RailUnclear.of(rail, key, reason),
        answer: (outcome, money) => answerOf(rail, key, outcome, money),
      }
    }
    return {
      name: rail,
      terms: {
        currencies: currenciesOf(paypal.amount),
        mode: "single",
        lateSeconds: 600,
        knownSeconds: rememberedSeconds,
      },
      send: (instruction) => send(call(instruction.key), instruction),
      find: (key) => find(call(key)),
    }
  })

/**
 * Finds payments in a storage, for the rail of one account.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Storage } from "apportion/ports"
 * import { PayPalRail } from "apportion/rails/api"
 * import { Effect } from "effect"
 *
 * const found = Effect.gen(function* () {
 *   const paymentOf = PayPalRail.storedPayments(yield* Storage, "my-shop")
 *   return yield* paymentOf("at-1")
 * })
 * await Effect.runPromise(Effect.provide(found, MemoryStorage.layer)) // => undefined
 * ```
 */
export const storedPayments =
  (storage: StorageService, accountId: string): PayPalRailOptions["paymentOf"] =>
  (key) =>
    storage.transaction(accountId, (stores) => stores.payments.get(key), { mode: "read" })
