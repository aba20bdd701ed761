// The playground in a browser with 1,000 groups in it: how long until a key stroke is painted, while one types without a
// pause, and with pauses in which the groups are checked.
import { strict as assert } from "node:assert"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { openPage, serveFolder, startBrowser } from "../../test/web/Browser.ts"
import { label, strokes, told, watch } from "./strokes.mjs"

const groups = Array.from({ length: Number(process.env.BENCH_GROUPS ?? 1_000) }, (_, place) => ({
  ...{ id: `group-${place}`, collaborator_id: `person-${place % 300}`, percent: "1.00" },
  ...{ itemType: "products.tag", items: [`tag-${place}`, place % 50 === 0 ? "art" : "none"] },
}))

console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`)
const browser = await startBrowser()
if (typeof browser === "string") throw new Error(browser)
const folder = await mkdtemp(join(tmpdir(), "apportion-bench-"))
const server = await serveFolder("dist/web/playground")
try {
  const file = join(folder, "groups.json")
  await writeFile(file, JSON.stringify(groups))
  const { page, faults } = await openPage(browser)
  await watch(page)
  await page.goto(`${server.address}/`)
  const input = await page.waitForSelector("input[type=file]")
  await input.uploadFile(file)
  await page.waitForFunction(
    (count) => document.body.textContent.includes(`(${count})`),
    {},
    groups.length,
  )
  await new Promise((done) => setTimeout(done, 15_000))
  const text = "0.123456789"
  for (const round of [1, 2, 3]) {
    const typed = await strokes(page, "Percent", text.repeat(3), 60)
    label(`${groups.length} groups, a key stroke without a pause, round ${round}`, told(typed))
    const paused = await strokes(page, "Percent", "12.34", 2_500)
    label(`the same with pauses in which a check is under way`, told(paused))
  }
  assert.deepEqual(faults, [])
} finally {
  await browser.close()
  await server.close()
  await rm(folder, { recursive: true })
}
