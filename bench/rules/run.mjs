// Matching: which groups apply to the lines of orders. Every contender, every size; see README.md.
import { median, settings, summary } from "../measure.mjs"
import { runPart } from "../parts.mjs"
import { figure, named, ratio, spread, table, time, withVersion, writeSection } from "../report.mjs"
import { names } from "./contenders.mjs"

const engines = ["json-rules-engine", "@gorules/zen-engine", "json-logic-engine", "@casl/ability"]
const sizes = [10, 100, 1_000, 10_000, 100_000]
const part = (name) => new URL(`${name}Part.mjs`, import.meta.url)
const count = (value) => value.toLocaleString("en-US")

const measureKind = async (kind, options) => {
  const measured = []
  for (const groups of sizes) {
    // Rule engines need seconds for a line of the dense workload with 100,000 groups.
    const withEngines = kind === "selective" || groups <= 10_000
    const args = { kind, groups, withEngines, ...options }
    const checked = await runPart(part("size"), { ...args, isCheck: true })
    measured.push({ groups, ...checked, ...(await runPart(part("size"), args)) })
  }
  return measured
}

const kindTable = (measured) => {
  const contenders = measured[0].results.map(({ name }) => name)
  const cell = (results, name) => {
    const found = results.find((result) => result.name === name)
    return found === undefined ? "not run" : spread(found)
  }
  return table(
    ["", ...measured.map(({ groups }) => `${count(groups)} groups`)],
    [
      ["groups that match a line", ...measured.map(({ matching }) => matching.toFixed(1))],
      ...contenders.map((name) => [name, ...measured.map(({ results }) => cell(results, name))]),
    ],
  )
}

const timesTable = (measured, groups) => {
  const { results } = measured.find((each) => each.groups === groups)
  const ours = named(results, names.apportion)
  return table(
    ["", "time for a line, median (range)", "times apportion (range)"],
    results.map((result) => [result.name, spread(result), ratio(result, ours)]),
  )
}

const growthTable = ({ contending, results }, measuredSizes) =>
  table(
    [
      "",
      ...measuredSizes.map((groups) => `${count(groups)} groups`),
      "last over 100 groups (range)",
    ],
    contending.map((name) => {
      const own = measuredSizes.map((groups) => named(results, `${name} ${groups}`))
      const last = own[own.length - 1]
      return [name, ...own.map(spread), ratio(last, named(results, `${name} 100`))]
    }),
  )

const growthText = async (options) => {
  const seen = await runPart(part("growth"), { sizes, freshProducts: false, ...options })
  const freshSizes = [100, 10_000, 100_000]
  const fresh = await runPart(part("growth"), {
    sizes: freshSizes,
    freshProducts: true,
    ...options,
  })
  return `### Does the time follow the answer, or the number of groups?

The selective workload, all sizes in one race. In the first table 2,000 products are sold again and again, as a shop does; in the second one each line's product is one that was never asked about before.

${growthTable(seen, sizes)}

${growthTable(fresh, freshSizes)}`
}

const popularities = [
  { kind: "selective", sold: 2_000, popularity: 3, lines: 20_000, ordersOfBatch: 400 },
  { kind: "selective", sold: 10_000, popularity: 3, lines: 60_000, ordersOfBatch: 400 },
  { kind: "selective", sold: 10_000, popularity: 1, lines: 60_000, ordersOfBatch: 400 },
  { kind: "dense", sold: 100, popularity: 3, lines: 2_000, ordersOfBatch: 20 },
  { kind: "dense", sold: 10_000, popularity: 3, lines: 6_000, ordersOfBatch: 20 },
  { kind: "dense", sold: 10_000, popularity: 1, lines: 6_000, ordersOfBatch: 20 },
]

const evenness = (popularity) => (popularity === 1 ? "evenly" : "unevenly")

const popularityText = async (options) => {
  const groups = 10_000
  const measured = []
  for (const each of popularities) {
    const args = { ...each, groups, ...options }
    const checked = await runPart(part("popularity"), { ...args, isCheck: true })
    measured.push({ ...each, ...checked, ...(await runPart(part("popularity"), args)) })
  }
  const others = measured[0].results.filter(({ name }) => name !== names.apportion)
  const times = table(
    ["", "groups that match", "apportion", ...others.map(({ name }) => name)],
    measured.map(({ kind, sold, popularity, matching, results }) => [
      `${kind}, ${count(sold)} products, sold ${evenness(popularity)}`,
      matching.toFixed(1),
      ...[names.apportion, ...others.map(({ name }) => name)].map((name) =>
        spread(named(results, name)),
      ),
    ]),
  )
  const ratios = table(
    ["apportion takes times", ...others.map(({ name }) => name)],
    measured.map(({ kind, sold, popularity, results }) => [
      `${kind}, ${count(sold)} products, sold ${evenness(popularity)}`,
      ...others.map(({ name }) => ratio(named(results, names.apportion), named(results, name))),
    ]),
  )
  return `### How many products are sold, and how evenly

${count(groups)} groups; where products are sold unevenly, a hundredth of them is a fifth of the lines. The limit that makes lists gives what the library gives, a list of groups for each line; one that remembers products keeps whatever they match, 13 kB a product in the dense workload.

${times}

${ratios}`
}

const soonText = async ({ rounds, seed }) => {
  const rows = []
  for (const [kind, stages] of [
    ["selective", [1_000, 5_000, 20_000, 100_000]],
    ["dense", [100, 500, 2_000, 5_000]],
  ]) {
    const found = new Map()
    for (let round = 0; round < rounds; round += 1) {
      for (const name of soonNames) {
        const { microseconds } = await runPart(part("soon"), {
          ...{ name, kind, groups: 10_000, sold: 10_000, seed, stages },
        })
        found.set(name, [...(found.get(name) ?? []), microseconds])
      }
    }
    const results = stages.map((_, stage) =>
      soonNames.map((name) =>
        summary(
          name,
          found.get(name).map((times) => times[stage]),
        ),
      ),
    )
    for (const [stage, upTo] of stages.entries()) {
      const [ours, ...others] = results[stage]
      rows.push([
        `${kind}, lines ${count(stages[stage - 1] ?? 0)} to ${count(upTo)}`,
        spread(ours),
        ...others.flatMap((other) => [spread(other), ratio(ours, other)]),
      ])
    }
  }
  const [, ...others] = soonNames
  return `### The first lines

10,000 groups, 10,000 products sold unevenly, each contender in a process of its own that has matched nothing before.

${table(["", names.apportion, ...others.flatMap((name) => [name, "apportion takes times that"])], rows)}`
}

const soonNames = [names.apportion, names.limit, names.lists]

const updateText = async (options) => {
  const groups = 100_000
  const { results } = await runPart(part("update"), { groups, ...options })
  const anew = named(results, "compile anew")
  return `### Changing one group of ${count(groups)}

Each change goes on from the rule set that the one before made, and is followed by a question about a line, so that nothing is put off. Compiling anew is the first question that is asked of a rule set; checking the groups comes before it and is done once.

${table(
  ["", "time, median (range)", "compiling anew takes times that (range)"],
  results.map((result) => [
    result.name,
    spread(result),
    result === anew ? "1" : ratio(anew, result),
  ]),
)}`
}

const memoryText = async ({ seed, rounds }) => {
  const rows = []
  for (const [kind, groups] of [
    ["selective", 10_000],
    ["selective", 100_000],
    ["dense", 10_000],
  ]) {
    const found = []
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      found.push(await runPart(part("memory"), { kind, groups, seed }))
    }
    const range = (values, show) =>
      `${show(median(values))} (${show(Math.min(...values))}-${show(Math.max(...values))})`
    rows.push([
      `${kind}, ${count(groups)} groups`,
      range(
        found.map(({ compiled }) => compiled),
        figure,
      ),
      range(
        found.map(({ remembered }) => remembered / 1024),
        (value) => `${figure(value)} KiB`,
      ),
    ])
  }
  return `### Memory

What the compiled form takes beyond the groups themselves, each time in a new process, and what is there more after 4,000 lines of 2,000 products (what products matched, texts that were met).

${table(["", "bytes for a group, median (range)", "more after 4,000 lines"], rows)}`
}

const kindText = async (kind, options) => {
  const measured = await measureKind(kind, options)
  const about =
    kind === "selective"
      ? "A line is matched by about as many groups at every size: there are more tags, vendors and products when there are more groups."
      : "Tags and vendors are broad: a good part of all groups matches a line."
  return `### The ${kind} workload

${about} Time for a line, median (range):

${kindTable(measured)}

With 10,000 groups:

${timesTable(measured, 10_000)}`
}

/** Measures, prints, and writes the section on matching. */
export const run = async () => {
  const options = settings({ rounds: 5, seconds: 0.05 })
  const began = performance.now()
  const parts = []
  const tell = (text) => {
    parts.push(text)
    console.log(`${text}\n`)
  }
  tell(`## Matching

Which groups apply to a line of an order, most specific first. All that is written by hand reads the same orders, parsed from JSON just before; the rule engines get ready facts and rules in folded text, and give the set of ids, in no order. ${options.rounds} interleaved rounds; ${engines.map(withVersion).join(", ")}.`)
  tell(await kindText("selective", options))
  tell(await growthText(options))
  tell(await kindText("dense", options))
  tell(await popularityText(options))
  tell(await soonText(options))
  tell(await updateText(options))
  tell(await memoryText(options))
  writeSection("rules", parts.join("\n\n"))
  console.log(`matching: ${time((performance.now() - began) * 1000)} in all\n`)
}
