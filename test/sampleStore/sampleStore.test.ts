import {
  ExchangeRate,
  Permissions,
  ProductGroup,
  Refund,
  RuleSet,
  Split,
  type SplitPolicy,
} from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { oracleSplit } from "../oracle/Oracle.js"
import { generate } from "./generate.js"
import * as Store from "./SampleStore.js"

const { collaborators, entries, groups, orders, policy, products, rates, refunds } = Store
const rules = RuleSet.make(groups)
const splits = orders.map((order) => Split.orderResult(rules, order, policy))
const done = splits.flatMap((split) => (Result.isSuccess(split) ? [split.success] : []))
const items = orders.flatMap((order) => order.items)
const shares = done.flatMap((split) => split.shares)

const distinct = <A>(values: ReadonlyArray<A>) => new Set(values)
const total = (amounts: ReadonlyArray<number>) => amounts.reduce((sum, amount) => sum + amount, 0)
const startOf2025 = Date.UTC(2025, 0, 1) / 1_000
const startOf2026 = Date.UTC(2026, 0, 1) / 1_000
const isIn2025 = (time: number | null | undefined) =>
  typeof time === "number" && time >= startOf2025 && time < startOf2026

describe("the sample store's files", () => {
  it("are what the generator makes, to the letter", () => {
    for (const [name, text] of generate()) expect(Store.textOf(name) === text, name).toBe(true)
  })

  it("are made the same each time", () => {
    expect(generate()).toEqual(generate())
  })

  it("hold as much as the page about the store says", () => {
    expect(products.length).toBe(73)
    expect(collaborators.length).toBe(17)
    expect(groups.length).toBe(36)
    expect(orders.length).toBe(500)
    expect(entries.length).toBe(24)
    expect(rates.length).toBe(72)
  })

  it("give every id once", () => {
    const itemIds = items.map((item) => item.id)
    const lists = [products, collaborators, groups, orders].map((list) =>
      list.map((each) => each.id),
    )
    for (const ids of [...lists, itemIds]) expect(distinct(ids).size).toBe(ids.length)
    const externalIds = products.map((product) => product.externalId)
    expect(distinct(externalIds).size).toBe(products.length)
  })

  it("name only each other", () => {
    const people = distinct(collaborators.map((collaborator) => collaborator.id))
    const catalogue = distinct(products.map((product) => product.id))
    const named = [
      ...groups.map((group) => group.collaboratorId),
      ...entries.map((e) => e.collaboratorId),
    ]
    expect(named.filter((id) => !people.has(id))).toEqual([])
    expect([...people].filter((id) => !named.includes(id))).toEqual([])
    expect(items.filter((item) => !catalogue.has(item.product.id))).toEqual([])
  })

  it("name every option of the policy", () => {
    expect(Store.writtenOptions.length).toBe(Object.keys(policy).length + 1)
  })
})

describe("the sample store's groups", () => {
  it("use every link type, and NOT wherever it can select something", () => {
    const used = distinct(groups.map(({ link }) => `${link.modifier} ${link.type}`))
    const needed = [
      ...ProductGroup.linkTypes.map((type) => `WITH ${type}`),
      "NOT products",
      "NOT products.tag",
      "NOT products.vendor",
    ]
    expect(needed.filter((each) => !used.has(each))).toEqual([])
  })

  it("use every condition, WITH and NOT, and no condition", () => {
    const used = distinct(
      groups.map(({ condition }) => condition && `${condition.modifier} ${condition.type}`),
    )
    const needed = ProductGroup.conditionTypes.flatMap((type) => [`WITH ${type}`, `NOT ${type}`])
    expect([...needed, null].filter((each) => !used.has(each))).toEqual([])
  })

  it("use every way to pay", () => {
    const ways: ReadonlyArray<readonly [string, (group: ProductGroup.ProductGroup) => boolean]> = [
      ["percent", (group) => group.percent !== null],
      ["flat", (group) => group.amount !== null],
      ["minimum", (group) => group.minAmount !== null],
      ["maximum", (group) => group.maxAmount !== null],
      ["no shipping", (group) => group.shippingPercent === "0.00"],
      ["own shipping percent", (group) => Number(group.shippingPercent ?? 0) > 0],
      ["percent for shipping too", (group) => group.percent !== null && !group.shippingPercent],
      ["shipping amount", (group) => group.shippingAmount !== null],
      ["start", (group) => group.startsAt !== null],
      ["end", (group) => group.endsAt !== null],
      ["deduction", (group) => group.deductForOtherSplits],
      ["exemption", (group) => group.percent === "0.00" && group.shippingPercent === null],
    ]
    for (const [name, isUse] of ways) expect(groups.some(isUse), name).toBe(true)
  })

  it("each count for at least one item of the year", () => {
    const counting = distinct(shares.map((share) => share.groupId))
    for (const { byGroupId } of done.flatMap((split) => split.outranked)) counting.add(byGroupId)
    const idle = groups.filter(({ id }) => !counting.has(id)).map(({ id }) => id)
    expect(idle).toEqual([])
  })

  it("show precedence: groups are outranked by link, condition and date of making", () => {
    const pairs = distinct(
      done.flatMap((split) =>
        split.outranked.map(({ groupId, byGroupId }) => `${byGroupId} before ${groupId}`),
      ),
    )
    const needed = [
      "zoe-originals before zoe-art-from-july",
      "yamada-seconds before yamada-kiln",
      "undertow-wholesale before undertow-records",
      "ines-retail before ines-photographs",
      "kofi-launch-month before kofi-new-book",
      "nordwind-no-gift-cards before nordwind-dach",
    ]
    expect(needed.filter((pair) => !pairs.has(pair))).toEqual([])
  })

  it("reach their minimum and their maximum", () => {
    const goods = (groupId: string) =>
      shares
        .filter((share) => share.groupId === groupId)
        .map((share) => share.amount - share.shippingAmount)
    expect(Math.min(...goods("ines-retail"))).toBe(900)
    expect(Math.max(...goods("ines-retail"))).toBe(6_000)
    expect(Math.min(...goods("nordwind-dach"))).toBe(60)
    expect(Math.max(...goods("nordwind-dach"))).toBe(2_000)
    expect(Math.max(...goods("long-margin-books"))).toBe(250)
  })
})

describe("the sample store's collaborators", () => {
  it("are paid in three currencies, on every kind of date", () => {
    expect(distinct(collaborators.map(({ currency }) => currency))).toEqual(
      new Set(["EUR", "JPY", "USD"]),
    )
    const dates = distinct(
      collaborators.map((each) => `${each.payoutMeasurement} ${each.payoutFrequency}`),
    )
    const needed = ["month 1", "month 3", "monthly_date 15", "monthly_date -1", "week 2", "day 30"]
    expect(needed.filter((date) => !dates.has(date))).toEqual([])
  })

  it("differ in threshold, holding days, way of payment and what they may see", () => {
    const some = (is: (each: (typeof collaborators)[number]) => boolean) => {
      const found = collaborators.filter(is).length
      return found > 0 && found < collaborators.length
    }
    expect(some((each) => each.payoutThreshold === 0)).toBe(true)
    expect(some((each) => each.payoutHoldingDays === null)).toBe(true)
    expect(some((each) => each.shouldPayAutomatically)).toBe(true)
    expect(some((each) => each.account.isManaged)).toBe(true)
    expect(some((each) => each.account.paypalEmail === null)).toBe(true)
    for (const name of Permissions.names) {
      expect(
        some((each) => each.permissions[name]),
        name,
      ).toBe(true)
    }
  })
})

describe("the sample store's year", () => {
  it("lies in 2025, in order, busiest at its end", () => {
    const times = orders.map((order) => order.createdAt ?? 0)
    expect(times.every(isIn2025)).toBe(true)
    expect(times).toEqual([...times].sort((one, other) => one - other))
    const inMonth = (month: number) =>
      times.filter((time) => new Date(time * 1_000).getUTCMonth() === month - 1).length
    const busy = inMonth(11) + inMonth(12)
    expect(busy).toBeGreaterThan(4 * inMonth(1))
    for (let month = 1; month <= 12; month++) expect(inMonth(month)).toBeGreaterThan(20)
  })

  it("sells in three currencies to sixteen countries", () => {
    expect(distinct(orders.map((order) => order.currency))).toEqual(new Set(["EUR", "JPY", "USD"]))
    expect(distinct(orders.map((order) => order.billingCountry)).size).toBe(16)
  })

  it("has orders of one to five items, of one and of many units", () => {
    expect(distinct(orders.map((order) => order.items.length))).toEqual(new Set([1, 2, 3, 4, 5]))
    expect(items.some((item) => item.quantity > 4)).toBe(true)
    expect(items.filter((item) => item.quantity === 1).length).toBeGreaterThan(items.length / 2)
  })

  it("adds up: amounts are prices by quantity, discounts stay below them, taxes follow from the rate", () => {
    for (const order of orders) {
      for (const item of order.items) {
        const net = item.amount - (item.discount ?? 0)
        expect(item.amount).toBe((item.product.price ?? 0) * item.quantity)
        expect(net).toBeGreaterThan(0)
        const rate = (item.taxPercent ?? 0) / 100
        const exact = order.taxesIncluded ? (net * rate) / (1 + rate) : net * rate
        expect(Math.abs((item.taxTotal ?? 0) - exact)).toBeLessThan(0.5 + 1e-6)
      }
    }
  })

  it("has tax in the price in euros and yen, and on top of it in dollars", () => {
    expect(orders.every((order) => order.taxesIncluded === (order.currency !== "USD"))).toBe(true)
    const taxed = orders.filter((order) => order.items.some((item) => (item.taxTotal ?? 0) > 0))
    expect(distinct(taxed.map((order) => order.currency)).size).toBe(3)
  })
})

const alternatives: ReadonlyArray<Partial<SplitPolicy.SplitPolicy>> = [
  { discount: "ignore" },
  { tax: "keep" },
  { tax: "share" },
  { cost: "deduct" },
  { gatewayFee: "ignore" },
  { flatScope: "item" },
  { flatScope: "order" },
  { shipping: "store" },
  { shipping: "charge" },
  { shipping: "all" },
  { stacking: "all" },
  { rounding: "floor" },
]

/** Each share and each rest as one text, in an order that does not matter. */
const linesOf = (split: {
  readonly shares: ReadonlyArray<Line>
  readonly store: ReadonlyArray<Line>
}) =>
  [...split.shares, ...split.store]
    .map(({ itemId, groupId, amount, shippingAmount }) =>
      [itemId, groupId ?? "store", amount, shippingAmount ?? ""].join(" "),
    )
    .sort()

interface Line {
  readonly itemId: string
  readonly groupId?: string
  readonly amount: number | bigint
  readonly shippingAmount?: number | bigint
}

const paidUnder = (changed: Partial<SplitPolicy.SplitPolicy>) =>
  total(
    orders.flatMap((order) =>
      Split.order(rules, order, { ...policy, ...changed }).shares.map((share) => share.amount),
    ),
  )

describe("the sample store's splits", () => {
  it("go through for all 500 orders: nothing is over-allocated", () => {
    expect(splits.flatMap((split) => (Result.isFailure(split) ? [split.failure] : []))).toEqual([])
    expect(policy.overAllocation).toBe("reject")
  })

  it("account for every cent: shares and the store's rest are what each item brought in", () => {
    for (const split of done) {
      for (const reckoning of split.items) {
        const parts = [...split.shares, ...split.store].filter(
          (part) => part.itemId === reckoning.itemId,
        )
        expect(total(parts.map((part) => part.amount))).toBe(reckoning.distributable)
      }
    }
  })

  it("bring in each order's payments: items less discount and included tax, and shipping", () => {
    for (const [index, order] of orders.entries()) {
      const net = total(order.items.map((item) => item.amount - (item.discount ?? 0)))
      const tax = order.taxesIncluded ? total(order.items.map((item) => item.taxTotal ?? 0)) : 0
      const distributable = total(done[index]?.items.map((item) => item.distributable) ?? [])
      expect(distributable).toBe(net - tax + (order.shippingAmount ?? 0))
    }
  })

  it("leave the store something of each order", () => {
    const left = done.map((split) => total(split.store.map((rest) => rest.amount)))
    expect(Math.min(...left)).toBeGreaterThan(0)
  })

  it("pay every collaborator", () => {
    const paid = new Map(collaborators.map(({ id }) => [id, 0]))
    for (const share of shares) {
      paid.set(share.collaboratorId, (paid.get(share.collaboratorId) ?? 0) + share.amount)
    }
    expect([...paid].filter(([, amount]) => amount <= 0)).toEqual([])
  })

  it("deduct Theo's shares from what the others' percentages are reckoned on", () => {
    const reckonings = done.flatMap((split) => split.items)
    const deducted = shares.filter((share) => share.deducting)
    expect(distinct(deducted.map((share) => share.groupId))).toEqual(new Set(["theo-readers"]))
    expect(total(reckonings.map((item) => item.deducted))).toBe(
      total(deducted.map((share) => share.amount - share.shippingAmount)),
    )
  })

  it.each([{}, ...alternatives])("are what the naive reckoning says, under %o too", (changed) => {
    const chosen = { ...policy, overAllocation: "scale", ...changed } as const
    for (const order of orders) {
      const { split } = oracleSplit(groups, order, chosen)
      expect(split && linesOf(split)).toEqual(linesOf(Split.order(rules, order, chosen)))
    }
  })

  it.each(alternatives)("would come to something else under %o", (changed) => {
    const lenient = { overAllocation: "scale" } as const
    expect(paidUnder({ ...lenient, ...changed })).not.toBe(paidUnder(lenient))
  })

  it("would be over-allocated if groups stacked, and each way to settle that pays differently", () => {
    const stacked = { ...policy, stacking: "all" } as const
    const refused = orders.filter((order) =>
      Result.isFailure(Split.orderResult(rules, order, stacked)),
    )
    expect(refused.length).toBeGreaterThan(0)
    const ways = ["scale", "rank", "allow"] as const
    const paid = ways.map((overAllocation) => {
      const settled = refused.map((order) =>
        Split.order(rules, order, { ...stacked, overAllocation }),
      )
      return JSON.stringify(settled.map((split) => split.shares.map((share) => share.amount)))
    })
    expect(distinct(paid).size).toBe(ways.length)
  })
})

describe("the sample store's refunds", () => {
  const splitOf = new Map(done.map((split) => [split.orderId, split]))
  const reversals = refunds.map((refund, index) => {
    const split = splitOf.get(refund.orderId)
    return split === undefined
      ? undefined
      : Refund.reverse(split, refund, { earlier: refunds.slice(0, index) })
  })

  it("all go through, each after its sale and within the year", () => {
    expect(refunds.length).toBeGreaterThan(20)
    for (const [index, refund] of refunds.entries()) {
      const reversal = reversals[index]
      expect(reversal !== undefined && Result.isSuccess(reversal), refund.itemId).toBe(true)
      expect(refund.refundedAt).toBeGreaterThan(splitOf.get(refund.orderId)?.createdAt ?? Infinity)
      expect(isIn2025(refund.refundedAt)).toBe(true)
    }
  })

  it("take back amounts and units, whole items and parts of them, at once and in two parts", () => {
    expect(refunds.some((refund) => refund.quantity !== undefined)).toBe(true)
    expect(refunds.some((refund) => refund.amount !== undefined)).toBe(true)
    const whole = reversals.map(
      (reversal) =>
        reversal !== undefined && Result.isSuccess(reversal) && reversal.success.fullyRefunded,
    )
    expect(distinct(whole).size).toBe(2)
    const first = distinct(refunds.map((refund) => refund.itemId))
    expect(first.size).toBeLessThan(refunds.length)
  })
})

describe("the sample store's expenses, incomes and rates", () => {
  it("has expenses and incomes above zero, with a short name, within the year", () => {
    expect(distinct(entries.map((entry) => entry.kind)).size).toBe(2)
    for (const entry of entries) {
      expect(entry.amount).toBeGreaterThan(0)
      expect(entry.name.trim().length).toBeGreaterThan(0)
      expect([...entry.name].length).toBeLessThanOrEqual(200)
      expect(isIn2025(entry.at), entry.name).toBe(true)
    }
  })

  it("has a rate for each pair of its currencies in each month", () => {
    const months = Array.from({ length: 12 }, (_, month) =>
      new Date(Date.UTC(2025, month, 1)).toISOString().slice(0, 10),
    )
    const codes = ["USD", "EUR", "JPY"]
    const needed = months.flatMap((month) =>
      codes.flatMap((from) =>
        codes.filter((to) => to !== from).map((to) => `${from} ${to} ${month}`),
      ),
    )
    const given = rates.map(({ from, to, from_date }) => `${from} ${to} ${from_date}`)
    expect(given.toSorted()).toEqual(needed.toSorted())
  })

  it("has rates that agree: there and back is what it was", () => {
    for (const { from, to, rate, from_date } of rates) {
      const back = rates.find(
        (other) => other.from === to && other.to === from && other.from_date === from_date,
      )
      const there = Result.getOrThrow(ExchangeRate.convert(100_000_000, { from, to, rate }))
      const again = Result.getOrThrow(
        ExchangeRate.convert(there, { from: to, to: from, rate: back?.rate ?? "" }),
      )
      expect(Math.abs(again - 100_000_000)).toBeLessThan(10_000)
    }
  })
})

describe("the page about the sample store", () => {
  const lines = Store.textOf("README.md").replaceAll(/ {2,}/g, " ").split("\n")
  const rowOf = (name: string) => lines.find((line) => line.startsWith(`| \`${name}\` |`)) ?? ""
  const money = (amount: number) => (amount / 100).toFixed(2)

  it("has a row for each file", () => {
    for (const name of generate().keys()) expect(rowOf(name), name).not.toBe("")
  })

  it("says what each collaborator is called and paid in", () => {
    for (const { id, currency } of collaborators) {
      expect(rowOf(id), id).toContain(`| ${currency} |`)
    }
  })

  it("says what each group pays", () => {
    for (const group of groups) {
      const { id, percent, amount, minAmount, maxAmount, shippingAmount } = group
      const row = rowOf(id)
      if (percent !== null) expect(row, id).toContain(`| ${Number(percent)}%`)
      if (amount !== null) expect(row, id).toContain(`| ${money(amount)} flat`)
      if (minAmount !== null) expect(row, id).toContain(`at least ${money(minAmount)}`)
      if (maxAmount !== null) expect(row, id).toContain(`at most ${money(maxAmount)}`)
      if (shippingAmount !== null)
        expect(row, id).toContain(`${money(shippingAmount)} for shipping`)
    }
  })

  it("is right about the gift to Bern: seven people earn on it", () => {
    const [bern] = done.filter((split) => split.orderId === "PH-1143")
    expect(distinct(bern?.shares.map((share) => share.collaboratorId) ?? []).size).toBe(7)
  })

  it("is right about the forgotten tag: it pays nothing after the charity week", () => {
    const tagged = orders.filter((order) => order.tags?.includes("charity-week"))
    const paying = distinct(
      done
        .filter((split) => split.shares.some(({ groupId }) => groupId === "old-pier-charity-week"))
        .map((split) => split.orderId),
    )
    expect(paying.size).toBeGreaterThan(0)
    expect(paying.size).toBeLessThan(tagged.length)
  })

  it("is right about what changes: 90% for the prints is refused", () => {
    const changed = groups.map((group) =>
      group.id === "zoe-art-from-july" ? { ...group, percent: "90.00" } : group,
    )
    const raised = RuleSet.make(changed)
    const refused = orders.filter((order) =>
      Result.isFailure(Split.orderResult(raised, order, policy)),
    )
    const prints = refused.map((order) =>
      order.items.some((item) => item.product.tags?.includes("Zoë")),
    )
    expect(prints.length).toBeGreaterThan(50)
    expect(prints).not.toContain(false)
  })

  it("is right about what changes: without shared shipping the carrier gets nothing", () => {
    const kept = orders.flatMap(
      (order) => Split.order(rules, order, { ...policy, shipping: "store" }).shares,
    )
    const carried = kept.filter((share) => share.collaboratorId === "kestrel")
    expect(carried.length).toBeGreaterThan(0)
    expect(total(carried.map((share) => share.amount))).toBe(0)
  })
})
