import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, HTTPRequest, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
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
  signIn,
  words,
} from "./ServedStore.js"

const browser: Browser | string = await startBrowser()
const readToken = "a-token-that-may-only-look"
let store: ServedStore
let folder: string
/** One page for all of them: what is told here happens one after the other, as on a day at a desk. */
let page: Page
let faults: Array<string>
type Interception = (request: HTTPRequest) => Promise<boolean>

/** What happens to a request instead of its being sent; `false`: it is sent. */
let instead: Interception | undefined

/** Requests are held only where a test asks for it: one that a view takes back while it is held is never over. */
const intercept = async (what: Interception | undefined) => {
  instead = what
  await page.setRequestInterception(what !== undefined)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "apportion-flows-"))
  const hash = createHash("sha256").update(readToken).digest("hex")
  await writeFile(join(folder, "tokens"), `${hash} [read] Auditor\n`)
  store = await serveStore(sampleSeed(), "--token-file", join(folder, "tokens"))
  const sold = sampleSales().filter(({ id }) => id === "PH-1005")
  expect(await importSales(store, sold)).toEqual([])
  if (typeof browser === "string") return
  const opened = await openPage(browser)
  page = opened.page
  faults = opened.faults
  page.on("request", async (request) => {
    if (instead !== undefined && !(await instead(request))) await request.continue()
  })
  await signIn(page, store, "#/events")
  await settled(page)
}, 120_000)

afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
  await store.stop()
  await rm(folder, { recursive: true, force: true })
})

const inBrowser = (name: string, run: () => Promise<void>) =>
  test(name, async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    await intercept(undefined)
    faults.length = 0
    await run()
  })

const dialogHas = (text: string) =>
  page.waitForFunction(
    (wanted) => document.querySelector("dialog[open]")?.textContent?.includes(wanted) === true,
    { timeout: 20_000 },
    text,
  )

const pageHas = (text: string) =>
  page.waitForFunction(
    (wanted) => document.body.textContent?.includes(wanted) === true,
    { timeout: 20_000 },
    text,
  )

/** The words of what has the focus. */
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "")

const tick = (label: string) =>
  page.locator(`::-p-aria([role="checkbox"][name="${label}"])`).click()

const confirm = () => page.locator("dialog[open] .button-main, dialog[open] .button-danger").click()

const closeDialog = async () => {
  await page.locator("dialog[open] .dialog-actions .button").click()
  await page.waitForFunction(() => document.querySelector("dialog") === null)
  await settled(page)
}

const payoutOf = async (id: string) => (await (await store.ask(`payouts/${id}`)).json()).data

/** Sends a request on, but its answer is lost on the way back. */
const loseAnswer = async (request: HTTPRequest) => {
  const body = request.postData()
  await fetch(request.url(), {
    method: request.method(),
    headers: request.headers(),
    ...(body === undefined ? {} : { body }),
  })
  await request.abort("connectionreset")
}

describe("who pays what is due", () => {
  inBrowser("sees who is paid, and pays each once, also when answers are lost", async () => {
    await goTo(page, "#/payment-run")
    const shown = await words(page)
    const [, count = ""] = /Pay (\d+) payouts/.exec(shown) ?? []
    expect(Number(count)).toBeGreaterThan(5)
    await press(page, `Pay ${count} payouts`)
    await dialogHas("Note them as paid")
    expect(await accessibility(page)).toEqual([])
    // In the meantime one of them comes to something else.
    const entry = { method: "POST", body: JSON.stringify({ amount: 100, name: "Frame" }) }
    const headers = { "content-type": "application/json" }
    expect((await store.ask("payouts/amira-USD-7/expense", { ...entry, headers })).status).toBe(200)
    const sent: Array<string> = []
    let isLost = false
    await intercept(async (request) => {
      if (request.method() !== "POST") return false
      const [, id = ""] = /payouts\/([^/]+)\/(?:pay|set-paid)$/.exec(request.url()) ?? []
      sent.push(id)
      if (sent.length !== 4 || isLost) return false
      isLost = true
      await loseAnswer(request)
      return true
    })
    await confirm()
    await dialogHas("The run ended after 3 of")
    await dialogHas("Trying again is safe")
    await confirm()
    await page.waitForSelector("dialog .notice-good")
    const result = await words(page, "dialog")
    expect(result).toContain(`${Number(count) - 1} payouts noted as paid`)
    expect(result).toContain("Amira Haddad (amira-USD-7)")
    // Whoever is not paid automatically is left out also when they become due in the meantime.
    const late = {
      ...{ payout_id: "late", collaborator_id: "late", collaborator_name: null, total: 1 },
      ...{ currency: "USD", status: "pending", to_be_paid_at: 1, automatic: false },
    }
    const due = { at: 1, totals: [], pay: [late], wait: [], is_whole: true }
    await intercept(async (request) => {
      const isRun = request.url().endsWith("/payment-run")
      const body = JSON.stringify({ data: due })
      if (isRun) await request.respond({ contentType: "application/json", body })
      return isRun
    })
    await closeDialog()
    await expect.poll(() => words(page)).toContain("Pay 0 payouts")
    const paid = [...new Set(sent)].filter((id) => id !== "amira-USD-7")
    for (const id of paid) expect((await payoutOf(id)).status, id).toBe("paid")
    expect((await payoutOf("amira-USD-7")).status).not.toMatch(/paid$/)
  })

  inBrowser("adds an income, once, although its first answer was lost", async () => {
    await goTo(page, "#/payouts/kofi-USD-6")
    await press(page, "Add income")
    await fill(page, "Amount", "2.50")
    await fill(page, "What it is", "Advance")
    await press(page, "Show what changes")
    await dialogHas("$75.48")
    let tries = 0
    await intercept(async (request) => {
      if (request.method() !== "POST") return false
      tries += 1
      if (tries > 1) return false
      await loseAnswer(request)
      return true
    })
    await confirm()
    await dialogHas("The server did not answer")
    // Looked at once more, it is still the same income.
    await closeDialog()
    await press(page, "Show what changes")
    await confirm()
    await dialogHas("comes to $75.48")
    await closeDialog()
    expect((await payoutOf("kofi-USD-6")).total).toBe(7_548)
    await expect.poll(() => words(page)).toContain("Advance")
  })

  inBrowser("sets a payout as paid, and makes a failed one pending again", async () => {
    await goTo(page, "#/payouts/kofi-USD-5")
    await press(page, "Set as paid")
    await press(page, "Show what changes")
    await dialogHas("This can’t be taken back here")
    await confirm()
    await dialogHas("is manually paid")
    await closeDialog()
    await expect
      .poll(() => words(page))
      .toContain("A payout that is paid can’t be changed any more.")
    await goTo(page, "#/payouts/theo-USD-7")
    await press(page, "Pay again")
    await dialogHas("Make it pending again")
    await confirm()
    await dialogHas("can be paid again")
    await closeDialog()
    expect((await payoutOf("theo-USD-7")).status).toBe("pending")
    expect(faults).toEqual([])
  })
})

describe("who keeps the product groups", () => {
  inBrowser("creates one and deletes it, and sees both before they happen", async () => {
    await goTo(page, "#/groups/new")
    await press(page, "Show what changes")
    await pageHas("choose who gets the share")
    await pageHas("name at least one")
    await fill(page, "Collaborator", "Theo")
    await fill(page, "Tags", "letterpress\nprint")
    await fill(page, "Percentage", "5")
    await pageHas("It takes")
    await settled(page)
    await press(page, "Show what changes")
    await dialogHas("Create it")
    await expect.poll(() => words(page, "dialog")).toContain("Tag letterpress, print")
    await settled(page)
    await confirm()
    await dialogHas("Saved.")
    await closeDialog()
    const { data } = await (await store.ask("groups?collaborator=theo&search=letterpress")).json()
    const [{ id }] = data
    await goTo(page, `#/groups/${id}`)
    await press(page, "Delete…")
    await dialogHas("gets nothing by this group")
    await settled(page)
    await confirm()
    await dialogHas("Deleted.")
    await closeDialog()
    expect((await store.ask(`groups/${id}`)).status).toBe(404)
    expect(faults.filter((text) => !text.endsWith("net::ERR_ABORTED"))).toEqual([])
  })
})

describe("who agrees on tiers and a cap", () => {
  const stored = async (id: string) => (await (await store.ask(`groups/${id}`)).json()).data.group

  inBrowser("fills them in, with each problem at its field and all in words", async () => {
    await goTo(page, "#/groups/new")
    await fill(page, "Collaborator", "Theo")
    await fill(page, "Tags", "letterpress")
    await fill(page, "Percentage", "10")
    await tick("The percentage changes with what was sold (tiers)")
    await expect
      .poll(() => words(page))
      .toContain("In words: 10 %, from 1,000 units on 10 % (in all)")
    await fill(page, "Band 2: percentage", "15")
    await press(page, "Add a band")
    await fill(page, "Band 3: from units", "500")
    await pageHas("must be above the bound of the band before it (1000), got 500")
    const field = await page.$("[aria-invalid=true]")
    const described = await field?.evaluate(
      (input) => document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent,
    )
    expect(described).toContain("must be above the bound")
    await fill(page, "Band 3: from units", "5000")
    await fill(page, "Band 3: percentage", "17.5")
    await fill(page, "Begins anew", "Each year")
    await tick("At most so much in a period (cap)")
    await press(page, "Show what changes")
    await pageHas("is needed")
    await fill(page, "At most", "50000")
    await settled(page)
    expect(await accessibility(page)).toEqual([])
    await press(page, "Show what changes")
    await dialogHas("10 %, from 1,000 units on 15 %, from 5,000 units on 17.5 % (a year)")
    await dialogHas("at most 50000 cents a month")
    await settled(page)
    await confirm()
    await dialogHas("Saved.")
    await closeDialog()
    const { data } = await (await store.ask("groups?collaborator=theo&search=letterpress")).json()
    const { percent, terms } = await stored(data[0].id)
    expect(percent).toBeNull()
    expect(terms.tiers).toMatchObject({ counted: "units", per: "group", period: "year" })
    expect(terms.tiers.bands.map(({ from }: { from: number }) => from)).toEqual([0, 1_000, 5_000])
    expect(terms.cap).toEqual({ amount: 50_000, per: "group", period: "month" })
  })

  inBrowser(
    "takes a band and the cap out again, by keyboard, and nothing else changes",
    async () => {
      const { data } = await (await store.ask("groups?collaborator=theo&search=letterpress")).json()
      const [{ id }] = data
      await goTo(page, `#/groups/${id}`)
      await page.focus('::-p-aria([role="button"][name="Remove band 2"])')
      await page.keyboard.press("Enter")
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Add a band")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Space")
      await settled(page)
      await press(page, "Show what changes")
      await dialogHas("10 %, from 5,000 units on 17.5 % (a year)")
      await settled(page)
      await confirm()
      await dialogHas("Saved.")
      await closeDialog()
      const { terms, items } = await stored(id)
      expect(items).toEqual(["letterpress"])
      expect(terms.cap).toBeNull()
      expect(terms.tiers.bands.map(({ from }: { from: number }) => from)).toEqual([0, 5_000])
    },
  )

  inBrowser("sees in a sale what each band earned", async () => {
    const group = {
      ...{ itemType: "products.tag", items: ["linen"], type: "percentage" },
      terms: {
        tiers: {
          counted: "units",
          bands: [
            { from: 0, percent: 10 },
            { from: 2, percent: 20 },
          ],
        },
      },
    }
    const headers = { "content-type": "application/json" }
    const put = { method: "PUT", headers, body: JSON.stringify(group) }
    expect((await store.ask("collaborators/theo/products", put)).status).toBeLessThan(300)
    const product = { id: "linen-1", name: "Linen", tags: ["linen"] }
    const order = {
      ...{ id: "L-1", currency: "USD", created_at: 1_767_312_000 },
      items: [{ external_id: "1", quantity: 5, amount: 5_000, product }],
    }
    const sale = { method: "POST", headers, body: JSON.stringify(order) }
    expect((await store.ask("sales", sale)).status).toBeLessThan(300)
    await goTo(page, "#/sales/L-1")
    await expect.poll(() => words(page)).toContain("2 units at 10 %, 3 units at 20 %")
    await expect
      .poll(() => words(page))
      .toContain("2 of its 5 units were at 10.00%, 3 at 20.00%: 8.00 USD")
  })
})

describe("who agrees on an advance", () => {
  inBrowser("makes, changes and ends it, and sees each before it happens", async () => {
    await goTo(page, "#/agreements/new")
    await press(page, "Show what changes")
    await pageHas("choose with whom it is agreed")
    await pageHas("needs three letters, as EUR")
    expect(await accessibility(page)).toEqual([])
    await fill(page, "Its id", "contract-7")
    await fill(page, "Collaborator", "Theo")
    await fill(page, "Currency", "USD")
    await fill(page, "Amount", "500")
    await fill(page, "Earned back from this much of a share", "50")
    await fill(page, "Earned back from others too", "kofi")
    await press(page, "Show what changes")
    await dialogHas("$500.00 granted on")
    await dialogHas("earned back from 50 % of their shares and those of Kofi Asante")
    expect(await accessibility(page)).toEqual([])
    await confirm()
    await dialogHas("It is agreed")
    await closeDialog()
    await pageHas("Advance of Theo")
    await expect.poll(() => words(page)).toMatch(/Open\s+\$500\.00/)
    await fill(page, "Amount", "600")
    await press(page, "Show what changes")
    await dialogHas("$600.00 granted on")
    await dialogHas("$500.00 granted on")
    await confirm()
    await dialogHas("It is agreed")
    await closeDialog()
    await expect.poll(() => words(page)).toMatch(/Open\s+\$600\.00/)
    await press(page, "End…")
    await dialogHas("can’t be taken up again")
    expect(await accessibility(page)).toEqual([])
    await confirm()
    await dialogHas("It is ended.")
    await closeDialog()
    const { data } = await (await store.ask("agreements/advance/contract-7")).json()
    expect(data).toMatchObject({ agreement: { amount: 60_000, percent: "50.00" } })
    expect(data.ended_at).not.toBeNull()
    await goTo(page, "#/agreements")
    await expect.poll(() => words(page)).toContain("0 agreements")
    await tick("Ended ones too")
    await pageHas("contract-7")
    expect(await accessibility(page)).toEqual([])
  })

  inBrowser("fills in the other kinds too", async () => {
    const kinds = [
      ["A reserve", { "Held back of each share": "20" }, "20 % of their shares are held back"],
      [
        "A guarantee",
        { Currency: "USD", "At least": "50", From: "01012026", "Until the end of": "12312026" },
        "At least $50.00 from Jan 1, 2026 to Dec 31, 2026",
      ],
      [
        "An override",
        { Percentage: "5", "Whose share": "Zo" },
        "5 % of the share of Zoë Lindqvist",
      ],
    ] as const
    for (const [kind, fields, told] of kinds) {
      await goTo(page, "#/agreements")
      await goTo(page, "#/agreements/new")
      await fill(page, "Kind", kind)
      await fill(page, "Its id", kind.replace(" ", "-"))
      await fill(page, "Collaborator", "Theo")
      for (const [name, text] of Object.entries(fields)) await fill(page, name, text)
      await press(page, "Show what changes")
      await dialogHas(told)
      await confirm()
      await dialogHas("It is agreed")
      await closeDialog()
      await expect.poll(() => words(page)).toContain(told)
    }
    const { meta } = await (await store.ask("agreements")).json()
    expect(meta.total).toBe(3)
    expect(faults.filter((text) => !text.endsWith("net::ERR_ABORTED"))).toEqual([])
  })
})

describe("who has a new collaborator", () => {
  inBrowser("adds them, and is led to their first product group", async () => {
    await goTo(page, "#/collaborators/new")
    await press(page, "Show what changes")
    await pageHas("needs three letters, as EUR")
    await fill(page, "Name", "Mira <b>Oduya</b>")
    await fill(page, "Id", "theo")
    await fill(page, "Currency", "usd")
    expect(await accessibility(page)).toEqual([])
    await press(page, "Show what changes")
    await dialogHas("They get nothing until a product group says so.")
    await confirm()
    await page.waitForSelector("dialog .notice-bad")
    await closeDialog()
    await fill(page, "Id", "mira")
    await press(page, "Show what changes")
    await dialogHas("mira")
    await confirm()
    await dialogHas("Added.")
    await closeDialog()
    await pageHas("New product group")
    await pageHas("Mira <b>Oduya</b> (mira)")
    const { data } = await (await store.ask("collaborators/mira")).json()
    expect(data).toMatchObject({ currency: "USD", payout_measurement: "month" })
    expect(data.account.name).toBe("Mira <b>Oduya</b>")
    expect(await page.$eval("form select", (one) => one.value)).toBe("mira")
  })
})

describe("who looks for one thing", () => {
  inBrowser("opens a sale by its order’s id, also without its capitals", async () => {
    await goTo(page, "#/sales")
    await fill(page, "Order’s id", "PH-9999")
    await press(page, "Open")
    await pageHas("no sale has this id")
    await fill(page, "Order’s id", "#ph-1005")
    await press(page, "Open")
    await pageHas("Why, in words")
    expect(await page.evaluate(() => location.hash)).toBe("#/sales/PH-1005")
    expect(await focused()).toContain("Sale ")
  })

  inBrowser("has a heading with the focus where a view can’t be loaded", async () => {
    for (const [view, heading] of [
      ["sales/none", "Sale none"],
      ["payouts/none", "Payout"],
      ["groups/none", "Product group"],
      ["agreements/advance/none", "Agreement"],
    ] as const) {
      await goTo(page, `#/${view}`)
      await page.waitForSelector("main .notice-bad")
      expect(await focused(), view).toBe(heading)
      expect(await accessibility(page), view).toEqual([])
    }
  })

  inBrowser("reads that nobody has said why a payout failed, where nobody has", async () => {
    await goTo(page, "#/payouts/nordwind-EUR-3")
    await pageHas("It failed, and nobody has said why")
  })

  inBrowser("sees names although there are more collaborators than are listed", async () => {
    if (typeof browser === "string") return
    const { page: many } = await openPage(browser)
    await many.setRequestInterception(true)
    many.on("request", async (request) => {
      const url = new URL(request.url())
      if (!url.pathname.endsWith("/collaborators")) return request.continue()
      const from = 100 * Number(url.searchParams.get("page"))
      const data = Array.from({ length: 100 }, (_, place) => ({
        ...{ id: `many-${from + place}`, currency: "USD", account: { name: "Somebody" } },
      }))
      const meta = { current_page: from / 100, last_page: 9, total: 900 }
      const body = JSON.stringify({ data, meta })
      return request.respond({ contentType: "application/json", body })
    })
    await signIn(many, store, "#/sales/PH-1005")
    await many.waitForFunction(() => document.body.textContent.includes("Why, in words"))
    await settled(many)
    const [share] = (await (await store.ask("sales/PH-1005")).json()).data.parts[0].shares
    const one = await (await store.ask(`collaborators/${share.collaborator_id}`)).json()
    await expect.poll(() => words(many)).toContain(one.data.account.name)
    await many.close()
  })
})

describe("who refunds", () => {
  inBrowser("sees of whom it takes back what, and it takes back just that", async () => {
    await goTo(page, "#/sales/PH-1005")
    await press(page, "Refund…")
    await page.waitForSelector("form[aria-label=Refund]")
    expect(await accessibility(page)).toEqual([])
    await fill(page, "How much", "Some")
    await fill(page, "Units", "9")
    await press(page, "Show what it takes back")
    await page.waitForSelector("form[aria-label=Refund] :is(.field-problem, .notice-bad)")
    await fill(page, "How much", "All")
    await fill(page, "The refund’s id", "R-1")
    await press(page, "Show what it takes back")
    await dialogHas("Taken back")
    expect(await accessibility(page)).toEqual([])
    const foreseen = await words(page, "dialog table")
    await confirm()
    await dialogHas("are taken back")
    await closeDialog()
    const { data } = await (await store.ask("sales/PH-1005")).json()
    const [refund] = data.parts[0].refunds
    expect(refund.id).toBe("R-1")
    for (const { amount } of refund.shares) {
      if (amount !== 0) expect(foreseen).toContain(`$${(amount / 100).toFixed(2)}`)
    }
    await expect.poll(() => words(page)).toContain("refunded")
  })
})

describe("who sends a collaborator their statement", () => {
  inBrowser("makes a link, which opens that and nothing else, and revokes it", async () => {
    if (typeof browser === "string") return
    await goTo(page, "#/balances?collaborator=theo")
    await fill(page, "Language", "Deutsch")
    await press(page, "Make a link…")
    await dialogHas("nothing of anyone else")
    expect(await accessibility(page)).toEqual([])
    await confirm()
    await dialogHas("This is shown only now")
    const link = await page.$eval("dialog a", (one) => one.href)
    await closeDialog()
    const { page: seen, faults: seenFaults } = await openPage(browser)
    await seen.goto(link)
    await seen.waitForSelector("[data-view=ready]")
    await expect.poll(() => words(seen)).toContain("Abrechnung für Theo")
    expect(seenFaults).toEqual([])
    await press(page, "Revoke…")
    await dialogHas("opens nothing from then on")
    await confirm()
    await dialogHas("opens nothing any more")
    await closeDialog()
    await expect.poll(() => words(page)).toContain("revoked on")
    await seen.reload()
    await seen.waitForSelector("[data-view=refused]")
    expect(faults).toEqual([])
  })
})

describe("when something fails", () => {
  inBrowser("a view says so, and is asked for again", async () => {
    await intercept(async (request) => {
      const isList = request.url().includes("/payouts?")
      if (isList) await request.abort("connectionrefused")
      return isList
    })
    await page.evaluate(() => {
      location.hash = "#/payouts?status=paid"
    })
    await pageHas("The server did not answer. Check the connection")
    await intercept(undefined)
    await press(page, "Try again")
    await page.waitForSelector(".long tbody a")
    expect(await words(page)).not.toContain("did not answer")
  })

  inBrowser("a server that has had too many requests is waited for", async () => {
    let refused = 0
    await intercept(async (request) => {
      if (refused > 0 || !request.url().includes("/events")) return false
      refused += 1
      const headers = { "retry-after": "1" }
      const body = JSON.stringify({ message: "too many requests" })
      await request.respond({ status: 429, headers, contentType: "application/json", body })
      return true
    })
    await page.evaluate(() => {
      location.hash = "#/events"
    })
    await pageHas("takes only so many requests")
    await pageHas("the latest first")
    expect(await words(page)).not.toContain("takes only so many requests")
  })

  inBrowser("a token that is refused leads to the entrance, and from there back", async () => {
    await goTo(page, "#/payouts/kofi-USD-6")
    await press(page, "Add expense")
    await fill(page, "Amount", "1.00")
    await fill(page, "What it is", "Stamps")
    await press(page, "Show what changes")
    await page.waitForSelector("dialog[open]")
    await intercept(async (request) => {
      const body = JSON.stringify({ message: "the token is not valid" })
      await request.respond({ status: 401, contentType: "application/json", body })
      return true
    })
    await confirm()
    await page.waitForSelector("input[type=password]")
    await expect.poll(() => words(page)).toContain("You are not signed in any more")
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await intercept(undefined)
    await page.type("input[type=password]", readToken)
    await page.keyboard.press("Enter")
    await pageHas("Auditor (may look, but change nothing)")
    await pageHas("Payout of Kofi")
    expect(await page.$("dialog")).toBe(null)
  })

  inBrowser("a token that may only look is told which scope it lacks", async () => {
    await pageHas("it has no scope “payouts”")
    expect(await words(page)).not.toContain("Add expense")
    expect((await payoutOf("kofi-USD-6")).total).toBe(7_548)
  })
})
