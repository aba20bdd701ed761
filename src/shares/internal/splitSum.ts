/** Several splits as one of the whole: what each item and each share has in all of them. */
import { AmountOutOfRange } from "../../money/Cents.js"
import { sum, toSafe } from "../../money/internal/exact.js"
import type { ItemBreakdown, Outranked, Share, StoreShare } from "../Share.js"
import type { Split } from "../Split.js"

/** The rows with the same key, the first of them apart. */
type Same<A> = readonly [A, ...ReadonlyArray<A>]

const shareFigures = [
  ...(["amount", "shippingAmount", "base", "percentTotal"] as const),
  ...(["flatTotal", "beforeShipping", "claim"] as const),
]

const itemFigures = [
  ...(["amount", "quantity", "discount", "tax", "cost", "gatewayFee"] as const),
  ...(["shipping", "base", "deducted", "distributable"] as const),
]

type NumbersOf<Name extends string> = { readonly [Each in Name]: number }

/** The rows as one, with the exact sums of these figures; fails with the first that is out of range. */
const addUp = <Name extends string, A extends NumbersOf<Name> & { readonly itemId: string }>(
  [first, ...others]: Same<A>,
  names: ReadonlyArray<Name>,
): A => {
  if (others.length === 0) return first
  const sums = names.map((name) => {
    const whole = sum([first, ...others].map((row) => row[name]))
    const safe = toSafe(whole)
    if (safe !== undefined) return [name, safe] as const
    throw AmountOutOfRange.of(`${name} of item ${first.itemId} in all parts together`, whole)
  })
  return { ...first, ...Object.fromEntries(sums) }
}

const bySameKey = <A>(
  rows: ReadonlyArray<A>,
  keyOf: (row: A) => string,
): ReadonlyArray<Same<A>> => {
  const all = new Map<string, [A, ...Array<A>]>()
  for (const row of rows) {
    const known = all.get(keyOf(row))
    if (known === undefined) all.set(keyOf(row), [row])
    else known.push(row)
  }
  return [...all.values()]
}

const shareKey = ({ itemId, groupId, collaboratorId }: Share | Outranked): string =>
  JSON.stringify([itemId, groupId, collaboratorId])

const itemKey = ({ itemId }: { readonly itemId: string }): string => itemId

const wholeItem = (all: Same<ItemBreakdown>): ItemBreakdown => ({
  ...addUp(all, itemFigures),
  overAllocated: all.some(({ overAllocated }) => overAllocated),
})

/**
 * The splits as one, with the items in the order of another split that has them all. Throws `AmountOutOfRange` where a
 * sum is beyond the safe integers: each split is within them, and several of a flat amount need not be.
 */
export const sumOfSplits = (
  { items, ...whole }: Pick<Split, "orderId" | "currency" | "createdAt" | "policy" | "items">,
  splits: ReadonlyArray<Split>,
): Split => {
  const place = new Map(items.map(({ itemId }, index) => [itemId, index]))
  const placeOf = ({ itemId }: { readonly itemId: string }) => place.get(itemId) ?? items.length
  /** The rows of all splits, those with the same key as one, in the order of the items. */
  const sumOf = <A extends { readonly itemId: string }>(
    rowsOf: (split: Split) => ReadonlyArray<A>,
    keyOf: (row: A) => string,
    asOne: (rows: Same<A>) => A,
  ) =>
    bySameKey(splits.flatMap(rowsOf), keyOf)
      .map(asOne)
      .sort((one, other) => placeOf(one) - placeOf(other))
  const { orderId, currency, createdAt, policy } = whole
  return {
    ...{ orderId, currency, createdAt, policy },
    shares: sumOf(
      ({ shares }) => shares,
      shareKey,
      (all) => addUp(all, shareFigures),
    ),
    store: sumOf(
      ({ store }) => store,
      itemKey,
      (all: Same<StoreShare>) => addUp(all, ["amount"]),
    ),
    items: sumOf((split) => split.items, itemKey, wholeItem),
    outranked: sumOf(
      ({ outranked }) => outranked,
      shareKey,
      ([first]) => first,
    ),
  }
}
