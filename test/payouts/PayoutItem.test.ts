import { PayoutItem } from "apportion"
import * as Schemas from "apportion/schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { withoutEach } from "./Fields.js"
import { failureOf, order, sale, soldAt } from "./Samples.js"

const share = { itemId: "1", groupId: "g1", amount: 1_000 }
const decode = Schema.decodeUnknownSync(Schemas.PayoutItem)

describe("the payout item of a share", () => {
  it("pictures the order item and its product as they were", () => {
    const item = sale(1_000)
    expect(item).toEqual({
      kind: "sale",
      id: "1001/1/g1",
      createdAt: soldAt,
      amount: 1_000,
      originalAmount: 1_000,
      originalCurrency: "USD",
      currencyExchangeRate: null,
      orderItem: {
        orderId: "1001",
        itemId: "1",
        groupId: "g1",
        amount: 10_000,
        discount: 500,
        quantity: 2,
        taxPercent: 19,
        taxName: "VAT",
        taxTotal: 1_517,
        grams: 300,
        product: order.items[0]?.product,
        externalId: "1",
        splitAt: soldAt,
        refundedAt: null,
        details: order.details,
      },
    })
    expect(decode(item)).toEqual(item)
  })

  it("has every field even when the order said little", () => {
    const plain = { ...order, details: undefined }
    const little = { ...share, itemId: "2" }
    const options = { id: "own", order: plain, currency: "USD", at: 5 }
    const { id, orderItem } = Result.getOrThrow(PayoutItem.fromShare(little, options))
    expect(id).toBe("own")
    expect(orderItem).toStrictEqual({
      orderId: "1001",
      itemId: "2",
      groupId: "g1",
      amount: 900,
      discount: 0,
      quantity: 1,
      taxPercent: null,
      taxName: null,
      taxTotal: null,
      grams: 0,
      product: {
        id: "p2",
        externalId: "p2",
        externalVariantId: "",
        name: "",
        sku: null,
        vendor: "",
        price: 0,
        cost: 0,
        tags: [],
        inventoryQuantity: null,
      },
      externalId: "2",
      splitAt: 5,
      refundedAt: null,
    })
  })

  it("has no field that its schema could do without, but the details of the order", () => {
    const isItem = Schema.is(Schemas.PayoutItem)
    const refund = PayoutItem.takeBack(sale(1_000), {
      id: "r1",
      currency: "USD",
      amount: 400,
      alreadyRefunded: 0,
      at: soldAt,
    })
    const entry = { id: "i1", amount: 700, name: "Bonus", at: soldAt }
    const income = PayoutItem.income(entry, { currency: "USD" })
    for (const item of [sale(1_000), Result.getOrThrow(refund), Result.getOrThrow(income)]) {
      expect(isItem(item)).toBe(true)
      for (const [path, less] of withoutEach({ ...item })) {
        const isNeeded = !path.startsWith("orderItem.details")
        expect([path, isItem(less)]).toEqual([path, !isNeeded])
      }
    }
  })

  it("is named by order, item and group, whatever is in their ids", () => {
    const keyOf = (orderId: string, itemId: string, groupId: string) =>
      PayoutItem.keyOf({ orderId, itemId, groupId })
    expect(keyOf("gid://shop/1", "2", "g")).toBe("gid:%2F%2Fshop%2F1/2/g")
    const ids = fc.constantFrom("a", "a/b", "b", "%2F", "/", "%", "")
    const key = fc.tuple(ids, ids, ids)
    fc.assert(
      fc.property(key, key, (one, other) => {
        expect(keyOf(...one) === keyOf(...other)).toBe(one.join("\n") === other.join("\n"))
      }),
      runs(300),
    )
  })

  it("is an error when the order has no such item", () => {
    const result = PayoutItem.fromShare(
      { ...share, itemId: "9" },
      { order, currency: "USD", at: soldAt },
    )
    expect(failureOf(result)).toMatchObject({
      _tag: "UnknownOrderItem",
      orderId: "1001",
      itemId: "9",
      message: 'order "1001" has no item "9"',
    })
  })

  it("is an error when the amount is none", () => {
    const result = PayoutItem.fromShare(
      { ...share, amount: Number.NaN },
      { order, currency: "USD", at: soldAt },
    )
    expect(failureOf(result)).toMatchObject({ _tag: "AmountOutOfRange", what: "the share" })
  })
})

describe("Payouts, a share in another currency", () => {
  const converted = (amount: number, currency: string, rate: string) =>
    sale(amount, { currency, rate })

  it("converts by the supplied rate, which is kept on the item", () => {
    expect(converted(1_000, "EUR", "0.9235")).toMatchObject({
      amount: 924,
      originalAmount: 1_000,
      originalCurrency: "USD",
      currencyExchangeRate: "0.9235",
    })
  })

  it("counts both currencies' minor digits", () => {
    expect(converted(1_000, "JPY", "150.255").amount).toBe(1_503)
    expect(converted(1_000, "KWD", "0.3075").amount).toBe(3_075)
  })

  it("rounds half-up on the absolute value", () => {
    expect(converted(1, "EUR", "0.5").amount).toBe(1)
    expect(converted(-1, "EUR", "0.5").amount).toBe(-1)
    expect(converted(1, "EUR", "0.49").amount).toBe(0)
  })

  it("has no rate when the currencies are equal, even if one is given", () => {
    expect(sale(1_000, { currency: "USD", rate: "2" })).toMatchObject({
      amount: 1_000,
      currencyExchangeRate: null,
    })
  })

  it("is an error without a rate, with a bad one, or beyond the safe range", () => {
    const attempt = (amount: number, rate?: string) =>
      failureOf(
        PayoutItem.fromShare({ ...share, amount }, { order, currency: "EUR", rate, at: soldAt }),
      )
    expect(attempt(1)).toMatchObject({
      _tag: "MissingExchangeRate",
      from: "USD",
      to: "EUR",
      at: soldAt,
      message: "there is no exchange rate from USD to EUR at 2023-11-14T22:13:20Z",
    })
    expect(attempt(1, "abc")._tag).toBe("InvalidExchangeRate")
    expect(attempt(Number.MAX_SAFE_INTEGER, "2")._tag).toBe("AmountOutOfRange")
  })
})

describe("Payouts, expenses and incomes", () => {
  const input = { id: "e1", amount: 1_500, name: "Samples", at: soldAt }
  const usd = { currency: "USD" }
  const expense = (changes: object) => PayoutItem.expense({ ...input, ...changes }, usd)

  it("take off an expense and add an income", () => {
    const common = {
      id: "e1",
      createdAt: soldAt,
      name: "Samples",
      originalCurrency: "USD",
      currencyExchangeRate: null,
    }
    const made = [PayoutItem.expense(input, usd), PayoutItem.income(input, usd)].map((entry) =>
      Result.getOrThrow(entry),
    )
    expect(made).toEqual([
      { ...common, kind: "expense", amount: -1_500, originalAmount: -1_500 },
      { ...common, kind: "income", amount: 1_500, originalAmount: 1_500 },
    ])
    expect(made.map((entry) => decode(entry))).toEqual(made)
  })

  it("need an amount above 0 in whole cents", () => {
    for (const amount of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
      const error = failureOf(expense({ amount }))
      expect(error).toMatchObject({ _tag: "InvalidEntry" })
      expect(error.problems.map(({ path, value }) => [path, value])).toEqual([["amount", amount]])
    }
    expect(Result.isSuccess(expense({ amount: Number.MAX_SAFE_INTEGER }))).toBe(true)
  })

  it("need a name of 1 to 200 characters, code points after trimming", () => {
    const nameOf = (name: string) => Result.getOrThrow(expense({ name })).name
    expect(nameOf("  Samples \n")).toBe("Samples")
    expect(nameOf(" x ")).toBe("x")
    expect(nameOf(` ${"😀".repeat(200)} `)).toBe("😀".repeat(200))
    for (const name of ["", "   ", "😀".repeat(201), "a".repeat(201)]) {
      expect(failureOf(expense({ name })).problems.map(({ path }) => path)).toEqual(["name"])
    }
  })

  it("tell every problem at once", () => {
    const problems = failureOf(expense({ id: "", amount: 0, name: "", at: 0.5 })).problems
    expect(problems.map(({ path }) => path)).toEqual(["id", "amount", "name", "at"])
  })

  it("say in words what they need", () => {
    expect(failureOf(expense({ amount: 0, name: "" })).message).toBe(
      'amount: must be a whole number of cents above 0, got 0; name: must be a name of 1 to 200 characters, got ""',
    )
  })
})

describe("Refunds of one share", () => {
  const usd = { currency: "USD", at: soldAt + 60 }

  it("reduce the item of a payout that is not settled, to 0 at last, and set when", () => {
    const half = Result.getOrThrow(PayoutItem.reduce(sale(1_001), { ...usd, amount: 500 }))
    expect(half).toMatchObject({ amount: 501, originalAmount: 501 })
    expect(half.orderItem.refundedAt).toBe(soldAt + 60)
    const whole = Result.getOrThrow(PayoutItem.reduce(half, { ...usd, amount: 501, at: 9 }))
    expect(whole).toMatchObject({ amount: 0, originalAmount: 0, orderItem: { refundedAt: 9 } })
    expect(whole.orderItem.amount).toBe(10_000)
  })

  it("can't take back more than is left, nor with the wrong sign", () => {
    for (const [amount, taken] of [
      [1_000, 1_001],
      [1_000, -1],
      [-1_000, 1],
      [-1_000, -1_001],
      [0, 1],
      [1_000, Number.NaN],
    ] as const) {
      const error = failureOf(PayoutItem.reduce(sale(amount), { ...usd, amount: taken }))
      expect(error).toMatchObject({ _tag: "RefundBeyondShare", left: amount, amount: taken })
    }
  })

  const parts = fc
    .tuple(fc.integer({ min: -5_000, max: 5_000 }), fc.array(fc.nat(100), { maxLength: 5 }))
    .map(([whole, percents]) => {
      const taken: Array<number> = []
      let left = whole
      for (const percent of percents) {
        taken.push(Math.trunc((left * percent) / 100))
        left -= taken.at(-1) ?? 0
      }
      return { whole, taken: [...taken, left] }
    })
  const currency = fc.constantFrom(
    { currency: "USD" },
    { currency: "EUR", rate: "0.9137" },
    { currency: "JPY", rate: "151.07" },
    { currency: "KWD", rate: "0.30741" },
  )

  it("in any parts and currency, before and after the payout is settled, come to exactly nothing", () => {
    const property = fc.property(
      parts,
      currency,
      fc.nat(6),
      ({ whole, taken }, to, settledAfter) => {
        let item = sale(whole, to)
        for (const amount of taken.slice(0, settledAfter)) {
          item = Result.getOrThrow(PayoutItem.reduce(item, { ...usd, ...to, amount }))
        }
        let alreadyRefunded = 0
        let total = item.amount
        for (const amount of taken.slice(settledAfter)) {
          const options = { ...usd, ...to, id: "r", amount, alreadyRefunded }
          const refund = Result.getOrThrow(PayoutItem.takeBack(item, options))
          total += refund.amount
          alreadyRefunded += amount
        }
        expect(total).toBe(0)
      },
    )
    fc.assert(property, runs(500))
  })

  it("of a settled payout are negative items that show what they take back", () => {
    const options = { ...usd, id: "r1", amount: 400, alreadyRefunded: 100 }
    const refund = Result.getOrThrow(PayoutItem.takeBack(sale(1_000), options))
    expect(refund).toMatchObject({
      kind: "refund",
      id: "r1",
      createdAt: soldAt + 60,
      amount: -400,
      originalAmount: -400,
      orderItem: { orderId: "1001", refundedAt: soldAt + 60 },
    })
    expect(decode(refund)).toEqual(refund)
    const beyond = PayoutItem.takeBack(sale(1_000), { ...options, alreadyRefunded: 601 })
    expect(failureOf(beyond)).toMatchObject({
      _tag: "RefundBeyondShare",
      orderId: "1001",
      itemId: "1",
      groupId: "g1",
      left: 399,
      amount: 400,
      message:
        "refund of share 1001/1/g1: 399 is left of it (in the lowest unit of USD), and 400 was to be taken back",
    })
  })
})

describe("an entry about what is owed", () => {
  const given = { id: "w1", amount: 1_250, name: " Letter ", at: 5 }
  const usd = { currency: "USD" }

  it("says what it is for, and is read again as it was", () => {
    const made = [PayoutItem.writeOff, PayoutItem.repayment, PayoutItem.request].map((make) =>
      Result.getOrThrow(make(given, usd)),
    )
    expect(
      made.map(({ kind, purpose, amount, asked, name }) => [kind, purpose, amount, asked, name]),
    ).toEqual([
      ["income", "write-off", 1_250, undefined, "Letter"],
      ["income", "repayment", 1_250, undefined, "Letter"],
      ["expense", "request", 0, 1_250, "Letter"],
    ])
    for (const item of made) {
      expect(Result.getOrThrow(PayoutItem.parse(item))).toEqual(item)
      expect(decode(item)).toEqual(item)
    }
    const other = { ...made[0], purpose: "gift" }
    expect(failureOf(PayoutItem.parse(other)).message).toContain("purpose: ")
  })

  it("is refused as any other is", () => {
    for (const make of [PayoutItem.writeOff, PayoutItem.repayment, PayoutItem.request]) {
      expect(failureOf(make({ ...given, amount: 0 }, usd))._tag).toBe("InvalidEntry")
    }
  })
})
