// Runs `apportion split` as a process of its own, as whoever uses it does.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { performance } from "node:perf_hooks"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
const peak = new URL("peak.mjs", import.meta.url).href

const start = ({ groups, orders, format, jobs }, stdout) => {
  const args = ["--groups", groups, "--orders", orders, "--format", format, "--jobs", String(jobs)]
  return spawn(process.execPath, ["--import", peak, program, "split", ...args], {
    stdio: ["ignore", stdout, "inherit", "pipe"],
  })
}

const ended = async (child, task) => {
  const [code] = await once(child, "close")
  if (code !== 0)
    throw new Error(`split of ${task.orders} with ${task.jobs} jobs ended with ${code}`)
}

/** The output, as the hash of its bytes. */
export const outputOf = async (task) => {
  const child = start(task, "pipe")
  const hash = createHash("sha256")
  child.stdout.on("data", (chunk) => hash.update(chunk))
  await ended(child, task)
  return hash.digest("hex")
}

/** One run whose output nobody reads: seconds from its start to its end, and the peak of its memory in MB. */
export const measure = async (task) => {
  const began = performance.now()
  const child = start(task, "ignore")
  let kilobytes = ""
  child.stdio[3].on("data", (chunk) => {
    kilobytes += chunk
  })
  await ended(child, task)
  return { seconds: (performance.now() - began) / 1000, megabytes: Number(kilobytes) / 1024 }
}
