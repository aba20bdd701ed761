/**
 * Attacks on a server of its own on this computer, each bounded in what it sends and how long it lasts. What they
 * come to is told as figures. It imports nothing of the project, so that a plain program can run it too.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { createConnection, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { programEnvironment } from "./Environment.js"

/** The token of the servers that are attacked. */
export const token = "token-of-the-attacks"

const authorization = { authorization: `Bearer ${token}` }

/** Resident memory of a process now, in megabytes. */
const residentOf = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

/** A server under attack; it is killed when it takes more memory than it may. */
export class Target {
  readonly child: ChildProcess
  readonly port: number
  peak = 0
  private readonly watch: NodeJS.Timeout

  private constructor(child: ChildProcess, port: number, mostMegabytes: number) {
    this.child = child
    this.port = port
    this.watch = setInterval(() => {
      this.peak = Math.max(this.peak, residentOf(child.pid ?? 0))
      if (this.peak > mostMegabytes) child.kill("SIGKILL")
    }, 10)
  }

  /** Starts a program that serves; `args` come after those that every server here has. */
  static async start(
    program: string,
    args: ReadonlyArray<string> = [],
    {
      rate = 1_000_000,
      mostMegabytes = 1_024,
    }: { readonly rate?: number | undefined; readonly mostMegabytes?: number } = {},
  ): Promise<Target> {
    const given = ["serve", "--port", "0", "--token", token, "--rate", String(rate), ...args]
    const child = spawn(process.execPath, ["--max-old-space-size=512", program, ...given], {
      stdio: ["ignore", "pipe", "ignore"],
      env: programEnvironment,
    })
    const [line] = await once(child.stdout ?? child, "data")
    return new Target(child, Number(/:(\d+)\s*$/.exec(String(line))?.[1]), mostMegabytes)
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  async end(): Promise<void> {
    clearInterval(this.watch)
    if (!this.isAlive) return
    this.child.kill("SIGKILL")
    await once(this.child, "exit")
  }
}

/** What was answered, and how long that took in milliseconds. */
export interface Answered {
  /** 0: nothing was. */
  readonly status: number
  readonly text: string
  readonly millis: number
}

/** Asks a server on this computer, on a connection of an agent or on one of its own. */
export const ask = (
  port: number,
  path: string,
  options: {
    readonly method?: string
    readonly body?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly agent?: Agent
  } = {},
): Promise<Answered> =>
  new Promise((resolve) => {
    const { method = "GET", body, headers = authorization, agent = new Agent() } = options
    const began = performance.now()
    const end = (status: number, text: string) =>
      resolve({ status, text, millis: performance.now() - began })
    const asked = request({ host: "127.0.0.1", port, path, method, headers, agent }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => end(response.statusCode ?? 0, text))
      response.on("error", () => end(0, ""))
    })
    asked.on("error", (cause: NodeJS.ErrnoException) => end(0, cause.code ?? ""))
    asked.end(body)
  })

/** How others fare while something goes on. */
export interface Others {
  readonly asked: number
  readonly answered: number
  readonly p99: number
  readonly longest: number
}

/** Somebody else asks for a list again and again, as long as work goes on. */
export const othersDuring = async (port: number, work: Promise<unknown>): Promise<Others> => {
  const answers: Array<Promise<Answered>> = []
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    answers.push(ask(port, "/v1/payouts"))
    await wait(20)
  }
  await over
  const all = await Promise.all(answers.map((answer) => Promise.race([answer, late()])))
  const times = all.map(({ millis }) => millis).toSorted((one, other) => one - other)
  return {
    asked: all.length,
    answered: all.filter(({ status }) => status === 200).length,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    longest: times.at(-1) ?? 0,
  }
}

const late = async (): Promise<Answered> => {
  await wait(20_000, undefined, { ref: false })
  return { status: 0, text: "late", millis: 20_000 }
}

const connect = (port: number): Socket => {
  const socket = createConnection({ port, host: "127.0.0.1" })
  socket.on("error", () => undefined)
  return socket
}

const plain = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

/** Many requests for a page on a few connections, of which nothing is ever read. */
export const unreadPages = async (
  { port }: Target,
  { connections, requests }: { readonly connections: number; readonly requests: number },
): Promise<void> => {
  const sockets = Array.from({ length: connections }, () => connect(port).pause())
  for (const socket of sockets) socket.write(plain("/docs").repeat(requests))
  await wait(4_000)
  for (const socket of sockets) socket.destroy()
}

/** Connections that are opened, and never send a thing. */
export const idleConnections = async ({ port }: Target, count: number): Promise<void> => {
  const sockets = Array.from({ length: count }, () => connect(port))
  await wait(2_000)
  for (const socket of sockets) socket.destroy()
}

const group = { itemType: "products.all", type: "percentage", percent: 5 }

const fieldsOf = (count: number, nameOf: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [nameOf(index), 0]))

const letters = (index: number): string =>
  index.toString(26).replace(/[0-9]/g, (digit) => String.fromCharCode(113 + Number(digit)))

/** Bodies of a megabyte that once took seconds or minutes. */
export const heavyBodies = {
  "unknown fields": () =>
    JSON.stringify({ ...group, ...fieldsOf(50_000, (at) => `condition_${letters(at)}`) }),
  "misspelt fields": () =>
    JSON.stringify({ ...group, ...fieldsOf(50_000, (at) => `split_cond_${letters(at)}`) }),
  "wrong values": () =>
    JSON.stringify({ ...group, itemType: "products.tag", items: new Array(200_000).fill({}) }),
  // A hundred thousand marks on one letter: a megabyte of them takes minutes.
  "endless marks": () =>
    JSON.stringify({
      ...group,
      itemType: "products.tag",
      items: [`a${"\u0315\u0300".repeat(50_000)}`],
    }),
  nested: () => `{"items":${"[".repeat(500_000)}`,
} as const

/** Sends a body as a new group. */
export const sendBody = ({ port }: Target, body: string): Promise<Answered> =>
  ask(port, "/v1/collaborators/ada/products", { method: "PUT", body })

/** Wrong tokens for some time; tells how many of them were looked up, and how many were refused. */
export const wrongTokens = async ({ port }: Target, millis: number) => {
  const counts = { lookedUp: 0, refused: 0 }
  const end = performance.now() + millis
  const guess = async (agent: Agent, sender: number) => {
    for (let at = 0; performance.now() < end; at += 1) {
      const headers = { authorization: `Bearer guess-number-${sender}-${at}` }
      const { status } = await ask(port, "/v1/payouts", { headers, agent })
      if (status === 401) counts.lookedUp += 1
      if (status === 429) counts.refused += 1
    }
  }
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  await Promise.all(agents.map(guess))
  for (const agent of agents) agent.destroy()
  return counts
}

/**
 * Clients that ask one request after the other on connections that they keep, as behind a balancer: once `/ready` does
 * not say 200, nobody begins anew. The server is told to end meanwhile. Tells what became of their requests.
 */
export const endWhileBusy = async (target: Target, clients: number) => {
  const { port } = target
  const counts = { answered: 0, broken: 0, notReady: 0 }
  let isServed = true
  const balance = async () => {
    while (isServed) {
      const { status } = await ask(port, "/ready", { headers: {} })
      if (status === 503) counts.notReady += 1
      if (status !== 200) isServed = false
      await wait(100)
    }
  }
  const busy = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (isServed) {
      const { status } = await ask(port, "/v1/payouts", { agent })
      if (status === 200) counts.answered += 1
      else counts.broken += 1
    }
    agent.destroy()
  }
  const all = [balance(), ...Array.from({ length: clients }, busy)]
  await wait(1_500)
  target.child.kill("SIGTERM")
  await Promise.all(all)
  if (target.isAlive) await once(target.child, "exit")
  return { ...counts, exitCode: target.child.exitCode }
}
