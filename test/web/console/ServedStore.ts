import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "puppeteer-core"

export const token = "paper-heron-at-dusk"

interface Seed {
  readonly collaborators: ReadonlyArray<{ readonly id: string; readonly currency: string }>
  readonly products: ReadonlyArray<object>
  readonly groups: ReadonlyArray<object>
  readonly payouts: ReadonlyArray<object>
}

interface SampleOrder {
  readonly id: string
  readonly currency: string
  readonly created_at: number
}

const sample = (name: string): string => readFileSync(`docs/sample-store/${name}`, "utf8")

/** The sample store, with everybody paid in dollars: the server knows no exchange rates. */
export const sampleSeed = (): Seed => {
  const seed: Seed = JSON.parse(sample("store.json"))
  const collaborators = seed.collaborators.map((one) => ({ ...one, currency: "USD" }))
  return { ...seed, collaborators }
}

/** The sample store's orders in dollars, of the year 2025. */
export const sampleSales = (): ReadonlyArray<SampleOrder> =>
  sample("orders.ndjson")
    .trim()
    .split("\n")
    .map((line): SampleOrder => JSON.parse(line))
    .filter(({ currency }) => currency === "USD")

/** A server of `apportion serve` with its address. */
export interface ServedStore {
  readonly address: string
  readonly ask: (path: string, request?: RequestInit) => Promise<Response>
  readonly stop: () => Promise<void>
}

const program = createRequire(import.meta.url).resolve("../../../dist/cli/main.js")

const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ""
    const hear = (text: Buffer) => {
      said += text.toString()
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    }
    server.stdout?.on("data", hear)
    server.stderr?.on("data", hear)
    server.on("exit", () => reject(new Error(`the server ended: ${said}`)))
  })

/** Serves an account from memory that begins with the seed. */
export const serveStore = async (
  seed: object,
  ...flags: ReadonlyArray<string>
): Promise<ServedStore> => {
  const folder = await mkdtemp(join(tmpdir(), "apportion-console-"))
  const file = join(folder, "seed.json")
  await writeFile(file, JSON.stringify(seed))
  const options = ["--port", "0", "--drain", "0", "--rate", "100000", "--token", token]
  const server = spawn(process.execPath, [program, "serve", ...options, "--seed", file, ...flags])
  const ended = new Promise((resolve) => server.on("exit", resolve))
  const address = await addressOf(server)
  return {
    address,
    ask: (path, request = {}) =>
      fetch(`${address}/api/v1/${path}`, {
        ...request,
        headers: { authorization: `Bearer ${token}`, ...request.headers },
      }),
    stop: async () => {
      server.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Records sales of the past as they were made, paid until the end of the year 2025. */
export const importSales = async (
  store: ServedStore,
  sales: ReadonlyArray<object>,
): Promise<ReadonlyArray<string>> => {
  const response = await store.ask("sales/past/lines?paid_until=1767225600", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: sales.map((sale) => JSON.stringify({ sale })).join("\n"),
  })
  const lines = (await response.text()).trim().split("\n")
  return lines.filter((line) => !line.includes('"refusal":null'))
}

/** Signs in as a person does who opens a link to a view. */
export const signIn = async (
  page: Page,
  { address }: ServedStore,
  hash = "#/overview",
): Promise<void> => {
  await page.goto(`${address}/${hash}`)
  await page.waitForSelector("input[type=password]")
  await page.type("input[type=password]", token)
  await page.keyboard.press("Enter")
  await page.waitForSelector("nav")
}

/** Goes to a view, until nothing is loading any more. */
export const goTo = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate((to) => {
    location.hash = to
  }, hash)
  await page.waitForSelector("main h1")
  await settled(page)
}

/** Until the page has asked for nothing for a while, and nothing says that it is loading. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForNetworkIdle({ idleTime: 120, timeout: 10_000 })
  await page.waitForFunction(() => !document.body.textContent.includes("Loading…"))
}

/** Presses what has these words on it. */
export const press = async (page: Page, words: string): Promise<void> => {
  const place = `::-p-xpath(//*[self::button or self::a or self::summary][contains(normalize-space(.), "${words}")])`
  await page.locator(place).click()
}

/** Empties a field that has this label and types into it. */
export const fill = async (page: Page, label: string, text: string): Promise<void> => {
  const place = `::-p-xpath(//label[normalize-space(.)="${label}"]/following::*[self::input or self::textarea or self::select][1])`
  const field = await page.locator(place).waitHandle()
  await field.evaluate((element) => {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      element.select()
    }
  })
  await field.asElement()?.type(text)
}

/** The words on the page, with spaces between elements. */
export const words = (page: Page, selector = "main"): Promise<string> =>
  page.$eval(selector, (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const blocks = "td, th, p, li, dt, dd, h1, h2, h3, caption, summary, button, label, legend"
    let text = ""
    let block: Element | null = null
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const own = node.parentElement?.closest(blocks) ?? null
      text += `${own === block ? "" : " "}${node.textContent ?? ""}`
      block = own
    }
    return text
  })
