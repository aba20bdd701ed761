// Analyses of rule sets that are hard for them, each in a process of its own: the processor's time, the peak of memory,
// the longest stretch without a pause, and what is said. `node bench/analysis/run.mjs dated` runs those whose name has it.
import { environment } from "../measure.mjs"
import { runPart } from "../parts.mjs"

const shop = [3_740, 32_952]
const cases = [
  ["deadGroups", "notTags", [2_000]],
  ["deadGroups", "notTags", [3_000]],
  ["redundantGroups", "notThreeTags", [61]],
  ["overAllocation", "allOnAll", [2_000, 2_000]],
  ["check", "halfOnEach", [2_000, 2_000]],
  ["check", "shop", [...shop, { affiliates: 0 }]],
  ["check", "shop", shop],
  ["check", "shop", shop, { atMost: { referer: 1 } }],
  ["check", "many", [5_000]],
  ...["deadGroups", "redundantGroups", "overlaps", "equivalent", "check"].map((analysis) => [
    analysis,
    "dated",
    [1_000],
  ]),
]

const part = new URL("./analysisPart.mjs", import.meta.url)
const [asked = ""] = process.argv.slice(2)
console.log(`${environment()}\n`)
for (const [analysis, workload, size, options] of cases) {
  const name = [analysis, workload, JSON.stringify(size), JSON.stringify(options) ?? ""]
    .join(" ")
    .trim()
  if (!name.includes(asked)) continue
  const { seconds, peakMiB, longestMs, taskOfLongest, steps, turns, told } = await runPart(part, {
    analysis,
    workload,
    size,
    options,
  })
  console.log(`${name}
  ${seconds.toFixed(1)} s, ${peakMiB} MiB, at most ${longestMs} ms without a pause (${taskOfLongest}), ${Math.round(steps).toLocaleString("en-US")} steps in ${turns} turns
  ${told}`)
}
