import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { blocksOf } from "./docs/Example.js"

const project = mkdtempSync(join(tmpdir(), "apportion-package-"))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const inProject = (command: string, args: ReadonlyArray<string>): string =>
  execFileSync(command, args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** The first example of the README, as it stands there. */
const firstExample = (): string => {
  const blocks = blocksOf("README.md", readFileSync("README.md", "utf8"))
  return blocks.find(({ info }) => info[0] === "ts")?.code ?? ""
}

describe("the package, packed and installed from its file into an empty project without a network", () => {
  beforeAll(() => {
    const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", project], {
      encoding: "utf8",
    })
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }))
    const flags = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    inProject("npm", ["install", ...flags, `./${packed.trim()}`, resolve("node_modules/effect")])
  }, 120_000)

  test("brings what is needed to use it, and nothing of the tests or the sources", () => {
    const at = (path: string) => existsSync(join(project, "node_modules/apportion", path))
    const there = ["dist/index.js", "dist/index.d.ts", "README.md", "LICENSE", "SECURITY.md"]
    expect(there.filter((path) => !at(path))).toEqual([])
    expect(at("dist/cli/THIRD-PARTY-NOTICES.txt")).toBe(true)
    expect(["src", "test", "bench", "dist/.built"].filter(at)).toEqual([])
  })

  test("runs the first example of the README", () => {
    const tellResult =
      "console.log(JSON.stringify([split.shares.map((s) => s.amount), split.store]))"
    writeFileSync(join(project, "first.js"), `${firstExample()}\n${tellResult}\n`)
    const told = JSON.parse(inProject(process.execPath, ["first.js"]))
    expect(told).toEqual([[1125, 1000], [{ itemId: "1", amount: 7875 }]])
  })

  test("has the command line in it, which needs nothing else", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"))
    const program = join("node_modules", "apportion", "dist", "cli", "main.js")
    expect(inProject(process.execPath, [program, "--version"])).toContain(version)
  })
})
