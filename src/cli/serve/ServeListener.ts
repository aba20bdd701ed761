import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { getRequestListener } from "@hono/node-server"
import { always } from "../../http/Answer.js"

// The connections of a server, and their limits. The answers of a connection are sent in sequence, each once the reader
// has taken the previous one, so that clients that don't read can't fill the memory.

/** The limits for clients. */
export interface Bounds {
  /** The maximum number of open connections. */
  readonly connections: number
  /** Requests of a connection that wait for earlier answers. */
  readonly waiting: number
  /** Bytes of all answers that their readers have not taken yet. */
  readonly unsentBytes: number
  /** How long a connection may be idle, in milliseconds; an answer that its reader does not take counts as idle. */
  readonly silenceMs: number
}

/** Begins to answer a request. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

class Connection {
  readonly socket: Socket
  readonly address: string
  readonly waiting: Array<Turn> = []
  /** The answer under way. */
  current: ServerResponse | undefined

  constructor(socket: Socket) {
    this.socket = socket
    this.address = socket.remoteAddress ?? ""
  }

  /** Bytes of its answer that the reader has not taken yet. */
  get unsent(): number {
    return this.socket.writableLength
  }

  /** Announces that the connection closes after this answer, unless another answer follows. */
  endWithAnswer(): void {
    if (this.current !== undefined && this.waiting.length === 0) {
      this.current.shouldKeepAlive = false
    }
  }
}

/** The address with the most connections. */
const busiestAddress = (connections: Iterable<Connection>): string => {
  const counts = new Map<string, number>()
  let busiest = { address: "", count: 0 }
  for (const { address } of connections) {
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    if (count > busiest.count) busiest = { address, count }
  }
  return busiest.address
}

/**
 * After this many turns without an event, no received data is left: a connection takes one turn, its request another.
 */
const quietTurns = 2
/** The maximum number of turns if data arrives in each. */
const mostTurns = 100

export class Connections {
  private readonly server: Server
  private readonly bounds: Bounds
  private readonly respond: Respond
  /** The connections that were active longest ago come first. */
  private readonly open = new Map<Socket, Connection>()
  private isDraining = false
  private isStopping = false
  /** How many connections and requests were received so far. */
  private came = 0

  constructor(server: Server, bounds: Bounds, respond: Respond) {
    this.server = server
    this.bounds = bounds
    this.respond = respond
    server.timeout = bounds.silenceMs
    server.on("connection", (socket) => this.enter(socket))
    server.on("request", (request, response) => this.ask({ request, response }))
    server.on("timeout", (socket) => this.onSilence(socket))
  }

  /** From now on each connection closes after its next answer. */
  drain(): void {
    this.isDraining = true
    for (const connection of this.open.values()) connection.endWithAnswer()
  }

  /**
   * Handles connections and requests that have arrived but were not processed yet because the process was busy. The
   * system would drop them when the server is closed.
   */
  async catchUp(): Promise<void> {
    let quiet = 0
    for (let turns = 0; quiet < quietTurns && turns < mostTurns; turns += 1) {
      const before = this.came
      await nextTurn()
      quiet = this.came === before ? quiet + 1 : 0
    }
  }

  /** From now on each connection is closed once its answers are sent. */
  stop(): void {
    this.drain()
    this.isStopping = true
  }

  private enter(socket: Socket): void {
    this.came += 1
    const connection = new Connection(socket)
    this.open.set(socket, connection)
    socket.once("close", () => this.open.delete(socket))
    if (this.open.size > this.bounds.connections) this.makeRoom(connection)
  }

  /**
   * Closes a connection of the address with the most, so that one client can't keep the others out: an idle one, else
   * its oldest. If that address is the newcomer's own, the newcomer is closed.
   */
  private makeRoom(newcomer: Connection): void {
    const address = busiestAddress(this.open.values())
    const theirs = [...this.open.values()].filter(
      (connection) => connection.address === address && connection !== newcomer,
    )
    const idle = theirs.find(({ current }) => current === undefined)
    this.cutOff(idle ?? (newcomer.address === address ? newcomer : (theirs[0] ?? newcomer)))
  }

  private cutOff({ socket, waiting }: Connection): void {
    this.open.delete(socket)
    waiting.length = 0
    socket.destroy()
  }

  private ask(turn: Turn): void {
    this.came += 1
    const connection = this.open.get(turn.request.socket)
    // The connection was closed while more of its requests were being read.
    if (connection === undefined) return
    if (connection.current === undefined) this.begin(connection, turn)
    else if (connection.waiting.length < this.bounds.waiting) connection.waiting.push(turn)
    else this.cutOff(connection)
  }

  private begin(connection: Connection, { request, response }: Turn): void {
    this.open.delete(connection.socket)
    this.open.set(connection.socket, connection)
    connection.current = response
    if (this.isDraining) connection.endWithAnswer()
    response.once("close", () => {
      this.onAnswered(connection)
      if (!request.complete) this.awaitRest(connection, request)
    })
    this.respond(request, response)
    this.boundUnsent()
  }

  /** Limits the time for the rest of a request that was answered early, or its sender could continue forever. */
  private awaitRest(connection: Connection, request: IncomingMessage): void {
    if (connection.socket.destroyed) return
    const end = setTimeout(() => {
      if (!request.complete) this.cutOff(connection)
    }, this.bounds.silenceMs)
    connection.socket.once("close", () => clearTimeout(end))
  }

  private onAnswered(connection: Connection): void {
    connection.current = undefined
    const next = connection.waiting.shift()
    if (next !== undefined && this.open.has(connection.socket)) this.begin(connection, next)
    // From the next turn on the connection is idle, and would stay open for another request.
    else if (this.isStopping) setImmediate(() => this.server.closeIdleConnections())
  }

  /** When too many bytes are unsent, the connection that began reading first is closed. */
  private boundUnsent(): void {
    const unsent = [...this.open.values()].filter((connection) => connection.unsent > 0)
    let total = unsent.reduce((sum, connection) => sum + connection.unsent, 0)
    for (const connection of unsent) {
      if (total <= this.bounds.unsentBytes) return
      total -= connection.unsent
      this.cutOff(connection)
    }
  }

  /** Closes a connection on which nothing was sent or received for a while, unless an answer is being computed. */
  private onSilence(socket: Socket): void {
    const connection = this.open.get(socket)
    const isWorking = connection?.current !== undefined && connection.unsent === 0
    if (connection !== undefined && !isWorking) this.cutOff(connection)
  }
}

// Listens for HTTP requests, and stops without aborting requests under way.

/** Answers a request from an address; it never rejects. */
export type Handler = (request: Request, address: string | undefined) => Promise<Response>

/** Where to listen, and behind how many proxies. */
export interface Where {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** The number of proxies that each request passes through; each adds an address to `X-Forwarded-For`. */
  readonly proxies?: number | undefined
}

/** A listening server. */
export interface Listener {
  /** As `http://127.0.0.1:8080`. */
  readonly url: string
  /** Continues, but closes each connection after its answer. */
  readonly drain: () => void
  /** Accepts no more requests; resolves when those under way are answered or out of time. */
  readonly stop: (patienceMs: number) => Promise<void>
}

/**
 * A stalled sender is disconnected, so that many of them can't fill the memory. This limit is for headers; the code
 * that reads a body limits its time. A body that is read line by line may take as long as its lines.
 */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 3_600_000,
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

/** The answer when a handler rejects, which is a bug: invalid HTTP never reaches it. */
const onError = (cause: unknown): Response => {
  const isRequestError = cause instanceof Error && cause.name === "RequestError"
  return isRequestError ? answer(400, unreadable) : answer(500, "internal error")
}

const schemeAndHost = /^https?:\/\/[^/?#]*/i

/** A step that URL parsers remove from a path, together with the one before. */
const step = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Refuses ambiguous requests before a `Request` is made. That would pick one of two hosts and normalise the path, and a
 * proxy in front may have read them differently.
 */
const refusalOf = ({ headersDistinct, url = "" }: IncomingMessage): Response | undefined => {
  if ((headersDistinct.host ?? []).length > 1) return answer(400, "there is more than one Host")
  const [path = ""] = url.replace(schemeAndHost, "").split(/[?#]/, 1)
  return step.test(path) ? answer(404, "there is nothing at this path") : undefined
}

/** The address of a sender: of the connection, or the address that the outermost proxy saw. */
const addressOf = ({ socket, headers }: IncomingMessage, proxies: number): string | undefined => {
  if (proxies === 0) return socket.remoteAddress
  const told = [headers["x-forwarded-for"] ?? ""].flat().join(",").split(",")
  return told.at(-proxies)?.trim() || socket.remoteAddress
}

const respondWith = (handler: Handler, proxies: number) =>
  getRequestListener(
    (request, { incoming }) =>
      // The server only speaks HTTP/1, but the type of the listener allows HTTP/2.
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
