import type { Posting } from "apportion/ports"
import fc from "fast-check"
import { expect, test } from "vitest"
import { always, ImpliedFields } from "../../src/sql/internal/impliedFields.js"
import { Packer } from "../../src/sql/internal/Packer.js"
import {
  packPostings,
  packSale,
  type SaleDocument,
  unpackPostings,
  unpackSale,
} from "../../src/sql/internal/packedSales.js"
import { unpack } from "../../src/sql/internal/Unpacker.js"
import { sale as recorded } from "../../src/testing/contracts/samples.js"
import { runs } from "../generators/Runs.js"
import { documents } from "./SaleDocuments.js"

const comesOut = (orderId: string, document: SaleDocument) => {
  const { packed, rules } = packSale(orderId, document)
  return unpackSale(orderId, packed, rules.map(unpack))
}

const asJson = <A>(value: A): A => JSON.parse(JSON.stringify(value))

test("a sale comes out as it was split, whatever the order, the groups and the policy", () => {
  fc.assert(
    fc.property(documents, (all) => {
      for (const document of all) {
        expect(comesOut(document.order.id, document)).toEqual(asJson(document))
      }
    }),
    runs(1_000),
  )
})

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 7, "", "p1", [], {}, false, true),
  fc.integer(),
)

/** The places in plain data at which something stands. */
const pathsOf = (value: unknown): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, field]) => [
        [name],
        ...pathsOf(field).map((path) => [name, ...path]),
      ])

const changeAt = (value: unknown, [name, ...path]: ReadonlyArray<string>, to: unknown): unknown => {
  if (name === undefined) return to
  const copy: object = Array.isArray(value) ? [...value] : { ...Object(value) }
  const field = changeAt(Reflect.get(copy, name), path, to)
  if (field === undefined) Reflect.deleteProperty(copy, name)
  else Reflect.set(copy, name, field)
  return copy
}

test("a split in which anything is otherwise than it follows comes out with that", () => {
  const all = documents.filter((found) => found.length > 0)
  fc.assert(
    fc.property(all, fc.nat(), fc.option(anything, { nil: undefined }), ([given], at, to) => {
      const split = asJson(given?.split)
      if (given === undefined || split === undefined) return
      const paths = pathsOf(split).filter((path) => path.length < 3 || path[1] !== "length")
      const path = paths[at % paths.length] ?? []
      const isWithinList = path.length === 2 && to === undefined
      const changed = isWithinList ? split : changeAt(split, path, to)
      const document = { ...asJson(given), split: Object(changed) }
      expect(asJson(comesOut(given.order.id, document))).toEqual(asJson(document))
    }),
    runs(2_000),
  )
})

const posting = fc.record<Partial<Posting>>(
  {
    itemId: fc.constantFrom("1", "2", "9"),
    groupId: fc.constantFrom("g1", "g/2"),
    collaboratorId: fc.constantFrom("ada", "ben"),
    payoutId: fc.constantFrom("payout", "other"),
    payoutItemId: fc.constantFrom("1001/1/g1", "1001/1/g1/adjustment/raise", "anything"),
    currency: fc.constantFrom("EUR", "USD"),
    rate: fc.constantFrom(null, "1.0834"),
    reversed: fc.integer(),
    refunds: fc.nat(),
    runId: fc.constantFrom(undefined, "raise"),
  },
  { requiredKeys: [] },
)

test("postings come out as they were, whatever is in them", () => {
  const sale = recorded("1001")
  const changes = fc.array(posting, { maxLength: 4 })
  fc.assert(
    fc.property(changes, (all) => {
      const [first] = sale.postings
      if (first === undefined) throw new Error("the sale has no posting")
      const postings = all.map((change, index) => ({
        ...(sale.postings[index] ?? first),
        ...change,
      }))
      // Some of the payouts are named by their numbers, the others by their ids.
      for (const numbers of [new Map(), new Map([[first.payoutId, 70_000]])]) {
        const packed = packPostings(sale, postings, numbers)
        const ids = new Map([[70_000, first.payoutId]])
        expect(unpackPostings(sale, packed, ids)).toEqual(asJson(postings))
      }
    }),
    runs(1_000),
  )
})

test("a usual sale takes few bytes, and a posting as usual little more than the number of its payout", () => {
  const sale = recorded("1001")
  const { packed, rules } = packSale(sale.orderId, sale)
  expect(rules).toHaveLength(2)
  expect(packed.length / 2).toBeLessThan(JSON.stringify(sale.order).length / 2)
  const postings = sale.postings.map((one) => ({ ...one, currency: "EUR", rate: null }))
  expect(packPostings(sale, postings, new Map())).toHaveLength(2 * (2 + 7 + 1))
  const numbers = new Map(postings.map(({ payoutId }) => [payoutId, 70_000] as const))
  expect(packPostings(sale, postings, numbers)).toHaveLength(2 * (2 + 2 * 4))
})

test("a field of any name is left out only where it follows", () => {
  const fields = JSON.parse('{"__proto__":{"amount":1},"amount":2}')
  const follows = (amount: number) => new ImpliedFields<undefined>({ amount: always(amount) })
  const packed = (amount: number) =>
    JSON.stringify(unpack(new Packer().pack(follows(amount).shorten(fields, undefined).kept)))
  expect(packed(2)).toBe('{"__proto__":{"amount":1}}')
  expect(packed(1)).toBe(JSON.stringify(fields))
  expect(JSON.stringify(follows(2).complete(fields, undefined))).toBe(
    '{"amount":2,"__proto__":{"amount":1}}',
  )
})
