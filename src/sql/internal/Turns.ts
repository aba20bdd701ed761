/**
 * Whose turn it is before a connection is taken. Those that write to one account come one after the other, so that they
 * hold one connection and not all; and those that write to any leave some connections to those that read.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

interface Queue {
  readonly turn: Semaphore.Semaphore
  /** How many have their turn or wait for it. */
  length: number
}

/** How many of so many connections may write at the same time: a quarter is for those that read. */
export const writersOf = (connections: number): number =>
  connections === 1 ? 1 : connections - Math.max(1, Math.floor(connections / 4))

/** The turns of one storage. */
export class Turns {
  readonly #lines = new Map<string, Queue>()
  readonly #writers: Semaphore.Semaphore
  readonly #isQueue: boolean

  constructor(options: {
    /** How many may write at the same time, to whatever account. */
    readonly writers: number
    /** Whether those that write to one account come one after the other. */
    readonly isQueue: boolean
  }) {
    this.#writers = Semaphore.makeUnsafe(options.writers)
    this.#isQueue = options.isQueue
  }

  /** Waits until one may write to an account, and has its turn as long as the scope. */
  toWrite(accountId: string): Effect.Effect<void, never, Scope.Scope> {
    const writer = take(this.#writers)
    return this.#isQueue ? Effect.andThen(this.#inLine(accountId), writer) : writer
  }

  #inLine(accountId: string): Effect.Effect<void, never, Scope.Scope> {
    const enter = Effect.sync(() => {
      const line = this.#lines.get(accountId) ?? { turn: Semaphore.makeUnsafe(1), length: 0 }
      line.length += 1
      this.#lines.set(accountId, line)
      return line
    })
    const leave = (line: Queue) =>
      Effect.sync(() => {
        line.length -= 1
        if (line.length === 0) this.#lines.delete(accountId)
      })
    return Effect.flatMap(Effect.acquireRelease(enter, leave), ({ turn }) => take(turn))
  }
}

const take = (turn: Semaphore.Semaphore): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    // Who waits can give up.
    Effect.acquireRelease(turn.take(1), () => turn.release(1), { interruptible: true }),
  )
