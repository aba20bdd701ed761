/**
 * International bank account numbers of the countries that SEPA reaches.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"

/**
 * The structure of each country's numbers after the check digits, from the registry of ISO 13616: counts of digits (n),
 * capitals (a) or either (c).
 */
const structures = /* @__PURE__ */ Object.entries({
  ...{ AD: "8n12c", AL: "8n16c", AT: "16n", BE: "12n", BG: "4a6n8c", CH: "5n12c", CY: "8n16c" },
  ...{ CZ: "20n", DE: "18n", DK: "14n", EE: "16n", ES: "20n", FI: "14n", FR: "10n11c2n" },
  ...{ GB: "4a14n", GI: "4a15c", GR: "7n16c", HR: "17n", HU: "24n", IE: "4c14n", IS: "22n" },
  ...{ IT: "1a10n12c", LI: "5n12c", LT: "16n", LU: "3n13c", LV: "4a13c", MC: "10n11c2n" },
  ...{ MD: "20c", ME: "18n", MK: "3n10c2n", MT: "4a5n18c", NL: "4a10n", NO: "11n", PL: "24n" },
  ...{ PT: "21n", RO: "4a16c", RS: "18n", SE: "20n", SI: "15n", SK: "20n", SM: "1a10n12c" },
  ...{ VA: "18n" },
})

const kinds: Readonly<Record<string, string>> = { n: "[0-9]", a: "[A-Z]", c: "[A-Z0-9]" }

interface Structure {
  readonly length: number
  readonly pattern: RegExp
}

const structureOf = (text: string): Structure => {
  const parts = [...text.matchAll(/(\d+)([nac])/g)].map(([, count = "", kind = ""]) => ({
    count,
    kind,
  }))
  const pattern = parts.map(({ count, kind }) => `${kinds[kind]}{${count}}`).join("")
  return {
    length: parts.reduce((sum, { count }) => sum + Number(count), 4),
    pattern: new RegExp(`^[A-Z]{2}\\d\\d${pattern}$`),
  }
}

const byCountry: ReadonlyMap<string, Structure> = /* @__PURE__ */ new Map(
  structures.map(([country, text]) => [country, structureOf(text)]),
)

/**
 * The countries whose accounts SEPA reaches, by the two letters that their numbers begin with. The islands of the
 * Channel and the Isle of Man have numbers of GB, the overseas parts of France those of FR.
 *
 * @since 0.6.0
 * @category constants
 */
export const countries: ReadonlyArray<string> = /* @__PURE__ */ structures.map(
  ([country]) => country,
)

/** The remainder modulo 97 of the number that a text represents; letters count as 10 to 35. */
const rest97 = (text: string): number => {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

const wrongWith = (iban: string): string | undefined => {
  if (!/^[A-Z]{2}\d\d[A-Z0-9]*$/.test(iban)) return "must be an IBAN, as DE02120300000000202051"
  const country = iban.slice(0, 2)
  const structure = byCountry.get(country)
  if (structure === undefined)
    return `must be of a country that SEPA reaches, which ${country} is not`
  const { length, pattern } = structure
  if (iban.length !== length) {
    return `must have ${length} characters for ${country}, has ${iban.length}`
  }
  if (!pattern.test(iban))
    return `must have digits and letters where numbers of ${country} have them`
  // 97 and 00 have the same remainder, as have 98 and 01, 99 and 02; only one of each pair is issued.
  const check = Number(iban.slice(2, 4))
  const isRight = check >= 2 && check <= 98 && rest97(iban.slice(4) + iban.slice(0, 4)) === 1
  return isRight ? undefined : "must have the right check digits"
}

/**
 * Reads an IBAN as people write it, with blanks and small letters, and returns it in capitals without blanks. It checks
 * length, structure by country and check digits, but not that the account exists.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Iban } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(Iban.parse("de02 1203 0000 0000 2020 51")) // => "DE02120300000000202051"
 *
 * const wrong = Iban.parse("DE03120300000000202051")
 * Result.isFailure(wrong) && wrong.failure.message
 * // => 'must have the right check digits: "DE03120300000000202051"'
 * ```
 */
export const parse = (value: unknown): Result.Result<string, Problem> => {
  const iban = typeof value === "string" ? value.replace(/[ \u00a0]/g, "").toUpperCase() : ""
  const wrong = wrongWith(iban)
  return wrong === undefined
    ? Result.succeed(iban)
    : Result.fail({ path: "iban", value, message: `${wrong}: ${show(value)}` })
}
