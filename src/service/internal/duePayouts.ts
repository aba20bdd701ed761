/** Closing all payouts that are due. */
import * as Effect from "effect/Effect"
import type { ScheduleError } from "../../payouts/Schedule.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { PayoutsService } from "../Payouts.js"
import { type Brought, closeOrRoll } from "./closing.js"
import { now } from "./now.js"
import type { PayoutTools } from "./payoutEntries.js"

/** How many due payouts are looked up at a time. */
const batchSize = 100

interface Task {
  readonly accountId: string
  readonly timeZone: string
  readonly at: number
}

/** Closes or rolls one payout in a transaction, unless someone else did so since it was looked up. */
const closeOne = (
  { write }: PayoutTools,
  { accountId, timeZone, at }: Task,
  payoutId: string,
): Effect.Effect<Brought["done"] | "orphaned", ScheduleError | StorageError> =>
  write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const payout = yield* stores.payouts.get(payoutId)
      if (payout === undefined) return "nothing"
      const owner = yield* stores.collaborators.get(payout.collaboratorId)
      if (owner === undefined) return "orphaned"
      const { collaborator } = owner
      return (yield* closeOrRoll(stores, { payout, collaborator, timeZone, at })).done
    }),
  )

const warnOfOrphan = (accountId: string, payout: StoredPayout): Effect.Effect<void> =>
  Effect.annotateLogs(
    Effect.logWarning("a payout that is due has no collaborator, so it stays as it is"),
    { accountId, payoutId: payout.id, collaboratorId: payout.collaboratorId },
  )

/**
 * `Payouts.closeDue`: each payout in a transaction of its own. What is closed or rolled is not due any
 * more, so the next look finds others; what could not be is looked past, so that it ends in any case.
 */
export const closeDue = (tools: PayoutTools): PayoutsService["closeDue"] =>
  Effect.fn("Payouts.closeDue")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { timeZone } = yield* tools.settings.of(accountId)
    const task = { accountId, timeZone, at: yield* now }
    const closed: Array<string> = []
    const rolled: Array<string> = []
    const passed = new Set<string>()
    for (;;) {
      const due = yield* tools.read(accountId, ({ payouts }) =>
        payouts.due({ at: task.at, limit: batchSize + passed.size }),
      )
      const rest = due.filter(({ id }) => !passed.has(id))
      if (rest.length === 0) return { closed, rolled }
      for (const payout of rest) {
        const done = yield* closeOne(tools, task, payout.id)
        if (done === "orphaned") yield* warnOfOrphan(accountId, payout)
        if (done === "closed") closed.push(payout.id)
        else if (done === "rolled") rolled.push(payout.id)
        else passed.add(payout.id)
      }
    }
  })
