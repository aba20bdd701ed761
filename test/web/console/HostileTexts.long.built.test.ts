import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openPage, overhang, startBrowser } from "../Browser.js"
import {
  fill,
  goTo,
  importSales,
  press,
  type ServedStore,
  sampleSales,
  sampleSeed,
  serveStore,
  settled,
  signIn,
  words,
} from "./ServedStore.js"

const browser: Browser | string = await startBrowser()
let store: ServedStore

const script = `<script>window.carriedOut = 1</script><img src=x onerror="window.carriedOut = 1">`
const hostile = `${script}\u202Egnp.exe \u0007 👩‍👩‍👧 `
const long = `${hostile}${"x".repeat(10_000 - hostile.length)}`
const order = `"><b>${"y".repeat(60)}`
const group = "zoe-art-from-july"

beforeAll(async () => {
  const seed = sampleSeed()
  store = await serveStore({
    ...seed,
    collaborators: seed.collaborators.map((one) => ({
      ...one,
      notes: long,
      account: { name: long, paypal_email: null },
    })),
    products: seed.products.map((product) => ({
      ...product,
      ...{ name: long, vendor: hostile, tags: [hostile, "zoë"] },
    })),
    groups: seed.groups.map((one) => ({
      ...one,
      ...{ splitConditionType: "referer", splitConditions: [hostile, order] },
    })),
  })
  const [sale] = sampleSales()
  const texts = { name: long, tags: [hostile], referer: [hostile], discount_codes: [hostile] }
  expect(await importSales(store, [{ ...sale, ...texts, id: order }])).toEqual([])
  const entry = { amount: 100, name: hostile }
  const headers = { "content-type": "application/json" }
  const added = await store.ask("payouts/theo-USD-7/expense", {
    ...{ method: "POST", headers, body: JSON.stringify(entry) },
  })
  expect(added.status).toBe(200)
}, 120_000)

afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
  await store.stop()
})

const sale = `#/sales/${encodeURIComponent(order)}`

const views = [
  ...["#/overview?from=2025-01&to=2025-12", "#/payouts", "#/payouts/theo-USD-7", "#/payment-run"],
  ...["#/groups", `#/groups/${group}`, "#/sales", sale, "#/balances", "#/events"],
  ...["#/balances?collaborator=theo", `#/sales?product=${encodeURIComponent(hostile)}`],
]

/** Nothing in a text was carried out, nothing of it became markup, and nothing turns the text around it. */
const expectHarmless = async (page: Page, where: string, within = "main") => {
  expect(await overhang(page), where).toBe(0)
  expect(await page.evaluate(() => Reflect.get(window, "carriedOut")), where).toBe(undefined)
  expect(await page.$$(`${within} :is(script, img, b)`), where).toEqual([])
  const shown = await words(page, within)
  for (const unseen of ["\u202E", "\u0007"]) expect(shown, where).not.toContain(unseen)
}

/** What leads to each dialog, as a person goes there. */
const dialogs: ReadonlyArray<readonly [view: string, lead: (page: Page) => Promise<void>]> = [
  ["#/payment-run", (page) => page.locator(".row .button-main").click()],
  [
    "#/payouts/theo-USD-7",
    async (page) => {
      await press(page, "Add income")
      await fill(page, "Amount", "1.00")
      await fill(page, "What it is", script)
      await press(page, "Show what changes")
    },
  ],
  [`#/groups/${group}`, (page) => press(page, "Delete…")],
  [
    `#/groups/${group}`,
    async (page) => {
      await fill(page, "Percentage", "40.00")
      await settled(page)
      await press(page, "Show what changes")
    },
  ],
  [
    sale,
    async (page) => {
      await press(page, "Refund…")
      await fill(page, "The refund’s id", script)
      await press(page, "Show what it takes back")
    },
  ],
  ["#/balances?collaborator=theo", (page) => press(page, "Make a link…")],
]

describe("texts of others in the console", () => {
  test("are shown as texts in every view, and nothing in them is carried out", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    const { page, faults } = await openPage(browser, { width: 320, height: 640 })
    await signIn(page, store, "#/balances")
    for (const hash of views) {
      await goTo(page, hash)
      await expectHarmless(page, hash)
    }
    for (const [hash, lead] of dialogs) {
      await goTo(page, hash)
      await lead(page)
      await page.waitForSelector("dialog[open]")
      await settled(page)
      await expectHarmless(page, hash, "dialog")
      await page.keyboard.press("Escape")
    }
    await goTo(page, sale)
    const shown = await words(page)
    expect(shown).toContain("<script>window.carriedOut")
    expect(shown).toContain("U+202E")
    expect(faults.filter((text) => !text.endsWith("net::ERR_ABORTED"))).toEqual([])
  })
})
