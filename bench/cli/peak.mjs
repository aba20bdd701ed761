// Loaded before a program: tells at the end how much memory the process took at most, in kilobytes, and how long the
// processor worked for it, in microseconds.
import { writeSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

const descriptor = 3

if (isMainThread) {
  process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    writeSync(descriptor, JSON.stringify({ maxRSS, cpu: userCPUTime + systemCPUTime }))
  })
}
