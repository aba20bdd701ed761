import { ActivityReport, CustomerId, MassPayment } from "apportion/rails/paypal"
import { parse } from "csv-parse/sync"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const transfer = {
  key: "0199a3c2-71aa-7c3e-8a50-1f9d6f0c2b11",
  amount: 123_456,
  currency: "USD",
  reference: 'Royalties; "Paper Heron", May',
  collaboratorId: "ada",
  recipient: { email: "ada@example.com" },
}

const cellsOf = (file: string): ReadonlyArray<ReadonlyArray<string>> =>
  parse(file, { record_delimiter: "\r\n" })

const problemsOf = (...transfers: Parameters<typeof MassPayment.write>[0]["transfers"]) => {
  const made = MassPayment.write({ transfers })
  return Result.isFailure(made) ? made.failure.problems.map(({ path }) => path) : []
}

describe("PayPal's file of payments", () => {
  it("has a line for each, which another parser of CSV reads as it was meant", () => {
    const zoe = {
      ...transfer,
      key: "at-2",
      amount: 5,
      recipient: { email: "zoë".normalize("NFC") },
    }
    expect(problemsOf(zoe)).toEqual(["transfers[0].recipient.email"])
    const second = { ...transfer, key: "at-2", amount: 5, reference: "Zoë 🎉 שלום" }
    const file = Result.getOrThrow(MassPayment.write({ transfers: [transfer, second] }))
    expect(cellsOf(file)).toEqual([
      ["ada@example.com", "1234.56", "USD", "01j6hs4sdafgv8kk0vjlngoaoh", transfer.reference],
      ["ada@example.com", "0.05", "USD", "at-2", "Zoë 🎉 שלום"],
    ])
  })

  it("has one currency and one kind of recipient, and no payment twice", () => {
    const payer = { ...transfer, key: "at-2", recipient: { payerId: "G83JXTJ5EHCQ2" } }
    expect(problemsOf(transfer, payer)).toEqual(["transfers[1].recipient"])
    expect(problemsOf(transfer, { ...transfer, key: "at-2", currency: "EUR" })).toEqual([
      "transfers[1].currency",
    ])
    expect(problemsOf(transfer, transfer)).toEqual(["transfers[1].key"])
    expect(problemsOf()).toEqual(["transfers"])
  })

  it("holds nothing that a spreadsheet would run", () => {
    for (const text of ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"]) {
      expect(problemsOf({ ...transfer, reference: text }), text).toEqual(["transfers[0].reference"])
      expect(problemsOf({ ...transfer, key: text })).toEqual(["transfers[0].key"])
    }
    const recipient = { email: "=cmd@example.com" }
    expect(problemsOf({ ...transfer, recipient })).toEqual(["transfers[0].recipient.email"])
  })
})

describe("the customer id of a key", () => {
  it("is read back as the key, for every UUID and for every other key that fits", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 40 })), (key) => {
        const id = CustomerId.ofKey(key)
        if (Result.isFailure(id)) return id.failure.path === "key"
        expect(id.success.length).toBeLessThanOrEqual(30)
        return CustomerId.toKey(id.success) === key
      }),
    )
    const most = "ffffffff-ffff-ffff-ffff-ffffffffffff"
    expect(CustomerId.toKey(Result.getOrThrow(CustomerId.ofKey(most)))).toBe(most)
  })

  it("is refused for a key that would come back as another", () => {
    expect(Result.isFailure(CustomerId.ofKey("01i2ic4uoufj1phh6s1g60eecf"))).toBe(true)
  })

  it("is read in capitals too, as some hand it back", () => {
    const key = "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f"
    expect(CustomerId.toKey("01I2IC4UOUFJ1PHH6S1G60EECF")).toBe(key)
  })
})

describe("PayPal's activity report", () => {
  const header =
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","To Email Address","Transaction ID","Custom Number"'
  const line = (status: string, id: string, changes = "") =>
    `"01/27/2026","10:17:41","PST","Ada","Mass Pay Payment","${status}","USD","-1,009.87","-0.25","-1,010.12","ada@example.com","4YH1","${id}"${changes}`

  const read = (text: string, options = {}) => Result.getOrThrow(ActivityReport.read(text, options))

  it("says what became of each payment of the file, under its key", () => {
    const report = [
      `\uFEFF${header}`,
      line("Completed", "01j6hs4sdafgv8kk0vjlngoaoh"),
      line("Unclaimed", ""),
    ]
    const [paid, held] = read(report.join("\r\n"))
    expect(paid).toEqual({
      key: "0199a3c2-71aa-7c3e-8a50-1f9d6f0c2b11",
      railReference: "4YH1",
      type: "confirmed",
      at: null,
      amount: 100_987,
      currency: "USD",
      fee: 25,
      reason: null,
    })
    expect(held).toMatchObject({ key: null, type: "accepted" })
  })

  it("has a meaning for each status, and none for one that is not known", () => {
    const types = (...statuses: ReadonlyArray<string>) =>
      read([header, ...statuses.map((status) => line(status, "at-1"))].join("\n")).map(
        ({ type }) => type,
      )
    expect(types("Returned", "Denied", "Failed")).toEqual(["rejected", "rejected", "rejected"])
    expect(types("Refunded", "Reversed")).toEqual(["returned", "returned"])
    expect(types("Abgeschlossen", "")).toEqual(["unknown", "unknown"])
  })

  it("has no meaning for a status that only sounds like something", () => {
    const statuses = ["constructor", "__proto__", "toString"]
    const outcomes = read([header, ...statuses.map((status) => line(status, "at-1"))].join("\n"))
    expect(outcomes.map(({ type }) => type)).toEqual(["unknown", "unknown", "unknown"])
  })

  it("shows money that comes in as the payment coming back, never as one that was made", () => {
    const back = (status: string) =>
      line(status, "at-1").replace("Payment", "Reversal").replace("-1,009.87", "1,009.87")
    expect(read([header, back("Completed"), back("Pending")].join("\n"))).toMatchObject([
      { key: "at-1", type: "returned", amount: 100_987, reason: "Mass Pay Reversal, Completed" },
      { key: "at-1", type: "unknown", amount: 100_987 },
    ])
    const printed = line("Completed", "at-1").replace("-1,009.87", "\u22121,009.87")
    expect(read([header, printed].join("\n"))).toMatchObject([
      { type: "confirmed", amount: 100_987 },
    ])
  })

  it("leaves out what is no payment of the file", () => {
    const other = line("Completed", "at-1").replace("Mass Pay Payment", "Website Payment")
    expect(read([header, other].join("\n"))).toEqual([])
  })

  it("reads semicolons and commas in amounts, and the key from the column that the host names", () => {
    const semicolons = [
      "Type;Status;Currency;Gross;Fee;Transaction ID;Invoice Number",
      "Mass Pay Payment;Completed;EUR;-1.009,87;-0,25;4YH1;at-7",
    ]
    expect(read(semicolons.join("\n"), { keyColumn: "Invoice Number" })).toMatchObject([
      { key: "at-7", amount: 100_987, fee: 25 },
    ])
  })

  it("is refused when it is no such report", () => {
    const pathsOf = (text: string) => {
      const result = ActivityReport.read(text)
      return Result.isFailure(result) && result.failure.problems.map(({ path }) => path)
    }
    expect(pathsOf("")).toEqual(["Type", "Status", "Currency", "Gross", "Transaction ID"])
    expect(pathsOf("Type,Status\n")).toEqual(["Currency", "Gross", "Transaction ID"])
    expect(pathsOf(`${header}\n"never ends`)).toEqual(["line 2"])
  })
})
