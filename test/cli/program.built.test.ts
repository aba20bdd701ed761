import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
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
const run = (args: ReadonlyArray<string>, input = "") => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    input,
    encoding: "utf8",
  })
  return { status, stdout, stderr }
}

/** Writes many orders without holding them in memory. */
const writeOrders = async (name: string, count: number): Promise<string> => {
  const path = join(folder.path, name)
  const stream = createWriteStream(path)
  for (let from = 0; from < count; from += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, count - from) }, (_, index) =>
      order(`${from + index}`),
    )
    if (!stream.write(ndjson(lines))) await once(stream, "drain")
  }
  stream.end()
  await once(stream, "close")
  return path
}

describe("the program", () => {
  it("says which Node.js it needs in one that is too old, and runs in the oldest that will do", () => {
    const inNode = (node: string) => {
      const fake = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } })`
      const flags = ["--import", `data:text/javascript,${encodeURIComponent(fake)}`]
      return spawnSync(process.execPath, [...flags, program, "--version"], { encoding: "utf8" })
    }
    expect(manifest.engines.node).toBe(">=22.19")
    for (const old of ["20.20.2", "22.18.9"]) {
      const { status, stderr } = inNode(old)
      expect(stderr).toContain(`Node.js 22.19 or later is needed, this is ${old}`)
      expect(status).toBe(2)
    }
    expect(["22.19.0", "24.0.0"].map((node) => inNode(node).status)).toEqual([0, 0])
  })

  it("answers help and version", () => {
    expect(run(["--version"])).toEqual({
      status: 0,
      stdout: `apportion ${manifest.version}\n`,
      stderr: "",
    })
    expect(run(["split", "--help"]).status).toBe(0)
  })

  it("splits what comes from standard input, and ends with 0, 1 or 2", () => {
    const split = ["split", "--groups", groupsFile, "--orders", "-", "--format", "ndjson"]
    const { status, stdout } = run(split, ndjson([order("1")]))
    expect(JSON.parse(stdout).store).toEqual([{ item_id: "1-1", amount: 6_500 }])
    expect(status).toBe(0)
    expect(run(split, `${ndjson([order("1")])}oops\n`).status).toBe(1)
    expect(run(split, "").status).toBe(2)
    expect(run(["split", "--nonsense"]).status).toBe(2)
  })

  it("explains, and prints statements", () => {
    const orders = folder.file("few.json", [order("1")])
    const inputs = ["--groups", groupsFile, "--orders", orders]
    expect(run(["explain", ...inputs, "--order", "1"]).stdout).toContain("ada gets 25.00 USD")
    const people = folder.file("people.csv", "id,currency\nada,USD\nsam,USD\n")
    const statement = run([
      ...["statement", ...inputs, "--collaborators", people],
      ...["--until", "2025-12-31", "--format", "html"],
    ])
    expect(statement.stdout).toMatch(/<\/html>\n$/)
    expect(statement.status).toBe(0)
  })

  it("ends quietly when its reader goes away", async () => {
    const orders = await writeOrders("many.ndjson", 20_000)
    const args = ["split", "--groups", groupsFile, "--orders", orders, "--format", "ndjson"]
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

  it("reads many orders in little memory", async () => {
    const [count, mostMegabytes] = isWhole ? [200_000, 400] : [50_000, 300]
    const orders = await writeOrders("very-many.ndjson", count)
    const measure = folder.file(
      "measure.mjs",
      `await import(${JSON.stringify(pathToFileURL(program).href)})
      process.stderr.write(String(process.resourceUsage().maxRSS))`,
    )
    const args = ["split", "--groups", groupsFile, "--orders", orders, "--format", "ndjson"]
    const child = spawn(process.execPath, [measure, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let [lines, stderr] = [0, ""]
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    for await (const chunk of child.stdout.setEncoding("utf8"))
      lines += chunk.split("\n").length - 1
    expect(lines).toBe(count)
    expect(Number(stderr) / 1024).toBeLessThan(mostMegabytes)
  })
})
