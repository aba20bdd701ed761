/** A client that has each statement's plan told before it runs the statement. */
import { Effect, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

type Connection = Effect.Success<SqlClient.SqlClient["reserve"]>

/** A step of a plan, with those that it asks. */
export interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Sort Method"?: string
  readonly "Rows Removed by Filter"?: number
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Heap Fetches"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

/** How the database did what a statement asks, and how it would if it did not look at the parameters. */
export interface Explained {
  readonly statement: string
  readonly plan: Plan
  /** Once a statement was asked a few times, the database may plan it for any parameters. */
  readonly generic: Plan
  readonly milliseconds: number
}

const isExplicable = (statement: string): boolean =>
  /^(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(statement)

interface Told {
  readonly Plan: Plan
  readonly "Execution Time"?: number
}

const toldIn = ([row]: ReadonlyArray<Record<string, unknown>>): Told => {
  const told = row?.["QUERY PLAN"]
  const [first]: ReadonlyArray<Told> = typeof told === "string" ? JSON.parse(told) : told
  if (first === undefined) throw new TypeError("there is no plan")
  return first
}

const countOf = (statement: string): number =>
  Math.max(0, ...Array.from(statement.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))

/** Has a statement's plans told; what it changes meanwhile is taken back. */
const explain = (connection: Connection, statement: string, parameters: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const ask = (text: string, given: ReadonlyArray<unknown> = []) =>
      connection.executeUnprepared(text, given, undefined)
    yield* ask("SAVEPOINT before_plan")
    const done = yield* ask(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${statement}`,
      parameters,
    )
    yield* ask("ROLLBACK TO SAVEPOINT before_plan")
    yield* ask("SET LOCAL plan_cache_mode = force_generic_plan")
    yield* ask(`PREPARE explained AS ${statement}`)
    const nulls = Array.from({ length: countOf(statement) }, () => "NULL").join(", ")
    const generic = yield* ask(
      `EXPLAIN (FORMAT JSON) EXECUTE explained${nulls === "" ? "" : ` (${nulls})`}`,
    )
    yield* ask("DEALLOCATE explained")
    yield* ask("ROLLBACK TO SAVEPOINT before_plan")
    yield* ask("RELEASE SAVEPOINT before_plan")
    const { Plan: plan, "Execution Time": milliseconds = 0 } = toldIn(done)
    return { statement, plan, generic: toldIn(generic).Plan, milliseconds }
  })

/** A client whose transactions tell the plan of each statement that reads or writes rows. */
export const explaining = (
  sql: SqlClient.SqlClient,
  onExplained: (explained: Explained) => void,
): SqlClient.SqlClient => {
  const tellingOf = (connection: Connection): Connection => {
    // Statements are sent while others are unanswered: each is explained and run before the next one's turn.
    const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
    return {
      ...connection,
      executeUnprepared: (...given) => inTurn(connection.executeUnprepared(...given)),
      // What ends transactions.
      executeRaw: (...given) => inTurn(connection.executeRaw(...given)),
      execute: (statement, parameters, transform) => {
        const run = connection.execute(statement, parameters, transform)
        if (!isExplicable(statement)) return inTurn(run)
        const told = Effect.map(explain(connection, statement, parameters), onExplained)
        return inTurn(Effect.andThen(told, run))
      },
    }
  }
  // What is no transaction's is asked of the client itself.
  const ask = (statement: string) =>
    Effect.gen(function* () {
      if (isExplicable(statement)) {
        const told = sql.unsafe<Record<string, unknown>>(`EXPLAIN (FORMAT JSON) ${statement}`)
        const { Plan: plan } = toldIn(yield* told)
        onExplained({ statement, plan, generic: plan, milliseconds: 0 })
      }
      return yield* sql.unsafe(statement)
    })
  return new Proxy(sql, {
    get: (target, name): unknown => {
      if (name === "unsafe") return ask
      return name === "reserve" ? Effect.map(target.reserve, tellingOf) : Reflect.get(target, name)
    },
  })
}

/** What a plan asks, with itself. */
export const stepsOf = (plan: Plan): ReadonlyArray<Plan> => [
  plan,
  ...(plan.Plans ?? []).flatMap(stepsOf),
]

/** The tables of which a plan reads every row there is, those of all accounts. */
export const scannedBy = (plan: Plan): ReadonlyArray<string> =>
  stepsOf(plan)
    .filter((step) => step["Node Type"] === "Seq Scan")
    .map((step) => step["Relation Name"] ?? "")

/** How many rows each table has, as the planner knows it. */
export const sizes = (
  sql: SqlClient.SqlClient,
): Effect.Effect<ReadonlyMap<string, number>, SqlError> =>
  Effect.map(
    sql.unsafe<{ readonly name: string; readonly size: unknown }>(
      `SELECT relname AS name, reltuples::bigint::text AS size FROM pg_class
        WHERE relnamespace = 'apportion'::regnamespace AND relkind = 'r'`,
    ),
    (rows) => new Map(rows.map(({ name, size }) => [name, Number(size)])),
  )
