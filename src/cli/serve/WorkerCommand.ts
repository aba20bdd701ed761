/** `apportion worker`: carries out jobs, beside other workers on the same database. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
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
import * as ServeMetrics from "./ServeMetrics.js"
import * as ServeRails from "./ServeRails.js"
import * as ServeReports from "./ServeReports.js"
import * as ServeSettings from "./ServeSettings.js"
import * as ServeShops from "./ServeShops.js"
import * as ServeWebhooks from "./ServeWebhooks.js"

/** The flags as given. */
export interface WorkerFlags extends ServeReports.ReportFlags {
  readonly databaseUrl: string | undefined
  readonly connections: string
  readonly host: string
  readonly port: string
  readonly steps: string
  readonly calls: string
  readonly closeDueEvery: string | undefined
  readonly maturityDays: string
  readonly historyMonths: string
  readonly webhooks: string
}

/** The files that flags name. */
export interface WorkerFiles extends ServeSettings.SettingsFiles {
  readonly shops: Source | undefined
}

const sweepEvery = "5 minutes"

/** As `apportion serve` does. */
const purgeEvery = "1 day"

/** Checks the flags; all problems are reported at once. */
const check = (flags: WorkerFlags, environment: Session["io"]["environment"]) => {
  const { closeDueEvery } = flags
  const targets = ServeWebhooks.webhookTargets.find((one) => one === flags.webhooks)
  const found = DatabaseOptions.find({ ...flags, data: undefined }, environment)
  const { problems: reportProblems, ...reports } = ServeReports.check(flags)
  const ranges = [
    ["port", 1, ServeReports.largestPort],
    ["steps", 1, 64],
    ["calls", 1, 256],
  ] as const
  const isServer = found.place._tag === "Server" || found.problems.length > 0
  const problems = [
    ...found.problems,
    isServer
      ? undefined
      : `--database-url: is missing: name the database of a PostgreSQL server, or set ${DatabaseOptions.urlVariable}`,
    ServeReports.hostProblem(flags.host),
    ...ranges.map(([flag, least, most]) => wholeProblem(flags[flag], { flag, least, most })),
    closeDueEvery === undefined
      ? undefined
      : wholeProblem(closeDueEvery, { flag: "close-due-every", least: 1, most: 31_536_000 }),
    wholeProblem(flags.maturityDays, { flag: "maturity-days", least: 0, most: 3_650 }),
    wholeProblem(flags.historyMonths, { flag: "history-months", least: 0, most: 1_200 }),
    targets === undefined ? ServeWebhooks.targetsProblem(flags.webhooks) : undefined,
    ...reportProblems,
  ].filter((problem) => problem !== undefined)
  if (found.place._tag !== "Server" || problems.length > 0) {
    throw new ExitCode.UnusableInput({ message: problems.join("\n") })
  }
  return { place: found.place, webhooks: targets ?? "off", reports }
}

const telemetryOf = async (otlp: string | undefined): Promise<Layer.Layer<never>> =>
  otlp === undefined ? Layer.empty : (await import("./ServeTelemetry.js")).layer(otlp)

const storageOf = (place: DatabaseOptions.Server, note: (message: string) => void) => {
  const storage = Effect.mapError(SqlStorage.make(), Database.schemaFailure(place))
  return Layer.provideMerge(
    Layer.effect(Storage, storage),
    // Short, because other workers wait for the locks of a worker that was cut off.
    Database.layer(place, { create: false, note, silence: "10s" }),
  )
}

/** Runs the command until a signal ends it, and returns the exit code. */
export const run = async (
  session: Session,
  { flags, inputs }: { readonly flags: WorkerFlags; readonly inputs: WorkerFiles },
): Promise<number> => {
  const { io, note } = session
  const { place, webhooks, reports } = check(flags, io.environment)
  const shops = await ServeShops.read(inputs.shops, io.environment)
  const [maturityDays, historyMonths] = [Number(flags.maturityDays), Number(flags.historyMonths)]
  const settings = { webhooks, maturityDays, historyMonths }
  const files = await ServeSettings.read(inputs, settings, note)
  const { host, closeDueEvery } = flags
  const every = closeDueEvery === undefined ? undefined : Duration.seconds(Number(closeDueEvery))
  const [port, steps, calls] = [flags.port, flags.steps, flags.calls].map(Number)
  const runner = runnerLayer({
    ...{ host, port: port ?? 0, steps, calls, closeDueEvery: every, purgeEvery },
    sweepInboxesEvery: shops.length === 0 ? undefined : sweepEvery,
  })
  const sending = webhooks === "off" ? Layer.empty : ServeWebhooks.layer(webhooks)
  const layer = Layer.mergeAll(runner, sending).pipe(
    Layer.provide(servicesLayer),
    Layer.provide([files.rates, ServeRails.layer, connectedShops(shops)]),
    Layer.provide(storageOf(place, note)),
    Layer.provide(files.settings),
    Layer.provide(await telemetryOf(reports.otlp)),
    Layer.provideMerge(ServeMetrics.layer()),
    Layer.provide(
      ServeLog.layer({ format: reports.logFormat, level: reports.logLevel, write: note }),
    ),
  )
  const untilStopped = async () => {
    // Signals are handled before the line is printed: its reader may send one at once.
    const end = io.stopped()
    await io.stdout.write(`apportion carries out jobs; workers reach it at ${host}:${port}\n`)
    await end
    return ExitCode.success
  }
  const working = Effect.gen(function* () {
    const context = yield* Effect.mapError(Layer.build(layer), Database.failed(place))
    const figures = () => Effect.runPromiseWith(context)(PrometheusMetrics.format())
    const reported = { ...reports, figures }
    return yield* Effect.tryPromise({
      try: () => ServeReports.withMetrics(session, reported, untilStopped),
      catch: ExitCode.stopped,
    })
  })
  return Effect.runPromise(Effect.scoped(working))
}
