import { Cents, Currency, ExchangeRate, Percent } from "apportion"
import * as Schemas from "apportion/schema"
import * as currencyCodes from "currency-codes"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const currencies = currencyCodes.data

const value = <A, E>(result: Result.Result<A, E>) => Result.getOrThrow(result)
const tag = (
  result: Result.Result<unknown, { readonly _tag: string; readonly message: string }>,
) => (Result.isFailure(result) ? result.failure._tag : "no failure")

const messageOf = (result: Result.Result<unknown, { readonly message: string }>) =>
  Result.isFailure(result) ? result.failure.message : "no failure"

/** What a schema says of a value that it refuses. */
const refusal = <A>(schema: Schema.Codec<A>, value: unknown): string =>
  messageOf(Schema.decodeUnknownResult(schema)(value))

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

  it("are called the sum when the sum has no other name", () => {
    expect(messageOf(Cents.sum([Number.MIN_SAFE_INTEGER, -1]))).toBe(
      "the sum is -9007199254740992, outside ±9007199254740991, the range in which cents are exact",
    )
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

  it("are added only where each of them is one, and the place of another is told", () => {
    const said = (amounts: unknown) => messageOf(Reflect.apply(Cents.sum, undefined, [amounts]))
    const amount = "must be a whole number of cents within ±9007199254740991"
    expect(said([1, 1.5])).toBe(`amounts[1] ${amount}, got 1.5`)
    expect(said([Number.NaN])).toBe(`amounts[0] ${amount}, got NaN`)
    expect(said(["5"])).toBe(`amounts[0] ${amount}, got "5"`)
    expect(said(new Array(2 ** 32 - 1))).toBe(`amounts[0] ${amount}, got nothing`)
    expect(said(null)).toBe(`each of the amounts ${amount}, got null`)
  })

  it("are whole numbers only", () => {
    expect([0, -5, 2 ** 53 - 1].every(Cents.isCents)).toBe(true)
    expect([1.5, Number.NaN, 2 ** 53, "1", null].some(Cents.isCents)).toBe(false)
  })
})

describe("the schemas of amounts", () => {
  it("take every safe integer, or those from 0 on", () => {
    const [most, least] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    expect([most, 0, least].map(Schema.is(Schemas.Cents))).toEqual([true, true, true])
    expect([most, 0, -1].map(Schema.is(Schemas.NonNegative))).toEqual([true, true, false])
    expect([0.5, most + 1].map(Schema.is(Schemas.Cents))).toEqual([false, false])
    expect([0.5, most + 1].map(Schema.is(Schemas.NonNegative))).toEqual([false, false])
  })

  it("say what an amount must be", () => {
    expect(refusal(Schemas.Cents, 0.5)).toContain(
      "a whole number in the currency's lowest unit, within ±9007199254740991",
    )
    expect(refusal(Schemas.NonNegative, -1)).toContain("a whole number from 0 to 9007199254740991")
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
    12n,
    ["12.5"],
    true,
  ])("refuses %s and names it", (text) => {
    const result = Percent.parse(text)
    expect(tag(result)).toBe("InvalidPercent")
    expect(Result.isFailure(result) && result.failure.message).toContain("must be a percentage")
  })

  it("say what stood there instead of one", () => {
    expect(messageOf(Percent.parse("12.345"))).toBe(
      'must be a percentage from 0 to 100 with at most two decimals, got "12.345"',
    )
  })

  it("have a schema that takes what is read, and says what it must be", () => {
    expect(["12.5", 12.5, 0, "100"].map(Schema.is(Schemas.Percent))).toEqual(Array(4).fill(true))
    expect(["12.345", 101, null].map(Schema.is(Schemas.Percent))).toEqual(Array(3).fill(false))
    expect(refusal(Schemas.Percent, 101)).toContain(Percent.expected)
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
  it("are listed in the order of the alphabet", () => {
    expect(Currency.codes()).toEqual([...Currency.codes()].sort())
    expect(Currency.codes().slice(0, 3)).toEqual(["AED", "AFN", "ALL"])
  })

  it("have a schema that takes those, and says what a code must be", () => {
    expect(["USD", "usd", "XXX"].map(Schema.is(Schemas.Currency))).toEqual([true, false, false])
    expect(refusal(Schemas.Currency, "usd")).toContain(
      "an ISO 4217 currency code in capital letters, as USD",
    )
    expect(["USD", "usd", "", 5, null].map(Currency.isCurrency)).toEqual([
      true,
      ...Array(4).fill(false),
    ])
  })

  it("say what an unknown code or an amount that can't be read must be", () => {
    expect(messageOf(Currency.minorDigits("usd"))).toBe(
      'must be an ISO 4217 currency code, got "usd"',
    )
    expect(messageOf(Currency.parseAmount("1.005", "USD"))).toBe(
      "must be a decimal amount of USD with at most 2 decimals and at most 9007199254740991 in its " +
        'lowest unit, got "1.005"',
    )
  })

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
    ["-12", "USD", -1200],
    ["-0", "USD", 0],
    ["007.5", "USD", 750],
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
    ["5.", "USD"],
    [".5", "USD"],
    ["1.2.3", "USD"],
    [" 5", "USD"],
    ["5 ", "USD"],
    ["1,000.00", "USD"],
    ["NaN", "USD"],
    ["--1", "USD"],
  ])("refuse the amount %s %s", (text, currency) => {
    expect(tag(Currency.parseAmount(text, currency))).toBe("InvalidAmount")
  })

  it("write nothing without a sign, and pad what is less than a unit", () => {
    const written = [0, -0, 5, -5, 199].map((amount) => value(Currency.formatAmount(amount, "USD")))
    expect(written).toEqual(["0.00", "0.00", "0.05", "-0.05", "1.99"])
    expect(value(Currency.formatAmount(-7, "JPY"))).toBe("-7")
  })

  it.each([1.5, Number.NaN, 2 ** 53])("write no amount that is not one: %s", (amount) => {
    expect(tag(Currency.formatAmount(amount, "USD"))).toBe("InvalidAmount")
    expect(tag(Currency.formatAmount(amount, "JPY"))).toBe("InvalidAmount")
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
  it("takes a rate without decimals, and one with many digits", () => {
    const convert = (rate: string) =>
      value(ExchangeRate.convert(1_000, { from: "USD", to: "EUR", rate }))
    expect(convert("2")).toBe(2_000)
    expect(convert("20")).toBe(20_000)
    expect(convert("0.0500000000000000000001")).toBe(50)
  })

  it("has a schema of rates, and says what one must be", () => {
    const rates = ["1.0837", "2", "0", "-1", "1.", ".5", `0.${"1".repeat(41)}`]
    const taken = [true, true, false, false, false, false, false]
    expect(rates.map(Schema.is(Schemas.ExchangeRate))).toEqual(taken)
    expect(refusal(Schemas.ExchangeRate, "0")).toContain("a decimal text above 0, as 1.0837")
  })

  it("says what is wrong with a rate, and which amount is out of range", () => {
    const convert = (amount: number, rate: string) =>
      ExchangeRate.convert(amount, { from: "USD", to: "EUR", rate })
    expect(messageOf(convert(1, "0"))).toBe('must be a decimal text above 0, as 1.0837, got "0"')
    expect(messageOf(convert(Number.MAX_SAFE_INTEGER, "2"))).toContain(
      "9007199254740991 USD in EUR is 18014398509481982",
    )
  })

  it("refuses what is no amount", () => {
    const converted = ExchangeRate.convert(1.5, { from: "USD", to: "EUR", rate: "1" })
    expect(messageOf(converted)).toBe(
      "the amount must be a whole number of cents within ±9007199254740991, got 1.5",
    )
  })

  it("refuses a rate that is a number: its digits may be lost already", () => {
    const options = JSON.parse('{"from":"USD","to":"EUR","rate":2}')
    expect(tag(ExchangeRate.convert(1, options))).toBe("InvalidExchangeRate")
  })

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
