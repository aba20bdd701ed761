/**
 * The main job on the sample store: what `npm start` shows. Each step is a command that you can run
 * yourself; its full form is printed above what it prints.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const store = "docs/sample-store"
const sales = [
  ["--groups", `${store}/groups.json`],
  ["--products", `${store}/products.json`],
  ["--policy", `${store}/policy.json`],
  ["--orders", `${store}/orders.ndjson`],
].flat()
const life = [
  ["--refunds", `${store}/refunds.json`],
  ["--entries", `${store}/entries.json`],
  ["--rates", `${store}/rates.json`],
  ["--collaborators", `${store}/collaborators.json`],
  ["--until", "2025-12-31"],
].flat()

const say = (text) => process.stdout.write(`${text}\n`)

const run = (title, ...args) => {
  say(`\n${title}\n$ apportion ${args.join(" ")}\n`)
  const { status, error } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  })
  if (error !== undefined || status !== 0) process.exit(status ?? 70)
}

say("Paper Heron, the sample store: a year of sales, shared with everyone who made them possible.")
run("What every collaborator was paid in 2025, and is owed:", "statement", ...sales, ...life)
run(
  "Why one order was shared as it was:",
  "explain",
  ...sales,
  "--collaborators",
  `${store}/collaborators.json`,
  "--order",
  "PH-1143",
  "--item",
  "PH-1143-2",
)

say(`
Try next (apportion is: npx node dist/cli/main.js)
  one collaborator's statement as a page to print:
    $ apportion statement ${[...sales, ...life].join(" ")} --collaborator zoe --format html > zoe.html
  who gets what of each order, one line of JSON an order:
    $ apportion split ${sales.join(" ")} --format ndjson
  change a percentage in ${store}/groups.json and run npm start again
  read README.md, then docs/guide`)
