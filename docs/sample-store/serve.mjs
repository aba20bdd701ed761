/**
 * The sample store on a server: what `npm run serve` starts. The seed has the payouts of the year 2025; its orders come
 * again as those of this year up to now, of which the months before this one are paid. Everything is kept in the folder
 * `.apportion`, with your changes, for the next time.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const store = "docs/sample-store"
const port = process.env.APPORTION_PORT ?? "8080"
const token = "paper-heron-at-dusk"
const place = [
  "--data",
  process.env.APPORTION_DATA ?? ".apportion",
  "--seed",
  `${store}/store.json`,
]
const terms = ["--policy", `${store}/policy.json`, "--rates", `${store}/rates.json`]
const options = ["--port", port, "--token", token, "--rate", "600", ...place, ...terms]
if (!existsSync(`${root}/dist/cli/main.js`)) {
  process.stderr.write(
    "There is no build here: `npm run serve` makes it first, or run `npm run build`.\n",
  )
  process.exit(1)
}
const server = spawn(process.execPath, ["dist/cli/main.js", "serve", ...options], {
  cwd: root,
  stdio: ["inherit", "pipe", "inherit"],
})
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal))
server.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 70 : 1)))

const ask = (address, path, request) =>
  fetch(`${address}/api/v1/${path}`, { ...request, headers: { authorization: `Bearer ${token}` } })

/** The orders of 2025 as those of this year, as far as it has come. */
const ordersUntil = (now) => {
  const year = now.getUTCFullYear()
  const later = (Date.UTC(year, 0, 1) - Date.UTC(2025, 0, 1)) / 1_000
  const lines = readFileSync(`${root}/${store}/orders.ndjson`, "utf8").trim().split("\n")
  return lines
    .map((line) => JSON.parse(line))
    .map((order) => ({ ...order, id: `${year}-${order.id}`, created_at: order.created_at + later }))
    .filter((order) => order.created_at * 1_000 < now.getTime())
}

/** Sends the orders where there is no sale yet. What is recorded already stays as it is. */
const sendOrders = async (address) => {
  const { meta } = await (await ask(address, "sales?per_page=1")).json()
  if (meta.total > 0) return
  const now = new Date()
  const thisMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / 1_000
  const body = ordersUntil(now).map((sale) => JSON.stringify({ sale }))
  const request = { method: "POST", body: body.join("\n") }
  const response = await ask(address, `sales/past/lines?paid_until=${thisMonth}`, request)
  const answers = (await response.text()).trim().split("\n")
  const refused = answers.filter((line) => !line.includes('"refusal":null'))
  if (refused.length > 0)
    process.stderr.write(`${refused.length} orders are refused: ${refused[0]}\n`)
}

let heard = ""
let isReady = false
server.stdout.on("data", async (text) => {
  process.stdout.write(text)
  if (isReady) return
  heard += text
  const [address] = /http:\/\/\S+(?=\n)/.exec(heard) ?? []
  if (address === undefined) return
  isReady = true
  await sendOrders(address)
  process.stdout.write(`Sign in to the console at ${address}/ with the token ${token}\n`)
})
