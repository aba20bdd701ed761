/** The transcripts of the guide's chapter, each on a folder that is empty when it begins. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Served } from "../cli/Served.js"
import { blocks } from "./Example.js"

const page = blocks().filter(({ file }) => file.endsWith("28-from-any-language.md"))

/** The blocks of a language, each with what it prints: the block after it. */
const transcript = (language: string) =>
  page.flatMap((block, index) =>
    block.info[0] === language ? [{ code: block.code, shown: page[index + 1]?.code ?? "" }] : [],
  )

const token = "paper-heron-at-dusk"

const run = (command: string, args: ReadonlyArray<string>, input: string, url: string) =>
  spawnSync(command, args, {
    ...{ input, encoding: "utf8", timeout: 120_000 },
    env: { ...process.env, URL: url, TOKEN: token },
  })

const isThere = (command: string, args: ReadonlyArray<string>) =>
  spawnSync(command, args).status === 0

/** Ids are made anew each time: the page has `...` in their place. */
const withoutIds = (text: string) =>
  text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "...")

const languages = [
  { language: "sh", command: "sh", args: ["-s"], probe: ["-c", "command -v curl"] },
  { language: "python", command: "python3", args: ["-"], probe: ["-c", "import requests"] },
  { language: "ruby", command: "ruby", args: ["-"], probe: ["-e", "0"] },
  { language: "php", command: "php", args: [], probe: ["-r", "0;"] },
]

describe("from an empty folder to a collaborator who is paid", () => {
  it.for(languages)("in $language", async ({ language, command, args, probe }, context) => {
    if (!isThere(command, probe)) context.skip(`there is no ${command} that can do it here`)
    const folder = mkdtempSync(join(tmpdir(), "apportion-"))
    const opening = join(folder, "opening.json")
    writeFileSync(opening, page.find(({ info }) => info[0] === "json")?.code ?? "")
    const place = ["--data", join(folder, "shop"), "--seed", opening]
    const served = new Served([...place, "--port", "0", "--token", token])
    try {
      const steps = transcript(language)
      expect(steps.length).toBeGreaterThan(0)
      const code = steps.map((step) => step.code).join("\n")
      const { stdout, stderr } = run(command, args, code, await served.url())
      expect(stderr).toBe("")
      const printed = withoutIds(stdout).trimEnd().split("\n")
      const shown = steps.flatMap((step) => step.shown.trimEnd().split("\n"))
      expect(printed).toEqual(shown)
    } finally {
      await served.end("SIGINT")
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
