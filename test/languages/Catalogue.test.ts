import { Language } from "apportion"
import { describe, expect, test } from "vitest"
import { catalogue, dayText, moneyText } from "../../src/languages/Catalogue.js"
import { english } from "../../src/languages/english.js"
import { type Message, say } from "../../src/languages/Messages.js"

const textsOf = (message: Message): ReadonlyArray<string> =>
  typeof message === "string" ? [message] : Object.values(message)

const parametersOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort()

const names = Object.keys(english)

describe.each(Language.all)("the texts in %s", (language) => {
  const texts = new Map<string, Message>(Object.entries(catalogue[language]))

  test("are those of English, with the same parameters, and none is empty", () => {
    expect([...texts.keys()].sort()).toEqual(names.toSorted())
    for (const [name, message] of Object.entries(english)) {
      const wanted = parametersOf(textsOf(message)[0] ?? "")
      for (const text of textsOf(texts.get(name) ?? "")) {
        expect({ name, parameters: parametersOf(text) }).toEqual({ name, parameters: wanted })
        expect(text.trim(), name).not.toBe("")
      }
    }
  })

  test("have a text for every number that the language tells apart", () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    expect(Object.keys(catalogue[language].units).sort()).toEqual([...pluralCategories].sort())
    for (const count of [0, 1, 2, 3, 11, 100]) {
      expect(say(catalogue[language].units, language, { count })).toContain(String(count))
    }
  })

  test("write the largest exact amount to the cent, and every currency with its decimals", () => {
    const digitsOf = (text: string) => text.replace(/[^\d]/g, "")
    for (const amount of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
      expect(digitsOf(moneyText(amount, "EUR", language))).toBe("9007199254740991")
      expect(digitsOf(moneyText(amount, "JPY", language))).toBe("9007199254740991")
      expect(digitsOf(moneyText(amount, "KWD", language))).toBe("9007199254740991")
    }
    expect(moneyText(5, "EUR", language)).toContain("EUR")
    expect(digitsOf(moneyText(5, "EUR", language))).toBe("005")
  })
})

test("other languages are other texts", () => {
  for (const language of ["de", "ar"] as const) {
    const same = Object.entries(catalogue[language]).filter(
      ([name, text]) => JSON.stringify(Reflect.get(english, name)) === JSON.stringify(text),
    )
    expect(same.map(([name]) => name)).toEqual([])
  }
})

test("amounts and days are written as each language does", () => {
  expect(moneyText(123_456, "EUR", "en")).toBe("1,234.56 EUR")
  expect(moneyText(-123_456, "EUR", "de")).toBe("-1.234,56 EUR")
  expect(dayText(1_700_000_000, "en")).toBe("14 Nov 2023")
  expect(dayText(1_700_000_000, "de")).toBe("14.11.2023")
})
