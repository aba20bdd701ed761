/**
 * The main job on the sample store, on one screen: what `npm start` shows. The pages of the collaborators go to a folder;
 * docs/sample-store/README.md has the commands.
 */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const store = "docs/sample-store"
const pages = "temp/tour"
const columns = 100

const file = (flag, name) => [`--${flag}`, `${store}/${name}`]
const sales = [
  ...file("groups", "groups.json"),
  ...file("products", "products.json"),
  ...file("policy", "policy.json"),
  ...file("orders", "orders.ndjson"),
  ...file("collaborators", "collaborators.json"),
]
const year = [
  ...file("refunds", "refunds.json"),
  ...file("entries", "entries.json"),
  ...file("rates", "rates.json"),
  ...["--until", "2025-12-31"],
]

/** The lines that a command prints. */
const run = (...args) => {
  const { status, stdout } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (status !== 0) process.exit(status ?? 70)
  return stdout.trimEnd().split("\n")
}

/** A line as several that are no wider than the screen, the later ones set in. */
const wrapped = (line) => {
  const indent = " ".repeat(line.search(/\S|$/) + 2)
  const lines = [""]
  for (const word of line.split(/(?<=\S) /)) {
    const last = lines.at(-1)
    const longer = last === "" ? word : `${last} ${word}`
    if (longer.length > columns) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = longer
  }
  return lines
}

const before = (lines, start) => lines.slice(0, lines.indexOf(start))
const from = (lines, start) => lines.slice(lines.findIndex((line) => line.startsWith(start)))

rmSync(`${root}/${pages}`, { recursive: true, force: true })
const folder = ["--format", "html", "--issuer", "Paper Heron", "--output-dir", pages]
const statements = run("statement", ...sales, ...year, ...folder)
const explanation = run("explain", ...sales, "--order", "PH-1008", "--item", "PH-1008-2")
// The amounts in parentheses are those of the shares again.
const accounted = from(statements, "Every cent").map((line) => line.replace(/ \([\d.]+ \w+\)$/, ""))

const screen = [
  "Paper Heron, the sample store: a year of sales, shared with everyone who made them possible.",
  ...before(statements, ""),
  "",
  ...accounted,
  "",
  ...before(explanation, "  Groups that nearly applied:").flatMap(wrapped),
  "",
  `Statements as pages to open: ${pages}/zoe.html, and one for each of the others.`,
  `Try next: change a percentage in ${store}/groups.json and run npm start again;`,
  `  ${store}/README.md has the commands behind this, README.md the first lines of code.`,
]
process.stdout.write(`${screen.join("\n")}\n`)
