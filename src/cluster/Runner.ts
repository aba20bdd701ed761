/**
 * Carrying out jobs: in one process, or in several that share a database.
 *
 * @since 0.6.0
 */

import type * as Context from "effect/Context"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Runners from "effect/cluster/Runners"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SocketRunner from "effect/cluster/SocketRunner"
import * as SqlMessageStorage from "effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as Digest from "effect/crypto/Digest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Storage } from "../ports/Storage.js"
import type { HeldTurn } from "./internal/heldTurns.js"
import { makeIndexes } from "./internal/retention.js"
import * as starter from "./internal/starter.js"
import { prefix } from "./internal/tables.js"
import { groupOf, TurnVersion, turnOf } from "./internal/turn.js"
import * as turns from "./internal/turns.js"
import type { JobServices } from "./internal/work.js"
import type { JobsUnavailable } from "./Job.js"
import { Jobs } from "./Jobs.js"

export type { JobServices } from "./internal/work.js"

/**
 * How much a runner does, and what it enqueues by the clock.
 *
 * @since 0.6.0
 * @category models
 */
export interface WorkOptions {
  /**
   * How many accounts' jobs that change the database are carried out at a time, 1 to 64; 4 when absent. Each needs a
   * connection of the client, beside four of the runner itself.
   */
  readonly steps?: number | undefined
  /** How many jobs that ask others, as rails, 1 to 256; 16 when absent. */
  readonly calls?: number | undefined
  /** How long an account is worked for while others wait, in milliseconds, 10 to 60000; 250 when absent. */
  readonly sliceMillis?: number | undefined
  /** How often a `close-due` of each account is enqueued, such as `"1 hour"`; never when absent. */
  readonly closeDueEvery?: Duration.Input | undefined
  /** How often a `sweep-inbox` of each connected shop is enqueued; never when absent. */
  readonly sweepInboxesEvery?: Duration.Input | undefined
  /**
   * How often a `purge` of each account is enqueued, such as `"1 day"`; never when absent. The runners need the settings
   * of the host: they say what is old.
   */
  readonly purgeEvery?: Duration.Input | undefined
  /** For how long jobs that are done can be looked up; 7 days when absent. */
  readonly keep?: Duration.Input | undefined
}

/**
 * How a runner is reached by the others.
 *
 * @since 0.6.0
 * @category models
 */
export interface RunnerOptions extends WorkOptions {
  /**
   * The address by which the other runners reach this one; `127.0.0.1` when absent. Whoever reaches the port can have
   * it carry out turns: it belongs into a network of its own.
   */
  readonly host?: string | undefined
  /** The port. */
  readonly port: number
}

/**
 * The runner could not be started: its port is taken, or a package that it needs is missing.
 *
 * @since 0.6.0
 * @category errors
 */
export class RunnerFailed extends Schema.TaggedError<RunnerFailed>()("RunnerFailed", {
  /** The failure underneath; for logs. */
  cause: Schema.Defect(),
  message: Schema.String,
}) {}

const failedBy = (cause: unknown, doing: string): RunnerFailed => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new RunnerFailed({ cause, message: `the runner can't ${doing}: ${reason}` })
}

const whole = (
  value: number | undefined,
  usual: number,
  [least, most]: readonly [number, number],
) => Math.min(most, Math.max(least, Math.trunc(value ?? usual)))

const secondsOf = (input: Duration.Input | undefined): number | undefined =>
  input === undefined ? undefined : Math.max(1, Duration.toSeconds(Duration.fromInputUnsafe(input)))

/** How many turns of each manner are under way in all runners together; more of them would wait in the runners. */
const mostActive = 100

/** The turns, and what looks for them. */
const working = (options: WorkOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const storage = yield* Storage
      yield* Effect.mapError(makeIndexes(sql), (error) => failedBy(error, "make its indexes"))
      const tools = {
        ...{ sql, storage, mostActive, held: new Set<HeldTurn>() },
        turns: turnOf(yield* TurnVersion),
        steps: whole(options.steps, 4, [1, 64]),
        calls: whole(options.calls, 16, [1, 256]),
        sliceMillis: whole(options.sliceMillis, 250, [10, 60_000]),
        closeDueEvery: secondsOf(options.closeDueEvery),
        sweepInboxesEvery: secondsOf(options.sweepInboxesEvery),
        purgeEvery: secondsOf(options.purgeEvery),
        keepSeconds: secondsOf(options.keep ?? "7 days") ?? 0,
      }
      const looking = Layer.effectDiscard(Effect.forkScoped(starter.run(tools)))
      return Layer.provideMerge(looking, turns.layer(tools))
    }),
  )

/** What holds for all runners of a version: they have to agree on how many shards there are. */
const shards = {
  shardsPerGroup: 64,
  // Locks of a session are kept as long as the database believes in it, which may be hours after a broken network.
  shardLockDisableAdvisory: true,
  shardLockRefreshInterval: "3 seconds",
  shardLockExpiration: "10 seconds",
  runnerHealthCheckInterval: "5 seconds",
  // Who is gone is found out as soon as its locks have expired.
  refreshAssignmentsInterval: "1 second",
  entityMessagePollInterval: "1 second",
  entityTerminationTimeout: "10 seconds",
} as const

const config = (runner: Partial<ShardingConfig.ShardingConfig["Service"]> = {}) =>
  Layer.unwrap(
    Effect.map(TurnVersion, (version) => {
      const groups = [groupOf(version)]
      const divided = { availableShardGroups: groups, assignedShardGroups: groups }
      return ShardingConfig.layer({ ...shards, ...divided, ...runner })
    }),
  )

const messages = SqlMessageStorage.layerWith({ prefix }).pipe(Layer.provide(Digest.layerWebCrypto))

/** The work over a way of dividing it among runners. */
const workOver = <E, R>(
  options: WorkOptions,
  sharding: Layer.Layer<Sharding.Sharding | MessageStorage, E, R>,
) =>
  Layer.provideMerge(
    working(options).pipe(Layer.provide(Layer.provideMerge(ClusterWorkflowEngine.layer, sharding))),
    Jobs.layer,
  )

/**
 * Carries out jobs in this process alone: the simple way for who has one. The database may be PGlite.
 *
 * @since 0.6.0
 * @category layers
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { Jobs, singleRunnerLayer } from "apportion/cluster"
 * import { ExchangeRates } from "apportion/ports"
 * import { servicesLayer } from "apportion/service"
 * import { PgliteClient, SqlStorage } from "apportion/sql"
 * import { Effect, Layer } from "effect"
 *
 * const database = await PGlite.create()
 * const layer = singleRunnerLayer().pipe(
 *   Layer.provide(Layer.provide(servicesLayer, ExchangeRates.none)),
 *   Layer.provide(SqlStorage.layer({ migrate: true })),
 *   Layer.provide(PgliteClient.layer(Effect.succeed(database))),
 * )
 * const program = Effect.gen(function* () {
 *   const jobs = yield* Jobs
 *   yield* jobs.enqueue([{ kind: "close-due", accountId: "my-store" }])
 *   while ((yield* jobs.figures).waiting > 0) yield* Effect.sleep("50 millis")
 *   const job = yield* jobs.get({ kind: "close-due", accountId: "my-store", key: "" })
 *   return job?.outcome
 * })
 * await Effect.runPromise(Effect.provide(program, layer)) // => "closed 0, rolled 0"
 * await database.close()
 * ```
 */
export const singleRunnerLayer = (
  options: WorkOptions = {},
): Layer.Layer<Jobs, RunnerFailed | JobsUnavailable, SqlClient | Storage | JobServices> => {
  const sharding = Sharding.layer.pipe(
    Layer.provide(Runners.layerNoop),
    Layer.provideMerge(messages),
    Layer.provide([RunnerStorage.layerMemory, RunnerHealth.layerNoop]),
    Layer.provide(config()),
  )
  return workOver(options, sharding)
}

const unable = (cause: unknown, doing: string) =>
  Layer.effectContext(
    Effect.suspend(
      (): Effect.Effect<Context.Context<Sharding.Sharding | MessageStorage>, RunnerFailed> =>
        Effect.fail(failedBy(cause, doing)),
    ),
  )

const missing = (cause: unknown) =>
  failedBy(cause, "be started without the package @effect/platform-node")

/**
 * Carries out jobs in this process, beside others over the same database: each of them has a part of the accounts, and
 * when one ends, the others go on with its part. It needs a PostgreSQL server, `@effect/sql-pg` and
 * `@effect/platform-node`.
 *
 * @since 0.6.0
 * @category layers
 * @example
 * ```ts
 * import { PgClient } from "@effect/sql-pg"
 * import { runnerLayer } from "apportion/cluster"
 * import { ExchangeRates } from "apportion/ports"
 * import { servicesLayer } from "apportion/service"
 * import { SqlStorage } from "apportion/sql"
 * import { Layer, Redacted } from "effect"
 *
 * const url = Redacted.make("postgres://shop:secret@db.example/shop")
 * const layer = runnerLayer({ host: "10.0.0.7", port: 34431, closeDueEvery: "1 hour" }).pipe(
 *   Layer.provide(Layer.provide(servicesLayer, ExchangeRates.none)),
 *   Layer.provide(SqlStorage.layer()),
 *   Layer.provide(PgClient.layer({ url, maxConnections: 20 })),
 * )
 * // In the program of each machine: Layer.launch(layer)
 * Layer.isLayer(layer) // => true
 * ```
 */
export const runnerLayer = (
  options: RunnerOptions,
): Layer.Layer<Jobs, RunnerFailed | JobsUnavailable, SqlClient | Storage | JobServices> => {
  const { host = "127.0.0.1", port } = options
  const address = RunnerAddress.make(host, port)
  const sharding = Layer.unwrap(
    Effect.gen(function* () {
      const sockets = yield* Effect.tryPromise({
        try: () => import("@effect/platform-node/NodeClusterSocket"),
        catch: missing,
      })
      const health = RunnerHealth.layerPing.pipe(
        Layer.provide(Runners.layerRpc),
        Layer.provide(sockets.layerClientProtocol),
      )
      return SocketRunner.layer.pipe(
        Layer.provide([sockets.layerSocketServer, sockets.layerClientProtocol, health]),
        Layer.provideMerge(messages),
        Layer.provide(SqlRunnerStorage.layerWith({ prefix })),
        Layer.provide([
          config({ runnerAddress: Option.some(address) }),
          RpcSerialization.layerSchemaBinary(),
        ]),
        Layer.catch((error) => unable(error, `listen on port ${port} of ${host}`)),
      )
    }),
  )
  return workOver(options, sharding)
}
