/** Metrics of requests: how many there are and how long they take, by endpoint. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const requests = Metric.counter("apportion_http_requests_total", {
  description: "Requests that were answered, by endpoint and status",
  incremental: true,
})

const durations = Metric.histogram("apportion_http_request_duration_seconds", {
  description: "Seconds until requests were answered, by endpoint",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

const known: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS"])

/** A request and how it was answered. */
export interface Metered {
  readonly method: string
  /** The path as the definition has it, without ids. */
  readonly route: string
  readonly status: number
  readonly durationMillis: number
}

/** Counts a request. A value that a sender can make up, such as a method, is not a label. */
export const meter = ({ method, route, status, durationMillis }: Metered): Effect.Effect<void> => {
  const of = { method: known.has(method) ? method : "other", route }
  const count = Metric.withAttributes(requests, { ...of, status: String(status) })
  const duration = Metric.withAttributes(durations, of)
  return Effect.andThen(Metric.update(count, 1), Metric.update(duration, durationMillis / 1_000))
}
