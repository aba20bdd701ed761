import { makeClient } from "apportion/http"
import { Collaborators, Entries, Sales } from "apportion/service"
import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { answerProblems } from "./OpenApiConformance.js"
import { openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked({ ratePerMinute: 1_000 })
})
afterEach(() => shop.close())

const ask = (query: string, id = "ada") =>
  shop.ask("GET", `/v1/collaborators/${encodeURIComponent(id)}/statement?${query}`)

const rowsOf = (text: string): ReadonlyArray<Readonly<Record<string, string>>> =>
  parse(text, { columns: true })

const book = (id: string, names: ReadonlyArray<string>) =>
  shop.run(
    Effect.gen(function* () {
      const entries = yield* Entries
      for (const name of names) yield* entries.addIncome("store", id, { amount: 5, name })
    }),
  )

/** What Ada has from the sale of the stock. */
const earned = 1_125

describe("a statement as a document", () => {
  it("is of its own type, as documented, and JSON when no form is named", async () => {
    const types = { json: "application/json", csv: "text/csv", html: "text/html" }
    for (const [format, type] of Object.entries(types)) {
      const answer = await ask(`format=${format}`)
      expect(answer.headers.get("content-type")?.split(";")[0]).toBe(type)
      expect(answerProblems("viewStatement", answer)).toEqual([])
    }
    expect((await ask("format=json")).text).toBe((await ask("")).text)
  })

  it("has as CSV a row for the opening balance, and rows that come to the closing one", async () => {
    await shop.pass(100)
    await book("ada", ["Bonus", "Frames"])
    const rows = rowsOf((await ask("format=csv&from=1700000050")).text)
    expect(rows.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["brought forward", `${earned}`],
      ["income", "5"],
      ["income", "5"],
    ])
    const { json } = await ask("from=1700000050")
    const sum = rows.reduce((all, { amount }) => all + Number(amount), 0)
    expect(json.data.statements).toMatchObject([{ closing: sum }])
  })

  it("is as HTML a page with a style of its own, which loads and runs nothing", async () => {
    const { text, headers } = await ask("format=html&until=1700000050")
    expect(text).toMatch(/^<!doctype html>.*<\/html>\n$/s)
    expect(text).toContain("Statement to 2023-11-14")
    expect(text).toContain("11.25 EUR")
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
  })

  it("is a page in the language that is asked for, which runs as that language does", async () => {
    const german = (await ask("format=html&until=1700000050&language=de")).text
    expect(german).toContain('<html lang="de">')
    expect(german).toContain("Abrechnung bis 14.11.2023")
    expect(german).toContain('<td class="number">11,25 EUR</td>')
    expect(german).toContain('content: "Seite " counter(page) " von " counter(pages);')
    const arabic = (await ask("format=html&until=1700000050&language=ar")).text
    expect(arabic).toContain('<html lang="ar" dir="rtl">')
    expect(arabic).toContain("كشف حساب حتى")
    expect(arabic).toContain("<bdi>11.25 EUR</bdi>")
    expect(arabic).not.toMatch(/Statement|Currency|Order/)
    const { status, json } = await ask("format=html&language=fr")
    expect([status, json.errors]).toEqual([
      422,
      { language: ['must be one of en, de, ar, got "fr"'] },
    ])
  })

  it("lets no name turn the text around it", async () => {
    await book("ada", ["invoice\u202egnp.exe\u0000"])
    const page = (await ask("format=html")).text
    expect(page).toContain("invoice\ufffdgnp.exe")
    expect(page).not.toMatch(/[\u202e\0]/)
  })

  it("lets no name run as a formula or as HTML", async () => {
    const name = "<img src=x onerror=alert(1)>"
    const account = { name: `"${name}` }
    await shop.run(
      Effect.flatMap(Collaborators, ({ create }) =>
        create("store", { id: "=ada", currency: "EUR", account }),
      ),
    )
    await book("=ada", ['=HYPERLINK("http://example.com")', name])
    const rows = rowsOf((await ask("format=csv", "=ada")).text)
    expect(rows.map((row) => [row.collaborator_id, row.name])).toEqual([
      ["'=ada", `'=HYPERLINK("http://example.com")`],
      ["'=ada", name],
    ])
    const page = (await ask("format=html", "=ada")).text
    expect(page).not.toContain("<img")
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;")
  })

  it("has all lines, however many parts they are read in", async () => {
    await book(
      "sam",
      Array.from({ length: 1_005 }, (_, index) => `Bonus ${index}.`),
    )
    const names = rowsOf((await ask("format=csv", "sam")).text).map(({ name }) => name)
    expect(new Set(names).size).toBe(1_005)
    const page = (await ask("format=html", "sam")).text
    expect(page.match(/Bonus \d+\./g)).toEqual(names)
  })

  it("is refused when it would be longer than what is held in memory", async () => {
    const product = { id: "long", name: "x".repeat(8 * 1_048_576), tags: ["art"] }
    const items = [{ id: "i1", product, amount: 10_000, quantity: 1 }]
    await shop.run(
      Effect.flatMap(Sales, (sales) =>
        sales.record("store", { id: "long", currency: "USD", items, createdAt: 1_700_000_000 }),
      ),
    )
    const { status, json } = await ask("format=csv")
    expect([status, Object.keys(json.errors)]).toEqual([422, ["from"]])
    expect((await ask("format=csv&from=1700000001")).status).toBe(200)
  })

  it.each(["pdf", "CSV", ""])(
    "is refused in the form %o, with the forms that there are",
    async (format) => {
      const { status, json } = await ask(`format=${format}`)
      expect([status, json.errors]).toEqual([
        422,
        { format: [`must be json, csv or html, got "${format}"`] },
      ])
    },
  )

  it("comes to the typed client as a text", async () => {
    const client = makeClient({
      ...{ baseUrl: "http://shop.test/", token: "ada-token" },
      fetch: (input, init) => shop.api.handler(new Request(input, init)),
    })
    const params = { collaborator_id: "ada" }
    const texts = (["csv", "html"] as const).map((format) =>
      Effect.runPromise(client.statements.statement({ params, query: { format } })),
    )
    expect(await Promise.all(texts)).toEqual([
      (await ask("format=csv")).text,
      (await ask("format=html")).text,
    ])
    const figures = await Effect.runPromise(client.statements.statement({ params, query: {} }))
    expect(figures).toEqual((await ask("")).json)
  })
})
