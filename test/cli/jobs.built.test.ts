import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
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
  options: { readonly program?: string; readonly input?: Buffer; cwd?: string } = {},
) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [options.program ?? program, ...args],
    { encoding: "utf8", maxBuffer: 1 << 28, cwd: options.cwd, input: options.input },
  )
  return { status, stdout, stderr }
}

/** The same, with an input whose second half comes when all threads have started: they get something of it. */
const runInParts = async (args: ReadonlyArray<string>, input: Buffer) => {
  const child = spawn(process.execPath, [program, ...args])
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const middle = Math.floor(input.length / 2)
  child.stdin.write(input.subarray(0, middle))
  await setTimeout(500)
  child.stdin.end(input.subarray(middle))
  const [status] = await once(child, "exit")
  return { status, stdout: await stdout, stderr: await stderr }
}

const split = (orders: string, ...flags: ReadonlyArray<string>) => [
  ...["split", "--groups", groupsFile, "--orders", orders],
  ...flags,
]

describe("the program with several jobs", () => {
  it("says what it says with one", async () => {
    const all = ["table", "ndjson", "csv"].flatMap((format) =>
      [ordersFile, listFile].map((orders) => [format, orders] as const),
    )
    // Each kind of file, in two formats.
    const some = all.filter((_, place) => isWhole || [0, 5].includes(place))
    for (const [place, [format, orders]] of some.entries()) {
      const args = split("-", "--format", format, "--refunds", refundsFile)
      const input = readFileSync(orders)
      const alone = run(args, { input })
      expect(alone.status).toBe(1)
      expect(alone.stdout.length).toBeGreaterThan(100_000)
      const jobs = place % 2 === 0 ? "4" : "2"
      expect(await runInParts([...args, "--jobs", jobs], input)).toEqual(alone)
    }
  })

  it("fails when a job is killed, and prints nothing behind what it lost", async () => {
    const args = [...split("-", "--format", "ndjson"), "--jobs", "2"]
    const ends = ["process.exit(0)", "process.exit(3)", 'throw new Error("broken")']
    for (const end of isWhole ? ends : ends.slice(0, 1)) {
      const deadly = folder.file(
        "deadly.mjs",
        `import { isMainThread, parentPort } from "node:worker_threads"
        let answers = 0
        const post = isMainThread ? undefined : parentPort.postMessage.bind(parentPort)
        if (!isMainThread) parentPort.postMessage = (...message) => {
          answers += 1
          if (answers === 2) { ${end} }
          post(...message)
        }`,
      )
      const node = ["--import", pathToFileURL(deadly).href]
      const child = spawn(process.execPath, [...node, program, ...args])
      const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
      let given = 0
      // There are orders until the run ends, so the job gets some whenever it is ready.
      function* orders() {
        for (; child.exitCode === null; given += 100) {
          yield ndjson(Array.from({ length: 100 }, (_, index) => order(`o${given + index}`)))
        }
      }
      child.stdin.on("error", () => undefined)
      Readable.from(orders()).pipe(child.stdin)
      const [status] = await once(child, "exit")
      expect(status).toBe(70)
      expect(await stderr).toMatch(/a job ended before its work was done: /)
      const printed = [...(await stdout).matchAll(/^\{"order_id":"o(\d+)"/gm)].map(([, id]) =>
        Number(id),
      )
      expect(printed).toEqual(printed.map((_, index) => index))
      expect(printed.length).toBeLessThan(given)
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
