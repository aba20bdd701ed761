import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Permissions } from "apportion"
import { Collaborators, Passes, ProductGroups, Sales } from "apportion/service"
import { Effect } from "effect"
import type { Browser } from "puppeteer-core"
import { afterAll, describe, expect, test } from "vitest"
import { open } from "../http/Shop.js"
import {
  accessibility,
  openPage,
  overhang,
  screenshot,
  screenshotTolerance,
  startBrowser,
  type View,
} from "./Browser.js"

const browser: Browser | string = await startBrowser()

const built = "dist/web/statement"
const hostile = {
  script: '"><script>document.title="broken"</script><img src=x onerror=alert(1)>',
  steering: "invoice\u202egnp.exe",
  emoji: "👩‍👩‍👧‍👦🎨",
  long: "x".repeat(10_000),
}

const fill = Effect.gen(function* () {
  const [collaborators, groups, sales] = [yield* Collaborators, yield* ProductGroups, yield* Sales]
  const permissions = { seeProductQuantity: true, seeCustomerName: true }
  const create = (id: string, name: string, seen: Partial<Permissions.Permissions> = permissions) =>
    collaborators.create("store", { id, currency: "EUR", permissions: seen, account: { name } })
  yield* create("ada", `Ada ${hostile.script}`)
  yield* create("ben", "hidden Ben")
  yield* create("cleo", "Cleo")
  yield* create("dan", "Dan", {})
  const link = { type: "products.all" } as const
  yield* groups.create("store", "ada", { id: "ada group", link, percent: "10" })
  yield* groups.create("store", "ben", { id: "hidden group", link, percent: "20" })
  const bands = [
    { from: 0, percent: "10.00" },
    { from: 2_500, percent: "12.50" },
  ]
  const terms = { tiers: { counted: "units", bands }, cap: { amount: 100_000 } } as const
  for (const who of ["cleo", "dan"]) {
    yield* groups.create("store", who, { id: `books of ${who}`, link, terms })
  }
  for (const [id, name] of Object.entries(hostile)) {
    yield* sales.record("store", {
      ...{
        id,
        currency: "EUR",
        details: { customerName: `buyer ${name}`, customerEmail: "hidden@mail" },
      },
      items: [{ id: "1", product: { id: "p", name }, quantity: 3, amount: 123_450 }],
    })
  }
  const passes = yield* Passes
  const pass = (language: "en" | "de" | "ar", id = "ada") =>
    passes.create("store", id, { language })
  return {
    ...{ en: yield* pass("en"), de: yield* pass("de"), ar: yield* pass("ar") },
    ...{ cleo: yield* pass("en", "cleo"), dan: yield* pass("en", "dan") },
  }
})

const types = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css" }

/** The page and the API, on one server, with the policy that the program sends. */
const serve = async () => {
  const shop = await open()
  const passes = await shop.run(fill)
  const asked: Array<string> = []
  const server = createServer(async ({ url = "", headers }, response) => {
    asked.push(url)
    const name = /^\/statement\/([a-z.]*)$/.exec(url)?.[1]
    if (name !== undefined) {
      const file = name === "" ? "index.html" : name
      const type = Reflect.get(types, file.split(".")[1] ?? "")
      const policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"
      response.writeHead(200, { "content-type": String(type), "content-security-policy": policy })
      response.end(readFileSync(join(built, file)))
      return
    }
    const { authorization = "" } = headers
    const answer = await shop.api.handler(
      new Request(`http://shop.test${url}`, { headers: { authorization } }),
    )
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(await answer.text())
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const at = server.address()
  const port = typeof at === "object" && at !== null ? at.port : 0
  return { shop, passes, asked, server, page: `http://127.0.0.1:${port}/statement/` }
}

const served = await serve()

afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
  served.server.close()
  await served.shop.close()
})

/** The test of a page, left out with a word where no browser can start. */
const inBrowser = (name: string, run: () => Promise<void>) =>
  test(name, { timeout: 120_000 }, async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    await run()
  })

const opened = async (token: string, view: View = {}, state = "ready") => {
  if (typeof browser === "string") throw new TypeError(browser)
  const watched = await openPage(browser, view)
  await watched.page.goto(`${served.page}#${token}`)
  await watched.page.waitForSelector(`[data-view=${state}]`)
  return watched
}

test("the page asks for at most 150 kB, gzipped, before its first view", () => {
  const sizes = ["index.html", "page.js", "style.css"].map(
    (name) => gzipSync(readFileSync(join(built, name)), { level: 9 }).length,
  )
  console.log(`the statement's first view: ${sizes.join(" + ")} bytes`)
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(150_000)
})

describe("the statement behind a link", () => {
  const titles = { en: "Statement of", de: "Abrechnung für", ar: "كشف حساب" } as const
  for (const language of ["en", "de", "ar"] as const) {
    inBrowser(
      `in ${language}: axe finds nothing, nothing sticks out, and it looks as it did`,
      async () => {
        const { page, faults } = await opened(served.passes[language].token)
        const shown = await page.$eval("body", (body) => body.textContent ?? "")
        expect(shown).toContain(titles[language])
        expect(shown).toContain(language === "de" ? "123,45 EUR" : "123.45 EUR")
        expect(shown).not.toContain("hidden")
        expect(await page.$eval("html", ({ lang, dir }) => [lang, dir])).toEqual([
          ...[language, language === "ar" ? "rtl" : "ltr"],
        ])
        expect(await accessibility(page)).toEqual([])
        expect(await overhang(page)).toBe(0)
        expect(await screenshot(page, `statement-${language}`)).toBeLessThanOrEqual(
          screenshotTolerance,
        )
        expect(faults).toEqual([])
      },
    )
  }

  inBrowser("shows texts of others as they are: nothing runs, turns or is lost", async () => {
    const { page, faults } = await opened(served.passes.en.token, { width: 320, height: 900 })
    const shown = await page.$eval("main", (main) => main.textContent ?? "")
    expect(shown).toContain(hostile.script)
    expect(shown).toContain("invoiceU+202Egnp.exe")
    expect(shown).not.toContain("\u202e")
    expect(shown).toContain(hostile.emoji)
    expect(await page.title()).toBe("Statement")
    expect(await page.$$eval("main script, main img", (all) => all.length)).toBe(0)
    expect(await overhang(page)).toBe(0)
    expect(await accessibility(page)).toEqual([])
    expect(faults).toEqual([])
  })

  inBrowser(
    "on a phone the amount is beside the day, and payouts are above the lines",
    async () => {
      const { page } = await opened(served.passes.en.token, { width: 320, height: 900 })
      const tables = await page.$$eval("table[data-view]", (all) =>
        all.map((one) => one.getAttribute("data-view") ?? ""),
      )
      expect(tables).toEqual(["payouts", "lines"])
      for (const view of tables) {
        const [day, amount] = await page.$eval(`[data-view=${view}] tbody tr`, (row) =>
          [row.querySelector("td"), row.querySelector(".amount")].map((cell) => {
            const { top, right } = cell?.getBoundingClientRect() ?? { top: 0, right: 0 }
            return { top, right }
          }),
        )
        expect(amount?.right, view).toBeLessThanOrEqual(320)
        expect(amount?.top, view).toBeCloseTo(day?.top ?? -1, 0)
      }
    },
  )

  inBrowser("a screen reader tells apart of which item each explanation is", async () => {
    const { page } = await opened(served.passes.en.token)
    const names = await page.$$eval(".why summary", (all) => all.map((one) => one.textContent))
    expect(new Set(names).size).toBe(names.length)
    expect(names.some((name) => name?.includes(`Why this amount: ${hostile.emoji}`))).toBe(true)
  })

  inBrowser("asks once for what follows, however often that is pressed", async () => {
    if (typeof browser === "string") return
    const { page } = await openPage(browser)
    const asked: Array<string> = []
    await page.setRequestInterception(true)
    page.on("request", async (request) => {
      const url = new URL(request.url())
      if (!url.pathname.endsWith("/statement/lines")) return request.continue()
      const after = url.searchParams.get("after")
      if (after !== null) asked.push(after)
      const body = JSON.stringify({ data: [], meta: { next: after === null ? "place" : null } })
      return request.respond({ contentType: "application/json", body })
    })
    await page.goto(`${served.page}#${served.passes.en.token}`)
    const button = await page.waitForSelector("main > button")
    await button?.evaluate((one) => {
      one.click()
      one.click()
    })
    await page.waitForFunction(() => document.querySelector("main > button") === null)
    expect(asked).toEqual(["place"])
  })

  inBrowser("changes its language and its period without leaving the page", async () => {
    const { page, faults } = await opened(served.passes.en.token)
    const [period, language] = await page.$$("select")
    await language?.select("ar")
    await page.waitForFunction(() => document.documentElement.dir === "rtl")
    await period?.select("lastYear")
    await page.waitForFunction(() => document.querySelector("[data-view=lines]") === null)
    expect(faults).toEqual([])
  })

  inBrowser(
    "says where terms stand, in each language, and counts only to who may see them",
    async () => {
      const stands = {
        en: "12.50% from 2,500 on",
        de: "ab 2.500 12,50",
        ar: "ابتداءً من 2,500",
      } as const
      const left = {
        en: "506.20 EUR left",
        de: "bleiben 506,20 EUR",
        ar: "ويبقى 506.20 EUR",
      } as const
      for (const who of ["cleo", "dan"] as const) {
        const view = who === "dan" ? { width: 320, height: 900 } : {}
        const { page, faults } = await opened(served.passes[who].token, view)
        for (const language of ["en", "de", "ar"] as const) {
          await page.select("select:has([lang])", language)
          await page.waitForFunction((lang) => document.documentElement.lang === lang, {}, language)
          const shown = await page.$eval("[data-view=terms]", (table) => table.textContent ?? "")
          expect(shown).toContain(`books of ${who}`)
          expect(shown).toContain(stands[language])
          expect(shown).toContain(left[language])
          expect(/12 counted so far|bisher 12 gezählt|عُدّ حتى الآن 12/.test(shown)).toBe(
            who === "cleo",
          )
        }
        expect(await accessibility(page)).toEqual([])
        expect(await overhang(page)).toBe(0)
        // On a phone all of it is seen without scrolling sideways.
        const beyond = await page.$eval(
          "section:has([data-view=terms])",
          (box) => box.scrollWidth - box.clientWidth,
        )
        expect(beyond).toBe(0)
        expect(faults).toEqual([])
      }
    },
  )

  for (const format of ["A4", "Letter"] as const) {
    inBrowser(`prints as a PDF on ${format}, without what is only for the screen`, async () => {
      const { page } = await opened(served.passes.en.token)
      const pdf = Buffer.from(await page.pdf({ format }))
      expect(pdf.subarray(0, 5).toString()).toBe("%PDF-")
      expect(pdf.length).toBeGreaterThan(5_000)
      await page.emulateMediaType("print")
      const printed = await page.$eval("main", (main) => main.textContent ?? "")
      expect(printed).toContain("123.45 EUR")
      const ofScreen = await page.$$eval(".no-print", (all) =>
        all.map((one) => getComputedStyle(one).display),
      )
      expect(ofScreen).toEqual(["none", "none"])
      const heads = await page.$$eval("thead", (all) =>
        all.map((one) => getComputedStyle(one).display),
      )
      expect(new Set(heads)).toEqual(new Set(["table-header-group"]))
    })
  }

  inBrowser("says one thing of every link that opens nothing", async () => {
    for (const token of ["", "nonsense", `c3RvcmU.x.${"A".repeat(43)}`]) {
      const { page } = await opened(token, {}, "refused")
      expect(await page.$eval("main", (main) => main.textContent ?? "")).toContain(
        "not valid, or not any more",
      )
      expect(await accessibility(page)).toEqual([])
    }
  })

  inBrowser("sends its token in no address", async () => {
    await opened(served.passes.en.token)
    const [, , secret = ""] = served.passes.en.token.split(".")
    expect(served.asked.filter((address) => address.includes(secret))).toEqual([])
    expect(served.asked.some((address) => address.startsWith("/v1/seen"))).toBe(true)
  })
})
