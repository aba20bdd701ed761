import { Cents, Currency, ExchangeRate, Percent } from "apportion"
import * as currencyCodes from "currency-codes"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const currencies = currencyCodes.data

const value = <A, E>(result: Result.Result<A, E>) => Result.getOrThrow(result)
const tag = (
  result: Result.Result<unknown, { readonly _tag: string; readonly message: string }>,
) => (Result.isFailure(result) ? result.failure._tag : "no failure")

describe("cents", () => {
  it("add up exactly in any order, even when a partial sum is beyond the safe integers", () => {
    const amounts = [Number.MAX_SAFE_INTEGER, 1, -1]
    for (const order of [amounts, amounts.toReversed()]) {
      expect(value(Cents.sum(order))).toBe(Number.MAX_SAFE_INTEGER)
    }
  })

  it("are refused with the exact value when the sum leaves the range", () => {
    const result = Cents.sum([Number.MAX_SAFE_INTEGER, 2], { what: "the total" })
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "AmountOutOfRange",
      value: "9007199254740993",
      message: expect.stringContaining("the total is 9007199254740993"),
    })
  })

  it("sum to the BigInt answer or fail", () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (amounts) => {
        const exact = amounts.reduce((total, each) => total + BigInt(each), 0n)
        const result = Cents.sum(amounts)
        const inRange = exact >= -9007199254740991n && exact <= 9007199254740991n
        expect(Result.isSuccess(result)).toBe(inRange)
        if (Result.isSuccess(result)) expect(BigInt(result.success)).toBe(exact)
      }),
    )
  })

  it("are whole numbers only", () => {
    expect([0, -5, 2 ** 53 - 1].every(Cents.isCents)).toBe(true)
    expect([1.5, Number.NaN, 2 ** 53, "1", null].some(Cents.isCents)).toBe(false)
  })
})

describe("percentages", () => {
  it.each([
    ["0", 0],
    ["12.5", 1250],
    ["12.50", 1250],
    [12.5, 1250],
    ["100.00", 10_000],
    [0.07, 7],
    ["007.5", 750],
  ])("reads %s as %i hundredths of a percent", (text, basisPoints) => {
    expect(value(Percent.parse(text))).toBe(basisPoints)
  })

  it.each([
    "12.345",
    "1e1",
    "100.01",
    "-1",
    "+1",
    "",
    " 5",
    "5%",
    ".5",
    "5.",
    "NaN",
    Number.NaN,
    1e-7,
    101,
    null,
    undefined,
    {},
    "12,5",
    "١٢",
  ])("refuses %s and names it", (text) => {
    const result = Percent.parse(text)
    expect(tag(result)).toBe("InvalidPercent")
    expect(Result.isFailure(result) && result.failure.message).toContain("must be a percentage")
  })

  it("are written as they are read", () => {
    fc.assert(
      fc.property(fc.nat(10_000), (basisPoints) => {
        expect(value(Percent.parse(Percent.format(basisPoints)))).toBe(basisPoints)
      }),
    )
  })
})

describe("currencies", () => {
  const noMoney = /^(XAG|XAU|XB[ABCD]|XDR|XP[DT]|XSU|XTS|XUA|XXX)$/

  it("have the minor digits of ISO 4217", () => {
    for (const { code, digits } of currencies.filter((each) => !noMoney.test(each.code))) {
      expect([code, value(Currency.minorDigits(code))]).toEqual([code, digits])
    }
  })

  it("are those of ISO 4217, and those it added since the data set was made", () => {
    const listed = new Set(currencies.map((each) => each.code))
    expect(Currency.codes().filter((code) => !listed.has(code))).toEqual(["XAD", "XCG", "ZWL"])
  })

  it("are refused with their value when they are unknown", () => {
    expect(tag(Currency.minorDigits("XXX"))).toBe("UnknownCurrency")
    expect(tag(Currency.minorDigits("usd"))).toBe("UnknownCurrency")
    expect(tag(Currency.formatAmount(1, "__proto__"))).toBe("UnknownCurrency")
  })

  it.each([
    ["19.99", "USD", 1999],
    ["-0.05", "USD", -5],
    ["500", "JPY", 500],
    ["500.00", "JPY", 500],
    ["1.234", "KWD", 1234],
    ["0.0001", "CLF", 1],
    ["90071992547409.91", "USD", Number.MAX_SAFE_INTEGER],
    ["0.10", "USD", 10],
    ["199.000000", "USD", 19_900],
  ])("read %s %s as %i in the lowest unit", (text, currency, amount) => {
    expect(value(Currency.parseAmount(text, currency))).toBe(amount)
  })

  it.each([
    ["19.999", "USD"],
    ["500.5", "JPY"],
    ["1e3", "USD"],
    ["90071992547409.92", "USD"],
    ["", "USD"],
    ["1,000.00", "USD"],
    ["NaN", "USD"],
    ["--1", "USD"],
  ])("refuse the amount %s %s", (text, currency) => {
    expect(tag(Currency.parseAmount(text, currency))).toBe("InvalidAmount")
  })

  it("write amounts as they read them", () => {
    const currency = fc.constantFrom("JPY", "USD", "KWD", "CLF")
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (amount, code) => {
        const text = value(Currency.formatAmount(amount, code))
        expect(value(Currency.parseAmount(text, code))).toBe(amount === 0 ? 0 : amount)
      }),
    )
  })
})

describe("conversion by a decimal rate", () => {
  it("counts both currencies' minor digits", () => {
    const convert = (amount: number, from: string, to: string, rate: string) =>
      value(ExchangeRate.convert(amount, { from, to, rate }))
    expect(convert(1_000, "USD", "JPY", "150.255")).toBe(1503)
    expect(convert(1_503, "JPY", "USD", "0.0066553")).toBe(1000)
    expect(convert(1_000, "USD", "KWD", "0.3")).toBe(3000)
    expect(convert(3_000, "KWD", "USD", "3.25")).toBe(975)
  })

  it("rounds half-up on the absolute value", () => {
    const half = (amount: number) =>
      value(ExchangeRate.convert(amount, { from: "USD", to: "EUR", rate: "0.5" }))
    expect([half(1), half(-1), half(3), half(-3)]).toEqual([1, -1, 2, -2])
  })

  it("is exact for every safe integer and typed beyond", () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.integer({ min: 1, max: 10 ** 9 }),
        (amount, millionths) => {
          const rate = `${Math.trunc(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, "0")}`
          const result = ExchangeRate.convert(amount, { from: "USD", to: "EUR", rate })
          const magnitude =
            (BigInt(Math.abs(amount)) * BigInt(millionths) * 2n + 1_000_000n) / 2_000_000n
          if (Result.isFailure(result)) expect(magnitude).toBeGreaterThan(9007199254740991n)
          else expect(BigInt(Math.abs(result.success))).toBe(magnitude)
        },
      ),
    )
  })

  it.each(["", "0", "0.00", "-1", "1e3", "1,5", "abc", ".5"])("refuses the rate %s", (rate) => {
    const result = ExchangeRate.convert(1, { from: "USD", to: "EUR", rate })
    expect(tag(result)).toBe("InvalidExchangeRate")
  })
})
