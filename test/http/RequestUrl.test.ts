import { HttpClientRequest, HttpServerRequest } from "effect/http"
import { expect, it } from "vitest"
import { isSecure, urlOf } from "../../src/http/Request.js"

const web = (url: string) => HttpServerRequest.fromWeb(new Request(url))

/** What comes without scheme and host, as over a socket. */
const bare = (path: string, headers: Record<string, string> = {}) =>
  HttpServerRequest.fromClientRequest(HttpClientRequest.get(path, { headers }))

it("the URL of a request is as it was asked, without its query", () => {
  expect(urlOf(web("https://shop.test:8443/v1/a%2Fb?x=/y#z"), undefined)).toBe(
    "https://shop.test:8443/v1/a%2Fb",
  )
  expect(urlOf(bare("/v1/payouts?page=1", { host: "shop.test" }), undefined)).toBe(
    "http://shop.test/v1/payouts",
  )
  expect(urlOf(bare("/v1/payouts"), undefined)).toBe("http://localhost/v1/payouts")
})

it("the host can say what its public address is", () => {
  const request = web("http://inside:8080/v1/payouts?page=1")
  expect(urlOf(request, "https://shop.test")).toBe("https://shop.test/v1/payouts")
  expect(isSecure(request, "https://shop.test")).toBe(true)
  expect(isSecure(request, undefined)).toBe(false)
  expect(isSecure(web("HTTPS://shop.test/"), undefined)).toBe(true)
})
