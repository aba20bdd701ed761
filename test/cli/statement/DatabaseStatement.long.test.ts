import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askOverHttp, filledFolder, folderAt } from "../FilledStore.js"
import { Folder, run } from "../world.js"

const world = new Folder()
const data = join(world.path, "data")
let json = ""
beforeAll(async () => {
  await filledFolder(data)
  json = (await run(["statement", "--data", data, "--account", "default", "--format", "json"])).out
}, 120_000)
afterAll(() => world.remove(), 60_000)

const statement = (...args: ReadonlyArray<string>) =>
  run(["statement", "--data", data, "--account", "default", ...args])

interface Figures {
  readonly [name: string]: number
}

interface JsonStatement {
  readonly collaborator: { readonly id: string }
  readonly statements: ReadonlyArray<Figures & { readonly currency: string }>
  readonly items: ReadonlyArray<{ readonly currency: string; readonly amount: number }>
}

const dataOf = (out: string): ReadonlyArray<JsonStatement> => JSON.parse(out).data

describe("a statement of what is stored", () => {
  it("has a row for each collaborator and currency, with the balances before and after", async () => {
    const { code, out, err } = await statement()
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const [titles, ...rows] = out.trim().split("\n")
    expect(titles).toMatch(/^account +collaborator +currency +opening +sales .* +paid +closing$/)
    expect(rows.some((row) => /^default +ada +/.test(row))).toBe(true)
  })

  it("adds up as JSON, to the items too", async () => {
    const all = dataOf(json)
    expect(all.length).toBeGreaterThan(0)
    expect(all.flatMap(({ items }) => items).length).toBeGreaterThan(0)
    for (const { statements, items } of all) {
      for (const { currency, opening = 0, closing } of statements) {
        const own = items.filter((item) => item.currency === currency)
        expect(own.reduce((sum, { amount }) => sum + amount, opening)).toBe(closing)
      }
    }
  })

  it.each(["json", "csv", "html", "table"])(
    "goes into a file for each collaborator as %s",
    async (format) => {
      const folder = join(world.path, `statements-${format}`)
      const { code, out, err } = await statement("--format", format, "--output-dir", folder)
      expect({ code, err }).toEqual({ code: 0, err: "" })
      const ending = format === "table" ? "txt" : format
      const files = readdirSync(folder).filter((name) => name !== "index.html")
      const stated = dataOf(json).filter(({ statements }) => statements.length > 0)
      expect(files).toHaveLength(stated.length)
      expect(files.every((name) => name.endsWith(`.${ending}`))).toBe(true)
      expect(out).toContain(`${files.length} statements in ${folder}`)
      expect(readFileSync(join(folder, "index.html"), "utf8")).toContain(`href="ada.${ending}"`)
      const whole = await statement("--format", format, "--collaborator", "ada")
      expect(readFileSync(join(folder, `ada.${ending}`), "utf8")).toBe(whole.out)
      expect((await statement("--output-dir", folder)).err).toContain("must be empty")
    },
  )

  it("has as CSV the columns of a statement of files, and adds up as well", async () => {
    const { out } = await statement("--format", "csv", "--collaborator", "ada")
    const rows: ReadonlyArray<Readonly<Record<string, string>>> = parse(out, { columns: true })
    const ada = dataOf(json).filter(({ collaborator }) => collaborator.id === "ada")
    for (const { currency, closing } of ada.flatMap(({ statements }) => statements)) {
      const own = rows.filter((row) => row.currency === currency)
      expect(own.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(closing)
    }
    expect(new Set(rows.map((row) => row.collaborator_id))).toEqual(new Set(["ada"]))
  })

  it("begins a period with what the one before ended with", async () => {
    const day = "2024-01-01"
    const before = await statement("--format", "json", "--until", `${day}T00:00:00Z`)
    const after = await statement("--format", "json", "--from", day)
    const figures = (out: string) => dataOf(out).flatMap(({ statements }) => statements)
    const closing = figures(before.out).map((one) => one.closing)
    expect(figures(after.out).map(({ opening }) => opening)).toEqual(closing)
    expect(figures(after.out).map((one) => one.closing)).toEqual(
      figures(json).map((one) => one.closing),
    )
  })

  it("is a page that needs nothing else as HTML", async () => {
    const { out } = await statement("--format", "html")
    expect(out).toMatch(/^<!doctype html>/)
    expect(out.match(/<article>/g)?.length).toBe(out.match(/<\/article>/g)?.length)
    expect(out.trimEnd()).toMatch(/<\/html>$/)
  })

  it("is the same text over HTTP, as CSV and as HTML, of all times and of a period", async () => {
    const periods = [
      { args: [], query: "" },
      { args: ["--from", "2100-01-01"], query: `&from=${Date.parse("2100-01-01") / 1000}` },
    ]
    const forms = (["csv", "html"] as const).flatMap((format) =>
      periods.map(({ args, query }) => ({
        args: ["--collaborator", "ada", "--format", format, ...args],
        path: `collaborators/ada/statement?format=${format}${query}`,
      })),
    )
    const printed: Array<string> = []
    for (const { args } of forms) printed.push((await statement(...args)).out)
    const answered = await askOverHttp(
      folderAt(data),
      forms.map(({ path }) => path),
    )
    expect(answered).toEqual(printed)
    expect(new Set(printed).size).toBe(forms.length)
  })

  it("has its days in a time zone, and names on its pages who issues it", async () => {
    const day = ["--from", "2100-01-01", "--time-zone", "America/New_York"]
    const issuer = ["--issuer", "Paper & Heron", "--issuer", "1 Main Street"]
    const { out } = await statement("--format", "html", ...day, ...issuer)
    expect(out).toContain(
      "<address><strong>Paper &amp; Heron</strong><br>1 Main Street</address></header>",
    )
    expect(out).toContain("<title>Statements from 2100-01-01</title>")
    const json = await statement("--format", "json", ...day)
    expect(JSON.parse(json.out).data[0].from).toBe(Date.parse("2100-01-01T05:00:00Z") / 1000)
    const nowhere = await statement("--time-zone", "Mars/Base")
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("--time-zone: ")])
  })

  it("is refused for nobody and for no period", async () => {
    const refused = [
      await statement("--collaborator", "nobody"),
      await statement("--from", "2025-01-02", "--until", "2025-01-01T00:00:00Z"),
      await statement("--from", "someday"),
    ]
    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2])
    const [nobody, period, day] = refused.map(({ err }) => err)
    expect(nobody).toContain('--collaborator: there is no collaborator "nobody"')
    expect(period).toContain("--from: must be before --until")
    expect(day).toContain("--from: must be a day")
  })
})
