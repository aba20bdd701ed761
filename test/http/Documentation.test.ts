import { createHash } from "node:crypto"
import { openApi } from "apportion/http"
import { expect, it } from "vitest"
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
  const { status, text, headers } = await shop.ask("GET", "/docs", { token: null })
  expect(status).toBe(200)
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
  const again = await shop.ask("GET", "/docs")
  expect(again.text).toBe(text)
  await shop.close()
})
