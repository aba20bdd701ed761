import { whole } from "../../money/Percent.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Figures } from "./orders.js"
import type { Terms } from "./terms.js"

/** Amounts on which percentages differ, or are rounded differently. */
const amounts = [
  ...[10_000, 1_000_000, 100, 1_000, 9_999, 10_001, 1, 2, 3, 5, 7, 33, 50, 51, 99, 101],
  ...[123_457, 100_000_000, 10_000_000_000, 90_000_000_000_000],
]

/** Around the amounts at which a limit begins to count, or no longer does. */
const aroundLimits = ({ basisPoints, least, most }: Terms): ReadonlyArray<number> =>
  [least, most]
    .filter((limit) => limit > 0)
    .flatMap((limit) => [limit, Math.ceil((limit / basisPoints) * whole)])
    .flatMap((amount) => [amount - 1, amount, amount + 1, amount * 10])

/** Sales that bring differences between terms to light, the plainest one first. */
export const tellingSales = (
  terms: ReadonlyArray<Terms>,
  policy: SplitPolicy,
): ReadonlyArray<Figures> => {
  const all = [...amounts, ...terms.flatMap(aroundLimits)].filter(Number.isSafeInteger)
  const plain = [...new Set(all)].map((amount): Figures => ({ amount }))
  const several = [2, 3, 10].map((quantity): Figures => ({ amount: 10_000 * quantity, quantity }))
  if (policy.shipping === "store") return [...plain, ...several]
  const shipped = plain.flatMap(
    ({ amount }): ReadonlyArray<Figures> => [
      { amount, shippingAmount: 1_000 },
      { amount, shippingAmount: 999_999 },
    ],
  )
  return [...plain, ...several, ...shipped, { amount: 0, shippingAmount: 101 }]
}
