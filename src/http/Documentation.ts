/** The OpenAPI document of the API, and a page to browse it that loads nothing from elsewhere. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import type { Answer } from "./Answer.js"
import { Api } from "./Api.js"
import type { CompleteOptions } from "./HttpOptions.js"

type Titles = Pick<CompleteOptions, "title" | "description">

const entitled = ({ title, description }: Titles) =>
  Api.annotateMerge(OpenApi.annotations({ title, description }))

/** The document as data. */
export const document = (titles: Titles): OpenApi.OpenAPISpec => OpenApi.fromApi(entitled(titles))

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

/** The script in a page that is run; the other one holds the document. */
const scriptOf = (page: string): string => {
  const start = page.indexOf("<script>", page.indexOf("</script>")) + "<script>".length
  return page.slice(start, page.lastIndexOf("</script>"))
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Only the page's own script may run, and it may ask nobody but this server. */
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

/** The page as an answer. */
export const page = (titles: Titles): Effect.Effect<Answer> =>
  Effect.gen(function* () {
    const text = yield* pageText(titles)
    const policy = yield* policyOf(text)
    return {
      status: 200,
      text,
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": policy },
    }
  })
