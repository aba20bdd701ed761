/** A statement as one page that needs nothing else: a sheet for each collaborator, made to be printed. */

import type { Payout } from "../payouts/Payout.js"
import type { SeenItem, SeenPayout } from "../payouts/Visibility.js"
import * as Visibility from "../payouts/Visibility.js"
import * as Days from "./Days.js"
import { Html, html } from "./Html.js"
import * as PayoutTotal from "./PayoutTotal.js"
import type { Section, Statement } from "./Statement.js"
import * as Table from "./Table.js"

const style = new Html(`
  :root { color-scheme: light; }
  * { box-sizing: border-box; }
  body { font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #1b1f24; background: #f3f4f6; margin: 0; padding: 2rem 1rem; }
  article { background: #fff; max-width: 60rem; margin: 0 auto 2rem; padding: 2.5rem; border-radius: 6px; box-shadow: 0 1px 3px rgb(0 0 0 / 15%); }
  header { border-bottom: 2px solid #1b1f24; padding-bottom: 1rem; margin-bottom: 1.5rem; }
  h1 { font-size: 1.6rem; margin: 0; }
  h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
  p { margin: .25rem 0; color: #4b5563; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-variant-numeric: tabular-nums; }
  th { text-align: left; font-size: .8rem; font-weight: 600; color: #4b5563; border-bottom: 1px solid #9ca3af; }
  th, td { padding: .3rem .6rem .3rem 0; vertical-align: top; }
  th:last-child, td:last-child { padding-right: 0; }
  tbody tr + tr td { border-top: 1px solid #e5e7eb; }
  tfoot td { border-top: 1px solid #1b1f24; font-weight: 600; }
  .number { text-align: right; white-space: nowrap; }
  .day { white-space: nowrap; }
  small { color: #4b5563; display: block; }
  @page { margin: 18mm 15mm; }
  @media print {
    body { background: #fff; padding: 0; font-size: 10pt; }
    article { box-shadow: none; border-radius: 0; max-width: none; margin: 0; padding: 0; }
    article + article { break-before: page; }
    h2, header { break-after: avoid; }
    tr { break-inside: avoid; }
    thead { display: table-header-group; }
    tfoot { display: table-row-group; break-before: avoid; }
    .wide { overflow: visible; }
  }
`)

const what = (item: SeenItem): Html => {
  if ("name" in item) {
    return html`${item.name}<small>${item.kind === "expense" ? "Expense" : "Extra income"}</small>`
  }
  const { product, orderId, itemId, quantity, refundedAt } = item.orderItem
  const units = quantity === undefined ? "" : ` · ${quantity} ${quantity === 1 ? "unit" : "units"}`
  const isPart = item.kind === "sale" && item.originalAmount !== 0
  const refund = refundedAt === null ? "" : isPart ? " · partly refunded" : " · refunded"
  return html`${product.name || itemId}<small>Order ${orderId}${units}${refund}</small>`
}

const original = ({ originalAmount, originalCurrency, currencyExchangeRate }: SeenItem): Html =>
  currencyExchangeRate === null
    ? html``
    : html`${Table.money(originalAmount, originalCurrency)}<small>at ${currencyExchangeRate}</small>`

const itemRow = (item: SeenItem, payout: SeenPayout, timeZone: string): Html => html`
      <tr><td class="day">${Days.show(item.createdAt, timeZone)}</td><td>${what(item)}</td><td class="number">${original(item)}</td><td class="number">${Table.figure(item.amount, payout.currency)}</td></tr>`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** What the collaborator may not see is left out. */
const payoutHtml = (payout: Payout, { collaborator }: Section, timeZone: string): Html => {
  const seen = Visibility.asSeenBy(payout, collaborator.permissions)
  const total = Table.money(PayoutTotal.of(payout), payout.currency)
  return html`
  <section>
    <h2>Payout ${payout.id}</h2>
    <p>${capital(PayoutTotal.standing(payout, timeZone))}.</p>
    <div class="wide"><table>
      <thead><tr><th>Date</th><th>Item</th><th class="number">In the order's currency</th><th class="number">Amount (${payout.currency})</th></tr></thead>
      <tbody>${seen.items.map((item) => itemRow(item, seen, timeZone))}
      </tbody>
      <tfoot><tr><td colspan="3">Total</td><td class="number">${total}</td></tr></tfoot>
    </table></div>
  </section>`
}

const sumRow = ({ currency, paid, owed }: PayoutTotal.Sum): Html => html`
      <tr><td>${currency}</td><td class="number">${Table.figure(paid, currency)}</td><td class="number">${Table.figure(owed, currency)}</td><td class="number">${Table.figure(paid + owed, currency)}</td></tr>`

const sumsTable = (payouts: ReadonlyArray<Payout>): Html => html`<div class="wide"><table>
      <thead><tr><th>Currency</th><th class="number">Paid</th><th class="number">To come</th><th class="number">Total</th></tr></thead>
      <tbody>${PayoutTotal.sums(payouts).map(sumRow)}
      </tbody>
    </table></div>`

function* sheet(section: Section, { timeZone, until }: Statement): Generator<Html> {
  const { collaborator, payouts } = section
  yield html`
<article>
  <header>
    <h1>${collaborator.account.name}</h1>
    <p>Statement up to ${Days.show(until - 1, timeZone)} (${timeZone})</p>
  </header>
  `
  yield payouts.length === 0 ? html`<p>There are no payouts yet.</p>` : sumsTable(payouts)
  for (const payout of payouts) yield payoutHtml(payout, section, timeZone)
  yield html`
</article>`
}

const head = (title: string): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>`

/** The whole page, a payout at a time. */
export function* texts(statement: Statement): Generator<string> {
  const { sections } = statement
  const [only] = sections
  const who = sections.length === 1 && only !== undefined ? only.collaborator.account.name : "all"
  yield head(`Statement: ${who}`).text
  for (const section of sections) {
    for (const part of sheet(section, statement)) yield part.text
  }
  yield "\n</body>\n</html>\n"
}
