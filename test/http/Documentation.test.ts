import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { openApi } from "apportion/http"
import { describe, expect, it } from "vitest"
import { open } from "./Shop.js"

it("the document is served as it is made, without a token", async () => {
  const shop = await open({ title: "My splits" })
  const { status, json } = await shop.ask("GET", "/openapi.json", { token: null })
  expect(status).toBe(200)
  expect(json).toEqual(JSON.parse(JSON.stringify(openApi({ title: "My splits" }))))
  await shop.close()
})

it("the page has everything in itself, and may run nothing but its own script", async () => {
  const shop = await open({ title: "My <splits>" })
  const response = await shop.api.handler(new Request("http://localhost/docs"))
  const packed = new Uint8Array(await response.arrayBuffer())
  const text = gunzipSync(packed).toString("utf8")
  const { status, headers } = response
  expect(status).toBe(200)
  expect(headers.get("content-encoding")).toBe("gzip")
  expect(headers.get("content-length")).toBe(String(packed.length))
  expect(packed.length).toBeLessThan(text.length / 3)
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(text).toContain("<title>My &lt;splits&gt; Documentation</title>")
  expect(text).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/)
  const scripts = [...text.matchAll(/<script>([\s\S]*)<\/script>/g)].map(
    ([, script = ""]) => script,
  )
  expect(scripts).toHaveLength(1)
  const hash = createHash("sha256")
    .update(scripts[0] ?? "")
    .digest("base64")
  const policy = headers.get("content-security-policy") ?? ""
  expect(policy).toContain(`script-src 'sha256-${hash}'`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toMatch(/https?:/)
  const again = await shop.api.handler(new Request("http://localhost/docs"))
  expect(new Uint8Array(await again.arrayBuffer())).toEqual(packed)
  await shop.close()
})

describe.each(["/docs", "/openapi.json"])("%s", (path) => {
  const headersOf = (more: Readonly<Record<string, string>>) => ({
    "accept-encoding": "gzip",
    ...more,
  })

  it("is sent once to whoever keeps it, and then only said to be the same", async () => {
    const shop = await open()
    const get = (headers: Readonly<Record<string, string>>) =>
      shop.api.handler(new Request(`http://localhost${path}`, { headers: headersOf(headers) }))
    const first = await get({})
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^W\/"[\w+/=]{20}"$/)
    expect(first.headers.get("cache-control")).toBe("no-cache")
    expect(first.headers.get("vary")).toBe("Accept-Encoding")
    const second = await get({ "if-none-match": `"other", ${etag}` })
    expect(second.status).toBe(304)
    expect(second.headers.get("etag")).toBe(etag)
    expect(await second.text()).toBe("")
    expect((await get({ "if-none-match": '"other"' })).status).toBe(200)
    await shop.close()
  })
})

it.each([
  ["gzip", true],
  ["br, gzip;q=0.5", true],
  ["*", true],
  ["gzip;q=0", false],
  ["gzip; q=0.0, identity", false],
  ["identity", false],
  ["br", false],
])("the document is packed for whoever can unpack it: %s", async (encoding, isPacked) => {
  const shop = await open()
  const headers = { "accept-encoding": encoding }
  const response = await shop.api.handler(new Request("http://localhost/openapi.json", { headers }))
  expect(response.headers.get("content-encoding")).toBe(isPacked ? "gzip" : null)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = isPacked ? gunzipSync(bytes).toString("utf8") : new TextDecoder().decode(bytes)
  expect(JSON.parse(text)).toHaveProperty("openapi")
  await shop.close()
})
