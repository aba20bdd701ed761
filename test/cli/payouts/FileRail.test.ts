import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { type FileRail, fileRails } from "../../../src/cli/payouts/FileRail.js"

const railOf = (name: string): FileRail => {
  const found = fileRails.find((rail) => rail.name === name)
  if (found === undefined) throw new TypeError(`no rail ${name}`)
  return found
}

const instruction = {
  ...{ key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f", amount: 12_345, collaboratorId: "ada" },
  reference: "Payout 7",
}

const fileOf = (currency: string) => ({
  ...{ id: "file-1", createdAt: 1_795_046_400, payOn: "2026-11-20" },
  instructions: [{ ...instruction, currency }],
})

const settings = {
  sepa: {
    payer: { name: "Paper Heron", iban: "DE02120300000000202051" },
    recipients: { ada: { name: "Ada Byron", iban: "FR1420041010050500013M02606" } },
  },
  paypal: { recipients: { ada: { email: "ada@example.com" } } },
  wise: {
    sourceCurrency: "EUR",
    recipients: { ada: { name: "Ada Byron", email: "ada@example.com" } },
  },
  nacha: {
    bank: { name: "FIRST BANK", routing: "021000021" },
    origin: { name: "PAPER HERON", id: "123456789" },
    company: { name: "PAPER HERON", id: "1123456789", description: "ROYALTIES" },
    recipients: {
      ada: {
        ...{ name: "Ada Byron", routing: "011000015", account: "12345678" },
        ...{ type: "checking", isCompany: false },
      },
    },
  },
}

const rails = [
  { name: "sepa", currency: "EUR", has: '<InstdAmt Ccy="EUR">123.45</InstdAmt>' },
  { name: "paypal", currency: "USD", has: "ada@example.com,123.45,USD" },
  { name: "wise", currency: "EUR", has: "123.45" },
  { name: "nacha", currency: "USD", has: "0000012345" },
] as const

const problemsOf = (result: Result.Result<unknown, ReadonlyArray<{ readonly path: string }>>) =>
  Result.isFailure(result) ? result.failure.map(({ path }) => path) : []

describe.each(rails)("a file for $name", ({ name, currency, has }) => {
  const rail = railOf(name)
  const own = settings[name]

  test("has the amount, exact from cents, beside who gets it", () => {
    expect(Result.getOrThrow(rail.write(own, fileOf(currency)))).toContain(has)
  })

  test("is the same whenever it is written of the same payments", () => {
    const once = rail.write(own, fileOf(currency))
    expect(rail.write(own, fileOf(currency))).toEqual(once)
  })

  test("is not written without a recipient, who is named", () => {
    const written = rail.write({ ...own, recipients: {} }, fileOf(currency))
    expect(problemsOf(written)).toContain("recipients.ada")
  })

  test("is not written with settings that are none", () => {
    for (const wrong of [undefined, null, [], "x", 7]) {
      expect(problemsOf(rail.write(wrong, fileOf(currency))).length, String(wrong)).toBeGreaterThan(
        0,
      )
    }
  })

  test("names the collaborator in whose recipient something is wrong", () => {
    const recipients = { ada: { ...own.recipients.ada, name: 7, email: 7, payerId: undefined } }
    const paths = problemsOf(rail.write({ ...own, recipients }, fileOf(currency)))
    expect(paths.length).toBeGreaterThan(0)
    for (const path of paths) expect(path).toMatch(/^recipients\.ada/)
  })

  test("is of the currencies that the rail pays", () => {
    const codes = rail.terms.currencies?.map((one) => one.currency)
    expect(codes).toContain(currency)
    expect(problemsOf(rail.write(own, fileOf("XAU"))).length).toBeGreaterThan(0)
  })

  test("waits for as long as nobody uploads it: nobody believes that it was lost", () => {
    expect(rail.terms).toMatchObject({ mode: "batch", knownSeconds: null })
    expect(rail.terms.lateSeconds).toBeGreaterThan(10 * 365 * 86_400)
  })

  test("is answered by what can be read, or the problem has a place", () => {
    const sent = [{ id: "file-1", transfers: fileOf(currency).instructions }]
    const answer = rail.read("nothing of the kind", { sent, settings: own })
    expect(Result.isFailure(answer)).toBe(true)
  })
})

test("a bank account in a return of an ACH file is known by the place of its payment in the file", () => {
  const rail = railOf("nacha")
  const sent = [{ id: "file-1", transfers: fileOf("USD").instructions }]
  // The return of the first entry of a file: addenda 99 with the reason and the original trace.
  const file = Result.getOrThrow(rail.write(settings.nacha, fileOf("USD")))
  const entry = file.split(/\r?\n/).find((line) => line.startsWith("6"))
  expect(entry?.slice(79, 94)).toBe("021000020000001")
  expect(Result.isFailure(rail.read(file, { sent, settings: undefined }))).toBe(true)
})

test("an answer leaves a payment in its file, so that the next answer finds the places of the others", () => {
  const rail = railOf("nacha")
  const sent = [{ id: "file-1", transfers: fileOf("USD").instructions }]
  const answer = [
    "101 123456789 0210000212611231405A094101PAPER HERON            FIRST BANK",
    "5220PAPER HERON                         1234567890PPDROYALTIES       261120   0910000190000001",
    `621021000021${"1".padEnd(17)}0000012345${entryId(rail)}${"ADA".padEnd(22)}  1091000010000001`,
    `799R03021000020000001      09100001${" ".repeat(44)}091000010000001`,
    `822000000200021000020000000000000000000123451234567890${" ".repeat(25)}091000010000001`,
    "9000001000001000000020002100002000000000000000000012345",
  ].join("\n")
  const outcomes = Result.getOrThrow(rail.read(answer, { sent, settings: settings.nacha }))
  expect(outcomes).toMatchObject([
    { key: sent[0]?.transfers[0]?.key, type: "returned", railReference: null },
  ])
})

/** What stands for the key in the first entry of the file. */
const entryId = (rail: FileRail): string => {
  const file = Result.getOrThrow(rail.write(settings.nacha, fileOf("USD")))
  const entry = file.split("\n").find((line) => line.startsWith("6"))
  return entry?.slice(39, 54) ?? ""
}
