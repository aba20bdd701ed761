/**
 * All rule sets of a small scope against all orders of it; a part of so many, where the work is shared out.
 *
 *     node test/oracle/scope/run.mjs 3         all rule sets of three groups
 *     node test/oracle/scope/run.mjs 3 1/4     the second of four parts of them
 */
import "../library.mjs"

const { lookAt } = await import("./Scope.ts")

const [groups, part = "0/1"] = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const [first, every] = part.split("/").map(Number)
const started = performance.now()
const step = 20_000

const { counts, difference } = lookAt(Number(groups), { every, first }, ({ ruleSets, lines }) => {
  if (ruleSets % step === 0) console.log(`${ruleSets} rule sets, ${lines} lines`)
})

const seconds = Math.round((performance.now() - started) / 1_000)
console.log(
  `rule sets of ${groups} groups, part ${part}: ${counts.ruleSets} rule sets, ${counts.lines} lines (${counts.paid} paid, ${counts.outranked} with somebody outranked), ${seconds} s`,
)
if (difference !== undefined) console.log(JSON.stringify(difference, null, 1))
process.exitCode = difference === undefined ? 0 : 1
