import { afterAll, describe, expect, it } from "vitest"
import { Folder, run } from "../cli/world.js"
import { type kinds, linesCsv, monthly, type Row, Sheet, statementsCsv } from "./Sheet.js"
import { filesOf, type House, label, publisher, yearEnd } from "./Years.js"

const folder = new Folder()
afterAll(() => folder.remove())

const filled = (house: House): Sheet => {
  const sheet = new Sheet(house.contract)
  sheet.fill(house.invoices, house.returns, yearEnd)
  return sheet
}

const flagsOf = ({ folder: place }: House, ...others: ReadonlyArray<string>) => [
  ...["--groups", `${place}/groups.json`, "--orders", `${place}/orders.ndjson`],
  ...["--refunds", `${place}/refunds.json`, ...others],
]

const statement = (house: House, ...others: ReadonlyArray<string>) =>
  run([
    ...["statement", ...flagsOf(house), "--collaborators", `${house.folder}/collaborators.json`],
    ...["--agreements", `${house.folder}/agreements.json`, ...others],
  ])

type Kind = (typeof kinds)[number]

/** What a line of a payout is in the spreadsheet. */
const kindOf = (kind: string, name: string): Kind => {
  if (kind === "sale") return "royalty"
  if (kind === "refund") return "returned"
  if (/^(recouped|open again)/.test(name)) return "earned back"
  if (/^(withheld|given back)/.test(name)) return "kept"
  if (name.startsWith("released")) return "paid out"
  return name.startsWith("override") ? "commission" : "minimum"
}

/** The cells of a line; only names are in quotes. */
const cellsOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  )

/** The lines of payouts, from a statement as CSV. */
const linesOf = (csv: string) => {
  const [header = "", ...rows] = csv.trim().split("\n")
  const names = cellsOf(header)
  return rows.map((row) => {
    const cells = cellsOf(row)
    const cell = (name: string) => cells[names.indexOf(name)] ?? ""
    return {
      who: cell("collaborator_id"),
      kind: kindOf(cell("kind"), cell("name")),
      name: cell("name"),
      isBroughtForward: cell("kind") === "brought forward",
      at: Number(cell("at")),
      cents: BigInt(cell("amount")),
    }
  })
}

const textOf = (rows: ReadonlyArray<Pick<Row, "at" | "who" | "kind" | "cents">>) =>
  rows.map(({ at, who, kind, cents }) => `${at} ${who} ${kind} ${cents}`).sort()

const lastDays = ["01-31", "02-28", "03-31", "04-30", "05-31", "06-30"].concat(
  ...["07-31", "08-31", "09-30", "10-31", "11-30", "12-31"],
)

const summed = (sums: Readonly<Record<string, bigint>>): bigint =>
  Object.values(sums).reduce((sum, cents) => sum + cents, 0n)

describe.each([
  ["the publisher", publisher],
  ["the label", label],
])("a year of %s", (_, house) => {
  const sheet = filled(house)

  it("is in its files, with the spreadsheet", async () => {
    for (const [name, text] of Object.entries(filesOf(house))) {
      await expect(text).toMatchFileSnapshot(`../../${house.folder}/${name}`)
    }
    await expect(linesCsv(sheet)).toMatchFileSnapshot(`../../${house.folder}/spreadsheet.csv`)
    const statements = `../../${house.folder}/spreadsheet-by-month.csv`
    await expect(statementsCsv(sheet)).toMatchFileSnapshot(statements)
  })

  it("has the shares and returns of the spreadsheet, line by line", async () => {
    const { code, out } = await run(["split", ...flagsOf(house, "--format", "ndjson")])
    expect(code).toBe(0)
    const rows: Array<string> = []
    for (const line of out.trim().split("\n")) {
      const { order_id, shares, refunds } = JSON.parse(line)
      for (const { item_id, collaborator_id, amount } of shares) {
        rows.push(`${order_id} ${item_id} ${collaborator_id} royalty ${amount}`)
      }
      for (const refund of refunds) {
        for (const { collaborator_id, amount } of refund.shares) {
          rows.push(`${order_id} ${refund.item_id} ${collaborator_id} returned ${-amount}`)
        }
      }
    }
    const wanted = sheet.rows
      .filter(({ kind }) => kind === "royalty" || kind === "returned")
      .map(({ order, title, who, kind, cents }) => `${order} ${title} ${who} ${kind} ${cents}`)
    expect(wanted.length).toBeGreaterThan(70)
    expect(rows.filter((row) => !row.endsWith(" 0")).sort()).toEqual(wanted.sort())
  })

  it("has every line that agreements book", async () => {
    const { code, out } = await statement(
      house,
      "--until",
      "2027-01-01T00:00:01Z",
      "--format",
      "csv",
    )
    expect(code).toBe(0)
    const isOfSale = (kind: Kind) => kind === "royalty" || kind === "returned"
    const booked = linesOf(out).filter(({ kind }) => !isOfSale(kind))
    const wanted = sheet.rows.filter(({ kind, cents }) => !isOfSale(kind) && cents !== 0n)
    expect(wanted.length).toBeGreaterThan(30)
    expect(textOf(booked)).toEqual(textOf(wanted))
  })

  it("has what everybody earned in every month", async () => {
    const earned: Record<string, bigint> = {}
    for (const last of lastDays) {
      const month = `2026-${last.slice(0, 2)}`
      const period = ["--from", `${month}-01`, "--until", `2026-${last}`]
      const { code, out } = await statement(house, ...period, "--format", "csv")
      expect(code).toBe(0)
      for (const { who, cents, isBroughtForward } of linesOf(out)) {
        if (isBroughtForward) continue
        earned[`${month},${who}`] = (earned[`${month},${who}`] ?? 0n) + cents
      }
    }
    const wanted = [...monthly(sheet)]
      .filter(([key]) => key.startsWith("2026"))
      .map(([key, sums]) => [key, summed(sums)] as const)
    expect(wanted.length).toBeGreaterThan(30)
    const isSome = ([, cents]: readonly [string, bigint]) => cents !== 0n
    expect(Object.entries(earned).filter(isSome).sort()).toEqual(wanted.filter(isSome).sort())
  })

  it("ends with the balances of the spreadsheet", async () => {
    const { out } = await statement(house, "--until", "2026-12-31", "--format", "json")
    const { balances, counters } = JSON.parse(out)
    const { open, kept } = sheet.balances()
    for (const { name, amount } of house.contract.prepaid) {
      const found = balances.advances.find(
        ({ advance_id }: { advance_id: string }) => advance_id === name,
      )
      expect(String(amount - (found?.recouped ?? 0))).toBe(open[name])
    }
    for (const { who } of house.contract.kept) {
      const held = balances.held
        .filter(({ collaborator_id }: { collaborator_id: string }) => collaborator_id === who)
        .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
      expect(String(held)).toBe(kept[who])
    }
    if (house !== publisher) return
    const copies = counters.find(({ counted }: { counted: string }) => counted === "units")
    expect(copies.count).toBe(sheet.copies("road"))
  })
})

describe("the comparison", () => {
  it("would notice a bound that is one copy off, and a cent", () => {
    const [road, ...others] = publisher.contract.royalties
    const steps = road?.steps.map((step) => ({ ...step, below: step.below + 1 })) ?? []
    const royalties = road === undefined ? others : [{ ...road, steps }, ...others]
    const off = filled({ ...publisher, contract: { ...publisher.contract, royalties } })
    expect(linesCsv(off)).not.toBe(linesCsv(filled(publisher)))
    const minimums = [{ who: "otto", amount: 60_001 }]
    const cent = filled({ ...publisher, contract: { ...publisher.contract, minimums } })
    expect(statementsCsv(cent)).not.toBe(statementsCsv(filled(publisher)))
  })
})
