import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser } from "puppeteer-core"
import { afterAll, describe, expect, test } from "vitest"
import { accessibility, openPage, overhang, startBrowser } from "./Browser.js"

const browser: Browser | string = await startBrowser()
afterAll(async () => {
  if (typeof browser !== "string") await browser.close()
})

const fromFile = pathToFileURL(resolve("dist/web/playground/index.html")).href

describe("the playground", () => {
  test("opens from a file, without a fault", async ({ skip }) => {
    if (typeof browser === "string") return skip(browser)
    const { page, faults } = await openPage(browser)
    await page.goto(fromFile)
    await page.waitForSelector("main")
    expect(await accessibility(page)).toEqual([])
    expect(await overhang(page)).toBe(0)
    expect(faults).toEqual([])
  })
})
