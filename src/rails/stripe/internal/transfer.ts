import type { Fields } from "../../../internal/reader.js"
import { stripe } from "../../Fields.js"
import { objectIn, objectsIn, outcomeOf, textIn } from "../../internal/answers.js"
import { fromUnits } from "../../internal/units.js"
import type { Outcome } from "../../Outcome.js"

/** The fields of a transfer of Stripe that a payment needs. */
export interface StripeTransfer {
  readonly id: string
  /** The host's key; `null` for a transfer that was made in another way. */
  readonly key: string | null
  readonly amount: number
  readonly currency: string
  readonly createdAt: number | null
  /** The reversed amount. */
  readonly reversed: number
  readonly reversedAt: number | null
}

const seconds = (fields: Fields | undefined): number | null => {
  const value = fields?.created
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null
}

const latest = (times: ReadonlyArray<number | null>): number | null =>
  times.reduce((last, time) => (time !== null && time > (last ?? time - 1) ? time : last), null)

/** Reads an object as a transfer; `undefined` if it is not one. */
export const transferIn = (fields: Fields | undefined): StripeTransfer | undefined => {
  const id = textIn(fields, "id")
  const currency = textIn(fields, "currency")?.toUpperCase()
  if (fields?.object !== "transfer" || id === null || currency === undefined) return undefined
  const amount = fromUnits(fields.amount, currency, stripe.amount)
  const reversed = fromUnits(fields.amount_reversed ?? 0, currency, stripe.amount)
  if (amount === null || reversed === null) return undefined
  const reversals = objectsIn(objectIn(fields, "reversals"), "data")
  return {
    id,
    key: textIn(objectIn(fields, "metadata"), "apportion_key"),
    amount,
    currency,
    createdAt: seconds(fields),
    reversed: fields.reversed === true ? amount : reversed,
    reversedAt: latest(reversals.map(seconds)),
  }
}

/** The outcome of a transfer: the money has moved, or all or some of it was reversed. */
export const outcomeIn = (transfer: StripeTransfer): Outcome => {
  const { id, key, amount, currency, reversed } = transfer
  const known = { key, railReference: id, amount, currency }
  if (reversed === 0) return outcomeOf("confirmed", { ...known, at: transfer.createdAt })
  if (reversed >= amount) {
    const reason = "the transfer was reversed"
    return outcomeOf("returned", { ...known, at: transfer.reversedAt, reason })
  }
  const reason = `${reversed} of ${amount} ${currency} were reversed`
  return outcomeOf("unknown", { ...known, at: transfer.reversedAt, reason })
}
