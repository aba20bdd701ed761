/** Giving the log to a host. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Formatter from "effect/Formatter"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { LogEntry } from "../LogEntry.js"

const severityOf = (level: string): LogEntry["level"] => {
  const severities = ["Fatal", "Error", "Warn", "Info", "Debug", "Trace"] as const
  return severities.find((severity) => severity === level) ?? "Info"
}

const textOf = (part: unknown): string => (typeof part === "string" ? part : Formatter.format(part))

const entryOf = ({ message, logLevel, cause, fiber, date }: Logger.Options<unknown>): LogEntry => ({
  level: severityOf(logLevel),
  message: Arr.ensure(message).map(textOf).join(" "),
  annotations: { ...fiber.getRef(References.CurrentLogAnnotations) },
  timeMillis: date.getTime(),
  ...(cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {}),
})

/** Gives each line of the log to a function, in the place of the console; without one, to nobody. */
export const logLayer = (log: ((entry: LogEntry) => void) | undefined): Layer.Layer<never> => {
  if (log === undefined) return Logger.layer([])
  const logger = Logger.make<unknown, void>((options) => {
    try {
      log(entryOf(options))
    } catch {
      // A log that fails must not undo what it tells of.
    }
  })
  return Logger.layer([logger])
}
