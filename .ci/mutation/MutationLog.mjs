/** A reporter of Stryker's: a line for each mutant as soon as it was tried, and how long that took. */
class MutationLog {
  #last = Date.now()

  onMutationTestingPlanReady() {
    this.#last = Date.now()
  }

  onMutantTested({ fileName, location, mutatorName, replacement, status, testsCompleted }) {
    const took = Date.now() - this.#last
    this.#last = Date.now()
    const change = `${mutatorName}: ${replacement.replace(/\s+/g, " ").slice(0, 80)}`
    const at = `${fileName.replace(/^.*\/src\//, "src/")}:${location.start.line}`
    console.log(`${status} ${at} ${change} (${testsCompleted ?? 0} tests, ${took} ms)`)
  }
}

export const strykerPlugins = [{ kind: "Reporter", name: "log", injectableClass: MutationLog }]
