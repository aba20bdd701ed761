/** What the guide's chapter on Shopify shows of `apportion serve`: its file of shops, and its transcript. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { Served } from "../cli/Served.js"
import { blocks } from "./Example.js"

const page = blocks().filter(({ file }) => file.endsWith("29-from-shopify.md"))
const token = "paper-heron-at-dusk"
const secret = "the app's client secret"

const isThere = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0

it("deliveries come in over HTTP, signed by the platform", async (context) => {
  if (!isThere("curl") || !isThere("openssl")) context.skip("curl or openssl is not here")
  const shops = page.find(({ info }) => info[0] === "json")?.code ?? ""
  const place = page.findIndex(({ info }) => info[0] === "sh")
  const folder = mkdtempSync(join(tmpdir(), "apportion-"))
  writeFileSync(join(folder, "shops.json"), shops)
  const served = new Served(
    ["--port", "0", "--token", token, "--shops", join(folder, "shops.json")],
    { NORTH_SECRET: secret },
  )
  try {
    const env = { ...process.env, URL: await served.url(), TOKEN: token, NORTH_SECRET: secret }
    const { stdout, stderr } = spawnSync("sh", ["-s"], {
      ...{ input: page[place]?.code ?? "", encoding: "utf8", timeout: 60_000, env },
    })
    expect(stderr).toBe("")
    expect(stdout.trimEnd()).toBe(page[place + 1]?.code.trimEnd())
    expect(served.err).not.toContain(secret)
  } finally {
    await served.end("SIGINT")
    rmSync(folder, { recursive: true, force: true })
  }
})
