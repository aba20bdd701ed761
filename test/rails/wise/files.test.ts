import { BatchFile, TransactionHistory, type Transfer } from "apportion/rails/wise"
import { parse } from "csv-parse/sync"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

type Payment = Transfer<BatchFile.WiseRecipient>

const payment: Payment = {
  key: "at-1",
  amount: 123_456,
  currency: "EUR",
  reference: "Royalties, May",
  collaboratorId: "ada",
  recipient: { name: "Zoë Müller", account: { IBAN: "DE89370400440532013000" } },
}

const american: Payment = {
  ...payment,
  key: "at-2",
  currency: "USD",
  reference: "Royalties",
  recipient: {
    name: "Paper Heron, Inc.",
    isBusiness: true,
    email: "pay@example.com",
    account: {
      abartn: "026009593",
      accountNumber: "12345678",
      accountType: "CHECKING",
      addressCountryCode: "US",
      addressFirstLine: '50 Branson "Ave"',
      addressCity: "New York",
      addressState: "NY",
      addressPostCode: "10025",
    },
  },
}

const write = (...transfers: ReadonlyArray<Payment>) =>
  BatchFile.write({ sourceCurrency: "EUR", transfers })

const rowsOf = (...transfers: ReadonlyArray<Payment>): ReadonlyArray<Record<string, string>> =>
  parse(Result.getOrThrow(write(...transfers)), { columns: true, record_delimiter: "\r\n" })

const problemsOf = (...transfers: ReadonlyArray<Payment>) => {
  const made = write(...transfers)
  return Result.isFailure(made) ? made.failure.problems.map(({ path }) => path) : []
}

describe("Wise's batch file", () => {
  it("has the columns of every currency in it, as another parser of CSV reads them", () => {
    expect(rowsOf(payment, american)).toEqual([
      {
        name: "Zoë Müller",
        recipientEmail: "",
        paymentReference: "Royalties, May",
        receiverType: "PERSON",
        amountCurrency: "target",
        amount: "1234.56",
        sourceCurrency: "EUR",
        targetCurrency: "EUR",
        IBAN: "DE89370400440532013000",
        abartn: "",
        accountNumber: "",
        accountType: "",
        addressCountryCode: "",
        addressFirstLine: "",
        addressCity: "",
        addressState: "",
        addressPostCode: "",
      },
      {
        name: "Paper Heron, Inc.",
        recipientEmail: "pay@example.com",
        paymentReference: "Royalties",
        receiverType: "INSTITUTION",
        amountCurrency: "target",
        amount: "1234.56",
        sourceCurrency: "EUR",
        targetCurrency: "USD",
        IBAN: "",
        abartn: "026009593",
        accountNumber: "12345678",
        accountType: "CHECKING",
        addressCountryCode: "US",
        addressFirstLine: '50 Branson "Ave"',
        addressCity: "New York",
        addressState: "NY",
        addressPostCode: "10025",
      },
    ])
  })

  it("has the columns that the currency's accounts have, and those only", () => {
    const account = (currency: string, account: BatchFile.WiseAccount) =>
      problemsOf({
        ...payment,
        currency,
        reference: "Royalties",
        recipient: { name: "Ada", account },
      })
    const number = { accountNumber: "12345678" }
    expect(account("GBP", { sortCode: "231470", ...number })).toEqual([])
    expect(account("AUD", { bsbCode: "023604", ...number })).toEqual([])
    const canadian = {
      institutionNumber: "006",
      transitNumber: "04841",
      accountType: "SAVINGS",
    } as const
    expect(account("CAD", { ...canadian, ...number })).toEqual([])
    expect(account("NZD", { accountNumber: "03-1587-0050000-00" })).toEqual([])
    expect(account("CHF", { IBAN: "CH9300762011623852957" })).toEqual([])
    expect(account("GBP", { IBAN: "GB33BUKB20201555555555" })).toEqual([
      "transfers[0].recipient.account.IBAN",
      "transfers[0].recipient.account.sortCode",
      "transfers[0].recipient.account.accountNumber",
    ])
    expect(account("AUD", { bsbCode: "23604", ...number })).toEqual([
      "transfers[0].recipient.account.bsbCode",
    ])
    expect(account("JPY", number)).toEqual(["transfers[0].currency"])
  })

  it("pays saved recipients and e-mail addresses in the columns of their templates", () => {
    const saved = { ...payment, recipient: { recipientId: "148563324", name: "Ada" } }
    expect(rowsOf(saved)[0]).toMatchObject({
      recipientId: "148563324",
      name: "Ada",
      recipientDetail: "",
    })
    const mail = {
      ...payment,
      currency: "JPY",
      recipient: { email: "ada@example.com", name: "Ada" },
    }
    expect(rowsOf(mail)[0]).toMatchObject({ recipientEmail: "ada@example.com", amount: "123456" })
    expect(problemsOf(saved, { ...mail, key: "at-2" })).toEqual(["transfers[1].recipient"])
  })

  it("is refused for a reference that the receiver's country would cut", () => {
    const reference = "Royalties of May 2026"
    expect(problemsOf({ ...payment, reference })).toEqual([])
    expect(problemsOf({ ...american, reference })).toEqual(["transfers[0].reference"])
  })

  it("pays forints in whole units, which Wise does, and writes both decimals", () => {
    const forints = (amount: number) => ({ ...payment, currency: "HUF", amount })
    expect(rowsOf(forints(150_000))[0]?.amount).toBe("1500.00")
    expect(problemsOf(forints(150_050))).toEqual(["transfers[0].amount"])
  })

  it("is refused whole when anything is wrong in it", () => {
    const made = BatchFile.write({ sourceCurrency: "XYZ", transfers: [] })
    expect(Result.isFailure(made) && made.failure.problems.map(({ path }) => path)).toEqual([
      "transfers",
      "sourceCurrency",
    ])
    expect(problemsOf(payment, payment)).toEqual(["transfers[1].key"])
    const many = Array.from({ length: 1_001 }, (_, index) => ({ ...payment, key: `at-${index}` }))
    expect(problemsOf(...many)).toEqual(["transfers"])
  })
})

describe("Wise's list of transactions", () => {
  const header =
    'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency","Exchange rate",Reference,Batch,"Created by",Category,Note'

  const line = (status: string, changes: { name?: string; direction?: string; id?: string } = {}) =>
    `${changes.id ?? "TRANSFER-1001"},${status},${changes.direction ?? "OUT"},"2026-08-03 14:20:05","2026-08-03 14:23:11",0.45,EUR,,,Shop,1234.56,EUR,"${changes.name ?? "Zoë Müller"}",1234.56,EUR,1,"Royalties, May",B-77,Shop,General,`

  const read = (transfers: ReadonlyArray<Payment>, ...lines: ReadonlyArray<string>) =>
    Result.getOrThrow(TransactionHistory.read([header, ...lines].join("\n"), transfers))

  it("says what became of each transfer, under the key of the one payment that it can be", () => {
    expect(read([payment, american], line("COMPLETED"))).toEqual([
      {
        key: "at-1",
        railReference: "TRANSFER-1001",
        type: "confirmed",
        at: Date.UTC(2026, 7, 3, 14, 23, 11) / 1000,
        amount: 123_456,
        currency: "EUR",
        fee: 45,
        reason: null,
      },
    ])
  })

  it("has no key when several payments, or none, can be meant", () => {
    const twin = { ...payment, key: "at-9" }
    expect(read([payment, twin], line("COMPLETED"))[0]?.key).toBeNull()
    expect(read([{ ...payment, amount: 1 }], line("COMPLETED"))[0]?.key).toBeNull()
    expect(read([payment], line("COMPLETED", { name: "Zoe" }))[0]?.key).toBeNull()
  })

  it("finds each of many payments without going through all of them for each line", () => {
    let looked = 0
    const many = Array.from({ length: 500 }, (_, number) => ({
      ...payment,
      key: `at-${number}`,
      reference: `Payout ${number}`,
      get amount() {
        looked += 1
        return payment.amount
      },
    }))
    const lines = many.map(({ reference }) =>
      line("COMPLETED").replace("Royalties, May", () => reference),
    )
    const found = read(many, ...lines).map(({ key }) => key)
    expect(found).toEqual(many.map(({ key }) => key))
    expect(looked).toBeLessThanOrEqual(2 * many.length)
  })

  it("shows a payment that was made twice under its key twice", () => {
    const outcomes = read([payment], line("COMPLETED"), line("COMPLETED", { id: "TRANSFER-1002" }))
    expect(outcomes.map(({ key, railReference }) => [key, railReference])).toEqual([
      ["at-1", "TRANSFER-1001"],
      ["at-1", "TRANSFER-1002"],
    ])
  })

  it("has a meaning for each status, and none for one that is not known", () => {
    const statuses = ["PENDING", "CANCELLED", "REFUNDED", "LATER"]
    const types = read([payment], ...statuses.map((status) => line(status))).map(({ type }) => type)
    expect(types).toEqual(["accepted", "rejected", "returned", "unknown"])
  })

  it("leaves out what came in, and what is no transfer", () => {
    const others = [
      line("COMPLETED", { direction: "IN" }),
      line("COMPLETED", { id: "CARD_TRANSACTION-1" }),
    ]
    expect(read([payment], ...others)).toEqual([])
    expect(Result.isFailure(TransactionHistory.read("a,b\n1,2", []))).toBe(true)
  })
})
