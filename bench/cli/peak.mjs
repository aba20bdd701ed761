// Loaded before the command line: tells at the end how much memory the process took at most, in kilobytes.
import { writeSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

const descriptor = 3

if (isMainThread) {
  process.on("exit", () => writeSync(descriptor, String(process.resourceUsage().maxRSS)))
}
