/**
 * Stripe's webhooks about transfers, and about payouts of the connected accounts to their banks.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import type { Fields } from "../../internal/reader.js"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import { stripe } from "../Fields.js"
import { jsonOf, objectIn, textIn, wordsOf } from "../internal/answers.js"
import { fromUnits } from "../internal/units.js"
import type { Outcome } from "../Outcome.js"
import { outcomeIn, transferIn } from "./internal/transfer.js"

/**
 * A payout of a connected account to its owner's bank, from its balance at Stripe. It is no payment of the host: when
 * it fails, the money is in the owner's balance again, not with the host, and paying again would pay twice.
 *
 * @since 0.6.0
 * @category models
 */
export interface BankPayout {
  /** The connected account; `null`: the platform's own. */
  readonly account: string | null
  /** Stripe's id, as `po_1A2b3C`. */
  readonly id: string
  readonly status: "paid" | "failed"
  /** In the lowest unit of the currency; `null` when Stripe does not say. */
  readonly amount: number | null
  /** An ISO 4217 code, as EUR. */
  readonly currency: string | null
  /** Why it failed, in Stripe's code and words; `null`: it did not, or Stripe does not say. */
  readonly reason: string | null
}

/**
 * The content of a webhook.
 *
 * @since 0.6.0
 * @category models
 */
export interface StripeNotice {
  /** The event's id, the same when the event is sent again. */
  readonly id: string
  /** As `transfer.created`. */
  readonly type: string
  /** When it happened, in Unix seconds; `null` when Stripe does not say. */
  readonly at: number | null
  /** `false` in the test mode. */
  readonly isLive: boolean
  /** The outcome of a payment; `null` if the event is about none. */
  readonly outcome: Outcome | null
  /** A payout to a bank; `null` if the event is about none. */
  readonly bankPayout: BankPayout | null
}

const transferEvents = new Set(["transfer.created", "transfer.updated", "transfer.reversed"])
const payoutEvents = new Set(["payout.paid", "payout.failed"])

const timeOf = (event: Fields): number | null => {
  const { created } = event
  return typeof created === "number" && Number.isSafeInteger(created) ? created : null
}

const bankPayoutOf = (event: Fields, type: string, payout: Fields): BankPayout | undefined => {
  const id = textIn(payout, "id")
  if (id === null) return undefined
  const currency = textIn(payout, "currency")?.toUpperCase() ?? null
  return {
    account: textIn(event, "account"),
    id,
    status: type === "payout.paid" ? "paid" : "failed",
    amount: currency === null ? null : fromUnits(payout.amount, currency, stripe.amount),
    currency,
    reason: wordsOf(textIn(payout, "failure_code"), textIn(payout, "failure_message")),
  }
}

/** The outcome of the transfer at the time of the event; the event's time is used where the transfer has none. */
const outcomeOfEvent = (transfer: Fields, at: number | null): Outcome | undefined => {
  const found = transferIn(transfer)
  if (found === undefined) return undefined
  const outcome = outcomeIn(found)
  return { ...outcome, at: outcome.at ?? at }
}

const refuse = (path: string, value: unknown, message: string): Result.Result<never, Unreadable> =>
  Result.fail(unreadable("Stripe webhook", [{ path, value, message }]))

const unreadableObject = (type: string, value: unknown) =>
  refuse("data.object", value, `must be what ${type} is about, with its id, amount and currency`)

/**
 * Reads the body of a webhook whose signature was checked. The outcome of a transfer is `confirmed`; of a reversed one
 * `returned`; of a partly reversed one `unknown`, for a person to check. `payout.paid` and `payout.failed` of a
 * connected account are a {@link BankPayout}. Of every other event only id, type and time are read. Fails with
 * `Unreadable`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Webhook } from "apportion/rails/stripe"
 * import { Result } from "effect"
 *
 * const transfer = {
 *   object: "transfer",
 *   id: "tr_1",
 *   amount: 1999,
 *   amount_reversed: 1999,
 *   currency: "eur",
 *   reversed: true,
 *   metadata: { apportion_key: "at-1" },
 * }
 * const event = { id: "evt_1", type: "transfer.reversed", created: 1_700_000_000, data: { object: transfer } }
 * const notice = Result.getOrThrow(Webhook.read(JSON.stringify(event)))
 * notice.outcome?.key // => "at-1"
 * notice.outcome?.type // => "returned"
 * ```
 */
export const read = (body: string): Result.Result<StripeNotice, Unreadable> => {
  const event = jsonOf(body)
  const [id, type] = [textIn(event, "id"), textIn(event, "type")]
  if (event === undefined) return refuse("", body, "must be a JSON object")
  if (id === null) return refuse("id", event.id, "must be the id of the event")
  if (type === null) return refuse("type", event.type, "must be the type of the event")
  const at = timeOf(event)
  const notice = { id, type, at, isLive: event.livemode !== false }
  const object = objectIn(objectIn(event, "data"), "object") ?? {}
  if (transferEvents.has(type)) {
    const outcome = outcomeOfEvent(object, at)
    if (outcome === undefined) return unreadableObject(type, object)
    return Result.succeed({ ...notice, outcome, bankPayout: null })
  }
  if (payoutEvents.has(type)) {
    const bankPayout = bankPayoutOf(event, type, object)
    if (bankPayout === undefined) return unreadableObject(type, object)
    return Result.succeed({ ...notice, outcome: null, bankPayout })
  }
  return Result.succeed({ ...notice, outcome: null, bankPayout: null })
}
