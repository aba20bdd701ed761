/** A bookkeeper's day: what one stumbled on, each with the name of what it is now. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, HTTPRequest, Page } from "puppeteer-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { accessibility, openPage, startBrowser } from "../Browser.js"
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
  token,
  words,
} from "./ServedStore.js"

const browser: Browser | string = await startBrowser()
const keeperToken = "a-token-that-sees-to-payouts"
const order = "B-1"
let store: ServedStore
let folder: string
let page: Page
let faults: Array<string>

const send = async (method: "PUT" | "POST", path: string, body: object) => {
  const headers = { "content-type": "application/json" }
  const response = await store.ask(path, { method, headers, body: JSON.stringify(body) })
  expect(response.status, path).toBeLessThan(300)
  return (await response.json()).data
}

/** Comes with a token, in a page of its own. */
const enter = async (opened: Browser, given: string) => {
  ;({ page, faults } = await openPage(opened))
  await page.goto(`${store.address}/#/events`)
  await page.waitForSelector("input[type=password]")
  await page.type("input[type=password]", given)
  await page.keyboard.press("Enter")
  await page.waitForSelector("nav")
  await settled(page)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "apportion-bookkeeper-"))
  const hash = createHash("sha256").update(keeperToken).digest("hex")
  await writeFile(join(folder, "tokens"), `${hash} [read,payouts] Bea Counter\n`)
  store = await serveStore(sampleSeed(), "--token-file", join(folder, "tokens"))
  expect(await importSales(store, sampleSales().slice(0, 5))).toEqual([])
  const granted = { currency: "USD", amount: 80_000, granted_at: 1_767_225_600, percent: "50" }
  const advance = { id: "kofi-2026", collaborator_id: "kofi", ...granted }
  await send("PUT", "agreements", { kind: "advance", agreement: advance })
  const product = { id: "poems-tin-roof", name: "Tin Roof Concerto", tags: ["book", "poetry"] }
  const items = [{ external_id: "1", quantity: 2, amount: 3_200, product }]
  await send("POST", "sales", { id: order, currency: "USD", items })
  if (typeof browser === "string") return
  await enter(browser, token)
}, 120_000)

afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
  await store.stop()
  await rm(folder, { recursive: true, force: true })
})

const inBrowser = (name: string, run: () => Promise<void>) =>
  test(name, async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    faults.length = 0
    await run()
    expect(faults.filter((text) => !text.endsWith("net::ERR_ABORTED"))).toEqual([])
  })

const pageHas = (text: string) =>
  page.waitForFunction((wanted) => document.body.textContent?.includes(wanted) === true, {}, text)

const dialogHas = (text: string) =>
  page.waitForFunction(
    (wanted) => document.querySelector("dialog[open]")?.textContent?.includes(wanted) === true,
    {},
    text,
  )

/** What has the focus: the label of a field, the words of anything else. */
const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
    return label?.textContent ?? element?.textContent ?? ""
  })

const kofisPayout = async (): Promise<string> => {
  const list = await (await store.ask("payouts?collaborator=kofi&status=active")).json()
  return list.data[0].id
}

const confirm = () => page.locator("dialog[open] .button-main, dialog[open] .button-danger").click()

inBrowser(
  "an item of a payout leads to its sale, and what was booked to its agreement",
  async () => {
    await goTo(page, `#/payouts/${await kofisPayout()}`)
    const items = await words(page, "section[aria-label=Items]")
    expect(items).toContain("Tin Roof Concerto")
    expect(items).toMatch(/Advance recouped[^$]*advance\s+kofi-2026/)
    await press(page, order)
    await pageHas("Why, in words")
    expect(await page.evaluate(() => location.hash)).toBe(`#/sales/${order}`)
    // Words name people as they are called.
    await expect.poll(() => words(page)).toMatch(/Kofi Asante gets \d+\.\d\d USD/)
  },
)

inBrowser("an agreement shows what was booked for it, with the sale and the payout", async () => {
  await goTo(page, "#/agreements/advance/kofi-2026")
  await pageHas("1 booking")
  const booked = await words(page, "section[aria-label='What was booked']")
  const [, back = ""] = /Earned back \$(\d+\.\d\d)/.exec(await words(page)) ?? []
  expect(booked).toContain(`-$${back}`)
  expect(booked).toContain(order)
  expect(booked).toContain(await kofisPayout())
  expect(await accessibility(page)).toEqual([])
})

inBrowser("an amount that is none is told in words, and its field has the focus", async () => {
  await goTo(page, `#/payouts/${await kofisPayout()}`)
  await press(page, "Add expense")
  await expect.poll(focused).toBe("Amount")
  await fill(page, "What it is", "Stamps")
  for (const [typed, told] of [
    ["-5", "must be more than zero"],
    ["abc", "must be digits, as 12.50"],
    ["1,50", "must be digits, as 12.50"],
    ["5 EUR", "must be digits, as 12.50"],
    ["1.999", "must be digits, as 12.50"],
    ["90071992547409.92", "is too large: at most 90071992547409.91"],
  ] as const) {
    await fill(page, "Amount", typed)
    await press(page, "Show what changes")
    await pageHas(told)
    expect(await page.$$eval("form .field-problem", (all) => all.length), typed).toBe(1)
    expect(await page.$("dialog"), typed).toBe(null)
    await expect.poll(focused).toBe("Amount")
  }
})

inBrowser(
  "the focus is on Close when a change is done, and on the heading afterwards",
  async () => {
    await fill(page, "Amount", "1.50")
    await press(page, "Show what changes")
    await dialogHas("are taken from the payout")
    await confirm()
    await dialogHas("Done")
    await expect.poll(focused).toBe("Close")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    await page.waitForFunction(() => document.activeElement?.tagName === "H1")
    expect(await focused()).toContain("Payout of Kofi")
  },
)

inBrowser("a refund of a sale with an advance is shown before it is recorded", async () => {
  await goTo(page, `#/sales/${order}`)
  await press(page, "Refund…")
  await page.waitForFunction(() => document.activeElement?.tagName === "SELECT")
  await fill(page, "How much", "An amount")
  await fill(page, "Amount", "16.00")
  await press(page, "Show what it takes back")
  await dialogHas("Kofi Asante")
  await dialogHas("The store gives back")
  await confirm()
  await dialogHas("are taken back")
  await page.keyboard.press("Escape")
  await page.waitForFunction(() => document.querySelector("dialog") === null)
  await goTo(page, "#/agreements/advance/kofi-2026")
  await pageHas("Earned back: taken back by a refund")
})

inBrowser("a change can't be confirmed before the figures are there that it shows", async () => {
  await goTo(page, "#/groups/zoe-art-from-july")
  await fill(page, "Percentage", "34.00")
  await settled(page)
  const answers: Array<() => Promise<void>> = []
  const hold = (request: HTTPRequest) => {
    const isFigures = request.url().endsWith("/groups/backtest/preview")
    if (isFigures) answers.push(() => request.continue())
    else void request.continue()
  }
  await page.setRequestInterception(true)
  page.on("request", hold)
  await press(page, "Show what changes")
  await page.waitForSelector("dialog[open] .button-main:disabled[aria-busy=true]")
  await expect.poll(() => answers.length).toBe(1)
  await answers[0]?.()
  await page.waitForSelector("dialog[open] .button-main:enabled")
  await expect.poll(() => words(page, "dialog")).toMatch(/sales? in/)
  page.off("request", hold)
  await page.setRequestInterception(false)
  await page.keyboard.press("Escape")
})

inBrowser("payouts of last month are one press away", async () => {
  await goTo(page, "#/payouts?collaborator=kofi")
  await press(page, "Paid last month")
  await settled(page)
  const [from = "", until = ""] = await page.$$eval("input[type=date]", (all) =>
    all.slice(2).map((one) => one.value),
  )
  expect(from.slice(8)).toBe("01")
  expect(until.slice(0, 7)).toBe(from.slice(0, 7))
  expect(Number(until.slice(8))).toBeGreaterThan(27)
})

inBrowser("a statement of some months is shown, and saved as CSV and as a page", async () => {
  if (typeof browser === "string") return
  const session = await page.createCDPSession()
  const download = { behavior: "allow", downloadPath: folder } as const
  await session.send("Page.setDownloadBehavior", download)
  await goTo(page, "#/balances?collaborator=kofi")
  const shown = await words(page, "section[aria-label=Statement]")
  expect(shown).toContain("Brought forward")
  expect(shown).toContain("days are those of UTC")
  expect(await accessibility(page)).toEqual([])
  const saved = (ending: string) => {
    const name = readdirSync(folder).find((one) => one.endsWith(ending))
    return name === undefined ? undefined : readFileSync(join(folder, name), "utf8")
  }
  await press(page, "Save as CSV")
  await expect.poll(() => saved(".csv"), { timeout: 10_000 }).toContain("collaborator")
  await press(page, "Save as a page to print")
  await expect.poll(() => saved(".html"), { timeout: 10_000 }).toContain("Kofi Asante")
  expect(existsSync(join(folder, "tokens"))).toBe(true)
})

inBrowser("while somebody's balances are asked for, nobody else's are shown", async () => {
  await goTo(page, "#/balances?collaborator=kofi")
  await expect.poll(() => words(page, "section[aria-label=Balances]")).toContain("$")
  const asked: Array<() => Promise<void>> = []
  const hold = (request: HTTPRequest) => {
    const isIt = request.url().endsWith("/collaborators/theo/balances")
    if (isIt) asked.push(() => request.continue())
    else void request.continue()
  }
  await page.setRequestInterception(true)
  page.on("request", hold)
  await page.evaluate(() => {
    location.hash = "#/balances?collaborator=theo"
  })
  await expect.poll(() => asked.length).toBe(1)
  await expect.poll(() => words(page, "section[aria-label=Balances]")).toMatch(/Theo .*Loading…/)
  expect(await words(page, "section[aria-label=Balances]")).not.toContain("$")
  await asked[0]?.()
  page.off("request", hold)
  await page.setRequestInterception(false)
  await settled(page)
  await expect.poll(() => words(page, "section[aria-label=Balances]")).toContain("$")
})

inBrowser("a closed payout is set as paid with the bank’s reference", async () => {
  await goTo(page, "#/payouts/kofi-USD-5")
  await press(page, "Set as paid")
  await expect.poll(focused).toBe("Reference")
  await fill(page, "Reference", "Transfer 4711")
  await press(page, "Show what changes")
  await dialogHas("the reference “Transfer 4711”")
  await confirm()
  await dialogHas("is paid")
  await page.keyboard.press("Escape")
  await pageHas("A payout that is paid can’t be changed any more.")
  await settled(page)
  await expect.poll(() => words(page, "section[aria-label=Payments]")).toContain("Transfer 4711")
})

inBrowser("what came back from the bank is noted with why, and so is what it refuses", async () => {
  const note = async (why: string) => {
    await expect.poll(focused).toBe("Why")
    await press(page, "Show what changes")
    await pageHas("is needed")
    expect(await accessibility(page)).toEqual([])
    await fill(page, "Why", why)
    await press(page, "Show what changes")
    await dialogHas(why)
    await confirm()
    await dialogHas("is still to be paid")
    await page.keyboard.press("Escape")
    await pageHas(`It failed: ${why}`)
    await settled(page)
  }
  await press(page, "It came back…")
  await note("No such account")
  await expect
    .poll(() => words(page, "section[aria-label=Payments]"))
    .toMatch(/returned .*No such account/)
  await press(page, "Pay again")
  await dialogHas("Make it pending again")
  await confirm()
  await dialogHas("can be paid again")
  await page.keyboard.press("Escape")
  await settled(page)
  await press(page, "Paying it failed…")
  await note("Limit of the day")
  await expect.poll(() => words(page)).toContain("Pay again")
})

inBrowser("a payout says when it is closed, and a link until when it can work", async () => {
  await goTo(page, `#/payouts/${await kofisPayout()}`)
  await expect
    .poll(() => words(page))
    .toMatch(/It collects until .*, and is closed then, if it comes to/)
  await goTo(page, "#/balances?collaborator=kofi")
  await fill(page, "Works until", "01/02/2025")
  await press(page, "Make a link")
  await pageHas("must be a day from today to 365 days from now")
  expect(await page.$("dialog")).toBe(null)
})

inBrowser("what the token may not do is said before anything is filled in", async () => {
  if (typeof browser === "string") return
  await enter(browser, keeperToken)
  for (const [view, told] of [
    [`#/sales/${order}`, "may not record refunds: it has no scope “record”"],
    ["#/agreements/advance/kofi-2026", "it has no scope “manage”"],
    ["#/groups/zoe-art-from-july", "it has no scope “manage”"],
    ["#/balances?collaborator=kofi", "it has no scope “manage”"],
  ] as const) {
    await goTo(page, view)
    await pageHas(told)
    expect(await accessibility(page), view).toEqual([])
  }
  await goTo(page, "#/agreements")
  expect(await words(page)).not.toContain("New agreement")
  await goTo(page, `#/payouts/${await kofisPayout()}`)
  await pageHas("Add expense")
  await expect.poll(() => words(page)).toContain("Days and times are those of UTC")
})
