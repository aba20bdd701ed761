/** A network that can't be relied on: a server between a client and its database that cuts and stalls. */
import { createConnection, createServer, type Socket } from "node:net"
import type { Chance } from "./Chance.js"

/** How often each thing happened. */
export interface Faults {
  /** The connection is cut at some time. */
  cut: number
  /** The server gets COMMIT, and its answer is lost with the connection. */
  answerLost: number
  /** COMMIT never gets to the server, and the connection is lost. */
  commitLost: number
  /** For a while nothing comes through. */
  stalled: number
}

export interface Proxy {
  readonly port: number
  readonly faults: Faults
  readonly stop: () => Promise<void>
}

interface Line {
  readonly client: Socket
  readonly server: Socket
  readonly cut: () => void
  readonly pause: () => void
  readonly resume: () => void
}

/** One connection; what comes from either side is passed on unless something happens to it. */
const connect = (
  client: Socket,
  port: number,
  onCommit: (line: Line) => "pass" | "drop" | "lose the answer",
): Line => {
  const server = createConnection({ port, host: "127.0.0.1" })
  const cut = () => {
    client.destroy()
    server.destroy()
  }
  let isAnswerLost = false
  const line: Line = {
    client,
    server,
    cut,
    pause: () => {
      client.pause()
      server.pause()
    },
    resume: () => {
      client.resume()
      server.resume()
    },
  }
  client.on("data", (chunk) => {
    const fate = chunk.includes("COMMIT") ? onCommit(line) : "pass"
    if (fate === "drop") return cut()
    isAnswerLost ||= fate === "lose the answer"
    server.write(chunk)
  })
  server.on("data", (chunk) => {
    if (isAnswerLost) return cut()
    client.write(chunk)
  })
  for (const socket of [client, server]) {
    socket.on("error", cut)
    socket.on("close", cut)
  }
  return line
}

/** How many milliseconds pass from one thing that happens to a connection to the next. */
const between = { least: 5, spread: 100 }

/** Starts it before a server that listens on a port. */
export const startProxy = (port: number, chance: Chance): Promise<Proxy> => {
  const faults: Faults = { cut: 0, answerLost: 0, commitLost: 0, stalled: 0 }
  const lines = new Set<Line>()
  const onCommit = () => {
    const happens = chance.below(20)
    if (happens === 0) faults.answerLost += 1
    if (happens === 1) faults.commitLost += 1
    return happens === 0 ? "lose the answer" : happens === 1 ? "drop" : "pass"
  }
  const listener = createServer((client) => {
    const line = connect(client, port, onCommit)
    lines.add(line)
    client.once("close", () => lines.delete(line))
  })
  const stall = (line: Line) => {
    faults.stalled += 1
    line.pause()
    setTimeout(line.resume, chance.below(150))
  }
  const happen = () => {
    const line = chance.pick([...lines])
    if (line !== undefined) {
      if (chance.onceIn(3)) stall(line)
      else {
        faults.cut += 1
        line.cut()
      }
    }
    timer = setTimeout(happen, between.least + chance.below(between.spread))
  }
  let timer = setTimeout(happen, between.least)
  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.address()
      resolve({
        port: typeof address === "object" && address !== null ? address.port : 0,
        faults,
        stop: async () => {
          clearTimeout(timer)
          for (const line of lines) line.cut()
          await new Promise((done) => listener.close(done))
        },
      })
    })
  })
}
