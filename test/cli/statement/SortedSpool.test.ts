import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SortedSpool, Spool } from "../../../src/cli/statement/Spool.js"

const recordOf = (number: number, key: number, size: number): Buffer => {
  const record = Buffer.alloc(12 + size, number % 256)
  record.writeUInt32LE(record.length, 0)
  record.writeUInt32LE(key, 4)
  record.writeUInt32LE(number, 8)
  return record
}

const records = fc
  .array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 70 })), { maxLength: 60 })
  .map((drawn) => drawn.map(([key, size], number) => recordOf(number, key, size)))

const inMemory = fc.constantFrom(1, 50, 300, 100_000)

const compare = (one: Buffer, at: number, other: Buffer, otherAt: number) =>
  one.readUInt32LE(at + 4) - other.readUInt32LE(otherAt + 4) ||
  one.readUInt32LE(at + 8) - other.readUInt32LE(otherAt + 8)

describe("records that are kept in memory or in a file", () => {
  it("are read again as they were added, however little memory there is", () => {
    fc.assert(
      fc.property(records, inMemory, fc.nat(), (added, most, pick) => {
        const spool = new Spool(most)
        const places = added.map((record) => spool.append(record))
        const from = places[pick % Math.max(1, places.length)] ?? 0
        const found = [...spool.records(from, spool.end)].map((record) => Buffer.from(record))
        expect(found).toEqual(added.slice(places.indexOf(from)).slice(0, added.length))
        spool.close()
      }),
      { numRuns: 200 },
    )
  })

  it("can be changed where they are", () => {
    fc.assert(
      fc.property(records, inMemory, (added, most) => {
        const spool = new Spool(most)
        const places = added.map((record) => spool.append(record))
        places.forEach((at, index) => {
          if (index % 2 === 0) spool.patch(at + 8, Buffer.from([9, 9, 9, 9]))
        })
        const found = [...spool.records(0, spool.end)].map((record) => record.readUInt32LE(8))
        expect(found).toEqual(
          added.map((record, index) => (index % 2 === 0 ? 0x09090909 : record.readUInt32LE(8))),
        )
        spool.close()
      }),
      { numRuns: 200 },
    )
  })

  it("come in their order, sorted at once or piece by piece", () => {
    fc.assert(
      fc.property(records, inMemory, (added, most) => {
        const sorted = new SortedSpool(compare, most)
        for (const record of added) sorted.add(record)
        const found = [...sorted.take()].map((record) => Buffer.from(record))
        expect(found).toEqual(added.toSorted((one, other) => compare(one, 0, other, 0)))
      }),
      { numRuns: 200 },
    )
  })
})
