/** The totals of a run in words, and the form in which threads pass them on. */
import type { CurrencySums, RunningTotals, Sum } from "../shares/Totals.js"
import * as Table from "./Table.js"

const columns: ReadonlyArray<Table.Column> = [
  { title: "who" },
  { title: "currency" },
  { title: "shares", isNumber: true },
  { title: "refunded", isNumber: true },
  { title: "total", isNumber: true },
]

/** Totals as plain data, which another thread can be given. */
export type TotalsData = RunningTotals["sums"]

const sorted = <A>(map: ReadonlyMap<string, A>): ReadonlyArray<readonly [string, A]> =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1))

const row = (who: string, currency: string, { given, takenBack }: Sum): ReadonlyArray<string> => [
  who,
  currency,
  Table.figure(given, currency),
  takenBack === 0n ? "" : Table.figure(-takenBack, currency),
  Table.figure(given - takenBack, currency),
]

const rowsOf = ([currency, { collaborators, store }]: readonly [string, CurrencySums]) => [
  ...sorted(collaborators).map(([id, sum]) => row(id, currency, sum)),
  row("the store", currency, store),
]

/** The totals as a table, collaborators by their id and the store last. */
export const toText = ({ sums }: RunningTotals): string => {
  const currencies = sorted(sums)
  const orders = currencies.reduce((sum, [, { splits }]) => sum + splits, 0)
  const count = `${orders.toLocaleString("en-US")} ${orders === 1 ? "order" : "orders"}`
  const rows = currencies.flatMap(rowsOf)
  return rows.length === 0 ? `${count}\n` : `Total of ${count}\n${Table.table(columns, rows)}`
}
