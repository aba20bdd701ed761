/** Telling those who wait for something that it has changed. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** What is waited for, by name; nothing is kept for what nobody waits for. */
export interface Signals {
  readonly waiting: Map<string, Deferred.Deferred<void>>
}

export const makeSignals = (): Signals => ({ waiting: new Map() })

/**
 * Waits for the next signal from the moment in which this is called: what is looked up after that and
 * before the waiting begins is not missed.
 */
export const nextSignal = ({ waiting }: Signals, name: string): Effect.Effect<void> => {
  const known = waiting.get(name)
  if (known !== undefined) return Deferred.await(known)
  const signal = Deferred.makeUnsafe<void>()
  waiting.set(name, signal)
  return Deferred.await(signal)
}

/** Wakes all who wait for it. */
export const signal = ({ waiting }: Signals, name: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const known = waiting.get(name)
    waiting.delete(name)
    return known === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(known, undefined))
  })
