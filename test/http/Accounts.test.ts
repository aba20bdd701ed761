/** Nothing of another account can be seen, reached or told from what is not there. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
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
])("%s %s is not found, as if it were nowhere", async (method, template, body) => {
  const fill = (ada: string, groupId: string, payout: string) =>
    template.replace("<ada>", ada).replace("<group>", groupId).replace("<payout>", payout)
  const ask = async (path: string) => {
    const asked = { token: "other-token", ...(body && { body }) }
    const { status, text, headers } = await shop.ask(method, path, asked)
    return { status, text, names: [...headers.keys()] }
  }
  const theirs = await ask(fill("ada", shop.groupId, shop.payoutId))
  // Of the same length, so that even the length of the answer tells nothing.
  const swap = (id: string) => [...id].reverse().join("")
  const nobodys = await ask(fill("ava", swap(shop.groupId), swap(shop.payoutId)))
  expect(theirs.status).toBe(404)
  const anonymous = (text: string) =>
    text
      .replace(/\bava\b/, "ada")
      .replace(swap(shop.groupId), shop.groupId)
      .replace(swap(shop.payoutId), shop.payoutId)
  expect({ ...nobodys, text: anonymous(nobodys.text) }).toStrictEqual(theirs)
})

it.each(["/v1/payouts", "/v1/payouts?collaborator=ada", "/v1/products", "/v1/products?search=p1"])(
  "%s of another account is empty",
  async (path) => {
    const { status, json } = await shop.ask("GET", path, { token: "other-token" })
    expect(status).toBe(200)
    expect(json).toMatchObject({ data: [], meta: { total: 0 } })
  },
)

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
