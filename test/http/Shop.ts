/** A service to send requests to: two accounts, storage in memory, the clock and the log in the test's hands. */
import { type HttpOptions, toWebHandler } from "apportion/http"
import { MemoryStorage } from "apportion/memory"
import {
  connectedShops,
  ExchangeRates,
  type PaymentRail,
  paymentRails,
  Storage,
  type StorageService,
  Tokens,
} from "apportion/ports"
import {
  Collaborators,
  ProductGroups,
  Products,
  Sales,
  type Services,
  servicesLayer,
} from "apportion/service"
import { Webhook } from "apportion/shopify"
import { Effect, Layer, Logger, ManagedRuntime, References, Stream } from "effect"
import { TestClock } from "effect/testing"
import { makeBank } from "./Bank.js"

/** Unix seconds at which every test begins. */
export const start = 1_700_000_000

export interface LogLine {
  readonly level: string
  readonly message: ReadonlyArray<unknown>
  readonly annotations: Readonly<Record<string, unknown>>
}

export interface Asked {
  readonly token?: string | null
  /** Sent as JSON, unless it is a text or bytes: those are sent as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; `undefined` when there is none. */
  readonly json: ReturnType<typeof JSON.parse>
}

const toBody = (body: unknown): string | Uint8Array<ArrayBuffer> | undefined => {
  if (body === undefined || typeof body === "string") return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

const origin = "http://shop.test"

export const requestOf = (method: string, path: string, asked: Asked = {}): Request => {
  const { token = "ada-token", headers = {} } = asked
  const body = toBody(asked.body)
  return new Request(path.startsWith("http") ? path : `${origin}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
}

export const readAnswer = async (response: Response): Promise<Answered> => {
  const text = await response.text()
  const isJson = text !== "" && response.headers.get("content-type") === "application/json"
  const { status, headers } = response
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined }
}

const tokens = Tokens.fixed([
  { token: "ada-token", accountId: "store" },
  { token: "second-token", accountId: "store" },
  { token: "other-token", accountId: "other" },
  { token: "idle-token", accountId: "store", scopes: [] },
  { token: "till-token", accountId: "store", scopes: ["record"] },
  { token: "eyes-token", accountId: "store", scopes: ["read"] },
  { token: "bank-token", accountId: "store", scopes: ["read", "payouts"], actor: "the bank" },
  { token: "desk-token", accountId: "store", scopes: ["manage"] },
])

/** What the shop's platform signs with. */
export const shopSecret = "hush-hush-of-the-north"

const shops = connectedShops([
  {
    key: "north",
    accountId: "store",
    platform: Webhook.platform({
      secrets: [shopSecret],
      shop: "north.myshopify.com",
      currency: "USD",
    }),
  },
])

const loggerInto = (log: Array<LogLine>) =>
  Logger.layer([
    Logger.make<unknown, void>(({ message, logLevel, fiber }) => {
      const annotations = fiber.getRef(References.CurrentLogAnnotations)
      log.push({ level: logLevel, message: [message].flat(), annotations })
    }),
  ])

const makeRuntime = (
  log: Array<LogLine>,
  change: (storage: StorageService) => StorageService,
  rails: ReadonlyArray<PaymentRail>,
) => {
  const storage = Layer.effect(Storage, Effect.map(MemoryStorage.make, change))
  const rates = ExchangeRates.fixed({ "USD/EUR": "0.9" })
  const services = Layer.provide(servicesLayer, [rates, paymentRails(rails)]).pipe(
    Layer.provideMerge(storage),
  )
  // The time is set before the services begin: what they do from time to time is not done for the past.
  const started = Layer.effectDiscard(TestClock.setTime(start * 1_000))
  const clock = Layer.provideMerge(started, TestClock.layer())
  const surroundings = Layer.merge(clock, loggerInto(log))
  const served = Layer.mergeAll(services, tokens, shops)
  return ManagedRuntime.make(Layer.provideMerge(served, surroundings))
}

/** Opens the service, empty. */
export const open = async (
  options: HttpOptions = {},
  change: (storage: StorageService) => StorageService = (storage) => storage,
) => {
  const log: Array<LogLine> = []
  const { bank, rails } = makeBank()
  const runtime = makeRuntime(log, change, rails)
  const context = await runtime.context()
  const run = <A, E>(effect: Effect.Effect<A, E, Services | Storage>): Promise<A> =>
    runtime.runPromise(effect)
  const api = toWebHandler(context, { ratePerMinute: "unlimited", ...options })
  return {
    log,
    /** The rail over which the service pays. */
    bank,
    run,
    context,
    api,
    ask: (method: string, path: string, asked?: Asked): Promise<Answered> =>
      api.handler(requestOf(method, path, asked)).then(readAnswer),
    /** Lets so many seconds pass. */
    pass: (seconds: number): Promise<void> => run(TestClock.adjust(`${seconds} seconds`)),
    close: async () => {
      await api.dispose()
      await runtime.dispose()
    },
  }
}

export type Shop = Awaited<ReturnType<typeof open>>

const product = (id: string, tags: ReadonlyArray<string>) => ({
  id,
  externalId: `x-${id}`,
  externalVariantId: `v-${id}`,
  name: `Product ${id}`,
  sku: `SKU-${id}`,
  vendor: "North",
  price: 2_500,
  cost: 900,
  tags,
  inventoryQuantity: 7,
})

/** Ada with her permissions and her account, two products of three with a tag, one group, one sale. */
const stock = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  yield* collaborators.create("store", {
    id: "ada",
    currency: "EUR",
    payoutThreshold: 100,
    account: { name: "Ada", paypalEmail: "ada@example.com" },
  })
  yield* collaborators.create("store", { id: "sam", currency: "EUR" })
  yield* collaborators.create("other", { id: "eve", currency: "EUR" })
  const products = yield* Products
  yield* products.put("store", [
    product("p1", ["art"]),
    product("p2", ["art", "wall"]),
    product("p3", []),
  ])
  const groups = yield* ProductGroups
  const link = { type: "products.tag", values: ["art"] } as const
  const { group } = yield* groups.create("store", "ada", { link, percent: "12.50" })
  yield* Stream.runDrain(groups.watch("store", group.id))
  const sales = yield* Sales
  const items = [{ id: "i1", product: product("p1", ["art"]), amount: 10_000, quantity: 1 }]
  const order = { id: "o1", currency: "USD", items }
  yield* sales.record("store", order)
  return group.id
})

/** Opens the service with {@link stock}; gives the ids of the group and of the payout. */
export const openStocked = async (
  options: HttpOptions = {},
  before: Effect.Effect<unknown, unknown, Storage> = Effect.void,
) => {
  const shop = await open(options)
  await shop.run(before)
  const groupId = await shop.run(stock)
  const { json } = await shop.ask("GET", "/v1/payouts")
  return { ...shop, groupId, payoutId: String(json.data[0].id) }
}

export const groups = "/api/v1/collaborators/ada/products"
