/** Listens for HTTP requests, and stops without breaking off those under way. */
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { always } from "../http/Answer.js"

/** Answers a request; it never rejects. */
export type Handler = (request: Request) => Promise<Response>

/** A server that listens. */
export interface Listener {
  /** As `http://127.0.0.1:8080`. */
  readonly url: string
  /** Takes no more requests, and ends when those under way are answered, or are out of time. */
  readonly stop: (patienceMs: number) => Promise<void>
}

/** A sender that stalls is let go, so that many of them can't hold the memory of what they sent. */
const headersTimeout = 10_000
const requestTimeout = 30_000

const answer = (status: number, message: string): Response =>
  Response.json({ message }, { status, headers: { ...always, "X-Request-Id": randomUUID() } })

/** What is no request at all never reaches the handler; a handler that rejects has a mistake in it. */
const onError = (cause: unknown): Response => {
  const isRequestError = cause instanceof Error && cause.name === "RequestError"
  return isRequestError ? answer(400, "the request can't be read") : answer(500, "internal error")
}

/** The answers under way, and whether there are to be no more. */
class Answers {
  private readonly underWay = new Set<ServerResponse>()
  private isStopping = false
  private readonly server: Server

  constructor(server: Server) {
    this.server = server
    server.on("request", (_, response) => this.add(response))
  }

  private add(response: ServerResponse): void {
    this.underWay.add(response)
    if (this.isStopping) response.shouldKeepAlive = false
    response.once("close", () => {
      this.underWay.delete(response)
      // Its connection is idle from the next turn on, and would be kept for the next request.
      if (this.isStopping) setImmediate(() => this.server.closeIdleConnections())
    })
  }

  stop(patienceMs: number): Promise<void> {
    this.isStopping = true
    for (const response of this.underWay) response.shouldKeepAlive = false
    const impatience = setTimeout(() => this.server.closeAllConnections(), patienceMs)
    return new Promise((resolve) => {
      this.server.close(() => {
        clearTimeout(impatience)
        resolve()
      })
    })
  }
}

const urlOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** Begins to listen; rejects with Node's own error when that is not possible. */
export const listen = async (
  handler: Handler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listener> => {
  const server = createServer({ headersTimeout, requestTimeout })
  const answers = new Answers(server)
  const respond = getRequestListener(handler, {
    overrideGlobalObjects: false,
    errorHandler: onError,
  })
  server.on("request", (request, response) => void respond(request, response))
  server.listen(port, host)
  await once(server, "listening")
  return { url: urlOf(server, host), stop: (patienceMs) => answers.stop(patienceMs) }
}
