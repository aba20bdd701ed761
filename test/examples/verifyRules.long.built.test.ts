import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { RuleSet } from "apportion"
import { describe, expect, onTestFinished, test } from "vitest"

const folder = "docs/examples/verify-rules"

/** How each runner runs the example that lies in a folder. */
const runners: Readonly<Record<string, (path: string) => ReadonlyArray<string>>> = {
  vitest: (path) => [resolve("node_modules/vitest/vitest.mjs"), "run", "--root", path],
  "node:test": (path) => ["--test", join(path, "rules.node.mjs")],
}

/** What the outer runner tells its own processes is not meant for others. */
const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|NODE_|TEST|FORCE_COLOR)/.test(name),
    ),
  )

const run = (name: string, path: string) =>
  new Promise<{ readonly code: unknown; readonly text: string }>((done) => {
    const env = { ...environment(), NO_COLOR: "1" }
    const command = runners[name]?.(path) ?? []
    execFile(process.execPath, command, { env, maxBuffer: 2 ** 24 }, (error, out, err) =>
      done({ code: error?.code ?? 0, text: `${out}${err}` }),
    )
  })

/** The example with a change of its rules, beside the package as a host has it. */
const changed = (change: (text: string) => string): string => {
  mkdirSync("temp", { recursive: true })
  const copy = mkdtempSync(join("temp", "verify-rules-"))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(folder, copy, { recursive: true })
  const file = join(copy, "rules.json")
  const before = readFileSync(file, "utf8")
  const after = change(before)
  expect(after).not.toBe(before)
  RuleSet.make(JSON.parse(after))
  writeFileSync(file, after)
  return copy
}

const laws = [
  "no collaborator gets more than 30.00% of an item",
  "the store keeps at least 30.00% of an item",
  "no item is over-allocated",
  'ada is paid for items with the tag "art"',
  'no share of sam on orders with the customer tag "wholesale"',
  "nobody but ada and sam is paid for a mug",
]

describe.each(Object.keys(runners))("%s", (name) => {
  test("passes with rules that keep their laws", async () => {
    const { code, text } = await run(name, folder)
    expect([code, text]).toEqual([0, expect.stringMatching(/6 passed|pass 6/)])
  })

  test("fails with a share that is too large, and tells the law, the order and the split", async () => {
    const copy = changed((text) => text.replace('"percent": "25.00"', '"percent": "35.00"'))
    const { code, text } = await run(name, copy)
    expect(code, text).toBe(1)
    expect(text).toMatch(/1 failed|fail 1/)
    expect(text).toContain(`The rules break a law: ${laws[0]}.`)
    expect(text).toMatch(/ada gets \d+\.\d\d USD of item 1, which is more than 30\.00%/)
    expect(text).toMatch(/item 1: \d+ units? of product "[a-z0-9-]+"/)
    expect(text).toMatch(/ada gets \d+\.\d\d USD \(group art\): 35\.00% of /)
    expect(text).toMatch(/\{ seed: -?\d+, path: "[\d:]+" \}/)
  })

  test("fails with a share on wholesale orders", async () => {
    const copy = changed((text) => text.replace('"modifier": "NOT"', '"modifier": "WITH"'))
    const { code, text } = await run(name, copy)
    expect(code, text).toBe(1)
    expect(text).toContain(`The rules break a law: ${laws[4]}.`)
    expect(text).toMatch(/the order: the customer tag "wholesale"/i)
    expect(text).toMatch(/sam gets \d+\.\d\d USD \(group agent\)/)
  })
})
