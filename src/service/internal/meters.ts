/** Metrics for hosts that collect those of Effect. No label names a person, an account or a thing. */
import * as Effect from "effect/Effect"
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

/** Counts events that are stored. */
export const countEvents = (all: ReadonlyArray<{ readonly type: EventType }>) => {
  const byType = Map.groupBy(all, ({ type }) => type)
  const count = ([type, { length }]: readonly [EventType, ReadonlyArray<unknown>]) =>
    Metric.update(Metric.withAttributes(events, { type }), length)
  return Effect.forEach(byType, count, { discard: true })
}

/** Counts a delivery; of one that is refused with an error, the outcome is the error's name. */
export const countDelivery = (platform: string, outcome: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(deliveries, { platform, outcome }), 1)
