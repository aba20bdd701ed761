import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Source } from "../../../src/cli/input/Sources.js"
import * as ServeShops from "../../../src/cli/serve/ServeShops.js"

const sourceOf = (text: string): Source => ({
  name: "shops.json",
  chunks: async function* () {
    yield new TextEncoder().encode(text)
  },
})

const north = {
  ...{ key: "north", platform: "shopify", shop: "north.myshopify.com", currency: "USD" },
  secrets: ["hush-hush-hush"],
}

const read = (shops: unknown, environment: Readonly<Record<string, string>> = {}) =>
  ServeShops.read(sourceOf(JSON.stringify({ shops })), environment)

const refusalOf = (shops: unknown, environment: Readonly<Record<string, string>> = {}) =>
  read(shops, environment).then(
    () => "",
    (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
  )

describe("the file of connected shops", () => {
  it("names shops, with secrets as they are or from the environment", async () => {
    const secrets = ["hush-hush-hush", { env: "NORTH_SECRET" }]
    const [shop] = await read([{ ...north, secrets }], { NORTH_SECRET: "from-elsewhere" })
    expect(shop).toMatchObject({ key: "north", accountId: "default" })
    expect(shop?.platform.name).toBe("shopify")
    expect(shop?.platform.secrets).toEqual(["hush-hush-hush", "from-elsewhere"])
    expect(await ServeShops.read(undefined, {})).toEqual([])
  })

  it("is refused with everything that is wrong with it, and without any secret", async () => {
    const secrets = ["short", 5, { env: "NOT_SET" }, "long-enough-to-be-one"]
    const { currency: _left, ...rest } = north
    const message = await refusalOf([
      { ...rest, key: "a/b", secrets, curency: "USD" },
      { ...north, platform: "shopfy" },
    ])
    expect(message).toContain("shops[0].key: must be 1 to 100 letters")
    expect(message).toContain("shops[0].secrets[0]: must have at least 8 characters")
    expect(message).toContain("shops[0].secrets[1]: must be a secret, or")
    expect(message).toContain("shops[0].secrets[2]: the environment variable NOT_SET is not set")
    expect(message).toContain("shops[0].curency: is no field here")
    expect(message).toContain("shops[1].platform: must be one of shopify")
    expect(message).not.toMatch(/short"|long-enough/)
  })

  it("has shops of WooCommerce, and says what products bring as tags", async () => {
    const woo = { ...north, platform: "woocommerce", shop: "https://north.example" }
    const [shop] = await read([{ ...woo, tags_from: ["category", "sku"] }])
    expect(shop?.platform.name).toBe("woocommerce")
    const body = { id: 7, sku: "A", categories: [{ name: "Posters" }] }
    const about = { topic: "product.created", deliveryId: null, happenedAt: null, isTest: false }
    const happened = shop && Result.getOrThrow(shop.platform.read(about, body))
    expect(happened).toMatchObject([{ products: [{ tags: ["category:Posters", "sku:A"] }] }])
    const message = await refusalOf([{ ...north, tags_from: ["category"] }])
    expect(message).toContain(
      "shops[0].tags_from[0]: must be one of variant, sku, type, collection",
    )
  })

  it("has Shopify's collections, of which each member needs a title", async () => {
    const collects = { collects: [{ collection_id: 841, product_id: 632 }] }
    const titles = { custom_collections: [{ id: 841, title: "Summer" }] }
    const brought = { tags_from: ["collection"], ids_from: ["collection", "sku"] }
    const [shop] = await read([{ ...north, ...brought, collections: [collects, titles] }])
    const about = { topic: "products/create", deliveryId: null, happenedAt: null, isTest: false }
    const body = { id: 632, title: "Print", variants: [{ id: 1, sku: "A4", price: "9.50" }] }
    expect(shop && Result.getOrThrow(shop.platform.read(about, body))).toMatchObject([
      { products: [{ tags: ["collection:Summer"], otherIds: ["collection:Summer", "sku:A4"] }] },
    ])
    expect(await refusalOf([{ ...north, collections: [collects] }])).toContain(
      "shops[0].collections.collects[0].collection_id: names a collection",
    )
  })

  it("has an account of Stripe, whose sales and test mode can be chosen", async () => {
    const secrets = ["whsec_hush-hush"]
    const account = { key: "south", platform: "stripe", secrets, sales: "invoices" }
    const [shop] = await read([{ ...account, test_mode: true, lost_disputes: "take back" }])
    expect(shop?.platform.name).toBe("stripe")
    const topic = "checkout.session.completed"
    const about = { topic, deliveryId: null, happenedAt: null, isTest: false }
    const session = {
      id: "cs_1",
      object: "checkout.session",
      payment_status: "paid",
      livemode: false,
    }
    const happened = shop && Result.getOrThrow(shop.platform.read(about, session))
    expect(happened).toEqual([{ kind: "nothing", reason: "sales are read from invoices" }])
    const message = await refusalOf([{ ...account, sales: "all", shop: "south" }])
    expect(message).toContain("shops[0].sales: must be one of both, sessions, invoices")
    expect(message).toContain("shops[0].shop: is no field here")
  })

  it("has one shop of a platform, with a key of its own", async () => {
    const message = await refusalOf([north, north])
    expect(message).toContain("shops[1].key: must be unique")
    expect(message).toContain("shops[1].platform: must be unique: an account has one shop")
  })

  it("that is no JSON is refused without showing it", async () => {
    const cut = ServeShops.read(sourceOf('{"shops": [{"secrets": ["hush-hush"'), {})
    await expect(cut).rejects.toThrow(/shops\.json/)
    await expect(cut).rejects.not.toThrow(/hush/)
  })
})
