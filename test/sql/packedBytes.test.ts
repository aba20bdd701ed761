import { Arbitraries } from "apportion/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { Packer } from "../../src/sql/internal/Packer.js"
import { shapes } from "../../src/sql/internal/packedJson.js"
import { packPostings, packSale } from "../../src/sql/internal/packedSales.js"
import { packEntry, packItem } from "../../src/sql/internal/payoutItems.js"
import { sale as recorded } from "../../src/testing/contracts/samples.js"
import { runs } from "../generators/Runs.js"
import { isFields } from "./naive/impliedFields.js"
import { naivePack } from "./naive/packedJson.js"
import { naivePackPostings, naivePackSale } from "./naive/packedSales.js"
import { naivePackEntry, naivePackItem } from "./naive/payoutItems.js"
import { documents } from "./SaleDocuments.js"

/** Anything that a field may hold: what is usual, what is near it, and what no field should. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, undefined, 0, -0, 1, -1, 7, true, false, "", "1", "g1", "p1", "EUR"),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53), 0.1, 1e300, 5e-324),
  fc.constantFrom<unknown>([], {}, [{}], { id: "p1" }, { id: undefined }, [undefined, null]),
  fc.constantFrom(JSON.parse('{"__proto__":1}'), JSON.parse('{"constructor":{"__proto__":"x"}}')),
  fc.maxSafeInteger(),
  fc.double(),
  fc.string({ unit: "binary", maxLength: 70 }),
  fc.constantFrom("\ud800", "a\udc00b", "007", "5120000000037", "a/b", "a%2Fb", "%"),
  fc.uuid(),
)

const names = [...new Set(shapes.flat()), "adjustment", "terms", "carried", "__proto__", "own"]

/** Objects with the fields of shapes, more of them and fewer, in any order. */
const object = fc
  .array(fc.tuple(fc.constantFrom(...names), anything), { maxLength: 12 })
  .map((fields): object => Object.fromEntries(fields))

const ofShape = fc
  .constantFrom(...shapes)
  .chain((shape) => fc.shuffledSubarray([...shape]))
  .chain((fields) => fc.tuple(...fields.map((name) => fc.tuple(fc.constant(name), anything))))
  .map((fields): object => Object.fromEntries(fields))

const values = fc.array(fc.oneof(anything, object, ofShape, fc.array(ofShape)), { maxLength: 8 })

test("values that are packed one after the other", () => {
  fc.assert(
    fc.property(values, (all) => {
      const packer = new Packer()
      for (const value of [...all, all, ...all]) expect(packer.pack(value)).toBe(naivePack(value))
    }),
    runs(3_000),
  )
})

test("more texts than have a byte of their own, and objects with more names than are remembered", () => {
  const packer = new Packer()
  const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`)
  const named = texts.map((name) => ({ [name]: name, id: name }))
  for (const value of [[texts, texts], named, texts.slice(40), named]) {
    expect(packer.pack(value)).toBe(naivePack(value))
  }
  for (let round = 0; round < 20; round += 1) {
    const others = texts.map((name) => ({ [`${round} ${name}`]: 1, kind: "sale" }))
    expect(packer.pack(others)).toBe(naivePack(others))
  }
})

// What is stored of sales, with some of it changed.

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const partsIn = (value: unknown): ReadonlyArray<object> =>
  isObject(value) ? [value, ...Object.values(value).flatMap(partsIn)] : []

/** A change somewhere: of a field that is there, which may go to the end, or of one of any name. */
interface Change {
  readonly part: number
  readonly field: number
  readonly name: string | undefined
  readonly isLast: boolean
  readonly to: unknown
}

const change: fc.Arbitrary<Change> = fc.record({
  part: fc.nat(),
  field: fc.nat(),
  name: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 3 }),
  isLast: fc.boolean(),
  to: fc.oneof(fc.constant(undefined), anything, object),
})

const changes = fc.array(change, { maxLength: 3 })

const set = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, {
    ...{ value, configurable: true, enumerable: true, writable: true },
  })
}

const withChanges = <A>(given: A, all: ReadonlyArray<Change>): A => {
  const copy: A = structuredClone(given)
  for (const { part, field, name, isLast, to } of all) {
    const parts = partsIn(copy)
    const target = parts[part % parts.length]
    if (target === undefined) continue
    const there = Object.keys(target)
    const changed = name === undefined || Array.isArray(target) ? there[field % there.length] : name
    if (changed === undefined) continue
    if (isLast && !Array.isArray(target)) Reflect.deleteProperty(target, changed)
    set(target, changed, structuredClone(to))
  }
  return copy
}

const several = fc.array(fc.tuple(documents, changes), { maxLength: 3 })

test("sales, whatever in them is otherwise than it follows", () => {
  const seen = { short: 0, whole: 0 }
  fc.assert(
    fc.property(several, (all) => {
      const packer = new Packer()
      for (const [found, ofAll] of all) {
        for (const document of found) {
          const { order, groups, policy, split } = withChanges(document, ofAll)
          // Whoever records a sale gives it a list of groups.
          const given = { order, groups: Array.isArray(groups) ? groups : [], policy, split }
          const { packed, rules } = packSale(document.order.id, given, packer)
          expect({ packed, rules }).toEqual(naivePackSale(document.order.id, given))
          seen[rules.length === 0 ? "whole" : "short"] += 1
        }
      }
    }),
    runs(4_000, 400),
  )
  expect(Math.min(seen.short, seen.whole)).toBeGreaterThan(30)
})

test("postings, whatever in them is otherwise than it follows", () => {
  const sale = recorded("1001")
  fc.assert(
    fc.property(changes, fc.boolean(), (all, isNumbered) => {
      const postings = withChanges(sale.postings, all).filter(isFields)
      const numbers = new Map(isNumbered ? [[sale.postings[0]?.payoutId ?? "", 70_000]] : [])
      expect(packPostings(sale, postings, numbers)).toBe(
        naivePackPostings(
          sale,
          postings.map((one) => ({ ...one })),
          numbers,
        ),
      )
    }),
    runs(2_000),
  )
})

test("items of payouts and entries, whatever in them is otherwise than it follows", () => {
  const items = fc.array(fc.tuple(Arbitraries.payoutItem(), changes), { maxLength: 4 })
  fc.assert(
    fc.property(items, (all) => {
      const packer = new Packer()
      for (const [item, ofItem] of all) {
        // The id and the amount have columns of their own.
        const given = { ...withChanges(item, ofItem), id: item.id, amount: item.amount }
        expect(packItem(given, packer)).toBe(naivePackItem(given))
        for (const at of [item.createdAt, 5]) {
          const head = { at, actor: "ada", total: -7, itemsCount: 1 }
          expect(packEntry(head, given, packer)).toBe(naivePackEntry(head, given))
        }
      }
    }),
    runs(4_000),
  )
})
