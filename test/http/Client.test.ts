import { type Client, makeClient } from "apportion/http"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { putPayout } from "./Payable.js"
import { openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
let client: Client

const clientWith = (token: string, baseUrl = "http://shop.test/") =>
  makeClient({ baseUrl, token, fetch: (input, init) => shop.api.handler(new Request(input, init)) })

beforeAll(async () => {
  shop = await openStocked()
  client = clientWith("ada-token")
})
afterAll(() => shop.close())

const run = Effect.runPromise

it("the client can ask for everything, and gets what its types say", async () => {
  const collaborator = { collaborator_id: "ada" }
  const { productGroups, payouts, products } = client
  const listed = await run(productGroups.list({ params: collaborator, query: { per_page: 5 } }))
  expect(listed.data.map(({ id, percent }) => [id, percent])).toEqual([[shop.groupId, "12.50"]])
  expect(listed.meta.per_page).toBe(5)
  const made = await run(
    productGroups.create({
      params: collaborator,
      headers: { "Idempotency-Key": "c1" },
      payload: { itemType: "products.tag", items: ["x"], type: "percentage", percentage: 12.5 },
    }),
  )
  expect(made.data.percent).toBe(12.5)
  const group = { ...collaborator, group_id: made.data.id }
  const changed = await run(
    productGroups.update({ params: group, query: {}, payload: { type: "flat", amount: 5 } }),
  )
  expect(changed.data.amount).toBe(5)
  const viewed = await run(productGroups.view({ params: group, query: { page: 1 } }))
  expect(viewed.data.products.meta.total).toBe(0)
  await run(productGroups.remove({ params: group }))

  const query = { status: "active", "expectedPaymentDate[start_date]": 0, page: 1 } as const
  const found = await run(payouts.list({ query }))
  expect(found.data.map(({ id }) => id)).toEqual([shop.payoutId])
  const params = { payout_id: shop.payoutId }
  const payload = { amount: 5, name: "Frames" }
  await run(payouts.addExpense({ params, headers: {}, payload }))
  const income = await run(payouts.addIncome({ params, headers: {}, payload }))
  expect(income.data.total).toBe(1_125)
  expect((await run(payouts.view({ params }))).data.items).toHaveLength(3)
  const paid = await run(payouts.setPaid({ params, headers: {} }))
  expect(paid.data.status).toBe("manually paid")

  const closed = { payout_id: await putPayout(shop, "closed") }
  const { payments } = client
  const claimed = await run(
    payments.claim({ params: closed, headers: {}, payload: { rail: "bank" } }),
  )
  const payment = { payment_id: claimed.data.id }
  expect((await run(payments.send({ params: payment, headers: {} }))).data.status).toBe("sent")
  const outcomes = [{ key: claimed.data.id, type: "confirmed" as const, fee: 5 }]
  const told = await run(payments.answers({ headers: {}, payload: { outcomes } }))
  expect(told.data[0]?.payment?.fee).toBe(5)
  const confirmed = await run(payments.list({ query: { status: "confirmed", limit: 1 } }))
  expect(confirmed.data.map(({ payout_id }) => payout_id)).toEqual(["closed"])
  expect(confirmed.meta.next).toContain(claimed.data.id)
  expect((await run(payments.view({ params: payment }))).data.amount).toBe(5_000)

  const all = await run(products.list({ query: { search: "p1", include_collaborators: true } }))
  expect(all.data[0]?.collaborators?.map(({ id }) => id)).toEqual(["ada"])
})

it("the client tells refusals apart by their tags", async () => {
  const fail = async (effect: Effect.Effect<unknown, { readonly _tag: string }>) => {
    const result = await run(Effect.result(effect))
    return Result.isFailure(result) ? result.failure : undefined
  }
  const params = { payout_id: "none" }
  expect(await fail(client.payouts.view({ params }))).toEqual({
    _tag: "NotFound",
    message: "there is no payout with the id none",
  })
  expect(await fail(clientWith("nobody").payouts.view({ params }))).toMatchObject({
    _tag: "Unauthorized",
  })
  const headers = {}
  const paid = { payout_id: shop.payoutId }
  await run(client.payouts.setPaid({ params: paid, headers }))
  const payload = { amount: 5, name: "Late" }
  expect(await fail(client.payouts.addExpense({ params: paid, headers, payload }))).toEqual({
    _tag: "Conflicting",
    message: "Payout has already been paid",
  })
  const blank = { amount: 5, name: "  " }
  expect(await fail(client.payouts.addExpense({ params: paid, headers, payload: blank }))).toEqual({
    _tag: "Invalid",
    message: expect.any(String),
    errors: { name: [expect.any(String)] },
  })
})

it("ids of any characters come through", async () => {
  const params = { payout_id: "a/b ü%2F?#" }
  const refusal = await run(Effect.flip(client.payouts.view({ params })))
  expect(refusal.message).toBe("there is no payout with the id a/b ü%2F?#")
})
