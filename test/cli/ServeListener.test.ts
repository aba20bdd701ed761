import { once } from "node:events"
import { createConnection } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import * as ServeListener from "../../src/cli/ServeListener.js"

const soon = 20
const patient = 60_000
const here = { host: "127.0.0.1", port: 0 }

const listen = async (handler: ServeListener.Handler, where = here) => {
  const listener = await ServeListener.listen(handler, where)
  onTestFinished(() => listener.stop(0))
  return listener
}

/** A handler whose answer waits until it is let go. */
const held = () => {
  const came = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Response>()
  const handler = () => {
    came.resolve()
    return answer.promise
  }
  return { came: came.promise, handler, letGo: () => answer.resolve(new Response("done")) }
}

/** What comes back for bytes that are sent as they are. */
const send = async (url: string, text: string): Promise<string> => {
  const socket = createConnection(Number(new URL(url).port), "127.0.0.1")
  const chunks: Array<string> = []
  socket.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk))
  socket.end(text)
  await once(socket, "close")
  return chunks.join("")
}

describe("a listener", () => {
  it("tells its address, with the port it was given by the system", async () => {
    const { url } = await listen(async (request) => new Response(new URL(request.url).pathname))
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(await (await fetch(`${url}/a/b`)).text()).toBe("/a/b")
  })

  it("passes on method, headers and body, and gives back status and headers", async () => {
    const { url } = await listen(async (request) => {
      const text = `${request.method} ${request.headers.get("x-a")} ${await request.text()}`
      return new Response(text, { status: 418, headers: { "x-b": "2" } })
    })
    const response = await fetch(url, { method: "PUT", headers: { "x-a": "1" }, body: "käse" })
    expect(response.status).toBe(418)
    expect(response.headers.get("x-b")).toBe("2")
    expect(await response.text()).toBe("PUT 1 käse")
  })

  it("says so when the port is taken", async () => {
    const { url } = await listen(async () => new Response())
    const again = ServeListener.listen(async () => new Response(), {
      ...here,
      port: Number(new URL(url).port),
    })
    await expect(again).rejects.toMatchObject({ code: "EADDRINUSE" })
  })

  it("answers what is no request with 400, and a broken handler with 500 that tells nothing", async () => {
    const { url } = await listen(() => Promise.reject(new RangeError("secret")))
    expect(await send(url, "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*{"message":"the request can't be read"}/,
    )
    const response = await fetch(url)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ message: "internal error" })
  })

  it("answers the requests under way before it stops, and takes no more", async () => {
    const { came, handler, letGo } = held()
    const { url, stop } = await listen(handler)
    const response = fetch(url)
    await came
    const stopped = stop(patient)
    await expect(fetch(url)).rejects.toThrow()
    letGo()
    expect((await response).headers.get("connection")).toBe("close")
    expect(await (await response).text()).toBe("done")
    await stopped
  })

  it("does not wait for connections that are kept for later requests", async () => {
    const { url, stop } = await listen(async () => new Response("done"))
    const response = await fetch(url)
    expect(response.headers.get("connection")).toBe("keep-alive")
    expect(await response.text()).toBe("done")
    await stop(patient)
  })

  it("breaks off a request that takes longer than its patience", async () => {
    const { came, handler } = held()
    const { url, stop } = await listen(handler)
    const response = expect(fetch(url)).rejects.toThrow()
    await came
    await stop(soon)
    await response
  })
})
