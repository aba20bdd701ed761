/**
 * Who acts, as the history of payouts shows it.
 *
 * @since 0.3.0
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { show } from "../internal/problems.js"

const longest = 200

/**
 * Who makes the changes: a text of 1 to 200 characters, not only of spaces; `"system"` by default. It is read when a
 * transaction begins, so the calls of a unit of work have the actor of the unit. Any other value is a bug of the host:
 * the call dies with {@link InvalidActor}, and nothing is done.
 *
 * @since 0.3.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Actor, Collaborators, Payouts, Sales, ProductGroups, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }
 * const actors = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const group = { link: { type: "products.all" }, percent: "10" } as const
 *   yield* (yield* ProductGroups).create("shop", "ada", group)
 *   const order = { id: "o1", currency: "EUR", items: [item] }
 *   const { parts } = yield* (yield* Sales).record("shop", order)
 *   const payoutId = parts[0]?.postings[0]?.payoutId ?? ""
 *   const payouts = yield* Payouts
 *   yield* Effect.provideService(payouts.setPaid("shop", payoutId), Actor, "alice")
 *   return (yield* payouts.history("shop", payoutId)).map(({ actor }) => actor)
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(actors, layer)) // => ["system", "system", "alice"]
 * ```
 */
export const Actor: Context.Reference<string> = Context.Reference<string>(
  "apportion/service/Actor",
  { defaultValue: () => "system" },
)

/**
 * Whether a value can be an actor: a text of 1 to 200 characters, not only of spaces.
 *
 * @since 0.3.0
 * @category guards
 * @example
 * ```ts
 * import { isActor } from "apportion/service"
 *
 * isActor("alice") // => true
 * isActor("  ") // => false
 * ```
 */
export const isActor = (value: unknown): value is string =>
  typeof value === "string" &&
  value.trim() !== "" &&
  // Characters are never more than code units, so that a long text need not be taken apart.
  (value.length <= longest || (value.length <= 2 * longest && [...value].length <= longest))

/**
 * An invalid actor. Services die with it, because callers can't handle it.
 *
 * @since 0.3.0
 * @category errors
 */
export class InvalidActor extends Schema.TaggedError<InvalidActor>()("InvalidActor", {
  /** What was given. */
  actor: Schema.Unknown,
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.3.0
   */
  static of(actor: unknown): InvalidActor {
    const message = `an actor must be a text of 1 to ${longest} characters, got ${show(actor)}`
    return new InvalidActor({ actor, message })
  }
}
