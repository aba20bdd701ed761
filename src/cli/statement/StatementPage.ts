import { calendarDay, grouped } from "../../documents/Figure.js"
import { type Html, html } from "../../documents/Html.js"
import { head, issuerAddress, what } from "../../documents/Page.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { SeenItem } from "../../payouts/Visibility.js"
import * as Visibility from "../../payouts/Visibility.js"
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

const money = (amount: number, currency: string): string =>
  `${grouped(amount, currency)} ${currency}`

const original = ({ originalAmount, originalCurrency, currencyExchangeRate }: SeenItem): Html =>
  currencyExchangeRate === null
    ? html``
    : html`${money(originalAmount, originalCurrency)}<small>at ${currencyExchangeRate}</small>`

const itemRow = (item: SeenItem, currency: string, timeZone: string): Html => html`
      <tr><td class="day">${calendarDay(item.createdAt, timeZone)}</td><td class="text">${what(item)}</td><td class="number">${original(item)}</td><td class="number">${grouped(item.amount, currency)}</td></tr>`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const broughtForwardRow = (payout: StatementPayout, { from, timeZone }: StatementPeriod): Html =>
  payout.broughtForward === undefined || from === undefined
    ? html``
    : html`
      <tr><td class="day">${calendarDay(from, timeZone)}</td><td class="text">Brought forward</td><td></td><td class="number">${grouped(payout.broughtForward, payout.currency)}</td></tr>`

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
    (name) => html`<td class="number">${grouped(amounts[name], sum.currency)}</td>`,
  )
}

/** The titles of the cells of sums. */
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
    </div>${issuerAddress(issuer)}
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

/** The whole page, in pieces. `issuer`: the lines that name the issuer. */
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

/** The page as text. `issuer`: the lines that name the issuer. */
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
    </div>${issuerAddress(issuer)}
  </header>
  ${files.length === 0 ? html`<p>There are no payouts.</p>` : table}
</article>
</body>
</html>
`
  return head("Statements").text + page.text
}
