// Terms: what tiers and caps cost beside the same split without them.
import { settings } from "../measure.mjs"
import { runPart } from "../parts.mjs"
import { figure, named, table, time, writeSection } from "../report.mjs"

const part = new URL("splitPart.mjs", import.meta.url)

const cases = [
  { title: "one payee, one line an order", payees: 1, items: 1 },
  { title: "four payees, one line", payees: 4, items: 1 },
  { title: "four payees, five lines", payees: 4, items: 5 },
  { title: "twenty payees, one line", payees: 20, items: 1 },
]

/** Measures, prints, and writes the section on terms. */
export const run = async () => {
  const { rounds, seconds } = settings({ rounds: 40, seconds: 0.05 })
  const before = process.env.BENCH_BEFORE
  const began = performance.now()
  const measured = []
  for (const { title, ...asked } of cases) {
    const { results } = await runPart(part, { ...asked, before, rounds, seconds })
    measured.push({ title, results })
  }
  const names = measured[0].results.map(({ name }) => name)
  const times = table(
    ["", ...measured.map(({ title }) => title)],
    names.map((name) => [
      name,
      ...measured.map(({ results }) => time(named(results, name).lowest)),
    ]),
  )
  const [plain, ...others] = names
  const ratios = table(
    [`times ${plain}`, ...measured.map(({ title }) => title)],
    others.map((name) => [
      name,
      ...measured.map(({ results }) =>
        figure(named(results, name).lowest / named(results, plain).lowest),
      ),
    ]),
  )
  const text = `## Terms

The same orders, split without terms and with them; every share is the same, so what differs is the counting and the record of it in each share. Time for a line in the shortest of ${rounds} interleaved rounds of ${seconds * 1_000} ms. What is measured is a process that is warm: garbage is collected when V8 does it. (Collected before each round, it took the code with it that counts, and twenty payees took three times as long with terms and without.)

${times}

${ratios}`
  console.log(`${text}\n`)
  writeSection("terms", text)
  console.log(`terms: ${time((performance.now() - began) * 1000)} in all\n`)
}
