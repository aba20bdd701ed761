import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Pages } from "../../../src/cli/serve/ServePages.js"
import { serve } from "./InProcess.js"

const script = `console.log(${JSON.stringify("heron ".repeat(200))})\n`

const files: Readonly<Record<string, string>> = {
  "console/index.html": "<!doctype html><title>console</title>",
  "console/assets/main-4QZ7XK2D.js": script,
  "console/favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "console/secrets.env": "no type of a page",
  "console/docs/index.js": "a path of the API",
  "playground/index.html": "<!doctype html><title>playground</title>",
  "playground/main.css": "p { color: teal }",
  "secret.txt": "beside the folders",
}

let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pages-"))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
})

afterAll(() => rm(folder, { recursive: true }))

const build = (name = "") => pathToFileURL(`${join(folder, name)}/`)

const served = async () => {
  const pages = await Pages.read(build())
  const handler = pages?.before(async () => new Response("the API", { status: 299 }))
  return (path: string, options: RequestInit = {}) => {
    const request = new Request(`http://127.0.0.1${path}`, options)
    return handler === undefined ? Promise.reject(new Error("no pages")) : handler(request, "::1")
  }
}

describe("the pages of a server", () => {
  it("are the console at the root, and the others in folders", async () => {
    const get = await served()
    const titles = ["/", "/playground/"].map(async (path) => (await get(path)).text())
    expect(await Promise.all(titles)).toEqual([
      files["console/index.html"],
      files["playground/index.html"],
    ])
    const style = await get("/playground/main.css")
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8")
    const moved = await get("/playground")
    expect([moved.status, moved.headers.get("location")]).toEqual([308, "/playground/"])
  })

  it("leave every other path to the API", async () => {
    const get = await served()
    const paths = [
      ...["/api/v1/payouts", "/v1/sales", "/health", "/ready", "/docs", "/docs/index.js"],
      ...["/openapi.json", "/index.html", "/secrets.env", "/secret.txt", "/statement/"],
      ...[
        "//",
        "/%2e%2e/secret.txt",
        "/assets/%2e%2e%2fsecret.txt",
        "/assets/..%5c..%5csecret.txt",
      ],
    ]
    const answers = await Promise.all(paths.map((path) => get(path)))
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 299))
  })

  it("load nothing from elsewhere, and are shown in no frame", async () => {
    const get = await served()
    const { headers } = await get("/")
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("referrer-policy")).toBe("no-referrer")
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin")
  })

  it("are read only", async () => {
    const get = await served()
    const refused = await get("/", { method: "POST", body: "{}" })
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    const head = await get("/assets/main-4QZ7XK2D.js", { method: "HEAD" })
    expect(head.headers.get("content-length")).toBe(String(script.length))
    expect(await head.text()).toBe("")
  })

  it("are kept by browsers for ever under a name with a hash, and asked for again under another", async () => {
    const get = await served()
    const [hashed, plain] = await Promise.all([get("/assets/main-4QZ7XK2D.js"), get("/")])
    expect(hashed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(plain.headers.get("cache-control")).toBe("no-cache")
    const etag = plain.headers.get("etag") ?? ""
    for (const known of [etag, `"other", W/${etag}`, "*"]) {
      const again = await get("/", { headers: { "if-none-match": known } })
      expect([again.status, await again.text()]).toEqual([304, ""])
    }
    const other = await get("/", { headers: { "if-none-match": '"other"' } })
    expect(other.status).toBe(200)
  })

  it.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=1.0, br;q=0", "gzip"],
    ["*", "br"],
    ["identity", null],
    ["", null],
  ])("are compressed as %j allows", async (accepted, encoding) => {
    const get = await served()
    const answer = await get("/assets/main-4QZ7XK2D.js", {
      headers: { "accept-encoding": accepted },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get("content-encoding")).toBe(encoding)
    expect(answer.headers.get("vary")).toBe("accept-encoding")
    expect(answer.headers.get("content-length")).toBe(String(bytes.length))
    const read = { br: brotliDecompressSync, gzip: gunzipSync }
    const text = encoding === "br" || encoding === "gzip" ? read[encoding](bytes) : bytes
    expect(text.toString()).toBe(script)
  })

  it("are none without a console", async () => {
    expect(await Pages.read(build("playground"))).toBeUndefined()
    expect(await Pages.read(build("nowhere"))).toBeUndefined()
  })
})

describe("a server that is not built", () => {
  const flags = ["--port", "0", "--token", "paper-heron-at-dusk", "--log-level", "off"]
  const missing = /the console is not built/

  it("says that it serves the API alone", async () => {
    const { url, err } = await serve(flags)
    expect(err.join("")).toMatch(missing)
    expect((await fetch(url)).status).toBe(404)
  })

  it("says nothing of that when it is asked for the API alone", async () => {
    expect((await serve([...flags, "--no-pages"])).err.join("")).not.toMatch(missing)
    const environment = { APPORTION_NO_PAGES: "true" }
    expect((await serve(flags, environment)).err.join("")).not.toMatch(missing)
  })
})
