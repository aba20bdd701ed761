/**
 * The OpenAPI document of the API, and a page to browse it that loads nothing from elsewhere.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { ofBytes, ofNothing } from "./Answer.js"
import { Api } from "./Api.js"
import { type CompleteOptions, completeOptions, type HttpOptions } from "./HttpOptions.js"

type Titles = Pick<CompleteOptions, "title" | "description">

const entitled = ({ title, description }: Titles) =>
  Api.annotateMerge(OpenApi.annotations({ title, description }))

/** The document as data. */
const document = (titles: Titles): OpenApi.OpenAPISpec => OpenApi.fromApi(entitled(titles))

/**
 * The OpenAPI 3.1 document, as `/openapi.json` serves it. Throws `InvalidHttpOptions` when the title or the description
 * is not a text.
 *
 * @since 0.2.0
 * @category documentation
 * @example
 * ```ts
 * import { openApi } from "apportion/http"
 *
 * const document = openApi({ title: "Splits of my store" })
 * document.info.title // => "Splits of my store"
 * document.servers?.map((server) => server.url) // => ["/api/v1", "/v1"]
 * ```
 */
export const openApi = (
  options: Pick<HttpOptions, "title" | "description"> = {},
): OpenApi.OpenAPISpec => document(Result.getOrThrow(completeOptions(options)))

const path = "/docs"

/** The page, as the definition's own generator makes it. */
const pageText = (titles: Titles): Effect.Effect<string> =>
  Effect.gen(function* () {
    const layer = HttpApiSwagger.layer(entitled(titles), { path })
    const context = yield* Layer.build(Layer.provideMerge(layer, HttpRouter.layer))
    const router = yield* Effect.provideContext(HttpRouter.HttpRouter, context)
    const request = HttpServerRequest.fromWeb(new Request(`http://localhost${path}`))
    const respond = Effect.provideService(
      router.asHttpEffect(),
      HttpServerRequest.HttpServerRequest,
      request,
    )
    const { body } = yield* Effect.orDie(respond)
    return body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  }).pipe(Effect.scoped)

/** The script that a page runs; the other one holds the document. */
const scriptOf = (page: string): string => {
  const start = page.indexOf("<script>", page.indexOf("</script>")) + "<script>".length
  return page.slice(start, page.lastIndexOf("</script>"))
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Only the page's own script may run, and it may send requests only to this server. */
const policyOf = (page: string): Effect.Effect<string> => {
  const script = new TextEncoder().encode(scriptOf(page))
  return Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", script)),
    (digest) =>
      [
        "default-src 'none'",
        `script-src 'sha256-${base64(new Uint8Array(digest))}'`,
        "style-src 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
  )
}

/** A document that is the same for everybody, made once. */
export interface Publication {
  /** Compressed with gzip. */
  readonly packed: Uint8Array
  /** Uncompressed, for clients that can't decompress it; `undefined`: it is always compressed. */
  readonly plain: Uint8Array | undefined
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

const pack = (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip")))
    .arrayBuffer()
    .then((packed) => new Uint8Array(packed))

const publish = (
  text: string,
  contentType: string,
): Effect.Effect<Publication & { readonly plain: Uint8Array }> =>
  Effect.promise(async () => {
    const plain = new TextEncoder().encode(text)
    const digest = await crypto.subtle.digest("SHA-256", plain)
    const etag = `W/"${base64(new Uint8Array(digest).subarray(0, 15))}"`
    return {
      packed: await pack(plain),
      plain,
      contentType,
      // Clients keep it and revalidate it: a new version has another tag.
      headers: { etag, "cache-control": "no-cache", vary: "Accept-Encoding" },
    }
  })

/** The page as it is published: compressed, because all browsers can read that, to a quarter of its two megabytes. */
export const page = (titles: Titles): Effect.Effect<Publication> =>
  Effect.gen(function* () {
    const text = yield* pageText(titles)
    const policy = yield* policyOf(text)
    const published = yield* publish(text, "text/html; charset=utf-8")
    const headers = { ...published.headers, "content-security-policy": policy }
    return { ...published, plain: undefined, headers }
  })

/** The document as it is published. */
export const publishedDocument = (titles: Titles): Effect.Effect<Publication> =>
  Effect.suspend(() => publish(JSON.stringify(document(titles)), "application/json"))

const takesGzip = (header: string | undefined): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/i.test(header ?? "")

const isKnown = (header: string | undefined, etag: string | undefined): boolean =>
  header !== undefined && etag !== undefined && header.split(",").some((one) => one.trim() === etag)

/**
 * A publication as the answer to a request: compressed when the client can read that, and empty if it has it already.
 */
export const answer = (
  { plain, packed, contentType, headers }: Publication,
  asked: Readonly<Record<string, string | undefined>>,
): HttpServerResponse => {
  if (isKnown(asked["if-none-match"], headers.etag)) {
    return ofNothing(304, headers)
  }
  return plain === undefined || takesGzip(asked["accept-encoding"])
    ? ofBytes(packed, { contentType, headers: { ...headers, "content-encoding": "gzip" } })
    : ofBytes(plain, { contentType, headers })
}
