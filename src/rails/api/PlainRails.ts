/**
 * The rails as plain async functions, for hosts without Effect.
 *
 * @since 0.6.0
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import { type PaymentRail, type PlainPaymentRail, RailUnclear } from "../../ports/PaymentRail.js"
import type { PayPalRecipient } from "../paypal/Payouts.js"
import type { StripeRecipient } from "../stripe/Transfers.js"
import * as PayPalRail from "./PayPalRail.js"
import * as StripeRail from "./StripeRail.js"

/** Options of every rail. */
interface Sending {
  /** Sends the requests; the platform's own `fetch` by default. */
  readonly fetch?: typeof FetchHttpClient.Fetch.Service | undefined
}

/**
 * Options of Stripe's rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface PlainStripeOptions
  extends Omit<StripeRail.StripeRailOptions, "recipientOf" | "secretKey">,
    Sending {
  /** The platform's secret key, as `sk_live_…`. */
  readonly secretKey: string
  /** The connected account of a collaborator; with `undefined`, the payment is rejected. */
  readonly recipientOf: (collaboratorId: string) => Promise<StripeRecipient | undefined>
}

/**
 * Options of PayPal's rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface PlainPayPalOptions
  extends Omit<PayPalRail.PayPalRailOptions, "clientSecret" | "paymentOf" | "recipientOf">,
    Sending {
  readonly clientSecret: string
  /** The recipient of a collaborator's payments; with `undefined`, the payment is rejected. */
  readonly recipientOf: (collaboratorId: string) => Promise<PayPalRecipient | undefined>
  /** The payment with a key: `payments.get` of the services. */
  readonly paymentOf: (key: string) => Promise<PayPalRail.SentPayment | undefined>
}

/** The failure with only its reason as the message. */
const inShort = ({ rail, key, reason }: RailUnclear) =>
  new RailUnclear({ rail, key, reason, message: reason })

const plainRail = (
  made: Effect.Effect<PaymentRail, never, HttpClient.HttpClient>,
  options: Sending,
): PlainPaymentRail => {
  const sendBy = options.fetch
  const { name, terms, send, find } = Effect.runSync(Effect.provide(made, FetchHttpClient.layer))
  const run = <A>(asked: Effect.Effect<A, RailUnclear>, signal: AbortSignal) => {
    const short = Effect.mapError(asked, inShort)
    const sent =
      sendBy === undefined ? short : Effect.provideService(short, FetchHttpClient.Fetch, sendBy)
    return Effect.runPromise(sent, { signal })
  }
  return {
    ...{ name, terms },
    send: (instruction, signal) => run(send(instruction), signal),
    find: (key, signal) => run(find(key), signal),
  }
}

/**
 * Stripe's rail, as `StripeRail.make` makes it.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PlainRails } from "apportion/rails/api"
 *
 * const rail = PlainRails.stripe({
 *   secretKey: "sk_test_heron",
 *   recipientOf: async () => ({ account: "acct_1Heron" }),
 *   fetch: async () => Response.json({ data: [], has_more: false }),
 * })
 * await rail.find("at-1", new AbortController().signal) // => { type: "absent" }
 * ```
 */
export const stripe = (options: PlainStripeOptions): PlainPaymentRail => {
  const { secretKey, recipientOf, ...rest } = options
  const made = StripeRail.make({
    ...rest,
    secretKey: Redacted.make(secretKey),
    recipientOf: (id) => Effect.tryPromise(() => recipientOf(id)),
  })
  return plainRail(made, options)
}

/**
 * PayPal's rail, as `PayPalRail.make` makes it.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PlainRails } from "apportion/rails/api"
 *
 * const rail = PlainRails.paypal({
 *   clientId: "shop",
 *   clientSecret: "heron",
 *   recipientOf: async () => ({ email: "ada@example.com" }),
 *   paymentOf: async () => undefined,
 * })
 * const unclear = await rail.find("at-1", new AbortController().signal).catch((error) => error)
 * unclear.message // => "no such payment is stored"
 * ```
 */
export const paypal = (options: PlainPayPalOptions): PlainPaymentRail => {
  const { clientSecret, recipientOf, paymentOf, ...rest } = options
  const made = PayPalRail.make({
    ...rest,
    clientSecret: Redacted.make(clientSecret),
    recipientOf: (id) => Effect.tryPromise(() => recipientOf(id)),
    paymentOf: (key) => Effect.tryPromise(() => paymentOf(key)),
  })
  return plainRail(made, options)
}
