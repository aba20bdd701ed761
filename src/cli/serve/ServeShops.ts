/** The connected shops of `apportion serve`: it takes their deliveries, which are signed with their secrets. */
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { unknownFields } from "../../internal/fieldNames.js"
import { within } from "../../internal/problems.js"
import * as reader from "../../internal/reader.js"
import { type ConnectedShop, connectedShops } from "../../ports/ConnectedShop.js"
import type { Platform } from "../../ports/Platform.js"
import type { Deliveries } from "../../service/Deliveries.js"
import { InboxSweeps } from "../../service/InboxSweeps.js"
import * as ShopifyProducts from "../../shopify/Products.js"
import * as ShopifyWebhook from "../../shopify/Webhook.js"
import * as StripeWebhook from "../../stripe/Webhook.js"
import * as WooWebhook from "../../woocommerce/Webhook.js"
import * as Input from "../input/Input.js"
import * as Problems from "../input/Records.js"
import type { Source } from "../input/Sources.js"
import { accountId } from "./AccessTokens.js"

type Environment = Readonly<Record<string, string | undefined>>

// Secrets. No message contains a secret, nor a wrong value in its place.

/** A shorter secret could be guessed. */
const shortestSecret = 8

/** A secret, or the value of the environment variable that it names; fails with the problem. */
const readSecret = (value: unknown, environment: Environment): Result.Result<string, string> => {
  if (typeof value === "string") return Result.succeed(value)
  const name = reader.isFields(value) ? value.env : undefined
  if (typeof name !== "string") {
    return Result.fail('must be a secret, or {"env": "the environment variable that has it"}')
  }
  const found = environment[name]
  return found === undefined || found === ""
    ? Result.fail(`the environment variable ${name} is not set`)
    : Result.succeed(found)
}

const readSecrets = (node: reader.Node, environment: Environment): ReadonlyArray<string> => {
  const given = node.fields.secrets
  if (!Array.isArray(given) || given.length === 0) {
    reader.note(node, "secrets", "must be a list with at least one secret")
    return []
  }
  return given.flatMap((value, index) => {
    const secret = readSecret(value, environment)
    const place = `secrets[${index}]`
    if (Result.isFailure(secret)) {
      reader.note(node, place, secret.failure)
      return []
    }
    if (secret.success.length >= shortestSecret) return [secret.success]
    reader.note(node, place, `must have at least ${shortestSecret} characters`)
    return []
  })
}

// Shops, by platform.

const refuseUnknown = (node: reader.Node, known: ReadonlyArray<string>): void => {
  const isNone = "is no field here; the fields are"
  node.problems.push(...unknownFields(node.fields, known, { isNone, place: node.path }))
}

const neededText = (node: reader.Node, key: string, expected: string): string => {
  const text = reader.text(node, key)
  if (reader.field(node, key) === undefined || text === "") reader.refuse(node, key, expected)
  return text ?? ""
}

const treatments = ["leave-out", "share"] as const

/** Which data of products is used as tags and as ids. */
const brought = <const A extends string>(node: reader.Node, known: ReadonlyArray<A>) => {
  const list = (field: string) =>
    reader.parsedList(node, field, {
      parse: (value) => known.find((one) => one === value),
      expected: reader.oneOf(known),
    })
  return { tagsFrom: list("tags_from"), idsFrom: list("ids_from") }
}

/** The products of Shopify's collections, from documents of its API: products do not name their collections. */
const collectionsOf = (node: reader.Node): ShopifyProducts.ReadOptions["collections"] => {
  const documents = reader.list(node, "collections")
  if (documents === undefined) return undefined
  const read = ShopifyProducts.collections(documents)
  if (Result.isSuccess(read)) return read.success
  const place = reader.pathOf(node, "collections")
  node.problems.push(...read.failure.problems.map((one) => within(place, one)))
  return undefined
}

interface PlatformReader {
  /** The fields of its shops, besides those of all shops. */
  readonly fields: ReadonlyArray<string>
  readonly read: (node: reader.Node, secrets: ReadonlyArray<string>) => Platform
}

const platforms: Readonly<Record<string, PlatformReader>> = {
  shopify: {
    fields: ["shop", "currency", "gift_cards", "tips", "tags_from", "ids_from", "collections"],
    read: (node, secrets) =>
      ShopifyWebhook.platform({
        secrets,
        shop: neededText(node, "shop", "the shop's domain, as north.myshopify.com"),
        currency: reader.readCurrency(node, "currency"),
        giftCards: reader.choice(node, "gift_cards", treatments),
        tips: reader.choice(node, "tips", treatments),
        ...brought(node, ["variant", "sku", "type", "collection"]),
        collections: collectionsOf(node),
      }),
  },
  woocommerce: {
    fields: ["shop", "currency", "tags_from", "ids_from"],
    read: (node, secrets) =>
      WooWebhook.platform({
        secrets,
        shop: neededText(node, "shop", "the address of the shop, as https://north.example"),
        currency: reader.readCurrency(node, "currency"),
        ...brought(node, ["variant", "sku", "category"]),
      }),
  },
  stripe: {
    fields: ["account", "sales", "credit_notes", "lost_disputes", "test_mode"],
    read: (node, secrets) =>
      StripeWebhook.platform({
        secrets,
        account: reader.text(node, "account"),
        sales: reader.choice(node, "sales", ["both", "sessions", "invoices"]),
        creditNotes: reader.flag(node, "credit_notes"),
        lostDisputes: reader.choice(node, "lost_disputes", ["ask", "take back"]),
        include: reader.flag(node, "test_mode") === true ? ["test"] : [],
      }),
  },
}

const common = ["key", "platform", "secrets"]

const keyPattern = /^[A-Za-z0-9._-]{1,100}$/

const aKey = {
  parse: (value: unknown) =>
    typeof value === "string" && keyPattern.test(value) ? value : undefined,
  expected: "1 to 100 letters, digits and ._-",
}

const readShop = (node: reader.Node, environment: Environment): ConnectedShop | undefined => {
  const key = reader.parsed(node, "key", aKey)
  if (reader.field(node, "key") === undefined) reader.refuse(node, "key", aKey.expected)
  const names = Object.keys(platforms)
  const name = reader.choice(node, "platform", names)
  if (reader.field(node, "platform") === undefined) {
    reader.refuse(node, "platform", reader.oneOf(names))
  }
  const secrets = readSecrets(node, environment)
  const found = name === undefined ? undefined : platforms[name]
  if (found === undefined) return undefined
  refuseUnknown(node, [...common, ...found.fields])
  const platform = found.read(node, secrets)
  return key === undefined ? undefined : { key, accountId, platform }
}

/** Refuses a value that two shops share: orders are identified by the platform's ids alone. */
const refuseRepeated = (nodes: ReadonlyArray<reader.Node>, field: string, why: string): void => {
  const seen = new Set<unknown>()
  for (const node of nodes) {
    const value = reader.field(node, field)
    if (seen.has(value) && value !== undefined) reader.note(node, field, why)
    seen.add(value)
  }
}

const readShops = (environment: Environment) => (root: reader.Node) => {
  refuseUnknown(root, ["shops"])
  const nodes = reader.neededChildren(root, "shops")
  const shops = nodes.flatMap((node) => readShop(node, environment) ?? [])
  refuseRepeated(nodes, "key", "must be unique: another shop has the same key")
  const ofPlatform = "must be unique: an account has one shop of a platform"
  refuseRepeated(nodes, "platform", ofPlatform)
  return shops
}

/** Reads the shops of a file; the list is empty without a file. */
export const read = async (
  source: Source | undefined,
  environment: Environment,
): Promise<ReadonlyArray<ConnectedShop>> => {
  if (source === undefined) return []
  const document = await Input.readWhole(source)
  const shops = reader.read(document.value, {
    what: "list of shops",
    read: readShops(environment),
  })
  if (Result.isSuccess(shops)) return shops.success
  throw Problems.unusable(Problems.linesOf(source.name, document, shops.failure.problems))
}

const sweepMs = 300_000

/** The shops for the API, and the sweep of their waiting deliveries. */
export const layer = (
  shops: ReadonlyArray<ConnectedShop>,
): Layer.Layer<never, never, Deliveries> => {
  const connected = connectedShops(shops)
  if (shops.length === 0) return connected
  return Layer.provideMerge(InboxSweeps.layer({ every: sweepMs }), connected)
}
