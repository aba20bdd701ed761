import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { TransactionMode } from "../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"

/** What one transaction did, so that it can be taken back; every access to a store goes through it. */
export class Journal {
  /** Who changes something. */
  readonly actor: string
  readonly #mode: TransactionMode
  readonly #undo: Array<() => void> = []
  #isOver = false
  #conflict: Conflict | undefined

  constructor({ mode, actor }: { readonly mode: TransactionMode; readonly actor: string }) {
    this.#mode = mode
    this.actor = actor
  }

  /** The first conflict there was: whatever the work makes of it, nothing may be kept. */
  get conflict(): Conflict | undefined {
    return this.#conflict
  }

  /** Notes how a change is taken back. */
  note(undo: () => void): void {
    this.#undo.push(undo)
  }

  /** Looks something up. */
  read<A>(doing: string, work: () => A): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => this.#refusal(doing, "read") ?? Effect.succeed(work()))
  }

  /** Changes something; a conflict must be found before anything is changed. */
  write<A>(doing: string, work: () => A | Conflict): Effect.Effect<A, StorageError> {
    return Effect.suspend((): Effect.Effect<A, StorageError> => {
      const refusal = this.#refusal(doing, "write")
      if (refusal !== undefined) return refusal
      const result = work()
      if (!(result instanceof Conflict)) return Effect.succeed(result)
      this.#conflict ??= result
      return Effect.fail(result)
    })
  }

  /** The same for what is noted with the time, in Unix seconds. */
  writeAt<A>(doing: string, work: (at: number) => A | Conflict): Effect.Effect<A, StorageError> {
    return Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      this.write(doing, () => work(Math.floor(millis / 1_000))),
    )
  }

  /** Keeps what was done. */
  commit(): void {
    this.#isOver = true
  }

  /** Takes back what was done, the last change first. */
  rollback(): void {
    this.#isOver = true
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) undo()
  }

  #refusal(doing: string, mode: TransactionMode): Effect.Effect<never, StorageFailure> | undefined {
    if (this.#isOver) return Effect.fail(StorageFailure.of(doing, "the transaction is over"))
    if (mode === "read" || this.#mode === "write") return undefined
    return Effect.fail(StorageFailure.of(doing, "the transaction only reads"))
  }
}
