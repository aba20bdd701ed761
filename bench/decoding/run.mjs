// Decoding: reading orders at the border, and its part in the whole way of an order.
import { settings } from "../measure.mjs"
import { runPart } from "../parts.mjs"
import { figure, named, ratio, spread, table, time, writeSection } from "../report.mjs"

const part = (name) => new URL(`${name}Part.mjs`, import.meta.url)

const decodingText = async (options) => {
  const read = await runPart(part("decoding"), options)
  const row = (results, name, against) => {
    const found = named(results, name)
    return [name, spread(found), name === against ? "1" : ratio(found, named(results, against))]
  }
  const core = "JSON.parse of the core's form"
  return `### Reading an order

Orders of one to three lines: the wire's JSON of ${figure(read.bytes)} bytes on average, from which \`Order.read\` makes an order (names, defaults, checks, currencies, all problems with their paths), and the core's form in JSON, ${figure(read.coreBytes)} bytes, which \`Order.parse\` checks, alone and as a schema of \`apportion/schema\`.

${table(
  ["", "time for an order, median (range)", "times JSON.parse of the same text (range)"],
  [
    row(read.results, "JSON.parse", "JSON.parse"),
    row(read.results, "Order.read", "JSON.parse"),
    row(read.results, core, core),
    row(read.results, "Order.parse", core),
    row(read.results, "its schema", core),
  ],
)}`
}

const cases = [
  { title: "10,000 groups of four collaborators", groups: 10_000, collaborators: 4 },
  { title: "10,000 groups of 2,500 collaborators", groups: 10_000 },
]

const wholeText = async (options) => {
  const measured = []
  for (const { title, ...asked } of cases) {
    measured.push({ title, ...(await runPart(part("whole"), { ...asked, ...options })) })
  }
  const whole = "the whole way"
  const share = (results, name) => {
    const percent = (100 * named(results, name).median) / named(results, whole).median
    return name === whole
      ? spread(named(results, name))
      : `${spread(named(results, name))}, ${percent.toFixed(0)} %`
  }
  const names = measured[0].results.map(({ name }) => name)
  return `### The part of decoding in the whole

From the text of an order to the text of its split, and each step alone, as a part of the whole; time for an order of ${measured[0].lines.toFixed(1)} lines on average. The steps alone need not add up to the whole: what one leaves in the caches, the next one finds there.

${table(
  ["", ...measured.map(({ title, payees }) => `${title}: ${payees.toFixed(1)} payees of a line`)],
  names.map((name) => [name, ...measured.map(({ results }) => share(results, name))]),
)}`
}

/** Measures, prints, and writes the section on decoding. */
export const run = async () => {
  const options = settings({ rounds: 5, seconds: 0.1 })
  const began = performance.now()
  const parts = ["## Decoding", await decodingText(options), await wholeText(options)]
  console.log(`${parts.join("\n\n")}\n`)
  writeSection("decoding", parts.join("\n\n"))
  console.log(`decoding: ${time((performance.now() - began) * 1000)} in all\n`)
}
