import { Iban } from "apportion/rails/sepa"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { countrySpecs, isSEPACountry, isValidIBAN } from "ibantools"
import { describe, expect, it } from "vitest"

const isIban = (text: string) => Result.isSuccess(Iban.parse(text))

/** A number with the check digits that it has to have. */
const withCheckDigits = (country: string, rest: string): string => {
  const digits = [...`${rest}${country}00`].map((each) => Number.parseInt(each, 36)).join("")
  return country + String(98n - (BigInt(digits) % 97n)).padStart(2, "0") + rest
}

/** The part behind the check digits: as the public library has it for the country, or of any letters and digits. */
const part = (country: string): fc.Arbitrary<string> => {
  const spec = countrySpecs[country]
  const length = (spec?.chars ?? 4) - 4
  const unit = fc.constantFrom(..."0123456789ABCXYZ")
  const known = fc.stringMatching(new RegExp(spec?.bban_regexp?.replace(/\$?$/, "$") ?? "^$"))
  return fc.oneof(known, fc.string({ unit, minLength: length, maxLength: length }))
}

describe("an IBAN", () => {
  it("is right for the same texts as a public library says, in every country of SEPA", () => {
    const right = new Map<string, number>()
    fc.assert(
      fc.property(
        fc.oneof(...Iban.countries.map((country) => fc.tuple(fc.constant(country), part(country)))),
        ([country, rest]) => {
          const iban = withCheckDigits(country, rest)
          const isRight = isIban(iban)
          if (isRight) right.set(country, (right.get(country) ?? 0) + 1)
          // The library knows the check digits of some countries' own numbers too: then it refuses more.
          if (!isRight) expect(isValidIBAN(iban)).toBe(false)
          if (isRight && !isValidIBAN(iban)) {
            expect(countrySpecs[country]?.bban_validation_func).toBeDefined()
          }
        },
      ),
      { numRuns: 1_500 },
    )
    expect([...right.keys()].sort()).toEqual([...Iban.countries].sort())
  })

  it("has the length of its country, and of every country that SEPA reaches", () => {
    for (const country of Iban.countries) {
      const spec = countrySpecs[country]
      const refused = Iban.parse(withCheckDigits(country, "1"))
      expect(Result.isFailure(refused) && refused.failure.message).toContain(
        `must have ${spec?.chars} characters`,
      )
    }
    const missing = Object.keys(countrySpecs).filter(
      (country) =>
        isSEPACountry(country) &&
        countrySpecs[country]?.IBANRegistry === true &&
        !Iban.countries.includes(country),
    )
    expect(missing).toEqual([])
  })

  it("is read with blanks and small letters, and refused with any digit changed", () => {
    expect(Result.getOrThrow(Iban.parse(" gb82 west 1234 5698 7654 32 "))).toBe(
      "GB82WEST12345698765432",
    )
    fc.assert(
      fc.property(fc.nat({ max: 21 }), fc.integer({ min: 1, max: 9 }), (place, by) => {
        const iban = "DE02120300000000202051"
        const digit = iban.charAt(place)
        if (!/\d/.test(digit)) return true
        const other = String((Number(digit) + by) % 10)
        return !isIban(iban.slice(0, place) + other + iban.slice(place + 1))
      }),
    )
  })

  it("is refused in words when it is none", () => {
    const messageOf = (value: unknown) => {
      const result = Iban.parse(value)
      return Result.isFailure(result) ? result.failure.message : "it is right"
    }
    expect(messageOf(undefined)).toContain("must be an IBAN")
    expect(messageOf("DE")).toContain("must be an IBAN")
    expect(messageOf("BR1800360305000010009795493C1")).toContain("which BR is not")
    expect(messageOf("DE0212030000000020205A")).toContain("digits and letters where")
    expect(messageOf("DE99120300000000202051")).toContain("check digits")
  })
})
