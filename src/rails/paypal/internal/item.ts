import { parse as parseTime } from "../../../internal/instant.js"
import type { Fields } from "../../../internal/reader.js"
import { objectIn, outcomeOf, textIn, wordsOf } from "../../internal/answers.js"
import { fromDecimal } from "../../internal/units.js"
import type { Outcome } from "../../Outcome.js"
import { meaningOf } from "../ItemStatus.js"

const moneyIn = (fields: Fields | undefined, name: string) => {
  const money = objectIn(fields, name)
  const currency = textIn(money, "currency")
  const amount = currency === null ? null : fromDecimal(money?.value, currency)
  return { currency, amount }
}

/** PayPal's fee for a payment: an estimate until the payment is made, and none when it is not made. */
const feeOf = (item: Fields, currency: string | null): number | null => {
  const fee = moneyIn(item, "payout_item_fee")
  return fee.currency === currency ? fee.amount : null
}

/** The error of an item, or its status unless that is plain success. */
const reasonOf = (item: Fields, status: string): string | null => {
  const errors = objectIn(item, "errors")
  const words = wordsOf(textIn(errors, "name"), textIn(errors, "message"))
  return words ?? (status === "SUCCESS" || status === "PENDING" ? null : status)
}

/** The outcome of an item; `undefined` if the object is no item. */
export const outcomeIn = (item: Fields | undefined): Outcome | undefined => {
  const id = textIn(item, "payout_item_id")
  const status = textIn(item, "transaction_status")
  if (item === undefined || id === null || status === null) return undefined
  const type = meaningOf(status)
  const sent = objectIn(item, "payout_item")
  const { amount, currency } = moneyIn(sent, "amount")
  const isMade = type === "confirmed" || type === "returned"
  return outcomeOf(type, {
    key: textIn(sent, "sender_item_id"),
    railReference: id,
    at: parseTime(textIn(item, "time_processed")) ?? null,
    amount,
    currency,
    fee: isMade ? feeOf(item, currency) : null,
    reason: reasonOf(item, status),
  })
}
