/** The counters of a batch: each looked up once, and what they come to stored at once. */
import * as Effect from "effect/Effect"
import type { StoredCounter } from "../../../ports/CounterStore.js"
import type { StorageError } from "../../../ports/StorageError.js"

type Find = (
  keys: ReadonlyArray<string>,
) => Effect.Effect<ReadonlyArray<StoredCounter>, StorageError>

/** Counters as they will stand when all is written. */
export class BatchCounters {
  /** `undefined`: not stored. */
  readonly #known = new Map<string, number | undefined>()
  #waiting = new Map<string, number>()

  /** Whether none is to be stored. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Looks up those that are not known; `ask` asks the storage. */
  find(keys: ReadonlyArray<string>, ask: Find): ReturnType<Find> {
    const wanted = [...new Set(keys)]
    const unknown = wanted.filter((key) => !this.#known.has(key))
    const found = () =>
      wanted.flatMap((key) => {
        const count = this.#known.get(key)
        return count === undefined ? [] : [{ key, count }]
      })
    if (unknown.length === 0) return Effect.succeed(found())
    return Effect.map(ask(unknown), (stored) => {
      for (const key of unknown) this.#known.set(key, undefined)
      for (const { key, count } of stored) this.#known.set(key, count)
      return found()
    })
  }

  /** Notes what counters come to, and returns what takes that back. */
  put(counters: ReadonlyArray<StoredCounter>): () => void {
    const waiting = this.#waiting
    const before = counters.map(({ key }) => ({
      ...{ key, known: this.#known.get(key), waits: waiting.get(key) },
    }))
    for (const { key, count } of counters) {
      this.#known.set(key, count)
      waiting.set(key, count)
    }
    return () => {
      for (const { key, known, waits } of before) {
        // What was not looked up before is looked up again.
        if (known === undefined) this.#known.delete(key)
        else this.#known.set(key, known)
        if (waits === undefined) waiting.delete(key)
        else waiting.set(key, waits)
      }
    }
  }

  /** What is to be stored; from then on it is. */
  take(): ReadonlyArray<StoredCounter> {
    const counters = Array.from(this.#waiting, ([key, count]) => ({ key, count }))
    this.#waiting = new Map()
    return counters
  }
}
