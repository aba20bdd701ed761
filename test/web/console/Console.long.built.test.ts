import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import {
  accessibility,
  openPage,
  overhang,
  screenshot,
  screenshotTolerance,
  startBrowser,
} from "../Browser.js"
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

beforeAll(async () => {
  const seed = sampleSeed()
  store = await serveStore(seed)
  // Groups are linked in the background: before the sales, so that the events come in one order.
  const linked = async () => {
    const text = await (await store.ask("events?limit=1000")).text()
    expect(text.split('"group.linked"').length - 1).toBe(seed.groups.length)
  }
  await vi.waitFor(linked, { timeout: 60_000 })
  expect(await importSales(store, sampleSales())).toEqual([])
  const agreement = {
    ...{ id: "kofi-2025", collaborator_id: "kofi", currency: "USD", amount: 80_000 },
    granted_at: 1_767_225_600,
  }
  const body = JSON.stringify({ kind: "advance", agreement })
  const headers = { "content-type": "application/json" }
  expect((await store.ask("agreements", { method: "PUT", headers, body })).status).toBe(200)
}, 120_000)

afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
  await store.stop()
})

/** A view that is left ends what it has asked for. */
const isFault = (text: string): boolean => !text.endsWith("net::ERR_ABORTED")

/**
 * What is of today, or made at random, looks the same each time in pictures: days of now, the month before it, and ids
 * that are no names.
 */
const holdStill = (page: Page) =>
  page.evaluate(() => {
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" })
    const times = [0, 1].map((ago) => Date.now() - ago * 86_400_000)
    const days = times.map((time) => day.format(time))
    const dates = times.map((time) => new Date(time).toISOString().slice(0, 10))
    for (const field of document.querySelectorAll<HTMLInputElement>("input[type=date]")) {
      if (dates.includes(field.value)) field.value = "2026-01-15"
    }
    const today = new Date()
    const before = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1))
    for (const field of document.querySelectorAll<HTMLInputElement>("input[type=month]")) {
      if (field.value === before.toISOString().slice(0, 7)) field.value = "2025-12"
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = days.reduce(
        (all, one) => all.replaceAll(one, "Jan 15, 2026"),
        node.textContent ?? "",
      )
      node.textContent = text
        .replace(/\d?\d:\d\d [AP]M/g, "10:30 AM")
        .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "an id")
    }
  })

/** The views of which there are pictures. */
const pictured: Readonly<Record<string, string>> = {
  "#/overview?from=2025-01&to=2025-12": "overview",
  "#/payouts?status=failed": "payouts",
  "#/payouts/theo-USD-7": "payout",
  "#/payment-run": "payment-run",
  "#/groups": "groups",
  "#/groups/zoe-art-from-july": "group",
  "#/agreements": "agreements",
  "#/agreements/new": "agreement-form",
  "#/agreements/advance/kofi-2025": "agreement",
  "#/collaborators/new": "collaborator-form",
  "#/sales/PH-1005": "sale",
  "#/balances": "balances",
  "#/balances?collaborator=theo": "balances-of-one",
  "#/events": "events",
}

const views = [
  "#/overview?from=2025-01&to=2025-12",
  "#/payouts",
  "#/payouts?status=failed",
  "#/payouts/theo-USD-7",
  "#/payment-run",
  "#/groups",
  "#/groups/new",
  "#/groups/zoe-art-from-july",
  "#/agreements",
  "#/agreements/new",
  "#/agreements/advance/kofi-2025",
  "#/collaborators/new",
  "#/sales",
  "#/sales/PH-1005",
  "#/balances",
  "#/balances?collaborator=theo",
  "#/events",
]

describe("the console", () => {
  test("refuses a token that it does not know, and keeps nothing of it", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    const { page } = await openPage(browser)
    await page.goto(`${store.address}/`)
    await page.waitForSelector("input[type=password]")
    await page.type("input[type=password]", "somebody else's token")
    await press(page, "Sign in")
    await page.waitForSelector("[aria-invalid=true]")
    await expect.poll(() => words(page)).toContain("This access token is not known")
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  })

  test("changes a percentage, and shows its effect before and after", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    const { page, faults } = await openPage(browser)
    await signIn(page, store, "#/balances")
    await goTo(page, "#/groups/zoe-art-from-july")
    await fill(page, "Percentage", "40.00")
    await settled(page)
    await press(page, "Show what changes")
    await page.waitForSelector("dialog[open] table")
    await settled(page)
    const shown = await words(page, "dialog")
    expect(shown).toContain("33.33 %")
    expect(shown).toContain("40 %")
    expect(shown).toMatch(/\b\d+ of \d+ sales in Dec 2025 would have been split otherwise/)
    expect(shown).toMatch(/Zoë Lindqvist\s+\$[\d.,]+\s+\$[\d.,]+\s+\+\$/)
    expect(shown).toMatch(/the store\s+\$[\d.,]+\s+\$[\d.,]+\s+-\$/)
    expect(await accessibility(page)).toEqual([])
    await press(page, "Save it")
    await page.waitForSelector("dialog .notice-good")
    await press(page, "Close")
    await settled(page)
    await expect.poll(() => words(page)).toContain("40 %")
    const stored = await (await store.ask("groups/zoe-art-from-july")).json()
    expect(stored.data.group.percent).toBe("40.00")
    expect(faults.filter(isFault)).toEqual([])
  })

  test("adds an expense after it has shown what the payout comes to", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    const { page, faults } = await openPage(browser)
    await signIn(page, store, "#/balances")
    await goTo(page, "#/payouts/theo-USD-7")
    await press(page, "Add expense")
    await fill(page, "Amount", "3.00")
    await fill(page, "What it is", "Samples")
    await press(page, "Show what changes")
    await page.waitForSelector("dialog[open]")
    await expect.poll(() => words(page, "dialog")).toMatch(/Total\s+\$46\.39\s+\$43\.39/)
    await page.locator("dialog .button-main").click()
    await page.waitForSelector("dialog .notice-good")
    await press(page, "Close")
    await settled(page)
    await expect.poll(() => words(page, "main .tiles")).toContain("$43.39")
    await expect.poll(() => words(page)).toContain("Samples")
    expect(faults.filter(isFault)).toEqual([])
  })

  test("shows the figures of the period that is chosen, and of no other", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    const { page, faults } = await openPage(browser)
    await signIn(page, store, "#/balances")
    await goTo(page, "#/overview?from=2025-01&to=2025-12")
    const whole = await words(page, "main section")
    expect(whole).toContain("Jan 2025")
    expect(whole).toContain("Dec 2025")
    await goTo(page, "#/overview?from=2025-02&to=2025-12")
    await expect.poll(() => words(page, "main section")).not.toContain("Jan 2025")
    await goTo(page, "#/overview?from=2025-01&to=2025-12")
    await expect.poll(() => words(page, "main section")).toBe(whole)
    expect(faults.filter(isFault)).toEqual([])
  })

  test("has no fault in any view, light or dark, wide, narrow or zoomed", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    // The same list as that of all payouts.
    const narrow = views.filter((hash) => hash !== "#/payouts?status=failed")
    const few = [
      "#/overview?from=2025-01&to=2025-12",
      "#/payouts/theo-USD-7",
      "#/groups/zoe-art-from-july",
    ]
    const cases = [
      ["light", {}, views],
      ["narrow", { width: 320, height: 640 }, narrow],
      ["dark", { scheme: "dark" }, few],
      ["zoomed", { zoom: 2 }, few],
    ] as const
    for (const [look, view, hashes] of cases) {
      const { page, faults } = await openPage(browser, view)
      await signIn(page, store, "#/balances")
      for (const hash of hashes) {
        await goTo(page, hash)
        expect(await accessibility(page), hash).toEqual([])
        expect(await overhang(page), hash).toBe(0)
        const name = pictured[hash]
        if (name === undefined || (look === "narrow" && !few.includes(hash))) continue
        await holdStill(page)
        const different = await screenshot(page, `console-${name}-${look}`)
        expect(different, `${name} ${look}`).toBeLessThanOrEqual(screenshotTolerance)
      }
      expect(faults.filter(isFault)).toEqual([])
      await page.close()
    }
  })
})
