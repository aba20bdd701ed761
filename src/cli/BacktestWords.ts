/** What the table and the page say in the same words. */
import type { Backtest, Change, ChangedOrder, RefusedOrder, Row, Rules } from "./Backtest.js"
import type { Who } from "./BacktestAmounts.js"
import * as Table from "./Table.js"

/** What the forms for people say more than the data. */
export const nameOf = (who: Who): string => who ?? "the store"

/** The month of a row, or what stands for it. */
export const monthOf = ({ month }: Pick<Row, "month">): string => month ?? "no date"

/** A difference with its sign. */
export const signed = (difference: bigint, currency: string): string =>
  `${difference > 0n ? "+" : ""}${Table.figure(difference, currency)}`

/** The difference in percent of what it was before, with one decimal; nothing when there was nothing before. */
export const percentOf = ({ before, difference }: Change): string => {
  if (before <= 0n) return ""
  const size = difference < 0n ? -difference : difference
  const tenths = (size * 2_000n + before) / (before * 2n)
  const sign = tenths === 0n ? "" : difference > 0n ? "+" : "-"
  return `${sign}${tenths / 10n}.${tenths % 10n}%`
}

/** The inputs of one side. */
export const rulesOf = ({ groups, policy }: Rules): string =>
  policy === null ? groups : `${groups} with the policy ${policy}`

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`

/** How many orders there were, and what became of them; a sentence each. */
export const countsOf = ({ counts }: Backtest): ReadonlyArray<string> => {
  const said = (number: number, what: string) =>
    number === 0 ? [] : [`${count(number, "order")} ${what}.`]
  return [
    `${count(counts.compared, "order")} compared; ${counts.changed.toLocaleString("en-US")} of them ${counts.changed === 1 ? "gives" : "give"} a collaborator more or less.`,
    ...said(counts.refusedByBefore, "refused by the rules before only, and not in the sums"),
    ...said(counts.refusedByAfter, "refused by the rules after only, and not in the sums"),
    ...said(counts.refusedByBoth, "refused by both"),
    ...said(counts.unreadable, "not readable"),
  ]
}

/** Who gets how much more or less of an order, as `ada 50.00 → 40.00 USD (-10.00)`. */
export const changesOf = (
  { changes, currency }: ChangedOrder,
  names: Backtest["names"],
): ReadonlyArray<string> =>
  changes.map(({ collaboratorId, before, after, difference }) => {
    const figures = `${Table.figure(before, currency)} → ${Table.money(after, currency)}`
    return `${names?.get(collaboratorId) ?? collaboratorId} ${figures} (${signed(difference, currency)})`
  })

/** Where a changed order stands, and when it was made. */
export const placeOf = (order: ChangedOrder): string =>
  `Order ${order.orderId} (line ${order.line}, ${monthOf(order)})`

/** Why an order was refused, and what the other side gives. */
export const refusalOf = ({ by, error, shares, store, currency }: RefusedOrder): string => {
  const other = by === "before" ? "after" : "before"
  const given = `${Table.money(shares, currency)} to collaborators and ${Table.money(store, currency)} to the store`
  return `refused by the rules ${by} only (${error._tag}): ${error.message}. The rules ${other} give ${given}.`
}

/** How many refused orders are not listed. */
export const unlisted = ({ counts, refused }: Backtest): number =>
  counts.refusedByBefore + counts.refusedByAfter - refused.length
