import type * as Result from "effect/Result"
import { readGuarded } from "../../internal/platform.js"
import * as reader from "../../internal/reader.js"
import { type NotASale, type Reading, type Reason, readSale } from "../../internal/sales.js"
import type { Unreadable } from "../../Unreadable.js"
import { readInvoice, unsoldInvoice } from "./invoices.js"
import { readSession, unsoldSession } from "./sessions.js"

/**
 * Options for reading Stripe's sessions and invoices.
 *
 * @since 0.6.0
 * @category models
 */
export interface StripeOrderOptions {
  /**
   * Reasons for which documents that are no sales are read anyway, such as `test` for Stripe's test mode. None when
   * absent.
   */
  readonly include?: ReadonlyArray<Reason> | undefined
  /** The path of the document in a larger input, for the problems' paths. */
  readonly path?: string | undefined
}

const objects = ["checkout.session", "invoice"] as const

const none: Reading = { order: { id: "", currency: "", items: [] }, leftOut: [] }

const readEither = (node: reader.Node): Reading => {
  const object = reader.choice(node, "object", objects)
  if (object === "checkout.session") return readSession(node)
  if (object === "invoice") return readInvoice(node)
  if (reader.field(node, "object") === undefined) {
    reader.refuse(node, "object", reader.oneOf(objects))
  }
  return none
}

/** Reads a session or an invoice; one that is no sale is `NotASale`. */
export const readFound = (
  input: unknown,
  { path, include }: StripeOrderOptions,
): Result.Result<Reading, Unreadable | NotASale> => {
  const readOne = () => {
    const isInvoice = reader.isFields(input) && input.object === "invoice"
    const what = isInvoice ? "Stripe invoice" : "Stripe checkout session"
    const why = isInvoice ? unsoldInvoice : unsoldSession
    const unsold = (node: reader.Node) => why(node, include)
    return readSale(input, { what, path, include, unsold, read: readEither })
  }
  return readGuarded("Stripe order", input, readOne)
}
