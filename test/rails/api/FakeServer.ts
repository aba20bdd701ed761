import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request as a fake API gets it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** What a fake API answers. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/**
 * What goes wrong with a request. `late`: it is carried out, and the answer does not come. `lost`: the connection breaks
 * after it was carried out. `refused`: the connection breaks before. `failed`: it is carried out, and the answer is 500.
 * `busy`: it is not carried out, and the answer is 429. `garbled`: it is carried out, and the answer is a page of HTML.
 */
export type Trouble = "late" | "lost" | "refused" | "failed" | "busy" | "garbled"

/** What goes wrong with the next requests, in their order; `null`: nothing. */
export type Troubles = Array<Trouble | null>

const read = async (request: IncomingMessage): Promise<Asked> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
  return {
    method: request.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  }
}

const write = (response: ServerResponse, { status, body }: Reply): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

/** An API on this machine alone, which carries out what it is asked in the face of troubles. */
export class FakeServer {
  /** What goes wrong with the next requests that pay. */
  readonly troubles: Troubles = []
  /** Every request that came, in order. */
  readonly asked: Array<Asked> = []
  private readonly waiting: Array<() => void> = []
  private readonly server = createServer((request, response) => this.serve(request, response))
  private readonly carryOut: (asked: Asked) => Reply

  constructor(carryOut: (asked: Asked) => Reply) {
    this.carryOut = carryOut
  }

  /** Begins to listen, and tells where. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve))
    const { port } = this.address()
    return `http://127.0.0.1:${port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** Until the next request is late: carried out, and not answered. */
  untilLate(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  private address(): AddressInfo {
    const address = this.server.address()
    if (address === null || typeof address === "string") throw new RangeError("not listening")
    return address
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request)
    this.asked.push(asked)
    const isPaying = asked.method === "POST" && !asked.path.includes("oauth2")
    const trouble = isPaying ? (this.troubles.shift() ?? null) : null
    if (trouble === "refused") return void response.destroy()
    if (trouble === "busy") return write(response, { status: 429, body: { name: "RATE_LIMIT" } })
    const reply = this.carryOut(asked)
    if (trouble === "late") {
      for (const resolve of this.waiting.splice(0)) resolve()
      return
    }
    if (trouble === "lost") return void response.destroy()
    if (trouble === "failed") return write(response, { status: 500, body: "" })
    if (trouble === "garbled") return write(response, { status: 200, body: "<html></html>" })
    write(response, reply)
  }
}
