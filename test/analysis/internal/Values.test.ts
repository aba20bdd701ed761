import { expect, test } from "vitest"
import { Values } from "../../../src/analysis/internal/Predicate.js"

test("two spellings of one value are one, as the first rule wrote it", () => {
  const values = new Values()
  const art = values.numberOf("products.tag", " Art")
  expect(values.numberOf("products.tag", "ART ")).toBe(art)
  expect(values.numberOf("order.tag", "ART")).not.toBe(art)
  expect(values.at(art)).toEqual({ attribute: "products.tag", written: " Art" })
  expect([values.has("products.tag", "art"), values.has("referer", "art")]).toEqual([true, false])
})

test("ids are as they are written, countries are not", () => {
  const values = new Values()
  expect(values.numberOf("products", "P")).not.toBe(values.numberOf("products", "p"))
  expect(values.numberOf("country.code", "de")).toBe(values.numberOf("country.code", " DE"))
  // Upper case makes an ordinary letter of a dotless i, which other texts keep apart.
  expect(values.numberOf("country.code", "ıt")).toBe(values.numberOf("country.code", "IT"))
  expect(values.numberOf("referer", "ıt")).not.toBe(values.numberOf("referer", "IT"))
})

test("a value that nobody numbered is not asked for", () => {
  const values = new Values()
  values.numberOf("referer", "a")
  expect(() => values.at(1)).toThrow(new RangeError("no value has the number 1"))
})
