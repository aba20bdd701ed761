/** Listens for HTTP requests, and stops without breaking off those under way. */
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, IncomingMessage, type Server } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { always } from "../http/Answer.js"
import { type Bounds, Connections } from "./Connections.js"

/** Answers a request from an address; it never rejects. */
export type Handler = (request: Request, address: string | undefined) => Promise<Response>

/** Where to listen, and what stands in front. */
export interface Where {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** How many proxies each request comes through, of which each adds an address to `X-Forwarded-For`. */
  readonly proxies?: number | undefined
}

/** A server that listens. */
export interface Listener {
  /** As `http://127.0.0.1:8080`. */
  readonly url: string
  /** Goes on, and tells each sender that its connection ends with the answer. */
  readonly drain: () => void
  /** Takes no more requests, and ends when those under way are answered, or are out of time. */
  readonly stop: (patienceMs: number) => Promise<void>
}

/** A sender that stalls is let go, so that many of them can't hold the memory of what they sent. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 5_000,
}

const usualBounds: Bounds = {
  connections: 1_000,
  waiting: 16,
  unsentBytes: 64 * 1_048_576,
  silenceMs: 30_000,
}

const answer = (status: number, message: string): Response =>
  Response.json({ message }, { status, headers: { ...always, "X-Request-Id": randomUUID() } })

const unreadable = "the request can't be read"

/** What is no request at all never reaches the handler; a handler that rejects has a mistake in it. */
const onError = (cause: unknown): Response => {
  const isRequestError = cause instanceof Error && cause.name === "RequestError"
  return isRequestError ? answer(400, unreadable) : answer(500, "internal error")
}

const schemeAndHost = /^https?:\/\/[^/?#]*/i

/** A step that whoever reads the path as a URL takes out of it, together with the one before. */
const step = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * What is refused before a `Request` is made of it, which would take one of two hosts, and another path than was sent:
 * whatever stands in front may have taken the other one.
 */
const refusalOf = ({ headersDistinct, url = "" }: IncomingMessage): Response | undefined => {
  if ((headersDistinct.host ?? []).length > 1) return answer(400, "there is more than one Host")
  const [path = ""] = url.replace(schemeAndHost, "").split(/[?#]/, 1)
  return step.test(path) ? answer(404, "there is nothing at this path") : undefined
}

/** The address of a sender: of the connection, or the one that the outermost of some proxies saw. */
const addressOf = ({ socket, headers }: IncomingMessage, proxies: number): string | undefined => {
  if (proxies === 0) return socket.remoteAddress
  const told = [headers["x-forwarded-for"] ?? ""].flat().join(",").split(",")
  return told.at(-proxies)?.trim() || socket.remoteAddress
}

const respondWith = (handler: Handler, proxies: number) =>
  getRequestListener(
    (request, { incoming }) =>
      // The server speaks HTTP/1 alone; the listener could be given HTTP/2 as well.
      incoming instanceof IncomingMessage
        ? (refusalOf(incoming) ?? handler(request, addressOf(incoming, proxies)))
        : answer(400, unreadable),
    { overrideGlobalObjects: false, errorHandler: onError },
  )

const urlOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

const close = (server: Server, patienceMs: number): Promise<void> => {
  const impatience = setTimeout(() => server.closeAllConnections(), patienceMs)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(impatience)
      resolve()
    })
  })
}

/** Begins to listen; rejects with Node's own error when that is not possible. */
export const listen = async (
  handler: Handler,
  { host, port, proxies = 0 }: Where,
  bounds: Partial<Bounds> = {},
): Promise<Listener> => {
  const server = createServer(timeouts)
  const respond = respondWith(handler, proxies)
  const connections = new Connections(
    server,
    { ...usualBounds, ...bounds },
    (request, response) => {
      void respond(request, response)
    },
  )
  server.listen(port, host)
  await once(server, "listening")
  return {
    url: urlOf(server, host),
    drain: () => connections.drain(),
    stop: async (patienceMs) => {
      await connections.catchUp()
      connections.stop()
      await close(server, patienceMs)
    },
  }
}
