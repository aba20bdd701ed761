/** Scripts, and databases in which they were taken without any crash. */
import { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { endProblems, persist } from "./Persistence.js"
import { makeScript, type Script, withoutRefusals } from "./Script.js"
import { readTables, tableProblems } from "./Tables.js"

/** Several scripts, each for an account of its own. */
export const makeScripts = async (options: {
  readonly name: string
  readonly seed: number
  readonly lanes: number
  readonly steps: number
  /** Whether every step can be taken again at any time. */
  readonly isRepeatable?: boolean
}): Promise<ReadonlyArray<Script>> => {
  const { name, seed, lanes, steps, isRepeatable = false } = options
  const scripts: Array<Script> = []
  for (let lane = 0; lane < lanes; lane += 1) {
    const accountId = `${name} ${seed} ${lane}`
    const script = await makeScript({ accountId, seed: seed * 100 + lane, steps })
    scripts.push(isRepeatable ? withoutRefusals(script) : script)
  }
  return scripts
}

const accountsOf = (scripts: ReadonlyArray<Script>) => scripts.map(({ accountId }) => accountId)

/** Takes scripts in the database of a client, and gives the tables that they leave. */
export const undisturbed = Effect.fnUntraced(function* (scripts: ReadonlyArray<Script>) {
  const storage = yield* SqlStorage.make({ migrate: true })
  const problems: Array<string> = []
  for (const script of scripts) problems.push(...(yield* persist(storage, script)).problems)
  // Links are waited for with this.
  problems.push(...(yield* endProblems(storage, scripts)))
  const tables = yield* readTables(yield* SqlClient.SqlClient, accountsOf(scripts))
  return { problems, tables }
})

/** What the database of a client holds is what was to be left, by its stores and by its tables. */
export const disturbedProblems = Effect.fnUntraced(function* (
  scripts: ReadonlyArray<Script>,
  must: Effect.Success<ReturnType<typeof undisturbed>>,
) {
  const storage = yield* SqlStorage.make({ migrate: true })
  const problems = yield* endProblems(storage, scripts)
  const tables = yield* readTables(yield* SqlClient.SqlClient, accountsOf(scripts))
  return [...must.problems, ...problems, ...tableProblems(tables, must.tables)]
})
