import * as Csv from "../../documents/Csv.js"
import * as Json from "../../internal/names.js"
import { oneLine } from "../../orders/Words.js"
import * as Explanation from "../../shares/Explanation.js"
import * as WireSplit from "../../wire/Split.js"
import * as Table from "../output/Table.js"
import type {
  AmountChange,
  Backtest,
  ChangedOrder,
  CollaboratorRow,
  RefusedOrder,
  Rules,
  Total,
  Who,
} from "./Backtest.js"

// The texts that the table and the page share.

/** Names used in the formats for people only. */
export const sideName = (who: Who): string => who ?? "the store"

/** The month of a row, or its placeholder. */
export const monthOf = ({ month }: Pick<CollaboratorRow, "month">): string => month ?? "no date"

/** A difference with its sign. */
export const signed = (difference: bigint, currency: string): string =>
  `${difference > 0n ? "+" : ""}${Table.figure(difference, currency)}`

/** The difference in percent of the amount before, with one decimal; empty when that amount is 0. */
export const percentOf = ({ before, difference }: AmountChange): string => {
  if (before <= 0n) return ""
  const size = difference < 0n ? -difference : difference
  const tenths = (size * 2_000n + before) / (before * 2n)
  const sign = tenths === 0n ? "" : difference > 0n ? "+" : "-"
  return `${sign}${tenths / 10n}.${tenths % 10n}%`
}

/** The inputs of one side. */
export const rulesOf = ({ groups, policy }: Rules): string =>
  policy === null ? groups : `${groups} with the policy ${policy}`

export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`

/** How many orders there were, by outcome; a sentence each. */
export const countsOf = ({ counts }: Backtest): ReadonlyArray<string> => {
  const said = (number: number, what: string) =>
    number === 0 ? [] : [`${counted(number, "order")} ${what}.`]
  return [
    `${counted(counts.compared, "order")} compared; ${counts.changed.toLocaleString("en-US")} of them ${counts.changed === 1 ? "gives" : "give"} a collaborator more or less.`,
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

/** The line of a changed order, and when it was made. */
export const placeOf = (order: ChangedOrder): string =>
  `Order ${order.orderId} (line ${order.line}, ${monthOf(order)})`

/** Why one side refused an order, and the amounts of the other side. */
export const refusalOf = ({ by, error, shares, store, currency }: RefusedOrder): string => {
  const other = by === "before" ? "after" : "before"
  const given = `${Table.money(shares, currency)} to collaborators and ${Table.money(store, currency)} to the store`
  return `refused by the rules ${by} only (${error._tag}): ${error.message}. The rules ${other} give ${given}.`
}

/** How many refused orders are not listed. */
export const unlisted = ({ counts, refused }: Backtest): number =>
  counts.refusedByBefore + counts.refusedByAfter - refused.length

// The part of a backtest shown to people: totals first, then collaborators whose amount changes, the biggest difference
// first.

/** One line of the totals, with its months. */
export interface TotalLine {
  readonly name: string
  readonly total: Total
  readonly rows: ReadonlyArray<CollaboratorRow>
}

/** The figures of one currency. */
export interface View {
  readonly currency: string
  /** All collaborators together, and the store. */
  readonly sums: ReadonlyArray<TotalLine>
  /** The collaborators who get more or less, the biggest difference first. */
  readonly changed: ReadonlyArray<TotalLine>
  /** How many more collaborators get more or less than are in `changed`. */
  readonly unlisted: number
  /** How many collaborators get the same. */
  readonly unchanged: number
}

const sizeOf = ({ difference }: AmountChange): bigint =>
  difference < 0n ? -difference : difference

const byStore = <A extends Total>(lines: ReadonlyArray<A>) => {
  const isStore = ({ collaboratorId }: A) => collaboratorId === null
  return { store: lines.filter(isStore), others: lines.filter((line) => !isStore(line)) }
}

const sumOf = (changes: ReadonlyArray<AmountChange>): AmountChange => {
  const sum = { before: 0n, after: 0n, difference: 0n }
  for (const { before, after, difference } of changes) {
    sum.before += before
    sum.after += after
    sum.difference += difference
  }
  return sum
}

const together = (rows: ReadonlyArray<CollaboratorRow>): ReadonlyArray<CollaboratorRow> =>
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
      ...store.map((total) => ({ name: sideName(null), total, rows: months.store })),
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

/** The figures of each currency. `most`: the maximum number of collaborators in `changed`. */
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

/** How many collaborators are not listed, in a sentence; `undefined` when all are. */
export const leftOut = ({ currency, unlisted, unchanged }: View): string | undefined => {
  const count = (number: number) => counted(number, "collaborator")
  const parts = [
    ...(unlisted === 0 ? [] : [`${count(unlisted)} with smaller differences (--all lists them)`]),
    ...(unchanged === 0 ? [] : [`${count(unchanged)} who get the same`]),
  ]
  return parts.length === 0 ? undefined : `Not listed in ${currency}: ${parts.join(", ")}.`
}

// A backtest as tables, for the terminal.

const who: ReadonlyArray<Table.TableColumn> = [{ title: "who" }, { title: "currency" }]

const amounts: ReadonlyArray<Table.TableColumn> = [
  { title: "before", isNumber: true },
  { title: "after", isNumber: true },
  { title: "difference", isNumber: true },
]

const figures = ({ before, after, difference, currency }: Total): ReadonlyArray<string> => [
  Table.figure(before, currency),
  Table.figure(after, currency),
  signed(difference, currency),
]

const monthRow = (name: string, row: CollaboratorRow): ReadonlyArray<string> => [
  name,
  row.currency,
  monthOf(row),
  ...figures(row),
]

const totalRow = ({ name, total }: TotalLine): ReadonlyArray<string> => [
  name,
  total.currency,
  ...figures(total),
  percentOf(total),
]

/** How many collaborators are listed in each currency, unless `--all` is given. */
const mostListed = 50

function* sumTexts(backtest: Backtest): Generator<string> {
  const views = of(backtest, backtest.isAll ? Number.POSITIVE_INFINITY : mostListed)
  const lines = views.flatMap(({ sums, changed }) => [...sums, ...changed])
  const columns = [...who, ...amounts, { title: "change", isNumber: true }]
  yield `In all\n${Table.table(columns, lines.map(totalRow))}`
  for (const sentence of views.flatMap((view) => leftOut(view) ?? [])) {
    yield `${sentence}\n`
  }
  const monthly = [...who, { title: "month" }, ...amounts]
  const rows = views.flatMap(({ sums, changed }) => [
    ...sums.flatMap(({ name, rows: months }) => months.map((row) => monthRow(name, row))),
    ...changed.flatMap(({ name, rows: months }) =>
      months.filter(({ difference }) => difference !== 0n).map((row) => monthRow(name, row)),
    ),
  ])
  yield `\nBy month (${backtest.timeZone})\n${Table.table(monthly, rows)}\n`
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "    ")

const explanation = (title: string, side: Explanation.Explanation, { names }: Backtest): string => {
  const collaborator = (id: string) => names?.get(id)
  return `  ${title}\n${indented(Explanation.toText(side, { names: { collaborator } }))}\n`
}

const orderText = (order: ChangedOrder, backtest: Backtest): string => {
  const changes = changesOf(order, backtest.names).map((change) => `  ${oneLine(change)}\n`)
  return [
    `${oneLine(placeOf(order))}\n`,
    ...changes,
    order.isRefunded ? "  Refunds are taken off these amounts, and not in what follows.\n" : "",
    explanation("Before:", order.before, backtest),
    explanation("After:", order.after, backtest),
    "\n",
  ].join("")
}

function* refusedTexts(backtest: Backtest): Generator<string> {
  const { refused } = backtest
  if (refused.length === 0) return
  yield "Orders that only one side refuses\n"
  for (const order of refused) {
    const said = `Order ${order.orderId} (line ${order.line}): ${refusalOf(order)}`
    yield `  ${oneLine(said)}\n`
  }
  const more = unlisted(backtest)
  if (more > 0) yield `  and ${counted(more, "more", "more")}\n`
  yield "\n"
}

/** The totals, the sums by month, the biggest differences, the orders that one side refuses. */
export function* texts(backtest: Backtest): Generator<string> {
  const { rows, biggest } = backtest
  yield `Before: ${oneLine(rulesOf(backtest.before))}\n`
  yield `After: ${oneLine(rulesOf(backtest.after))}\n\n`
  if (rows.length > 0) yield* sumTexts(backtest)
  if (biggest.length > 0) yield "The biggest differences\n\n"
  for (const order of biggest) yield orderText(order, backtest)
  yield* refusedTexts(backtest)
  for (const sentence of countsOf(backtest)) yield `${sentence}\n`
}

// A backtest as CSV: a line for each party and month. Amounts are in the lowest unit of their currency.

const header = ["kind", "collaborator_id", "currency", "month", "before", "after", "difference"]

export function* csvTexts({ rows }: Backtest): Generator<string> {
  yield Csv.line(header)
  for (const { collaboratorId, currency, month, before, after, difference } of rows) {
    const kind = collaboratorId === null ? "store" : "collaborator"
    yield Csv.line([kind, collaboratorId, currency, month, before, after, difference])
  }
}

// A backtest as JSON, with the explanations as data.

/** A sum beyond the safe integers is a text, because readers of JSON would round it. */
const amount = (value: bigint): number | string => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

const amountsOf = ({ before, after, difference }: Total) => ({
  before: amount(before),
  after: amount(after),
  difference: amount(difference),
})

const total = (each: Total) => ({
  kind: each.collaboratorId === null ? "store" : "collaborator",
  collaboratorId: each.collaboratorId,
  currency: each.currency,
})

const row = (each: CollaboratorRow) => ({ ...total(each), month: each.month, ...amountsOf(each) })

const changed = ({ changes, ...order }: ChangedOrder) => ({
  orderId: order.orderId,
  line: order.line,
  currency: order.currency,
  month: order.month,
  changes: changes.map((each) => ({ collaboratorId: each.collaboratorId, ...amountsOf(each) })),
  isRefunded: order.isRefunded,
  before: order.before,
  after: order.after,
})

const refused = ({ error, shares, store, ...order }: RefusedOrder) => ({
  ...order,
  error: WireSplit.writeError(error).error,
  shares: amount(shares),
  store: amount(store),
})

export function* jsonTexts({ before, after, timeZone, ...found }: Backtest): Generator<string> {
  const document = {
    before,
    after,
    timeZone,
    counts: found.counts,
    rows: found.rows.map(row),
    totals: found.totals.map((each) => ({ ...total(each), ...amountsOf(each) })),
    biggest: found.biggest.map(changed),
    refused: found.refused.map(refused),
  }
  yield `${JSON.stringify(Json.inSnakeCase(document), undefined, 2)}\n`
}
