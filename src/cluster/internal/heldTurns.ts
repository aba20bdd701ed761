/**
 * The turns that this runner has. It tells that those are alive which wait for a slot or of which it carries out a step,
 * so that others replace only those that nobody does anything for, and hears which of them others have replaced.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type LaneTurn, tellAlive } from "./lanes.js"

/** A turn that this runner has. */
export interface HeldTurn extends LaneTurn {
  /** Done once the turn is over, or another one has taken its place. */
  readonly replaced: Deferred.Deferred<void>
  /**
   * Open between two steps, where the turn waits for the cluster. Two runners that both believe to have an account read
   * each other's messages, and one may answer for a step of the other's turn, which never hears of it.
   */
  readonly idle: Latch.Latch
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
      const held = {
        ...{ accountId, kind, turn },
        ...{ replaced: Deferred.makeUnsafe<void>(), idle: Latch.makeUnsafe(false) },
      }
      all.add(held)
      return held
    }),
    work,
    (held) => Effect.sync(() => all.delete(held)),
  )

/** Does what a step of a turn does: meanwhile the turn is alive. */
export const stepping = <A, E, R>(
  { idle }: HeldTurn,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    idle.close,
    () => work,
    () => idle.open,
  )

/** Waits for the answer to a step, unless the turn is replaced in the meantime: then there may be none. */
export const answered = <A, E, R>(
  { replaced, idle }: HeldTurn,
  answer: Effect.Effect<A, E, R>,
): Effect.Effect<A | "replaced", E, R> => {
  // A step that is still carried out here finds out for itself that its turn is replaced.
  const inVain = Effect.as(
    Effect.andThen(Deferred.await(replaced), idle.await),
    "replaced" as const,
  )
  return Effect.andThen(idle.open, Effect.raceFirst(answer, inVain))
}

const isSame = (left: LaneTurn, right: LaneTurn): boolean =>
  left.turn === right.turn && left.accountId === right.accountId && left.kind === right.kind

const aliveOf = ({ idle, ...turn }: HeldTurn) => ({ ...turn, isAlive: !idle.isOpen() })

/** Tells which turns are alive, and ends those that others have replaced. */
export const tell = (sql: SqlClient, all: HeldTurns): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const held = [...all]
    if (held.length === 0) return
    for (const gone of yield* tellAlive(sql, held.map(aliveOf))) {
      for (const one of held) {
        if (isSame(one, gone)) yield* Deferred.succeed(one.replaced, undefined)
      }
    }
  })
