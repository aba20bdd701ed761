/** A network that can't be relied on: a server between a client and its database that cuts and stalls. */
import { createConnection, createServer, type Socket } from "node:net"
import type { Chance } from "../../generators/Chance.js"

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

export interface BadNetwork {
  readonly port: number
  readonly faults: Faults
  /**
   * The next connection on which a text is sent freezes: from that on nothing comes through, and neither end
   * is told, not even when the other one closes it.
   */
  readonly freezeAt: (text: string) => void
  /** How many connections have frozen. */
  readonly frozen: () => number
  /** From now on nothing comes through any connection, and neither end is told. */
  readonly interrupt: () => void
  /** All comes through again: what was sent meanwhile arrives late, or is lost with its connection. */
  readonly heal: (isLost: boolean) => void
  readonly stop: () => Promise<void>
}

/** What becomes of what a client has sent. */
type Fate = "pass" | "drop" | "lose the answer" | "freeze"

interface Line {
  readonly cut: () => void
  readonly pause: () => void
  readonly resume: () => void
}

/** One connection; what comes from either side is passed on unless something happens to it. */
const connect = (client: Socket, port: number, fateOf: (chunk: Buffer) => Fate): Line => {
  const server = createConnection({ port, host: "127.0.0.1" })
  const cut = () => {
    client.destroy()
    server.destroy()
  }
  let [isAnswerLost, isFrozen] = [false, false]
  client.on("data", (chunk) => {
    const fate = isFrozen ? "freeze" : fateOf(chunk)
    isFrozen = fate === "freeze"
    if (isFrozen) return
    if (fate === "drop") return cut()
    isAnswerLost ||= fate === "lose the answer"
    server.write(chunk)
  })
  server.on("data", (chunk) => {
    if (isFrozen) return
    if (isAnswerLost) return cut()
    client.write(chunk)
  })
  for (const socket of [client, server]) {
    const end = () => {
      if (!isFrozen) cut()
    }
    socket.on("error", end)
    socket.on("close", end)
  }
  const both = [client, server]
  return {
    cut,
    pause: () => {
      for (const socket of both) socket.pause()
    },
    resume: () => {
      for (const socket of both) socket.resume()
    },
  }
}

/** How many milliseconds pass from one thing that happens to a connection to the next. */
const between = { least: 5, spread: 100 }

/** What happens at random to what is sent, if anything does. */
const fates = (chance: Chance | undefined, faults: Faults) => (): Fate => {
  const happens = chance?.below(20)
  if (happens === 0) faults.answerLost += 1
  if (happens === 1) faults.commitLost += 1
  return happens === 0 ? "lose the answer" : happens === 1 ? "drop" : "pass"
}

/** Cuts and stalls connections, again and again; gives what ends that. */
const disturb = (lines: ReadonlySet<Line>, chance: Chance, faults: Faults): (() => void) => {
  const happen = () => {
    const line = chance.pick([...lines])
    if (line !== undefined && chance.onceIn(3)) {
      faults.stalled += 1
      line.pause()
      setTimeout(line.resume, chance.below(150))
    } else if (line !== undefined) {
      faults.cut += 1
      line.cut()
    }
    timer = setTimeout(happen, between.least + chance.below(between.spread))
  }
  let timer = setTimeout(happen, between.least)
  return () => clearTimeout(timer)
}

/** Starts it before a server that listens on a port. Without chance, nothing happens but what is asked for. */
export const startProxy = (port: number, chance?: Chance): Promise<BadNetwork> => {
  const faults: Faults = { cut: 0, answerLost: 0, commitLost: 0, stalled: 0 }
  const open = new Set<Line>()
  const all = new Set<Line>()
  const atCommit = fates(chance, faults)
  let [freezing, frozen, isInterrupted] = ["", 0, false]
  const fateOf = (chunk: Buffer): Fate => {
    if (freezing !== "" && chunk.includes(freezing)) {
      freezing = ""
      frozen += 1
      return "freeze"
    }
    return chunk.includes("COMMIT") ? atCommit() : "pass"
  }
  const listener = createServer((client) => {
    const line = connect(client, port, fateOf)
    open.add(line)
    all.add(line)
    if (isInterrupted) line.pause()
    client.once("close", () => open.delete(line))
  })
  const end = chance === undefined ? () => undefined : disturb(open, chance, faults)
  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.address()
      resolve({
        port: typeof address === "object" && address !== null ? address.port : 0,
        faults,
        freezeAt: (text) => {
          freezing = text
        },
        frozen: () => frozen,
        interrupt: () => {
          isInterrupted = true
          for (const line of open) line.pause()
        },
        heal: (isLost) => {
          isInterrupted = false
          for (const line of open) {
            if (isLost) line.cut()
            else line.resume()
          }
        },
        stop: async () => {
          end()
          for (const line of all) line.cut()
          await new Promise((done) => listener.close(done))
        },
      })
    })
  })
}
