/** Counters as a host hands them in. */
import { isFields, refusal, show } from "../../internal/problems.js"
import { type CounterChange, type Counters, InvalidCounters } from "../Counters.js"
import type { CountsBefore } from "./Count.js"

const invalid = (path: string, value: unknown, message: string): InvalidCounters =>
  refusal(InvalidCounters)([{ path, value, message }])

const isObject = (value: unknown): value is Counters => isFields(value)

/** They are looked at where they are needed; every method throws `InvalidCounters`. */
export class GivenCounters implements CountsBefore {
  private readonly given: Counters

  constructor(given: unknown) {
    if (!isObject(given)) {
      throw invalid("counters", given, `must be an object of counts, got ${show(given)}`)
    }
    this.given = given
  }

  at(key: string): number {
    const { given } = this
    return this.look(() => (Object.hasOwn(given, key) ? given[key] : 0)) ?? 0
  }

  /** All of them, with what has changed. */
  with(changes: ReadonlyArray<CounterChange>): Counters {
    const changed = Object.fromEntries(changes.map(({ key, count }) => [key, count]))
    return this.look(() => ({ ...this.given, ...changed }))
  }

  private look<A>(look: () => A): A {
    try {
      return look()
    } catch {
      throw invalid("counters", this.given, "can't be read: it throws when it is looked at")
    }
  }
}
