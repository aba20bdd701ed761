import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { mkdtemp, rename, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, extname, join, normalize } from "node:path"
import { inflate } from "@sparticuz/chromium"
import axe from "axe-core"
import pixelmatch from "pixelmatch"
import { PNG } from "pngjs"
import puppeteer, { type Browser, type Page } from "puppeteer-core"

/** The browser's version and where its package keeps it. */
const packed = (): { readonly version: string; readonly folder: string } => {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium")
  const root = join(entry, "..", "..")
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return { version, folder: join(root, "bin") }
}

/** The package's own letters and no others. Without any, the browser ends at the first list of choices. */
const fontsIn = (folder: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${join(folder, "cache")}</cachedir></fontconfig>`

/** Unpacks into the folder for temporary files, under its own name once it is whole: tests may do so at the same time. */
const unpacked = async (): Promise<string> => {
  const { version, folder } = packed()
  const target = join(tmpdir(), `apportion-browser-${version}`)
  if (existsSync(target)) return target
  const outside = process.env.TMPDIR
  const own = await mkdtemp(`${target}-`)
  process.env.TMPDIR = own
  try {
    const archives = ["chromium.br", "fonts.tar.br", "al2023.tar.br"]
    await Promise.all(archives.map((name) => inflate(join(folder, name))))
  } finally {
    if (outside === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = outside
  }
  writeFileSync(join(own, "fonts", "fonts.conf"), fontsIn(join(target, "fonts")))
  await rename(own, target).catch(() => rm(own, { recursive: true, force: true }))
  return target
}

/** Fewer processes, and the same letters on each machine. Nothing that loosens what a page may do. */
const flags = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
  "--disable-lcd-text",
  "--hide-scrollbars",
  "--force-color-profile=srgb",
]

const start = async (libraries: string | undefined, folder: string): Promise<Browser> =>
  puppeteer.launch({
    executablePath: join(folder, "chromium"),
    headless: "shell",
    args: flags,
    env: {
      ...process.env,
      FONTCONFIG_PATH: join(folder, "fonts"),
      ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
    },
  })

/** A browser, or why none can be started here. */
export const startBrowser = async (): Promise<Browser | string> => {
  try {
    const folder = await unpacked()
    // Libraries of the machine first; those of the package where some are missing.
    return await start(undefined, folder).catch(() => start(join(folder, "al2023", "lib"), folder))
  } catch (cause) {
    const [why = ""] = String(cause).split("\n")
    return `no browser can be started here: ${why}`
  }
}

/** What a page did that it must not do. */
export interface Watched {
  readonly page: Page
  /** Errors, failed requests and violations of the Content-Security-Policy so far. */
  readonly faults: Array<string>
  /** Everything that was asked for over the network. */
  readonly requests: Array<string>
}

export interface View {
  readonly width?: number
  readonly height?: number
  /** As a zoom of 2, a view of half as many pixels. */
  readonly zoom?: number
  readonly scheme?: "light" | "dark"
}

/** A new page, in a session of its own, whose faults are written down from the start. */
export const openPage = async (browser: Browser, view: View = {}): Promise<Watched> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const zoom = view.zoom ?? 1
  await page.setViewport({
    width: Math.round((view.width ?? 1280) / zoom),
    height: Math.round((view.height ?? 800) / zoom),
    deviceScaleFactor: zoom,
  })
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: view.scheme ?? "light" },
    { name: "prefers-reduced-motion", value: "reduce" },
  ])
  const faults: Array<string> = []
  const requests: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error")
      faults.push(`console: ${message.text()} ${message.location().url ?? ""}`)
  })
  page.on("pageerror", (error) => faults.push(`error: ${String(error)}`))
  page.on("requestfailed", (request) => {
    faults.push(`request: ${request.url()} ${request.failure()?.errorText ?? ""}`)
  })
  page.on("request", (request) => requests.push(request.url()))
  await page.exposeFunction("reportViolation", (text: string) => faults.push(`policy: ${text}`))
  await page.evaluateOnNewDocument(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report: unknown = Reflect.get(window, "reportViolation")
      const text = `${event.violatedDirective} ${event.blockedURI} ${event.sample}`
      if (typeof report === "function") report(text)
    })
  })
  return { page, faults, requests }
}

/** What axe finds in a page: the rule, and the elements. */
export const accessibility = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Through the debugger, which the page's policy does not concern.
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const axe: { run: (options: object) => Promise<Found> } = Reflect.get(window, "axe")
    interface Found {
      readonly violations: ReadonlyArray<{
        readonly id: string
        readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary: string }>
      }>
    }
    const { violations } = await axe.run({ preload: false })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`),
    )
  })
}

/** How far the page is wider than what is seen of it, in pixels: 0 where nothing has to be scrolled sideways. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const references = "test/web/screenshots"

/** Pixels of a hundred that may differ: fonts and their smoothing are not the same everywhere. */
export const screenshotTolerance = 2

/** Leaves eight shades of each colour: a reference is then a third of its size, and shows as much. */
const coarse = (image: PNG): PNG => {
  for (let byte = 0; byte < image.data.length; byte += 1) {
    if (byte % 4 !== 3) image.data[byte] = ((image.data[byte] ?? 0) & 0xe0) | 0x10
  }
  return image
}

/**
 * Compares what is seen with the reference of that name, and says in how many pixels of a hundred they differ. Where
 * there is none, or APPORTION_SCREENSHOTS is `write`, it becomes the reference: a person has to look at it.
 */
export const screenshot = async (page: Page, name: string): Promise<number> => {
  const taken = coarse(PNG.sync.read(Buffer.from(await page.screenshot({ type: "png" }))))
  const path = join(references, `${name}.png`)
  if (process.env.APPORTION_SCREENSHOTS === "write") {
    mkdirSync(references, { recursive: true })
    writeFileSync(path, PNG.sync.write(taken, { colorType: 2, deflateLevel: 9, filterType: -1 }))
    return 0
  }
  const reference = coarse(PNG.sync.read(readFileSync(path)))
  const { width, height } = reference
  if (taken.width !== width || taken.height !== height) return 100
  const different = pixelmatch(taken.data, reference.data, undefined, width, height, {
    threshold: 0.2,
  })
  return (100 * different) / (width * height)
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
}

/** A server that does nothing but give the files of a folder, as any web server would. */
export const serveFolder = async (
  folder: string,
): Promise<{
  readonly address: string
  /** Everything it was asked for, as it was asked. */
  readonly asked: ReadonlyArray<string>
  readonly close: () => Promise<void>
}> => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    const [path = "/"] = (request.url ?? "/").split(/[?#]/)
    const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path))
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end(basename(file))
      return
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()))
  const bound = server.address()
  const port = typeof bound === "object" && bound !== null ? bound.port : 0
  const close = () =>
    new Promise<void>((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  return { address: `http://127.0.0.1:${port}`, asked, close }
}
