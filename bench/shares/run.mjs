// Shares: a whole split beside matching alone, and the dividing of an amount beside what else does that.
import { settings } from "../measure.mjs"
import { runPart } from "../parts.mjs"
import {
  named,
  raceTable,
  ratio,
  spread,
  table,
  time,
  withVersion,
  writeSection,
} from "../report.mjs"

const part = (name) => new URL(`${name}Part.mjs`, import.meta.url)

const cases = [
  { title: "four groups, all match; one line an order", four: true, itemsOfOrder: 1 },
  { title: "four groups, all match; five lines an order", four: true, itemsOfOrder: 5 },
  {
    title: "10,000 groups of four collaborators; one line an order",
    groups: 10_000,
    collaborators: 4,
    itemsOfOrder: 1,
  },
  {
    title: "10,000 groups of 2,500 collaborators; one line an order",
    groups: 10_000,
    itemsOfOrder: 1,
  },
  {
    title: "10,000 groups of 2,500 collaborators; five lines an order",
    groups: 10_000,
    itemsOfOrder: 5,
  },
  {
    title: "10,000 groups of 6,000 collaborators, a quarter of which match; one line an order",
    kind: "dense",
    groups: 10_000,
    collaborators: 6_000,
    itemsOfOrder: 1,
  },
]

const splitText = async (options) => {
  const measured = []
  for (const { title, ...asked } of cases) {
    const args = { ...asked, ...options }
    const checked = await runPart(part("split"), { ...args, isCheck: true })
    measured.push({ title, ...checked, ...(await runPart(part("split"), args)) })
  }
  const contenders = measured[0].results.map(({ name }) => name)
  const matching = "matching alone"
  const dinero = "dinero.js allocate alone"
  const header = ["", "payees of a line", "outranked groups"]
  const times = table(
    [...header, ...contenders],
    measured.map(({ title, payees, outranked, results }) => [
      title,
      payees.toFixed(1),
      outranked.toFixed(1),
      ...contenders.map((name) => spread(named(results, name))),
    ]),
  )
  const others = contenders.filter((name) => name !== matching && name !== dinero)
  const ratios = table(
    ["times matching alone (range)", ...others, "Split.order over dinero.js allocate alone"],
    measured.map(({ title, results }) => [
      title,
      ...others.map((name) => ratio(named(results, name), named(results, matching))),
      ratio(named(results, "Split.order"), named(results, dinero)),
    ]),
  )
  return `### Whole splits

A split is matching, precedence, base, rounding, the check for over-allocation and the result with all that explains it; the explanation itself is made on request. Time for a line, median (range). For scale, dinero.js divides the line's amount over four ratios and the rest, knowing already who they are.

${times}

${ratios}`
}

const allocationText = async (options) => {
  const { ordinary, huge, inexact, askedHuge } = await runPart(part("allocation"), options)
  return `### Dividing an amount over four ratios and the rest

By largest remainder; dinero.js gives left cents to the first ratios instead, so of it the sums alone are compared (${["dinero.js", "big.js"].map(withVersion).join(", ")}). Amounts up to 10,000.00:

${raceTable(ordinary, { unit: "division" })}

Amounts up to the largest safe integer. Here dinero.js works on bigints: with numbers, some part was neither the floor nor the ceiling of its exact value in ${inexact} of ${askedHuge} divisions.

${raceTable(huge, { unit: "division" })}`
}

/** Measures, prints, and writes the section on shares. */
export const run = async () => {
  const options = settings({ rounds: 5, seconds: 0.1 })
  const began = performance.now()
  const parts = ["## Shares", await splitText(options), await allocationText(options)]
  console.log(`${parts.join("\n\n")}\n`)
  writeSection("shares", parts.join("\n\n"))
  console.log(`shares: ${time((performance.now() - began) * 1000)} in all\n`)
}
