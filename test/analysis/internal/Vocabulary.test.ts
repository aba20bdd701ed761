import { describe, expect, test } from "vitest"
import { CatalogueWords } from "../../../src/analysis/internal/check/Subject.js"

const tagged = (...tags: ReadonlyArray<string>) => new CatalogueWords([{ id: "p1", tags }])
const guessed = (known: ReadonlyArray<string>, value: string) =>
  tagged(...known).told("products.tag", value)

describe("what was probably meant by a word of the rules", () => {
  test("is one of the catalogue that differs by a letter or two, as it is first written there", () => {
    expect(guessed(["art", "Print", "print"], "prnt")).toBe('"prnt" (did you mean "Print"?)')
    expect(guessed(["pri"], "print")).toBe('"print" (did you mean "pri"?)')
    expect(guessed(["pr"], "print")).toBe('"print"')
  })

  test("is seen through white space around either of them", () => {
    expect(guessed(["print"], "   prnt   ")).toBe('"   prnt   " (did you mean "print"?)')
    expect(guessed(["   print   "], "prnt")).toBe('"prnt" (did you mean "print"?)')
  })

  test("is no word that is much longer or shorter, whatever makes it so", () => {
    expect(guessed(["summer_sale__"], "summersale")).toBe('"summersale"')
    expect(guessed(["summer_sale_"], "summersale")).toBe(
      '"summersale" (did you mean "summer_sale_"?)',
    )
  })

  test("is nothing where the word itself is known, in whatever case", () => {
    expect(guessed(["prints", "print"], " PRINT ")).toBe('" PRINT "')
  })
})

describe("ids", () => {
  const shop = new CatalogueWords([
    { id: "shop-1001", externalId: "Ext-1" },
    { id: "shop-1002", vendor: "Shop" },
  ])

  test("are meant where they differ in case only: other letters differ on purpose", () => {
    expect(shop.told("products", "SHOP-1001")).toBe('"SHOP-1001" (did you mean "shop-1001"?)')
    expect(shop.told("products", "ext-1")).toBe('"ext-1" (did you mean "Ext-1"?)')
    expect(shop.told("products", "shop-1003")).toBe('"shop-1003"')
  })

  test("are no tags or vendors", () => {
    expect(shop.has("products", "shop-1002")).toBe(true)
    expect(shop.has("products.vendor", "shop-1002")).toBe(false)
    expect(shop.has("products.vendor", " SHOP")).toBe(true)
    expect(shop.has("products.tag", "shop")).toBe(false)
  })
})

test("the catalogue is read once for all words of a kind", () => {
  let times = 0
  const product = {
    id: "p1",
    get tags() {
      times += 1
      return ["art"]
    },
  }
  const vocabulary = new CatalogueWords([product])
  times = 0
  expect(["art", "print", "mug"].map((tag) => vocabulary.has("products.tag", tag))).toEqual([
    true,
    false,
    false,
  ])
  expect(times).toBe(1)
})
