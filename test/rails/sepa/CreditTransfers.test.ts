import { CreditTransfers, EndToEndId, type Party } from "apportion/rails/sepa"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../../generators/Runs.js"
import { ada, batch, transfer } from "./Samples.js"
import { faultsOf } from "./Xmllint.js"
import { textsOf } from "./XmlTexts.js"

const written = (changes: Partial<CreditTransfers.Batch> = {}): string =>
  Result.getOrThrow(CreditTransfers.write(batch(changes)))

const problemsOf = (changes: Partial<CreditTransfers.Batch>): ReadonlyArray<string> => {
  const result = CreditTransfers.write(batch(changes))
  if (Result.isSuccess(result)) throw new RangeError("it was written")
  return result.failure.problems.map(({ path, message }) => `${path} ${message}`)
}

const pathsOf = (changes: Partial<CreditTransfers.Batch>): ReadonlyArray<string> =>
  problemsOf(changes).map((problem) => problem.split(" ")[0] ?? "")

const full: Party = {
  ...ada,
  bic: "BYLADEM1001",
  address: { street: "Hauptstraße", building: "5", postCode: "10115", town: "Köln", country: "DE" },
}

const hybrid: Party = {
  ...ada,
  address: { town: "Athens", country: "GR", region: "Attica", lines: ["c/o Μαρία", "Back door"] },
}

describe("a file of credit transfers", () => {
  it("has what the schema asks for, with and without what is optional", async () => {
    const files = [
      written(),
      written({ batchBooking: true, payer: full, transfers: [transfer({ recipient: hybrid })] }),
      written({ batchBooking: false, transfers: [transfer({ key: "payout-7", recipient: full })] }),
    ]
    expect(await faultsOf(files)).toEqual([])
  })

  it("would be refused by the schema if a part were missing or in another place", async () => {
    const file = written()
    const without = file.replace(/<NbOfTxs>1<\/NbOfTxs>/, "")
    const other = file
      .replace("<ChrgBr>SLEV</ChrgBr>", "")
      .replace("<PmtMtd>", "<ChrgBr>SLEV</ChrgBr><PmtMtd>")
    const dollars = file.replace('Ccy="EUR"', 'Ccy="usd"')
    for (const broken of [without, other, dollars]) {
      expect(await faultsOf([broken])).not.toEqual([])
    }
  })

  it("carries number and sum of the transfers, to the cent, where floating point would not", () => {
    const amounts = [10, 20, 99_999_999_999, 1]
    const transfers = amounts.map((amount, index) => transfer({ key: `k${index}`, amount }))
    const file = written({ transfers })
    expect(textsOf(file, "CtrlSum")).toEqual(["1000000000.30", "1000000000.30"])
    expect(textsOf(file, "NbOfTxs")).toEqual(["4", "4"])
    expect(textsOf(file, "InstdAmt")).toEqual(["0.10", "0.20", "999999999.99", "0.01"])
  })

  it("names the bank only where a BIC is given", () => {
    expect(written()).toContain(
      "<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>",
    )
    expect(written()).not.toContain("CdtrAgt")
    expect(written({ transfers: [transfer({ recipient: full })] })).toContain(
      "<CdtrAgt><FinInstnId><BICFI>BYLADEM1001</BICFI></FinInstnId></CdtrAgt>",
    )
  })

  it("pays euros alone, from a cent to what SEPA carries", () => {
    expect(problemsOf({ transfers: [transfer({ currency: "USD" })] })).toEqual([
      'transfers[0].currency must be EUR, got "USD"',
    ])
    for (const amount of [0, -5, 1.5, 100_000_000_000, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) {
      expect(pathsOf({ transfers: [transfer({ amount })] })).toEqual(["transfers[0].amount"])
    }
  })

  it("names all that does not fit, each by its place, and is not written then", () => {
    const wrong: Party = {
      name: "",
      iban: "DE02120300000000202052",
      bic: "bank",
      address: { town: "", country: "Germany", lines: ["a", "b", "c"] },
    }
    const transfers = [
      transfer(),
      transfer({ recipient: wrong, reference: "x".repeat(141) }),
      transfer({ key: "k".repeat(36) }),
    ]
    expect(
      pathsOf({
        id: "",
        executeOn: "2026-02-30",
        createdAt: 0.5,
        payer: { ...ada, name: "🏦" },
        transfers,
      }),
    ).toEqual([
      "id",
      "createdAt",
      "executeOn",
      "payer.name",
      "transfers[1].key",
      "transfers[1].recipient.name",
      "transfers[1].recipient.address.lines",
      "transfers[1].recipient.address.town",
      "transfers[1].recipient.address.country",
      "transfers[1].recipient.iban",
      "transfers[1].recipient.bic",
      "transfers[1].reference",
      "transfers[2].key",
    ])
  })

  it("takes no key twice, and no batch without transfers", () => {
    expect(problemsOf({ transfers: [transfer(), transfer()] })).toEqual([
      'transfers[1].key stands at transfers[0] already: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f"',
    ])
    expect(problemsOf({ transfers: [] })).toEqual(["transfers must have at least one transfer"])
  })

  it("has any payments as they are told: amounts, keys and sums come out of the file again", async () => {
    const key = fc.oneof(fc.uuid(), fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/))
    const amount = fc.integer({ min: 1, max: 99_999_999_999 })
    const payment = fc.record({ key, amount, reference: fc.stringMatching(/^[ -~äöüé]{1,100}$/) })
    const files: Array<string> = []
    fc.assert(
      fc.property(
        fc.uniqueArray(payment, { selector: (each) => each.key, minLength: 1 }),
        (payments) => {
          const result = CreditTransfers.write(
            batch({ transfers: payments.map((each) => transfer(each)) }),
          )
          // A reference of blanks alone has nothing to read.
          if (Result.isFailure(result))
            return payments.some(({ reference }) => reference.trim() === "")
          const file = result.success
          const cents = textsOf(file, "InstdAmt").map((text) => Number(text.replace(".", "")))
          expect(cents).toEqual(payments.map((each) => each.amount))
          expect(textsOf(file, "EndToEndId").map(EndToEndId.toKey)).toEqual(
            payments.map((each) => each.key),
          )
          const sum = BigInt((textsOf(file, "CtrlSum")[0] ?? "").replace(".", ""))
          expect(sum).toBe(payments.reduce((total, each) => total + BigInt(each.amount), 0n))
          if (files.length < 20) files.push(file)
          return true
        },
      ),
      runs(300),
    )
    expect(files).toHaveLength(20)
    expect(await faultsOf(files)).toEqual([])
  })
})

describe("a key as an end-to-end id", () => {
  it("comes back as it was, and no two keys have the same id", () => {
    let fitted = 0
    const key = fc.oneof(
      fc.uuid(),
      fc.string({ maxLength: 36 }),
      fc.stringMatching(/^[0-9a-fA-F]{30,34}$/),
    )
    fc.assert(
      fc.property(key, (each) => {
        const id = EndToEndId.ofKey(each)
        if (Result.isFailure(id)) return id.failure.path === "key"
        fitted += 1
        return id.success.length <= 35 && EndToEndId.toKey(id.success) === each
      }),
      { numRuns: 1_000 },
    )
    expect(fitted).toBeGreaterThan(300)
  })

  it("is refused where it would come back as another", () => {
    const refused = [
      "0190A4C2-7B1E-7CC3-98C4-DC0C0C07398F",
      "a".repeat(32),
      "NotProvided",
      "",
      "a//b",
    ]
    for (const key of refused) expect(Result.isFailure(EndToEndId.ofKey(key))).toBe(true)
  })
})
