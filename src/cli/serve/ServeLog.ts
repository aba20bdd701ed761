/** The log of `apportion serve`: lines for people, or JSON for programs that collect them. */
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import * as References from "effect/References"
import { isPublicUrl } from "../../http/HttpOptions.js"

export const logFormats = ["text", "json"] as const
export const logLevels = ["debug", "info", "warning", "error", "off"] as const

/** The problem of the URL of a telemetry collector. */
export const collectorProblem = (url: string | undefined): string | undefined =>
  url === undefined || isPublicUrl(url)
    ? undefined
    : "--otlp: must be an http or https URL without a query, as http://localhost:4318"

/** Options of the log. */
export interface LogOptions {
  readonly format: (typeof logFormats)[number]
  /** The lowest level that is written. */
  readonly level: (typeof logLevels)[number]
  /** Called with each line. */
  readonly write: (line: string) => void
}

const lowest: Readonly<Record<(typeof logLevels)[number], LogLevel>> = {
  ...{ debug: "Debug", info: "Info", warning: "Warn", error: "Error", off: "None" },
}

const formatters = { text: Logger.formatLogFmt, json: Logger.formatJson } as const

/** The logger of the server. */
export const layer = ({ format, level, write }: LogOptions): Layer.Layer<never> =>
  Layer.merge(
    Logger.layer([Logger.map(formatters[format], write)]),
    Layer.succeed(References.MinimumLogLevel, lowest[level]),
  )

/** Writes the command's own messages in the format of the log. */
export const noteWith = (
  { format }: Pick<LogOptions, "format">,
  write: (line: string) => void,
): ((message: string) => void) =>
  format === "text"
    ? write
    : (message) => {
        const timestamp = new Date().toISOString()
        write(JSON.stringify({ message, level: "INFO", timestamp }))
      }
