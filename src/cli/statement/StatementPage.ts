import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { SeenItem } from "../../payouts/Visibility.js"
import * as Visibility from "../../payouts/Visibility.js"
import * as Days from "../input/Days.js"
import { Html, html } from "../output/Html.js"
import * as Table from "../output/Table.js"
import type { Section, Statement } from "./Statement.js"
import {
  type StatementPayout,
  type StatementPeriod,
  type Sum,
  standing,
  sums,
} from "./StatementAccount.js"
import { periodText } from "./StatementTable.js"

// A statement as one self-contained page: a sheet for each collaborator, for printing.

const style = new Html(`
  :root { color-scheme: light; }
  * { box-sizing: border-box; }
  body { font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #1b1f24; background: #f3f4f6; margin: 0; padding: 2rem 1rem; }
  article { background: #fff; max-width: 60rem; margin: 0 auto 2rem; padding: 2.5rem; border-radius: 6px; box-shadow: 0 1px 3px rgb(0 0 0 / 15%); }
  header { border-bottom: 2px solid #1b1f24; padding-bottom: 1rem; margin-bottom: 1.5rem; display: flex; flex-wrap: wrap; gap: 1rem 2rem; justify-content: space-between; }
  address { font-style: normal; color: #4b5563; text-align: right; margin-left: auto; }
  address strong { color: #1b1f24; }
  h1 { font-size: 1.6rem; margin: 0; }
  h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
  h1, h2, p, address, td, th { overflow-wrap: anywhere; }
  p { margin: .25rem 0; color: #4b5563; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-variant-numeric: tabular-nums; }
  caption { text-align: left; font-size: .8rem; color: #4b5563; padding-bottom: .25rem; }
  th { text-align: left; font-size: .8rem; font-weight: 600; color: #4b5563; border-bottom: 1px solid #9ca3af; }
  th, td { padding: .3rem .6rem .3rem 0; vertical-align: top; }
  th:last-child, td:last-child { padding-right: 0; }
  tbody tr + tr > * { border-top: 1px solid #e5e7eb; }
  tbody th { font-size: inherit; font-weight: inherit; color: inherit; border-bottom: none; }
  tfoot > tr > * { border: none; border-top: 1px solid #1b1f24; font-size: inherit; font-weight: 600; color: inherit; }
  .number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
  thead .number { white-space: normal; }
  .day { white-space: nowrap; }
  .text { min-width: 8rem; }
  .wide + .wide { margin-top: 1.25rem; }
  @media (max-width: 40rem) { body { padding: 0; } article { padding: 1rem; border-radius: 0; } }
  small { color: #4b5563; display: block; }
  @page { margin: 18mm 15mm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt system-ui, sans-serif; color: #4b5563; } }
  @media print {
    body { background: #fff; padding: 0; font-size: 10pt; }
    article { box-shadow: none; border-radius: 0; max-width: none; margin: 0; padding: 0; }
    article + article { break-before: page; }
    h2, header, caption { break-after: avoid; }
    tr { break-inside: avoid; }
    thead { display: table-header-group; }
    tfoot { display: table-row-group; break-before: avoid; }
    .wide { overflow: visible; }
  }
`)

/** An amount with commas between the thousands, as `1,234.50`. */
export const figure = (amount: number | bigint, currency: string): string =>
  Table.figure(amount, currency).replace(/^-?\d+/, (whole) =>
    whole.replace(/\B(?=(\d{3})+$)/g, ","),
  )

const money = (amount: number, currency: string): string =>
  `${figure(amount, currency)} ${currency}`

/** What a line is about. */
export const what = (item: SeenItem): Html => {
  if ("name" in item) {
    return html`${item.name}<small>${item.kind === "expense" ? "Expense" : "Extra income"}</small>`
  }
  const { product, orderId, itemId, quantity, refundedAt, details } = item.orderItem
  const units = quantity === undefined ? "" : ` · ${quantity} ${quantity === 1 ? "unit" : "units"}`
  const isPart = item.kind === "sale" && item.originalAmount !== 0
  const refund = refundedAt === null ? "" : isPart ? " · partly refunded" : " · refunded"
  return html`${product.name || itemId}<small>Order ${details?.orderName ?? orderId}${units}${refund}</small>`
}

const original = ({ originalAmount, originalCurrency, currencyExchangeRate }: SeenItem): Html =>
  currencyExchangeRate === null
    ? html``
    : html`${money(originalAmount, originalCurrency)}<small>at ${currencyExchangeRate}</small>`

const itemRow = (item: SeenItem, currency: string, timeZone: string): Html => html`
      <tr><td class="day">${Days.show(item.createdAt, timeZone)}</td><td class="text">${what(item)}</td><td class="number">${original(item)}</td><td class="number">${figure(item.amount, currency)}</td></tr>`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const broughtForwardRow = (payout: StatementPayout, { from, timeZone }: StatementPeriod): Html =>
  payout.broughtForward === undefined || from === undefined
    ? html``
    : html`
      <tr><td class="day">${Days.show(from, timeZone)}</td><td class="text">Brought forward</td><td></td><td class="number">${figure(payout.broughtForward, payout.currency)}</td></tr>`

/** Fields that the collaborator may not see are left out. */
function* payoutHtml(
  payout: StatementPayout,
  { collaborator }: Section,
  period: StatementPeriod,
): Generator<Html> {
  const { id, currency, total } = payout
  const { timeZone } = period
  const seen = (items: ReadonlyArray<PayoutItem>) =>
    Visibility.asSeenBy({ ...payout, items }, collaborator.permissions).items
  yield html`
  <section>
    <h2>Payout ${id}</h2>
    <p>${capital(standing(payout, timeZone))}.</p>
    <div class="wide"><table>
      <caption>What payout ${id} is made of</caption>
      <thead><tr><th scope="col">Date</th><th scope="col">Item</th><th scope="col" class="number">In the order's currency</th><th scope="col" class="number">Amount (${currency})</th></tr></thead>
      <tbody>${broughtForwardRow(payout, period)}`
  for (const items of payout.ofPeriod()) {
    yield html`${seen(items).map((item) => itemRow(item, currency, timeZone))}`
  }
  yield html`
      </tbody>
      <tfoot><tr><th scope="row" colspan="3">Total</th><td class="number">${money(total, currency)}</td></tr></tfoot>
    </table></div>
  </section>`
}

const sumColumns = ({ from }: StatementPeriod) =>
  from === undefined
    ? (["paid", "owed", "total"] as const)
    : (["opening", "earned", "paid", "owed"] as const)

const sumTitles = {
  opening: "Brought forward",
  earned: "Earned",
  paid: "Paid",
  owed: "To come",
  total: "Total",
}

/** The cells of a sum, below the titles of sums. */
export const sumCells = (sum: Sum, period: StatementPeriod): ReadonlyArray<Html> => {
  const amounts = { ...sum, total: sum.paid + sum.owed }
  return sumColumns(period).map(
    (name) => html`<td class="number">${figure(amounts[name], sum.currency)}</td>`,
  )
}

/** What the cells of sums are called. */
export const sumHeads = (period: StatementPeriod): ReadonlyArray<Html> =>
  sumColumns(period).map((name) => html`<th scope="col" class="number">${sumTitles[name]}</th>`)

const sumRow = (sum: Sum, period: StatementPeriod): Html => html`
      <tr><th scope="row">${sum.currency}</th>${sumCells(sum, period)}</tr>`

const sumsTable = (payouts: ReadonlyArray<StatementPayout>, period: StatementPeriod): Html =>
  html`<div class="wide"><table>
      <caption>Totals ${periodText(period)}</caption>
      <thead><tr><th scope="col">Currency</th>${sumHeads(period)}</tr></thead>
      <tbody>${sums(payouts).map((sum) => sumRow(sum, period))}
      </tbody>
    </table></div>`

const payoutRow = (payout: StatementPayout, timeZone: string): Html => html`
      <tr><th scope="row">${payout.id}</th><td>${capital(standing(payout, timeZone))}</td><td class="number">${money(payout.total, payout.currency)}</td></tr>`

const payoutsTable = (payouts: ReadonlyArray<StatementPayout>, timeZone: string): Html =>
  html`<div class="wide"><table>
      <caption>Payouts</caption>
      <thead><tr><th scope="col">Payout</th><th scope="col">State</th><th scope="col" class="number">Total</th></tr></thead>
      <tbody>${payouts.map((payout) => payoutRow(payout, timeZone))}
      </tbody>
    </table></div>`

/** Who makes out the statement: the first line is the name. */
export const issuerHtml = ([name, ...lines]: ReadonlyArray<string>): Html =>
  name === undefined
    ? html``
    : html`<address><strong>${name}</strong>${lines.map((line) => html`<br>${line}`)}</address>`

function* sheet(
  section: Section,
  period: StatementPeriod,
  issuer: ReadonlyArray<string>,
): Generator<Html> {
  const { collaborator, payouts } = section
  yield html`
<article>
  <header>
    <div>
      <h1>${collaborator.account.name}</h1>
      <p>Statement ${periodText(period)}</p>
    </div>${issuerHtml(issuer)}
  </header>
  `
  if (payouts.length === 0)
    yield html`<p>There are no payouts ${period.from === undefined ? "yet" : "in this period"}.</p>`
  else
    yield html`${sumsTable(payouts, period)}
    ${payoutsTable(payouts, period.timeZone)}`
  for (const payout of payouts) yield* payoutHtml(payout, section, period)
  yield html`
</article>`
}

/** The head of a page, and the beginning of its body. */
export const head = (title: string): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>`

/** The whole page, piece by piece. `issuer`: the lines that say who makes it out. */
export function* texts(
  { sections, period }: Statement,
  issuer: ReadonlyArray<string>,
): Generator<string> {
  const [only] = sections
  const who = sections.length === 1 && only !== undefined ? only.collaborator.account.name : "all"
  yield head(`Statement: ${who}`).text
  for (const section of sections) {
    for (const part of sheet(section, period, issuer)) yield part.text
  }
  yield "\n</body>\n</html>\n"
}

// The index page of a statement: the amounts and the file of each collaborator.

/** A file of the statement, named as in its folder. */
export interface StatementFile {
  readonly section: Section
  readonly name: string
}

const amountCells = (sum: Sum, period: StatementPeriod): Html =>
  html`<td>${sum.currency}</td><td class="number">${sum.payouts}</td>${sumCells(sum, period)}`

/** A row for each currency of a collaborator. */
const rowsOf = ({ section, name }: StatementFile, period: StatementPeriod): ReadonlyArray<Html> => {
  const { id, account } = section.collaborator
  return sums(section.payouts).map(
    (sum) => html`
      <tr><th scope="row"><a href="${encodeURIComponent(name)}">${account.name}</a><small>${id}</small></th>${amountCells(sum, period)}</tr>`,
  )
}

const totalRow = (sum: Sum, period: StatementPeriod): Html => html`
      <tr><th scope="row">All together</th>${amountCells(sum, period)}</tr>`

/** The page as text. `issuer`: the lines that say who makes the statement out. */
export const text = (
  { sections, period }: Statement,
  files: ReadonlyArray<StatementFile>,
  issuer: ReadonlyArray<string>,
): string => {
  const all = sums(sections.flatMap(({ payouts }) => payouts))
  const table = html`<div class="wide"><table>
      <caption>Totals ${periodText(period)}</caption>
      <thead><tr><th scope="col">Collaborator</th><th scope="col">Currency</th><th scope="col" class="number">Payouts</th>${sumHeads(period)}</tr></thead>
      <tbody>${files.flatMap((file) => rowsOf(file, period))}
      </tbody>
      <tfoot>${all.map((sum) => totalRow(sum, period))}
      </tfoot>
    </table></div>`
  const page = html`
<article>
  <header>
    <div>
      <h1>Statements</h1>
      <p>${files.length} ${files.length === 1 ? "collaborator" : "collaborators"}, ${periodText(period)}</p>
    </div>${issuerHtml(issuer)}
  </header>
  ${files.length === 0 ? html`<p>There are no payouts.</p>` : table}
</article>
</body>
</html>
`
  return head("Statements").text + page.text
}
