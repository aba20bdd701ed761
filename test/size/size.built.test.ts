import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { budget, bundle, effectModules, ownFiles, shakenBundle } from "./Bundle.js"

const programs: Readonly<Record<string, string>> = {
  "a rule set and a split": `
    import { RuleSet, Split } from "apportion"
    export const shares = (groups, order) => Split.order(RuleSet.make(groups), order).shares`,
  "the whole core": `export * from "apportion"`,
  "the wire formats": `export * from "apportion/wire"`,
  "Shopify's formats": `export * from "apportion/shopify"`,
  "the services as plain functions": `export { makeApportion } from "apportion/promise"`,
  "the HTTP API over them": `
    export { makeApportion } from "apportion/promise"
    export { toWebHandler } from "apportion/http"`,
  "sales in columns": `export * from "apportion/bulk"`,
  "the storage in PostgreSQL": `export { PgliteClient, SqlStorage } from "apportion/sql"`,
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)

describe("the size of what a host ships", () => {
  it("has a budget for each program", () => {
    expect(Object.keys(budget())).toEqual(Object.keys(programs))
  })

  for (const [name, program] of Object.entries(programs)) {
    it(`${name} stays within its budget, with Effect's parts and without them`, async () => {
      const whole = await bundle(program, { effect: "inside" })
      const own = await bundle(program, { effect: "outside" })
      const figures = [whole.minified, whole.gzipped, own.minified, own.gzipped].map(kilobytes)
      const [minified, gzipped, ownMinified, ownGzipped] = figures
      console.log(
        `${name.padEnd(24)} with Effect: ${minified}, gzip ${gzipped}; without: ${ownMinified}, gzip ${ownGzipped}`,
      )
      const limits = budget()[name] ?? { withEffect: 0, withoutEffect: 0 }
      expect(whole.gzipped).toBeLessThanOrEqual(limits.withEffect)
      expect(own.gzipped).toBeLessThanOrEqual(limits.withoutEffect)
    })
  }
})

const split = programs["a rule set and a split"] ?? ""

describe("a bundler that drops unused functions of a namespace", () => {
  it("keeps a rule set and a split within 19 kB, with all that they need", async () => {
    const { minified, gzipped } = await shakenBundle(split)
    console.log(
      `${"the same, shaken".padEnd(24)} ${kilobytes(minified)}, gzip ${kilobytes(gzipped)}`,
    )
    expect(gzipped).toBeLessThanOrEqual(budget()["a rule set and a split"]?.shaken ?? 0)
  })
})

describe("the sizes that README tells", () => {
  const readme = readFileSync("README.md", "utf8").replaceAll("\n", " ")
  const sentences = {
    "a rule set and a split":
      /with esbuild they take about (\d+) kB with Effect's parts and (\d+) kB without/,
    "the whole core": /the whole core takes about (\d+) kB and (\d+) kB/,
  }

  it.each(Object.entries(sentences))("are those that are measured: %s", async (name, sentence) => {
    const program = programs[name] ?? ""
    const told = sentence.exec(readme)?.slice(1).map(Number) ?? []
    const measured = [
      await bundle(program, { effect: "inside" }),
      await bundle(program, { effect: "outside" }),
    ].map(({ gzipped }) => Math.round(gzipped / 1000))
    const isAbout = (figure = 0, index: number) => Math.abs((told[index] ?? 0) / figure - 1) < 0.05
    expect(measured.every(isAbout), `README says ${told} kB, it is ${measured} kB`).toBe(true)
  })
})

it("README tells what a rule set and a split take where unused functions are dropped", async () => {
  const readme = readFileSync("README.md", "utf8").replaceAll("\n", " ")
  const told = Number(
    /a rule set and a split take about (\d+) kB, all that they need/.exec(readme)?.[1],
  )
  const { gzipped } = await shakenBundle(split)
  expect(told).toBe(Math.round(gzipped / 1000))
})

describe("what a host does not use", () => {
  it("is not shipped: an import without a use leaves nothing behind", async () => {
    const empty = await bundle(`import "apportion"`, { effect: "inside" })
    expect([...empty.files]).toEqual([])
    const unused = await bundle(`import { Split } from "apportion"`, { effect: "inside" })
    expect([...unused.files]).toEqual([])
  })

  it("is not shipped: percentages come without splits, groups and payouts", async () => {
    const made = await bundle(`export { Percent } from "apportion"`, { effect: "inside" })
    const folders = new Set(ownFiles(made).map((file) => file.split("/")[0]))
    expect([...folders].sort()).toEqual(["internal", "money"])
    expect(ownFiles(made)).toContain("money/Percent.js")
    expect(ownFiles(made)).not.toContain("money/Currency.js")
  })

  it("is not shipped: a split comes without payouts, pages and formats", async () => {
    const made = await bundle(programs["a rule set and a split"] ?? "", { effect: "inside" })
    const folders = new Set(ownFiles(made).map((file) => file.split("/")[0]))
    for (const folder of ["payouts", "pagination", "analysis", "wire", "shopify", "cli"]) {
      expect([...folders], folder).not.toContain(folder)
    }
    expect([...folders]).toContain("shares")
  })
})

/** The modules of Effect for schemas, those in which effects are run, and what they run with. */
const runtime =
  /^(?:internal\/)?(?:Schema\w*|DateTime|dateTime|effect|Effect|Fiber\w*|Layer|layer|ManagedRuntime|Runtime|Scheduler|Scope|Stream|stream|Channel|Queue|PubSub|Deferred|Latch|Semaphore|Schedule|Clock|Random|Console|Logger|Metric|Tracer|References|Ref|Pool|Cache|Request\w*|Config\w*)\.js$/

const runtimeIn = async (program: string) => {
  const modules = effectModules(await bundle(program, { effect: "inside" }))
  return new Map([...modules].filter(([path]) => runtime.test(path)))
}

describe("Effect's schemas and its runtime", () => {
  it("are not in the core", async () => {
    expect([...(await runtimeIn('export * from "apportion"')).keys()]).toEqual([])
  })

  it("are seen by this check in a program with a schema", async () => {
    const found = await runtimeIn('export * from "apportion/schema"')
    expect([...found.keys()]).toEqual(expect.arrayContaining(["Schema.js", "internal/effect.js"]))
  })
})
