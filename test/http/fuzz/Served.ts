/** The API as a program, to be sent bytes. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import manifest from "../../../package.json" with { type: "json" }
import { programEnvironment } from "../../cli/Environment.js"

/** A process that serves, and how much memory it has. */
export interface Served {
  readonly port: number
  readonly child: ChildProcess
  readonly said: () => string
  readonly isAlive: () => boolean
  readonly end: () => Promise<number | null>
}

/** Starts `apportion serve` on a free port, with a store in a file. */
export const serve = async (
  token: string,
  seed: string,
  program: string = manifest.bin.apportion,
): Promise<Served> => {
  const args = [
    ...["serve", "--port", "0", "--token", token, "--rate", "1000000", "--seed", seed],
    ...["--drain", "0"],
  ]
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: programEnvironment,
  })
  let out = ""
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  while (!out.includes("\n")) {
    if (child.exitCode !== null) throw new RangeError(`it ended: ${said}`)
    await Promise.race([once(child.stdout, "data"), once(child, "exit")])
  }
  return {
    port: Number(/:(\d+)\s*$/.exec(out)?.[1]),
    child,
    said: () => said,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    end: async () => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
      return child.exitCode
    },
  }
}
