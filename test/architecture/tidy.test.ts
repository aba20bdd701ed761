import { globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isCore, isForNode, isLibrary, isOfSignatures, isRunning } from "./Layers.js"
import { parse, read, type SourceFile } from "./SourceFile.js"
import * as Tidy from "./Tidy.js"

const sources = read("src/**/*.{ts,tsx}")
const core = sources.filter((file) => isCore(file.path))
const library = sources.filter((file) => isLibrary(file.path))
const pure = library.filter((file) => !isRunning(file.path))

/** What a test has that one of the rules for tests is about; parsing all of them takes as long as all that follows. */
const suspect = new RegExp(
  [
    ...[String.raw`[:<|&(,=]\s*any\b`, String.raw`\bas any\b`, String.raw`[\w)\]]!(?!=)`],
    ...[String.raw`\bdefault\b`, String.raw`\.(?:only|skip|todo|skipIf|runIf|fails)\b`],
    ...["@ts-", "biome-", "eslint-"],
  ].join("|"),
)
const tests = ["test/**/*.ts", "bench/*/*.ts"].flatMap((pattern) => read(pattern, suspect))

const texts = globSync(
  [
    "*.{md,json,ts,js}",
    "{src,test,bench,docs,.ci}/**/*.{ts,tsx,css,js,mjs,md,json,csv,html,sh}",
    ".ci/run",
  ],
  {
    exclude: [
      "package-lock.json",
      "**/node_modules/**",
      ".ci/node_modules/**",
      "docs/playground/*.{js,css}",
    ],
  },
).sort()

const findings = (files: ReadonlyArray<SourceFile>, ...rules: ReadonlyArray<Tidy.Rule>) =>
  files.flatMap((file) => rules.flatMap((rule) => rule(file)))

const findingsInTexts = (rule: Tidy.TextRule) =>
  texts.flatMap((path) => rule(path, readFileSync(path, "utf8")))

/** A package as package-lock.json describes it. */
interface Locked {
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  /** Those of other platforms among them: `npm ci` refuses a lock file that leaves them out. */
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** What a rule finds in a text that breaks it. */
const planted = (rule: Tidy.Rule, text: string) => rule(parse("src/money/A.ts", text))

describe("the sources are tidy", () => {
  it("no type is switched off, no check is silenced", () => {
    const rules = [Tidy.anyTypes, Tidy.nonNullClaims, Tidy.silencedChecks]
    expect(findings([...sources, ...tests], ...rules)).toEqual([])
  })

  it("every export has a name", () => {
    expect(findings([...sources, ...tests], Tidy.defaultExports)).toEqual([])
  })

  it("functions fit on a screen and files stay short", () => {
    expect(findings(sources, Tidy.longFunctions(60), Tidy.longFiles(400))).toEqual([])
  })

  it("the library throws nothing without a tag", () => {
    expect(findings(library, Tidy.bareErrors)).toEqual([])
  })

  it("the core and the formats read no clock, draw no lots and touch nothing outside", () => {
    expect(core.length).toBeGreaterThan(10)
    const undigested = pure.filter((file) => !isOfSignatures(file.path))
    expect(findings(undigested, Tidy.impurities)).toEqual([])
  })

  it("the services take time, ids and chance from Effect alone", () => {
    const anywhere = library.filter((file) => !isForNode(file.path))
    expect(findings(anywhere, Tidy.worldly)).toEqual([])
    const planted = "const a = crypto.randomUUID(); const b = Date.now(); const c = process.env"
    expect(findings([parse("src/service/A.ts", planted)], Tidy.worldly)).toHaveLength(3)
    const digest = "const a = crypto.subtle.digest(x, y)"
    expect(findings([parse("src/ports/A.ts", digest)], Tidy.worldly)).toEqual([])
  })

  it("every test runs", () => {
    expect(findings(tests, Tidy.switchedTests)).toEqual([])
  })

  it("nothing is left to be done, and nothing points at one machine", () => {
    expect(findingsInTexts(Tidy.leftovers)).toEqual([])
    expect(findingsInTexts(Tidy.machinePaths)).toEqual([])
  })

  it("the lock file is whole, and names no place that packages came from, so that any registry will do", () => {
    const { packages }: { packages: Record<string, Locked> } = JSON.parse(
      readFileSync("package-lock.json", "utf8"),
    )
    const locked = new Set(
      Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")),
    )
    const named = Object.values(packages).flatMap((one) =>
      Object.keys({ ...one.dependencies, ...one.optionalDependencies }),
    )
    expect(locked.size).toBeGreaterThan(100)
    expect(named.filter((name) => !locked.has(name))).toEqual([])
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
  })

  it("names say what is inside", () => {
    expect(Tidy.shapelessPaths(texts)).toEqual([])
    expect(Tidy.participles(sources.map(({ path }) => path))).toEqual([])
  })

  it("a name of a type stands for one thing, or for two at most", () => {
    expect(Tidy.worn(sources, 2)).toEqual([])
  })
})

describe("the check of tidiness", () => {
  it("sees switched-off types and silenced checks", () => {
    expect(planted(Tidy.anyTypes, "const a: any = 1")).toEqual(["src/money/A.ts:1"])
    expect(planted(Tidy.nonNullClaims, "\nf(a!)")).toEqual(["src/money/A.ts:2"])
    expect(planted(Tidy.silencedChecks, `// @${"ts-ignore"}`)).toHaveLength(1)
    expect(planted(Tidy.silencedChecks, `// ${"biome"}-ignore lint: because`)).toHaveLength(1)
  })

  it("sees default exports", () => {
    expect(planted(Tidy.defaultExports, "export default 1")).not.toEqual([])
    expect(planted(Tidy.defaultExports, "export default function a() {}")).not.toEqual([])
  })

  it("sees long functions and files", () => {
    const long = `const a = () => {\n${"a()\n".repeat(60)}}\n`
    expect(planted(Tidy.longFunctions(60), long)).toEqual(["src/money/A.ts:1"])
    expect(planted(Tidy.longFunctions(62), long)).toEqual([])
    expect(planted(Tidy.longFiles(61), long)).toEqual(["src/money/A.ts has 62 lines of code"])
    expect(planted(Tidy.longFiles(62), `/**\n * A.\n */\n\n// B\n${long}`)).toEqual([])
  })

  it("sees names of files that are participles, and types of one name in many files", () => {
    const paths = ["src/a/placing.ts", "src/a/Stored.ts", "src/a/ServeSeed.ts", "src/a/Linking.ts"]
    expect(Tidy.participles(paths)).toEqual([
      ...["src/a/placing.ts", "src/a/Stored.ts", "src/a/Linking.ts"],
    ])
    const files = ["A", "B", "C"].map((name) =>
      parse(`src/money/${name}.ts`, "interface Found {}\ntype Kind = 1\nexport class Part {}"),
    )
    expect(Tidy.worn(files, 3)).toEqual([])
    expect(Tidy.worn(files, 2)).toHaveLength(3)
    expect(Tidy.worn(files, 2)[0]).toBe("Found: src/money/A.ts, src/money/B.ts, src/money/C.ts")
  })

  it("sees bare errors", () => {
    expect(planted(Tidy.bareErrors, 'throw new Error("a")')).toHaveLength(1)
    expect(planted(Tidy.bareErrors, "throw new OverAllocated({})")).toEqual([])
  })

  it("sees clocks, lots and the world outside", () => {
    const impure = [
      "console.log(1)",
      "process.env.A",
      "Date.now()",
      "new Date()",
      "Math.random()",
      "DateTime.nowUnsafe()",
    ]
    for (const text of impure) expect(planted(Tidy.impurities, text), text).not.toEqual([])
    const pure = [
      "new Date(5)",
      "a.process",
      "({ console: 1 })",
      "Math.abs(1)",
      "DateTime.makeUnsafe(5)",
    ]
    for (const text of pure) expect(planted(Tidy.impurities, text), text).toEqual([])
  })

  it("sees tests that do not run", () => {
    const marks = [
      ["it", "only"],
      ["describe", "skip"],
      ["test", "todo"],
    ].map((mark) => mark.join("."))
    for (const text of marks) {
      expect(planted(Tidy.switchedTests, `${text}("a", () => {})`), text).toHaveLength(1)
    }
    expect(planted(Tidy.switchedTests, 'list.only("a")')).toEqual([])
  })

  it("sees leftovers, machine paths and names that say nothing", () => {
    expect(Tidy.leftovers("a.md", `first\n${"TO"}${"DO"}: more`)).toEqual(["a.md:2"])
    expect(Tidy.machinePaths("a.md", `see ${"/ho"}${"me/me/file"}`)).toEqual(["a.md:1"])
    expect(Tidy.machinePaths("a.md", "see https://example.com/home/")).toEqual([])
    expect(
      Tidy.shapelessPaths(["src/money/Cents.ts", "src/utils/a.ts", "test/helpers.ts"]),
    ).toEqual(["src/utils/a.ts", "test/helpers.ts"])
  })
})
