import { CreditFile, RoutingNumber } from "apportion/rails/nacha"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as batchSizes from "../../../src/rails/nacha/internal/batchSizes.js"
import { runs } from "../../generators/Runs.js"
import { parsed } from "./NodeNacha.js"
import { batch, transfer, zoe } from "./Samples.js"

const written = (changes: Partial<CreditFile.AchBatch> = {}) =>
  Result.getOrThrow(CreditFile.write(batch(changes)))

const problemsOf = (changes: Partial<CreditFile.AchBatch>): ReadonlyArray<string> => {
  const result = CreditFile.write(batch(changes))
  if (Result.isSuccess(result)) throw new RangeError("it was written")
  return result.failure.problems.map(({ path, message }) => `${path} ${message}`)
}

const pathsOf = (changes: Partial<CreditFile.AchBatch>): ReadonlyArray<string> =>
  problemsOf(changes).map((problem) => problem.split(" ")[0] ?? "")

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n")

describe("a file of credits for ACH", () => {
  it("is as the rules of Nacha have it, column by column", () => {
    expect(linesOf(written().text)).toEqual([
      "101 09100001912345678902611191234A094101First Bank             Paper Heron                    ",
      "5220Paper Heron                         1234567890PPDROYALTIES       261120   1091000010000001",
      "622021000021123456789        00000123458c4dc0c0c07398fZoe Son                 1091000010000001",
      "705NTE*ZZZ*Your share of October\\                                                  00010000001",
      "82200000020002100002000000000000000000012345" +
        "1234567890                         091000010000001",
      "9000001000001000000020002100002000000000000000000012345                                       ",
      ...Array.from({ length: 4 }, () => "9".repeat(94)),
    ])
  })

  it("says the same to a public parser, people and companies in batches of their own", () => {
    const company = { ...zoe, name: "Søn & Daughters", type: "savings", isCompany: true } as const
    const { text, entries } = written({
      transfers: [
        transfer({ key: "c-1", recipient: company, amount: 7 }),
        transfer(),
        transfer({ key: "c-2", amount: 100 }),
      ],
      firstEntry: 41,
    })
    const { file, batches } = parsed(text)
    expect(file).toMatchObject({
      ...{
        destination: " 091000019",
        origin: "1234567890",
        creationDate: "261119",
        creationTime: "1234",
      },
      footer: {
        batchCount: 2,
        blockCount: 2,
        entryAndAddendaCount: 6,
        totalDebit: 0,
        totalCredit: 12_452,
      },
    })
    expect(batches.map((each) => [each.entryClassCode, each.num, each.footer.totalCredit])).toEqual(
      [
        ["PPD", 1, 12_445],
        ["CCD", 2, 7],
      ],
    )
    expect(batches[1]?.entries[0]).toMatchObject({
      ...{
        transactionCode: "32",
        receivingCompanyName: "Son & Daughters",
        identificationNumber: "c-1",
      },
      traceNumber: Number(entries[0]?.trace),
      addenda: { info: "NTE*ZZZ*Your share of October\\", num: 1, entryNum: 41 },
    })
    expect(entries.map(({ trace }) => trace)).toEqual([
      "091000010000041",
      "091000010000042",
      "091000010000043",
    ])
  })

  it("names all that does not fit, each by its place, and is not written then", () => {
    const wrong = {
      ...{ name: "山田", routing: "021000022", account: "12 34", isCompany: false },
      type: JSON.parse('"cheque"'),
    }
    expect(
      pathsOf({
        bank: { name: "", routing: "1" },
        origin: { name: "x".repeat(24), id: "12" },
        company: { name: "x".repeat(17), id: "123", description: "more than ten" },
        createdAt: -1,
        modifier: "a",
        effectiveOn: "2026-13-01",
        firstEntry: 0,
        transfers: [
          transfer({ recipient: wrong, amount: 10_000_000_000, reference: "a*b", key: "" }),
        ],
      }),
    ).toEqual([
      ...["bank.routing", "createdAt", "origin.id", "modifier", "bank.name", "origin.name"],
      ...["company.name", "company.id", "company.description", "effectiveOn", "firstEntry"],
      ...["transfers[0].amount", "transfers[0].key", "transfers[0].recipient.name"],
      ...["transfers[0].recipient.routing", "transfers[0].recipient.account"],
      ...["transfers[0].recipient.type", "transfers[0].reference"],
    ])
  })

  it("pays dollars alone, no key twice, and not more than its records have place for", () => {
    expect(problemsOf({ transfers: [transfer({ currency: "EUR" })] })).toEqual([
      'transfers[0].currency must be USD, got "EUR"',
    ])
    expect(pathsOf({ transfers: [transfer(), transfer()] })).toEqual(["transfers[1].key"])
    expect(pathsOf({ transfers: [] })).toEqual(["transfers"])
    const many = Array.from({ length: 101 }, (_, index) =>
      transfer({ key: `k${index}`, amount: 9_999_999_999 }),
    )
    expect(problemsOf({ transfers: many })).toEqual([
      "transfers must come to at most 999999999999 cents, come to 1009999999899",
    ])
  })

  it("has any payments as they are told: lines, blocks, counts, hash and sums are right", () => {
    const routing = fc.constantFrom("021000021", "091000019", "121042882", "322271627")
    const payment = fc.record({
      key: fc.uuid(),
      amount: fc.integer({ min: 1, max: 9_999_999_999 }),
      recipient: fc.record({
        routing,
        name: fc.stringMatching(/^[A-Za-zéüß' -]{1,40}$/).filter((name) => name.trim() !== ""),
        account: fc.stringMatching(/^[0-9]{1,17}$/),
        type: fc.constantFrom("checking" as const, "savings" as const),
        isCompany: fc.boolean(),
      }),
    })
    const payments = fc.uniqueArray(payment, {
      selector: ({ key }) => key,
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(payments, (each) => {
        const { text, entries } = written({ transfers: each.map(transfer) })
        const lines = linesOf(text)
        expect(lines.every(({ length }) => length === 94)).toBe(true)
        expect(lines.length % 10).toBe(0)
        const { file, batches } = parsed(text)
        const read = batches.flatMap((of) => of.entries)
        const total = each.reduce((sum, { amount }) => sum + amount, 0)
        const hash = each.reduce(
          (sum, { recipient }) => sum + Number(recipient.routing.slice(0, 8)),
          0,
        )
        expect(file.footer).toMatchObject({
          ...{ blockCount: lines.length / 10, totalCredit: total, totalDebit: 0 },
          ...{ entryAndAddendaCount: 2 * each.length, entryHash: hash % 10_000_000_000 },
        })
        expect(batches.reduce((sum, of) => sum + of.footer.totalCredit, 0)).toBe(total)
        const byTrace = new Map(read.map((entry) => [entry.traceNumber, entry]))
        expect(CreditFile.entriesOf(batch({ transfers: each.map(transfer) }))).toEqual(entries)
        for (const [index, { key, trace, id, amount }] of entries.entries()) {
          expect(key).toBe(each[index]?.key)
          expect(byTrace.get(Number(trace))).toMatchObject({ amount, identificationNumber: id })
        }
        return true
      }),
      runs(200),
    )
  })
})

describe("the 499,999 entries that a batch of an ACH file can have", () => {
  it("are refused from 500,000 on, to people and to companies each, because each entry counts twice in six digits", () => {
    const most = 499_999
    expect(String(2 * most)).toHaveLength(6)
    expect(String(2 * (most + 1))).toHaveLength(7)
    expect(batchSizes.problemOf({ people: most, companies: most })).toBeUndefined()
    for (const sizes of [
      { people: most + 1, companies: 0 },
      { people: 0, companies: most + 1 },
      { people: most + 1, companies: most },
    ]) {
      expect(batchSizes.problemOf(sizes)).toBe(
        "must be at most 499999 to people and as many to companies, there are 500000",
      )
    }
  })
})

describe("a routing number", () => {
  it("has nine digits, of which one checks the others, and begins as those of banks do", () => {
    const isRight = (text: unknown) => Result.isSuccess(RoutingNumber.parse(text))
    expect(["021000021", "091000019", " 121042882 ", "322271627"].every(isRight)).toBe(true)
    expect(["02100002", "0210000210", "02100002a", "131000023", "", undefined].some(isRight)).toBe(
      false,
    )
    const wrong = fc.tuple(fc.nat({ max: 8 }), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(wrong, ([place, by]) => {
        const right = "121042882"
        const digit = (Number(right.charAt(place)) + by) % 10
        return !isRight(right.slice(0, place) + digit + right.slice(place + 1))
      }),
    )
  })
})
