import { describe, expect, it } from "vitest"
import { openStocked } from "./Shop.js"

describe.each(["expense", "income"])("an %s", (kind) => {
  it.each([
    [{}, ["amount", "name"]],
    [{ amount: 0, name: "x" }, ["amount"]],
    [{ amount: -5, name: "x" }, ["amount"]],
    [{ amount: 1.5, name: "x" }, ["amount"]],
    [{ amount: "5", name: "x" }, ["amount"]],
    [{ amount: [5], name: "x" }, ["amount"]],
    [{ amount: 2 ** 53, name: "x" }, ["amount"]],
    [{ amount: null, name: null }, ["amount", "name"]],
    [{ amount: 5, name: "" }, ["name"]],
    [{ amount: 5, name: "  \n" }, ["name"]],
    [{ amount: 5, name: 5 }, ["name"]],
    [{ amount: 5, name: { toString: "x" } }, ["name"]],
    [{ amount: 5, name: "x".repeat(201) }, ["name"]],
  ])("is refused for %j", async (body, fields) => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}`
    const { status, json } = await shop.ask("POST", `${path}/${kind}`, { body })
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual(fields)
    expect((await shop.ask("GET", path)).json.data.items).toHaveLength(1)
    await shop.close()
  })

  it("has a name of 200 characters at most, however they are written", async () => {
    const shop = await openStocked()
    const body = { amount: 5, name: ` ${"🎨".repeat(200)} ` }
    const path = `/v1/payouts/${shop.payoutId}/${kind}`
    const { status, json } = await shop.ask("POST", path, { body })
    expect(status).toBe(200)
    expect(json.data.items.at(-1).expense_name).toBe("🎨".repeat(200))
    await shop.close()
  })

  it("that would make the total inexact is refused, and nothing is kept", async () => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}`
    const most = { amount: Number.MAX_SAFE_INTEGER, name: "All" }
    if (kind === "expense") await shop.ask("POST", `${path}/${kind}`, { body: most })
    const { status, json } = await shop.ask("POST", `${path}/${kind}`, { body: most })
    expect(status).toBe(422)
    expect(json.errors).toEqual({ amount: [expect.stringContaining("9007199254740991")] })
    const items = kind === "expense" ? 2 : 1
    expect((await shop.ask("GET", path)).json.data.items).toHaveLength(items)
    await shop.close()
  })

  it("is refused on a payout that is paid", async () => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}`
    await shop.ask("POST", `${path}/set-paid`)
    const body = { amount: 5, name: "Late" }
    const { status, json } = await shop.ask("POST", `${path}/${kind}`, { body })
    expect(status).toBe(409)
    expect(json).toStrictEqual({ message: "Payout has already been paid" })
    await shop.close()
  })
})

it("expenses that come at the same time are all kept", async () => {
  const shop = await openStocked()
  const path = `/v1/payouts/${shop.payoutId}`
  const body = { amount: 1, name: "One of many" }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => shop.ask("POST", `${path}/expense`, { body })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const { json } = await shop.ask("GET", path)
  expect(json.data.items).toHaveLength(51)
  expect(json.data.total).toBe(1_125 - 50)
  await shop.close()
})
