/** Calls that change something, once for each idempotency key. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { IdempotencyService } from "../../service/Idempotency.js"
import type { ChangeOptions } from "../Promised.js"
import type { InvalidArgument } from "../PromiseError.js"
import { check, checkKey, type Fields, type Given, notJson } from "./given.js"
import type { Running } from "./running.js"

/** Which change is asked for. */
export interface Change extends Given {
  readonly accountId: string
  /** The method, as `payouts.addExpense`. */
  readonly name: string
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
const requestText = ({
  name,
  texts,
  input,
  lists,
}: Change): Effect.Effect<string, InvalidArgument> => {
  const given = { ...texts, ...input, ...lists }
  return Effect.try({
    try: () => JSON.stringify([name, ...Object.values(given)], sorted),
    catch: () => notJson(Object.keys({ ...input, ...lists }).join(", "), { ...input, ...lists }),
  })
}

/** An answer as JSON holds it, without what is `undefined`; nothing is an answer too. */
export const asData = <A>(answer: A): { readonly answer: A } =>
  JSON.parse(JSON.stringify({ answer }))

const given = (options: ChangeOptions | undefined): Fields => ({
  value: options,
  names: ["idempotencyKey", "page"],
})

/** The way changes are made through a face. */
export const makeChanging =
  ({ call }: Running, idempotency: IdempotencyService): Changing =>
  async (change, options, make) => {
    const { accountId } = change
    const checked = check({ ...change, options: { ...change.options, options: given(options) } })
    const key: unknown = options?.idempotencyKey
    if (key === undefined) return call(() => Effect.andThen(checked, Effect.suspend(make)))
    const keyed = Effect.gen(function* () {
      yield* checked
      const request = { key: yield* checkKey(key), request: yield* requestText(change) }
      const work = Effect.map(Effect.suspend(make), asData)
      return yield* idempotency.once(accountId, request, work)
    })
    const { answer } = await call(() => keyed)
    return answer
  }
