/**
 * One line of the log.
 *
 * @since 0.2.0
 * @category models
 */
export interface LogEntry {
  /** `Info` for each change that was made, `Warn` and `Error` for what went wrong in the background. */
  readonly level: "Fatal" | "Error" | "Warn" | "Info" | "Debug" | "Trace"
  /** What happened, as `payout closed`. */
  readonly message: string
  /** What it happened to, as `{ accountId, payoutId }`; never names, addresses or amounts of people. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** Unix time in milliseconds. */
  readonly timeMillis: number
  /** What went wrong, with where, in several lines; absent when nothing did. */
  readonly cause?: string | undefined
}
