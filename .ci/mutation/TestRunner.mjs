import { existsSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { setImmediate as nextRound } from "node:timers/promises"
import { boundArrays } from "./memory.mjs"
import { measured, messageOf, untilOneFails } from "./running.mjs"
import { TestFiles } from "./TestFiles.mjs"
import { Turns } from "./Turns.mjs"

/** What each test takes when nothing is mutated: in a file, since Stryker starts a new process after a timeout. */
const measuresFile = "measures.json"

/** How many milliseconds tests may take in modules that ran with other mutants before. */
const quick = 300

const patienceToLoad = { turns: 50_000_000, milliseconds: 60_000 }

/** Stryker's numbers for what became of a test. */
const [succeeded, failed] = [0, 1]

const broken = (error) => ({ status: "error", errorMessage: messageOf(error, "stack") })

/** What the trial of a mutant says to Stryker. */
const told = ({ endless, failing, failure, count }) => {
  if (endless !== undefined) return { status: "timeout", reason: endless }
  if (failing === undefined) return { status: "survived", nrOfTests: count }
  return { status: "killed", killedBy: [failing.id], failureMessage: failure, nrOfTests: count }
}

/**
 * Runs tests for Stryker in the process that has loaded them, quickest first, until one fails: so a mutant costs
 * milliseconds. What a mutant leaves behind in the memory of modules could make others fail or pass: where that
 * may be so, everything is loaded anew and the mutant is tried again.
 */
class TestRunner {
  static inject = ["options"]

  #files
  #turns = new Turns()
  #measures = new Map()
  #tests = []
  /** Whether it is known which test reaches which mutant. */
  #covered = false
  /** Whether what is loaded was loaded without a mutant. */
  #fit = false
  /** Whether what is loaded never ran with a mutant. */
  #untouched = false
  /** What the mutated modules read and write, by Stryker's names. */
  #stryker = {}
  #rejections = []

  constructor({ judges, judgesEnvironment }) {
    this.#files = new TestFiles(judges, process.cwd())
    Object.assign(process.env, judgesEnvironment)
    globalThis.__stryker__ = this.#stryker
    process.on("unhandledRejection", (reason) => this.#rejections.push(reason))
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    await this.#files.open()
    boundArrays()
    if (!existsSync(measuresFile)) return
    this.#measures = new Map(JSON.parse(readFileSync(measuresFile, "utf8")))
    this.#covered = true
  }

  async dispose() {
    await this.#files.close()
  }

  /**
   * Runs all tests twice: to learn which test reaches which mutant, and then, quickest first, what each takes
   * without that. The second time, tests fail that others must come before.
   */
  async dryRun() {
    try {
      await this.#load()
      const tests = await this.#runAll()
      const { mutantCoverage } = this.#stryker
      this.#covered = true
      await this.#load()
      const again = await this.#runAll()
      writeFileSync(measuresFile, JSON.stringify([...this.#measures]))
      const failing = [...tests, ...again].filter(({ status }) => status === failed)
      return { status: "complete", tests: failing.length > 0 ? failing : tests, mutantCoverage }
    } catch (error) {
      return broken(error)
    }
  }

  async mutantRun(options) {
    this.#rejections.length = 0
    const fromLoadingOn = options.mutantActivation === "static"
    const result = fromLoadingOn ? await this.#loadedWith(options) : await this.#hotSwapped(options)
    await nextRound()
    return this.#rejections.length > 0 ? broken(this.#rejections[0]) : result
  }

  /** Mutates what is loaded. */
  async #hotSwapped(options) {
    if (!this.#fit) await this.#load()
    const chosen = new Set(options.testFilter)
    const tests = () => this.#tests.filter(({ id }) => chosen.has(id))
    if (!this.#untouched) {
      const result = await this.#try(this.#quickOf(tests()), options)
      if (await this.#isCertain(result)) return told(result)
      await this.#load()
    }
    return told(await this.#try(tests(), options))
  }

  /** The first of the quickest tests: those that take no longer than loading everything anew. */
  #quickOf(tests) {
    let spent = 0
    return tests.filter(({ id }) => {
      spent += this.#measures.get(id)?.milliseconds ?? Number.POSITIVE_INFINITY
      return spent < quick
    })
  }

  /** Mutates also what runs when modules are loaded. */
  async #loadedWith(options) {
    this.#activate(options)
    this.#turns.begin(patienceToLoad)
    try {
      await this.#load()
    } catch (error) {
      const endless = this.#deactivate(options)
      return endless === undefined ? broken(error) : told({ endless })
    } finally {
      this.#fit = false
    }
    return told(await this.#try(this.#tests, options))
  }

  async #try(tests, options) {
    this.#untouched = false
    if (options.mutantActivation === "runtime") this.#activate(options)
    const result = await untilOneFails(tests, this.#turns, this.#measures)
    return { ...result, endless: this.#deactivate(options) }
  }

  #activate({ activeMutant, hitLimit }) {
    Object.assign(this.#stryker, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
  }

  /** Gives why the mutant is without end, if it is. */
  #deactivate({ hitLimit }) {
    this.#stryker.activeMutant = undefined
    if (this.#turns.over) return `without end: ${this.#turns.count} turns`
    const { hitCount } = this.#stryker
    return hitCount > hitLimit ? `without end: ${hitCount} times reached` : undefined
  }

  /** Whether it is the mutant by which the last test fails: without it, that test passes. */
  async #isCertain({ failing }) {
    if (failing === undefined) return false
    return (await untilOneFails([failing], this.#turns, this.#measures)).failing === undefined
  }

  /** Loads all modules anew, with the mutant that is active, if any. */
  async #load() {
    this.#fit = false
    this.#tests = await this.#files.load({ covered: this.#covered })
    const timeOf = ({ id }) => this.#measures.get(id)?.milliseconds ?? Number.POSITIVE_INFINITY
    const times = new Map(this.#tests.map((test) => [test, timeOf(test)]))
    this.#tests.sort((one, other) => times.get(one) - times.get(other) || 0)
    this.#fit = true
    this.#untouched = true
  }

  async #runAll() {
    const results = []
    for (const test of this.#tests) {
      this.#stryker.currentTestId = test.id
      const { failure, ...measure } = await measured(test, this.#turns)
      this.#stryker.currentTestId = undefined
      this.#measures.set(test.id, measure)
      const { id, name, startPosition } = test
      const result =
        failure === undefined ? { status: succeeded } : { status: failed, failureMessage: failure }
      const fileName = path.resolve(test.file)
      results.push({
        id,
        name,
        fileName,
        startPosition,
        timeSpentMs: measure.milliseconds,
        ...result,
      })
    }
    return results
  }
}

export const strykerPlugins = [
  { kind: "TestRunner", name: "loaded-once", injectableClass: TestRunner },
]

/** The files of tests, and what is set in the environment for them. */
export const strykerValidationSchema = {
  properties: {
    judges: { type: "array", items: { type: "string" } },
    judgesEnvironment: { type: "object" },
  },
}
