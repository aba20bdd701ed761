// Runs programs as processes of their own, as whoever uses them does: `apportion split`, and the least that it has to do.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { performance } from "node:perf_hooks"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
const least = fileURLToPath(new URL("least.mjs", import.meta.url))
const peak = new URL("peak.mjs", import.meta.url).href

/** The arguments of `apportion split`. */
export const splitArguments = ({ groups, orders, format, jobs }) => [
  ...[program, "split", "--groups", groups, "--orders", orders],
  ...["--format", format, "--jobs", String(jobs)],
]

/** The arguments of the least that can be done with orders and some of their splits. */
export const leastArguments = ({ orders, splits }) => [least, orders, splits]

const start = (args, stdout) =>
  spawn(process.execPath, ["--import", peak, ...args], {
    stdio: ["ignore", stdout, "inherit", "pipe"],
  })

const ended = async (child, args) => {
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`)
}

/** The output, as the hash of its bytes. */
export const outputOf = async (args) => {
  const child = start(args, "pipe")
  const hash = createHash("sha256")
  child.stdout.on("data", (chunk) => hash.update(chunk))
  await ended(child, args)
  return hash.digest("hex")
}

/** Writes the output to a file. */
export const writeOutput = async (args, path) => {
  const child = start(args, "pipe")
  child.stdout.pipe(createWriteStream(path))
  await ended(child, args)
}

/**
 * One run whose output nobody reads: seconds from its start to its end, seconds of the processor, and the peak of its
 * memory in MB.
 */
export const measure = async (args) => {
  const began = performance.now()
  const child = start(args, "ignore")
  let figures = ""
  child.stdio[3].on("data", (chunk) => {
    figures += chunk
  })
  await ended(child, args)
  const seconds = (performance.now() - began) / 1000
  const { maxRSS, cpu } = JSON.parse(figures)
  return { seconds, cpu: cpu / 1e6, megabytes: maxRSS / 1024 }
}

/** One run of a program that may find something: how it ended, what it took, and the last line that it wrote. */
export const told = async (args) => {
  const began = performance.now()
  const child = start(args, "pipe")
  let [output, figures] = ["", ""]
  child.stdout.on("data", (chunk) => {
    output = (output + chunk).slice(-10_000)
  })
  child.stdio[3].on("data", (chunk) => {
    figures += chunk
  })
  const [code] = await once(child, "close")
  const seconds = (performance.now() - began) / 1000
  const { maxRSS, cpu } = JSON.parse(figures)
  const last = output.trimEnd().split("\n").at(-1)
  return { code, seconds, cpu: cpu / 1e6, megabytes: maxRSS / 1024, last }
}
