import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, type Platform, Storage, type StorageService } from "apportion/ports"
import {
  Collaborators,
  Deliveries,
  ProductGroups,
  type RawDelivery,
  Sales,
  type Services,
  servicesLayer,
  settingsLayer,
} from "apportion/service"
import { Webhook } from "apportion/shopify"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"

export const account = "north"

const secret = "a secret of the app"

export const shop: Platform = Webhook.platform({
  ...{ secrets: [secret], shop: "north.myshopify.com", currency: "USD" },
})

/** The signature as platforms make it. */
export const signatureOf = async (body: string, key: string): Promise<string> => {
  const text = new TextEncoder()
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const imported = await crypto.subtle.importKey("raw", text.encode(key), algorithm, false, [
    "sign",
  ])
  const signature = await crypto.subtle.sign("HMAC", imported, text.encode(body))
  return Buffer.from(signature).toString("base64")
}

let deliveries = 0

export interface Sent {
  readonly topic: string
  readonly body: unknown
  readonly id?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** What the host fetches when the delivery turns out to lack it. */
  readonly fetched?: { readonly topic: string; readonly document: object }
}

/** A delivery as Shopify sends it. */
export const deliveryOf = async (sent: Sent): Promise<RawDelivery> => {
  const body = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body)
  deliveries += 1
  return {
    body,
    headers: {
      "X-Shopify-Topic": sent.topic,
      "X-Shopify-Shop-Domain": "north.myshopify.com",
      "X-Shopify-Webhook-Id": sent.id ?? `delivery-${deliveries}`,
      "X-Shopify-Hmac-Sha256": await signatureOf(body, sent.key ?? secret),
      ...sent.headers,
    },
  }
}

export const send = (sent: Sent) =>
  Effect.gen(function* () {
    const service = yield* Deliveries
    const delivery = yield* Effect.promise(() => deliveryOf(sent))
    return yield* service.receive(account, shop, delivery)
  })

/** Sends one after the other. */
export const sendAll = (...all: ReadonlyArray<Sent>) => Effect.forEach(all, send)

/** Collaborators have their part of the shipping, so that it matters too. */
export const settings = settingsLayer({ policy: { shipping: "share" } })

/** Runs something on services over a storage of its own. */
export const run = async <A, E>(
  work: Effect.Effect<A, E, Services | Storage>,
  storage?: StorageService,
): Promise<A> => {
  const kept = storage ?? (await Effect.runPromise(MemoryStorage.make))
  const stored = Layer.succeed(Storage)(kept)
  const layer = Layer.provideMerge(servicesLayer, [stored, ExchangeRates.none, settings])
  return Effect.runPromise(
    work.pipe(
      Effect.provide(layer),
      Effect.provide(Logger.layer([])),
      Effect.provide(TestClock.layer()),
      Effect.scoped,
    ),
  )
}

/** Ada gets a tenth of what is tagged as art, Sam a fifth of what is of North. */
export const open = Effect.gen(function* () {
  const [collaborators, groups] = [yield* Collaborators, yield* ProductGroups]
  yield* collaborators.create(account, { id: "ada", currency: "USD" })
  yield* collaborators.create(account, { id: "sam", currency: "USD" })
  const art = { type: "products.tag", values: ["art"] } as const
  yield* groups.create(account, "ada", { link: art, percent: "10.00" })
  const north = { type: "products.vendor", values: ["North"] } as const
  yield* groups.create(account, "sam", { link: north, percent: "20.00" })
})

/** What each collaborator has of an order, in cents: what was shared less what was taken back. */
export const earned = (orderId: string) =>
  Effect.gen(function* () {
    const sales = yield* Sales
    const found = yield* Effect.option(sales.get(account, orderId))
    const parts = found._tag === "None" ? [] : found.value
    const totals: Record<string, number> = {}
    const add = (id: string, amount: number) => {
      totals[id] = (totals[id] ?? 0) + amount
    }
    for (const { split, refunds, adjustments = [] } of parts) {
      const given = [split.shares, ...adjustments.map(({ adjustment }) => adjustment.shares)]
      for (const { collaboratorId, amount } of given.flat()) add(collaboratorId, amount)
      for (const { reversal, adjusted = [] } of refunds) {
        const taken = [reversal.shares, ...adjusted.map(({ shares }) => shares)]
        for (const { collaboratorId, amount } of taken.flat()) add(collaboratorId, -amount)
      }
    }
    return totals
  })

export const product = (id: number, changes: object = {}) => ({
  ...{ id, title: `Product ${id}`, vendor: "North", tags: "art" },
  ...{ updated_at: "2024-05-01T08:00:00Z", variants: [{ id: id * 10, price: "20.00" }] },
  ...changes,
})

export const line = (id: number, productId: number | null, changes: object = {}) => ({
  ...{ id, product_id: productId, variant_id: productId === null ? null : productId * 10 },
  ...{ quantity: 2, price: "20.00", vendor: "North" },
  ...changes,
})

export const order = (id: number, changes: object = {}) => ({
  ...{ id, name: `#${id}`, currency: "USD", financial_status: "paid" },
  ...{ created_at: "2024-05-02T08:00:00Z", updated_at: "2024-05-02T08:00:00Z" },
  ...{ email: "buyer@example.com", customer: { first_name: "Bo", tags: "vip" } },
  line_items: [line(1, 7)],
  ...changes,
})

export const refund = (id: number, orderId: number, changes: object = {}) => ({
  ...{ id, order_id: orderId, created_at: "2024-05-03T08:00:00Z" },
  refund_line_items: [{ id: id * 10, line_item_id: 1, quantity: 1, subtotal: "20.00" }],
  transactions: [{ id: 1, kind: "refund", status: "success", amount: "20.00", currency: "USD" }],
  ...changes,
})
