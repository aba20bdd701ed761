/** The built program as it serves. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import manifest from "../../package.json" with { type: "json" }
import { programEnvironment } from "./Environment.js"

/** The program that npm installs. */
export const program = manifest.bin.apportion

/** A program that serves, and everything it says. */
export class Served {
  readonly child: ChildProcess
  out = ""
  err = ""

  constructor(args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) {
    // Told to end, it ends at once: only those who ask for it wait until everybody knows.
    const ending = args.includes("--drain") ? [] : ["--drain", "0"]
    this.child = spawn(process.execPath, [program, "serve", ...ending, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...programEnvironment, ...environment },
    })
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.out += text
    })
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.err += text
    })
  }

  /** Whether it has ended. */
  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Its address, once it is ready. */
  async url(): Promise<string> {
    while (!this.out.includes("\n")) {
      if (this.isOver) throw new RangeError(`it ended: ${this.err}`)
      await Promise.race([once(this.child.stdout ?? this.child, "data"), once(this.child, "exit")])
    }
    return this.out.replace("apportion is listening on ", "").trimEnd()
  }

  /** Its exit code, after a signal. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isOver) return this.child.exitCode
    const ended = once(this.child, "exit")
    this.child.kill(signal)
    await ended
    return this.child.exitCode
  }

  /** Its exit code, once it has ended by itself, and everything it said. */
  async ended(): Promise<number | null> {
    if (!this.isOver) await once(this.child, "close")
    return this.child.exitCode
  }
}

/** What a server answered. */
export interface Answered {
  readonly status: number
  readonly text: string
}

/** Asks a server; rejects when there is no answer. */
export const ask = async (
  base: string,
  {
    method,
    path,
    body,
    key,
  }: {
    readonly method: string
    readonly path: string
    readonly body?: object | undefined
    readonly key?: string | undefined
  },
  token = "paper-heron-at-dusk",
): Promise<Answered> => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}
