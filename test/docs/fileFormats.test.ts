import { readFileSync } from "node:fs"
import { SplitPolicy } from "apportion"
import { Collaborator, Group, Order, Policy } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as CsvColumns from "../../src/cli/input/CsvRecords.js"
import * as SplitWriter from "../../src/cli/split/SplitRun.js"
import * as StatementCsv from "../../src/cli/statement/StatementFiles.js"

const page = readFileSync("docs/guide/12-file-formats.md", "utf8")

/** The text of one chapter of the page. */
const section = (title: string): string => {
  const text = page.split(/^## /m).find((each) => each.startsWith(`${title}\n`))
  if (text === undefined) throw new RangeError(`the page has no chapter "${title}"`)
  return text
}

const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)

const rowsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| --"))
    .map((line) => line.split("|").slice(1, -1))

/** The names in the second column of the chapter's tables, whose header says what it holds. */
const columnsIn = (title: string): ReadonlyArray<string> =>
  rowsOf(section(title)).flatMap(([, column = ""]) => namesIn(column))

const missing = (names: Iterable<string>, text: string): ReadonlyArray<string> => {
  const named = new Set(namesIn(text))
  return [...names].filter((name) => !named.has(name))
}

const files: ReadonlyArray<readonly [title: string, columns: ReadonlyArray<string>]> = [
  ["Groups", Object.keys(CsvColumns.groups)],
  ["Orders", Object.keys({ ...CsvColumns.orders, ...CsvColumns.orderItems })],
  ["Refunds", Object.keys(CsvColumns.refunds)],
  ["Entries", Object.keys(CsvColumns.entries)],
  ["Collaborators", Object.keys(CsvColumns.collaborators)],
  ["Rates", Object.keys(CsvColumns.rates)],
]

const permissions = new Set(Collaborator.permissionFields)

describe("the page about the files", () => {
  for (const [title, columns] of files) {
    it(`names every CSV column of ${title.toLowerCase()}, and no other`, () => {
      const separate = new Set(columns.filter((name) => permissions.has(name)))
      const inTables = columns.filter((name) => !separate.has(name))
      expect(columnsIn(title).toSorted()).toEqual(inTables.toSorted())
      expect(missing(separate, section(title))).toEqual([])
    })
  }

  it("names every field of a group, an order and a collaborator", () => {
    expect(missing(Group.fields, section("Groups"))).toEqual([])
    expect(missing([...Order.fields, ...Order.itemFields], section("Orders"))).toEqual([])
    expect(missing(Collaborator.fields, section("Collaborators"))).toEqual([])
    expect(missing(Collaborator.permissionFields, section("Collaborators"))).toEqual([])
  })

  it("names every option of the policy with its default, and only values it can have", () => {
    const rows = rowsOf(section("Policy")).slice(1)
    const defaults = rows.map(([option = "", values = ""]) => {
      const [value = ""] = /(?<=\*\*`)[^`]+/.exec(values) ?? []
      return [namesIn(option)[0] ?? "", value]
    })
    expect(Object.fromEntries(defaults)).toEqual(
      Policy.write({ policy: SplitPolicy.defaults, timeZone: "UTC" }),
    )
    const refused = rows.flatMap(([option = "", values = ""]) =>
      namesIn(values).filter((value) =>
        Result.isFailure(Policy.read({ [namesIn(option)[0] ?? ""]: value }, { carries: true })),
      ),
    )
    expect(refused).toEqual([])
  })

  it("names every column that split writes as CSV", () => {
    const header = SplitWriter.of("csv", { withRefunds: true }).begin().trim().split(",")
    expect(header.length).toBeGreaterThan(1)
    expect(missing(header, section("What `split` writes"))).toEqual([])
  })

  it("names every column that statement writes as CSV", () => {
    const period = { timeZone: "UTC", from: undefined, until: 0 }
    const empty = { period, sections: [] }
    const header = [...StatementCsv.csvTexts(empty)].join("").trim().split(",")
    expect(header.length).toBeGreaterThan(1)
    expect(missing(header, section("What `statement` writes"))).toEqual([])
  })
})
