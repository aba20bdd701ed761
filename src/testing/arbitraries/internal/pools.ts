/** Small pools of values, so that generated data often matches. */
import fc from "fast-check"
import * as Attribute from "../../../orders/Attribute.js"
import * as Money from "../Scalars.js"
import { country, productId, text, time } from "../Scalars.js"
import type { AmountRange } from "./Choice.js"

/** Amounts of 0 or more. */
export const amount = ({ amounts }: AmountRange): fc.Arbitrary<number> =>
  amounts === "usual" ? Money.cents({ min: 0, max: 20_000 }) : Money.cents({ min: 0 })

/** Mostly two to four values, sometimes one or none. */
export const several = (value: fc.Arbitrary<string>): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.array(value, { maxLength: 1 }) },
    { weight: 4, arbitrary: fc.array(value, { minLength: 2, maxLength: 4 }) },
  )

export const texts = (): fc.Arbitrary<ReadonlyArray<string>> => several(text())

const start = 1_700_000_000
const day = 86_400

/** Moments of the same few days, often a second apart; occasionally any other time. */
export const moment = (): fc.Arbitrary<number> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        ...[start - 1, start, start + 1, start + day - 1, start + day, start + 2 * day],
      ),
    },
    { weight: 1, arbitrary: time() },
  )

/** The same few collaborators, so that groups compete. */
export const collaboratorId = (): fc.Arbitrary<string> => fc.constantFrom("ada", "ben", "cam")

const kinds: {
  readonly [K in Attribute.ValueKind]: (word: fc.Arbitrary<string>) => fc.Arbitrary<string>
} = {
  id: productId,
  country,
  text: (word) => word,
}

/** A value of an attribute; `word` for attributes of any text. */
export const attributeValue = (
  attribute: Attribute.Attribute,
  word = text(),
): fc.Arbitrary<string> => kinds[Attribute.kindOf(attribute)](word)
