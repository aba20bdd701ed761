/** Items of payouts come out of their rows as they went in, whatever of them is left out of what is stored. */
import type { PayoutItem } from "apportion"
import { Arbitraries } from "apportion/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { packEntry, packItem, readHead, readItem } from "../../src/sql/internal/payoutItems.js"
import { text } from "../../src/sql/internal/rows.js"
import { runs } from "../generators/Runs.js"

/** What a field can be changed to; the last one takes it away. */
const others = [0, 1, null, "", "1", "a/b", [], {}, undefined]

/** A change in a part of an item: the item itself, what was sold, or its product. */
interface Change {
  readonly part: number
  readonly field: number
  readonly to: unknown
}

const change: fc.Arbitrary<Change> = fc.record({
  part: fc.constantFrom(0, 1, 2),
  field: fc.nat(),
  to: fc.constantFrom(...others),
})

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const changed = (item: object, { part, field, to }: Change): PayoutItem.PayoutItem => {
  const copy = JSON.parse(JSON.stringify(item))
  const parts = [copy, copy.orderItem, copy.orderItem?.product].filter(isObject)
  const target = parts[part % parts.length] ?? copy
  const names = Object.keys(target).filter((name) => name !== "kind" && name !== "amount")
  const name = names[field % names.length] ?? ""
  // An id that is a text is all that the columns beside ask for.
  const isId = target === copy && name === "id"
  Reflect.set(target, name, isId ? String(to) : to)
  return JSON.parse(JSON.stringify(copy))
}

const rowOf = (item: PayoutItem.PayoutItem) => ({
  item_id: text(item.id),
  amount: item.amount,
  packed: packItem(item),
})

/** The same where the item is the first of its entry. */
const rowWithEntry = (item: PayoutItem.PayoutItem, at: number) => ({
  ...rowOf(item),
  packed: packEntry({ at, actor: "ada", total: -7, itemsCount: 1 }, item),
})

test("an item comes out of its row as it went in, also with any field changed", () => {
  const seen = new Map<string, number>()
  const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  fc.assert(
    fc.property(Arbitraries.payoutItem(), fc.array(change, { maxLength: 3 }), (item, changes) => {
      const given = changes.reduce<PayoutItem.PayoutItem>(changed, item)
      const row = rowOf(given)
      expect(readItem(row)).toEqual(given)
      for (const at of [item.createdAt, 5]) {
        const first = rowWithEntry(given, at)
        expect(readItem(first)).toEqual(given)
        expect(readHead(first)).toEqual({ at, actor: "ada", total: -7, itemsCount: 1 })
      }
      const { length } = row.packed
      see(`${item.kind}, ${changes.length === 0 ? "as it is" : "changed"}`)
      if (length < JSON.stringify(given).length) see("shorter than its JSON, by two digits a byte")
    }),
    runs(3_000, 600),
  )
  for (const kind of ["sale", "refund", "expense", "income"]) {
    expect(seen.get(`${kind}, as it is`), kind).toBeGreaterThan(3)
    expect(seen.get(`${kind}, changed`), kind).toBeGreaterThan(10)
  }
  expect(seen.get("shorter than its JSON, by two digits a byte")).toBeGreaterThan(100)
})
