// What attacks on a server cost it and others: peak memory, how long others wait, what becomes of the server.
// node bench/http/attacks.mjs [program]   (a build; Linux, for memory is read from /proc; Node 22.18 or later)
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  endWhileBusy,
  heavyBodies,
  idleConnections,
  othersDuring,
  sendBody,
  Target,
  unreadPages,
  wrongTokens,
} from "../../test/cli/Attacks.ts"

const program = process.argv[2] ?? "dist/cli/main.js"
const folder = mkdtempSync(join(tmpdir(), "attacks-"))
const seed = join(folder, "store.json")
writeFileSync(seed, JSON.stringify({ collaborators: [{ id: "ada", currency: "EUR" }] }))

const rows = []
const attack = async (name, work, options = {}) => {
  const target = await Target.start(program, ["--seed", seed], options)
  try {
    let told = ""
    const done = work(target).then((text) => {
      told = text ?? ""
    })
    const others = await othersDuring(target.port, done)
    rows.push({
      attack: name,
      "peak MB": Math.round(target.peak),
      "others answered": `${others.answered} of ${others.asked}`,
      "p99 ms": Math.round(others.p99),
      "longest ms": Math.round(others.longest),
      server: target.isAlive
        ? "lives"
        : (target.child.signalCode ?? `ended with ${target.child.exitCode}`),
      told,
    })
    console.log(JSON.stringify(rows.at(-1)))
  } finally {
    await target.end()
  }
}

try {
  await attack("unread pages, 12 KB over 2 connections", (target) =>
    unreadPages(target, { connections: 2, requests: 170 }),
  )
  await attack("unread pages, 180 KB over 200 connections", (target) =>
    unreadPages(target, { connections: 200, requests: 25 }),
  )
  await attack("1,500 idle connections", (target) => idleConnections(target, 1_500))
  for (const [name, body] of Object.entries(heavyBodies)) {
    await attack(`a body of ${name}`, async (target) => {
      const text = body()
      const { status, millis } = await sendBody(target, text)
      return `${(text.length / 1e6).toFixed(1)} MB: ${status} after ${millis.toFixed(0)} ms`
    })
  }
  await attack(
    "wrong tokens for 3 s",
    async (target) => {
      const { lookedUp, refused } = await wrongTokens(target, 3_000)
      return `${lookedUp} looked up, ${refused} refused`
    },
    { rate: 60 },
  )
  await attack("told to end with 144 busy connections", async (target) =>
    JSON.stringify(await endWhileBusy(target, 144)),
  )
} finally {
  rmSync(folder, { recursive: true })
}
