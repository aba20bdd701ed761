import * as Result from "effect/Result"
import { isFields } from "../../../internal/reader.js"
import { paypal } from "../../Fields.js"
import { type Fitting, take, takeText } from "../../internal/batchFields.js"

/**
 * A recipient at PayPal: the e-mail address or the phone number of an account, or the account's own id.
 *
 * @since 0.6.0
 * @category models
 */
export type PayPalRecipient =
  | { readonly email: string }
  | {
      /** The account's id: 13 letters and digits. */
      readonly payerId: string
    }
  | {
      /** Digits and hyphens, as 91-734-234-1234. */
      readonly phone: string
    }

/** A recipient in PayPal's fields. */
export interface Receiver {
  readonly type: "EMAIL" | "PAYPAL_ID" | "PHONE"
  readonly receiver: string
}

const none: Receiver = { type: "EMAIL", receiver: "" }

/** The receiver of a transfer; problems are noted. */
export const receiverOf = (
  fitting: Fitting,
  place: string,
  recipient: PayPalRecipient,
): Receiver => {
  if (isFields(recipient)) {
    if ("email" in recipient) {
      return { type: "EMAIL", receiver: takeText(fitting, place, recipient.email, paypal.email) }
    }
    if ("payerId" in recipient) {
      const receiver = takeText(fitting, place, recipient.payerId, paypal.payerId)
      return { type: "PAYPAL_ID", receiver }
    }
    if ("phone" in recipient) {
      return { type: "PHONE", receiver: takeText(fitting, place, recipient.phone, paypal.phone) }
    }
  }
  const message = "must have an email, a payerId or a phone"
  const problem = { path: "recipient", value: recipient, message }
  return take(fitting, place, Result.fail(problem), none)
}
