/** Nothing of another account can be seen, reached or told from what is not there. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { bringTo, putPayout } from "./Payable.js"
import { openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
let paymentId: string
beforeAll(async () => {
  shop = await openStocked()
  paymentId = await bringTo(shop, await putPayout(shop, "pending"), "claimed")
})
afterAll(() => shop.close())

const entry = { amount: 5, name: "Frames" }
const group = { itemType: "products.all", type: "flat", amount: 5 }

it.each([
  ["GET", "/v1/collaborators/<ada>/products", undefined],
  ["PUT", "/v1/collaborators/<ada>/products", group],
  ["GET", "/v1/collaborators/<ada>/products/<group>", undefined],
  ["PUT", "/v1/collaborators/<ada>/products/<group>", group],
  ["DELETE", "/v1/collaborators/<ada>/products/<group>", undefined],
  ["GET", "/v1/collaborators/eve/products/<group>", undefined],
  ["PUT", "/v1/collaborators/eve/products/<group>", group],
  ["DELETE", "/v1/collaborators/eve/products/<group>", undefined],
  ["GET", "/v1/payouts/<payout>", undefined],
  ["POST", "/v1/payouts/<payout>/expense", entry],
  ["POST", "/v1/payouts/<payout>/income", entry],
  ["POST", "/v1/payouts/<payout>/set-paid", undefined],
  ["POST", "/v1/payouts/<payout>/pay", { total: 5_000 }],
  ["POST", "/v1/payouts/<payout>/fail", { reason: "timeout" }],
  ["POST", "/v1/payouts/<payout>/retry", undefined],
  ["POST", "/v1/payouts/<payout>/claim", { rail: "bank" }],
  ["GET", "/v1/payouts/<payout>/payments", undefined],
  ["GET", "/v1/collaborators/<ada>", undefined],
  ["PUT", "/v1/collaborators/<ada>", { notes: "x" }],
  ["GET", "/v1/collaborators/<ada>/statement", undefined],
  ["GET", "/v1/collaborators/<ada>/statement?format=csv", undefined],
  ["GET", "/v1/collaborators/<ada>/statement?format=html", undefined],
  ["GET", "/v1/collaborators/<ada>/statement/lines", undefined],
  ["GET", "/v1/sales/<order>", undefined],
  ["POST", "/v1/sales/<order>/refunds", { id: "r1", item_id: "i1", quantity: 1 }],
  ["GET", "/v1/payments/<payment>", undefined],
  ["POST", "/v1/payments/<payment>/send", undefined],
  ["POST", "/v1/payments/<payment>/resolve", undefined],
  ["POST", "/v1/payments/<payment>/confirm", {}],
  ["POST", "/v1/payments/<payment>/reject", { reason: "no account" }],
  ["POST", "/v1/payments/<payment>/return", { reason: "account closed" }],
  ["POST", "/v1/payments/<payment>/release", {}],
  ["POST", "/v1/payments/<payment>/settle", undefined],
])("%s %s is not found, as if it were nowhere", async (method, template, body) => {
  const fill = (ada: string, ids: readonly [group: string, payout: string, payment: string]) =>
    template
      .replace("<ada>", ada)
      .replace("<group>", ids[0])
      .replace("<payout>", ids[1])
      .replace("<payment>", ids[2])
      .replace("<order>", ada === "ada" ? "o1" : "o9")
  const ask = async (path: string) => {
    const asked = { token: "other-token", ...(body && { body }) }
    const { status, text, headers } = await shop.ask(method, path, asked)
    return { status, text, names: [...headers.keys()] }
  }
  const ids = [shop.groupId, shop.payoutId, paymentId] as const
  const theirs = await ask(fill("ada", ids))
  // Of the same length, so that even the length of the answer tells nothing.
  const swap = (id: string) => [...id].reverse().join("")
  const nobodys = await ask(fill("ava", [swap(ids[0]), swap(ids[1]), swap(ids[2])]))
  expect(theirs.status).toBe(404)
  const anonymous = (text: string) =>
    text
      .replace(/\bava\b/, "ada")
      .replace(/\bo9\b/, "o1")
      .replace(swap(shop.groupId), shop.groupId)
      .replace(swap(shop.payoutId), shop.payoutId)
      .replace(swap(paymentId), paymentId)
  expect({ ...nobodys, text: anonymous(nobodys.text) }).toStrictEqual(theirs)
})

it.each([
  ...["/v1/payouts", "/v1/payouts?collaborator=ada", "/v1/products", "/v1/products?search=p1"],
  ...["/v1/sales", "/v1/sales?collaborator=ada", "/v1/sales?product=p1"],
])("%s of another account is empty", async (path) => {
  const { status, json } = await shop.ask("GET", path, { token: "other-token" })
  expect(status).toBe(200)
  expect(json).toMatchObject({ data: [], meta: { total: 0 } })
})

it.each(["/v1/payments", "/v1/payments?payout=pending", "/v1/payments/stuck"])(
  "%s of another account has no payments",
  async (path) => {
    const { status, json } = await shop.ask("GET", path, { token: "other-token" })
    expect(status).toBe(200)
    expect(json).toMatchObject({ data: [], meta: { next: null } })
  },
)

it("an outcome of another account's payment is refused as if there were none", async () => {
  const told = (key: string) => ({ outcomes: [{ key, type: "confirmed" }] })
  const ask = async (key: string) => {
    const asked = { token: "other-token", body: told(key) }
    const { json } = await shop.ask("POST", "/v1/payments/answers", asked)
    return JSON.stringify(json.data[0]).replaceAll(key, "it")
  }
  expect(await ask(paymentId)).toBe(await ask("nobody"))
  expect((await shop.ask("GET", `/v1/payments/${paymentId}`)).json.data.status).toBe("claimed")
})

it("a group is not found under another collaborator of its own account", async () => {
  const path = `/v1/collaborators/sam/products/${shop.groupId}`
  expect((await shop.ask("GET", path)).status).toBe(404)
  expect((await shop.ask("DELETE", path)).status).toBe(404)
})

it("two tokens of one account see the same", async () => {
  const [first, second] = [
    await shop.ask("GET", "/v1/payouts"),
    await shop.ask("GET", "/v1/payouts", { token: "second-token" }),
  ]
  expect(second.text).toBe(first.text)
})

it("collaborators and products of one account are not those of another", async () => {
  const other = { token: "other-token" }
  const { json } = await shop.ask("GET", "/v1/collaborators", other)
  expect(json.data.map(({ id }: { readonly id: string }) => id)).toEqual(["eve"])
  const body = { id: "ada", currency: "USD" }
  expect((await shop.ask("POST", "/v1/collaborators", { ...other, body })).status).toBe(201)
  expect((await shop.ask("GET", "/v1/collaborators/ada")).json.data.currency).toBe("EUR")
  await shop.ask("DELETE", "/v1/products/p1%2Fv-p1", other)
  expect((await shop.ask("GET", "/v1/products?search=p1")).json.meta.total).toBe(1)
  const { status } = await shop.ask("GET", "/v1/products/p1%2Fv-p1", other)
  expect(status).toBe(404)
})
