import { StatusReport } from "apportion/rails/sepa"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { because, group, information, report, transaction } from "./Answers.js"
import { batch, transfer } from "./Samples.js"

const at = Date.UTC(2026, 10, 20, 8, 30) / 1000

const outcomes = (text: string, options?: StatusReport.ReportOptions) =>
  Result.getOrThrow(StatusReport.read(text, options))

const problemsOf = (text: string): ReadonlyArray<string> => {
  const result = StatusReport.read(text)
  if (Result.isSuccess(result)) throw new RangeError("it was read")
  return result.failure.problems.map(({ path, message }) => `${path} ${message}`)
}

const keys = ["payout-1", "payout-2", "payout-3"]

const sent = [
  batch({ transfers: keys.map((key, index) => transfer({ key, amount: 100 + index })) }),
]

describe("a status report of a bank", () => {
  it("that speaks of a file in two places gives each payment of it one outcome", () => {
    const first = `<PmtInfSts>ACCP</PmtInfSts>${transaction("payout-1", "RJCT")}`
    const second = `<PmtInfSts>ACCP</PmtInfSts>${transaction("payout-2", "ACSC")}`
    const typesOf = (...parts: ReadonlyArray<string>) =>
      outcomes(report(group("") + parts.map((part) => information(part)).join("")), { sent }).map(
        ({ key, type }) => [key, type],
      )
    expect(typesOf(first, second)).toEqual([
      ["payout-1", "rejected"],
      ["payout-2", "confirmed"],
      ["payout-3", "accepted"],
    ])
    const contrary = second.replace("ACCP", "RJCT")
    expect(typesOf(first, contrary).at(-1)).toEqual(["payout-3", "unknown"])
    expect(typesOf(...Array.from({ length: 50 }, () => first))).toHaveLength(52)
  })

  it("has the outcome of each payment that it lists, with its reason", () => {
    const text = report(
      group("<GrpSts>PART</GrpSts>") +
        information(
          transaction(
            "0190a4c27b1e7cc398c4dc0c0c07398f",
            "ACSC",
            "<AcctSvcrRef>BANK-7</AcctSvcrRef>",
          ) +
            transaction(
              "payout-2",
              "RJCT",
              because("AC01", "account &amp; bank", "do not fit") + because("AG01"),
            ) +
            transaction("payout-3", "ACSP"),
        ),
    )
    const nothing = {
      railReference: null,
      amount: null,
      currency: null,
      fee: null,
      reason: null,
      at,
    }
    expect(outcomes(text).slice(0, 3)).toEqual([
      {
        ...nothing,
        key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f",
        type: "confirmed",
        railReference: "BANK-7",
      },
      {
        ...nothing,
        key: "payout-2",
        type: "rejected",
        reason: "AC01 account & bank do not fit; AG01",
      },
      { ...nothing, key: "payout-3", type: "accepted" },
    ])
  })

  it("means the same by each status in every version", () => {
    const meant = {
      ...{
        ACCP: "accepted",
        ACSP: "accepted",
        ACSC: "confirmed",
        ACCC: "confirmed",
        ACTC: "accepted",
      },
      ...{
        RJCT: "rejected",
        CANC: "rejected",
        PDNG: "accepted",
        RCVD: "accepted",
        ACWC: "accepted",
      },
      ...{ PART: "unknown", BLCK: "unknown", ZZZZ: "unknown", constructor: "unknown" },
    }
    for (const [status, type] of Object.entries(meant)) {
      for (const version of ["03", "10", "14"]) {
        const [outcome] = outcomes(report(information(transaction("a", status)), version))
        expect([status, outcome?.type]).toEqual([status, type])
        expect(outcome?.reason).toBe(["rejected", "unknown"].includes(type) ? status : null)
      }
    }
  })

  it("says of a whole file what it says of each payment in it, when the file is known", () => {
    const text = report(group(`<GrpSts>RJCT</GrpSts>${because("AM04")}`))
    expect(
      outcomes(text, { sent }).map(({ key, type, reason, amount }) => ({
        key,
        type,
        reason,
        amount,
      })),
    ).toEqual([
      { key: "payout-1", type: "rejected", reason: "AM04", amount: 100 },
      { key: "payout-2", type: "rejected", reason: "AM04", amount: 101 },
      { key: "payout-3", type: "rejected", reason: "AM04", amount: 102 },
    ])
  })

  it("loses no word of a whole file that is not known", () => {
    const whole = {
      key: null,
      railReference: "payouts-2026-11",
      type: "rejected",
      reason: "AM04",
      at,
    }
    const text = report(group(`<GrpSts>RJCT</GrpSts>${because("AM04")}`))
    expect(outcomes(text)).toEqual([{ ...whole, amount: null, currency: null, fee: null }])
    const other = [{ ...batch(), id: "another" }]
    expect(outcomes(text, { sent: other }).map(({ key }) => key)).toEqual([null])
  })

  it("says of a payment what is nearest to it: itself, then its payment information, then the file", () => {
    const text = report(
      group("<GrpSts>PART</GrpSts>") +
        information(`<PmtInfSts>ACCP</PmtInfSts>${transaction("payout-2", "RJCT")}`) +
        information(
          "<TxInfAndSts><OrgnlEndToEndId>elsewhere</OrgnlEndToEndId></TxInfAndSts>",
          "other",
        ),
    )
    const types = new Map(outcomes(text, { sent }).map(({ key, type }) => [key, type]))
    expect(types.get("payout-1")).toBe("accepted")
    expect(types.get("payout-2")).toBe("rejected")
    expect(types.get("payout-3")).toBe("accepted")
    expect(types.get("elsewhere")).toBe("unknown")
  })

  it("leaves open what became of a payment that is not listed in a file taken in part", () => {
    const text = report(
      group("<GrpSts>PART</GrpSts><OrgnlNbOfTxs>3</OrgnlNbOfTxs>") +
        information(transaction("payout-2", "RJCT")),
    )
    expect(outcomes(text, { sent }).map(({ key, type }) => [key, type])).toEqual([
      ["payout-2", "rejected"],
      ["payout-1", "unknown"],
      ["payout-3", "unknown"],
    ])
  })

  it("tells amounts and charges where the bank does", () => {
    const amount = '<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">123.4</InstdAmt></Amt></OrgnlTxRef>'
    const charges =
      '<ChrgsInf><Amt Ccy="EUR">0.10</Amt></ChrgsInf><ChrgsInf><Amt Ccy="EUR">0.20</Amt></ChrgsInf>'
    const [outcome] = outcomes(report(information(transaction("a", "ACSC", charges + amount))))
    expect(outcome).toMatchObject({ amount: 12_340, currency: "EUR", fee: 30 })
  })

  it("keeps a payment without an id of its own by what else the bank calls it", () => {
    const bare =
      "<TxInfAndSts><StsId>S-9</StsId><OrgnlInstrId>I-9</OrgnlInstrId><TxSts>RJCT</TxSts></TxInfAndSts>"
    expect(outcomes(report(information(bare)))[0]).toMatchObject({
      key: null,
      railReference: "I-9",
      type: "rejected",
    })
    const none = outcomes(report(information(transaction("NOTPROVIDED", "RJCT"))))
    expect(none[0]).toMatchObject({ key: null, type: "rejected" })
  })

  it("is refused with the place and the line of what can't be read", () => {
    const amount = '<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">12,50</InstdAmt></Amt></OrgnlTxRef>'
    const text = report(information(transaction("a", "ACSC", amount)))
    expect(problemsOf(text)).toEqual([
      'CstmrPmtStsRpt.OrgnlPmtInfAndSts[0].TxInfAndSts[0].OrgnlTxRef.Amt.InstdAmt must be a decimal amount with its currency in Ccy ("EUR"), got "12,50" (line 5)',
    ])
    expect(problemsOf(report("").replace("2026-11-20", "2026-11-31"))[0]).toContain(
      "CstmrPmtStsRpt.GrpHdr.CreDtTm must be a day or a time",
    )
  })
})
