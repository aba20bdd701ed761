/**
 * Transfers to the connected accounts of a Stripe platform: requests to Stripe's API, and the outcomes in its answers.
 *
 * @since 0.6.0
 */
import type * as Result from "effect/Result"
import type { Fields } from "../../internal/reader.js"
import type { ApiAnswer, ApiRequest } from "../Api.js"
import { fitAmount, stripe, type TextField } from "../Fields.js"
import type { Instruction, Transfer } from "../Instruction.js"
import {
  isRefusal,
  jsonOf,
  objectIn,
  objectsIn,
  outcomeOf,
  textIn,
  wordsOf,
} from "../internal/answers.js"
import { take, takeText } from "../internal/batchFields.js"
import { units } from "../internal/units.js"
import type { Outcome } from "../Outcome.js"
import { type Unwritable, written } from "../Unwritable.js"
import { outcomeIn, transferIn } from "./internal/transfer.js"

/**
 * A recipient at Stripe.
 *
 * @since 0.6.0
 * @category models
 */
export interface StripeRecipient {
  /** The id of the connected account, as `acct_1A2b3C`. */
  readonly account: string
}

/**
 * Options of requests to Stripe.
 *
 * @since 0.6.0
 * @category models
 */
export interface StripeOptions {
  /** The version of the API, as `2025-06-30.basil`; the account's own by default. */
  readonly apiVersion?: string | undefined
}

/** The payment of an answer, with which Stripe's transfer is compared. */
type Expected = Pick<Instruction, "key"> & Partial<Pick<Instruction, "amount" | "currency">>

const form = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")

const headers = (
  options: StripeOptions,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  ...(options.apiVersion === undefined ? {} : { "stripe-version": options.apiVersion }),
  ...more,
})

const post = (
  path: string,
  key: string,
  body: Readonly<Record<string, string>>,
  options: StripeOptions,
): ApiRequest => ({
  method: "POST",
  path,
  headers: headers(options, {
    "content-type": "application/x-www-form-urlencoded",
    "idempotency-key": key,
  }),
  body: form(body),
})

/**
 * The request that makes a transfer. The key is sent as the idempotency key, which Stripe remembers for 24 hours, and
 * stored permanently with the transfer, as its group and in its metadata, by which {@link find} finds it. Fails with
 * `Unwritable`, which names every field that Stripe would refuse.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Transfers } from "apportion/rails/stripe"
 * import { Result } from "effect"
 *
 * const transfer = {
 *   key: "at-1",
 *   amount: 5,
 *   currency: "ISK",
 *   reference: "Royalties of May",
 *   collaboratorId: "ada",
 *   recipient: { account: "acct_1A2b3C" },
 * }
 * const request = Result.getOrThrow(Transfers.create(transfer))
 * request.headers["idempotency-key"] // => "at-1"
 * request.body?.split("&").slice(0, 3) // => ["amount=500", "currency=isk", "destination=acct_1A2b3C"]
 * ```
 */
export const create = (
  transfer: Transfer<StripeRecipient>,
  options: StripeOptions = {},
): Result.Result<ApiRequest, Unwritable> =>
  written("Stripe transfer", transfer, (problems) => {
    const text = (value: unknown, field: TextField) => takeText({ problems }, "", value, field)
    const { currency } = transfer
    const key = text(transfer.key, stripe.key)
    const amount = take({ problems }, "", fitAmount(transfer, stripe.amount), 0)
    const body = {
      amount: String(units({ amount, currency }, stripe.amount)),
      currency: String(currency).toLowerCase(),
      destination: text(transfer.recipient.account, stripe.account),
      transfer_group: key,
      description: text(transfer.reference, stripe.reference),
      "metadata[apportion_key]": key,
      "metadata[apportion_collaborator]": text(transfer.collaboratorId, stripe.collaboratorId),
    }
    return post("/v1/transfers", key, body, options)
  })

const unclear = (expected: Expected, answer: ApiAnswer, words: string | null): Outcome => {
  const reason = wordsOf(`Stripe answered ${answer.status}`, words)
  return outcomeOf("unknown", { key: expected.key, reason })
}

/** Errors that leave open whether the same request has succeeded before, or is being processed. */
const openErrors = new Set(["idempotency_error", "api_error", "authentication_error"])
const openCodes = new Set(["idempotency_key_in_use", "lock_timeout", "rate_limit"])

const readError = (answer: ApiAnswer, expected: Expected): Outcome => {
  const error = objectIn(jsonOf(answer.body), "error")
  const [type, code] = [textIn(error, "type"), textIn(error, "code")]
  const reason = wordsOf(code ?? type, textIn(error, "message"))
  const isClear =
    isRefusal(answer) && type !== null && !openErrors.has(type) && !openCodes.has(code ?? "")
  return isClear
    ? outcomeOf("rejected", { key: expected.key, reason })
    : unclear(expected, answer, reason)
}

const isOk = ({ status }: ApiAnswer): boolean => status >= 200 && status < 300

/** Compares a transfer with the payment. Another amount under the same key is `unknown`: a person must check. */
const compared = (outcome: Outcome, { key, amount, currency }: Expected): Outcome => {
  const isSame =
    (amount ?? outcome.amount) === outcome.amount &&
    (currency ?? outcome.currency) === outcome.currency
  if (isSame) return { ...outcome, key }
  const reason = `the transfer ${outcome.railReference} is of ${outcome.amount} ${outcome.currency}, not of ${amount} ${currency}`
  return { ...outcome, key, type: "unknown", reason }
}

/**
 * Reads the outcome in the answer to {@link create}. A transfer: `confirmed`, because the money is in the receiver's
 * balance. An error with status 4xx and Stripe's own words: `rejected`, no money has moved. Anything else is `unknown`:
 * a failure of the server (5xx), the same request under way (409), too many requests (429), an invalid API key (401),
 * an answer that is not Stripe's. So is a transfer of another amount.
 *
 * The rejection of a repeated request says nothing about the earlier request: look with {@link find} first.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Transfers } from "apportion/rails/stripe"
 *
 * const instruction = { key: "at-1", amount: 1999, currency: "EUR" }
 * const body = JSON.stringify({
 *   error: { type: "invalid_request_error", code: "balance_insufficient", message: "Insufficient funds." },
 * })
 * Transfers.readCreated({ status: 400, body }, instruction).type // => "rejected"
 * Transfers.readCreated({ status: 500, body: "" }, instruction).type // => "unknown"
 * ```
 */
export const readCreated = (
  answer: ApiAnswer,
  expected: Pick<Instruction, "key"> & Partial<Pick<Instruction, "amount" | "currency">>,
): Outcome => {
  if (!isOk(answer)) return readError(answer, expected)
  const transfer = transferIn(jsonOf(answer.body))
  return transfer === undefined
    ? unclear(expected, answer, "what came is no transfer")
    : compared(outcomeIn(transfer), expected)
}

/**
 * The request for the transfer that carries a key, however long ago it was made.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Transfers } from "apportion/rails/stripe"
 *
 * Transfers.find("at-1").path // => "/v1/transfers?limit=100&transfer_group=at-1"
 * ```
 */
export const find = (key: string, options: StripeOptions = {}): ApiRequest => {
  const query = form({ limit: "100", transfer_group: key.toWellFormed() })
  return { method: "GET", path: `/v1/transfers?${query}`, headers: headers(options), body: null }
}

const several = (transfers: ReadonlyArray<Fields>, { key }: Expected): Outcome => {
  const ids = transfers.map((transfer) => textIn(transfer, "id")).join(", ")
  const reason = `${transfers.length} transfers carry the key: ${ids}`
  return outcomeOf("unknown", { key, reason })
}

/**
 * Reads the outcome in the answer to {@link find}: that of the transfer with the key; `null` when Stripe has none;
 * `unknown` when the answer does not say, or when several transfers have the key.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Transfers } from "apportion/rails/stripe"
 *
 * const none = { status: 200, body: '{ "object": "list", "data": [], "has_more": false }' }
 * Transfers.readFound(none, { key: "at-1" }) // => null
 * Transfers.readFound({ status: 503, body: "" }, { key: "at-1" })?.type // => "unknown"
 * ```
 */
export const readFound = (
  answer: ApiAnswer,
  expected: Pick<Instruction, "key"> & Partial<Pick<Instruction, "amount" | "currency">>,
): Outcome | null => {
  const list = isOk(answer) ? jsonOf(answer.body) : undefined
  if (list === undefined || !Array.isArray(list.data)) return unclear(expected, answer, null)
  const found = objectsIn(list, "data").filter(
    (transfer) => textIn(transfer, "transfer_group") === expected.key,
  )
  const [first] = found
  if (first === undefined) {
    const isWhole = list.data.length === 0 && list.has_more !== true
    return isWhole ? null : unclear(expected, answer, "other transfers came than were asked for")
  }
  if (found.length > 1) return several(found, expected)
  const transfer = transferIn(first)
  return transfer === undefined
    ? unclear(expected, answer, "what came is no transfer")
    : compared(outcomeIn(transfer), expected)
}

/**
 * The request that reverses a transfer: all of it, or an amount. The key belongs to the reversal, and is the same when
 * the request is repeated. Fails with `Unwritable`.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Transfers } from "apportion/rails/stripe"
 * import { Result } from "effect"
 *
 * const request = Transfers.reverse("tr_1A2b3C", { key: "back-1", part: { amount: 500, currency: "EUR" } })
 * Result.getOrThrow(request).path // => "/v1/transfers/tr_1A2b3C/reversals"
 * Result.getOrThrow(request).body // => "amount=500"
 * ```
 */
export const reverse = (
  transferId: string,
  options: StripeOptions & {
    readonly key: string
    /** The amount to reverse; everything that is not reversed yet by default. */
    readonly part?: Pick<Instruction, "amount" | "currency"> | undefined
  },
): Result.Result<ApiRequest, Unwritable> =>
  written("Stripe reversal", options, (problems) => {
    const text = (value: unknown, field: TextField) => takeText({ problems }, "", value, field)
    const { part } = options
    const amount = part && take({ problems }, "part", fitAmount(part, stripe.amount), 0)
    const money = amount !== undefined && part ? units({ ...part, amount }, stripe.amount) : null
    const body: Readonly<Record<string, string>> = money === null ? {} : { amount: String(money) }
    const id = text(transferId, stripe.transferId)
    return post(`/v1/transfers/${id}/reversals`, text(options.key, stripe.key), body, options)
  })
