/** The pages that are built beside the command line: the console at `/`, the others in folders of their own. */
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Handler } from "./ServeListener.js"

/** The pages of the build, beside the program. */
export const builtPages: URL = new URL("../web/", import.meta.url)

/** Where each folder of the build is served. */
const places = [
  { folder: "console", path: "/" },
  { folder: "playground", path: "/playground/" },
  { folder: "statement", path: "/statement/" },
] as const

/** The paths of the API, which no page takes. */
const ofApi = /^\/(?:api|v1|health|ready|docs|openapi\.json)(?:\/|$)/

/** What is loaded comes from the server itself, nothing is written in a page, and no other site shows it in a frame. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const everywhere: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
}

/** The types of files that pages have; a file of another type is not served. */
const types: Readonly<Record<string, { readonly type: string; readonly isText: boolean }>> = {
  html: { type: "text/html; charset=utf-8", isText: true },
  js: { type: "text/javascript; charset=utf-8", isText: true },
  css: { type: "text/css; charset=utf-8", isText: true },
  json: { type: "application/json", isText: true },
  webmanifest: { type: "application/manifest+json", isText: true },
  map: { type: "application/json", isText: true },
  txt: { type: "text/plain; charset=utf-8", isText: true },
  svg: { type: "image/svg+xml", isText: true },
  png: { type: "image/png", isText: false },
  ico: { type: "image/x-icon", isText: false },
  woff2: { type: "font/woff2", isText: false },
}

/** A name with a hash of the content, as `main-4QZ7XK2D.js`: another content has another name. */
const hashedName = /-[A-Z0-9]{8,}\.[a-z0-9]+$/

type Encoding = "br" | "gzip"

const compress: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** A file with its headers; it is compressed once, when the first browser asks for it. */
class Page {
  readonly #bytes: Uint8Array
  readonly #isText: boolean
  readonly #headers: Readonly<Record<string, string>>
  readonly #etag: string
  readonly #compressed = new Map<Encoding, Promise<Uint8Array>>()

  constructor(name: string, bytes: Uint8Array, { type, isText }: (typeof types)[string]) {
    this.#bytes = bytes
    this.#isText = isText
    this.#etag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
    this.#headers = {
      ...everywhere,
      "content-type": type,
      "cache-control": hashedName.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
      ...(isText ? { vary: "accept-encoding" } : {}),
    }
  }

  async answer({ method, headers }: Request): Promise<Response> {
    const encoding = this.#isText ? encodingOf(headers.get("accept-encoding") ?? "") : undefined
    // Each form of a file is a content of its own.
    const etag = `"${this.#etag}${encoding === undefined ? "" : `-${encoding}`}"`
    const own = { ...this.#headers, etag }
    if (isKnown(headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers: own })
    }
    const bytes = encoding === undefined ? this.#bytes : await this.#as(encoding)
    const length = { "content-length": String(bytes.length) }
    const form: Readonly<Record<string, string>> =
      encoding === undefined ? length : { ...length, "content-encoding": encoding }
    const body = method === "HEAD" ? null : Uint8Array.from(bytes)
    return new Response(body, { headers: { ...own, ...form } })
  }

  #as(encoding: Encoding): Promise<Uint8Array> {
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return known
    const made = compress[encoding](this.#bytes)
    this.#compressed.set(encoding, made)
    return made
  }
}

/** Whether a client has the content already. */
const isKnown = (given: string | null, etag: string): boolean =>
  (given ?? "").split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")))

/** The best form that a client takes; `undefined`: the file as it is. */
const encodingOf = (accepted: string): Encoding | undefined => {
  const taken = new Map(
    accepted.split(",").map((one) => {
      const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase())
      const quality = parameters.find((part) => part.startsWith("q="))?.slice(2)
      return [name, quality === undefined ? 1 : Number(quality)] as const
    }),
  )
  const takes = (name: Encoding) => (taken.get(name) ?? taken.get("*") ?? 0) > 0
  if (takes("br")) return "br"
  return takes("gzip") ? "gzip" : undefined
}

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && Reflect.get(cause, "code") === "ENOENT"

/** The names of a folder's files, with `/` between folders; none when there is no such folder. */
const namesIn = async (folder: URL): Promise<ReadonlyArray<string>> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = await Promise.all(
      entries.map(async (entry) => {
        if (entry.isFile()) return [entry.name]
        if (!entry.isDirectory()) return []
        const within = await namesIn(new URL(`${encodeURIComponent(entry.name)}/`, folder))
        return within.map((name) => `${entry.name}/${name}`)
      }),
    )
    return names.flat()
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cause
  }
}

const typeOf = (name: string) => types[name.slice(name.lastIndexOf(".") + 1)]

const urlOf = (name: string, folder: URL): URL =>
  new URL(name.split("/").map(encodeURIComponent).join("/"), folder)

/** The pages of a server, by their paths. Nothing is looked up in the file system once they are read. */
export class Pages {
  readonly #byPath: ReadonlyMap<string, Page>

  private constructor(byPath: ReadonlyMap<string, Page>) {
    this.#byPath = byPath
  }

  /** Reads the pages of a build; `undefined`: there is no console in it. */
  static async read(build: URL): Promise<Pages | undefined> {
    const byPath = new Map<string, Page>()
    for (const { folder, path } of places) {
      const from = new URL(`${folder}/`, build)
      for (const name of await namesIn(from)) {
        const type = typeOf(name)
        const whole = `${path}${name}`
        if (type === undefined || ofApi.test(whole)) continue
        const page = new Page(name, await readFile(urlOf(name, from)), type)
        byPath.set(name === "index.html" ? path : whole, page)
      }
    }
    return byPath.has("/") ? new Pages(byPath) : undefined
  }

  /** A handler that answers with pages at their paths, and passes on all other requests. */
  before(handler: Handler): Handler {
    return (request, address) => this.#answer(request) ?? handler(request, address)
  }

  #answer(request: Request): Promise<Response> | undefined {
    const { pathname } = new URL(request.url)
    const page = this.#byPath.get(pathname)
    if (page !== undefined) {
      const isRead = request.method === "GET" || request.method === "HEAD"
      return isRead ? page.answer(request) : Promise.resolve(notAllowed())
    }
    if (!this.#byPath.has(`${pathname}/`)) return undefined
    // What a page names is beside it, which its path has to say.
    const headers = { ...everywhere, location: `${pathname}/`, "cache-control": "no-cache" }
    return Promise.resolve(new Response(null, { status: 308, headers }))
  }
}

const notAllowed = (): Response =>
  Response.json(
    { message: "there are only GET and HEAD at this path" },
    { status: 405, headers: { ...everywhere, allow: "GET, HEAD", "cache-control": "no-store" } },
  )
