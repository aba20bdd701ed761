/**
 * PayPal's Payouts API: requests, and the outcomes in its answers.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { type Fields, isFields } from "../../internal/reader.js"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import type { ApiAnswer, ApiRequest } from "../Api.js"
import { fitAmount, paypal } from "../Fields.js"
import type { Transfer } from "../Instruction.js"
import { isRefusal, jsonOf, objectIn, objectsIn, textIn, wordsOf } from "../internal/answers.js"
import { type Fitting, take, takeText } from "../internal/batchFields.js"
import { decimal } from "../internal/units.js"
import type { Outcome } from "../Outcome.js"
import { type Unwritable, written } from "../Unwritable.js"
import { noteBatch } from "./internal/batch.js"
import { outcomeIn } from "./internal/item.js"
import { type PayPalRecipient, receiverOf } from "./internal/receiver.js"

export type { PayPalRecipient } from "./internal/receiver.js"

/**
 * Payments of one batch: at most 15,000, in one currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayoutBatch {
  /**
   * The `sender_batch_id`. For 30 days PayPal makes no second batch with the same id, whatever its content; for a
   * single payment, use the key.
   */
  readonly id: string
  /** The subject of PayPal's e-mail to the receivers; PayPal's own by default. */
  readonly subject?: string | undefined
  readonly transfers: ReadonlyArray<Transfer<PayPalRecipient>>
}

const itemOf = (fitting: Fitting, place: string, transfer: Transfer<PayPalRecipient>) => {
  const amount = take(fitting, place, fitAmount(transfer, paypal.amount), 0)
  const { currency } = transfer
  const { type, receiver } = receiverOf(fitting, place, transfer.recipient)
  return {
    recipient_type: type,
    receiver,
    amount: { value: decimal({ amount, currency }, paypal.amount), currency },
    note: takeText(fitting, place, transfer.reference, paypal.reference),
    sender_item_id: takeText(fitting, place, transfer.key, paypal.key),
  }
}

const get = (path: string): ApiRequest => ({ method: "GET", path, headers: {}, body: null })

const json = { "content-type": "application/json" }

/**
 * The request that makes payouts, each under its key as `sender_item_id`. Fails with `Unwritable`, which names every
 * field that PayPal would refuse.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Payouts } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const transfer = {
 *   key: "at-1",
 *   amount: 150_000,
 *   currency: "HUF",
 *   reference: "Royalties of May",
 *   collaboratorId: "ada",
 *   recipient: { email: "ada@example.com" },
 * }
 * const request = Result.getOrThrow(Payouts.create({ id: "at-1", transfers: [transfer] }))
 * request.path // => "/v1/payments/payouts"
 * JSON.parse(request.body ?? "").items[0].amount // => { value: "1500", currency: "HUF" }
 * ```
 */
export const create = (batch: PayoutBatch): Result.Result<ApiRequest, Unwritable> =>
  written("PayPal payout", batch, (problems) => {
    const fitting = { problems }
    noteBatch(fitting, batch.transfers, 15_000)
    const header = {
      sender_batch_id: takeText(fitting, "", batch.id, paypal.batchId),
      ...(batch.subject === undefined
        ? {}
        : { email_subject: takeText(fitting, "", batch.subject, paypal.subject) }),
    }
    const items = batch.transfers.map((transfer, index) =>
      itemOf(fitting, `transfers[${index}]`, transfer),
    )
    const body = JSON.stringify({ sender_batch_header: header, items })
    return { method: "POST", path: "/v1/payments/payouts", headers: json, body }
  })

/**
 * PayPal's answer to {@link create}. `created`: it has taken the batch, and reports the outcome of its items later.
 * `duplicate`: a batch with this id exists already, and this is its id at PayPal. `rejected`: nothing was paid and
 * nothing will be. `unknown`: the outcome is not known; repeating the request finds out.
 *
 * @since 0.6.0
 * @category models
 */
export type BatchAnswer =
  | { readonly type: "created" | "duplicate"; readonly batchId: string }
  | { readonly type: "rejected" | "unknown"; readonly reason: string }

const batchLink = /\/v1\/payments\/payouts\/([A-Za-z0-9_-]+)(?:[/?#]|$)/

/** The links of an error, at its end or in its details. */
const linksOf = (error: Fields): ReadonlyArray<Fields> => {
  const details = objectsIn(error, "details").flatMap((detail) => [
    ...objectsIn(detail, "link"),
    ...objectsIn(detail, "links"),
  ])
  return [...details, ...objectsIn(error, "links")]
}

const duplicateOf = (error: Fields): string | undefined => {
  const isDuplicate = objectsIn(error, "details").some(
    (detail) =>
      /sender_batch_id/i.test(textIn(detail, "field") ?? "") &&
      /already exists|duplicate/i.test(textIn(detail, "issue") ?? ""),
  )
  if (!isDuplicate) return undefined
  const ids = linksOf(error).flatMap(
    (link) => batchLink.exec(textIn(link, "href") ?? "")?.[1] ?? [],
  )
  return ids[0]
}

const errorWords = (error: Fields | undefined): string | null => {
  const details = objectsIn(error, "details").flatMap((detail) => {
    const words = wordsOf(textIn(detail, "field"), textIn(detail, "issue"))
    return words === null ? [] : [words]
  })
  const message = wordsOf(textIn(error, "name"), textIn(error, "message"))
  return details.length === 0 ? message : `${message ?? "refused"} (${details.join("; ")})`
}

/** Whether an error is about an id that was used before: then a payment may exist. */
const isAboutBefore = (words: string): boolean => /sender_batch_id|duplicate/i.test(words)

/**
 * Reads the answer to {@link create}. An error with status 4xx and PayPal's own words is a rejection, unless it says
 * that the batch exists already. Anything else is `unknown`: a failure of the server (5xx), a conflict (409), too many
 * requests (429), an invalid access token (401), an answer that is not PayPal's.
 *
 * When a repeated request is rejected, and not a `duplicate`, an earlier payment may still exist.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payouts } from "apportion/rails/paypal"
 *
 * const body = JSON.stringify({ batch_header: { payout_batch_id: "Q8KVJG9TZTNN4", batch_status: "PENDING" } })
 * Payouts.readCreated({ status: 201, body }) // => { type: "created", batchId: "Q8KVJG9TZTNN4" }
 * Payouts.readCreated({ status: 503, body: "" }).type // => "unknown"
 * ```
 */
export const readCreated = (answer: ApiAnswer): BatchAnswer => {
  const body = jsonOf(answer.body)
  const status = `PayPal answered ${answer.status}`
  if (answer.status >= 200 && answer.status < 300) {
    const batchId = textIn(objectIn(body, "batch_header"), "payout_batch_id")
    if (batchId !== null) return { type: "created", batchId }
    return { type: "unknown", reason: `${status}: what came is no batch` }
  }
  const original = body === undefined ? undefined : duplicateOf(body)
  if (original !== undefined) return { type: "duplicate", batchId: original }
  const words = errorWords(body)
  const isClear = isRefusal(answer) && textIn(body, "name") !== null && !isAboutBefore(words ?? "")
  if (isClear) return { type: "rejected", reason: words ?? status }
  return { type: "unknown", reason: wordsOf(status, words) ?? status }
}

/**
 * The request for a batch with up to 1,000 of its items.
 *
 * @param page - which of the pages of items, from 1
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Payouts } from "apportion/rails/paypal"
 *
 * Payouts.getBatch("Q8KVJG9TZTNN4").path
 * // => "/v1/payments/payouts/Q8KVJG9TZTNN4?page=1&page_size=1000&total_required=true"
 * ```
 */
export const getBatch = (batchId: string, page = 1): ApiRequest => {
  const id = encodeURIComponent(batchId.toWellFormed())
  return get(`/v1/payments/payouts/${id}?page=${page}&page_size=1000&total_required=true`)
}

/**
 * A batch at PayPal.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayPalBatch {
  /** PayPal's own id of the batch. */
  readonly batchId: string
  /** The `sender_batch_id` under which it was sent; `null` when PayPal does not say. */
  readonly id: string | null
  /** PayPal's status: PENDING, PROCESSING, SUCCESS, DENIED, CANCELED. Only the items show whether money moved. */
  readonly status: string
  /** The outcomes of the items on this page. */
  readonly outcomes: ReadonlyArray<Outcome>
  /** The number of pages of items. */
  readonly pages: number
}

const refuse = (what: string, path: string, value: unknown, message: string) =>
  Result.fail(unreadable(what, [{ path, value, message }]))

const bodyOf = (what: string, answer: ApiAnswer): Result.Result<Fields, Unreadable> => {
  const body = jsonOf(answer.body)
  if (answer.status !== 200) {
    const words = wordsOf(`must be 200, got ${answer.status}`, errorWords(body))
    return refuse(what, "status", answer.status, words ?? "")
  }
  return body === undefined
    ? refuse(what, "body", answer.body, "must be a JSON object")
    : Result.succeed(body)
}

/** The outcomes of all items; fails if one can't be read, because an answer is never read in part. */
const outcomesOf = (what: string, items: ReadonlyArray<unknown>) => {
  const outcomes: Array<Outcome> = []
  for (const [index, item] of items.entries()) {
    const outcome = isFields(item) ? outcomeIn(item) : undefined
    const message = "must be an item with its id and its status"
    if (outcome === undefined) return refuse(what, `items[${index}]`, item, message)
    outcomes.push(outcome)
  }
  return Result.succeed(outcomes)
}

/**
 * Reads the answer to {@link getBatch}. Fails with `Unreadable` when it is no batch: then the outcome of the payments
 * is as unknown as before.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payouts } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const item = {
 *   payout_item_id: "8AELMXH8UB2P8",
 *   transaction_status: "SUCCESS",
 *   payout_item_fee: { currency: "USD", value: "0.35" },
 *   payout_item: { amount: { currency: "USD", value: "9.87" }, sender_item_id: "at-1" },
 *   time_processed: "2026-01-27T10:17:41Z",
 * }
 * const header = { payout_batch_id: "Q8KVJG9TZTNN4", batch_status: "SUCCESS" }
 * const body = JSON.stringify({ batch_header: header, items: [item] })
 * const batch = Result.getOrThrow(Payouts.readBatch({ status: 200, body }))
 * batch.outcomes.map(({ key, type, amount, fee }) => [key, type, amount, fee]) // => [["at-1", "confirmed", 987, 35]]
 * ```
 */
export const readBatch = (answer: ApiAnswer): Result.Result<PayPalBatch, Unreadable> =>
  Result.flatMap(bodyOf("PayPal batch", answer), (body) => {
    const header = objectIn(body, "batch_header")
    const [batchId, status] = [textIn(header, "payout_batch_id"), textIn(header, "batch_status")]
    if (batchId === null || status === null) {
      const message = "must have the id and the status of the batch"
      return refuse("PayPal batch", "batch_header", header, message)
    }
    const id = textIn(objectIn(header, "sender_batch_header"), "sender_batch_id")
    const pages = typeof body.total_pages === "number" ? body.total_pages : 1
    const items = Array.isArray(body.items) ? body.items : []
    return Result.map(outcomesOf("PayPal batch", items), (outcomes) => ({
      ...{ batchId, id, status, outcomes, pages },
    }))
  })

/**
 * The request for one item.
 *
 * @param itemId - PayPal's id of the item, which is an outcome's `railReference`
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Payouts } from "apportion/rails/paypal"
 *
 * Payouts.getItem("8AELMXH8UB2P8").path // => "/v1/payments/payouts-item/8AELMXH8UB2P8"
 * ```
 */
export const getItem = (itemId: string): ApiRequest =>
  get(`/v1/payments/payouts-item/${encodeURIComponent(itemId.toWellFormed())}`)

/**
 * The request that cancels an unclaimed item before PayPal returns it after 30 days.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Payouts } from "apportion/rails/paypal"
 *
 * Payouts.cancelItem("8AELMXH8UB2P8").path // => "/v1/payments/payouts-item/8AELMXH8UB2P8/cancel"
 * ```
 */
export const cancelItem = (itemId: string): ApiRequest => ({
  ...getItem(itemId),
  method: "POST",
  path: `${getItem(itemId).path}/cancel`,
  headers: json,
})

/**
 * Reads the answer to {@link getItem} or {@link cancelItem}. Fails with `Unreadable` when it is no item.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payouts } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const body = JSON.stringify({
 *   payout_item_id: "8AELMXH8UB2P8",
 *   transaction_status: "UNCLAIMED",
 *   payout_item: { amount: { currency: "USD", value: "9.87" }, sender_item_id: "at-1" },
 *   errors: { name: "RECEIVER_UNREGISTERED", message: "The receiver has no account." },
 * })
 * const outcome = Result.getOrThrow(Payouts.readItem({ status: 200, body }))
 * outcome.type // => "accepted"
 * outcome.reason // => "RECEIVER_UNREGISTERED: The receiver has no account."
 * ```
 */
export const readItem = (answer: ApiAnswer): Result.Result<Outcome, Unreadable> =>
  Result.flatMap(bodyOf("PayPal item", answer), (body) => {
    const outcome = outcomeIn(body)
    return outcome === undefined
      ? refuse("PayPal item", "", body, "must be an item with its id and its status")
      : Result.succeed(outcome)
  })
