/** Metrics for hosts that collect those of Effect. No label names a person, an account or a thing. */
import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { EventType } from "../../events/EventType.js"

const events = Metric.counter("apportion_events_total", {
  description: "What happened in all accounts since the start, by type of event",
  incremental: true,
})

const deliveries = Metric.counter("apportion_deliveries_total", {
  description: "Deliveries of platforms since the start, by what became of them",
  incremental: true,
})

/** Counts an event that is stored. */
export const countEvent = (type: EventType): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(events, { type }), 1)

/** Counts a delivery; of one that is refused with an error, the outcome is the error's name. */
export const countDelivery = (platform: string, outcome: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(deliveries, { platform, outcome }), 1)
