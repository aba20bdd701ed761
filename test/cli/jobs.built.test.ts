import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { isWhole } from "../generators/Runs.js"
import { Folder, groups, ndjson, order } from "./world.js"

const program = manifest.bin.apportion
const folder = new Folder()
afterAll(() => folder.remove())

const groupsFile = folder.file("groups.json", groups)

/** Orders of which some are broken, some come again, and one is nested very deeply. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    if (index % 997 === 500) return '{"id": oops}\n'
    if (index === 1_500)
      return `{"id":"deep","items":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`
    const id = index % 1_499 === 1_000 ? index - 1_000 : index
    return ndjson([order(`o${id}`, index > 2_000 ? { tagz: [] } : {})])
  }).join("")

const ordersFile = folder.file("orders.ndjson", many(isWhole ? 8_000 : 2_000))
const listFile = folder.file(
  "orders.json",
  Array.from({ length: isWhole ? 3_000 : 1_000 }, (_, index) => order(`o${index % 900}`)),
)
const refundsFile = folder.file("refunds.json", [
  { order_id: "o3", item_id: "o3-1", quantity: 1, refunded_at: 1_740_000_000 },
  { order_id: "o1400", item_id: "o1400-1", amount: 5, refunded_at: 1_740_000_000 },
  { order_id: "none", item_id: "1", amount: 5, refunded_at: 1_740_000_000 },
])

const run = (
  args: ReadonlyArray<string>,
  options: { readonly program?: string; readonly node?: ReadonlyArray<string>; cwd?: string } = {},
) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...(options.node ?? []), options.program ?? program, ...args],
    { encoding: "utf8", maxBuffer: 1 << 28, cwd: options.cwd },
  )
  return { status, stdout, stderr }
}

const split = (orders: string, ...flags: ReadonlyArray<string>) => [
  ...["split", "--groups", groupsFile, "--orders", orders],
  ...flags,
]

describe("the program with several jobs", () => {
  it("says what it says with one", () => {
    const all = ["table", "ndjson", "csv"].flatMap((format) =>
      [ordersFile, listFile].map((orders) => [format, orders] as const),
    )
    // Each kind of file, in two formats.
    const some = all.filter((_, place) => isWhole || [0, 5].includes(place))
    for (const [place, [format, orders]] of some.entries()) {
      const args = split(orders, "--format", format, "--refunds", refundsFile)
      const alone = run(args)
      expect(alone.status).toBe(1)
      expect(alone.stdout.length).toBeGreaterThan(100_000)
      expect(run([...args, "--jobs", place % 2 === 0 ? "4" : "2"])).toEqual(alone)
    }
  })

  it("fails when a job is killed, and prints nothing behind what it lost", () => {
    const args = split(ordersFile, "--format", "ndjson")
    const alone = run(args)
    const ends = ["process.exit(0)", "process.exit(3)", 'throw new Error("broken")']
    for (const end of isWhole ? ends : ends.slice(0, 1)) {
      const deadly = folder.file(
        "deadly.mjs",
        `import { isMainThread, parentPort } from "node:worker_threads"
        let answers = 0
        const post = isMainThread ? undefined : parentPort.postMessage.bind(parentPort)
        if (!isMainThread) parentPort.postMessage = (...message) => {
          answers += 1
          if (answers === 3) { ${end} }
          post(...message)
        }`,
      )
      const node = ["--import", pathToFileURL(deadly).href]
      const killed = run([...args, "--jobs", "2"], { node })
      expect(killed.status).toBe(70)
      expect(killed.stderr).toMatch(/a job ended before its work was done: /)
      expect(alone.stdout.startsWith(killed.stdout)).toBe(true)
      expect(killed.stdout.length).toBeLessThan(alone.stdout.length)
    }
  })

  it("ends quietly when its reader goes away", async () => {
    const args = [...split(listFile, "--format", "ndjson"), "--jobs", "2"]
    const child = spawn(process.execPath, [program, ...args])
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    await once(child.stdout, "data")
    child.stdout.destroy()
    const [status] = await once(child, "exit")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  })

  // Packing takes seconds: the long run does it.
  const packed = isWhole ? ["the package"] : []
  it.each(packed)("works where %s was unpacked", () => {
    const pack = spawnSync(
      "npm",
      ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder.path],
      { encoding: "utf8" },
    )
    const archive = pack.stdout.trim().split("\n").at(-1) ?? ""
    spawnSync("tar", ["-xzf", archive], { cwd: folder.path })
    const unpacked = join(folder.path, "package", program)
    expect(existsSync(unpacked)).toBe(true)
    const args = split(listFile, "--format", "csv")
    expect(run([...args, "--jobs", "2"], { program: unpacked, cwd: folder.path })).toEqual(
      run(args),
    )
  })
})
