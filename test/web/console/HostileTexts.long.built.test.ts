import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openPage, overhang, startBrowser } from "../Browser.js"
import {
  goTo,
  importSales,
  type ServedStore,
  sampleSales,
  sampleSeed,
  serveStore,
  signIn,
  words,
} from "./ServedStore.js"

const browser: Browser | string = await startBrowser()
let store: ServedStore

const script = `<script>window.carriedOut = 1</script><img src=x onerror="window.carriedOut = 1">`
const hostile = `${script}\u202Egnp.exe \u0007 👩‍👩‍👧 `
const name = `${hostile}${"x".repeat(180 - hostile.length)}`
const order = `"><b>${"y".repeat(60)}`

beforeAll(async () => {
  const seed = sampleSeed()
  store = await serveStore({
    ...seed,
    products: seed.products.map((product) => ({ ...product, name, tags: [hostile, "zoë"] })),
  })
  const [sale] = sampleSales()
  expect(await importSales(store, [{ ...sale, id: order, tags: [hostile] }])).toEqual([])
}, 120_000)

afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
  await store.stop()
})

const views = [
  ...["#/overview?from=2025-01&to=2025-12", "#/payouts", "#/payouts/theo-USD-7", "#/groups"],
  ...["#/groups/zoe-art-from-july", "#/sales", `#/sales/${encodeURIComponent(order)}`, "#/events"],
]

describe("texts of others in the console", () => {
  test("are shown as texts, and nothing in them is carried out", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    const { page, faults } = await openPage(browser, { width: 320, height: 640 })
    await signIn(page, store, "#/balances")
    for (const hash of views) {
      await goTo(page, hash)
      expect(await overhang(page), hash).toBe(0)
      expect(await page.evaluate(() => Reflect.get(window, "carriedOut")), hash).toBe(undefined)
      expect(await page.$$("main script, main img, main b"), hash).toEqual([])
    }
    await goTo(page, `#/sales/${encodeURIComponent(order)}`)
    const shown = await words(page)
    expect(shown).toContain("<script>window.carriedOut")
    expect(shown).toContain("U+202E")
    expect(shown).not.toContain("\u202E")
    expect(faults.filter((text) => !text.endsWith("net::ERR_ABORTED"))).toEqual([])
  })
})
