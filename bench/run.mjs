// Every bench of speed, one after another, each in a process of its own; their figures go to the screen and into
// docs/benchmarks.md. `node bench/run.mjs rules shares` runs these alone.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { environment } from "./measure.mjs"
import { writeSection } from "./report.mjs"

const moduleOf = (name) => new URL(`${name}/run.mjs`, import.meta.url)
const benches = ["rules", "shares", "terms", "decoding", "mercur", "linking", "cli"].filter(
  (name) => existsSync(moduleOf(name)),
)

const [asked, ...more] = process.argv.slice(2)
const unknown = [asked, ...more].filter((name) => name !== undefined && !benches.includes(name))
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(", ")}; there are ${benches.join(", ")}`)
  process.exit(2)
}

const runAlone = async (name) => {
  const { run } = await import(moduleOf(name).href)
  await run()
}

const runAll = (names) => {
  const program = fileURLToPath(import.meta.url)
  for (const name of names) {
    const { status } = spawnSync(process.execPath, [program, name], { stdio: "inherit" })
    if (status !== 0) process.exit(status ?? 1)
  }
}

if (asked !== undefined && more.length === 0) await runAlone(asked)
else {
  console.log(`${environment()}\n`)
  if (asked === undefined) {
    writeSection("environment", `The figures of \`npm run bench\` are of ${environment()}.`)
  }
  runAll(asked === undefined ? benches : [asked, ...more])
}
