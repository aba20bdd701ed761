import {
  type Collaborator,
  Currency,
  type Order,
  PayoutStatus,
  Permissions,
  ProductGroup,
  RuleSet,
  type Split,
} from "apportion"
import type { TimeRange } from "apportion/ports"
import { Arbitraries } from "apportion/testing"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { policyOptions } from "../generators/Sales.js"

/** Many samples of an arbitrary, drawn once; a fixed seed keeps the answer the same. */
const samplesOf = <A>(arbitrary: fc.Arbitrary<A>): ReadonlyArray<A> =>
  fc.sample(arbitrary, { numRuns: 1_000, seed: 7 })

type Samples<A> = fc.Arbitrary<A> | ReadonlyArray<A>

const isDrawn = <A>(samples: Samples<A>): samples is ReadonlyArray<A> => Array.isArray(samples)

/** Whether the samples show everything that is wanted. */
const reaches = <A>(
  samples: Samples<A>,
  show: (value: A) => ReadonlyArray<unknown>,
  wanted: ReadonlyArray<unknown>,
): void => {
  const values = isDrawn(samples) ? samples : samplesOf(samples)
  const found = new Set(values.flatMap(show))
  expect(wanted.filter((one) => !found.has(one))).toEqual([])
}

/** How many of a thousand samples are so. */
const share = <A>(arbitrary: fc.Arbitrary<A>, is: (value: A) => boolean): number =>
  samplesOf(arbitrary).filter(is).length

const itself = (value: unknown) => [value]
const most = Number.MAX_SAFE_INTEGER

describe("every extreme and every kind comes up", () => {
  test("of money", () => {
    reaches(Arbitraries.cents(), itself, [0, 1, -1, most, -most])
    reaches(Arbitraries.cents({ min: 5, max: 900_000 }), itself, [5, 900_000])
    reaches(Arbitraries.percent(), itself, ["0.00", "0.01", "33.33", "33.34", "66.67", "100.00"])
    reaches(Arbitraries.percentInput(), (value) => [typeof value], ["string", "number"])
    reaches(Arbitraries.percentInput(), itself, ["12.50", "12.5", 12.5, 100, 0])
    const digits = (code: string) => [Result.getOrThrow(Currency.minorDigits(code))]
    reaches(Arbitraries.currency(), digits, [0, 2, 3, 4])
    reaches(Arbitraries.exchangeRate(), (rate) => [rate.length > 80, Number(rate) < 1e-30], [true])
    reaches(Arbitraries.exchangeRate(), (rate) => [rate.includes(".")], [true, false])
  })

  test("of times and texts", () => {
    const last = 253_402_300_799
    reaches(Arbitraries.time(), itself, [0, -1, -62_135_596_800, last])
    reaches(Arbitraries.timeZone(), itself, ["UTC", "Pacific/Apia", "Australia/Lord_Howe"])
    reaches(Arbitraries.text(), itself, ["art", "ART", "cafe\u0301", "CAFÉ ", "", " "])
    reaches(Arbitraries.id(), itself, ["a/b", "__proto__", "constructor", "😀", "9", "10"])
    reaches(Arbitraries.country(), itself, ["DE", "de", " De "])
    reaches(Arbitraries.entryName(), (name) => [[...name.trim()].length], [1, 200])
  })

  test("of products", () => {
    reaches(Arbitraries.product(), (product) => Object.keys(product), [
      ...["id", "externalId", "externalVariantId", "name", "sku", "vendor", "price", "cost"],
      ...["tags", "inventoryQuantity"],
    ])
    reaches(Arbitraries.product(), ({ price }) => [price], [0, 1, most, undefined])
    reaches(Arbitraries.product(), ({ sku }) => [sku === null, sku === undefined], [true, false])
    reaches(Arbitraries.products(), ({ length }) => [length], [0, 8])
    const samplePair = (list: ReadonlyArray<{ readonly id: string }>) =>
      new Set(list.map(({ id }) => id)).size < list.length
    expect(share(Arbitraries.products(), samplePair)).toBeGreaterThan(200)
  })

  test("of product groups", () => {
    const group = samplesOf(Arbitraries.productGroup())
    const links = ProductGroup.linkTypes.flatMap((type) =>
      type === "products.all" ? [`${type} WITH`] : [`${type} WITH`, `${type} NOT`],
    )
    reaches(group, ({ link }) => [`${link.type} ${link.modifier}`], links)
    const conditions = ProductGroup.conditionTypes.flatMap((type) => [
      `${type} WITH`,
      `${type} NOT`,
    ])
    const shown = (one: ProductGroup.ProductGroup) =>
      one.condition === null ? [null] : [`${one.condition.type} ${one.condition.modifier}`]
    reaches(group, shown, [null, ...conditions])
    const pay = (one: ProductGroup.ProductGroup) => [
      `${one.percent === null} ${one.amount === null}`,
    ]
    reaches(group, pay, ["false true", "true false", "false false"])
    for (const field of ["minAmount", "maxAmount", "startsAt", "endsAt", "createdAt"] as const) {
      reaches(group, (one) => [one[field] === null], [true, false])
    }
    for (const field of ["shippingPercent", "shippingAmount"] as const) {
      reaches(group, (one) => [one[field] === null], [true, false])
    }
    reaches(group, (one) => [one.amount], [0, most])
    reaches(group, (one) => [one.deductForOtherSplits], [true, false])
    reaches(Arbitraries.ruleSet(), ({ groups }) => [groups.length], [0, 1, 10])
  })

  test("of orders", () => {
    const order = samplesOf(Arbitraries.order())
    const items = ({ items: all }: Order.Order) => all
    reaches(order, ({ items: all }) => [all.length], [0, 1, 2, 3, 4])
    reaches(order, (one) => items(one).map(({ amount }) => amount), [0, 1, most, -most])
    reaches(order, (one) => items(one).map(({ quantity }) => quantity), [0, 1, 100, most])
    reaches(
      order,
      (one) =>
        items(one).map(({ amount, discount = 0 }) => Math.sign(discount) * Math.sign(amount)),
      [0, 1, -1],
    )
    reaches(order, ({ taxesIncluded }) => [taxesIncluded], [true, false, undefined])
    reaches(order, ({ createdAt }) => [typeof createdAt, createdAt === null], [
      "number",
      "undefined",
      true,
    ])
    reaches(order, ({ billingCountry }) => [billingCountry === null, typeof billingCountry], [
      true,
      "string",
    ])
    reaches(order, ({ details }) => Object.keys(details ?? {}), ["customerEmail", "billingAddress"])
  })

  test("orders made for a rule set meet its groups, as others seldom do", () => {
    const asksForValues = ({ link, condition }: ProductGroup.ProductGroup) =>
      link.type !== "products.all" && link.modifier === "WITH" && condition?.modifier === "WITH"
    const demanding = Arbitraries.productGroup({ requireValues: true }).filter(asksForValues)
    const met = (orders: (rules: RuleSet.RuleSet) => fc.Arbitrary<Order.Order>) => {
      const pairs = demanding
        .map((group) => RuleSet.make([group]))
        .chain((rules) => orders(rules).map((order) => ({ rules, order })))
      return share(pairs, ({ rules, order }) =>
        order.items.some((item) => RuleSet.matchingGroups(rules, order, item).length > 0),
      )
    }
    expect(met((rules) => Arbitraries.orderFor(rules, { minItems: 1 }))).toBeGreaterThan(400)
    const any = Arbitraries.order({ minItems: 1 })
    expect(met(() => any)).toBeLessThan(250)
  })

  test("of policies and settings", () => {
    const values = Object.entries(policyOptions).flatMap(([name, all]) =>
      all.map((one) => `${name} ${one}`),
    )
    const shown = (policy: object) =>
      Object.entries(policy).map(([name, value]) => `${name} ${value}`)
    reaches(Arbitraries.splitPolicy(), shown, values)
    reaches(Arbitraries.settings(), ({ linkBatchSize }) => [linkBatchSize], [1, 100_000])
    reaches(Arbitraries.settings(), ({ conflictRetries }) => [conflictRetries], [0, 1_000])
  })

  test("of collaborators", () => {
    const person = samplesOf(Arbitraries.collaborator())
    const dates = ({ payoutMeasurement, payoutFrequency }: Collaborator.Collaborator) => [
      `${payoutMeasurement} ${payoutFrequency}`,
    ]
    reaches(person, dates, [
      ...["monthly_date -1", "monthly_date 1", "monthly_date 28", "month 1", "month 1000"],
      ...["week 1", "week 1000", "day 1", "day 1000"],
    ])
    reaches(person, ({ payoutThreshold }) => [payoutThreshold], [0, 1, most])
    reaches(person, ({ payoutHoldingDays }) => [payoutHoldingDays], [null, 0, 1, 3_650])
    reaches(person, ({ shouldPayAutomatically }) => [shouldPayAutomatically], [true, false])
    const input = samplesOf(Arbitraries.collaboratorInput())
    reaches(input, ({ payoutMeasurement }) => [payoutMeasurement], [undefined, "month_day", "week"])
    const alone = Permissions.names.map((name) => `only ${name} hidden`)
    const hidden = (permissions: Permissions.Permissions) => {
      const names = Permissions.names.filter((name) => !permissions[name])
      return names.length === 1 ? [`only ${names[0]} hidden`] : [`${names.length} hidden`]
    }
    reaches(Arbitraries.permissions(), hidden, ["0 hidden", "12 hidden", ...alone])
  })

  test("of payouts", () => {
    reaches(Arbitraries.payoutItem(), ({ kind }) => [kind], ["sale", "refund", "expense", "income"])
    reaches(Arbitraries.payoutItem(), ({ amount }) => [amount], [0, 1, -1, most, -most])
    const foreign = ({
      currencyExchangeRate,
    }: {
      readonly currencyExchangeRate: string | null
    }) => [currencyExchangeRate === null]
    reaches(Arbitraries.payoutItem({ kind: "sale" }), foreign, [true, false])
    reaches(Arbitraries.payoutItem({ kind: "refund" }), foreign, [true, false])
    const payout = samplesOf(Arbitraries.payout())
    reaches(payout, ({ status }) => [status], PayoutStatus.statuses)
    const byHand = Arbitraries.payout({ status: "manually paid" })
    reaches(byHand, ({ closedAt }) => [closedAt === null], [true, false])
    reaches(payout, ({ items }) => [items.length], [0, 1, 5])
    const stored = Arbitraries.storedPayout({ status: "active" })
    reaches(stored, ({ payout: { total } }) => [Math.sign(total), Math.abs(total) > most / 2], [
      -1,
      0,
      1,
      true,
    ])
  })

  test("of recorded sales", () => {
    const sale = samplesOf(Arbitraries.recordedSale())
    reaches(sale, ({ part }) => [part], [1, 2, 3])
    reaches(sale, ({ refunds }) => [refunds.length], [0, 1, 2, 3])
    reaches(sale, ({ postings }) => postings.map(({ rate }) => rate === null), [true, false])
    reaches(sale, ({ postings }) => postings.map(({ refunds }) => refunds), [0, 1, 2])
    const whole = (split: Split.Split) => split.shares.length
    reaches(sale, ({ split }) => [whole(split)], [0, 1, 2, 3])
    const isWhole = ({
      refunds,
    }: {
      readonly refunds: ReadonlyArray<{ readonly reversal: { readonly fullyRefunded: boolean } }>
    }) => refunds.map(({ reversal }) => reversal.fullyRefunded)
    reaches(sale, isWhole, [true, false])
  })

  test("of lists", () => {
    reaches(Arbitraries.pageRequest(), ({ page }) => [page], [1, 2, most])
    reaches(Arbitraries.pageRequest(), ({ perPage }) => [perPage], [1, 15, 100])
    reaches(Arbitraries.slice(), ({ offset }) => [offset], [0, 1, most])
    reaches(Arbitraries.payoutFilter(), ({ status }) => [status], [
      undefined,
      ...PayoutStatus.statuses,
    ])
    const ends = ({ from, to }: TimeRange) => [`${from === undefined} ${to === undefined}`]
    reaches(Arbitraries.timeRange(), ends, ["true true", "true false", "false true", "false false"])
    reaches(Arbitraries.linkJob(), ({ status, after }) => [`${status} ${after === null}`], [
      "running true",
      "running false",
      "done true",
    ])
  })
})
