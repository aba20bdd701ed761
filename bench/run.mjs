// Every bench of speed, one after another; their figures go to the screen and into docs/benchmarks.md.
import { existsSync } from "node:fs"
import { environment } from "./measure.mjs"
import { writeSection } from "./report.mjs"

const benches = ["rules", "shares", "linking", "decoding", "updates", "cli", "mercur"]
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !benches.includes(name))
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(", ")}; there are ${benches.join(", ")}`)
  process.exit(2)
}

console.log(`${environment()}\n`)
if (asked.length === 0) {
  writeSection("environment", `The figures of \`npm run bench\` are of ${environment()}.`)
}
for (const name of asked.length === 0 ? benches : asked) {
  const module = new URL(`${name}/run.mjs`, import.meta.url)
  if (!existsSync(module)) continue
  const { run } = await import(module.href)
  await run()
}
