import { createServer, request as nodeRequest } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { layer } from "apportion/http"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { groups, openStocked, readAnswer, requestOf } from "./Shop.js"

describe("the routes in a server of the host", () => {
  it("stand beside the host's own, under both prefixes", async () => {
    const shop = await openStocked()
    const api = Layer.provide(layer({ logRequests: false }), Layer.succeedContext(shop.context))
    const own = HttpRouter.add("GET", "/hello", HttpServerResponse.text("hello"))
    const { handler, dispose } = HttpRouter.toWebHandler(Layer.merge(api, own), {
      disableLogger: true,
    })
    const ask = async (method: string, path: string) =>
      readAnswer(await handler(requestOf(method, path)))
    expect((await ask("GET", "/hello")).text).toBe("hello")
    expect((await ask("GET", groups)).json.meta.path).toBe(`http://shop.test${groups}`)
    expect((await ask("GET", "/v1/payouts")).json.meta.path).toBe("http://shop.test/v1/payouts")
    expect((await ask("GET", "/v1/nothing")).json).toEqual({
      message: "there is nothing at this path",
    })
    expect((await ask("OPTIONS", groups)).headers.get("allow")).toBe("GET, HEAD, PUT")
    expect((await ask("GET", "/ready")).json).toEqual({ status: "ready" })
    expect((await ask("GET", "/openapi.json")).json.openapi).toBe("3.1.0")
    await dispose()
    await shop.close()
  })

  it("can have a prefix of the host's before theirs", async () => {
    const shop = await openStocked()
    const prefixed = Layer.effect(
      HttpRouter.HttpRouter,
      Effect.map(HttpRouter.HttpRouter, (router) => router.prefixed("/shop")),
    )
    const services = Layer.succeedContext(shop.context)
    const api = Layer.provide(layer({ logRequests: false }), [services, prefixed])
    const { handler, dispose } = HttpRouter.toWebHandler(api, { disableLogger: true })
    const { status, json } = await readAnswer(await handler(requestOf("GET", "/shop/v1/payouts")))
    expect(status).toBe(200)
    expect(json.meta.path).toBe("http://shop.test/shop/v1/payouts")
    await dispose()
    await shop.close()
  })

  it("work over a socket of Node, with what only a socket can send", async () => {
    const shop = await openStocked()
    const services = Layer.succeedContext(shop.context)
    const api = Layer.provide(layer({ logRequests: false, bodyLimit: 1_000 }), services)
    const served = HttpRouter.serve(api, { disableLogger: true, disableListenLog: true })
    const server = NodeHttpServer.layer(createServer, { port: 0 })
    const runtime = ManagedRuntime.make(
      Layer.provideMerge(served, Layer.merge(server, Logger.layer([]))),
    )
    const { address } = await runtime.runPromise(HttpServer.HttpServer)
    const port = "port" in address ? address.port : 0
    const send = (
      method: string,
      path: string,
      options: { headers?: object; body?: string } = {},
    ) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const headers = { authorization: "Bearer ada-token", ...options.headers }
        const sent = nodeRequest({ port, method, path, headers }, (response) => {
          let text = ""
          response.setEncoding("utf8")
          response.on("data", (part) => {
            text += part
          })
          response.on("end", () => resolve({ status: response.statusCode, text }))
        })
        sent.on("error", reject)
        sent.end(options.body)
      })
    const list = await send("GET", "/v1/payouts?page=1")
    expect(list.status).toBe(200)
    expect(JSON.parse(list.text).meta.path).toBe(`http://localhost:${port}/v1/payouts`)
    const expense = `/v1/payouts/${shop.payoutId}/expense`
    const body = JSON.stringify({ amount: 5, name: "Frames" })
    expect((await send("POST", expense, { body })).status).toBe(200)
    expect((await send("POST", expense)).status).toBe(400)
    expect((await send("POST", expense, { body: "x".repeat(1_001) })).status).toBe(413)
    const chunked = { "transfer-encoding": "chunked" }
    expect((await send("POST", expense, { body, headers: chunked })).status).toBe(200)
    const long = { headers: chunked, body: " ".repeat(5_000) }
    expect((await send("POST", expense, long)).status).toBe(413)
    expect((await send("GET", "/v1/payouts/../products")).status).toBe(404)
    expect((await send("GET", "/v1/payouts/%zz")).status).toBe(404)
    expect((await send("HEAD", "/v1/payouts")).status).toBe(200)
    const ignored = { body: "ignored", headers: { "content-length": "7" } }
    expect((await send("GET", "/v1/payouts", ignored)).status).toBe(200)
    await runtime.dispose()
    await shop.close()
  })
})
