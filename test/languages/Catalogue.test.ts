import { Explanation, Language, Permissions, RuleSet, SeenExplanation, Split } from "apportion"
import { describe, expect, expectTypeOf, test } from "vitest"
import { documentTexts } from "../../src/documents/DocumentWords.js"
import {
  amountText,
  catalogue,
  dayText,
  moneyText,
  numberText,
  percentText,
  rateText,
} from "../../src/languages/Catalogue.js"
import { explanationTexts, wordingFor, wordingOf } from "../../src/languages/Explanations.js"
import { english, englishDocuments, englishExplanations } from "../../src/languages/english.js"
import type { LanguageTexts } from "../../src/languages/LanguageTexts.js"
import {
  type Filling,
  type Message,
  plain,
  sayIn,
  type Values,
} from "../../src/languages/Messages.js"

const textsOf = (message: Message): ReadonlyArray<string> =>
  typeof message === "string" ? [message] : Object.values(message)

const parametersOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort()

const parts = [
  ["statements", english, (language: Language.Language) => catalogue[language]],
  [
    "explanations",
    englishExplanations,
    (language: Language.Language) => explanationTexts[language],
  ],
  ["documents", englishDocuments, (language: Language.Language) => documentTexts[language]],
] as const

describe.each(Language.all)("the texts in %s", (language) => {
  test.each(parts)("of %s are those of English, with the same parameters", (_, wanted, textsIn) => {
    const texts = new Map<string, Message>(Object.entries(textsIn(language)))
    expect([...texts.keys()].sort()).toEqual(Object.keys(wanted).toSorted())
    for (const [name, message] of Object.entries<Message>(wanted)) {
      const own = (text: string) => parametersOf(text).filter((each) => each !== "count")
      const [first = ""] = textsOf(message)
      for (const text of textsOf(texts.get(name) ?? "")) {
        expect({ name, parameters: own(text) }).toEqual({ name, parameters: own(first) })
        expect(text.trim(), name).not.toBe("")
      }
    }
  })

  test("have a text for every number that the language tells apart", () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const say = sayIn<typeof english>(catalogue[language], language)
    for (const { units } of [catalogue[language], explanationTexts[language]]) {
      expect(Object.keys(units).sort()).toEqual([...pluralCategories].sort())
    }
    for (const count of [0, 3, 11, 100]) {
      expect(plain(say("units", { count }))).toContain(String(count))
    }
    const said = [1, 2, 3].map((count) => plain(say("units", { count })))
    expect(new Set(said).size).toBe(3)
  })

  test("write the largest exact amount to the cent, and every currency with its decimals", () => {
    const digitsOf = (text: string) => text.replace(/[^\d]/g, "")
    for (const amount of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
      expect(digitsOf(moneyText(amount, "EUR", language))).toBe("9007199254740991")
      expect(digitsOf(moneyText(amount, "JPY", language))).toBe("9007199254740991")
      expect(digitsOf(moneyText(amount, "KWD", language))).toBe("9007199254740991")
    }
    expect(digitsOf(moneyText(10n ** 30n + 1n, "EUR", language))).toBe(`1${"0".repeat(29)}1`)
    expect(digitsOf(moneyText("90071992547409915.1234", "EUR", language))).toBe(
      "900719925474099151234",
    )
    expect(moneyText(5, "EUR", language)).toContain("EUR")
    expect(digitsOf(moneyText(5, "EUR", language))).toBe("005")
    expect(digitsOf(percentText("12.50", language))).toBe("1250")
    expect(digitsOf(percentText("90071992547409.91", language))).toBe("9007199254740991")
  })
})

test("other languages are other texts", () => {
  for (const [, wanted, textsIn] of parts) {
    for (const language of ["de", "ar"] as const) {
      const same = Object.entries(textsIn(language)).filter(
        ([name, text]) =>
          /\p{L}/u.test(
            textsOf(text)
              .join("")
              .replaceAll(/\{\w+\}/g, ""),
          ) && JSON.stringify(Reflect.get(wanted, name)) === JSON.stringify(text),
      )
      expect(same.map(([name]) => name)).toEqual([])
    }
  }
})

test("a message that lacks or misspells a parameter does not compile, nor does one without what it takes", () => {
  expectTypeOf<"Nr. {id}">().toExtend<LanguageTexts["order"]>()
  expectTypeOf<"Nr.">().not.toExtend<LanguageTexts["order"]>()
  expectTypeOf<"Nr. {ID}">().not.toExtend<LanguageTexts["order"]>()
  expectTypeOf<keyof LanguageTexts>().toEqualTypeOf<keyof typeof english>()
  expectTypeOf<Values<(typeof english)["order"]>>().toEqualTypeOf<
    readonly [Readonly<Record<"id", Filling>>]
  >()
  expectTypeOf<Values<(typeof english)["title"]>>().toEqualTypeOf<readonly []>()
})

test("amounts, percentages and days are written as each language does", () => {
  expect(moneyText(123_456, "EUR", "en")).toBe("1,234.56 EUR")
  expect(moneyText(-123_456, "EUR", "de")).toBe("-1.234,56 EUR")
  expect(moneyText("1249.875", "USD", "de")).toBe("12,49875 USD")
  expect(amountText(123_456, "JPY", "de")).toBe("123.456")
  expect(numberText(1_234, "de")).toBe("1.234")
  expect(percentText("12.50", "en")).toBe("12.50%")
  expect(percentText("12.50", "de")).toBe("12,50\u00a0%")
  expect(rateText("1.1704", "de")).toBe("1,1704")
  expect(rateText("0.00677140", "en")).toBe("0.00677140")
  expect(dayText(1_700_000_000, "en")).toBe("14 Nov 2023")
  expect(dayText(1_700_000_000, "de")).toBe("14.11.2023")
  expect(dayText(1_700_000_000, "en", "Asia/Tokyo")).toBe("15 Nov 2023")
})

describe("an explanation", () => {
  const rules = RuleSet.make([
    { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "12.50" },
    {
      ...{ id: "g2", collaboratorId: "ben" },
      link: { type: "products.tag", values: ["art"] },
      percent: 5,
    },
  ])
  const order = {
    id: "1001",
    currency: "USD",
    items: [{ id: "1", product: { id: "p1" }, quantity: 2, amount: 999_900, discount: 100_001 }],
  }
  const explanation = Explanation.ofSplit(Split.order(rules, order))

  test("is said in German, with its amounts", () => {
    expect(Explanation.toText(explanation, { language: "de" }).split("\n")).toEqual([
      "Artikel 1 der Bestellung 1001 (2 Stück) hat 8.998,99 USD eingebracht.",
      "  Prozentsätze beziehen sich auf: 9.999,00 USD Preis − 1.000,01 USD Rabatt = 8.998,99 USD.",
      "  ada erhält 1.124,87 USD (Gruppe g1): 12,50\u00a0% von 8.998,99 USD sind 1.124,87375 USD, abgerundet auf 1.124,87 USD.",
      "  Das Geschäft behält 7.874,12 USD.",
    ])
    const [why] = Explanation.notApplied(rules, order, { groupId: "g2", language: "de" })
    expect(why?.message).toBe(
      'sie gilt für Produkte mit Tag "art", und dieses Produkt hat keinen Tag',
    )
  })

  test("is English as ever when English is asked for", () => {
    expect(Explanation.toText(explanation, { language: "en" })).toBe(
      Explanation.toText(explanation),
    )
    expect(Explanation.toText(explanation)).toContain("12.50% of 8998.99 USD is 1124.87375 USD")
    expect(wordingFor("en").money(899_899, "USD")).toBe("8,998.99 USD")
  })

  test("in Arabic isolates amounts and names, which cannot end that nor turn the text", () => {
    const ada = { id: "ada", permissions: Permissions.none }
    const names = { item: () => "Dune\u2069\u202e" }
    const seen = SeenExplanation.of(explanation, ada)
    const text = SeenExplanation.toText(seen, { names, language: "ar" })
    expect(text).toContain("\u2068Dune\ufffd\ufffd\u2069")
    expect(text).toContain("\u20681,124.87 USD\u2069")
    expect(text.split("\u2068").length).toBe(text.split("\u2069").length)
    expect(text).not.toMatch(/\u202e|\{|\}/)
  })

  test("has every sentence in every language, and none that English has not", () => {
    for (const language of Language.all) {
      const text = Explanation.toText(explanation, { language })
      expect(text.split("\n")).toHaveLength(4)
      expect(text).not.toMatch(/[{}]/)
    }
    expect(wordingOf().line(wordingOf().say("store", { amount: "1.00 USD" }))).toBe(
      "The store keeps 1.00 USD.",
    )
  })
})
