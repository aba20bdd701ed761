/** Processes that work through scripts and are killed on the way, again and again until they are through. */
import { spawn } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { defaultSettings } from "apportion/service"
import { build } from "esbuild"
import { Chance } from "../../generators/Chance.js"
import type { Orders, Report } from "./Orders.js"
import { isRight } from "./Persistence.js"
import type { Script } from "./Script.js"

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Bundles the program of the process; gives its path. It lies where packages are found. */
export const bundleChild = async (): Promise<string> => {
  const folder = pathOf("../../../node_modules/.cache/apportion-crash")
  await mkdir(folder, { recursive: true })
  const outfile = join(folder, `child-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL("./child.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    // It finds its own files beside itself.
    external: ["@electric-sql/pglite"],
    plugins: [
      {
        name: "sources",
        setup: ({ onResolve }) => {
          onResolve({ filter: /^apportion(\/[a-z]+)?$/ }, ({ path }) => ({
            path: pathOf(`../../../src/${path.slice("apportion/".length)}/index.ts`),
          }))
        },
      },
    ],
  })
  return outfile
}

/** When a process is killed. */
type Kill =
  | { readonly how: "time"; readonly millis: number }
  | { readonly how: "report"; readonly statement: number; readonly what: "sending" | "answered" }
  | { readonly how: "itself"; readonly death: NonNullable<Orders["death"]> }
  | { readonly how: "never" }

const chooseKill = (
  chance: Chance,
  most: { readonly millis: number; readonly statements: number },
): Kill => {
  const statement = 1 + chance.below(most.statements)
  switch (chance.below(4)) {
    case 0:
      return { how: "time", millis: chance.below(most.millis) }
    case 1:
      return { how: "report", statement, what: chance.onceIn(2) ? "sending" : "answered" }
    default: {
      const moment = chance.pick(["before", "sent", "after"] as const) ?? "sent"
      return chance.onceIn(2)
        ? { how: "itself", death: { of: "statements", number: statement, moment } }
        : { how: "itself", death: { of: "commits", number: Math.ceil(statement / 10), moment } }
    }
  }
}

interface Life {
  readonly acknowledged: ReadonlyArray<Extract<Report, { what: "acknowledged" }>>
  /** What it said last. */
  readonly last: Report | undefined
  readonly isKilled: boolean
  readonly isDone: boolean
  /** Whether it had to be killed because it came to no end. */
  readonly isHanging: boolean
  readonly errors: string
}

/** A process that is killed may not come to the end of what it says. */
const readReport = (line: string): Report | undefined => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Lets a process live until it is through or killed. */
const live = async (program: string, file: string, orders: Orders, kill: Kill): Promise<Life> => {
  const death = kill.how === "itself" ? kill.death : undefined
  await writeFile(file, JSON.stringify({ ...orders, death }))
  const child = spawn(process.execPath, [program, file], { stdio: ["ignore", "pipe", "pipe"] })
  const acknowledged: Array<Life["acknowledged"][number]> = []
  let last: Report | undefined
  let isDone = false
  let errors = ""
  child.stderr.on("data", (chunk) => {
    errors += String(chunk)
  })
  const end = () => child.kill("SIGKILL")
  let isHanging = false
  const limit = setTimeout(() => {
    isHanging = true
    end()
  }, 120_000)
  let timer: NodeJS.Timeout | undefined
  if (kill.how === "time") timer = setTimeout(end, kill.millis)
  const lines = createInterface({ input: child.stdout })
  lines.on("line", (line) => {
    const report = readReport(line)
    if (report === undefined) return
    last = report
    isDone ||= report.what === "done"
    if (report.what === "acknowledged") acknowledged.push(report)
    const isMoment =
      kill.how === "report" &&
      report.what === kill.what &&
      "number" in report &&
      report.number === kill.statement
    if (isMoment) end()
  })
  const closed = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once("close", (_code, signal) => resolve(signal))
  })
  const signal = await closed
  clearTimeout(limit)
  clearTimeout(timer)
  return { acknowledged, last, isKilled: signal === "SIGKILL", isDone, isHanging, errors }
}

/** Where in its work a process was, by what it said last. */
const momentOf = (last: Report | undefined): string => {
  if (last === undefined) return "while it started"
  if (last.what === "ready" || last.what === "acknowledged") return "between steps"
  if (last.what === "done") return "when it was through"
  return `${last.kind} ${last.what === "sending" ? "sent or about to be" : "answered"}`
}

export interface KillingOptions {
  readonly program: string
  readonly database: Orders["database"]
  readonly concurrency: Orders["concurrency"]
  readonly scripts: ReadonlyArray<Script>
  /** Whether each life asks again for all whose keys are still kept, or only for what was not acknowledged. */
  readonly asksAgain: boolean
  readonly seed: number
  /** After so many, the process is let live. */
  readonly mostKills: number
  readonly most: { readonly millis: number; readonly statements: number }
}

export interface Killing {
  readonly kills: number
  /** How many there were at each moment. */
  readonly moments: Readonly<Record<string, number>>
  readonly problems: ReadonlyArray<string>
}

/** As far back as keys are kept when the first step that was not acknowledged may have been taken. */
const firstKept = (steps: Script["steps"], acknowledged: number): number => {
  const now = steps[acknowledged]?.at ?? steps.at(-1)?.at ?? 0
  return steps.findIndex(({ at }) => at >= now - defaultSettings.idempotencySeconds)
}

/** Lets processes work through scripts, and kills them until they are through. */
export const workAndKill = async (options: KillingOptions): Promise<Killing> => {
  const { program, scripts, seed, mostKills, asksAgain } = options
  const chance = new Chance(seed)
  const folder = await mkdtemp(join(tmpdir(), "apportion-orders-"))
  const acknowledged = scripts.map(() => 0)
  const moments: Record<string, number> = {}
  const problems: Array<string> = []
  let kills = 0
  const isThrough = () =>
    scripts.every(({ steps }, lane) => (acknowledged[lane] ?? 0) === steps.length)
  for (let lives = 0; !isThrough() && problems.length === 0; lives += 1) {
    const lanes = scripts.map(({ accountId, steps }, lane) => ({
      accountId,
      steps: steps.slice(
        asksAgain ? firstKept(steps, acknowledged[lane] ?? 0) : acknowledged[lane],
      ),
    }))
    const { database, concurrency } = options
    const kill: Kill = kills < mostKills ? chooseKill(chance, options.most) : { how: "never" }
    const life = await live(
      program,
      join(folder, "orders.json"),
      { database, concurrency, lanes },
      kill,
    )
    for (const { lane, step, outcome } of life.acknowledged) {
      const script = scripts[lane]
      const index = script?.steps.findIndex(({ number }) => number === step) ?? -1
      const [taken, wanted] = [script?.steps[index], script?.outcomes[index]]
      const came = { outcome, isAgain: lives > 0 }
      if (taken === undefined || !isRight(taken, wanted, came)) {
        const [is, must] = [outcome, wanted].map((each) => JSON.stringify(each))
        problems.push(`step ${step} came to ${is} and not to ${must}`)
      }
      acknowledged[lane] = Math.max(acknowledged[lane] ?? 0, index + 1)
    }
    if (life.isHanging) problems.push(`the process hangs after ${JSON.stringify(life.last)}`)
    if (life.isKilled) {
      kills += 1
      const moment = momentOf(life.last)
      moments[moment] = (moments[moment] ?? 0) + 1
    } else if (!life.isDone) {
      problems.push(`the process ended by itself: ${life.errors}`)
    }
    if (lives > mostKills + 50) problems.push("the process never comes through")
  }
  await rm(folder, { recursive: true, force: true })
  return { kills, moments, problems }
}
