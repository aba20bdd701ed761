import { readFileSync } from "node:fs"
import { Fields } from "apportion/rails/sepa"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const fitting = (value: unknown, field: Fields.TextField) =>
  Result.getOrThrow(Fields.fit(value, field))

const refusal = (value: unknown, field: Fields.TextField): string => {
  const result = Fields.fit(value, field)
  if (Result.isSuccess(result)) throw new RangeError(`fits as ${result.success}`)
  expect(result.failure.path).toBe(field.path)
  expect(result.failure.value).toBe(value)
  return result.failure.message
}

describe("a text in a field of a rail", () => {
  it("is written in plain Latin letters where the standard allows it", () => {
    const names = {
      "Zoë Müller": "Zoe Muller",
      "Łukasz Żółć": "Lukasz Zolc",
      "Søren Ærø Åse": "Soren Aero Ase",
      "Straße 5": "Strasse 5",
      "Γιώργος Παπάς": "Giorgos Papas",
      "Щукин Юрий": "Shchukin Yuriy",
      "Bróð & Þór": "Brod + Thor",
      "Ọlá ọ́": "Ola o",
      "Ｆｕｌｌ ﬁne": "Full fine",
      "  blank  ": "blank",
      "O’Neil": "O'Neil",
    }
    for (const [name, written] of Object.entries(names)) {
      expect(fitting(name, Fields.sepa.name)).toBe(written)
    }
  })

  it("has every letter of Greek and Cyrillic in Latin ones", () => {
    const letters = "αβγδεζηθικλμνξοπρσςτυφχψωάϊабвгдеёжзийклмнопрстуфхцчшщъыьэюяєіїґђјљњћџѓќѕ"
    for (const letter of [...letters, ...letters.toUpperCase()]) {
      expect(fitting(letter, Fields.sepa.name)).toMatch(/^[A-Za-z']+$/)
    }
  })

  it("is refused with the field, the value and the character that it does not take", () => {
    expect(refusal("Ada 🎉", Fields.sepa.name)).toContain("U+1F389")
    expect(refusal("山田太郎", Fields.sepa.name)).toContain("U+5C71")
    expect(refusal("a\nb", Fields.sepa.name)).toContain("U+000A")
    expect(refusal("\u202eevil", Fields.nacha.name)).toContain("U+202E")
    expect(refusal("\ud800", Fields.nacha.name)).toContain("U+D800")
    expect(refusal(" \u0000", Fields.nacha.name)).toContain("U+0000")
    expect(refusal("a ¨ b", Fields.sepa.name)).toContain("U+00A8")
  })

  it("is refused when it is too long or empty, and cut only where the standard cuts", () => {
    expect(refusal("ß".repeat(36), Fields.sepa.name)).toContain("at most 70 characters, has 72")
    expect(refusal(" ", Fields.sepa.name)).toContain("must not be empty")
    expect(refusal(5, Fields.sepa.name)).toBe("must be a text, got 5")
    expect(fitting("A".repeat(30), Fields.nacha.name)).toBe("A".repeat(22))
    expect(fitting(`${"A".repeat(21)} BC`, Fields.nacha.name)).toBe("A".repeat(21))
  })

  it("stays exactly as it is where it is a key", () => {
    expect(refusal("ü", Fields.sepa.key)).toContain("U+00FC")
    expect(refusal("/a", Fields.sepa.key)).toContain("slash")
    expect(refusal(" a", Fields.sepa.key)).toContain("blank")
    expect(fitting(" a ", Fields.nacha.key)).toBe(" a ")
  })

  it("fits for good: what fits is in the field's characters and length, and fits again unchanged", () => {
    const fields = [
      Fields.sepa.name,
      Fields.sepa.reference,
      Fields.nacha.name,
      Fields.nacha.reference,
    ]
    let written = 0
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "grapheme", maxLength: 90 }), fc.string({ maxLength: 90 })),
        fc.constantFrom(...fields),
        (value, field) => {
          const result = Fields.fit(value, field)
          if (Result.isFailure(result)) return result.failure.path === field.path
          written += 1
          expect([...result.success].every((each) => field.characters.has.test(each))).toBe(true)
          expect(result.success.length).toBeGreaterThanOrEqual(field.least)
          expect(result.success.length).toBeLessThanOrEqual(field.most)
          return fitting(result.success, field) === result.success
        },
      ),
      { numRuns: 2_000 },
    )
    expect(written).toBeGreaterThan(300)
  })
})

describe("the table of the guide", () => {
  it("has the limits that hold", () => {
    const page = readFileSync("docs/guide/24-paying-by-file.md", "utf8")
    const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()))
    const row = (name: string) => rows.find(([, first]) => first === name)?.slice(2, 4) ?? []
    const { sepa, nacha } = Fields
    const most = (each: { readonly most: number } | undefined) =>
      ((each?.most ?? 0) / 100).toFixed(2)
    expect(row("amount")).toEqual([
      `0.01 to ${most(sepa.amount.currencies.EUR)} EUR`,
      `0.01 to ${most(nacha.amount.currencies.USD)} USD`,
    ])
    const fields = [
      ["receiver's name", sepa.name, nacha.name],
      ["reference", sepa.reference, nacha.reference],
      ["key", sepa.key, nacha.key],
    ] as const
    for (const [name, ...both] of fields) {
      for (const [place, field] of both.entries()) {
        expect(row(name)[place]).toMatch(new RegExp(`^${field.most} characters`))
        if (name === "receiver's name") expect(row(name)[place]).toContain(field.tooLong)
      }
    }
  })
})

describe("an amount", () => {
  it("is paid in the currencies, within the limits and in the steps of the rail, never rounded", () => {
    const rail = {
      currencies: {
        EUR: { least: 2, most: 9, step: 1 },
        HUF: { least: 100, most: 1_000, step: 100 },
      },
    }
    const of = (amount: number, currency: string) =>
      Result.match(Fields.fitAmount({ amount, currency }, rail), {
        onSuccess: (paid) => paid,
        onFailure: ({ path, message }) => `${path} ${message}`,
      })
    expect([of(2, "EUR"), of(9, "EUR"), of(300, "HUF")]).toEqual([2, 9, 300])
    expect(of(1, "EUR")).toContain(
      "amount must be a whole number in the lowest unit of EUR, 2 to 9",
    )
    expect(of(2.5, "EUR")).toContain("got 2.5")
    expect(of(350, "HUF")).toContain("a multiple of 100")
    expect(of(5, "USD")).toBe('currency must be one of EUR, HUF, got "USD"')
    expect(of(5, "constructor")).toContain("currency")
  })
})
