/** Amounts of money at which what a group pays turns from one thing to another. */
import * as Result from "effect/Result"
import type { ProductGroup } from "../../groups/ProductGroup.js"
import * as Percent from "../../money/Percent.js"

const pointsOf = ({ percent }: ProductGroup): number =>
  percent === null ? 0 : Result.getOrElse(Percent.parse(percent), () => 0)

/** The smallest amount of which a percentage leaves exactly half a cent; most have one. */
const halfOf = (points: number): number | undefined => {
  for (let amount = 1; amount <= Percent.whole; amount += 1) {
    if ((amount * points) % Percent.whole === Percent.whole / 2) return amount
  }
  return undefined
}

const around = (amount: number): ReadonlyArray<number> => [amount, amount - 1, amount + 1]

/** The amounts at whose percentage a limit begins or ends to count. */
const limitsOf = (group: ProductGroup, points: number): ReadonlyArray<number> =>
  [group.minAmount, group.maxAmount].flatMap((limit) =>
    limit === null || points === 0 ? [] : around(Math.ceil((limit * Percent.whole) / points)),
  )

/** The amounts that a flat amount takes just all of, alone or beside its group's own percentage. */
const flatsOf = ({ amount, minAmount }: ProductGroup, points: number): ReadonlyArray<number> =>
  [amount, minAmount].flatMap((flat) => {
    if (flat === null || flat === 0) return []
    const rest = Percent.whole - points
    return [...around(flat), ...(rest === 0 ? [] : [Math.ceil((flat * Percent.whole) / rest)])]
  })

const figuresOf = (group: ProductGroup): ReadonlyArray<number> => {
  const points = pointsOf(group)
  return [...limitsOf(group, points), ...flatsOf(group, points)]
}

/** So many figures are enough, however many groups there are. */
const enough = 2_000

/**
 * The amounts that the groups make interesting, besides those that always are. Each is a safe integer of 1
 * or more.
 */
export const interesting = (groups: ReadonlyArray<ProductGroup>): ReadonlyArray<number> => {
  const some = groups.slice(0, enough)
  const halves = [...new Set(some.map(pointsOf))].flatMap((points) => halfOf(points) ?? [])
  const found = [...new Set([...halves, ...some.flatMap(figuresOf)])]
  return found.filter((amount) => Number.isSafeInteger(amount) && amount > 0).slice(0, enough)
}
