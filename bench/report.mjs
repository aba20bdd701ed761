// How figures are shown: tables in Markdown, on the screen and in the page of benchmarks.
import { readFileSync, writeFileSync } from "node:fs"

const page = new URL("../docs/benchmarks.md", import.meta.url)

/** A number with three digits that count, and separators for thousands. */
export const figure = (value) => {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  const decimals = size >= 100 || size === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(size)))
  return value.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}

/** Microseconds in the unit that reads best. */
export const time = (microseconds) => {
  if (microseconds >= 1_000_000) return `${figure(microseconds / 1_000_000)} s`
  if (microseconds >= 1_000) return `${figure(microseconds / 1_000)} ms`
  if (microseconds >= 1) return `${figure(microseconds)} us`
  return `${figure(microseconds * 1_000)} ns`
}

/** A contender's figures: median, and the range in brackets. */
export const spread = ({ median, lowest, highest }) =>
  `${time(median)} (${time(lowest)}-${time(highest)})`

/** The ratios of two contenders within each round that both were in: what else the machine did, it did to both. */
const ratiosOfRounds = (one, other) => {
  const rounds = Math.min(one.values.length, other.values.length)
  return Array.from({ length: rounds }, (_, round) => one.values[round] / other.values[round])
}

/** How many times one takes what the other takes: the ratio of the medians, and the lowest and highest of a round. */
export const ratio = (one, other) => {
  const ratios = ratiosOfRounds(one, other)
  const [least, most] = [figure(Math.min(...ratios)), figure(Math.max(...ratios))]
  return `${figure(one.median / other.median)} (${least}-${most})`
}

/** A table in Markdown with its columns aligned. */
export const table = (header, rows) => {
  const lines = [header, ...rows].map((cells) => cells.map(String))
  const widths = header.map((_, column) =>
    Math.max(3, ...lines.map((cells) => cells[column].length)),
  )
  const row = (cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`
  return [row(lines[0]), rule, ...lines.slice(1).map(row)].join("\n")
}

/** One race as a table: each contender's time for a unit, and how many times that of the first one it is. */
export const raceTable = (results, { unit = "line", against = results[0] } = {}) =>
  table(
    ["", `time for a ${unit}, median (range)`, `times ${against.name} (range)`],
    results.map((result) => [
      result.name,
      spread(result),
      result === against ? "1" : ratio(result, against),
    ]),
  )

/** A peer with its version, as it is installed here. */
export const withVersion = (name) => {
  const manifest = new URL(`node_modules/${name}/package.json`, import.meta.url)
  return `${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}`
}

/** Finds a contender's figures by its name. */
export const named = (results, name) => {
  const found = results.find((result) => result.name === name)
  if (found === undefined) throw new Error(`no contender is called ${name}`)
  return found
}

/**
 * Puts text into the page of benchmarks, in place of what stands between `<!-- begin: name -->` and
 * `<!-- end: name -->`, or at its end when nothing stands there yet. Everything else stays as it is.
 */
export const writeSection = (name, markdown) => {
  const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`]
  const text = readFileSync(page, "utf8")
  const section = `${begin}\n\n${markdown.trim()}\n\n${end}`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if ((from === -1) !== (to === -1) || to < from) {
    throw new Error(
      `docs/benchmarks.md has only one of "${begin}" and "${end}", or the wrong way round`,
    )
  }
  const whole =
    from === -1
      ? `${text.trimEnd()}\n\n${section}\n`
      : `${text.slice(0, from)}${section}${text.slice(to + end.length)}`
  writeFileSync(page, whole)
}
