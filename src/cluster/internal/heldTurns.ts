/**
 * The turns that this runner has, waiting for a slot or under way. It tells that they are alive, so that others replace
 * only those that nobody has, and hears which of them others have replaced all the same.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type LaneTurn, tellAlive } from "./lanes.js"

/** A turn that this runner has. */
export interface HeldTurn extends LaneTurn {
  /** Done once the turn is over, or another one has taken its place. */
  readonly replaced: Deferred.Deferred<void>
}

/** The turns that this runner has. */
export type HeldTurns = Set<HeldTurn>

/** Has a turn for as long as something is done with it. */
export const holding = <A, E, R>(
  all: HeldTurns,
  { accountId, kind, turn }: LaneTurn,
  work: (held: HeldTurn) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const held = { accountId, kind, turn, replaced: Deferred.makeUnsafe<void>() }
      all.add(held)
      return held
    }),
    work,
    (held) => Effect.sync(() => all.delete(held)),
  )

const isSame = (left: LaneTurn, right: LaneTurn): boolean =>
  left.turn === right.turn && left.accountId === right.accountId && left.kind === right.kind

/** Tells that the turns are alive, and ends those that are not any more. */
export const tell = (sql: SqlClient, all: HeldTurns): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const held = [...all]
    if (held.length === 0) return
    for (const gone of yield* tellAlive(sql, held)) {
      for (const one of held) {
        if (isSame(one, gone)) yield* Deferred.succeed(one.replaced, undefined)
      }
    }
  })
