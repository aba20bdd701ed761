/**
 * Stripe's webhooks: reads each type of event.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as instant from "../internal/instant.js"
import {
  type Announcement,
  headerOf,
  type Occurrence,
  type Platform,
  readGuarded,
  UnknownTopic,
} from "../internal/platform.js"
import { show } from "../internal/problems.js"
import * as reader from "../internal/reader.js"
import { readSignatureHeader, signedContent } from "../internal/stripe.js"
import type { Unreadable } from "../Unreadable.js"
import { readRefund } from "./internal/refunds.js"
import { type EventOptions, topics as topicReaders } from "./internal/topics.js"

export type { EventOptions } from "./internal/topics.js"

/**
 * The account whose webhooks are taken, and how they are read.
 *
 * @since 0.6.0
 * @category models
 */
export interface AccountOptions extends EventOptions {
  /** The endpoint's signing secret, as `whsec_…`; more than one while it is being replaced. */
  readonly secrets: ReadonlyArray<string>
  /**
   * The connected account, as `acct_…`, whose events are taken: one endpoint of Stripe Connect receives those of all
   * accounts. Absent: the events of the host's own account.
   */
  readonly account?: string | undefined
}

/**
 * How one object is read.
 *
 * @since 0.6.0
 * @category models
 */
export interface ObjectOptions extends EventOptions {
  /** When it happened, in Unix seconds, for an object without an event. */
  readonly happenedAt?: number | null | undefined
}

const platformName = "stripe"
const delivery = "Stripe delivery"

/**
 * The types of events that are read. Subscribe to no others: they are refused.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { Webhook } from "apportion/stripe"
 *
 * Webhook.topics.includes("checkout.session.completed") // => true
 * ```
 */
export const topics: ReadonlyArray<string> = [...topicReaders.keys()]

const own = "events of the host's own account"

const checkAccount = (event: reader.Node, account: string | undefined): void => {
  const sent = reader.id(event, "account")
  if (sent === account) return
  const expected = account === undefined ? `absent: ${own} are taken` : account
  reader.refuse(event, "account", expected)
}

const announce = (
  body: unknown,
  account: string | undefined,
): Result.Result<Announcement, Unreadable> =>
  reader.read(body, {
    what: delivery,
    read: (event) => {
      if (event.fields.object !== "event") {
        reader.refuse(event, "object", "event: no other payload of webhooks is read")
      }
      checkAccount(event, account)
      return {
        topic: reader.neededId(event, "type"),
        deliveryId: reader.neededId(event, "id"),
        happenedAt: reader.time(event, "created") ?? null,
        isTest: false,
      }
    },
  })

interface Found {
  readonly object: unknown
  readonly happenedAt: number | null
  readonly isLive: boolean
}

const isLive = ({ fields }: reader.Node): boolean => fields.livemode !== false

/** The object of an event, or an object as the API returns it. */
const objectIn = (
  node: reader.Node,
  { topic, expected }: { readonly topic: string; readonly expected: string },
): Found => {
  if (node.fields.object !== "event") {
    if (node.fields.object !== expected) reader.refuse(node, "object", expected)
    return { object: node.fields, happenedAt: null, isLive: isLive(node) }
  }
  if (node.fields.type !== topic) reader.refuse(node, "type", topic)
  const data = reader.neededChild(node, "data")
  const object = data && reader.neededChild(data, "object")
  if (object !== undefined && object.fields.object !== expected) {
    reader.refuse(object, "object", expected)
  }
  const happenedAt = instant.parse(node.fields.created) ?? null
  return { object: object?.fields, happenedAt, isLive: isLive(node) && (!object || isLive(object)) }
}

const readObject = (
  topic: string,
  body: unknown,
  options: ObjectOptions,
): Result.Result<ReadonlyArray<Occurrence>, Unreadable | UnknownTopic> => {
  const known = topicReaders.get(topic)
  if (known === undefined) {
    const message = `${show(topic)} is no type of event that is read; these are: ${topics.join(", ")}`
    return Result.fail(new UnknownTopic({ platform: platformName, topic, message }))
  }
  const read = (node: reader.Node) => objectIn(node, { topic, expected: known.object })
  return Result.flatMap(reader.read(body, { what: delivery, read }), (found) => {
    if (!found.isLive && options.include?.includes("test") !== true) {
      return Result.succeed([{ kind: "nothing", reason: "it is of Stripe's test mode" }])
    }
    const happenedAt = found.happenedAt ?? options.happenedAt ?? null
    return known.read(found.object, { options, happenedAt })
  })
}

/**
 * Reads the occurrences in an event, or in the object that it is about. A session without its lines, and an invoice
 * with only its first lines, is an `order incomplete`, whose reason says what to fetch. Data of the buyer is left out,
 * except the attributes that rules match: tags, the country and the referers. Fails with `Unreadable`, which lists
 * every problem with its path, or with `UnknownTopic`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Webhook } from "apportion/stripe"
 * import { Result } from "effect"
 *
 * const session = { object: "checkout.session", id: "cs_1", payment_status: "paid", payment_intent: "pi_1" }
 * const [happened] = Result.getOrThrow(Webhook.read("checkout.session.completed", session))
 * happened?.kind // => "order incomplete"
 * ```
 */
export const read = (
  topic: string,
  body: unknown,
  options: ObjectOptions = {},
): Result.Result<ReadonlyArray<Occurrence>, Unreadable | UnknownTopic> =>
  readGuarded(delivery, body, () => readObject(topic, body, options))

const mayBeCredited = "may be told by a credit note, which says of which lines of the invoice it is"

/**
 * The webhooks of a Stripe account, for `Deliveries` of `apportion/service`.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Webhook } from "apportion/stripe"
 *
 * const account = Webhook.platform({ secrets: ["whsec_hush"] })
 * const header = `t=1700000000,v1=${"ab".repeat(32)}`
 * account.name // => "stripe"
 * account.claimOf({ "stripe-signature": header }, "{}")?.content // => "1700000000.{}"
 * ```
 */
export const platform = ({ secrets, account, ...options }: AccountOptions): Platform => ({
  name: platformName,
  secrets,
  claimOf: (headers, body) => {
    const header = readSignatureHeader(headerOf(headers, "Stripe-Signature") ?? "")
    if (header === undefined) return undefined
    const { signatures } = header
    const how = { algorithm: "HMAC-SHA256", encoding: "hex", signatures } as const
    return { ...how, content: signedContent(header, body), signedAt: Number(header.at) }
  },
  announce: (_, body) => announce(body, account),
  read: ({ topic, happenedAt }, body) => read(topic, body, { ...options, happenedAt }),
  readRefund: (document, { order }, moneyBack) =>
    reader.read(document, {
      what: "Stripe refund",
      read: (node) => {
        const found = readRefund(node, { order, moneyBack })
        const isVague = node.fields.object === "refund" && order.id.startsWith("in_")
        return isVague && options.creditNotes !== false ? { ...found, vague: mayBeCredited } : found
      },
    }),
})
