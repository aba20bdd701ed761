/** What of a backtest is shown to people: sums first, then those for whom something changes, the biggest first. */
import type { Backtest, Change, Row, Total } from "./Backtest.js"
import * as BacktestWords from "./BacktestWords.js"

/** One line of the totals, with its months. */
export interface Line {
  readonly name: string
  readonly total: Total
  readonly rows: ReadonlyArray<Row>
}

/** What is shown of one currency. */
export interface View {
  readonly currency: string
  /** All collaborators together, and the store. */
  readonly sums: ReadonlyArray<Line>
  /** Those who get more or less, the biggest difference first. */
  readonly changed: ReadonlyArray<Line>
  /** How many get more or less and are not among them. */
  readonly unlisted: number
  /** How many collaborators get the same. */
  readonly unchanged: number
}

const sizeOf = ({ difference }: Change): bigint => (difference < 0n ? -difference : difference)

const byStore = <A extends Total>(lines: ReadonlyArray<A>) => {
  const isStore = ({ collaboratorId }: A) => collaboratorId === null
  return { store: lines.filter(isStore), others: lines.filter((line) => !isStore(line)) }
}

const sumOf = (changes: ReadonlyArray<Change>): Change => {
  const sum = { before: 0n, after: 0n, difference: 0n }
  for (const { before, after, difference } of changes) {
    sum.before += before
    sum.after += after
    sum.difference += difference
  }
  return sum
}

const together = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  [...Map.groupBy(rows, ({ month }) => month)]
    .sort(([one], [other]) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null)
      return one < other ? -1 : 1
    })
    .flatMap(([, [first, ...rest]]) =>
      first === undefined ? [] : [{ ...first, collaboratorId: null, ...sumOf([first, ...rest]) }],
    )

const viewOf = (
  currency: string,
  { totals, rows }: Pick<Backtest, "totals" | "rows">,
  { most, nameOf }: { readonly most: number; readonly nameOf: (id: string) => string },
): View => {
  const { store, others } = byStore(totals)
  const months = byStore(rows)
  const all = { collaboratorId: null, currency, ...sumOf(others) }
  const changed = others
    .filter(({ difference }) => difference !== 0n)
    .sort((one, other) => {
      const [size, otherSize] = [sizeOf(one), sizeOf(other)]
      return size === otherSize ? 0 : size > otherSize ? -1 : 1
    })
  const listed = changed.slice(0, most)
  const ownRows = Map.groupBy(months.others, ({ collaboratorId }) => collaboratorId)
  return {
    currency,
    sums: [
      { name: "all collaborators", total: all, rows: together(months.others) },
      ...store.map((total) => ({ name: BacktestWords.nameOf(null), total, rows: months.store })),
    ],
    changed: listed.map((total) => ({
      name: total.collaboratorId === null ? "" : nameOf(total.collaboratorId),
      total,
      rows: ownRows.get(total.collaboratorId) ?? [],
    })),
    unlisted: changed.length - listed.length,
    unchanged: others.length - changed.length,
  }
}

/** What is shown of each currency. `most`: so many of those for whom something changes. */
export const of = ({ totals, rows, names }: Backtest, most: number): ReadonlyArray<View> => {
  const rowsByCurrency = Map.groupBy(rows, ({ currency }) => currency)
  const nameOf = (id: string) => names?.get(id) ?? id
  return [...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, ofCurrency]) =>
    viewOf(
      currency,
      { totals: ofCurrency, rows: rowsByCurrency.get(currency) ?? [] },
      { most, nameOf },
    ),
  )
}

/** Who is not listed, in a sentence; `undefined` when everyone is. */
export const leftOut = ({ currency, unlisted, unchanged }: View): string | undefined => {
  const count = (number: number) => BacktestWords.count(number, "collaborator")
  const parts = [
    ...(unlisted === 0 ? [] : [`${count(unlisted)} with smaller differences (--all lists them)`]),
    ...(unchanged === 0 ? [] : [`${count(unchanged)} who get the same`]),
  ]
  return parts.length === 0 ? undefined : `Not listed in ${currency}: ${parts.join(", ")}.`
}
