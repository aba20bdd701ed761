/** The metrics of `apportion serve` in the format of Prometheus, on their own port. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { always } from "../../http/Answer.js"
import type { PaymentStatus } from "../../payouts/Payment.js"
import { Storage, type Stores } from "../../ports/Storage.js"
import { accountId } from "./AccessTokens.js"
import type { Handler } from "./ServeListener.js"

/** A registry for the metrics of this server only. */
export const layer = (): Layer.Layer<never> => Layer.succeed(Metric.MetricRegistry, new Map())

// Gauges of stored data, which are read when the metrics are requested.

const openPayments = Metric.gauge("apportion_open_payments", {
  description: "Payments that are under way, by status; at most 1000 of each are counted",
})

const inboxEntries = Metric.gauge("apportion_inbox_entries", {
  description: "Deliveries of platforms that wait in the inbox",
})

const waitingEvents = Metric.gauge("apportion_webhook_events_waiting", {
  description: "Events that active webhook endpoints did not get yet, of all endpoints together",
})

const underWay: ReadonlyArray<PaymentStatus> = ["claimed", "sent", "unknown"]
const mostCounted = 1_000

const look = ({ payments, inbox, endpoints, events }: Stores) =>
  Effect.gen(function* () {
    const counts = yield* Effect.forEach(underWay, (status) =>
      Effect.map(payments.list({ status, limit: mostCounted }), (found) => found.length),
    )
    const last = yield* events.last()
    const active = (yield* endpoints.list()).filter(({ isActive }) => isActive)
    const waiting = active.reduce((sum, { delivered }) => sum + Math.max(0, last - delivered), 0)
    return { counts, waiting, entries: yield* inbox.count() }
  })

const update = Effect.gen(function* () {
  const storage = yield* Storage
  const { counts, waiting, entries } = yield* storage.transaction(accountId, look, { mode: "read" })
  for (const [index, status] of underWay.entries()) {
    const gauge = Metric.withAttributes(openPayments, { status })
    yield* Metric.update(gauge, counts[index] ?? 0)
  }
  yield* Metric.update(waitingEvents, waiting)
  yield* Metric.update(inboxEntries, entries)
})

const lookUp = Metric.gauge("apportion_lookup_ok", {
  description: "1 when the storage answered what there is now; 0: those figures are old",
})

/** How long the storage may take, in real time. */
const patience = "2 seconds"

/** All metrics. When the storage does not answer, the counters are still returned. */
export const text: Effect.Effect<string, never, Storage> = update.pipe(
  Effect.timeout(patience),
  Effect.as(1),
  Effect.catchCause(() => Effect.succeed(0)),
  Effect.flatMap((ok) => Metric.update(lookUp, ok)),
  Effect.andThen(PrometheusMetrics.format()),
)

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  new Response(body, { status, headers: { ...always, "content-type": contentType, ...headers } })

/** Answers `GET /metrics` only. */
export const handlerOf =
  (metrics: () => Promise<string>): Handler =>
  async ({ url, method }) => {
    if (new URL(url).pathname !== "/metrics") return answer(404, "there is only /metrics here\n")
    if (method !== "GET") return answer(405, "only GET is allowed here\n", { allow: "GET" })
    return answer(200, await metrics())
  }
