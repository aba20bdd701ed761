import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PaymentTerms } from "../../../payouts/PaymentTerms.js"
import { type RailAnswer, RailUnclear } from "../../../ports/PaymentRail.js"
import type { AmountField } from "../../Fields.js"
import type { Money } from "../../internal/units.js"
import type { Outcome } from "../../Outcome.js"

/** Whole Unix seconds. */
export const now: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (milliseconds) =>
  Math.floor(milliseconds / 1000),
)

/**
 * The answer for an attempt that was not confirmed before. A returned payment counts as rejected: the receiver does not
 * have the money, and the payout can be paid again.
 */
export const answerOf = (
  rail: string,
  key: string,
  outcome: Outcome,
  money?: Money,
): Effect.Effect<RailAnswer, RailUnclear> => {
  const { type, railReference: reference, fee, amount, currency } = outcome
  if (
    money !== undefined &&
    amount !== null &&
    (amount !== money.amount || currency !== money.currency)
  ) {
    const words = `${reference} is of ${amount} ${currency}, not of ${money.amount} ${money.currency}`
    return Effect.fail(RailUnclear.of(rail, key, words))
  }
  const reason = outcome.reason ?? "the rail gives no reason"
  switch (type) {
    case "accepted":
      return Effect.succeed({ type, reference })
    case "confirmed":
      return Effect.map(now, (seconds) => ({ type, at: outcome.at ?? seconds, reference, fee }))
    case "rejected":
      return Effect.succeed({ type, reason })
    case "returned":
      return Effect.succeed({ type: "rejected", reason: `it came back: ${reason}` })
    case "unknown":
      return Effect.fail(RailUnclear.of(rail, key, reason))
  }
}

/** The currencies and amounts that a rail pays, from the table of fields. */
export const currenciesOf = ({ currencies }: AmountField): PaymentTerms["currencies"] =>
  Object.entries(currencies).map(([currency, { least, step }]) => ({
    currency,
    minimum: least,
    step,
  }))
