import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { type Contents, collaborators, Folder, groups, order, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const seconds = (iso: string) => Date.parse(iso) / 1000

const statement = (
  flags: ReadonlyArray<string>,
  inputs: { readonly [flag: string]: Contents } = {},
) => {
  const given: { readonly [flag: string]: Contents } = {
    groups,
    orders: [order("1"), order("2", { created_at: "2025-02-10T12:00:00Z" })],
    collaborators,
    ...inputs,
  }
  const files = Object.entries(given).flatMap(([flag, contents]) => [
    `--${flag}`,
    folder.file(`${flag}.json`, contents),
  ])
  return run(["statement", ...files, ...flags])
}

const rates = [
  { from: "USD", to: "EUR", rate: "0.9", from_date: "2025-01-01" },
  { from: "USD", to: "EUR", rate: "0.8", from_date: "2025-02-10" },
]

const refunds = [
  { order_id: "1", item_id: "1-1", quantity: 1, refunded_at: seconds("2025-03-05T00:00:00Z") },
  { order_id: "2", item_id: "2-1", quantity: 2, refunded_at: seconds("2025-02-11T00:00:00Z") },
]

const entries = [
  {
    collaborator_id: "ada",
    kind: "expense",
    amount: 700,
    name: "Frames",
    at: "2025-01-20T00:00:00Z",
  },
  { collaborator_id: "ada", kind: "income", amount: 300, name: "Talk", at: "2025-02-20T00:00:00Z" },
]

const payoutsOf = (out: string): ReadonlyArray<{ readonly [field: string]: unknown }> =>
  JSON.parse(out).data

const facts = (out: string) =>
  payoutsOf(out).map(({ id, status, total }) => `${id} ${status} ${total}`)

describe("a statement", () => {
  it("shows each collaborator's payouts with items and totals, and that every cent is accounted for", async () => {
    const { code, out, err } = await statement(["--until", "2025-03-31"], {
      rates,
      refunds,
      entries,
    })
    expect(out).toBe(
      [
        "Ada & Co (ada)",
        "  payout     currency  state                     total",
        "  ada-USD-1  USD       paid on 2025-02-01        18.00",
        "  ada-USD-2  USD       paid on 2025-03-01         3.00",
        "  ada-USD-3  USD       open, due on 2025-04-01  -12.50",
        "",
        "  Payout ada-USD-1, USD, paid on 2025-02-01",
        "    date        order    what       group  amount",
        "    2025-01-01  1        Blue Hour  g1      25.00",
        "    2025-01-20  expense  Frames             -7.00",
        "                         total              18.00",
        "",
        "  Payout ada-USD-2, USD, paid on 2025-03-01",
        "    date        order   what                  group  amount",
        "    2025-02-10  2       Blue Hour (refunded)  g1       0.00",
        "    2025-02-20  income  Talk                           3.00",
        "                        total                          3.00",
        "",
        "  Payout ada-USD-3, USD, open, due on 2025-04-01",
        "    date        order  what               group  amount",
        "    2025-03-05  1      refund: Blue Hour  g1     -12.50",
        "                       total                     -12.50",
        "",
        "Sam (sam)",
        "  payout     currency  state                    total",
        "  sam-EUR-1  EUR       paid on 2025-02-01        9.00",
        "  sam-EUR-2  EUR       open, due on 2025-04-01  -4.50",
        "",
        "  Payout sam-EUR-1, EUR, paid on 2025-02-01",
        "    date        order  what       group   original  rate  amount",
        "    2025-01-01  1      Blue Hour  g2     10.00 USD   0.9    9.00",
        "                       total                                9.00",
        "",
        "  Payout sam-EUR-2, EUR, open, due on 2025-04-01",
        "    date        order  what                  group   original  rate  amount",
        "    2025-02-10  2      Blue Hour (refunded)  g2      0.00 USD   0.8    0.00",
        "    2025-03-05  1      refund: Blue Hour     g2     -5.00 USD   0.9   -4.50",
        "                       total                                          -4.50",
        "",
        "Totals up to 2025-03-31 (UTC)",
        "collaborator  currency  payouts   paid  to come  total",
        "ada           USD             3  21.00   -12.50   8.50",
        "sam           EUR             2   9.00    -4.50   4.50",
        "all together  EUR             2   9.00    -4.50   4.50",
        "all together  USD             3  21.00   -12.50   8.50",
        "",
        "Every cent is accounted for (refunds taken off):",
        "  50.00 USD brought in = 17.50 USD shares + 32.50 USD store; shares = payout items (17.50 USD)",
        "",
      ].join("\n"),
    )
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it("ends where it is told to: what happens later does not count", async () => {
    const json = ["--format", "json"]
    const inputs = { rates, refunds, entries }
    const january = await statement(["--until", "2025-01-31", ...json], inputs)
    expect(facts(january.out)).toEqual(["ada-USD-1 active 1800", "sam-EUR-1 active 900"])
    const nextDay = await statement(["--until", "2025-02-01", ...json], inputs)
    expect(facts(nextDay.out)).toEqual(["ada-USD-1 paid 1800", "sam-EUR-1 paid 900"])
    const noon = await statement(["--until", "2025-01-01T12:00:00Z", ...json], inputs)
    expect(facts(noon.out)).toEqual([])
    expect(noon.err).toBe("No sale was recorded.\n")
  })

  it("closes a payout with what is mature, as the services and the book do, and moves the rest", async () => {
    const json = ["--format", "json", "--until", "2025-03-31"]
    const late = [order("1"), order("2", { created_at: "2025-01-25T12:00:00Z" })]
    const whole = await statement(json, { orders: late })
    expect(facts(whole.out)[0]).toBe("ada-USD-1 paid 5000")
    const mature = await statement([...json, "--maturity-days", "14"], { orders: late })
    expect(facts(mature.out).slice(0, 2)).toEqual(["ada-USD-1 paid 2500", "ada-USD-2 paid 2500"])
    const wrong = await statement([...json, "--maturity-days", "4000"])
    expect(wrong.err).toContain(
      '--maturity-days: must be a whole number from 0 to 3650, got "4000"',
    )
  })

  it("reckons days in the policy's time zone", async () => {
    const orders = [order("1", { created_at: "2025-02-01T04:59:59Z" })]
    const flags = ["--until", "2025-01-31", "--format", "json"]
    const policy = { time_zone: "America/New_York" }
    expect(facts((await statement(flags, { orders, rates, policy })).out)).toHaveLength(2)
    expect(facts((await statement(flags, { orders, rates })).out)).toHaveLength(0)
  })

  it("keeps shares in payouts of the order's currency when there are no rates, and says so", async () => {
    const { out, err } = await statement(["--until", "2025-12-31", "--format", "json"])
    expect(payoutsOf(out).map(({ id, currency }) => [id, currency])).toEqual([
      ["ada-USD-1", "USD"],
      ["ada-USD-2", "USD"],
      ["sam-USD-1", "USD"],
      ["sam-USD-2", "USD"],
    ])
    expect(err).toContain("note: without --rates")
  })

  it("can be of one collaborator, while the check is of the whole store", async () => {
    const flags = ["--until", "2025-12-31", "--collaborator", "sam"]
    const { out, err } = await statement([...flags, "--format", "json"], { rates })
    expect(facts(out)).toEqual(["sam-EUR-1 paid 900", "sam-EUR-2 paid 800"])
    expect(err).toContain("200.00 USD brought in = 70.00 USD shares + 130.00 USD store")
  })

  it("goes on without the orders that fail", async () => {
    const orders = [order("1"), order("2", { currency: "GBP" })]
    const { code, out, err } = await statement(["--until", "2025-12-31", "--format", "json"], {
      orders,
      rates,
    })
    expect(facts(out)).toEqual(["ada-USD-1 paid 2500", "sam-EUR-1 paid 900"])
    expect(err).toContain("order 2: there is no exchange rate from GBP to USD")
    expect(err).toContain("1 of 2 orders failed")
    expect(code).toBe(1)
  })
})

describe("a statement of a period", () => {
  const march = ["--from", "2025-03-01", "--until", "2025-03-31"]

  it("brings forward what was to be paid, and leaves out what was paid before", async () => {
    const { code, out } = await statement([...march, "--collaborator", "sam"], {
      orders: [order("1"), order("2", { created_at: "2025-02-10T12:00:00Z" })],
      refunds: [
        { order_id: "1", item_id: "1-1", quantity: 1, refunded_at: "2025-03-05T00:00:00Z" },
        { order_id: "2", item_id: "2-1", quantity: 1, refunded_at: "2025-03-06T00:00:00Z" },
      ],
      rates,
      collaborators: collaborators.map((one) => ({ ...one, payout_threshold: 850 })),
    })
    expect(out.split("\n").slice(0, 9)).toEqual([
      "Sam (sam)",
      "  Payout sam-EUR-2, EUR, open, due on 2025-04-01",
      "    date        order  what               group   original  rate  amount",
      "    2025-03-01         brought forward                              8.00",
      "    2025-03-06  2      refund: Blue Hour  g2     -5.00 USD   0.8   -4.00",
      "    2025-03-05  1      refund: Blue Hour  g2     -5.00 USD   0.9   -4.50",
      "                       total                                       -0.50",
      "",
      "Totals from 2025-03-01 to 2025-03-31 (UTC)",
    ])
    expect(out).toContain("sam           EUR             1             8.00   -8.50  0.00    -0.50")
    expect(code).toBe(0)
  })

  it("has the same rows as CSV, which come to the totals of the payouts", async () => {
    const { out } = await statement([...march, "--format", "csv"], { rates, refunds, entries })
    const rows = out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","))
    expect(rows.slice(1).map((row) => [row[1], row[6], row[7], row.at(-1)])).toEqual([
      ["ada-USD-2", "300", "brought forward", "300"],
      ["ada-USD-3", "-1250", "refund", "-1250"],
      ["sam-EUR-2", "-450", "brought forward", "0"],
      ["sam-EUR-2", "-450", "refund", "-450"],
    ])
  })

  it("must begin before it ends", async () => {
    const wrong = await statement(["--from", "2025-04-01", "--until", "2025-03-31"])
    expect(wrong.err).toContain('--from: must be before --until, got "2025-04-01" and "2025-03-31"')
    expect(wrong.code).toBe(2)
  })
})

describe("statements in files", () => {
  const files = ["--until", "2025-12-31", "--format", "html"]

  it("are one for each collaborator with payouts, and the totals are printed", async () => {
    const into = join(folder.path, "statements", "of 2025")
    const odd = { id: "a/b", currency: "USD", account: { name: "A" } }
    const { code, out } = await statement([...files, "--output-dir", into], {
      collaborators: [...collaborators, odd, { ...odd, id: "A/B" }, { ...odd, id: "nobody" }],
      groups: [
        ...groups,
        { ...groups[1], id: "g3", collaborator_id: "a/b" },
        { ...groups[1], id: "g4", collaborator_id: "A/B" },
      ],
      rates,
    })
    const names = ["A%2FB~2.html", "a%2Fb.html", "ada.html", "index.html", "sam.html"]
    expect(readdirSync(into).sort()).toEqual(names)
    const sheet = readFileSync(join(into, "sam.html"), "utf8")
    expect(sheet.match(/<article>/g)).toHaveLength(1)
    expect(sheet).toContain("<h1>Sam</h1>")
    expect(out).toContain("4 statements in ")
    expect(out).toContain("all together  EUR")
    expect(out).toContain("Every cent is accounted for")
    expect(code).toBe(0)
  })

  it("are in the language of whoever reads them, beside a page for the store", async () => {
    const into = join(folder.path, "auf Deutsch")
    const german = ["--language", "de", "--from", "2025-01-01", "--output-dir", into]
    const { code } = await statement([...files, ...german], { rates, entries })
    expect(code).toBe(0)
    const sheet = readFileSync(join(into, "ada.html"), "utf8")
    expect(sheet).toContain("Abrechnung vom 01.01.2025 bis 31.12.2025 (UTC)")
    expect(sheet).toMatch(/Ausgezahlt am \d\d\.\d\d\.2025\./)
    expect(sheet).toContain("25,00")
    expect(sheet).not.toMatch(/Payout|Earned|Order |Total/)
    expect(readFileSync(join(into, "index.html"), "utf8")).toContain("<h1>Statements</h1>")
    const unknown = await statement([...files, "--language", "fr"])
    expect([unknown.code, unknown.err.includes("language")]).toEqual([2, true])
  })

  const index = async (args: ReadonlyArray<string>, inputs = {}) => {
    const into = join(folder.path, `index of ${args.join("")}`.replaceAll("/", "-"))
    const { code } = await statement([...args, "--output-dir", into], { rates, entries, ...inputs })
    expect(code).toBe(0)
    const page = readFileSync(join(into, "index.html"), "utf8")
    const cellsOf = (row: string) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
        cell
          .replace(/<[^>]+>/g, " ")
          .replace(/ +/g, " ")
          .trim(),
      )
    const rows = (page.match(/<tr>.*?<\/tr>/gs) ?? []).map(cellsOf)
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link)
    return { page, rows, links, written: readdirSync(into).sort() }
  }

  it("have a page that leads to them, with payouts and sums by currency", async () => {
    const { page, rows, links, written } = await index([...files, "--issuer", "Heron & Co"])
    expect(rows).toEqual([
      ["Collaborator", "Currency", "Payouts", "Paid", "To come", "Total"],
      ["Ada &amp; Co ada", "USD", "2", "46.00", "0.00", "46.00"],
      ["Sam sam", "EUR", "2", "17.00", "0.00", "17.00"],
      ["All together", "EUR", "2", "17.00", "0.00", "17.00"],
      ["All together", "USD", "2", "46.00", "0.00", "46.00"],
    ])
    expect(links.map(decodeURIComponent).sort()).toEqual(
      written.filter((name) => name !== "index.html"),
    )
    expect(page).toContain("<strong>Heron &amp; Co</strong>")
  })

  it("have that page in every format, of a period, and beside a collaborator called index", async () => {
    const csv = ["--from", "2025-01-01", "--until", "2025-12-31", "--format", "csv"]
    const { rows, written, links } = await index(csv, {
      collaborators: [...collaborators, { id: "index", currency: "USD", account: { name: "<b>" } }],
      groups: [...groups, { ...groups[1], id: "g3", collaborator_id: "index" }],
    })
    expect(rows[0]).toEqual([
      ...["Collaborator", "Currency", "Payouts"],
      ...["Brought forward", "Earned", "Paid", "To come"],
    ])
    expect(written).toEqual(["ada.csv", "index.html", "index~2.csv", "sam.csv"])
    expect([rows.length, links.includes("index~2.csv")]).toEqual([6, true])
    expect(rows.map(([who]) => who)).toContain("&lt;b&gt; index")
  })

  it("of nobody is a page that says so", async () => {
    const { page, links } = await index(["--until", "2020-12-31", "--format", "html"])
    expect([links, page.includes("There are no payouts")]).toEqual([[], true])
  })

  it("are not written over others", async () => {
    const into = join(folder.path, "kept")
    mkdirSync(into)
    writeFileSync(join(into, "ada.html"), "of last month")
    const { code, err } = await statement([...files, "--output-dir", into])
    expect(err).toContain("must be empty or not exist yet")
    expect(code).toBe(2)
    expect(readFileSync(join(into, "ada.html"), "utf8")).toBe("of last month")
  })
})

describe("the forms of a statement", () => {
  it("as JSON is the service's view of each payout", async () => {
    const { out } = await statement(["--until", "2025-12-31", "--format", "json"], {
      rates,
      entries,
    })
    const [first] = payoutsOf(out)
    expect(Object.keys(first ?? {})).toEqual([
      "id",
      "currency",
      "collaborator",
      "status",
      "to_be_paid_at",
      "paid_at",
      "total",
      "items",
    ])
    expect(first?.items).toMatchObject([
      { amount: 2_500, is_expenses: false, orderItem: { external_id: "1-1", quantity: 2 } },
      { amount: -700, is_expenses: true, expense_name: "Frames", orderItem: null },
    ])
  })

  it("as CSV has a line for each item", async () => {
    const { out } = await statement(["--until", "2025-12-31", "--format", "csv"], {
      rates,
      entries,
    })
    const [header = "", ...rows] = out.trimEnd().split("\n")
    const at = (row: string, column: string) => row.split(",")[header.split(",").indexOf(column)]
    expect(rows.map((row) => [at(row, "payout_id"), at(row, "kind"), at(row, "amount")])).toEqual([
      ["ada-USD-1", "sale", "2500"],
      ["ada-USD-1", "expense", "-700"],
      ["ada-USD-2", "sale", "2500"],
      ["ada-USD-2", "income", "300"],
      ["sam-EUR-1", "sale", "900"],
      ["sam-EUR-2", "sale", "800"],
    ])
  })

  describe("as a page", () => {
    const page = (inputs: { readonly [flag: string]: Contents } = {}) =>
      statement(["--until", "2025-12-31", "--format", "html"], { rates, entries, ...inputs })

    it("needs nothing but itself, and has a sheet for each collaborator", async () => {
      const { out } = await page()
      expect(out).not.toMatch(/https?:|<script|<link|<img|url\(|@import|src=/i)
      expect(out.match(/<article>/g)).toHaveLength(2)
      expect(out).toContain("break-before: page")
      expect(out).toMatch(/^<!doctype html>\n<html lang="en">/)
    })

    it("escapes everything that comes from outside", async () => {
      const evil = `<script>alert("x")</script> & 'quotes'`
      const { out } = await page({
        collaborators: collaborators.map((one) => ({ ...one, account: { name: evil } })),
        entries: [{ ...entries[0], name: evil }],
        orders: [
          order("<b>1</b>", {
            items: [
              { external_id: "1", amount: 100, product: { id: "p", name: evil, tags: ["art"] } },
            ],
          }),
          order("1001", { name: "<i>#1</i>" }),
        ],
      })
      expect(out).not.toContain("<script")
      expect(out).not.toContain("<b>1")
      expect(out).not.toContain("<i>")
      expect(out).toContain(
        "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;quotes&#39;",
      )
    })

    it("opens and closes every element", async () => {
      const { out } = await page()
      const open: Array<string> = []
      for (const [, slash, name = ""] of out.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)) {
        if (name === "meta") continue
        if (slash === "") open.push(name)
        else expect(open.pop()).toBe(name)
      }
      expect(open).toEqual([])
    })

    it("says who makes it out, names orders as the shop does, and sets thousands apart", async () => {
      const large = [{ ...order("1").items[0], amount: 123_456_700 }]
      const flags = ["--until", "2025-12-31", "--format", "html", "--collaborator", "ada"]
      const issuer = ["--issuer", "Paper Heron & Co", "--issuer", "VAT 4711"]
      const orders = [order("7000001", { name: "#1001", items: large })]
      const { out } = await statement([...flags, ...issuer], { orders })
      expect(out).toContain("<strong>Paper Heron &amp; Co</strong><br>VAT 4711")
      expect(out).toContain("Order #1001")
      expect(out).not.toContain("Order 7000001")
      expect(out).toContain("308,641.75 USD")
      expect(out).not.toContain("308641.75")
    })

    it("can be read aloud: each table has a caption, each heading its scope", async () => {
      const { out } = await page()
      const count = (pattern: RegExp) => out.match(pattern)?.length
      expect(count(/<caption>/g)).toBe(count(/<table>/g))
      expect(out).not.toMatch(/<th(?! scope=)[ >]/)
      expect(out).toContain('counter(page) " of " counter(pages)')
    })

    it("leaves out what a collaborator may not see", async () => {
      const permit = (permissions: object) =>
        page({ collaborators: collaborators.map((one) => ({ ...one, permissions })) })
      expect((await permit({ see_product_quantity: true })).out).toContain("2 units")
      expect((await permit({ see_product_quantity: false })).out).not.toContain("2 units")
    })
  })
})
