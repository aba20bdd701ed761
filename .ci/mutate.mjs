/**
 * Breaks the core on purpose, in one place after another, and runs its tests each time (mutation
 * testing: Stryker makes the mutants, and the runner in .ci/mutation tries them). Fails when a change
 * that no test notices is not in the list of those that change nothing (.ci/mutants/<folder>.json), or
 * when a change in that list is no longer made.
 *
 *     npm run mutate                              every folder of the core
 *     npm run mutate -- money shares              these folders
 *     npm run mutate -- src/money/Percent.ts      this file
 *     npm run mutate -- --force money             and forgets what earlier runs found
 *
 * What earlier runs found is kept in temp/mutation: a mutant that was caught is tried again when its file or
 * a test that covers it has changed. Other changes (of generators, say) are not noticed: that is what `--force` is for.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { Stryker } from "@stryker-mutator/core"
import { judgesOf } from "./mutation/judges.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

/** What there is to mutate, by the name of its list; a file is under the first that fits it. */
const folders = new Map([
  ["money", ["src/money/**/*.ts"]],
  ["linking", ["src/rules/ProductLinks.ts", "src/rules/linking/*.ts"]],
  ["orders", ["src/orders/**/*.ts"]],
  ["rules", ["src/rules/*.ts", "src/rules/engine/*.ts", "!src/rules/ProductLinks.ts"]],
  ["shares", ["src/shares/**/*.ts"]],
  ["payouts", ["src/payouts/**/*.ts"]],
  ["pagination", ["src/pagination/**/*.ts"]],
  ["internal", ["src/internal/*.ts"]],
  ["analysis", ["src/analysis/**/*.ts"]],
  ["Problem.ts", ["src/Problem.ts"]],
])

const folderOf = (file) => {
  const found = [...folders].find(([, patterns]) =>
    patterns.some((pattern) => path.matchesGlob(file, pattern)),
  )
  if (found === undefined) throw new Error(`no file of the core: ${file}`)
  return found[0]
}

/** What is mutated of which folder: all of it, or the files that are named. */
const asked = (names) => {
  const files = Map.groupBy(
    names.filter((name) => !folders.has(name)),
    folderOf,
  )
  const whole = names.length === 0 ? [...folders.keys()] : names.filter((name) => folders.has(name))
  return new Map([...files, ...whole.map((name) => [name, folders.get(name)])])
}

const options = (folder, mutate, force) => ({
  mutate: [...mutate, "!src/**/index.ts"],
  testRunner: "loaded-once",
  plugins: ["./.ci/mutation/TestRunner.mjs", "./.ci/mutation/MutationLog.mjs"],
  judges: judgesOf(folder),
  // Few random cases, and small scopes.
  judgesEnvironment: { APPORTION_RUNS: "200", APPORTION_SCOPE: "little" },
  coverageAnalysis: "perTest",
  // Constants and schemas are made when a module is loaded: mutants there are tried like all others.
  ignoreStatic: false,
  // Loading everything anew for these takes a moment only.
  warnings: { slow: false },
  concurrency: 1,
  // A loop without end is stopped by counting its turns; this is for what hangs otherwise. It has the process
  // that has loaded the tests replaced.
  timeoutMS: 20_000,
  // A loop without end that keeps what it makes must not take the memory of everything else.
  testRunnerNodeArgs: ["--max-old-space-size=2048"],
  timeoutFactor: 5,
  dryRunTimeoutMinutes: 10,
  incremental: true,
  incrementalFile: `temp/mutation/${folder}/incremental.json`,
  force,
  reporters: ["json", "log"],
  jsonReporter: { fileName: `temp/mutation/${folder}/report.json` },
  tempDirName: "temp/mutation/sandbox",
  ignorePatterns: [
    "/*",
    "!/src",
    "!/test",
    "!/docs",
    "!/.ci",
    "!/package.json",
    "!/tsconfig*.json",
  ],
  allowConsoleColors: false,
  allowEmpty: true,
  logLevel: "warn",
  disableTypeChecks: false,
})

/** The text that a mutant replaces, in one line. */
const textAt = (source, { start, end }) => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return lines.join("\n").replace(/\s+/g, " ").trim()
}

const lineAt = (source, { start }) => source.split("\n")[start.line - 1].trim()

/** What says of a mutant which one it is, whatever else changes in its file. */
const described = (file, source, mutant) => ({
  file,
  line: lineAt(source, mutant.location),
  mutator: mutant.mutatorName,
  change: `${textAt(source, mutant.location)} => ${mutant.replacement.replace(/\s+/g, " ").trim()}`,
})

const keyOf = ({ file, line, mutator, change }) => JSON.stringify([file, line, mutator, change])

const justifiedIn = (folder) => {
  const list = `.ci/mutants/${folder.replace(/\.ts$/, "")}.json`
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []
}

const caught = ["Killed", "Timeout", "RuntimeError"]
const missed = ["Survived", "NoCoverage"]

const report = (folder) => {
  const { files } = JSON.parse(readFileSync(`temp/mutation/${folder}/report.json`, "utf8"))
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({
      ...described(file, source, mutant),
      status: mutant.status,
      at: `${file}:${mutant.location.start.line}:${mutant.location.start.column}`,
    })),
  )
}

/**
 * Forgets which mutants survived, so that they are tried again: Stryker would take the earlier answer for
 * constants, which are made before any test begins, although there are new tests.
 */
const forgetSurvivors = (folder) => {
  const known = `temp/mutation/${folder}/incremental.json`
  if (!existsSync(known)) return
  const found = JSON.parse(readFileSync(known, "utf8"))
  for (const file of Object.values(found.files)) {
    file.mutants = file.mutants.filter(({ status }) => caught.includes(status))
  }
  writeFileSync(known, JSON.stringify(found))
}

/** Counts the mutants of a folder and holds the survivors against the list; gives what is wrong. */
const judge = (folder, patterns) => {
  const whole = patterns === folders.get(folder)
  const mutants = report(folder).filter(({ file }) => whole || patterns.includes(file))
  const justified = justifiedIn(folder).filter(({ file }) => whole || patterns.includes(file))
  const known = new Set(justified.map(keyOf))
  const survivors = mutants.filter(({ status }) => missed.includes(status))
  const wrong = survivors
    .filter((mutant) => !known.has(keyOf(mutant)))
    .map(({ at, mutator, change, status }) => `${status} ${at} ${mutator}: ${change}`)
  const left = new Set(survivors.map(keyOf))
  for (const one of justified) {
    if (!left.has(keyOf(one))) wrong.push(`Listed but not surviving: ${keyOf(one)}`)
    if (!one.why) wrong.push(`Listed without a reason: ${keyOf(one)}`)
  }
  const odd = mutants.filter(({ status }) => ![...caught, ...missed].includes(status))
  wrong.push(...odd.map(({ at, status, change }) => `${status} ${at} ${change}`))
  const count = (statuses) => mutants.filter(({ status }) => statuses.includes(status)).length
  const [all, killed] = [mutants.length, count(caught)]
  const score = all === 0 ? "-" : `${((100 * killed) / all).toFixed(2)} %`
  const excused = survivors.filter((mutant) => known.has(keyOf(mutant))).length
  console.log(
    `${folder}: ${all} mutants, ${killed} killed (${count(["Timeout"])} by the time they took), ` +
      `${survivors.length} survived, ${excused} of these justified; score ${score}`,
  )
  return wrong
}

const args = process.argv.slice(2)
const force = args.includes("--force")
const problems = []
for (const [folder, patterns] of asked(args.filter((arg) => arg !== "--force"))) {
  mkdirSync(`temp/mutation/${folder}`, { recursive: true })
  const began = Date.now()
  forgetSurvivors(folder)
  await new Stryker(options(folder, patterns, force)).runMutationTest()
  problems.push(...judge(folder, patterns))
  console.log(`${folder}: took ${Math.round((Date.now() - began) / 1000)} s`)
}
for (const problem of problems) console.log(problem)
if (problems.length > 0) process.exitCode = 1
