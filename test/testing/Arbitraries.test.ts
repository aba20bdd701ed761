import {
  Cents,
  Collaborator,
  Currency,
  ExchangeRate,
  type Order,
  PageRequest,
  Payout,
  PayoutItem,
  Percent,
  ProductGroup,
  Refund,
  RuleSet,
  Schedule,
  Split,
  SplitPolicy,
} from "apportion"
import { productKeyOf } from "apportion/ports"
import * as Schemas from "apportion/schema"
import { makeSettings } from "apportion/service"
import { Arbitraries } from "apportion/testing"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"

/** Every value of an arbitrary is one that the core accepts: the check is neither `false` nor throws. */
const accepts = <A>(
  arbitrary: fc.Arbitrary<A>,
  isValid: (value: A) => unknown,
  usualRuns = 300,
): void => {
  fc.assert(
    fc.property(arbitrary, (value) => isValid(value) !== false),
    runs(usualRuns),
  )
}

const isTime = (value: number) => Result.isSuccess(Schedule.checkTime(value, "at"))
const isTimeOrNull = (value: number | null) => value === null || isTime(value)
const isZone = (value: string) => Result.isSuccess(Schedule.checkTimeZone(value))
const isPercent = (value: unknown) => Result.isSuccess(Percent.parse(value))
const isGroup = (value: unknown) => Result.isSuccess(ProductGroup.parse(value))
const isItem = Schema.is(Schemas.PayoutItem)
const isProduct = Schema.is(Schemas.Product)
const isOrder = Schema.is(Schemas.Order)
const isCollaborator = Schema.is(Schemas.Collaborator)

/** Whether an order, with no rules at all, can be split: its figures fit together. */
const isSplittable = (order: Order.Order): boolean => {
  const result = Split.orderResult(RuleSet.make([]), order)
  return Result.isSuccess(result) || result.failure._tag === "AmountOutOfRange"
}

/** Times come in their order, and are there exactly where the status says so. */
const standsRight = (payout: Omit<Payout.Payout, "items">): boolean => {
  const { status, openedAt, toBePaidAt, closedAt, payableAt, paidAt, failureReason } = payout
  const isOpen = status === "active" || (status === "manually paid" && closedAt === null)
  return (
    [openedAt, toBePaidAt].every(isTime) &&
    [closedAt, payableAt, paidAt].every(isTimeOrNull) &&
    openedAt < toBePaidAt &&
    (closedAt === null) === isOpen &&
    (payableAt === null) === isOpen &&
    (closedAt ?? toBePaidAt) >= toBePaidAt &&
    (payableAt ?? toBePaidAt) >= toBePaidAt &&
    (paidAt !== null) === Payout.isSettled(payout) &&
    (paidAt ?? openedAt) >= openedAt &&
    (status !== "paid" || (paidAt ?? 0) >= (payableAt ?? 0)) &&
    (failureReason !== null) === (status === "failed")
  )
}

describe("whatever is made is valid", () => {
  test("money: amounts, percentages, currencies and rates", () => {
    accepts(Arbitraries.cents(), (value) => Cents.isCents(value) && !Object.is(value, -0))
    accepts(
      Arbitraries.cents({ min: 50_000, max: 60_000 }),
      (value) => Math.abs(value - 55_000) <= 5_000,
    )
    accepts(Arbitraries.cents({ min: -3, max: 2 }), (value) => value >= -3 && value <= 2)
    accepts(Arbitraries.percent(), (value) => /^\d{1,3}\.\d\d$/.test(value) && isPercent(value))
    accepts(Arbitraries.percentInput(), isPercent)
    accepts(Arbitraries.currency(), Currency.isCurrency)
    accepts(Arbitraries.exchangeRate(), Schema.is(Schemas.ExchangeRate))
    accepts(Arbitraries.rateRequest(), ({ from, to }) => from !== to)
  })

  test("currencies have the asked number of digits", () => {
    for (const digits of [0, 2, 3, 4] as const) {
      const hasDigits = (code: string) => Result.getOrThrow(Currency.minorDigits(code)) === digits
      accepts(Arbitraries.currency({ digits }), hasDigits, 50)
    }
  })

  test("usual rates convert usual amounts", () => {
    const conversion = fc.record({
      amount: Arbitraries.cents({ min: -1_000_000_000, max: 1_000_000_000 }),
      from: Arbitraries.currency(),
      to: Arbitraries.currency(),
      rate: Arbitraries.exchangeRate({ extreme: false }),
    })
    accepts(conversion, ({ amount, ...how }) => Result.isSuccess(ExchangeRate.convert(amount, how)))
  })

  test("times, zones, ids and texts", () => {
    accepts(Arbitraries.time(), isTime)
    accepts(Arbitraries.time({ min: 10, max: 20 }), (at) => at >= 10 && at <= 20)
    accepts(Arbitraries.usualTime(), isTime)
    accepts(Arbitraries.timeZone(), isZone, 50)
    accepts(Arbitraries.id(), (id) => id.length > 0 && id.isWellFormed())
    accepts(Arbitraries.ids({ minLength: 2 }), (ids) => new Set(ids).size === ids.length)
    accepts(Arbitraries.text(), (text) => text.isWellFormed())
    accepts(Arbitraries.filledText(), (text) => text.trim() !== "")
    accepts(Arbitraries.country(), (code) => /^[A-Z]{2}$/.test(code.trim().toUpperCase()))
    const named = (name: string) =>
      Result.isSuccess(PayoutItem.expense({ id: "e", amount: 1, name, at: 0 }, { currency: "USD" }))
    accepts(Arbitraries.entryName(), named)
  })

  test("products, lists of them and catalogues", () => {
    accepts(Arbitraries.product(), isProduct)
    accepts(Arbitraries.products(), (list) => new Set(list.map(productKeyOf)).size === list.length)
    accepts(Arbitraries.catalogue(), ({ products, byId }) =>
      products.every(({ id }) => byId.has(id)),
    )
  })

  test("product groups and rule sets", () => {
    accepts(
      Arbitraries.productGroupInput(),
      (group) => isGroup(group) && ProductGroup.make(group) !== null,
    )
    const staysItself = (group: ProductGroup.ProductGroup) => {
      expect(ProductGroup.make(group)).toEqual(group)
    }
    accepts(Arbitraries.productGroup(), staysItself)
    accepts(Arbitraries.ruleSet(), ({ groups }) => Result.isSuccess(RuleSet.parse(groups)))
  })

  test("groups for services have no link or condition that needs values and has none", () => {
    const isFilled = (values: ReadonlyArray<string>) =>
      values.length > 0 && values.every((value) => value.trim() !== "")
    accepts(
      Arbitraries.productGroup({ requireValues: true }),
      ({ link, condition }) =>
        (link.type === "products.all" || isFilled(link.values)) &&
        (condition === null || isFilled(condition.values)),
    )
  })

  test("orders, any and those made for rules", () => {
    accepts(Arbitraries.order(), (order) => isOrder(order) && isSplittable(order))
    const usual = Arbitraries.order({ amounts: "usual", minItems: 1 })
    accepts(usual, (order) => Result.isSuccess(Split.orderResult(RuleSet.make([]), order)))
    const made = Arbitraries.ruleSet().chain((rules) => Arbitraries.orderFor(rules))
    accepts(made, (order) => isOrder(order) && isSplittable(order))
  })

  test("policies and settings", () => {
    accepts(Arbitraries.splitPolicy(), (policy) => Result.isSuccess(SplitPolicy.parse(policy)))
    accepts(Arbitraries.settings(), (settings) => Result.isSuccess(makeSettings(settings)))
  })

  test("collaborators, their permissions and schedules", () => {
    accepts(Arbitraries.permissions(), Schema.is(Schemas.Permissions))
    accepts(Arbitraries.collaborator(), isCollaborator)
    accepts(Arbitraries.collaboratorInput(), (input) =>
      isCollaborator(Result.getOrThrow(Collaborator.parse(input))),
    )
    const dated = fc.tuple(Arbitraries.schedule(), Arbitraries.usualTime(), Arbitraries.timeZone())
    accepts(dated, ([schedule, at, timeZone]) => {
      const due = Schedule.nextDueDate(schedule, { openedAt: at, after: at, timeZone })
      return Result.getOrThrow(due) > at
    })
  })

  test("payout items of each kind", () => {
    for (const kind of ["sale", "refund", "expense", "income"] as const) {
      accepts(Arbitraries.payoutItem({ kind }), (item) => isItem(item) && item.kind === kind, 100)
    }
    const converted = Arbitraries.payoutItem({ currency: "JPY" })
    accepts(
      converted,
      (item) => (item.originalCurrency === "JPY") === (item.currencyExchangeRate === null),
    )
  })

  test("payouts in each status, with a total that is their items'", () => {
    accepts(Arbitraries.payout(), Schema.is(Schemas.Payout))
    accepts(Arbitraries.payout(), standsRight)
    accepts(Arbitraries.payout(), (payout) => {
      const ids = payout.items.map(({ id }) => id)
      return new Set(ids).size === ids.length && Result.isSuccess(Payout.total(payout))
    })
    accepts(Arbitraries.storedPayout(), ({ payout, items }) => {
      const total = items.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      const isPayable = payout.status !== "paid" || payout.total >= 0
      return BigInt(payout.total) === total && payout.itemsCount === items.length && isPayable
    })
  })

  test("sales, their splits, and refunds that can be made one after the other", () => {
    accepts(Arbitraries.splitSale(), ({ rules, order, policy, split }) => {
      expect(Split.order(rules, order, policy)).toEqual(split)
    })
    const refunded = Arbitraries.splitSale().chain(({ split }) =>
      Arbitraries.refundsOf(split).map((refunds) => ({ split, refunds })),
    )
    accepts(refunded, ({ split, refunds }) =>
      refunds.every((refund, index) =>
        Result.isSuccess(Refund.reverse(split, refund, { earlier: refunds.slice(0, index) })),
      ),
    )
    accepts(Arbitraries.refund(), ({ amount, quantity, remaining, refundedAt, ...of }) => {
      const figure = amount ?? quantity ?? of.shippingAmount ?? Number(remaining ?? 0)
      return isTime(refundedAt) && Cents.isCents(figure) && figure !== 0 && (quantity ?? 1) > 0
    })
  })

  test("recorded sales give their split again, and each refund took back what it says", () => {
    accepts(Arbitraries.recordedSale(), (sale) => {
      const again = Split.order(RuleSet.make(sale.groups), sale.order, sale.policy)
      expect(again).toEqual(sale.split)
      expect(sale.version).toBe(1 + sale.refunds.length)
      expect(sale.postings).toHaveLength(sale.split.shares.length)
      const earlier: Array<Refund.Refund> = []
      for (const { refund, reversal } of sale.refunds) {
        expect(Result.getOrThrow(Refund.reverse(sale.split, refund, { earlier }))).toEqual(reversal)
        earlier.push(refund)
      }
      return sale.postings.every(
        ({ currency, rate }) => (rate === null) === (currency === sale.order.currency),
      )
    })
  })

  test("what else is stored and asked for", () => {
    accepts(Arbitraries.storedCollaborator(), ({ collaborator }) => isCollaborator(collaborator))
    accepts(Arbitraries.storedGroup(), ({ group }) => isGroup(group))
    accepts(Arbitraries.linkJob(), ({ after, scanned }) => (after === null) === (scanned === 0))
    accepts(Arbitraries.storedAnswer(), ({ answer }) => JSON.parse(answer) !== undefined)
    accepts(Arbitraries.storedToken(), ({ hash }) => /^[0-9a-f]{64}$/.test(hash))
    accepts(Arbitraries.timeRange(), ({ from, to }) => (from ?? -Infinity) <= (to ?? Infinity))
    accepts(Arbitraries.payoutFilter(), ({ paid }) => paid?.from === undefined || isTime(paid.from))
    accepts(Arbitraries.productFilter(), ({ search = "" }) => search.isWellFormed())
    accepts(
      Arbitraries.slice(),
      ({ offset, limit }) => Cents.isCents(offset + 0) && offset >= 0 && limit >= 1,
    )
    accepts(Arbitraries.pageRequest(), ({ page, perPage }) => {
      const parsed = PageRequest.parse({ page, per_page: perPage })
      expect(Result.getOrThrow(parsed)).toEqual({ page, perPage })
    })
  })
})
