/** What goes on after a call was answered. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Watch } from "./FaultyClient.js"
import type { HastyClock } from "./HastyClock.js"

/** A millisecond of the real time. */
export const moment = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

const running = `SELECT count(*)::int AS running FROM apportion.link_jobs
  WHERE account_id = $1 AND status = 'running'`

/** Whether products of an account are still to be linked. */
export const isLinking = (sql: SqlClient.SqlClient, account: string): Effect.Effect<boolean> =>
  Effect.map(
    Effect.orDie(sql.unsafe<{ running: number }>(running, [account])),
    ([row]) => row?.running !== 0,
  )

/** How often it is looked before nothing counts as going on. */
const looks = 5

/** Waits until no connection is out or asked for, and no more steps are taken. */
const still = (watch: Watch, isComing: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    // What is to break may lie in what goes on at the very end.
    for (let same = 0, seen = -1; same < (isComing() ? 10 * looks : looks); ) {
      yield* moment
      const isBusy = watch.asked > 0 || watch.reserved > 0
      same = !isBusy && watch.boundaries.length === seen ? same + 1 : 0
      seen = watch.boundaries.length
    }
  })

/** How often those who look from time to time are woken. */
const mostWaking = 3

/** Waits until nothing goes on any more. What was left behind is found by who looks from time to time. */
export const settle = (
  sql: SqlClient.SqlClient,
  {
    account,
    watch,
    clock,
  }: { readonly account: string; readonly watch: Watch; readonly clock: HastyClock },
  isComing: () => boolean = () => false,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* still(watch, isComing)
    for (let count = 0; count < mostWaking && (yield* isLinking(sql, account)); count += 1) {
      clock.wake()
      yield* still(watch, isComing)
    }
  })
