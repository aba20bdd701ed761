import { Product } from "apportion"
import { expect, test } from "vitest"

const mug: Product.Product = {
  id: "P-1",
  externalId: "7001",
  externalVariantId: "V/Red",
  name: "Großer Becher",
  sku: "MUG-RED",
  vendor: "ΟΔΟΣ",
  tags: ["Art", "Cafe\u0301"],
  price: 900,
}

test("a product is found by a part of its name, sku, vendor, a tag or one of its ids", () => {
  for (const search of ["p-1", "700", "v/red", "becher", "mug-", "οδος", "art", "café"]) {
    expect(Product.matchesSearch(mug, search), search).toBe(true)
  }
})

test("a search looks away from case, composition and spaces around it, not from spaces within", () => {
  expect(Product.matchesSearch(mug, "  GROSSER becher ")).toBe(true)
  expect(Product.matchesSearch(mug, "CAFE\u0301")).toBe(true)
  expect(Product.matchesSearch(mug, "grosser  becher")).toBe(false)
})

test("a product is not found by its price, nor across two of its texts", () => {
  expect(Product.matchesSearch(mug, "900")).toBe(false)
  expect(Product.matchesSearch(mug, "artcaf")).toBe(false)
})

test("a blank search finds every product, one without texts too", () => {
  expect(Product.matchesSearch(mug, " \t")).toBe(true)
  expect(Product.matchesSearch({ id: "p", sku: null }, "")).toBe(true)
  expect(Product.matchesSearch({ id: "" }, " ")).toBe(true)
  expect(Product.searchTexts({ id: "p", sku: null, name: "" })).toEqual(["p"])
})

test("text is searched for as it is compared: trimmed, composed, without case", () => {
  expect(Product.foldText(" Cafe\u0301 NORTH ")).toBe("café north")
  expect(Product.foldText("KAPı ΟΔΟΣ")).toBe("kapı οδοσ")
  for (const plain of ["a", "~ tilde", "a z", "[{`@"]) expect(Product.foldText(plain)).toBe(plain)
  for (const text of ["Z", " z", "z ", "z\n", "aAz", "zaZ"]) {
    expect(Product.foldText(text)).toBe(text.trim().toLowerCase())
  }
  expect(Product.searchTexts(mug)).toEqual([
    "p-1",
    "7001",
    "v/red",
    "grosser becher",
    "mug-red",
    "οδοσ",
    "art",
    "café",
  ])
})

test("a product's key tells it from its variants and from ids that look like them", () => {
  expect(Product.keyOf({ id: "p1" })).toBe("p1")
  expect(Product.keyOf({ id: "p1", externalVariantId: "" })).toBe("p1/")
  expect(Product.keyOf({ id: "p1", externalVariantId: "a/b" })).toBe("p1/a%2Fb")
  expect(Product.keyOf({ id: "p1/a" })).toBe("p1%2Fa")
})
