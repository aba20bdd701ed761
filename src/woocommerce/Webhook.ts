/**
 * WooCommerce's webhooks: reads the body of each topic.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import {
  type Announcement,
  type DeliveryHeaders,
  headerOf,
  type Occurrence,
  type Platform,
  readTopic,
  type UnknownTopic,
} from "../internal/platform.js"
import { describe, idOf as idIn, isFields, unreadable } from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import type { Unreadable } from "../Unreadable.js"
import { readers, type TopicOptions } from "./internal/topics.js"
import * as Refund from "./Refund.js"

export type { TopicOptions } from "./internal/topics.js"

/**
 * The shop whose webhooks are taken, and how they are read.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShopOptions extends TopicOptions {
  /** The secrets of the webhooks, each of which may have its own. */
  readonly secrets: ReadonlyArray<string>
  /** The address of the shop's home page, such as `https://north.example`. */
  readonly shop: string
}

const platformName = "woocommerce"

const header = {
  ...{ signature: "X-WC-Webhook-Signature", topic: "X-WC-Webhook-Topic" },
  ...{ shop: "X-WC-Webhook-Source", id: "X-WC-Webhook-Delivery-ID" },
} as const

const missing = (name: string): Problem => ({
  path: name,
  value: undefined,
  message: "is missing: WooCommerce sends this header with each webhook",
})

/** An address without its scheme and final slash, in which shops write the same address differently. */
const bare = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "")

const shopProblems = (headers: DeliveryHeaders, shop: string): ReadonlyArray<Problem> => {
  const sent = headerOf(headers, header.shop)
  if (sent === undefined) return [missing(header.shop)]
  const message = `must be ${shop}, got ${describe(sent)}: the delivery is of another shop`
  return bare(sent) === bare(shop) ? [] : [{ path: header.shop, value: sent, message }]
}

/**
 * WooCommerce gives all deliveries of one webhook within a second the same id, so the body is part of this id. The
 * receiver replaces a long id by its digest.
 */
const idOf = (headers: DeliveryHeaders, body: unknown): string | null => {
  const id = headerOf(headers, header.id)
  return id === undefined ? null : `${id} ${JSON.stringify(body) ?? ""}`
}

const announce = (
  headers: DeliveryHeaders,
  body: unknown,
  shop: string,
): Result.Result<Announcement, Unreadable> => {
  const topic = headerOf(headers, header.topic)
  const problems = [
    ...(topic === undefined ? [missing(header.topic)] : []),
    ...shopProblems(headers, shop),
  ]
  if (problems.length > 0) return Result.fail(unreadable("WooCommerce delivery", problems))
  return Result.succeed({
    ...{ topic: (topic ?? "").toLowerCase(), deliveryId: idOf(headers, body) },
    ...{ happenedAt: null, isTest: false },
  })
}

const ping = /^webhook_id=\d+$/

/**
 * The topics that are read. WooCommerce itself does not send `order.refunded` and `refund.created`: plugins, and hosts
 * that fetch the refunds of an order, use them. Coupons are ignored.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { Webhook } from "apportion/woocommerce"
 *
 * Webhook.topics.includes("order.updated") // => true
 * ```
 */
export const topics: ReadonlyArray<string> = [...readers.keys()]

/**
 * Reads the occurrences in the body of a topic, in the order in which they are carried out. Data of the buyer is left
 * out, except the attributes that rules match: the country and the referers. Fails with `Unreadable`, which lists every
 * problem with its path, or with `UnknownTopic`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Webhook } from "apportion/woocommerce"
 * import { Result } from "effect"
 *
 * const order = { id: 727, status: "pending", currency: "EUR", line_items: [] }
 * const [happened] = Result.getOrThrow(Webhook.read("order.created", order, { currency: "EUR" }))
 * happened?.kind // => "order passed over"
 * ```
 */
export const read = (
  topic: string,
  body: unknown,
  options: TopicOptions,
): Result.Result<ReadonlyArray<Occurrence>, Unreadable | UnknownTopic> =>
  readTopic(
    { name: platformName, delivery: "WooCommerce delivery", readers },
    { topic, body, options },
  )

/** WooCommerce's ids are numbers; another text in the place of one may be anything. */
const ofNumber = /^\d{1,30}$/

/** A problem without its value, which may be data of the buyer: such data is not stored. */
const withoutValue = (problem: Problem): Problem => ({
  ...problem,
  message: problem.message.replace(/, got .*$/s, ""),
})

/**
 * A body that can't be read is kept for a person: after several refused deliveries WooCommerce disables the webhook,
 * and it never repeats a delivery.
 */
const readOrAsk = (
  topic: string,
  body: unknown,
  options: TopicOptions,
): ReturnType<Platform["read"]> => {
  const result = read(topic, body, options)
  if (Result.isSuccess(result) || result.failure._tag !== "Unreadable") return result
  const id = (isFields(body) ? idIn(body.id) : undefined) ?? ""
  const subject = `${topic}/${ofNumber.test(id) ? id : "without id"}`
  const { what, problems } = result.failure
  const reason = unreadable(what, problems.map(withoutValue)).message
  return Result.succeed([{ kind: "question", subject, reason }])
}

/**
 * The webhooks of a shop, for `Deliveries` of `apportion/service`. A body that can't be read becomes a question for a
 * person, with the path of each problem, because WooCommerce disables a webhook whose deliveries are refused.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Webhook } from "apportion/woocommerce"
 *
 * const shop = Webhook.platform({ secrets: ["hush-hush"], shop: "https://north.example", currency: "EUR" })
 * shop.name // => "woocommerce"
 * shop.claimOf({ "x-wc-webhook-signature": "c2ln" }, "{}")?.signatures // => ["c2ln"]
 * shop.isPing?.({}, "webhook_id=5") // => true
 * ```
 */
export const platform = ({ secrets, shop, ...options }: ShopOptions): Platform => ({
  name: platformName,
  secrets,
  isPing: (headers, body) =>
    headerOf(headers, header.signature) === undefined && ping.test(body.trim()),
  claimOf: (headers, body) => {
    const signature = headerOf(headers, header.signature)
    if (signature === undefined) return undefined
    const how = { algorithm: "HMAC-SHA256", encoding: "base64" } as const
    return { ...how, signatures: [signature], content: body, signedAt: null }
  },
  announce: (headers, body) => announce(headers, body, shop),
  read: ({ topic }, body) => readOrAsk(topic, body, options),
  readRefund: (document, { order }) => Refund.read(document, { order }),
})
