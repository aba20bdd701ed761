/**
 * Shopify's webhooks: reads the body of each topic.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as instant from "../internal/instant.js"
import {
  type Announcement,
  type DeliveryHeaders,
  headerOf,
  type Occurrence,
  type Platform,
  readTopic,
  type UnknownTopic,
} from "../internal/platform.js"
import { describe, read as readObject, unreadable } from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import type { Unreadable } from "../Unreadable.js"
import { isOfAllLines, soldIn } from "./internal/refundDocument.js"
import { isFailure, readRefund } from "./internal/refunds.js"
import { readers, type TopicOptions } from "./internal/topics.js"

export type { TopicOptions } from "./internal/topics.js"

/**
 * The shop whose webhooks are taken, and how they are read.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShopOptions extends Omit<TopicOptions, "happenedAt"> {
  /** The app's client secret, with which deliveries are signed; more than one while it is being replaced. */
  readonly secrets: ReadonlyArray<string>
  /**
   * The shop's domain, such as `north.myshopify.com`. One secret signs the deliveries of all shops of an app, so the
   * signature alone does not say whose they are.
   */
  readonly shop: string
}

const platformName = "shopify"

const header = {
  ...{ signature: "X-Shopify-Hmac-Sha256", topic: "X-Shopify-Topic" },
  ...{ shop: "X-Shopify-Shop-Domain", id: "X-Shopify-Webhook-Id" },
  ...{ time: "X-Shopify-Triggered-At", test: "X-Shopify-Test" },
} as const

const missing = (name: string): Problem => ({
  path: name,
  value: undefined,
  message: "is missing: Shopify sends this header with each webhook",
})

const shopProblems = (headers: DeliveryHeaders, shop: string): ReadonlyArray<Problem> => {
  const sent = headerOf(headers, header.shop)
  if (sent === undefined) return [missing(header.shop)]
  const message = `must be ${shop}, got ${describe(sent)}: the delivery is of another shop`
  const isSame = sent.toLowerCase() === shop.trim().toLowerCase()
  return isSame ? [] : [{ path: header.shop, value: sent, message }]
}

const announce = (
  headers: DeliveryHeaders,
  shop: string,
): Result.Result<Announcement, Unreadable> => {
  const topic = headerOf(headers, header.topic)
  const problems = [
    ...(topic === undefined ? [missing(header.topic)] : []),
    ...shopProblems(headers, shop),
  ]
  if (problems.length > 0) return Result.fail(unreadable("Shopify delivery", problems))
  return Result.succeed({
    topic: (topic ?? "").toLowerCase(),
    deliveryId: headerOf(headers, header.id) ?? null,
    happenedAt: instant.parse(headerOf(headers, header.time)) ?? null,
    isTest: headerOf(headers, header.test)?.toLowerCase() === "true",
  })
}

/**
 * The topics that are read. For orders, `orders/create`, `orders/updated` and the topics of refunds are enough; the
 * others report the same earlier.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { Webhook } from "apportion/shopify"
 *
 * Webhook.topics.includes("refunds/create") // => true
 * ```
 */
export const topics: ReadonlyArray<string> = [...readers.keys()]

/**
 * Reads the occurrences in the body of a topic, in the order in which they are carried out. Data of the buyer is left
 * out, except the attributes that rules match: tags, the country and the referers. Fails with `Unreadable`, which lists
 * every problem with its path, or with `UnknownTopic`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Webhook } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const body = { id: 788, updated_at: "2024-05-01T12:00:00Z", title: "Print", tags: "art", variants: [{ id: 1, price: "9.50" }] }
 * const [happened] = Result.getOrThrow(Webhook.read("products/update", body, { currency: "EUR" }))
 * happened?.kind // => "product put"
 * ```
 */
export const read = (
  topic: string,
  body: unknown,
  options: TopicOptions,
): Result.Result<ReadonlyArray<Occurrence>, Unreadable | UnknownTopic> =>
  readTopic({ name: platformName, delivery: "Shopify delivery", readers }, { topic, body, options })

/**
 * The webhooks of a shop, for `Deliveries` of `apportion/service`.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Webhook } from "apportion/shopify"
 *
 * const shop = Webhook.platform({ secrets: ["hush"], shop: "north.myshopify.com", currency: "EUR" })
 * shop.name // => "shopify"
 * shop.claimOf({ "x-shopify-hmac-sha256": "c2ln" }, "{}")?.signatures // => ["c2ln"]
 * ```
 */
export const platform = ({ secrets, shop, ...options }: ShopOptions): Platform => ({
  name: platformName,
  secrets,
  linesSay: ["vendor"],
  claimOf: (headers, body) => {
    const signature = headerOf(headers, header.signature)
    if (signature === undefined) return undefined
    const how = { algorithm: "HMAC-SHA256", encoding: "base64" } as const
    return { ...how, signatures: [signature], content: body, signedAt: null }
  },
  announce: (headers) => announce(headers, shop),
  read: ({ topic, happenedAt }, body) => read(topic, body, { ...options, happenedAt }),
  readRefund: (document, { order, leftOut }) =>
    readObject(document, {
      what: "Shopify refund",
      read: (node) => {
        const reading = readRefund(node, { order, leftOut })
        return {
          ...{ ...reading, sold: soldIn(node), hasFailed: isFailure(node) },
          isOfAllLines: isOfAllLines(node, reading),
        }
      },
    }),
})
