import { Balances } from "apportion/agreements"
import { MemoryStorage } from "apportion/memory"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { play } from "./AgreementHistories.js"
import { day, opened, shop } from "./AgreementShop.js"

// DOMAIN "Terms that depend on what came before": services keep balances in the sale's transaction.

const firstSeed = Number(process.env["APPORTION_SEED"] ?? 1) * 1_000

test("an advance is recouped beside its share, and a refund gives it its part back", async () => {
  const { hire, agree, sell, refund, lines, agreements } = await opened()
  await hire("ada")
  const advance = { collaboratorId: "ada", currency: "EUR", amount: 700, grantedAt: 0 }
  await agree("advance", { id: "a1", ...advance })
  await sell("1", ["ada"], 1_000)
  expect(await lines("ada")).toEqual([["sale 500", "recoupment -500"]])
  await sell("2", ["ada"], 1_000)
  expect(await lines("ada")).toEqual([
    ["sale 500", "recoupment -500", "sale 500", "recoupment -200"],
  ])
  await refund("r1", "1", 1)
  expect((await agreements.balances(shop)).advances).toEqual([{ advanceId: "a1", recouped: 575 }])
  await refund("r2", "1", 3)
  await refund("r3", "2", 4)
  expect((await agreements.balances(shop)).advances).toEqual([{ advanceId: "a1", recouped: 0 }])
  const [all = []] = await lines("ada")
  expect(all.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0)).toBe(0)
})

const usual = { currencyOf: () => "USD", isTogether: false, maturityDays: 0, steps: 25 }

/** The first of some histories after which services, pure functions and the oracle differ. */
const firstDifference = async (
  count: number,
  options: Parameters<typeof play>[1],
): Promise<unknown> => {
  for (let index = 0; index < count; index += 1) {
    const seed = firstSeed + index
    const { services, pure, oracle, totals, audit } = await play(seed, options)
    const isSame = JSON.stringify(services) === JSON.stringify(pure)
    const isTrue = JSON.stringify(pure) === JSON.stringify(oracle)
    const wrong = totals.filter(([, has, due]) => has !== due)
    if (!isSame || !isTrue || wrong.length > 0 || audit.length > 0) {
      return { seed, services, pure, oracle, wrong, audit }
    }
  }
  return undefined
}

test("histories of services are those of the pure functions and of the oracle", async () => {
  expect(await firstDifference(isWhole ? 6 : 2, usual)).toBe(undefined)
})

test("many orders in one transaction book what they book one after the other", async () => {
  expect(await firstDifference(isWhole ? 4 : 2, { ...usual, isTogether: true })).toBe(undefined)
})

test("shares that have to mature take what was booked of them along", async () => {
  expect(await firstDifference(isWhole ? 3 : 2, { ...usual, maturityDays: 2 })).toBe(undefined)
})

test("of what is refunded whole nothing is left with anybody, in whatever currencies they are paid", async () => {
  const currencies = new Map([
    ["ben", "JPY"],
    ["fay", "KWD"],
    ["hal", "JPY"],
  ])
  const currencyOf = (id: string) => currencies.get(id) ?? "USD"
  for (let index = 0; index < (isWhole ? 4 : 2); index += 1) {
    const seed = firstSeed + 500 + index
    const options = { ...usual, currencyOf, isUndone: true }
    const { services, totals, guaranteed, audit } = await play(seed, options)
    const left = totals.filter(([id, has]) => !guaranteed.includes(id) && has !== 0)
    const open = services.filter((line) => line.includes("recouped") || line.startsWith("["))
    expect({ seed, left, open, audit }).toEqual({ seed, left: [], open: [], audit: [] })
  }
})

test("a reserve is withheld, released by the clock once, and taken back with its share", async () => {
  const { hire, agree, sell, refund, lines, wait, payouts, agreements } = await opened()
  await hire("ada")
  const schedule = [
    { days: 40, percent: "50.00" },
    { days: 80, percent: "50.00" },
  ]
  await agree("reserve", { id: "r1", collaboratorId: "ada", percent: "20.00", schedule })
  await sell("1", ["ada"], 1_000)
  expect(await lines("ada")).toEqual([["sale 500", "reserve -100"]])
  wait(41)
  await Promise.all([payouts.closeDue(shop), payouts.closeDue(shop)])
  await payouts.closeDue(shop)
  const all = (await lines("ada")).flat().toSorted()
  expect(all).toEqual(["release 50", "reserve -100", "sale 500"])
  const [reserve] = (await agreements.balances(shop, { collaboratorId: "ada" })).reserves
  expect(reserve).toEqual({
    ...{ reserveId: "r1", currency: "EUR", reserved: 100, released: 50, reversed: 0 },
  })
  await refund("all", "1", 4)
  const { held, reserves } = await agreements.balances(shop)
  expect([held, reserves[0]?.reversed]).toEqual([[], 50])
})

test("a refund goes into the payout of what it takes back, or into the active one once that is paid", async () => {
  const { hire, agree, sell, refund, lines, wait, payouts } = await opened()
  await hire("ada")
  await hire("kim")
  const of = { of: "share", from: "ada", paidBy: "share", percent: "20.00" }
  await agree("override", { id: "o1", collaboratorId: "kim", ...of })
  await sell("1", ["ada"], 1_000)
  wait(40)
  await payouts.closeDue(shop)
  await refund("r1", "1", 2)
  expect(await lines("kim")).toEqual([["override 100", "override -50"]])
  const { entries } = await payouts.list(shop, { status: "pending" }, { page: 1, perPage: 9 })
  for (const { payout } of entries) await payouts.pay(shop, payout.id)
  await refund("r2", "1", 2)
  expect(await lines("kim")).toEqual([["override 100", "override -50"], ["override -50"]])
  expect(await lines("ada")).toEqual([
    ["sale 250", "override -100", "override 50"],
    ["refund -250", "override 50"],
  ])
})

test("a guarantee's shortfall is an income, once", async () => {
  const { hire, agree, sell, lines, wait, payouts, events } = await opened()
  await hire("ada")
  const period = { from: 1_700_000_000, until: 1_700_000_000 + 5 * day }
  const given = { collaboratorId: "ada", currency: "EUR", amount: 800, ...period }
  await agree("guarantee", { id: "m1", ...given })
  await sell("1", ["ada"], 1_000)
  wait(6)
  await payouts.closeDue(shop)
  await payouts.closeDue(shop)
  expect(await lines("ada")).toEqual([["sale 500", "shortfall 300"]])
  const types = (await events.after(shop, 0)).map(({ type }) => type)
  expect(types.filter((type) => type === "guarantee.closed")).toHaveLength(1)
})

test("the bookings of an agreement are its history, of which its balance is the sum", async () => {
  const { hire, agree, sell, refund, wait, payouts, agreements } = await opened()
  await hire("ada")
  await hire("kim")
  const schedule = [{ days: 5, percent: "100.00" }]
  await agree("advance", {
    ...{ id: "a1", collaboratorId: "ada", currency: "EUR", amount: 10_000, grantedAt: 0 },
    ...{ percent: "60.00", alsoFrom: ["kim"] },
  })
  await agree("reserve", { id: "a1", collaboratorId: "ada", percent: "20.00", schedule })
  const period = { from: 1_700_000_000, until: 1_700_000_000 + 9 * day }
  const guarantee = { collaboratorId: "ada", currency: "EUR", amount: 800, ...period }
  await agree("guarantee", { id: "m1", ...guarantee })
  await sell("1/€", ["ada", "kim"], 1_000)
  await sell("2", ["kim"], 500)
  wait(6)
  await payouts.closeDue(shop)
  await refund("half", "1/€", 2)
  wait(6)
  await payouts.closeDue(shop)
  const historyOf = async (kind: "advance" | "reserve" | "guarantee", id: string) => {
    const { entries, total } = await agreements.bookings(
      shop,
      { kind, id },
      { page: 1, perPage: 9 },
    )
    expect(entries).toHaveLength(total)
    return entries.toReversed()
  }
  const toldOf = (all: Awaited<ReturnType<typeof historyOf>>) =>
    all.map(({ orderId, lines }) => [
      ...[orderId, lines[0]?.line.event],
      ...lines.map(({ line }) => `${line.collaboratorId} ${line.amount}`),
    ])
  const ofAdvance = await historyOf("advance", "a1")
  expect(toldOf(ofAdvance)).toEqual([
    ["1/€", "sale", "ada -240", "kim -300"],
    ["2", "sale", "kim -150"],
    ["1/€", "release", "ada -60"],
    ["1/€", "refund", "ada 120", "kim 150", "ada 30"],
  ])
  const { balance } = await agreements.standing(shop, { kind: "advance", id: "a1" })
  const amounts = ofAdvance.flatMap(({ lines }) => lines.map(({ line }) => line.amount))
  expect(balance).toMatchObject({ recouped: -amounts.reduce((sum, one) => sum + one, 0) })
  expect(toldOf(await historyOf("reserve", "a1"))).toEqual([
    ["1/€", "sale", "ada -100"],
    ["1/€", "release", "ada 100"],
  ])
  expect(toldOf(await historyOf("guarantee", "m1"))).toEqual([
    ["1/€", "sale", "ada 500"],
    ["1/€", "refund", "ada -250"],
    [null, "close", "ada 550"],
  ])
  // Each line that is an item is in the payout that has it.
  for (const { lines } of ofAdvance) {
    for (const { line, payoutId } of lines) {
      const { payout } = await payouts.get(shop, payoutId ?? "")
      expect(payout.collaboratorId).toBe(line.collaboratorId)
      expect(payout.items.map(({ amount }) => amount)).toContain(line.amount)
    }
  }
  const page = await agreements.bookings(
    shop,
    { kind: "advance", id: "a1" },
    { page: 2, perPage: 3 },
  )
  expect(page.total).toBe(4)
  expect(toldOf([...page.entries])).toEqual([["1/€", "sale", "ada -240", "kim -300"]])
  for (const [account, id] of [
    ["another", "a1"],
    [shop, "a2"],
  ] as const) {
    const asked = agreements.bookings(account, { kind: "advance", id }, { page: 1, perPage: 9 })
    expect(await asked.catch(({ _tag }) => _tag)).toBe("NotFound")
  }
})

test("an agreement is checked beside all others, and stays as it is once it was used", async () => {
  const { hire, agree, sell, agreements, lines } = await opened()
  await hire("ada")
  await hire("kim")
  const of = { of: "share", paidBy: "share", percent: "20.00" } as const
  const first = await agree("override", { id: "o1", collaboratorId: "kim", from: "ada", ...of })
  expect(await agree("override", { id: "o1", collaboratorId: "kim", from: "ada", ...of })).toEqual(
    first,
  )
  const circle = agree("override", { id: "o2", collaboratorId: "ada", from: "kim", ...of })
  await expect(circle).rejects.toMatchObject({
    ...{ _tag: "InvalidAgreements", problems: [{ path: "from", value: "kim" }] },
  })
  const unknown = agree("override", { id: "o2", collaboratorId: "nobody", from: "kim", ...of })
  await expect(unknown).rejects.toMatchObject({ _tag: "NotFound", id: "nobody" })
  const dearer = { id: "o1", collaboratorId: "kim", from: "ada", ...of, percent: "25.00" }
  expect((await agree("override", dearer)).version).toBe(2)
  await sell("1", ["ada"], 1_000)
  const changed = agree("override", { ...dearer, percent: "1.00" })
  await expect(changed).rejects.toMatchObject({
    ...{ _tag: "AgreementInUse", problems: [{ path: "percent", value: "1.00" }] },
  })
  const ended = await agreements.end(shop, { kind: "override", id: "o1" })
  expect((await agreements.end(shop, { kind: "override", id: "o1" })).endedAt).toBe(ended.endedAt)
  await sell("2", ["ada"], 1_000)
  expect(await lines("kim")).toEqual([["override 125"]])
  expect(await agreements.list(shop)).toEqual([])
  expect(await agreements.list(shop, { ended: true })).toHaveLength(1)
})

test("a re-split books what agreements make of the difference, and a refund takes both back", async () => {
  const { hire, agree, sell, refund, lines, groups, resplits, agreements } = await opened()
  await hire("ada")
  const advance = { collaboratorId: "ada", currency: "EUR", amount: 9_000, grantedAt: 0 }
  await agree("advance", { id: "a1", ...advance })
  await sell("1", ["ada"], 1_000)
  await groups.update(shop, "ada", "g-ada", { percent: 80 })
  const { id, digest } = await resplits.propose(shop, {})
  await resplits.approve(shop, id, { digest })
  await resplits.book(shop, id)
  expect(await lines("ada")).toEqual([
    ["sale 500", "recoupment -500", "sale 300", "recoupment -300"],
  ])
  await refund("r1", "1", 4)
  expect((await agreements.balances(shop)).advances).toEqual([{ advanceId: "a1", recouped: 0 }])
  const [all = []] = await lines("ada")
  expect(all.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0)).toBe(0)
})

test("an audit finds balances that the recorded lines do not add up to", async () => {
  const storage = await Effect.runPromise(MemoryStorage.make)
  const { hire, agree, sell, audit } = await opened(storage)
  await hire("ada")
  const advance = { collaboratorId: "ada", currency: "EUR", amount: 9_000, grantedAt: 0 }
  await agree("advance", { id: "a1", ...advance })
  await sell("1", ["ada"], 1_000)
  expect(await audit.agreements(shop)).toEqual({ checked: 1, differences: [] })
  const totals = { ...Balances.empty, advances: [{ advanceId: "a1", recouped: 499 }] }
  const changes = { used: [], totals, held: [], gone: [], entries: [] }
  await Effect.runPromise(storage.transaction(shop, ({ agreements }) => agreements.book(changes)))
  const wrong = { kind: "advance", id: "a1", currency: null, what: "recouped" }
  expect((await audit.agreements(shop)).differences).toEqual([
    { ...wrong, stored: 499, recorded: 500 },
  ])
})

test("what an agreement booked can't be removed by hand", async () => {
  const { hire, agree, sell, payouts } = await opened()
  await hire("ada")
  const advance = { collaboratorId: "ada", currency: "EUR", amount: 9_000, grantedAt: 0 }
  await agree("advance", { id: "a1", ...advance })
  await sell("1", ["ada"], 1_000)
  const { entries } = await payouts.list(shop, { status: "active" }, { page: 1, perPage: 9 })
  const { payout } = await payouts.get(shop, entries[0]?.payout.id ?? "")
  const recoupment = payout.items.find(({ kind }) => kind === "expense")
  await expect(payouts.removeEntry(shop, payout.id, recoupment?.id ?? "")).rejects.toMatchObject({
    ...{ _tag: "UnknownItem", message: expect.stringContaining("an agreement booked it") },
  })
})
