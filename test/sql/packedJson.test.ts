/** What is stored of sales in few bytes comes out as it went in. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { pack } from "../../src/sql/internal/Packer.js"
import { unpack } from "../../src/sql/internal/Unpacker.js"
import { runs } from "../generators/Runs.js"

const itemFields = ["kind", "createdAt", "name", "originalAmount", "orderItem", "id", "tags"]

const { value } = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false, "", "sale", "USD", "0", "007", "5120000000037", "-0"),
    fc.uuid(),
    fc.constantFrom("twice", "two times", "0192f0c1-7c1a-7bb2-8a53-5d9f2b9c0a11"),
    fc.maxSafeInteger(),
    fc.integer({ min: -70, max: 70 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0)),
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })).map((all) => String.fromCharCode(...all)),
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...itemFields)), tie("value")),
  ),
}))

test("whatever JSON can hold comes out as it went in", () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(JSON.stringify(sorted(unpack(pack(given))))).toBe(JSON.stringify(sorted(given)))
    }),
    runs(2_000),
  )
})

/** The same with the fields of its objects by name. */
const sorted = (given: unknown): unknown => {
  if (Array.isArray(given)) return given.map(sorted)
  if (typeof given !== "object" || given === null) return given
  const entries = Object.entries(given).map(([name, field]) => [name, sorted(field)] as const)
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}

test("texts come again, however many there were before", () => {
  const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`)
  expect(unpack(pack([texts, texts]))).toEqual([texts, texts])
})

test("fields keep their names, whatever they are", () => {
  const objects = [{ kind: "sale", createdAt: 1 }, { "kind,createdAt": 2 }]
  objects.push(JSON.parse('{"__proto__":{"kind":3}}'))
  expect(JSON.stringify(unpack(pack(objects)))).toBe(JSON.stringify(objects))
})

test("known fields and words, digits and UUIDs take few bytes", () => {
  expect(pack("sale")).toHaveLength(2)
  expect(pack("5120000000037")).toHaveLength(2 * 8)
  expect(pack("0192f0c1-7c1a-7bb2-8a53-5d9f2b9c0a11")).toHaveLength(2 * 17)
  expect(pack({ kind: "income", name: "Bonus" })).toHaveLength(2 * (3 + 1 + 6))
  expect(pack(Array.from({ length: 9 }, () => "the same text"))).toHaveLength(2 * (2 + 14 + 8))
})

test("what is cut off, goes on, or begins as nothing known does is refused", () => {
  const packed = pack({ kind: "income", name: "Bonus" })
  expect(() => unpack(packed.slice(0, -2))).toThrow("an end too early")
  expect(() => unpack(`${packed}00`)).toThrow("1 bytes more")
  expect(() => unpack("cf")).toThrow("which a later version must have written")
  expect(() => unpack("d0")).toThrow("which a later version must have written")
  expect(() => unpack("ce7f")).toThrow("which a later version must have written")
})
