import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

export const folder = "docs/examples/http-hosts"

/** One of the examples as a program of its own, and everything it says. */
export class HttpHost {
  readonly #child: ChildProcess
  out = ""
  err = ""

  constructor(name: string, environment: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, [join(folder, name)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, PORT: "0", ...environment },
    })
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.out += text
    })
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.err += text
    })
  }

  /** Its address, once it listens. */
  async url(): Promise<string> {
    const { stdout } = this.#child
    while (!this.out.includes("\n")) {
      if (this.#child.exitCode !== null) throw new RangeError(`it ended: ${this.err}`)
      await Promise.race([once(stdout ?? this.#child, "data"), once(this.#child, "exit")])
    }
    return this.out.trimEnd()
  }

  /** Its exit code, after it was told to end. */
  async end(): Promise<number | null> {
    const ended = once(this.#child, "close")
    this.#child.kill("SIGTERM")
    await ended
    return this.#child.exitCode
  }

  /** Ends it, however it does. */
  kill(): void {
    this.#child.kill("SIGKILL")
  }
}
