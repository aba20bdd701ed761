import { once } from "node:events"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { getRequestListener } from "@hono/node-server"
import { type HttpOptions, toWebHandler } from "apportion/http"
import { makeApportion } from "apportion/promise"
import express, { type Express, type RequestHandler } from "express"
import { expect, onTestFinished, test } from "vitest"
import { folder } from "./HttpHost.js"

const names = (await readdir(folder)).filter((name) => name.endsWith(".mjs"))
const textOf = (name: string) => readFile(join(folder, name), "utf8")

test("each host is short, and is told about in the README", async () => {
  const readme = await textOf("README.md")
  expect(names.length).toBe(7)
  for (const name of names) {
    expect((await textOf(name)).split("\n").length, name).toBeLessThanOrEqual(40)
    expect(readme).toContain(`\`${name}\``)
  }
})

const group = { itemType: "products.tag", items: ["art"], type: "percentage", percent: 5 }
const groups = "/api/v1/collaborators/ada/products"

/** An application of Express with the API in it, as its host mounts it. */
const serve = async (
  options: HttpOptions,
  mount: (app: Express, listener: RequestHandler) => void,
): Promise<string> => {
  const apportion = await makeApportion({ tokens: [{ token: "t", accountId: "shop" }] })
  await apportion.collaborators.create("shop", { id: "ada", currency: "EUR" })
  const { handler, dispose } = toWebHandler(apportion.context, options)
  const listener = getRequestListener(handler, { overrideGlobalObjects: false })
  const app = express()
  mount(app, (request, response) => listener(request, response))
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await dispose()
    await apportion.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
}

const create = (url: string): Promise<Response> =>
  fetch(url, {
    method: "PUT",
    headers: { authorization: "Bearer t", "content-type": "application/json" },
    body: JSON.stringify(group),
  })

test("a parser that reads all bodies may stay in Express when it keeps what it reads", async () => {
  const url = await serve({}, (app, listener) => {
    const keep = (request: object, _response: unknown, bytes: Buffer) => {
      Object.assign(request, { rawBody: bytes })
    }
    app.use(express.json({ verify: keep }))
    app.use(listener)
  })
  expect((await create(`${url}${groups}`)).status).toBe(201)
})

test("the API can stand below a path of Express, and tells the address it is given", async () => {
  const publicUrl = "https://api.example.com/shop"
  const url = await serve({ publicUrl }, (app, listener) => app.use("/shop", listener))
  expect(await (await create(`${url}/shop${groups}`)).json()).toMatchObject({
    data: { products: { meta: { path: expect.stringContaining(`${publicUrl}${groups}/`) } } },
  })
  expect((await create(`${url}${groups}`)).status).toBe(404)
})
