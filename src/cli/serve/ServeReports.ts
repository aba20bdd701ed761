/** The log, the metrics port and the telemetry collector of a long-running process, from its flags. */

import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import type { Session } from "../Session.js"
import * as ServeListener from "./ServeListener.js"
import * as ServeLog from "./ServeLog.js"
import * as ServeMetrics from "./ServeMetrics.js"

/** The flags as given. */
export interface ReportFlags {
  readonly logFormat: string
  readonly logLevel: string
  readonly metricsPort: string | undefined
  readonly metricsHost: string
  readonly otlp: string | undefined
}

/** The checked options. */
export interface Reports {
  readonly logFormat: ServeLog.LogOptions["format"]
  readonly logLevel: ServeLog.LogOptions["level"]
  /** The address of the metrics; `undefined`: no metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** The collector of telemetry. */
  readonly otlp: string | undefined
}

export const largestPort = 65_535

export const hostProblem = (host: string, flag = "host"): string | undefined =>
  /^[\w.:-]+$/.test(host)
    ? undefined
    : `--${flag}: must be the name or address of this computer, as 127.0.0.1, got "${host}"`

/** Checks the flags. */
export const check = ({
  logFormat,
  logLevel,
  metricsPort,
  metricsHost,
  otlp,
}: ReportFlags): Reports & { readonly problems: ReadonlyArray<string | undefined> } => {
  const format = ServeLog.logFormats.find((one) => one === logFormat)
  const level = ServeLog.logLevels.find((one) => one === logLevel)
  const oneOf = (names: ReadonlyArray<string>, got: string) =>
    `must be one of ${names.join(", ")}, got "${got}"`
  const range = { flag: "metrics-port", least: 0, most: largestPort }
  return {
    logFormat: format ?? "text",
    logLevel: level ?? "info",
    metrics:
      metricsPort === undefined ? undefined : { host: metricsHost, port: Number(metricsPort) },
    otlp,
    problems: [
      format === undefined ? `--log-format: ${oneOf(ServeLog.logFormats, logFormat)}` : undefined,
      level === undefined ? `--log-level: ${oneOf(ServeLog.logLevels, logLevel)}` : undefined,
      metricsPort === undefined ? undefined : wholeProblem(metricsPort, range),
      hostProblem(metricsHost, "metrics-host"),
      ServeLog.collectorProblem(otlp),
    ],
  }
}

// Listening on a port, for requests or for metrics.

/** The address to listen on. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly proxies: number
}

/** How long requests under way may take after the signal to end. */
export const patienceMs = 10_000

const reasons: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `--port: ${port} is in use by another program on ${host}: choose another port (0 takes a free one)`,
  EACCES: ({ port }) => `--port: ${port} may not be used (permission denied): try one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `--host: this computer has no address "${host}"`,
  ENOTFOUND: ({ host }) => `--host: there is no address "${host}"`,
}

const reasonOf = (cause: unknown, place: Place): string | undefined => {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  if (typeof code !== "string") return undefined
  return reasons[code]?.(place) ?? `can't listen on port ${place.port} of ${place.host} (${code})`
}

/** Listens, or says why that is not possible. */
export const listen = async (
  session: Session,
  handler: ServeListener.Handler,
  place: Place,
): Promise<ServeListener.Listener | undefined> => {
  try {
    return await ServeListener.listen(handler, place)
  } catch (cause) {
    const reason = reasonOf(cause, place)
    if (reason === undefined) throw cause
    session.note(`apportion: ${reason}`)
    return undefined
  }
}

/** Serves metrics while work runs. */
export const withMetrics = async (
  session: Session,
  {
    metrics,
    logFormat,
    figures,
  }: Pick<Reports, "metrics" | "logFormat"> & { readonly figures: () => Promise<string> },
  work: () => Promise<number>,
): Promise<number> => {
  if (metrics === undefined) return work()
  const handler = ServeMetrics.handlerOf(figures)
  const listener = await listen(session, handler, { ...metrics, proxies: 0 })
  if (listener === undefined) return ExitCode.cannotListen
  const note = ServeLog.noteWith({ format: logFormat }, session.note)
  note(`apportion: metrics are at ${listener.url}/metrics`)
  try {
    return await work()
  } finally {
    await listener.stop(patienceMs)
  }
}
