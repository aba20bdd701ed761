/**
 * A client of `effect/sql` around another one: it counts the steps that are taken with the database (asking
 * for a connection, beginning, each statement, committing, rolling back), and at one of them it breaks as it
 * is told.
 */
import { Clock, Effect, type Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { type Boundary, codeOf, type Fault, type Kind } from "./Fault.js"

type Connection = SqlConnection.Connection
type Failing<A> = Effect.Effect<A, SqlError.SqlError>

/** What is to break, and where. */
export interface Plan {
  /** Which step, counted from 0. */
  readonly at: number
  readonly fault: Fault
}

/** How a client behaves. */
export interface Arms {
  readonly plan?: Plan | undefined
  /** What is done right after a transaction that may write was kept, on its connection. */
  readonly onCommit?: ((connection: Connection) => Effect.Effect<void>) | undefined
  /** Makes whoever called give up. */
  readonly interrupt?: (() => void) | undefined
}

/** What happened since the client was armed. */
export interface Watch {
  readonly boundaries: Array<Boundary>
  /** Whether what was planned came to pass. */
  happened: boolean
  /** How many transactions that may write were kept by the database, whatever was told of it. */
  commits: number
  /** How many connections are asked for, and not there yet. */
  asked: number
  /** How many connections are out. */
  reserved: number
  /** Connections that were given back as nobody can use them. */
  readonly spoiled: Array<string>
}

/** A connection that is out. */
interface Lease {
  readonly real: Connection
  /** What it is called at the server; `undefined`: it can't be killed there. */
  readonly process: number | undefined
  isDead: boolean
  isOpen: boolean
  isAborted: boolean
  isReadOnly: boolean
}

const connectionLost = (when: string): SqlError.SqlError => {
  const cause = new TypeError(`planted: the connection broke ${when}`)
  const about = { cause, message: cause.message, operation: "query" }
  return new SqlError.SqlError({ reason: new SqlError.ConnectionError(about) })
}

const kindOf = (statement: string): Kind => {
  const [word = ""] = /^\w+/.exec(statement) ?? []
  const kinds: Readonly<Record<string, Kind>> = {
    BEGIN: "begin",
    COMMIT: "commit",
    ROLLBACK: "rollback",
  }
  return kinds[word] ?? "statement"
}

/** What has the database itself answer with a code; in a transaction, that is over with it. */
const raise = (code: string): string =>
  `DO $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '${code}'; END $$`

const liveClock = Effect.runSync(Clock.Clock)

/** Time stands still for the services, but not for clients. */
const live = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Clock.Clock, liveClock)

const moment = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 2)))

/** Puts something between a client and the database, for the test of the tests. */
export type Sabotage = (connection: Connection) => Connection

/** What the client is made of. */
export interface FaultyOptions {
  /** Ends a connection at the server, where there is one. */
  readonly kill?: ((process: number) => Effect.Effect<void>) | undefined
  readonly sabotage?: Sabotage | undefined
}

const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: Statement.defaultEscape('"'),
  onRecordUpdate: () => ["", []],
  onCustom: () => ["", []],
})

/** A client that can be armed. */
export class FaultyClient {
  readonly #real: SqlClient.SqlClient
  readonly #options: FaultyOptions
  #arms: Arms = {}
  #watch: Watch = FaultyClient.#newWatch()

  constructor(real: SqlClient.SqlClient, options: FaultyOptions = {}) {
    this.#real = real
    this.#options = options
  }

  static #newWatch(): Watch {
    return { boundaries: [], happened: false, commits: 0, asked: 0, reserved: 0, spoiled: [] }
  }

  /** Begins to count anew, and breaks as planned. */
  arm(arms: Arms): Watch {
    this.#arms = arms
    this.#watch = FaultyClient.#newWatch()
    return this.#watch
  }

  /** The client itself. */
  readonly client: Effect.Effect<SqlClient.SqlClient> = Effect.suspend(() =>
    SqlClient.make({
      acquirer: this.#reserve,
      compiler,
      driver: this.#real.driver,
      spanAttributes: [],
    }),
  ).pipe(Effect.provide(Reactivity.layer))

  readonly #reserve: Effect.Effect<Connection, SqlError.SqlError, Scope.Scope> = Effect.suspend(
    () => {
      const watch = this.#watch
      const got = Effect.flatMap(live(this.#real.reserve), (real) => this.#lend(watch, real))
      const step = this.#at(watch, { kind: "reserve", statement: "" }, { step: got })
      watch.asked += 1
      return Effect.ensuring(
        step,
        Effect.sync(() => {
          watch.asked -= 1
        }),
      )
    },
  )

  /** Gives a connection out; when it comes back, it is looked at. */
  #lend(
    watch: Watch,
    given: Connection,
  ): Effect.Effect<Connection, SqlError.SqlError, Scope.Scope> {
    const real = this.#options.sabotage?.(given) ?? given
    const { kill } = this.#options
    const named = kill === undefined ? Effect.succeed(undefined) : processOf(given)
    return Effect.flatMap(named, (process) => {
      const state = { isDead: false, isOpen: false, isAborted: false, isReadOnly: false }
      const lease: Lease = { real, process, ...state }
      const out = Effect.sync(() => {
        watch.reserved += 1
        return this.#faulty(watch, lease)
      })
      return Effect.acquireRelease(out, () => takeBack(watch, lease))
    })
  }

  #faulty(watch: Watch, lease: Lease): Connection {
    const run = <A>(statement: string, step: Failing<A>): Failing<A> => {
      const boundary = { kind: kindOf(statement), statement }
      return this.#at(watch, boundary, { step: noted(watch, lease, boundary, step), lease })
    }
    const { real } = lease
    return {
      execute: (statement, parameters, transform) =>
        run(statement, real.execute(statement, parameters, transform)),
      executeRaw: (statement, parameters) => run(statement, real.executeRaw(statement, parameters)),
      executeValues: (statement, parameters) =>
        run(statement, real.executeValues(statement, parameters)),
      executeValuesUnprepared: (statement, parameters) =>
        run(statement, real.executeValuesUnprepared(statement, parameters)),
      executeUnprepared: (statement, parameters, transform) =>
        run(statement, real.executeUnprepared(statement, parameters, transform)),
      executeStream: (statement, parameters, transform) =>
        Stream.fromIterableEffect(run(statement, real.execute(statement, parameters, transform))),
    }
  }

  /** Takes a step, unless it is the one that breaks. */
  #at<A, R>(
    watch: Watch,
    boundary: Boundary,
    {
      step,
      lease,
    }: { readonly step: Effect.Effect<A, SqlError.SqlError, R>; readonly lease?: Lease },
  ): Effect.Effect<A, SqlError.SqlError, R> {
    return Effect.suspend(() => {
      if (lease?.isDead === true && lease.process === undefined) {
        return Effect.fail(connectionLost("before"))
      }
      const { plan, onCommit } = this.#arms
      const place = watch.boundaries.push(boundary) - 1
      const isHere = watch === this.#watch && plan?.at === place
      if (isHere) watch.happened = true
      const taken = isHere ? this.#broken(plan.fault, { step: live(step), lease }) : live(step)
      const isKept = boundary.kind === "commit" && lease?.isReadOnly === false
      return onCommit !== undefined && isKept
        ? Effect.tap(taken, () => live(onCommit(lease.real)))
        : taken
    })
  }

  /** Takes a step at which something breaks. */
  #broken<A, R>(
    fault: Fault,
    {
      step,
      lease,
    }: { readonly step: Effect.Effect<A, SqlError.SqlError, R>; readonly lease: Lease | undefined },
  ): Effect.Effect<A, SqlError.SqlError, R> {
    const { interrupt = () => {} } = this.#arms
    const code = codeOf(fault)
    const lost = (when: string) => Effect.fail(connectionLost(when))
    if (code !== undefined) return Effect.andThen(raised(lease, code), lost("oddly"))
    switch (fault) {
      case "error after":
        return Effect.andThen(step, lost("after"))
      case "dead before":
        // Who was killed at the server finds out by itself.
        return Effect.andThen(
          this.#die(lease),
          lease?.process === undefined ? lost("before") : step,
        )
      case "dead after":
        return Effect.andThen(Effect.andThen(step, this.#die(lease)), lost("after"))
      case "delay":
        return Effect.andThen(moment, step)
      case "interruption before":
        return Effect.andThen(Effect.andThen(Effect.sync(interrupt), Effect.yieldNow), step)
      case "interruption during":
        return Effect.andThen(this.#soon(interrupt), step)
      default:
        return lost("before")
    }
  }

  /** Does something when the step that comes next is under way. */
  #soon(action: () => void): Effect.Effect<void> {
    const isInProcess = this.#real.driver === "pglite"
    return Effect.sync(() => (isInProcess ? queueMicrotask(action) : setImmediate(action)))
  }

  #die(lease: Lease | undefined): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (lease === undefined) return Effect.void
      lease.isDead = true
      const { kill } = this.#options
      return lease.process === undefined || kill === undefined
        ? Effect.void
        : live(kill(lease.process))
    })
  }
}

const processOf = (connection: Connection): Effect.Effect<number | undefined, SqlError.SqlError> =>
  Effect.map(
    live(connection.execute("SELECT pg_backend_pid()::int AS process", [], undefined)),
    ([row]) => Number(row?.process),
  )

/** Has the database answer with a code. */
const raised = (lease: Lease | undefined, code: string): Failing<void> =>
  lease === undefined
    ? Effect.void
    : live(lease.real.executeUnprepared(raise(code), [], undefined)).pipe(
        Effect.tapError(() =>
          Effect.sync(() => {
            lease.isAborted = lease.isOpen
          }),
        ),
        Effect.asVoid,
      )

/** Notes what a step that the database took means for the transaction. */
const noted = <A>(
  watch: Watch,
  lease: Lease,
  { kind, statement }: Boundary,
  step: Failing<A>,
): Failing<A> => {
  const done = Effect.sync(() => {
    if (kind === "begin") {
      lease.isOpen = true
      lease.isAborted = false
      lease.isReadOnly = statement.includes("READ ONLY")
    }
    if (kind === "commit" && lease.isOpen && !lease.isAborted && !lease.isReadOnly)
      watch.commits += 1
    if (kind === "commit" || kind === "rollback") lease.isOpen = false
  })
  const failed = Effect.sync(() => {
    lease.isAborted = lease.isOpen
  })
  return Effect.onExit(step, (exit) => (exit._tag === "Success" ? done : failed))
}

/** What the server does with a connection that died, and a look at one that did not. */
const takeBack = (watch: Watch, lease: Lease): Effect.Effect<void> =>
  Effect.suspend(() => {
    watch.reserved -= 1
    if (!lease.isOpen || (lease.isDead && lease.process !== undefined)) return Effect.void
    if (!lease.isDead) watch.spoiled.push("a connection was given back within a transaction")
    return Effect.ignore(live(lease.real.executeUnprepared("ROLLBACK", [], undefined)))
  })
