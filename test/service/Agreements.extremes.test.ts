import { expect, test } from "vitest"
import { day, opened, shop } from "./AgreementShop.js"

// What agreements of services did wrong where amounts, times or orders of events are unusual: each case failed once.

const most = Number.MAX_SAFE_INTEGER

const advance = { id: "a1", collaboratorId: "ada", currency: "EUR", amount: 700, grantedAt: 0 }

const override = { of: "share", from: "ada", paidBy: "share", percent: "10.00" } as const

test("a refund can be looked at before it is made, with whatever agreements booked of its sale", async () => {
  const rates = { "EUR/JPY": "150.37" }
  const { hire, agree, sell, lines, sales, audit, agreements } = await opened(undefined, {
    exchangeRates: rates,
  })
  await hire("ada", "EUR", 20)
  await hire("ben", "JPY", 20)
  await agree("advance", advance)
  const schedule = [{ days: 3, percent: 100 }]
  await agree("reserve", { id: "r1", collaboratorId: "ben", percent: 10, schedule })
  await sell("1", ["ada", "ben"], 1_000)
  const before = [await lines("ada"), await lines("ben"), await agreements.balances(shop)]
  const request = { id: "r", orderId: "1", itemId: "1", quantity: 2 }
  const preview = await sales.previewRefund(shop, request)
  expect([await lines("ada"), await lines("ben"), await agreements.balances(shop)]).toEqual(before)
  expect((await sales.refund(shop, request)).reversal).toEqual(preview.refund.reversal)
  expect((await audit.agreements(shop)).differences).toEqual([])
})

test("shares are added exactly, however large they are together", async () => {
  const policy = { overAllocation: "allow" } as const
  for (const amount of [most, -most]) {
    const { hire, agree, sell, refund, lines } = await opened(undefined, { settings: { policy } })
    await hire("ada", "EUR", 100)
    await hire("ben", "EUR", 33.33)
    await hire("cy", "EUR", 66.67)
    await agree("override", { id: "o1", collaboratorId: "ben", ...override, percent: "0.01" })
    await sell("1", ["ada", "ben", "cy"], amount)
    const sign = Math.sign(amount)
    expect(await lines("ada")).toEqual([[`sale ${amount}`, `override ${-sign * 900_719_925_474}`]])
    await refund("r1", "1", 1)
    await refund("r2", "1", 3)
    const all = (await lines("ada")).flat().map((line) => BigInt(line.split(" ")[1] ?? ""))
    expect(all.reduce((sum, one) => sum + one, 0n)).toBe(0n)
  }
})

test("a guarantee is in use from the first share that counts for it, though nothing is earned in all", async () => {
  const { hire, agree, sales, agreements } = await opened()
  await hire("ada")
  const given = { id: "m1", collaboratorId: "ada", from: 0, until: 2_000_000_000 }
  await agree("guarantee", { ...given, currency: "EUR", amount: 800 })
  const product = { id: "p", tags: ["ada"] }
  const items = [
    { id: "1", product, quantity: 1, amount: 1_000 },
    { id: "2", product, quantity: 1, amount: -1_000 },
  ]
  await sales.record(shop, { id: "1", currency: "EUR", items })
  const { guarantees } = await agreements.balances(shop)
  expect(guarantees.filter(({ earned }) => earned !== 0)).toEqual([])
  const changed = agree("guarantee", { ...given, currency: "USD", amount: 800 })
  await expect(changed).rejects.toMatchObject({ _tag: "AgreementInUse" })
})

test("a shortfall beyond exact cents stays open and holds nobody up", async () => {
  const { hire, agree, sell, wait, payouts, lines, agreements } = await opened()
  await hire("ada")
  await hire("ben")
  const period = { currency: "EUR", from: 0, until: 1_700_000_000 + 5 * day }
  await agree("guarantee", { id: "m1", collaboratorId: "ada", amount: most, ...period })
  await agree("guarantee", { id: "m2", collaboratorId: "ben", amount: 800, ...period })
  await sell("1", ["ada"], -1_000)
  await sell("2", ["ben"], 1_000)
  const key = { kind: "guarantee", id: "m1" } as const
  const { balance } = await agreements.standing(shop, key)
  expect(balance).toEqual({ earned: -500, shortfall: null, isClosed: false })
  wait(6)
  await payouts.closeDue(shop)
  expect(await lines("ben")).toEqual([["sale 500", "shortfall 300"]])
  expect((await agreements.standing(shop, key)).balance).toMatchObject({ isClosed: false })
})

test("what does not fit into a payout waits, and payouts are closed all the same", async () => {
  const { hire, agree, sell, wait, payouts, agreements } = await opened()
  await hire("ada", "EUR", 100)
  const schedule = [{ days: 2, percent: 100 }]
  await agree("reserve", { id: "r1", collaboratorId: "ada", percent: "50.00", schedule })
  await sell("1", ["ada"], most)
  await agreements.end(shop, { kind: "reserve", id: "r1" })
  await sell("2", ["ada"], 4_503_599_627_370_000)
  wait(3)
  await payouts.closeDue(shop)
  expect((await agreements.balances(shop)).held).toHaveLength(1)
  wait(40)
  await payouts.closeDue(shop)
  await payouts.closeDue(shop)
  expect((await agreements.balances(shop)).held).toEqual([])
  const { entries } = await payouts.list(shop, { status: "pending" })
  expect(entries).toHaveLength(1)
})

test("what a refund takes back matures with the share, and nobody is paid it before", async () => {
  const settings = { maturityDays: 60 }
  const { hire, agree, sell, refund, lines, wait, payouts } = await opened(undefined, { settings })
  await hire("ada")
  await agree("advance", advance)
  await sell("1", ["ada"], 1_000)
  await refund("r", "1", 4)
  wait(40)
  await payouts.closeDue(shop)
  expect((await payouts.list(shop, { status: "pending" })).entries).toEqual([])
  expect(await lines("ada")).toEqual([["sale 0", "recoupment -500", "recoupment 500"]])
})

test("a re-split changes an override that the store pays as it changes the share, up and down", async () => {
  for (const [percent, by] of [
    [80, 30],
    [20, -30],
  ] as const) {
    const { hire, agree, sell, refund, lines, groups, resplits } = await opened()
    await hire("ada")
    await hire("kim")
    const paid = { ...override, paidBy: "store" } as const
    await agree("override", { id: "o1", collaboratorId: "kim", ...paid })
    await agree("override", { id: "o2", collaboratorId: "kim", ...paid, of: "sale" })
    await sell("1", ["ada"], 1_000)
    await groups.update(shop, "ada", "g-ada", { percent })
    const { id, digest } = await resplits.propose(shop, {})
    await resplits.approve(shop, id, { digest })
    await resplits.book(shop, id)
    expect(await lines("kim")).toEqual([["override 50", "override 100", `override ${by}`]])
    await refund("r", "1", 4)
    const [all = []] = await lines("kim")
    expect(all.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0)).toBe(0)
  }
})

test("a reserve of the last days that can be written is held until then, and can be refunded", async () => {
  const { hire, agree, sales, refund, agreements } = await opened()
  await hire("ada")
  const schedule = [{ days: 36_525, percent: 100 }]
  await agree("reserve", { id: "r1", collaboratorId: "ada", percent: "20.00", schedule })
  const createdAt = 253_402_300_799
  const items = [{ id: "1", product: { id: "p", tags: ["ada"] }, quantity: 4, amount: 1_000 }]
  await sales.record(shop, { id: "1", currency: "EUR", createdAt, items })
  await refund("r", "1", 2)
  const [held] = (await agreements.balances(shop)).held
  expect(held).toMatchObject({ releaseAt: createdAt, amount: 50 })
})

test("what is due is closed in bounded steps, told of, and released from a reserve into the next payout", async () => {
  const filled = async () => {
    const services = await opened()
    await services.hire("ada")
    const schedule = [{ days: 5, percent: 100 }]
    await services.agree("reserve", { id: "r1", collaboratorId: "ada", percent: 20, schedule })
    const item = (id: string) => ({
      id,
      product: { id, tags: ["ada"] },
      quantity: 1,
      amount: 1_000,
    })
    const orders = Array.from({ length: 250 }, (_, number) => `${number}`).map((id) => ({
      ...{ id, currency: "EUR", items: [item(id)] },
    }))
    await services.sales.recordAll(shop, orders)
    services.wait(60)
    return services
  }
  const [inSteps, atOnce] = [await filled(), await filled()]
  const steps = []
  for (;;) {
    const { closed, isAll } = await inSteps.payouts.closeNextDue(shop, 50)
    const { reserves } = await inSteps.agreements.balances(shop)
    steps.push({ closed: closed.length, released: reserves[0]?.released })
    if (isAll) break
  }
  expect(steps).toEqual([
    { closed: 1, released: 10_000 },
    { closed: 0, released: 20_000 },
    { closed: 0, released: 25_000 },
  ])
  expect((await atOnce.payouts.closeDue(shop)).closed).toHaveLength(1)
  expect(await inSteps.lines("ada")).toEqual(await atOnce.lines("ada"))
})
