import { afterAll, describe, expect, it } from "vitest"
import { against, backtest, folder, greedy } from "../BacktestWorld.js"
import { type Contents, groups, order } from "../world.js"

afterAll(() => folder.remove())

const page = async (
  inputs: { readonly [flag: string]: Contents } = {},
  flags: ReadonlyArray<string> = [],
): Promise<string> => (await backtest(["--format", "html", ...flags], inputs)).out

const item = (id: string, amount: number) => ({
  external_id: `${id}-1`,
  amount,
  quantity: 1,
  product: { id: "p1", name: "Blue Hour", tags: ["art"] },
})

/** January brings in 100.00 and February 50.00; in March 30.00 are credited. */
const months = [
  order("1", { items: [item("1", 10_000)] }),
  order("2", { created_at: "2025-02-10T12:00:00Z", items: [item("2", 5_000)] }),
  order("3", { created_at: "2025-03-10T12:00:00Z", items: [item("3", -3_000)] }),
]

/** One bar: what it is said to be, and where it is drawn. */
interface Bar {
  readonly kind: string
  readonly said: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const drawings = (html: string) => html.match(/<svg viewBox[\s\S]*?<\/svg>/g) ?? []

const barsOf = (svg: string): ReadonlyArray<Bar> =>
  [...svg.matchAll(/<rect class="(\w+)"([^>]*)><title>(.*?)<\/title>/g)].map(
    ([, kind = "", places = "", said = ""]) => {
      const at = (name: string) => Number(new RegExp(` ${name}="([^"]*)"`).exec(places)?.[1])
      return { kind, said, x: at("x"), y: at("y"), width: at("width"), height: at("height") }
    },
  )

const zeroLines = (svg: string) =>
  [...svg.matchAll(/<line class="zero"[^>]* y1="([^"]*)"/g)].map(([, y]) => Number(y))

/** The amount that a bar stands for by its height, with the sign of the side of the zero line it is on. */
const measured = (bar: Bar, zero: number, perUnit: number) =>
  ((bar.y < zero ? 1 : -1) * bar.height) / perUnit

describe("the page of a backtest", () => {
  it("needs nothing but itself, and runs nothing", async () => {
    const html = await page()
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(html).not.toMatch(/https?:|<script|<link|<img|url\(|@import|src=|href=|\son\w+=/i)
  })

  it("has colours for light and dark screens, and a form for paper", async () => {
    const html = await page()
    expect(html).toContain("@media screen and (prefers-color-scheme: dark)")
    expect(html).toContain("@media print")
  })

  it("escapes everything that comes from outside", async () => {
    const evil = `<script>alert("x")</script> & 'quotes'`
    const html = await page({
      groups: greedy(evil).map((group) => ({ ...group, collaborator_id: evil })),
      against: greedy("no").map((group) => ({
        ...group,
        id: `<b>${group.id}`,
        collaborator_id: "a",
      })),
      orders: [order("<b>1</b>"), order("<b>2</b>", { referer: evil })],
      policy: { over_allocation: "reject", stacking: "all" },
    })
    expect(html).not.toContain("<script")
    expect(html).not.toContain("<b>")
    expect(html).toContain(
      "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;quotes&#39;",
    )
    expect(html).toContain("Order &lt;b&gt;2&lt;/b&gt; (line 1): refused by the rules before only")
  })

  it("opens and closes every element", async () => {
    const html = await page({
      groups: greedy("a"),
      orders: [order("1"), order("2", { referer: "a" })],
    })
    const open: Array<string> = []
    for (const [, slash, name = "", rest = ""] of html.matchAll(
      /<(\/?)([a-z][a-z0-9]*)([^>]*)>/g,
    )) {
      if (name === "meta" || rest.endsWith("/")) continue
      if (slash === "") open.push(name)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
  })

  it("shows the explanations line by line, and the orders that a side refuses", async () => {
    const html = await page({
      against: greedy("a"),
      orders: [order("1"), order("2", { referer: "a" })],
    })
    expect(html).toContain("1 order refused by the rules after only, and not in the sums.")
    expect(html).toContain("refused by the rules after only (OverAllocated)")
    const changed = await page()
    expect(changed).toContain("<li>ada 25.00 → 30.00 USD (+5.00)</li>")
    expect(changed).toContain(
      "<pre>Item 1-1 of order 1 (2 units) brought in 100.00 USD.\n  Percentages are of: 100.00 USD price.\n",
    )
  })
})

describe("the charts", () => {
  it("are of all collaborators together, the store and those with the biggest differences, each with its table", async () => {
    const html = await page({ orders: [...months, order("4", { currency: "EUR" })] })
    expect(
      [...html.matchAll(/<h3>(.*?)<\/h3>\s*<div class="beside">/g)].map(([, name]) => name),
    ).toEqual([
      ...["all collaborators", "the store", "ada", "sam"],
      ...["all collaborators", "the store", "ada", "sam"],
    ])
    expect(drawings(html)).toHaveLength(8)
    expect(html.match(/<\/svg>\s*<div class="wide"><table>/g)).toHaveLength(8)
    expect(html).toContain(
      `<tr><th scope="row">2025-02</th><td class="number">12.50</td><td class="number">15.00</td><td class="number">+2.50</td></tr>`,
    )
  })

  it("have a title and a description of their own for those who don't see them", async () => {
    const html = await page({ orders: months })
    const ids = drawings(html).map((svg) => {
      const [, title, description] = /role="img" aria-labelledby="(\S+) (\S+)"/.exec(svg) ?? []
      expect(svg).toMatch(new RegExp(`<title id="${title}">.+</title>`))
      expect(svg).toMatch(new RegExp(`<desc id="${description}">.+</desc>`))
      return title
    })
    expect(new Set(ids).size).toBe(4)
    expect(drawings(html)[2]).toContain("In all 30.00 USD before and 36.00 USD after: +6.00 USD.")
  })

  it("draw each month's amounts as high as they are, and what is owed below the line", async () => {
    const [, , ada = ""] = drawings(await page({ orders: months }))
    const bars = barsOf(ada)
    expect(bars.map(({ kind, said }) => `${kind}: ${said}`)).toEqual([
      "before: 2025-01 before: 25.00 USD",
      "after: 2025-01 after: 30.00 USD",
      "more: 2025-01 difference: +5.00 USD",
      "before: 2025-02 before: 12.50 USD",
      "after: 2025-02 after: 15.00 USD",
      "more: 2025-02 difference: +2.50 USD",
      "before: 2025-03 before: -7.50 USD",
      "after: 2025-03 after: -9.00 USD",
      "less: 2025-03 difference: -1.50 USD",
    ])
    const [seriesZero = 0, differenceZero = 0] = zeroLines(ada)
    const seriesUnit = (bars[1]?.height ?? 0) / 30
    const differenceUnit = (bars[2]?.height ?? 0) / 5
    const amounts = bars.map((bar, index) =>
      index % 3 === 2
        ? measured(bar, differenceZero, differenceUnit)
        : measured(bar, seriesZero, seriesUnit),
    )
    const expected = [25, 30, 5, 12.5, 15, 2.5, -7.5, -9, -1.5]
    amounts.forEach((amount, index) => {
      expect(amount).toBeCloseTo(expected[index] ?? 0, 1)
    })
  })

  it("keep bars and names within the drawing, and bars of one panel apart", async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      order(String(index), { created_at: Date.UTC(2020, index, 3) / 1000 }),
    )
    for (const svg of drawings(await page({ orders: many }))) {
      const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg)?.map(Number) ?? []
      const bars = barsOf(svg).filter(({ kind }) => kind === "before" || kind === "after")
      expect(bars).toHaveLength(120)
      bars.forEach((bar, index) => {
        const before = bars[index - 1]
        expect(bar.x).toBeGreaterThanOrEqual(before === undefined ? 0 : before.x + before.width)
        expect(bar.x + bar.width).toBeLessThanOrEqual(width ?? 0)
        expect(bar.y + bar.height).toBeLessThanOrEqual(height ?? 0)
      })
      const names = [...svg.matchAll(/x="([^"]*)"[^>]*text-anchor="middle"/g)].map(([, x]) =>
        Number(x),
      )
      names.slice(1).forEach((x, index) => {
        expect(x - (names[index] ?? 0)).toBeGreaterThanOrEqual(45)
      })
    }
  })

  it("are flat where nothing differs", async () => {
    const [ada = ""] = drawings(await page({ against: groups, orders: months }))
    const differences = barsOf(ada).filter(({ kind }) => kind === "more" || kind === "less")
    expect(differences.map(({ height }) => height)).toEqual([0, 0, 0])
    expect(ada).not.toContain("NaN")
  })

  it("have the months of all collaborators, so that they stand one below the other", async () => {
    const mug = { items: [{ external_id: "1", amount: 1_000, product: { id: "mug" } }] }
    const later = order("2", { created_at: "2025-02-10T12:00:00Z" })
    for (const svg of drawings(await page({ orders: [later, order("1", mug)] }))) {
      const names = [...svg.matchAll(/text-anchor="middle">(.*?)</g)].map(([, name]) => name)
      expect(names).toEqual(["2025-01", "2025-02"])
    }
  })

  it("put the orders without a time last", async () => {
    const undated = order("9", { created_at: null })
    const [ada = ""] = drawings(await page({ against, orders: [undated, ...months] }))
    const names = [...ada.matchAll(/text-anchor="middle">(.*?)</g)].map(([, name]) => name)
    expect(names).toEqual(["2025-01", "2025-02", "2025-03", "no date"])
  })
})
