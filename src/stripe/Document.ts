/**
 * Recognises the content of a document of Stripe.
 *
 * @since 0.6.0
 */
import { type Fields, isFields } from "../internal/reader.js"

/**
 * What a document holds.
 *
 * @since 0.6.0
 * @category models
 */
export type StripeObject =
  | "session"
  | "invoice"
  | "refund"
  | "credit note"
  | "product"
  | "event"
  | "other"

const kinds: ReadonlyMap<unknown, StripeObject> = new Map([
  ["checkout.session", "session"],
  ["invoice", "invoice"],
  ["refund", "refund"],
  ["credit_note", "credit note"],
  ["product", "product"],
  ["event", "event"],
])

const ids = /^[a-z]{2,8}_(?:test_|live_)?\w{1,250}$/

/** Whether the fields are those of a Stripe object: it names its type, and its id has a prefix of Stripe. */
const isObject = ({ object, id }: Fields): boolean =>
  typeof object === "string" && typeof id === "string" && ids.test(id)

/**
 * Recognises the type of an object of Stripe's API, which it names in `object`. `undefined` for anything else,
 * including the orders of other platforms and of the host formats.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { recognise } from "apportion/stripe"
 *
 * recognise({ id: "cs_1", object: "checkout.session" }) // => "session"
 * recognise({ id: "ch_1", object: "charge" }) // => "other"
 * recognise({ id: 723, order_key: "wc_order_1" }) // => undefined
 * ```
 */
export const recognise = (input: unknown): StripeObject | undefined => {
  try {
    if (!isFields(input)) return undefined
    return kinds.get(input.object) ?? (isObject(input) ? "other" : undefined)
  } catch {
    // The value throws when it is read, so it is no document.
    return undefined
  }
}
