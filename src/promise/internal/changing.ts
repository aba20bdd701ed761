/** Calls that change something, once for each idempotency key. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { IdempotencyService } from "../../service/Idempotency.js"
import type { ChangeOptions } from "../Promised.js"
import type { Running } from "./running.js"

/** Which change is asked for. */
export interface Change {
  readonly accountId: string
  /** The method, as `payouts.addExpense`. */
  readonly name: string
  /** All its other arguments. */
  readonly args: ReadonlyArray<unknown>
}

/** Makes a change, once when there is a key. */
export type Changing = <A, E>(
  change: Change,
  options: ChangeOptions | undefined,
  make: () => Effect.Effect<A, E>,
) => Promise<A>

const sorted = (_name: string, value: unknown): unknown =>
  Predicate.isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value

/** A request as text: the same whatever the order of the fields. */
export const requestText = ({ name, args }: Change): string =>
  JSON.stringify([name, ...args], sorted)

/** An answer as JSON holds it, without what is `undefined`; nothing is an answer too. */
export const asData = <A>(answer: A): { readonly answer: A } =>
  JSON.parse(JSON.stringify({ answer }))

/** The way changes are made through a face. */
export const makeChanging =
  ({ call }: Running, idempotency: IdempotencyService): Changing =>
  async (change, options, make) => {
    const key = options?.idempotencyKey
    if (key === undefined) return call(make)
    const { accountId } = change
    const { answer } = await call(() =>
      idempotency.once(
        accountId,
        { key, request: requestText(change) },
        Effect.map(Effect.suspend(make), asData),
      ),
    )
    return answer
  }
