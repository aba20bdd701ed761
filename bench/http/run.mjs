// Requests a second and the 99th percentile of the HTTP API, beside a bare handler in the same run.
import { strict as assert } from "node:assert"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpus } from "node:os"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import autocannon from "autocannon"
import { ids, sizes, some } from "./seed.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const connections = 10

const start = async (kind) => {
  const program = fileURLToPath(new URL("server.mjs", import.meta.url))
  const child = spawn(process.execPath, ["--max-old-space-size=6144", program, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(createInterface(child.stdout), "line")
  const { port, megabytes } = JSON.parse(line)
  return { url: `http://127.0.0.1:${port}`, megabytes, stop: () => child.kill("SIGTERM") }
}

const headers = { authorization: "Bearer bench" }
const api = "/api/v1"

const contenders = {
  "bare handler": { server: "constant", paths: ["/"] },
  "list of groups, 15 of 100": {
    server: "api",
    paths: some(ids.collaborators, 50).map((id) => `${api}/collaborators/${id}/products`),
  },
  "view of a group, 10 products": {
    server: "api",
    paths: some(ids.groupIds, 50).map((id) => {
      const collaborator = ids.collaborators[ids.groupIds.indexOf(id) % ids.collaborators.length]
      return `${api}/collaborators/${collaborator}/products/${id}`
    }),
  },
  "list of payouts, 15 of 10,000": {
    server: "api",
    paths: some(ids.payoutIds, 50).map((_, index) => `${api}/payouts?page=${index * 13 + 1}`),
  },
  "list of payouts, by status": {
    server: "api",
    paths: ["pending", "failed"].map((status) => `${api}/payouts?status=${status}`),
  },
  "view of a payout, 100 items": {
    server: "api",
    paths: some(ids.payoutIds, 50).map((id) => `${api}/payouts/${id}`),
  },
}

const get = async (url) => {
  const response = await fetch(url, { headers })
  assert.equal(response.status, 200, url)
  return response.json()
}

/** What is measured must be right first. */
const check = async (url) => {
  const groups = await get(`${url}${contenders["list of groups, 15 of 100"].paths[0]}`)
  assert.equal(groups.meta.total, sizes.groups / sizes.collaborators)
  assert.equal(groups.data.length, 15)
  assert.equal(groups.data[0].products_count, 10)
  const group = await get(`${url}${contenders["view of a group, 10 products"].paths[0]}`)
  assert.equal(group.data.products.data.length, 10)
  const payouts = await get(`${url}${api}/payouts`)
  assert.equal(payouts.meta.total, sizes.payouts)
  const payout = await get(`${url}${contenders["view of a payout, 100 items"].paths[0]}`)
  assert.equal(payout.data.items.length, sizes.itemsOfPayout)
  const sum = payout.data.items.reduce((total, item) => total + item.amount, 0)
  assert.equal(payout.data.total, sum)
}

const measure = async (url, paths) => {
  const requests = paths.map((path) => ({ method: "GET", path, headers }))
  const result = await autocannon({ url, connections, duration: seconds, requests })
  assert.equal(result.non2xx + result.errors, 0)
  return { perSecond: result.requests.mean, p99: result.latency.p99, bytes: result.throughput.mean }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const range = (values, digits) =>
  `${Math.min(...values).toFixed(digits)}-${Math.max(...values).toFixed(digits)}`

const servers = { api: await start("api"), constant: await start("constant") }
try {
  await check(servers.api.url)
  const found = new Map(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { server, paths }] of Object.entries(contenders)) {
      const measured = await measure(servers[server].url, paths)
      // The first round only warms up.
      if (round > 0) found.get(name).push(measured)
    }
  }
  const bare = median(found.get("bare handler").map(({ perSecond }) => perSecond))
  console.log(
    `${sizes.groups} groups, ${sizes.payouts * sizes.itemsOfPayout} payout items in memory (${servers.api.megabytes} MB); ` +
      `${connections} connections, ${rounds} rounds of ${seconds} s, interleaved; ` +
      `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()})\n`,
  )
  console.log("| | requests/s (median, range) | p99 ms (median, range) | of the bare handler |")
  console.log("|---|---|---|---|")
  for (const [name, measured] of found) {
    const speeds = measured.map(({ perSecond }) => perSecond)
    const latencies = measured.map(({ p99 }) => p99)
    const share = `${((100 * median(speeds)) / bare).toFixed(0)} %`
    console.log(
      `| ${name} | ${median(speeds).toFixed(0)} (${range(speeds, 0)}) | ${median(latencies)} (${range(latencies, 0)}) | ${share} |`,
    )
  }
} finally {
  servers.api.stop()
  servers.constant.stop()
}
