import { once } from "node:events"
import { createConnection } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { describe, expect, it, onTestFinished } from "vitest"
import * as ServeListener from "../../../src/cli/serve/ServeListener.js"

const soon = 20
const patient = 60_000
const here = { host: "127.0.0.1", port: 0 }

const listen = async (
  handler: ServeListener.Handler,
  where: ServeListener.Where = here,
  bounds: Parameters<typeof ServeListener.listen>[2] = {},
) => {
  const listener = await ServeListener.listen(handler, where, bounds)
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
  // Not ended: whoever has no more to say is taken for gone.
  socket.write(text)
  await once(socket, "close")
  return chunks.join("")
}

/** Whether nobody listens any more. */
const refuses = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(Number(new URL(url).port), "127.0.0.1", () => {
      socket.destroy()
      resolve(false)
    })
    socket.on("error", () => resolve(true))
  })

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
    while (!(await refuses(url))) await wait(soon)
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

const plain = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const last = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`

/** A connection that does not read what it is sent. */
const connectSilently = (url: string) => {
  const socket = createConnection(Number(new URL(url).port), "127.0.0.1").pause()
  socket.on("error", () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  return socket
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await wait(soon)
}

describe("a sender", () => {
  it("gets one answer after the other, in the order of its requests", async () => {
    let [underWay, most] = [0, 0]
    const { url } = await listen(async (request) => {
      underWay += 1
      most = Math.max(most, underWay)
      await wait(soon)
      underWay -= 1
      return new Response(new URL(request.url).pathname)
    })
    const requests = ["/a", "/b", "/c"].map(plain).join("")
    const text = await send(url, requests + last("/d"))
    const bodies = [...text.matchAll(/\r\n\r\n(\/[a-d])/g)].map(([, body]) => body)
    expect(bodies).toEqual(["/a", "/b", "/c", "/d"])
    expect(most).toBe(1)
  })

  it("that does not read gets no more than a few answers begun, and is cut off when it asks for too many", async () => {
    let begun = 0
    const { url } = await listen(
      async () => {
        begun += 1
        return new Response("x".repeat(8_000_000))
      },
      here,
      { waiting: 4 },
    )
    const patientOne = connectSilently(url)
    patientOne.write(plain("/").repeat(5))
    await until(() => begun === 1)
    await wait(10 * soon)
    expect(begun).toBe(1)
    const greedy = connectSilently(url)
    greedy.write(plain("/").repeat(1_000))
    const closed = once(greedy.resume(), "close")
    await closed
    expect(begun).toBeLessThanOrEqual(2)
    expect(await (await fetch(url, { method: "HEAD" })).text()).toBe("")
  })

  it("that takes nothing for a while is cut off, one whose answer is being worked on is not", async () => {
    const { came, handler, letGo } = held()
    const big = async (request: Request) =>
      request.url.endsWith("/big") ? new Response("x".repeat(8_000_000)) : handler()
    const { url } = await listen(big, here, { silenceMs: 200 })
    const answered = fetch(url)
    await came
    const socket = connectSilently(url)
    socket.write(plain("/big"))
    await wait(600)
    await once(socket.resume(), "close")
    letGo()
    expect(await (await answered).text()).toBe("done")
  })

  it("that began to read longest ago is cut off when more is unsent than may be", async () => {
    const { url } = await listen(async () => new Response("x".repeat(8_000_000)), here, {
      unsentBytes: 12_000_000,
    })
    const sockets: Array<ReturnType<typeof connectSilently>> = []
    for (let count = 0; count < 6; count += 1) {
      const socket = connectSilently(url)
      socket.write(plain("/"))
      sockets.push(socket)
      await wait(5 * soon)
    }
    await once((sockets[0] ?? connectSilently(url)).resume(), "close")
    const newest = sockets.at(-1)
    newest?.resume()
    await wait(5 * soon)
    expect(newest?.destroyed).toBe(false)
  })

  it("with more connections than there may be gives up one that does nothing", async () => {
    const { url } = await listen(async () => new Response("done"), here, { connections: 4 })
    const idle = Array.from({ length: 4 }, () => connectSilently(url))
    await Promise.all(idle.map((socket) => once(socket, "connect")))
    const closed = Promise.race(idle.map((socket) => once(socket.resume(), "close")))
    expect(await (await fetch(url)).text()).toBe("done")
    await closed
  })

  it("is known by its address, or by what proxies in front say of it", async () => {
    const tell = async (_: Request, address: string | undefined) => new Response(address)
    const headers = { "X-Forwarded-For": "203.0.113.9, 192.0.2.1, 198.51.100.7" }
    const told: Array<string> = []
    for (const proxies of [0, 1, 2]) {
      const { url } = await listen(tell, { ...here, proxies })
      told.push(await (await fetch(url, { headers })).text())
    }
    expect(told).toEqual(["127.0.0.1", "198.51.100.7", "192.0.2.1"])
    const { url } = await listen(tell, { ...here, proxies: 1 })
    expect(await (await fetch(url)).text()).toBe("127.0.0.1")
  })
})

describe("a request that could be read in two ways", () => {
  it("with two hosts is refused", async () => {
    const { url } = await listen(async () => new Response("done"))
    const text = await send(
      url,
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
    )
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*{"message":"there is more than one Host"}/)
  })

  it.each([
    "/v1/x/../payouts",
    "/v1/./payouts",
    "/v1/x/%2e%2E/payouts",
    "/v1/x/.%2e",
    "/..",
    "http://shop.test/v1/x/../payouts?a=1",
  ])("as %s finds nothing", async (path) => {
    const { url } = await listen(async () => new Response("done"))
    const text = await send(url, last(path))
    expect(text).toMatch(/^HTTP\/1\.1 404 [\s\S]*{"message":"there is nothing at this path"}/)
  })

  it.each(["/v1/..a", "/v1/a..", "/v1/...", "/v1/payouts?path=/../x"])(
    "%s is just a path",
    async (path) => {
      const { url } = await listen(async () => new Response("done"))
      expect(await send(url, last(path))).toMatch(/^HTTP\/1\.1 200 /)
    },
  )
})

/** Clients of another thread, which connect and ask while this one is busy; tells how many were answered. */
const askFromAside = `
  const { parentPort, workerData } = require("node:worker_threads")
  const { createConnection } = require("node:net")
  const { port, clients, flag } = workerData
  let asked = 0, answered = 0, over = 0
  const end = (text) => {
    if (text.startsWith("HTTP/1.1 200")) answered += 1
    over += 1
    if (over === clients) parentPort.postMessage(answered)
  }
  for (let at = 0; at < clients; at += 1) {
    let text = ""
    const socket = createConnection(port, "127.0.0.1", () => {
      socket.write("GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n", () => {
        asked += 1
        if (asked < clients) return
        Atomics.store(flag, 0, 1)
        Atomics.notify(flag, 0)
      })
    })
    socket.setEncoding("utf8").on("data", (chunk) => (text += chunk))
    socket.on("error", () => {}).on("close", () => end(text))
  }
`

it("a listener that stops answers those who came while it had other things to do", async () => {
  const { url, stop } = await listen(async () => new Response("done"))
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { port: Number(new URL(url).port), clients: 20, flag }
  const worker = new Worker(askFromAside, { eval: true, workerData })
  const answered = once(worker, "message")
  // Nothing is looked at here until all of them have connected and sent their requests.
  Atomics.wait(flag, 0, 0, patient)
  await stop(patient)
  expect((await answered)[0]).toBe(20)
  await worker.terminate()
})

it("a listener that drains goes on, and tells each sender that its connection ends", async () => {
  const { url, drain, stop } = await listen(async () => new Response("done"))
  expect((await fetch(url)).headers.get("connection")).toBe("keep-alive")
  drain()
  for (let times = 0; times < 3; times += 1) {
    const response = await fetch(url)
    expect(response.headers.get("connection")).toBe("close")
    expect(await response.text()).toBe("done")
  }
  await stop(patient)
  await expect(fetch(url)).rejects.toThrow()
})
