/** What a client says to the HTTP API with a text in every place, and what it is answered. */
import type { Order } from "apportion"
import { Collaborators, ProductGroups, Products, Sales } from "apportion/service"
import { Effect, Stream } from "effect"
import type { Answered, Asked, Shop } from "../../http/Shop.js"
import { renamed } from "../faults/Copies.js"

const productOf = (text: string) => ({
  ...{ id: text, externalId: text, externalVariantId: text, name: text, sku: text, vendor: text },
  ...{ tags: [text, "art"], price: 900 },
})

const orderOf = (text: string): Order.Order => ({
  ...{ id: text, currency: "EUR", tags: [text], customerTags: [text], discountCodes: [text] },
  referers: [text],
  items: [{ id: text, product: { id: text }, quantity: 1, amount: 2_000, taxName: text }],
  details: {
    ...{ customerEmail: text, customerName: text, status: text, paymentGateway: text },
    ...{ shippingAddress: text, billingAddress: text },
  },
})

/** What is there before, as a host stores it; the permissions let everything be seen. */
const stock = (text: string) =>
  Effect.gen(function* () {
    const permissions = {
      ...{ seeCustomerEmail: true, seeCustomerName: true, seeOrderStatus: true },
      ...{ seeOrderPaymentGateway: true, seeOrderShippingAddress: true },
      ...{ seeOrderBillingAddress: true, seeProductTax: true },
    }
    const account = { name: text, paypalEmail: text }
    const { create } = yield* Collaborators
    yield* create("store", { id: text, currency: "EUR", notes: text, permissions, account })
    yield* (yield* Products).put("store", [productOf(text), { id: "p2", name: "Mug" }])
  })

const isPrintable = (text: string): boolean => /^[\x20-\x7e]+$/.test(text.trim())

/** What was asked and what is answered, without what differs each time. */
const plain = (asked: string, { status, text }: Answered): string =>
  renamed([`${asked}: ${status} ${text}`]).join()

/** Waits until a group's products are linked. */
const linked = (groupId: string) =>
  Effect.flatMap(ProductGroups, (groups) => Stream.runDrain(groups.watch("store", groupId)))

/** Has the conversation; gives all answers. */
export const converse = async (shop: Shop, text: string): Promise<ReadonlyArray<string>> => {
  const answers: Array<string> = []
  const ask = async (method: string, path: string, asked: Asked = {}) => {
    const answered = await shop.ask(method, path, asked)
    answers.push(plain(`${method} ${path}`, answered))
    return answered.json?.data
  }
  // A URL has no halves of letters.
  const inUrl = encodeURIComponent(text.toWellFormed())
  const groups = `/api/v1/collaborators/${inUrl}/products`
  const terms = {
    ...{ type: "percentage", percent: 12.5, splitConditionType: "referer" },
    splitConditions: [text],
  }
  await shop.run(stock(text))
  const made = await ask("PUT", groups, {
    body: { ...terms, itemType: "products.tag", items: [text] },
  })
  const group = `${groups}/${String(made?.id)}`
  await ask("PUT", group, { body: { itemType: "products.vendor", items: ["a", text] } })
  await ask("PUT", group, { body: { itemType: "products", items: [text], [text]: text } })
  if (made !== undefined) await shop.run(linked(String(made.id)))
  await shop.run(Effect.flatMap(Sales, ({ record }) => record("store", orderOf(text))))
  await ask("GET", groups)
  await ask("GET", `/v1/products?search=${inUrl}&include_collaborators=1`)
  await ask("GET", `/v1/products?search=${inUrl.repeat(2)}&collaborator=${inUrl}`)
  await ask("GET", `/v1/payouts?status=${inUrl}&page=${inUrl}`)
  const [payout] = (await ask("GET", `/v1/payouts?collaborator=${inUrl}`)) ?? []
  const of = `/v1/payouts/${String(payout?.id)}`
  const key = isPrintable(text) ? { headers: { "idempotency-key": text } } : {}
  await ask("POST", `${of}/expense`, { body: { amount: 55, name: text }, ...key })
  if (isPrintable(text))
    await ask("POST", `${of}/expense`, { body: { amount: 55, name: text }, ...key })
  await ask("POST", `${of}/income`, { body: { amount: 5, name: `${text}\u0000${text}` } })
  await ask("GET", of)
  await ask("GET", `/v1/payouts/${inUrl}`)
  await ask("POST", `/v1/payouts/${inUrl}/set-paid`)
  await ask("POST", `${of}/set-paid`)
  await ask("DELETE", group)
  await ask("GET", group)
  return answers
}
