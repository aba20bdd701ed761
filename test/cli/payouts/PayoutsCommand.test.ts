import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Collaborator, Payout, PayoutItem } from "apportion"
import { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { postgres } from "../../sql/databases.js"
import { Folder, run } from "../world.js"

const world = new Folder()
const database = "payouts_command"
const at = (name: string) => join(world.path, name)
const account = "default"

const day = Date.UTC(2024, 0, 20) / 1_000

/** A payout of 123.45 euros that was closed long ago and is not held. */
const closed = (collaborator: Collaborator.Collaborator) =>
  Effect.gen(function* () {
    const owner = { collaboratorId: collaborator.id, currency: "EUR" }
    const facts = { ...owner, id: `of-${collaborator.id}`, openedAt: day - 86_400, toBePaidAt: day }
    const { items: _none, ...opened } = Payout.open(facts)
    const bonus = { id: "bonus", amount: 12_345, name: "Bonus", at: day }
    const item = yield* Effect.fromResult(PayoutItem.income(bonus, opened))
    const standing = { ...opened, status: "pending", closedAt: day, payableAt: day } as const
    const figures = { total: 12_345, itemsCount: 1, paymentId: null }
    return { payout: { ...standing, ...figures }, put: [item] }
  })

const fill = Effect.gen(function* () {
  const storage = yield* SqlStorage.make({ migrate: true })
  const collaborators = ["ada", "ben"].map((id) => Collaborator.make({ id, currency: "EUR" }))
  yield* storage.transaction(account, (stores) =>
    Effect.forEach(collaborators, (collaborator) =>
      Effect.gen(function* () {
        yield* stores.collaborators.insert({ collaborator, createdAt: day, updatedAt: day })
        yield* stores.payouts.insert(yield* closed(collaborator))
      }),
    ),
  )
  yield* storage.transaction("late", (stores) =>
    Effect.gen(function* () {
      const collaborator = Collaborator.make({ id: "ada", currency: "EUR" })
      yield* stores.collaborators.insert({ collaborator, createdAt: day, updatedAt: day })
      const { payout, put } = yield* closed(collaborator)
      const open = { status: "active", closedAt: null, payableAt: null } as const
      yield* stores.payouts.insert({ payout: { ...payout, ...open }, put })
    }),
  )
})

const settings = {
  payer: { name: "Paper Heron", iban: "DE02120300000000202051" },
  recipients: {
    ada: { name: "Ada Byron", iban: "FR1420041010050500013M02606" },
    ben: { name: "Ben Ofori", iban: "DE75512108001245126199" },
  },
}

beforeAll(async () => {
  await Effect.runPromise(Effect.provide(fill, postgres(database)))
  writeFileSync(at("bank.json"), JSON.stringify(settings))
}, 120_000)
afterAll(() => world.remove(), 60_000)

const payouts = (...args: ReadonlyArray<string>) => {
  const url = new URL(inject("postgresUrl"))
  url.pathname = `/${database}`
  return run(["payouts", ...args, "--database-url", `${url.href}?sslmode=disable`])
}

const asJson = async (...args: ReadonlyArray<string>) =>
  JSON.parse((await payouts(...args, "--format", "json")).out)

const exportTo = (to: string, ...more: ReadonlyArray<string>) =>
  payouts(
    ...["export", "--rail", "sepa", "--settings", at("bank.json"), "--pay-on", "2026-12-01"],
    ...["--to", at(to), ...more],
  )

const keysIn = (file: string): ReadonlyArray<string> =>
  [...readFileSync(at(file), "utf8").matchAll(/<EndToEndId>([^<]*)/g)].map(([, key = ""]) => key)

/** A status report of a bank about some payments, by their end-to-end ids. */
const report = (
  statuses: ReadonlyArray<readonly [id: string, status: string]>,
): string => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>r1</MsgId><CreDtTm>2026-12-01T10:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>x</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>x</OrgnlPmtInfId>${statuses
  .map(
    ([id, status]) =>
      `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts></TxInfAndSts>`,
  )
  .join("")}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`

describe("payouts that are paid by a file for a bank", () => {
  test("are listed when they can be paid, are claimed, and are then not due any more", async () => {
    const due = await payouts("due")
    expect(due.out).toMatch(/ada .* 123\.45 EUR/)
    const { payments } = await asJson("claim", "--rail", "sepa")
    expect(payments.map((one: { amount: number }) => one.amount)).toEqual([12_345, 12_345])
    expect((await payouts("due")).out).toBe("nothing can be paid now\n")
    const again = await asJson("claim", "--rail", "sepa")
    expect(again).toEqual({ payments })
  })

  test("are named when their date has come and nobody has closed them", async () => {
    const { out } = await payouts("due", "--account", "late")
    expect(out).toMatch(/^nothing can be paid now; .* not closed yet: .* payouts close /)
    expect((await payouts("due", "--account", "nobody")).out).toBe("nothing can be paid now\n")
  })

  test("are closed when their date has come, as the store's settings say", async () => {
    const late = ["--account", "late"]
    expect((await payouts("close", ...late, "--time-zone", "Mars")).err).toContain("--time-zone")
    expect((await payouts("close", ...late, "--maturity-days", "x")).err).toContain(
      '--maturity-days: must be a whole number from 0 to 3650, got "x"',
    )
    expect(await asJson("close", ...late)).toEqual({ closed: ["of-ada"], rolled: [] })
    expect((await payouts("close", ...late)).out).toBe("nothing is due\n")
    expect((await payouts("due", ...late)).out).toMatch(/of-ada +ada +123\.45 EUR/)
  })

  test("are payable again when they failed and what was wrong is put right", async () => {
    const late = ["--account", "late"]
    const { payments } = await asJson("claim", "--rail", "sepa", ...late)
    await exportTo("late.xml", ...late)
    await payouts("reject", payments[0].id, "--reason", "no such account", ...late)
    expect((await payouts("due", ...late)).out).toBe("nothing can be paid now\n")
    expect((await payouts("retry", "of-ada", ...late)).out).toMatch(/of-ada .* pending/)
    expect((await payouts("due", ...late)).out).toMatch(/of-ada/)
    expect((await payouts("retry", "of-ada", ...late)).err).toContain('"retry" can\'t happen')
  })

  test("are in no file, and stay claimed, while something in the settings is wrong", async () => {
    const wrong = { ...settings, recipients: { ada: { ...settings.recipients.ada, iban: "x" } } }
    writeFileSync(at("wrong.json"), JSON.stringify(wrong))
    const { code, err } = await payouts(
      ...["export", "--rail", "sepa", "--settings", at("wrong.json")],
      ...["--pay-on", "2026-12-01", "--to", at("wrong.xml")],
    )
    expect(code).toBe(2)
    expect(err).toContain("recipients.ben")
    expect(existsSync(at("wrong.xml"))).toBe(false)
    expect((await asJson("claim", "--rail", "sepa")).payments).toHaveLength(2)
  })

  test("are in one file once, which no second one takes the place of", async () => {
    const { code, out, err } = await exportTo("first.xml")
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("sent") })
    expect(err).toMatch(/first\.xml: 2 payments, file [0-9a-f]{32}/)
    expect(keysIn("first.xml")).toHaveLength(2)
    expect((await exportTo("first.xml")).err).toContain("is there already")
    expect((await exportTo("second.xml")).out).toContain("nothing is claimed")
    expect(existsSync(at("second.xml"))).toBe(false)
  })

  test("are written once more under the same id, to the byte, for who has lost the file", async () => {
    const id = /<MsgId>([^<]*)/.exec(readFileSync(at("first.xml"), "utf8"))?.[1] ?? ""
    expect((await exportTo("again.xml", "--again", id)).code).toBe(0)
    const withoutTime = (name: string) =>
      readFileSync(at(name), "utf8").replace(/<CreDtTm>[^<]*/, "")
    expect(withoutTime("again.xml")).toBe(withoutTime("first.xml"))
    expect((await exportTo("other.xml", "--again", "no-such-file")).code).toBe(2)
  })

  test("are paid or failed by the bank's answer, which changes nothing when it comes twice", async () => {
    const [one = "", other = ""] = keysIn("first.xml")
    writeFileSync(
      at("answer.xml"),
      report([
        [one, "ACSC"],
        [other, "RJCT"],
      ]),
    )
    const first = await payouts("import", "--rail", "sepa", at("answer.xml"))
    expect(first.code).toBe(0)
    expect(first.out).toMatch(/confirmed/)
    expect(first.out).toMatch(/rejected/)
    expect(await payouts("import", "--rail", "sepa", at("answer.xml"))).toEqual(first)
  })

  test("of which the bank names none that is known say so, and the others count", async () => {
    writeFileSync(at("strange.xml"), report([["nobody", "ACSC"]]))
    const { code, out } = await payouts("import", "--rail", "sepa", at("strange.xml"))
    expect(code).toBe(1)
    expect(out).toContain("there is no payment with the id nobody")
  })

  test("come back, and say so when a person notes it", async () => {
    const [one = ""] = keysIn("first.xml")
    const uuid = one.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
    const { code, out } = await payouts("return", uuid, "--reason", "account closed")
    expect(code).toBe(0)
    expect(out).toMatch(/returned .*account closed/)
    expect((await payouts("release", uuid)).code).toBe(2)
  })

  test("that are in nobody's hands are not stuck", async () => {
    expect(await payouts("stuck")).toMatchObject({ code: 0, out: "nothing is stuck\n" })
  })
})

test("a file that was cut off before it got its name is finished by the same command", async () => {
  renameSync(at("first.xml"), at("third.xml.unfinished"))
  const { code, out } = await exportTo("third.xml")
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("is finished now") })
  expect(existsSync(at("third.xml.unfinished"))).toBe(false)
  expect(keysIn("third.xml")).toHaveLength(2)
})

/** A database of its own, with so many payouts of 123.45 euros, all claimed. */
const claimedIn = async (
  name: string,
): Promise<(...args: ReadonlyArray<string>) => Promise<Ran>> => {
  await Effect.runPromise(Effect.provide(fill, postgres(name)))
  const url = new URL(inject("postgresUrl"))
  url.pathname = `/${name}`
  const ask = (...args: ReadonlyArray<string>) =>
    run(["payouts", ...args, "--database-url", `${url.href}?sslmode=disable`])
  await ask("claim", "--rail", "sepa")
  return ask
}

type Ran = Awaited<ReturnType<typeof run>>

const exporting = (to: string) => [
  ...["export", "--rail", "sepa", "--settings", at("bank.json"), "--pay-on", "2026-12-01"],
  ...["--to", at(to)],
]

describe("a payment is in one file only", () => {
  test("when a run was cut off after its plan, and another one with another name came in between", async () => {
    const ask = await claimedIn("payouts_two_files")
    const plan = { id: "0".repeat(32), rail: "sepa", account, createdAt: day, payOn: "2026-12-01" }
    writeFileSync(at("cut.xml.unfinished"), `plan of a payment file: ${JSON.stringify(plan)}`)
    await ask(...exporting("other.xml"))
    expect(keysIn("other.xml")).toHaveLength(2)
    const { code, out } = await ask(...exporting("cut.xml"))
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("no file is written") })
    expect(existsSync(at("cut.xml"))).toBe(false)
    expect(existsSync(at("cut.xml.unfinished"))).toBe(false)
  })

  test("when several runs write at once, whatever names they have", async () => {
    const ask = await claimedIn("payouts_at_once")
    const names = ["one.xml", "two.xml", "two.xml", "three.xml"]
    await Promise.all(names.map((name) => ask(...exporting(name))))
    for (const name of new Set(names)) {
      if (existsSync(at(`${name}.unfinished`))) await ask(...exporting(name))
    }
    const files = [...new Set(names)].filter((name) => existsSync(at(name)))
    const keys = files.flatMap(keysIn)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(2)
  })

  test("and none is noted as sent that was claimed after the file was found to be in order", async () => {
    const ask = await claimedIn("payouts_unfit")
    const plan = { id: "1".repeat(32), rail: "sepa", account, createdAt: day, payOn: "2026-12-01" }
    writeFileSync(at("unfit.xml.unfinished"), `plan of a payment file: ${JSON.stringify(plan)}`)
    writeFileSync(at("unfit.json"), JSON.stringify({ ...settings, recipients: {} }))
    const unfit = await ask(...exporting("unfit.xml").with(4, at("unfit.json")))
    expect(unfit.code).toBe(2)
    const { payments } = JSON.parse((await ask("claim", "--rail", "sepa", "--format", "json")).out)
    expect(payments).toHaveLength(2)
  })

  test("and what lies where a file is made is not taken for one when it is empty or cut", async () => {
    const ask = await claimedIn("payouts_cut_plan")
    for (const content of ["", 'plan of a payment file: {"id":"a']) {
      writeFileSync(at("half.xml.unfinished"), content)
      expect((await ask(...exporting("half.xml"))).code).toBe(2)
    }
    expect(existsSync(at("half.xml"))).toBe(false)
  })
})

describe("what a person is told", () => {
  test("names a recipient that stands in the settings twice, for only one of them would be paid", async () => {
    const text = JSON.stringify(settings).replace('"ben":', '"ada":')
    writeFileSync(at("twice.json"), text)
    const { code, err } = await payouts(...exporting("twice.xml").with(4, at("twice.json")))
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('twice.json:1: "ada" stands there twice'),
    })
  })

  test("says that an answer without keys can't be read without the settings of the export", async () => {
    writeFileSync(at("answer.txt"), "x")
    for (const rail of ["wise", "nacha"]) {
      const { code, err } = await payouts("import", "--rail", rail, at("answer.txt"))
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining("--settings: is missing"),
      })
      const wrong = await payouts(
        "import",
        "--rail",
        rail,
        "--settings",
        at("answer.xml.json"),
        at("answer.txt"),
      )
      expect(wrong.code).toBe(2)
    }
  })

  test("calls columns and collaborators by their own names", async () => {
    const { err } = await payouts("import", "--rail", "paypal", at("answer.txt"))
    expect(err).toContain("answer.txt: Transaction ID: is no column")
  })

  test("says that a reference is too long for the rail by the name of its flag", async () => {
    const ask = await claimedIn("payouts_reference")
    const long = [...exporting("long.xml"), "--reference", "x".repeat(141)]
    const { code, err } = await ask(...long)
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^apportion: --reference: must have at most 140 characters/),
    })
  })

  test("says when an answer shows a payment twice, though it is noted once", async () => {
    const ask = await claimedIn("payouts_paid_twice")
    await ask(...exporting("double.xml"))
    const [one = "", other = ""] = keysIn("double.xml")
    const statuses = [one, other, one].map((key) => [key, "ACSC"] as const)
    writeFileSync(at("double-answer.xml"), report(statuses))
    const { code, out } = await ask("import", "--rail", "sepa", at("double-answer.xml"))
    expect(code).toBe(1)
    expect(out.match(/was it paid twice/g)).toHaveLength(1)
  })
})
