import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, describe, expect, test } from "vitest"
import {
  accessibility,
  openPage,
  overhang,
  screenshot,
  screenshotTolerance,
  serveFolder,
  startBrowser,
  type View,
  type Watched,
} from "./Browser.js"

const browser: Browser | string = await startBrowser()
const folder = mkdtempSync(join(tmpdir(), "apportion-playground-"))
afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

const built = "dist/web/playground"
const fromFile = pathToFileURL(resolve(built, "index.html")).href

const opened = async (view: View = {}, address = fromFile): Promise<Watched> => {
  if (typeof browser === "string") throw new TypeError(browser)
  const watched = await openPage(browser, view)
  await watched.page.goto(address)
  await watched.page.waitForSelector("[data-view=split]")
  return watched
}

/** The test of a page, left out with a word where no browser can start. */
const inBrowser = (name: string, run: () => Promise<void>) =>
  test(name, async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    await run()
  })

const aria = (role: string, name: string) => `::-p-aria([role="${role}"][name="${name}"])`

const fill = (page: Page, name: string, text: string) =>
  page.locator(aria("textbox", name)).fill(text)

const press = (page: Page, role: string, name: string) => page.locator(aria(role, name)).click()

const choose = async (page: Page, within: string, value: string) => {
  await page.select(`${within} select`, value)
}

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => element.textContent ?? "")

const until = (page: Page, selector: string, text: string) =>
  page.waitForFunction(
    (selector, text) => document.querySelector(selector)?.textContent?.includes(text) === true,
    { timeout: 20_000 },
    selector,
    text,
  )

const upload = async (page: Page, ...paths: ReadonlyArray<string>) => {
  const input = await page.$("input[type=file]")
  if (input === null || !("uploadFile" in input)) throw new TypeError("no field for files")
  await input.uploadFile(...paths)
}

const json = (name: string, value: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(value))
  return path
}

const settled = async (page: Page) => {
  await page.evaluate(() => document.fonts.ready)
  await new Promise((done) => setTimeout(done, 150))
}

describe("the playground", () => {
  test("asks for at most 150 kB, gzipped, before its first view", () => {
    const first = ["index.html", "page.js", "style.css"].map(
      (name) => gzipSync(readFileSync(join(built, name)), { level: 9 }).length,
    )
    const editor = gzipSync(readFileSync(join(built, "editor.js")), { level: 9 }).length
    console.log(`first view ${first.join(" + ")} bytes, the editor ${editor} more`)
    expect(first.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(150_000)
  })

  test("is beside its guide as one folder, without anything else", () => {
    const names = [...readdirSync(built), "README.md"].sort()
    expect(readdirSync("docs/playground").sort()).toEqual(names)
  })

  inBrowser(
    "splits as one types, from a file, and asks for nothing but its own files",
    async () => {
      const { page, faults, requests } = await opened()
      expect(await textOf(page, "[data-view=split]")).toContain("45.00 USD")
      await fill(page, "Percent", "25")
      await until(page, "[data-view=split]", "22.50 USD")
      expect(await textOf(page, "[data-view=words]")).toContain("25.00% of 90.00 USD is 22.50 USD")
      await fill(page, "Percent", "12.345")
      await until(page, "[data-form=group]", "with at most two decimals")
      await until(page, "[data-view=problems]", "the last result")
      expect(new Set(requests)).toEqual(
        new Set(
          ["index.html", "page.js", "style.css"].map((name) =>
            fromFile.replace("index.html", name),
          ),
        ),
      )
      const time = await page.evaluate(
        () => performance.getEntriesByName("first split")[0]?.startTime ?? Number.NaN,
      )
      console.log(`time to the first split from a file: ${Math.round(time)} ms`)
      expect(faults).toEqual([])
    },
  )

  inBrowser("counts for terms that depend on earlier sales, and goes on to the next", async () => {
    const { page, faults } = await opened()
    await choose(page, ".top", "5")
    await until(page, "[data-view=words]", "200 of its 300 units were at 10.00%, 100 at 15.00%")
    await until(page, ".flow", "10.00 %, then 15.00 %")
    await until(page, ".flow", "20.00 %, capped")
    await fill(page, "Units of group ines-novel", "0")
    await until(page, "[data-view=words]", "10.00% of 1800.00 USD is 180.00 USD")
    await fill(page, "Band 2: from units", "100")
    await until(page, "[data-view=words]", "100 of its 300 units were at 10.00%, 200 at 15.00%")
    await fill(page, "Band 2: from units", "0")
    await until(page, "[data-form=terms]", "must be above the bound of the band before it")
    await until(page, "[data-view=problems]", "the last result")
    await fill(page, "Band 2: from units", "200")
    await press(page, "button", "Sell the same again")
    await until(page, "[data-view=words]", "15.00% of 1800.00 USD is 270.00 USD")
    await until(page, "[data-view=words]", "Units counted: 300 before it, 600 with it.")
    await press(page, "tab", "Check")
    await until(page, "[data-view=findings]", "Whatever was counted before")
    await new Promise((done) => setTimeout(done, 700))
    const other = await opened({}, page.url())
    await until(other.page, "[data-view=counted]", "600")
    expect([...faults, ...other.faults]).toEqual([])
  })

  inBrowser("works from any web server too", async () => {
    const server = await serveFolder(built)
    const { page, faults } = await opened({}, `${server.address}/`)
    await press(page, "tab", "JSON")
    await page.waitForSelector("json-editor")
    expect(faults).toEqual([])
    await page.close()
    await server.close()
  })

  inBrowser(
    "says who gets nothing, what the groups' check finds, and shows the order",
    async () => {
      const { page, faults } = await opened()
      await choose(page, ".top", "1")
      await press(page, "tab", "Who gets nothing")
      await until(page, ".result", "group ada-poster of the same collaborator is more specific")
      await until(page, ".result", 'it is for products with the tag "music"')
      await choose(page, ".top", "2")
      await press(page, "tab", "Check")
      await until(page, "[data-view=findings]", "110.00 USD in all")
      await press(page, "button", "Show the smallest order with it")
      await until(page, "[data-view=problems]", "claim more than it brought in")
      expect(faults).toEqual([])
    },
  )

  inBrowser("compares two rule sets, on this order and on every other", async () => {
    const { page, faults } = await opened()
    await choose(page, ".top", "4")
    await press(page, "tab", "Compare")
    await until(page, "[data-view=verdict]", "They differ")
    await until(
      page,
      "[data-view=comparison]",
      'splitConditions was ["sam-blog","sam-mail"], is ["sam-blog"]',
    )
    await press(page, "button", "Show the smallest order with it")
    await until(page, "[data-view=comparison]", "-10.00 USD")
    await press(page, "button", "Keep these groups instead")
    await until(page, "[data-view=verdict]", "Proved: both pay everyone the same")
    expect(faults).toEqual([])
  })

  inBrowser(
    "has everything in its link, of which the server that it is on sees nothing",
    async () => {
      const server = await serveFolder(built)
      const { page, faults } = await opened({}, `${server.address}/`)
      await fill(page, "Collaborator", "Zoë <b>&</b> שלום")
      await fill(page, "Percent", "33.33")
      await page.waitForFunction(() => location.hash.length > 10)
      await new Promise((done) => setTimeout(done, 700))
      const other = await opened({}, page.url())
      await until(other.page, "[data-view=split]", "Zoë <b>&</b> שלום")
      const split = await textOf(page, "[data-view=split]")
      expect(await textOf(other.page, "[data-view=split]")).toBe(split)
      expect([...new Set(server.asked)].sort()).toEqual(["/", "/page.js", "/style.css"])
      const broken = await opened({}, `${server.address}/#1AAAA`)
      expect(await textOf(broken.page, "[data-view=split]")).toContain("45.00 USD")
      expect([...faults, ...other.faults, ...broken.faults]).toEqual([])
      await server.close()
    },
  )
})

describe("files of the playground", () => {
  inBrowser("are taken by the command line, which comes to the same cents", async () => {
    const { page, faults } = await opened()
    await choose(page, ".top", "3")
    const session = await page.createCDPSession()
    await session.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder })
    const files = ["groups.json", "orders.json", "policy.json"].map((name) => join(folder, name))
    for (const file of files) rmSync(file, { force: true })
    await press(page, "button", "Save files")
    await expect.poll(() => files.every((file) => existsSync(file)), { timeout: 10_000 }).toBe(true)
    const flags = [
      "--groups",
      "groups.json",
      "--policy",
      "policy.json",
      "--format",
      "ndjson",
      "--orders",
      "orders.json",
    ]
    const output = execFileSync(
      process.execPath,
      [resolve("dist/cli/main.js"), "split", ...flags],
      { cwd: folder, encoding: "utf8" },
    )
    const { shares } = JSON.parse(output.split("\n")[0] ?? "")
    const sums = new Map<string, number>()
    for (const { collaborator_id, amount } of shares) {
      sums.set(collaborator_id, (sums.get(collaborator_id) ?? 0) + amount)
    }
    const shown = await textOf(page, "[data-view=split] table")
    expect([...sums.keys()].sort()).toEqual(["ada", "mia"])
    for (const [, amount] of sums) expect(shown).toContain(`${(amount / 100).toFixed(2)} EUR`)
    expect(faults).toEqual([])
  })

  inBrowser(
    "of the guide's shop can be opened: groups, a policy, and orders of Shopify",
    async () => {
      const { page, faults } = await opened()
      const shop = (name: string) => resolve("docs/guide/small-shop", name)
      await upload(page, shop("groups.json"), shop("policy.json"), shop("shopify-orders.json"))
      await until(page, ".toasts", "shopify-orders.json: 1 orders; not taken")
      await until(page, "[data-view=split]", "4.00 USD")
      await upload(page, resolve("docs/sample-store/orders.ndjson"))
      await until(page, ".panes", "Orders of the file")
      await until(page, "[data-view=split]", "EUR")
      await upload(page, shop("orders.csv"))
      await until(page, ".toasts", "It is not JSON")
      expect(faults).toEqual([])
    },
  )
})

describe("JSON in the playground", () => {
  inBrowser("has its problems at their lines, and completes fields and values", async () => {
    const { page, faults } = await opened()
    await press(page, "tab", "JSON")
    await page.locator("json-editor >>> .cm-content").click()
    await page.keyboard.down("Control")
    await page.keyboard.press("a")
    await page.keyboard.up("Control")
    const text =
      '[{"id": "g", "collaborator_id": "ada", "itemType": "products.all", "percent": 120}]'
    await page.keyboard.sendCharacter(text.replace('"percent"', '\n"percent"'))
    await page.waitForSelector("json-editor >>> .cm-lintRange-error")
    const marked = await page.$$eval("json-editor >>> .cm-lintRange-error", (marks) =>
      marks.map(({ textContent }) => textContent),
    )
    expect(marked).toEqual(["120"])
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.type(', "max')
    await page.waitForSelector("json-editor >>> .cm-tooltip-autocomplete")
    const offered = await page.$eval(
      "json-editor >>> .cm-tooltip-autocomplete",
      ({ textContent }) => textContent ?? "",
    )
    expect(offered).toContain('"max_amount"')
    expect(faults).toEqual([])
  })
})

const hostile = {
  script: '"><script>document.title="broken"</script><img src=x onerror="document.title=1">',
  turned: "invoice\u202egnp.exe",
  long: "long ".repeat(2_000),
  emoji: "👩‍👩‍👧‍👦🏳️‍🌈 \u0000\u0007\u200b",
}

describe("hostile texts in the playground", () => {
  inBrowser("are shown as texts, in every field", async () => {
    const { page, faults } = await opened()
    const values = Object.values(hostile)
    const groups = values.map((text, place) => ({
      ...{ id: `${place} ${text}`, collaborator_id: `${text} ${place}`, itemType: "products.tag" },
      ...{ items: [text], percent: "5", splitConditionType: "referer", splitConditions: [text] },
    }))
    const product = { id: hostile.script, vendor: hostile.turned, tags: values }
    const order = {
      ...{ id: hostile.script, currency: "USD", referer: values, tags: values },
      ...{ customer: { tags: values }, discount_codes: values },
      items: [{ external_id: `1 ${hostile.turned}`, quantity: 1, amount: 9_999, product }],
    }
    await upload(page, json("hostile-groups.json", groups), json("hostile-order.json", order))
    await until(page, "[data-view=split]", "<script>")
    const shown = await textOf(page, ".result")
    expect(shown).toContain('"><script>document.title="broken"</script>')
    expect(shown).toContain("invoiceU+202Egnp.exe")
    for (const steering of ["\u202e", "\u0000", "\u0007", "\u200b"]) {
      expect(shown).not.toContain(steering)
    }
    for (const name of ["Who gets nothing", "Check", "Compare", "JSON"]) {
      await press(page, "tab", name)
      expect(await overhang(page), name).toBe(0)
    }
    await page.waitForSelector("json-editor")
    expect(await page.title()).toBe("Apportion playground")
    expect(await page.$$eval("main script, main img", (elements) => elements.length)).toBe(0)
    expect(await accessibility(page)).toEqual([])
    expect(faults).toEqual([])
  })
})

describe("the playground by keyboard", () => {
  inBrowser("changes a percentage without a pointer", async () => {
    const { page, faults } = await opened()
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at } = document
        const label = at?.id ? document.querySelector(`label[for="${at.id}"]`)?.textContent : null
        return label ?? at?.getAttribute("aria-label") ?? at?.textContent ?? ""
      })
    const reach = async (name: string) => {
      for (let key = 0; key < 40 && (await focused()) !== name; key += 1) {
        await page.keyboard.press("Tab")
      }
      expect(await focused()).toBe(name)
    }
    await reach("Product groups")
    await page.keyboard.press("ArrowDown")
    await reach("Percent")
    await page.keyboard.down("Control")
    await page.keyboard.press("a")
    await page.keyboard.up("Control")
    await page.keyboard.type("20")
    await until(page, "[data-view=split]", "20.00 USD")
    expect(faults).toEqual([])
  })
})

const looks: ReadonlyArray<{
  readonly name: string
  readonly view: View
  readonly example: string
  readonly tab?: string
}> = [
  { name: "playground-light", view: {}, example: "0" },
  { name: "playground-dark-check", view: { scheme: "dark" }, example: "2", tab: "Check" },
  { name: "playground-narrow", view: { width: 320, height: 900 }, example: "1" },
  { name: "playground-zoomed", view: { zoom: 2, scheme: "dark" }, example: "3" },
  { name: "playground-compare", view: { height: 1000 }, example: "4", tab: "Compare" },
  { name: "playground-terms", view: { height: 1400 }, example: "5" },
  { name: "playground-terms-narrow", view: { width: 320, height: 1400 }, example: "5" },
  { name: "playground-json", view: {}, example: "3", tab: "JSON" },
]

describe("the look of the playground", () => {
  for (const { name, view, example, tab } of looks) {
    inBrowser(`${name}: axe finds nothing, nothing sticks out, and it is as it was`, async () => {
      const { page, faults } = await opened(view)
      await choose(page, ".top", example)
      if (tab !== undefined) await press(page, "tab", tab)
      if (tab === "JSON") await page.waitForSelector("json-editor >>> .cm-line")
      if (tab === "Check") await page.waitForSelector("[data-view=findings]")
      if (tab === "Compare") await page.waitForSelector("[data-view=verdict]")
      await settled(page)
      expect(await accessibility(page)).toEqual([])
      expect(await overhang(page)).toBe(0)
      expect(await screenshot(page, name)).toBeLessThanOrEqual(screenshotTolerance)
      expect(faults).toEqual([])
    })
  }
})

describe("a thousand groups in the playground", () => {
  inBrowser("are split at each key stroke, also while they are being checked", async () => {
    const { page, faults } = await opened()
    const groups = Array.from({ length: 1_000 }, (_, place) => ({
      ...{ id: `group-${place}`, collaborator_id: `person-${place % 300}`, percent: "1.00" },
      ...{ itemType: "products.tag", items: [`tag-${place}`, place % 50 === 0 ? "art" : "none"] },
    }))
    await upload(page, json("thousand.json", groups))
    await until(page, "h2", "(1000)")
    const strokes = (count: number, pause: number) =>
      page.evaluate(
        async (count, pause) => {
          const labels = [...document.querySelectorAll("label")]
          const label = labels.find(({ textContent }) => textContent === "Percent")
          const input = document.getElementById(label?.htmlFor ?? "")
          if (!(input instanceof HTMLInputElement)) return []
          const taken: Array<number> = []
          for (let stroke = 0; stroke < count; stroke += 1) {
            await new Promise((done) => setTimeout(done, pause))
            const began = performance.now()
            input.value = `0.${10 + stroke}`
            input.dispatchEvent(new Event("input", { bubbles: true }))
            // After the frame in which the new figures are painted.
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
            taken.push(performance.now() - began)
          }
          return taken.sort((one, other) => one - other)
        },
        count,
        pause,
      )
    const typing = await strokes(30, 60)
    expect(typing.length).toBe(30)
    await until(page, "[data-view=split]", "0.39")
    const checking = await strokes(3, 2_000)
    await until(page, "[data-view=split]", "0.12")
    const told = (times: ReadonlyArray<number>) =>
      `median ${times[times.length >> 1]?.toFixed(1)} ms, most ${times.at(-1)?.toFixed(1)} ms`
    console.log(`a key stroke with 1,000 groups until it is painted: ${told(typing)}`)
    console.log(`the same when a check has just begun: ${told(checking)}`)
    expect(faults).toEqual([])
  })
})
