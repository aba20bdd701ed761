import { Order } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { SortedList } from "../../src/memory/internal/Table.js"
import { runs } from "../generators/Runs.js"

interface Entry {
  readonly place: number
  readonly id: number
  readonly text: string
}

const byPlace = Order.combine(
  Order.mapInput(Order.Number, ({ place }: Entry) => place),
  Order.mapInput(Order.Number, ({ id }: Entry) => id),
)

/** The plainest list that does the same. */
const sorted = (entries: Iterable<Entry>) => [...entries].sort(byPlace)

const entry = (id: number, place: number, text = ""): Entry => ({ id, place, text })

const listOf = (entries: Iterable<Entry>) => {
  const list = new SortedList(byPlace)
  for (const one of entries) list.add(one)
  return list
}

const places = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 3_000, size: "max" })

test("whatever is added, taken out and replaced, the list is that of sorting it all", () => {
  const change = fc.record({
    id: fc.integer({ min: 0, max: 3_500 }),
    kind: fc.constantFrom("add", "remove", "replace", "stay"),
    place: fc.integer({ min: -50, max: 50 }),
  })
  const changes = fc.array(change, { maxLength: 2_000, size: "max" })
  fc.assert(
    fc.property(places, changes, (first, later) => {
      const known = new Map(first.map((place, id) => [id, entry(id, place)]))
      const list = listOf(known.values())
      for (const { id, kind, place } of later) {
        const before = known.get(id)
        const next = entry(id, kind === "stay" ? (before?.place ?? 0) : place, kind)
        if (before === undefined && kind === "add") list.add(next)
        if (before !== undefined && kind === "remove") list.remove(before)
        if (before !== undefined && (kind === "replace" || kind === "stay")) {
          list.replace(before, next)
        }
        if (kind === "remove") known.delete(id)
        else if ((before === undefined) === (kind === "add")) known.set(id, next)
      }
      expect(list.all()).toEqual(sorted(known.values()))
      expect([...list]).toEqual(list.all())
      expect(list.size).toBe(known.size)
    }),
    runs(30),
  )
})

test("a part of the list is that part of sorting it all", () => {
  const offset = fc.oneof(fc.integer({ min: 0, max: 3_100 }), fc.constant(Number.MAX_SAFE_INTEGER))
  const limit = fc.oneof(fc.integer({ min: 1, max: 700 }), fc.constant(Number.MAX_SAFE_INTEGER))
  fc.assert(
    fc.property(places, offset, limit, (all, start, most) => {
      const entries = all.map((place, id) => entry(id, place))
      const expected = sorted(entries).filter((_, index) => index >= start && index - start < most)
      expect(listOf(entries).slice(start, most)).toEqual(expected)
    }),
    runs(30),
  )
})

test("the entries from a place on, and those up to it, are found without the others", () => {
  const limit = fc.integer({ min: 1, max: 2_000 })
  fc.assert(
    fc.property(places, fc.integer({ min: -60, max: 60 }), limit, (all, bound, most) => {
      const entries = all.map((place, id) => entry(id, place))
      const list = listOf(entries)
      const [before, after] = [
        sorted(entries).filter(({ place }) => place < bound),
        sorted(entries).filter(({ place }) => place >= bound),
      ]
      expect(list.from(({ place }) => place >= bound, most)).toEqual(after.slice(0, most))
      expect(list.firstWhile(({ place }) => place < bound, most)).toEqual(before.slice(0, most))
    }),
    runs(30),
  )
})

test("an entry that is not in the list is not taken out", () => {
  const list = listOf([entry(1, 1), entry(2, 2)])
  list.remove(entry(3, 1))
  list.remove(entry(9, 9))
  expect(list.size).toBe(2)
  expect(new SortedList(byPlace).all()).toEqual([])
})
