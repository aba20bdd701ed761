/** Retrying due entries of the inbox, and dropping those that are too old or not wanted. */
import * as Effect from "effect/Effect"
import type { InboxEntry } from "../../../ports/InboxStore.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { NotFound } from "../../ServiceError.js"
import { emit, now } from "../transactions.js"
import type { InboxCall, InboxTools } from "./inboxSteps.js"
import { followUp, type InboxLimits, tryAgain } from "./inboxWork.js"

/**
 * What a sweep of the inbox did.
 *
 * @since 0.6.0
 * @category models
 */
export interface InboxSweep {
  /** How many entries were tried again. */
  readonly tried: number
  /** How many of them no longer wait. */
  readonly settled: number
  /** How many were dropped because of their age. */
  readonly dropped: number
}

const secondsOfDay = 86_400
const entriesAtATime = 100
const notesAtATime = 5_000

/** Removes an entry, with its event. */
export const dropEntry = (
  { transactor }: InboxTools,
  accountId: string,
  { key, reason }: { readonly key: string; readonly reason: string },
): Effect.Effect<void, NotFound | StorageError> =>
  transactor.write(
    accountId,
    Effect.fnUntraced(function* ({ inbox }) {
      const entry = yield* inbox.get(key)
      if (entry === undefined) return yield* NotFound.of("inbox entry", key)
      yield* inbox.remove(key)
      const { platform, topic } = entry
      yield* emit({ type: "delivery.dropped", data: { key, platform, topic, reason } })
    }),
  )

interface SweepLimits extends InboxLimits {
  readonly days: number
}

const none: InboxSweep = { tried: 0, settled: 0, dropped: 0 }

/** Drops or retries one entry. */
const sweepEntry = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  entry: InboxEntry,
  limits: SweepLimits,
): Effect.fn.Return<InboxSweep, StorageError> {
  const at = yield* now
  if (entry.receivedAt < at - limits.days * secondsOfDay) {
    const reason = `nothing came of it in ${limits.days} days: ${entry.reason}`
    const dropped = dropEntry(tools, call.accountId, { key: entry.key, reason })
    // Another call may have dropped it.
    yield* Effect.catchTag(dropped, "NotFound", () => Effect.void)
    return { ...none, dropped: 1 }
  }
  if (entry.state !== "waiting" || entry.nextAttemptAt > at) return none
  const result = yield* tryAgain(tools, call, entry, limits)
  yield* followUp(tools, call, result, limits)
  return { ...none, tried: 1, settled: "steps" in result ? 1 : 0 }
})

/** Goes through all waiting entries of a platform. */
export const sweepInbox = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  limits: SweepLimits,
): Effect.fn.Return<InboxSweep, StorageError> {
  const { transactor } = tools
  let [counts, after]: [InboxSweep, string | undefined] = [none, undefined]
  while (true) {
    const options = { after, limit: entriesAtATime }
    const entries: ReadonlyArray<InboxEntry> = yield* transactor.read(call.accountId, ({ inbox }) =>
      inbox.list(options),
    )
    for (const entry of entries.filter((one) => one.platform === call.platform.name)) {
      const { tried, settled, dropped } = yield* sweepEntry(tools, call, entry, limits)
      counts = {
        tried: counts.tried + tried,
        settled: counts.settled + settled,
        dropped: counts.dropped + dropped,
      }
    }
    after = entries.at(-1)?.key
    if (entries.length < entriesAtATime) break
  }
  const before = (yield* now) - limits.days * secondsOfDay
  yield* transactor.write(call.accountId, ({ inbox }) =>
    inbox.forgetNotes({ kind: "delivery", before, limit: notesAtATime }),
  )
  return counts
})
