/** The forms of a statement from what is stored, written piece by piece. */
import * as Json from "../../internal/names.js"
import { printable } from "../../orders/Words.js"
import type { LineKind } from "../../payouts/Statement.js"
import * as Visibility from "../../payouts/Visibility.js"
import type {
  CollaboratorStatement,
  CurrencyStatement,
  PayoutLine,
} from "../../service/Statements.js"
import * as Days from "../input/Days.js"
import * as Csv from "../output/Csv.js"
import { type Html, html } from "../output/Html.js"
import * as Table from "../output/Table.js"
import { about, header } from "./StatementFiles.js"
import { figure, head, what } from "./StatementPage.js"

/** Texts of a statement, in the order in which they are asked for. */
export interface StatementForm {
  readonly head: string
  readonly before: (accountId: string, statement: CollaboratorStatement) => string
  /** Whether it has the lines; else they are not looked up. */
  readonly hasLines: boolean
  readonly lines: (
    accountId: string,
    statement: CollaboratorStatement,
    lines: ReadonlyArray<PayoutLine>,
  ) => string
  readonly after: (statement: CollaboratorStatement) => string
  readonly tail: () => string
}

type Period = CollaboratorStatement["period"]

const timeZone = "UTC"

const figures = [
  ...(["opening", "sales", "refunds", "expenses", "incomes"] as const),
  ...(["removed", "paid", "closing"] as const),
]

const nothing = () => ""

// A table with a row for each collaborator and currency.

const tableForm = (): StatementForm => {
  const rows: Array<ReadonlyArray<string>> = []
  return {
    ...{ head: "", hasLines: false, lines: nothing, after: nothing },
    before: (accountId, { collaborator, statements }) => {
      for (const statement of statements) {
        const { currency } = statement
        const amounts = figures.map((name) => Table.figure(statement[name], currency))
        rows.push([accountId, collaborator.id, currency, ...amounts])
      }
      return ""
    },
    tail: () => {
      const texts = ["account", "collaborator", "currency"].map((title) => ({ title }))
      const numbers = figures.map((title) => ({ title, isNumber: true }))
      return printable(Table.table([...texts, ...numbers], rows))
    },
  }
}

// JSON: an object for each collaborator, with their figures and their lines.

const indented = (value: unknown, by: string): string =>
  JSON.stringify(Json.inSnakeCase(value), undefined, 2).replace(/^/gm, by)

const jsonForm = (period: Period): StatementForm => {
  let [separator, lineSeparator] = ["", ""]
  const times = { from: period.from ?? null, until: period.until ?? null }
  return {
    head: '{\n  "data": [',
    before: (accountId, { collaborator, statements }) => {
      const { id, account } = collaborator
      const begun = { accountId, collaborator: { id, name: account.name }, ...times, statements }
      const text = indented(begun, "    ").replace(/\n {4}}$/, ',\n      "items": [')
      const before = separator
      separator = ","
      lineSeparator = ""
      return `${before}\n${text}`
    },
    hasLines: true,
    lines: (_accountId, _statement, lines) => {
      let texts = ""
      for (const line of lines) {
        texts += `${lineSeparator}\n${indented(line, "        ")}`
        lineSeparator = ","
      }
      return texts
    },
    after: () => (lineSeparator === "" ? "]\n    }" : "\n      ]\n    }"),
    tail: () => (separator === "" ? "]\n}\n" : "\n  ]\n}\n"),
  }
}

// CSV: a line for each thing that was noted, in the columns of a statement from files.

interface PlacedAmount {
  readonly collaboratorId: string
  readonly payoutId: string | null
  readonly currency: string
}

/** What only a payout has to say stays empty: it may change after the period. */
const leading = ({ collaboratorId, payoutId, currency }: PlacedAmount) => [
  ...[collaboratorId, payoutId, null, currency],
  ...[null, null, null],
]

const rowOf = (collaboratorId: string, line: PayoutLine): ReadonlyArray<Csv.Cell> => {
  const { payoutId, currency, kind, at, amount, item } = line
  const start = leading({ collaboratorId, payoutId, currency })
  if (item === undefined) {
    return [...start, kind, null, null, null, null, null, at, null, amount, currency, null, amount]
  }
  const [, name, orderId, itemId, groupId, quantity, , refundedAt] = about(item)
  const { originalCurrency, currencyExchangeRate, originalAmount } = item
  // Of what is taken back of a share, only the amount is known.
  const original = kind === item.kind ? originalAmount : null
  return [
    ...[...start, kind, name ?? null, orderId ?? null, itemId ?? null, groupId ?? null],
    ...[quantity ?? null, at, refundedAt ?? null],
    ...[original, originalCurrency, currencyExchangeRate, amount],
  ]
}

const openingRow = (
  collaboratorId: string,
  { currency, opening }: CurrencyStatement,
  { from }: Period,
): ReadonlyArray<Csv.Cell> => [
  ...leading({ collaboratorId, payoutId: null, currency }),
  ...["brought forward", null, null, null, null, null, from ?? null, null],
  ...[opening, currency, null, opening],
]

const csvForm = (period: Period): StatementForm => ({
  head: Csv.line(header),
  before: (_accountId, { collaborator, statements }) =>
    Csv.lines(
      statements
        .filter(({ opening }) => opening !== 0)
        .map((one) => openingRow(collaborator.id, one, period)),
    ),
  hasLines: true,
  lines: (_accountId, { collaborator }, lines) =>
    Csv.lines(lines.map((line) => rowOf(collaborator.id, line))),
  ...{ after: nothing, tail: nothing },
})

// HTML: a sheet for each collaborator.

const titles: Readonly<Record<(typeof figures)[number], string>> = {
  ...{ opening: "Brought forward", sales: "Sales", refunds: "Refunds", expenses: "Expenses" },
  ...{ incomes: "Extra income", removed: "Taken out", paid: "Paid", closing: "To come" },
}

const kindNames: Readonly<Record<LineKind, string>> = {
  ...{ sale: "Sale", refund: "Refund", expense: "Expense", income: "Extra income" },
  ...{ removal: "Entry taken out", payment: "Payment", "returned payment": "Payment returned" },
}

const periodText = ({ from, until }: Period): string => {
  const begin = from === undefined ? "" : ` from ${Days.show(from, timeZone)}`
  const end = until === undefined ? "" : ` to ${Days.show(until - 1, timeZone)}`
  return `${begin}${end}` === "" ? "of everything" : `${begin}${end}`.trim()
}

const sumRow = (statement: CurrencyStatement): Html => html`
      <tr><th scope="row">${statement.currency}</th>${figures.map((name) => html`<td class="number">${figure(statement[name], statement.currency)}</td>`)}</tr>`

const lineRow = (
  { at, kind, amount, currency, item }: PayoutLine,
  { permissions }: CollaboratorStatement["collaborator"],
): Html => {
  const day = Days.show(at, timeZone)
  const text = item === undefined ? html`` : what(Visibility.itemAsSeenBy(item, permissions))
  return html`
      <tr><td class="day">${day}</td><td>${kindNames[kind]}</td><td class="text">${text}</td><td class="number">${figure(amount, currency)} ${currency}</td></tr>`
}

const htmlForm = (period: Period): StatementForm => ({
  head: head(`Statements ${periodText(period)}`).text,
  before: (_accountId, { collaborator, statements }) =>
    html`
<article>
  <header><div><h1>${collaborator.account.name}</h1><p>Statement ${periodText(period)}</p></div></header>
  <div class="wide"><table>
      <caption>Totals</caption>
      <thead><tr><th scope="col">Currency</th>${figures.map((name) => html`<th scope="col" class="number">${titles[name]}</th>`)}</tr></thead>
      <tbody>${statements.map(sumRow)}
      </tbody>
  </table></div>
  <div class="wide"><table>
      <caption>What it is made of</caption>
      <thead><tr><th scope="col">Date</th><th scope="col">What</th><th scope="col">Item</th><th scope="col" class="number">Amount</th></tr></thead>
      <tbody>`.text,
  hasLines: true,
  lines: (_accountId, { collaborator }, lines) =>
    lines.map((line) => lineRow(line, collaborator).text).join(""),
  after: () => "\n      </tbody>\n  </table></div>\n</article>",
  tail: () => "\n</body>\n</html>\n",
})

/** The form of the output. */
export const formOf = (
  format: "table" | "json" | "csv" | "html",
  period: Period,
): StatementForm => {
  switch (format) {
    case "table":
      return tableForm()
    case "json":
      return jsonForm(period)
    case "csv":
      return csvForm(period)
    case "html":
      return htmlForm(period)
  }
}
