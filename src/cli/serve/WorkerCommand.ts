/** `apportion worker`: carries out jobs, beside other workers on the same database. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runnerLayer } from "../../cluster/Runner.js"
import { connectedShops } from "../../ports/ConnectedShop.js"
import { Storage } from "../../ports/Storage.js"
import { servicesLayer } from "../../service/Services.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import * as Database from "../data/Database.js"
import * as DatabaseOptions from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import * as ServeLog from "./ServeLog.js"
import * as ServeRails from "./ServeRails.js"
import * as ServeSettings from "./ServeSettings.js"
import * as ServeShops from "./ServeShops.js"

/** The flags as they were written. */
export interface WorkerFlags {
  readonly databaseUrl: string | undefined
  readonly connections: string
  readonly host: string
  readonly port: string
  readonly steps: string
  readonly calls: string
  readonly closeDueEvery: string | undefined
  readonly maturityDays: string
  readonly logFormat: string
  readonly logLevel: string
  readonly otlp: string | undefined
}

/** The files that flags name. */
export interface WorkerFiles extends ServeSettings.SettingsFiles {
  readonly shops: Source | undefined
}

const sweepEvery = "5 minutes"

const logOf = ({ logFormat, logLevel }: WorkerFlags) => {
  const format = ServeLog.logFormats.find((one) => one === logFormat)
  const level = ServeLog.logLevels.find((one) => one === logLevel)
  const problem = (flag: string, names: ReadonlyArray<string>, got: string) =>
    `--${flag}: must be one of ${names.join(", ")}, got "${got}"`
  return {
    format: format ?? "text",
    level: level ?? "info",
    problems: [
      format === undefined ? problem("log-format", ServeLog.logFormats, logFormat) : undefined,
      level === undefined ? problem("log-level", ServeLog.logLevels, logLevel) : undefined,
    ],
  }
}

/** Checks the flags; all problems are reported at once. */
const check = (flags: WorkerFlags, environment: Session["io"]["environment"]) => {
  const { closeDueEvery } = flags
  const found = DatabaseOptions.find({ ...flags, data: undefined }, environment)
  const { problems: logProblems, ...log } = logOf(flags)
  const ranges = [
    ["port", 1, 65_535],
    ["steps", 1, 64],
    ["calls", 1, 256],
  ] as const
  const isServer = found.place._tag === "Server" || found.problems.length > 0
  const problems = [
    ...found.problems,
    isServer
      ? undefined
      : `--database-url: is missing: name the database of a PostgreSQL server, or set ${DatabaseOptions.urlVariable}`,
    ...ranges.map(([flag, least, most]) => wholeProblem(flags[flag], { flag, least, most })),
    closeDueEvery === undefined
      ? undefined
      : wholeProblem(closeDueEvery, { flag: "close-due-every", least: 1, most: 31_536_000 }),
    wholeProblem(flags.maturityDays, { flag: "maturity-days", least: 0, most: 3_650 }),
    ...logProblems,
    ServeLog.collectorProblem(flags.otlp),
  ].filter((problem) => problem !== undefined)
  if (found.place._tag !== "Server" || problems.length > 0) {
    throw new ExitCode.UnusableInput({ message: problems.join("\n") })
  }
  return { place: found.place, log }
}

const telemetryOf = async (otlp: string | undefined): Promise<Layer.Layer<never>> =>
  otlp === undefined ? Layer.empty : (await import("./ServeTelemetry.js")).layer(otlp)

const storageOf = (place: DatabaseOptions.Server, note: (message: string) => void) => {
  const storage = Effect.mapError(SqlStorage.make(), Database.schemaFailure(place))
  return Layer.provideMerge(
    Layer.effect(Storage, storage),
    Database.layer(place, { create: false, note }),
  )
}

/** Runs the command until a signal ends it, and returns the exit code. */
export const run = async (
  session: Session,
  { flags, inputs }: { readonly flags: WorkerFlags; readonly inputs: WorkerFiles },
): Promise<number> => {
  const { io, note } = session
  const { place, log } = check(flags, io.environment)
  const shops = await ServeShops.read(inputs.shops, io.environment)
  const maturityDays = Number(flags.maturityDays)
  const files = await ServeSettings.read(inputs, { webhooks: "public", maturityDays }, note)
  const { host, closeDueEvery } = flags
  const every = closeDueEvery === undefined ? undefined : Duration.seconds(Number(closeDueEvery))
  const [port, steps, calls] = [flags.port, flags.steps, flags.calls].map(Number)
  const layer = runnerLayer({
    ...{ host, port: port ?? 0, steps, calls, closeDueEvery: every },
    sweepInboxesEvery: shops.length === 0 ? undefined : sweepEvery,
  }).pipe(
    Layer.provide(servicesLayer),
    Layer.provide([files.rates, ServeRails.layer, connectedShops(shops)]),
    Layer.provide(storageOf(place, note)),
    Layer.provide(files.settings),
    Layer.provide(await telemetryOf(flags.otlp)),
    Layer.provide(ServeLog.layer({ ...log, write: note })),
  )
  const untilStopped = async () => {
    // From here on a signal is handled: a reader of the line may send one at once.
    const end = io.stopped()
    await io.stdout.write(`apportion carries out jobs; workers reach it at ${host}:${port}\n`)
    await end
  }
  const working = Effect.andThen(
    Effect.mapError(Layer.build(layer), Database.failed(place)),
    Effect.tryPromise({ try: untilStopped, catch: ExitCode.stopped }),
  )
  await Effect.runPromise(Effect.scoped(working))
  return ExitCode.success
}
