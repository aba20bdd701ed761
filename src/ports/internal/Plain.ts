/** The types of stores as plain async functions. */
import type * as Effect from "effect/Effect"

/**
 * A store as plain async functions: each method takes the same arguments and returns a promise, and a constant effect,
 * such as `all` of the product groups, becomes a function without arguments.
 *
 * Where the contract says `Conflict`, the function rejects with one: the class of this module, or any object with
 * `_tag: "Conflict"`. Any other rejection counts as a failure of the storage. Where the contract says `undefined`,
 * `null` is accepted too. Optional methods may be left out, and so may those for many: `ofOrders`, `insertAll`,
 * `refunds` and `sold` of sales, `ofOwners`, `itemsAt` and `storeAll` of payouts. The method for a single entry is then
 * called for each; what was sold is added up from the list.
 *
 * @since 0.2.0
 * @category models
 */
export type Plain<Store> = {
  readonly [Name in keyof Store as Exclude<Name, ForMany>]: PlainMethod<Store[Name]>
} & {
  readonly [Name in keyof Store as Extract<Name, ForMany>]?: PlainMethod<Store[Name]> | undefined
}

/** Methods that a plain store may leave out: the method for a single entry is then called for each. */
type ForMany = "ofOrders" | "insertAll" | "refunds" | "sold" | "ofOwners" | "itemsAt" | "storeAll"

type PlainMethod<Method> =
  Exclude<Method, undefined> extends (
    ...args: infer Arguments
  ) => Effect.Effect<infer A, infer _E, infer _R>
    ? (...args: Arguments) => Promise<A>
    : Exclude<Method, undefined> extends Effect.Effect<infer A, infer _E, infer _R>
      ? () => Promise<A>
      : never
