import { AccountStatement } from "apportion/rails/sepa"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { details, entry, type Movement, statement } from "./Answers.js"
import { batch, transfer } from "./Samples.js"

const day = Date.UTC(2026, 10, 20) / 1000

const id = "0190a4c27b1e7cc398c4dc0c0c07398f"
const key = "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f"

const all = (movement: Movement, options?: AccountStatement.StatementOptions) =>
  Result.getOrThrow(AccountStatement.readAll(statement(entry(movement)), options))

const only = (movement: Movement, options?: AccountStatement.StatementOptions) => {
  const { outcomes, others } = all(movement, options)
  expect([outcomes.length, others.length]).toEqual([1, 0])
  return outcomes[0]
}

const problemsOf = (text: string): ReadonlyArray<string> => {
  const result = AccountStatement.read(text)
  if (Result.isSuccess(result)) throw new RangeError("it was read")
  return result.failure.problems.map(({ path, message }) => `${path} ${message}`)
}

const returned = (code: string, ...words: ReadonlyArray<string>) =>
  `<RtrInf><Rsn><Cd>${code}</Cd></Rsn>${words.map((each) => `<AddtlInf>${each}</AddtlInf>`).join("")}</RtrInf>`

describe("a statement of an account", () => {
  it("confirms a payment by its booked debit, with day, amount and the bank's reference", () => {
    expect(only({ details: details(id) })).toEqual({
      ...{ key, type: "confirmed", at: day, amount: 10_000, currency: "EUR" },
      ...{ railReference: "BANK-1", fee: null, reason: null },
    })
  })

  it("returns a payment by a booked credit with its reason, its amount and what the bank kept", () => {
    const charges =
      '<Chrgs><Rcrd><Amt Ccy="EUR">5.00</Amt></Rcrd><Rcrd><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Rcrd></Chrgs>'
    const amount = '<Amt Ccy="EUR">96.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>'
    const inside = `${amount}${charges}${returned("AC04", "account closed")}`
    expect(
      only({ direction: "CRDT", amount: "96.00", details: details(id, inside) }),
    ).toMatchObject({
      ...{ key, type: "returned", amount: 9_600, fee: 400, reason: "AC04 account closed" },
    })
  })

  it("takes for a return what the bank marks as one in any of its ways", () => {
    const credit = { direction: "CRDT", details: details("payout-7") } as const
    expect(only({ ...credit, details: details("payout-7", returned("MD07")) })).toMatchObject({
      reason: "MD07",
    })
    for (const marked of [{ isReversal: true }, { code: "RRTN" }]) {
      expect(only({ ...credit, ...marked })).toMatchObject({
        ...{ key: "payout-7", type: "returned", reason: "came back, no reason given" },
      })
    }
    expect(only({ ...credit, details: details(id) })).toMatchObject({ key, type: "returned" })
  })

  it("takes no customer's payment for a return, whatever id the customer gave it", () => {
    const { outcomes, others } = all({ direction: "CRDT", details: details("invoice-12") })
    expect(outcomes).toEqual([])
    expect(others).toEqual([
      {
        direction: "in",
        at: day,
        amount: 10_000,
        currency: "EUR",
        endToEndId: "invoice-12",
        line: 6,
      },
    ])
  })

  it("tells a return that names no payment, for a person to find out whose it is", () => {
    const nameless = { key: null, type: "returned", amount: 10_000, railReference: "BANK-1" }
    const withReason = `<TxDtls>${returned("AC04")}</TxDtls>`
    expect(only({ direction: "CRDT", details: withReason })).toMatchObject({
      ...nameless,
      reason: "AC04",
    })
    const code = only({ direction: "CRDT", code: "RRTN" })
    expect(code).toMatchObject({ ...nameless, reason: "came back, no reason given" })
  })

  it("takes a credit for a return when its key was sent", () => {
    const sent = [batch({ transfers: [transfer({ key: "payout-7" })] })]
    const credit = { direction: "CRDT", details: details("payout-7") } as const
    expect(only(credit, { sent })).toMatchObject({ key: "payout-7", type: "returned" })
    expect(all(credit).outcomes).toEqual([])
  })

  it("asks the host whose key it is, when the host knows", () => {
    const isOurs = (each: string) => each === "payout-7"
    expect(only({ direction: "CRDT", details: details("payout-7") }, { isOurs })).toMatchObject({
      type: "returned",
    })
    expect(all({ details: details("rent") }, { isOurs }).others).toHaveLength(1)
  })

  it("leaves open what is not booked yet", () => {
    expect(only({ status: "PDNG", details: details(id) })).toMatchObject({ type: "accepted" })
    expect(
      only({ status: "PDNG", direction: "CRDT", details: details(id, returned("AC04")) }),
    ).toMatchObject({
      ...{ type: "unknown", reason: "AC04, not booked yet" },
    })
  })

  it("leaves a debit that takes a return back to a person", () => {
    expect(only({ isReversal: true, details: details(id) })).toMatchObject({
      ...{ type: "unknown", reason: "a debit for a reversal" },
    })
  })

  it("tells each payment of a debit that lists them", () => {
    const amounts = ["60.00", "40.00"]
    const listed = amounts.map((amount, index) =>
      details(`payout-${index}`, `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`),
    )
    const { outcomes } = all({ details: listed.join("") })
    expect(outcomes.map(({ key, amount, type }) => [key, amount, type])).toEqual([
      ["payout-0", 6_000, "confirmed"],
      ["payout-1", 4_000, "confirmed"],
    ])
  })

  describe("with one debit for a whole file", () => {
    const whole = "<Btch><PmtInfId>payouts-2026-11</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>"
    const transfers = [transfer({ key: "a", amount: 6_000 }), transfer({ key: "b", amount: 4_000 })]
    const sent = [batch({ transfers })]

    it("confirms each payment in it, when the file is known and the sum is its sum", () => {
      const { outcomes } = all({ details: whole }, { sent })
      expect(outcomes.map(({ key, amount, type }) => [key, amount, type])).toEqual([
        ["a", 6_000, "confirmed"],
        ["b", 4_000, "confirmed"],
      ])
      const back = all({ details: whole, direction: "CRDT", isReversal: true }, { sent })
      expect(back.outcomes.map(({ key, type }) => [key, type])).toEqual([
        ["a", "returned"],
        ["b", "returned"],
      ])
    })

    it("confirms the others, when the debit is without what the bank has rejected", () => {
      const known = [{ ...batch({ transfers }), rejected: ["b"] }]
      const { outcomes } = all({ details: whole, amount: "60.00" }, { sent: known })
      expect(outcomes.map(({ key, type }) => [key, type])).toEqual([["a", "confirmed"]])
      expect(all({ details: whole }, { sent: known }).outcomes).toHaveLength(2)
    })

    it("confirms nobody when the sum is another, and says so", () => {
      expect(only({ details: whole, amount: "99.99" }, { sent })).toMatchObject({
        ...{ key: null, type: "unknown", railReference: "payouts-2026-11", amount: 9_999 },
        reason: "the sum is not that of the file",
      })
    })

    it("keeps the file's id when the file is not known", () => {
      expect(only({ details: whole })).toMatchObject({
        ...{ key: null, type: "confirmed", railReference: "payouts-2026-11", amount: 10_000 },
      })
    })
  })

  it("loses no other movement: what it shows is an outcome or stands among the others", () => {
    const text = statement(
      entry({ details: details(id) }),
      entry({ amount: "0.99" }),
      entry({ amount: "7.00", direction: "CRDT", details: details("NOTPROVIDED") }),
      entry({ amount: "8.00", details: details("NOTPROVIDED") }),
    )
    const { outcomes, others } = Result.getOrThrow(AccountStatement.readAll(text))
    expect(outcomes).toHaveLength(1)
    expect(
      others.map(({ direction, amount, endToEndId }) => [direction, amount, endToEndId]),
    ).toEqual([
      ["out", 99, null],
      ["in", 700, "NOTPROVIDED"],
      ["out", 800, "NOTPROVIDED"],
    ])
  })

  it("tells a fee in the payment's currency alone, never a sum of two", () => {
    const charges = '<Chrgs><TtlChrgsAndTaxAmt Ccy="CHF">5.00</TtlChrgsAndTaxAmt></Chrgs>'
    expect(only({ details: details(id, charges) })).toMatchObject({ fee: null })
    expect(only({ details: details(id, charges.replace("CHF", "EUR")) })).toMatchObject({
      fee: 500,
    })
  })

  it("reads times with and without offsets, and older versions", () => {
    const older = statement(
      entry({
        details: details(id, '<AmtDtls><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls>'),
      }),
    )
      .replace("camt.053.001.08", "camt.053.001.02")
      .replace("<Sts><Cd>BOOK</Cd></Sts>", "<Sts>BOOK</Sts>")
    const times = ["2026-11-20T12:00:00", "2026-11-20T13:00:00+01:00", "2026-11-20T12:00:00.123Z"]
    for (const time of times) {
      const text = older.replace("<Dt>2026-11-20</Dt></BookgDt>", `<DtTm>${time}</DtTm></BookgDt>`)
      expect(Result.getOrThrow(AccountStatement.read(text))[0]).toMatchObject({
        ...{ key, type: "confirmed", amount: 10_000, at: day + 43_200 },
      })
    }
  })

  it("is refused with the places and lines of what can't be read, all at once", () => {
    const text = statement(
      entry({ amount: "1.999", details: details(id) }),
      entry({}).replace("<CdtDbtInd>DBIT</CdtDbtInd>", "<CdtDbtInd>DEBIT</CdtDbtInd>"),
      entry({})
        .replace(/<Sts>.*<\/Sts>/, "")
        .replace(/<CdtDbtInd>DBIT<\/CdtDbtInd>/, "")
        .replace(/<Amt.*<\/Amt>/, ""),
    )
    expect(problemsOf(text)).toEqual([
      'BkToCstmrStmt.Stmt[0].Ntry[0].Amt must be a decimal amount with its currency in Ccy ("EUR"), got "1.999" (line 6)',
      'BkToCstmrStmt.Stmt[0].Ntry[1].CdtDbtInd must be CRDT or DBIT, got "DEBIT" (line 7)',
      "BkToCstmrStmt.Stmt[0].Ntry[2].CdtDbtInd is missing (in the element of line 8)",
      "BkToCstmrStmt.Stmt[0].Ntry[2].Sts is missing (in the element of line 8)",
      "BkToCstmrStmt.Stmt[0].Ntry[2].Amt is missing (in the element of line 8)",
    ])
  })
})

describe("XML that means harm, or is none", () => {
  const messageOf = (text: string): string => problemsOf(text).join()
  const open = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">'

  it("is refused: document types, entities of its own, depth without end", () => {
    const bomb = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${open}&b;</Document>`
    expect(messageOf(bomb)).toContain("must have no document type")
    expect(messageOf('<!DOCTYPE d SYSTEM "file:///etc/passwd"><d/>')).toContain("no document type")
    expect(messageOf(`${open}&lol;</Document>`)).toContain("is not well-formed XML")
    expect(messageOf(`${open}<${"a".repeat(100_000)}>`).length).toBeLessThan(300)
    const attributes = Array.from({ length: 21 }, (_, index) => `a${index}="1"`).join(" ")
    expect(messageOf(`${open}<a ${attributes}/></Document>`)).toContain("at most 20 attributes")
    expect(messageOf(" ".repeat(64_000_001))).toContain("must have at most 64000000 characters")
    expect(messageOf(open + "<a>".repeat(1_000_000))).toContain("at most 50 elements deep (line 1)")
  })

  it("is refused: cut off, empty, of another kind, of another version of the world", () => {
    const whole = statement(entry({ details: details(id) }))
    for (const length of [0, 1, 60, 200, whole.length - 12]) {
      expect(messageOf(whole.slice(0, length))).not.toBe("")
    }
    expect(messageOf("{}")).toContain("is not well-formed XML")
    expect(messageOf("<Document/>")).toContain(
      'must be a Document of camt.053.001, got Document of ""',
    )
    expect(messageOf(`${open}<Other/></Document>`)).toContain("must hold BkToCstmrStmt")
    expect(messageOf(whole.replace("camt.053.001.08", "pain.002.001.10"))).toContain(
      "must be a Document of camt.053",
    )
  })

  it("is read where it is only odd: comments, CDATA, prefixes, a byte order mark", () => {
    const odd = statement(entry({ details: details(`<![CDATA[${id}]]><!-- no -->`) }))
      .replaceAll(/<(\/?)([A-Z])/g, "<$1c:$2")
      .replace("xmlns=", "xmlns:c=")
    expect(Result.getOrThrow(AccountStatement.read(`\ufeff${odd}`))[0]).toMatchObject({ key })
  })
})
