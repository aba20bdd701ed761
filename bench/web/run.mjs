// The console in a browser, before a store of many groups and payouts: how long until a key stroke is painted, until a
// list is there, and how much memory it takes. With BENCH_DATA the store is kept in that folder, by PGlite, and else in memory.
import { strict as assert } from "node:assert"
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openPage, startBrowser } from "../../test/web/Browser.ts"
import { fieldOf, label, strokes, takenIn, told, watch } from "./strokes.mjs"

const sizes = {
  collaborators: Number(process.env.BENCH_COLLABORATORS ?? 1_000),
  groups: Number(process.env.BENCH_GROUPS ?? 10_000),
  payouts: Number(process.env.BENCH_PAYOUTS ?? 100_000),
  products: 2_000,
  sales: Number(process.env.BENCH_SALES ?? 2_000),
}

const token = "token-of-the-bench"
const day = 86_400
const first = Date.UTC(2025, 0, 1) / 1000

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
const padded = (name, index) => `${name}-${String(index).padStart(6, "0")}`
const collaboratorOf = (index) => padded("collaborator", index % sizes.collaborators)
const tagOf = (index) => `tag-${index % 3_000}`

const collaborator = (_, index = _) => ({
  ...{ id: collaboratorOf(index), currency: "USD", payout_threshold: 0 },
  ...{ payout_measurement: "month", payout_frequency: 1, payout_holding_days: 7 },
  account: { name: `Person ${index} of the store`, paypal_email: `p${index}@example.com` },
})

const product = (index) => ({
  ...{ id: padded("product", index), external_id: String(8_000_000 + index) },
  ...{ name: `Product ${index}`, vendor: `Vendor ${index % 50}`, price: 1_000 + index, cost: 300 },
  tags: [tagOf(index), tagOf(index * 7), "all"],
})

const group = (index) => ({
  ...{ id: padded("group", index), collaborator_id: collaboratorOf(index) },
  ...{ itemType: "products.tag", items: [tagOf(index), tagOf(index * 3)], percentage: "12.50" },
  ...(index % 4 === 0
    ? { splitConditionType: "referer", splitConditions: [`site-${index % 100}`] }
    : {}),
  created_at: first + index,
})

const statuses = ["paid", "paid", "paid", "manually paid", "failed", "pending", "paid", "paid"]

const payout = (index) => {
  const status = statuses[index % statuses.length]
  const due = first + (index % 330) * day
  const total = 1_000 + (index % 9_000)
  return {
    ...{ id: padded("payout", index), collaborator: collaboratorOf(index), currency: "USD" },
    ...{ status, to_be_paid_at: due, total },
    paid_at: status.includes("paid") ? due + day : null,
    items: [
      {
        ...{ amount: total, original_amount: total, original_currency: "USD" },
        ...{ currency_exchange_rate: null, is_expenses: false, expense_name: "Opening balance" },
        orderItem: null,
      },
    ],
  }
}

const sale = (index) => ({
  ...{ id: padded("sale", index), currency: "USD", created_at: first + (index % 300) * day },
  items: times(2, (place) => {
    const { id, external_id, name, vendor, price, tags } = product((index * 2 + place) % 2_000)
    return {
      ...{ external_id: `${index}-${place}`, quantity: 1, amount: price },
      product: { id, external_id, name, vendor, price, tags },
    }
  }),
})

const listening = (server) =>
  new Promise((resolve, reject) => {
    let said = ""
    const hear = (text) => {
      said += text.toString()
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    }
    server.stdout.on("data", hear)
    server.stderr.on("data", hear)
    server.on("exit", () => reject(new Error(`the server ended: ${said}`)))
  })

const serve = async () => {
  const began = performance.now()
  const folder = await mkdtemp(join(tmpdir(), "apportion-bench-"))
  const file = join(folder, "seed.json")
  const seed = {
    collaborators: times(sizes.collaborators, collaborator),
    products: times(sizes.products, product),
    groups: times(sizes.groups, group),
    payouts: times(sizes.payouts, payout),
  }
  await writeFile(file, JSON.stringify(seed))
  const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
  const options = ["--port", "0", "--drain", "0", "--rate", "1000000", "--token", token]
  const place = process.env.BENCH_DATA === undefined ? [] : ["--data", process.env.BENCH_DATA]
  const server = spawn(process.execPath, [program, "serve", ...options, "--seed", file, ...place])
  const ended = new Promise((resolve) => server.on("exit", resolve))
  const address = await listening(server)
  await rm(folder, { recursive: true })
  label("the store is there", `${((performance.now() - began) / 1_000).toFixed(0)} s`)
  const stop = () => {
    server.kill()
    return ended
  }
  return { address, stop }
}

const ask = (address, path, request) =>
  fetch(`${address}/api/v1/${path}`, { ...request, headers: { authorization: `Bearer ${token}` } })

const record = async (address) => {
  const paid = first + 360 * day
  const response = await ask(address, `sales/past/lines?paid_until=${paid}`, {
    method: "POST",
    body: times(sizes.sales, (index) => JSON.stringify({ sale: sale(index) })).join("\n"),
  })
  const lines = (await response.text()).trim().split("\n")
  const refused = lines.filter((line) => !line.includes('"refusal":null'))
  assert.deepEqual(refused.slice(0, 3), [])
}

const inMs = (value) => `${Math.round(value)} ms`

/** What is there once the page asks for nothing any more. */
const settle = async (page) => {
  await page.waitForNetworkIdle({ idleTime: 60, timeout: 60_000 })
  await page.waitForFunction(() => !document.body.textContent.includes("Loading…"), {
    timeout: 60_000,
  })
}

/** From going there until the rows, or whatever is looked for, are painted. */
const open = (page, hash, selector) =>
  page.evaluate(
    async (hash, selector) => {
      const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      location.hash = "#/nowhere"
      await frame()
      const began = performance.now()
      location.hash = hash
      const isThere = () => {
        const found = document.querySelector(selector)
        return found !== null && !found.textContent.includes("Loading…")
      }
      while (!isThere()) {
        if (performance.now() - began > 60_000) return Number.NaN
        await new Promise((done) => setTimeout(done, 4))
      }
      await frame()
      return performance.now() - began
    },
    hash,
    selector,
  )

/** Scrolls a list to a part of its height, until its rows are painted. */
const scroll = (page, part) =>
  page.evaluate(async (part) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const list = document.querySelector(".long")
    const began = performance.now()
    list.scrollTop = part * list.scrollHeight
    await frame()
    const painted = performance.now() - began
    while (list.textContent.includes("Loading…")) {
      await new Promise((done) => setTimeout(done, 4))
    }
    await frame()
    return { painted, there: performance.now() - began }
  }, part)

/** Chooses one value after the other. */
const choices = async (page, name, values, pause) => {
  const field = await fieldOf(page, name)
  await takenIn(page)
  for (const value of values) {
    await field.select(value)
    await new Promise((done) => setTimeout(done, pause))
  }
  return takenIn(page)
}

const memory = async (session, page) => {
  await session.send("HeapProfiler.collectGarbage")
  const { JSHeapUsedSize, Nodes } = await page.metrics()
  return `${(JSHeapUsedSize / 1e6).toFixed(1)} MB, ${Nodes} nodes`
}

const lists = [
  ["#/payouts", ".long tbody a"],
  ["#/payouts?status=failed", ".long tbody a"],
  ["#/payouts?collaborator=collaborator-000500", ".long tbody a"],
  ["#/payouts/payout-000005", ".table tbody td"],
  ["#/payment-run", ".table tbody td"],
  ["#/groups", ".long tbody a"],
  ["#/groups?search=tag-77", ".long tbody a"],
  ["#/groups/group-000500", "form.columns"],
  ["#/groups/new", "form.columns"],
  ["#/sales", ".long tbody a"],
  ["#/sales/sale-000500", ".table tbody td"],
  ["#/balances", ".table tbody td"],
  ["#/events", ".table tbody td"],
  ["#/overview?from=2025-01&to=2025-12", ".tiles"],
]

console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`)
console.log(
  Object.entries(sizes)
    .map(([name, count]) => `${count} ${name}`)
    .join(", "),
)
const browser = await startBrowser()
if (typeof browser === "string") throw new Error(browser)
const store = await serve()
try {
  await record(store.address)
  const { page, faults } = await openPage(browser)
  await watch(page)
  const session = await page.createCDPSession()
  await page.goto(`${store.address}/#/events`)
  await page.waitForSelector("input[type=password]")
  await page.type("input[type=password]", token)
  await page.keyboard.press("Enter")
  await page.waitForSelector("nav")
  await settle(page)
  label("memory at the beginning", await memory(session, page))
  for (const [hash, selector] of lists) {
    const taken = await open(page, hash, selector)
    await settle(page)
    label(`opens ${hash}`, inMs(taken))
  }
  for (const hash of ["#/payouts", "#/groups", "#/sales"]) {
    await open(page, hash, ".long tbody a")
    await settle(page)
    for (const part of [0.5, 1]) {
      const { painted, there } = await scroll(page, part)
      label(`${hash} scrolled to ${part * 100} %`, `frame ${inMs(painted)}, rows ${inMs(there)}`)
    }
    const steps = []
    for (let step = 0; step < 60; step += 1) {
      const { painted } = await scroll(page, step / 60)
      steps.push(painted)
    }
    label(`${hash} scrolled 60 times, frame`, told(steps.sort((one, other) => one - other)))
    await settle(page)
    label(`memory with ${hash}`, await memory(session, page))
  }
  await open(page, "#/payment-run", ".table tbody td")
  await settle(page)
  const boxes = await page.$$(".table input[type=checkbox]")
  await takenIn(page)
  for (const box of boxes.slice(0, 20)) await box.click()
  label("payment run: a payout left out", told(await takenIn(page)))
  await open(page, "#/groups/group-000500", "form.columns")
  await settle(page)
  label("group: a key stroke, percentage", told(await strokes(page, "Percentage", "12.345", 60)))
  await settle(page)
  const lines = times(6, (index) => `tag-${index}`).join("\n")
  label("group: a key stroke, tags", told(await strokes(page, "Tags", lines, 60)))
  await settle(page)
  const pauses = await strokes(page, "Percentage", "11.50", 1_500)
  label("group: a key stroke with its findings", told(pauses))
  await settle(page)
  const tags = await fieldOf(page, "Tags")
  await tags.evaluate(
    (element, many) => {
      element.value = many
      element.dispatchEvent(new Event("input", { bubbles: true }))
    },
    times(1_000, (index) => `tag-${index}`).join("\n"),
  )
  await settle(page)
  await tags.focus()
  await takenIn(page)
  await page.keyboard.type("tag-500\ntag-501", { delay: 80 })
  label("group: a key stroke among 1,000 tags", told(await takenIn(page)))
  await settle(page)
  await open(page, "#/groups/new", "form.columns")
  await settle(page)
  label("new group: a key stroke, tags", told(await strokes(page, "Tags", lines, 60)))
  await settle(page)
  await open(page, "#/groups", ".long tbody a")
  await settle(page)
  label("groups: a key stroke, search", told(await strokes(page, "Search", "tag-100 tag-2", 80)))
  await settle(page)
  await open(page, "#/payouts", ".long tbody a")
  await settle(page)
  const statusesChosen = times(10, (index) => ["failed", "paid", "", "pending"][index % 4])
  label("payouts: a choice of a status", told(await choices(page, "Status", statusesChosen, 400)))
  await settle(page)
  label("memory at the end", await memory(session, page))
  const own = faults.filter((text) => !text.endsWith("net::ERR_ABORTED"))
  assert.deepEqual(own, [])
} finally {
  await browser.close()
  await store.stop()
}
