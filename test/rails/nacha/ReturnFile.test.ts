import { CreditFile, ReturnFile } from "apportion/rails/nacha"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../../generators/Runs.js"
import { batch, transfer } from "./Samples.js"

const at = Date.UTC(2026, 10, 23, 14, 5) / 1000

/** What a bank sends back of one entry. */
interface Back {
  readonly trace: string
  readonly id: string
  readonly amount: number
  readonly code?: string
  readonly kind?: "98" | "99"
  readonly information?: string
  readonly transaction?: string
}

const digits = (value: number, width: number) => String(value).padStart(width, "0")

/** A file of a bank, made without the library: columns by hand. */
const fileOf = (backs: ReadonlyArray<Back>): string => {
  const lines = backs.flatMap((back, index) => {
    const {
      trace,
      id,
      amount,
      code = "R03",
      kind = "99",
      information = "",
      transaction = "21",
    } = back
    const own = `02100002${digits(index + 1, 7)}`
    return [
      `6${transaction}091000019${"123456789".padEnd(17)}${digits(amount, 10)}${id.padEnd(15)}${"ZOE SON".padEnd(22)}  1${own}`,
      kind === "99"
        ? `799${code}${trace}      02100002${information.padEnd(44)}${own}`
        : `798${code}${trace}      02100002${information.padEnd(29)}${" ".repeat(15)}${own}`,
    ]
  })
  const debits = backs.filter(({ transaction }) => transaction === "26")
  const sum = (of: ReadonlyArray<Back>) => of.reduce((total, { amount }) => total + amount, 0)
  const [debit, credit] = [sum(debits), sum(backs) - sum(debits)]
  const hash = digits((backs.length * 9_100_001) % 10_000_000_000, 10)
  const totals = `${hash}${digits(debit, 12)}${digits(credit, 12)}`
  return [
    "101 123456789 0910000192611231405A094101PAPER HERON            FIRST BANK",
    "5200PAPER HERON                         1234567890PPDROYALTIES       261120   1021000020000001",
    ...lines,
    `8200${digits(2 * backs.length, 6)}${totals}1234567890${" ".repeat(25)}021000020000001`,
    `9000001000001${digits(2 * backs.length, 8)}${totals}`,
    "9".repeat(94),
  ].join("\n")
}

const { entries: sent } = Result.getOrThrow(
  CreditFile.write(batch({ transfers: [transfer(), transfer({ key: "payout-8", amount: 800 })] })),
)

const [first, second] = sent

const backOf = (index: number, changes: Partial<Back> = {}): Back => {
  const entry = sent[index]
  if (entry === undefined) throw new RangeError(`no entry ${index}`)
  return { ...entry, ...changes }
}

const outcomes = (...backs: ReadonlyArray<Back>) =>
  Result.getOrThrow(ReturnFile.read(fileOf(backs), { sent }))

const problemsOf = (text: string): ReadonlyArray<string> => {
  const result = ReturnFile.read(text)
  if (Result.isSuccess(result)) throw new RangeError("it was read")
  return result.failure.problems.map(({ path, message }) => `${path} ${message}`)
}

describe("a file of returns", () => {
  it("tells which payment came back, when, how much and why", () => {
    expect(
      outcomes(backOf(0, { code: "R02" }), backOf(1, { code: "R23", information: "NO THANKS" })),
    ).toEqual([
      {
        ...{ key: first?.key, railReference: first?.trace, type: "returned", at, amount: 12_345 },
        ...{ currency: "USD", fee: null, reason: "R02 account closed" },
      },
      {
        ...{ key: "payout-8", railReference: second?.trace, type: "returned", at, amount: 800 },
        ...{ currency: "USD", fee: null, reason: "R23 refused by the receiver: NO THANKS" },
      },
    ])
  })

  it("keeps a code that it has no words for", () => {
    expect(outcomes(backOf(0, { code: "R99" }))[0]?.reason).toBe("R99")
  })

  it("attributes nothing on the trace alone: id and amount have to be those that were sent", () => {
    const wrong = [backOf(0, { amount: 12_344 }), backOf(0, { id: "another" })]
    for (const outcome of outcomes(...wrong)) {
      expect(outcome).toMatchObject({ key: null, railReference: first?.trace, type: "returned" })
      expect(outcome.reason).toContain("id or amount is another than sent")
    }
    const unknown = outcomes(backOf(0, { trace: "091000010000099" }))[0]
    expect(unknown).toMatchObject({ key: null, reason: "R03 no account, or not found" })
    const twice = Result.getOrThrow(
      ReturnFile.read(fileOf([backOf(0)]), { sent: [...sent, ...sent] }),
    )
    expect(twice[0]).toMatchObject({ key: null })
    expect(twice[0]?.reason).toContain("several sent entries are like it")
  })

  it("tells what banks ask to write otherwise: those payments have arrived", () => {
    const change = backOf(0, { kind: "98", code: "C01", amount: 0, information: "1918171614" })
    const { outcomes: all, corrections } = Result.getOrThrow(
      ReturnFile.readAll(fileOf([change]), { sent }),
    )
    expect(corrections).toEqual([
      { key: first?.key, trace: first?.trace, code: "C01", data: "1918171614" },
    ])
    expect(all[0]).toMatchObject({
      ...{ key: first?.key, type: "accepted", amount: null, currency: null },
      reason: "C01 other account number: 1918171614",
    })
  })

  it("leaves a return of a return to a person, and returned debits to others", () => {
    expect(outcomes(backOf(0, { code: "R61" }))[0]).toMatchObject({
      key: first?.key,
      type: "unknown",
    })
    expect(outcomes(backOf(0, { transaction: "26" }))).toEqual([])
  })

  it("is read with any ends of lines, or none", () => {
    const text = fileOf([backOf(0), backOf(1)])
    const whole = Result.getOrThrow(ReturnFile.read(text, { sent }))
    const unbroken = text
      .split("\n")
      .map((line) => line.padEnd(94))
      .join("")
    for (const other of [text.replaceAll("\n", "\r\n"), `\ufeff${text}\n\n`, unbroken]) {
      expect(Result.getOrThrow(ReturnFile.read(other, { sent }))).toEqual(whole)
    }
  })

  it("is refused with the line where something is missing or was changed", () => {
    const lines = fileOf([backOf(0), backOf(1)]).split("\n")
    const without = (...places: ReadonlyArray<number>) =>
      problemsOf(lines.filter((_, index) => !places.includes(index)).join("\n")).join("\n")
    expect(without(0)).toContain("line 1 must be the file's header")
    expect(without(1)).toContain("must stand in a batch")
    expect(without(2, 3)).toContain("line 5 must have 12345 as its credits".replace("12345", "800"))
    expect(without(3)).toContain("line 3 must have an addenda record that says why")
    expect(without(6)).toContain("must follow the end of the last batch")
    expect(without(7, 8)).toContain("must end with the file's control record")
    expect(problemsOf("").join()).toContain("must end with the file's control record")
    expect(problemsOf("hello").join()).toContain("line 1 must be the file's header")
    const changed = lines.map((line) => line.replace("0000012345", "0000012346")).join("\n")
    expect(problemsOf(changed).join()).toContain("must have 13146 as its credits")
    const codeless = lines.map((line) => line.replace("799R03", "799X03").replace("260112", "2601"))
    expect(problemsOf(codeless.join("\n")).join()).toContain("must have a code of its reason")
    const undated = lines.map((line) => line.replace("2611231405", "2613331405"))
    expect(problemsOf(undated.join("\n")).join()).toContain(
      "line 1 must have the file's date as YYMMDD",
    )
    expect(problemsOf([...lines, "more"].join("\n")).join()).toContain(
      "must be padding after the end",
    )
    expect(
      problemsOf(lines.map((line, index) => (index === 2 ? `${line}x` : line)).join("\n")).join(),
    ).toContain("must have 94 characters")
  })

  it("comes back to the keys that were sent, whichever entries come back", () => {
    const payment = fc.record({
      key: fc.uuid(),
      amount: fc.integer({ min: 1, max: 9_999_999_999 }),
    })
    const payments = fc.uniqueArray(payment, {
      selector: ({ key }) => key,
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(payments, fc.infiniteStream(fc.boolean()), (each, chosen) => {
        const file = Result.getOrThrow(CreditFile.write(batch({ transfers: each.map(transfer) })))
        const backs = file.entries.filter(() => chosen.next().value === true)
        const read = Result.getOrThrow(ReturnFile.read(fileOf(backs), { sent: file.entries }))
        expect(read.map(({ key, amount, type }) => ({ key, amount, type }))).toEqual(
          backs.map(({ key, amount }) => ({ key, amount, type: "returned" })),
        )
      }),
      runs(200),
    )
  })

  it("never fails but with its problems, whatever it is given", () => {
    const line = fc.oneof(
      fc.constantFrom(...fileOf([backOf(0)]).split("\n")),
      fc.string({ maxLength: 100 }),
      fc.constantFrom("5", "6", "7", "8", "9"),
    )
    let refused = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const result = ReturnFile.readAll(lines.join("\n"), { sent })
        if (Result.isFailure(result)) refused += result.failure.problems.length > 0 ? 1 : 0
        return Result.isSuccess(result) || result.failure.problems.length > 0
      }),
      { numRuns: 500 },
    )
    expect(refused).toBeGreaterThan(100)
  })
})
