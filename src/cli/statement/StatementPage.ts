import { type Html, html } from "../../documents/Html.js"
import { head, issuerAddress, what } from "../../documents/Page.js"
import {
  amountHtml,
  capital,
  inEnglish,
  isolated,
  moneyHtml,
  phrased,
  type Writing,
} from "../../documents/Writing.js"
import { plain } from "../../languages/Messages.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { SeenItem } from "../../payouts/Visibility.js"
import * as Visibility from "../../payouts/Visibility.js"
import type { Section, Statement } from "./Statement.js"
import {
  periodOf,
  type StatementPayout,
  type StatementPeriod,
  type Sum,
  standing,
  sums,
} from "./StatementAccount.js"

// A statement as one self-contained page: a sheet for each collaborator, for printing.

/** How a sheet is written, and of which period it is. */
interface SheetFrame {
  readonly period: StatementPeriod
  readonly writing: Writing
  /** The lines that name the issuer. */
  readonly issuer: ReadonlyArray<string>
}

const original = (item: SeenItem, writing: Writing): Html => {
  const { originalAmount, originalCurrency, currencyExchangeRate } = item
  return currencyExchangeRate === null
    ? html``
    : html`${moneyHtml(originalAmount, originalCurrency, writing)}<small>${phrased(writing.say("rate", { rate: currencyExchangeRate }), writing)}</small>`
}

const itemRow = (item: SeenItem, currency: string, { period, writing }: SheetFrame): Html => html`
      <tr><td class="day">${writing.day(item.createdAt, period.timeZone)}</td><td class="text">${what(item, writing)}</td><td class="number">${original(item, writing)}</td><td class="number">${amountHtml(item.amount, currency, writing)}</td></tr>`

const broughtForwardRow = (payout: StatementPayout, { period, writing }: SheetFrame): Html =>
  payout.broughtForward === undefined || period.from === undefined
    ? html``
    : html`
      <tr><td class="day">${writing.day(period.from, period.timeZone)}</td><td class="text">${plain(writing.say("opening"))}</td><td></td><td class="number">${amountHtml(payout.broughtForward, payout.currency, writing)}</td></tr>`

/** Fields that the collaborator may not see are left out. */
function* payoutHtml(
  payout: StatementPayout,
  { collaborator }: Section,
  frame: SheetFrame,
): Generator<Html> {
  const { id, currency, total } = payout
  const { writing, period } = frame
  const { say } = writing
  const seen = (items: ReadonlyArray<PayoutItem>) =>
    Visibility.asSeenBy({ ...payout, items }, collaborator.permissions).items
  yield html`
  <section>
    <h2>${phrased(say("payoutNamed", { id }), writing)}</h2>
    <p>${phrased(capital(standing(payout, period.timeZone, writing)), writing)}.</p>
    <div class="wide"><table>
      <caption>${phrased(say("payoutMadeOf", { id }), writing)}</caption>
      <thead><tr><th scope="col">${plain(say("date"))}</th><th scope="col">${plain(say("item"))}</th><th scope="col" class="number">${plain(say("originalAmount"))}</th><th scope="col" class="number">${phrased(say("amountIn", { currency }), writing)}</th></tr></thead>
      <tbody>${broughtForwardRow(payout, frame)}`
  for (const items of payout.ofPeriod()) {
    yield html`${seen(items).map((item) => itemRow(item, currency, frame))}`
  }
  yield html`
      </tbody>
      <tfoot><tr><th scope="row" colspan="3">${plain(say("total"))}</th><td class="number">${moneyHtml(total, currency, writing)}</td></tr></tfoot>
    </table></div>
  </section>`
}

const sumColumns = ({ from }: StatementPeriod) =>
  from === undefined
    ? (["paid", "owed", "total"] as const)
    : (["opening", "earned", "paid", "owed"] as const)

const sumTitle = ({ say }: Writing, name: ReturnType<typeof sumColumns>[number]): string =>
  plain(say(name === "owed" ? "closing" : name))

/** The cells of a sum, below the titles of sums. */
const sumCells = (sum: Sum, { period, writing }: SheetFrame): ReadonlyArray<Html> => {
  const amounts = { ...sum, total: sum.paid + sum.owed }
  return sumColumns(period).map(
    (name) => html`<td class="number">${amountHtml(amounts[name], sum.currency, writing)}</td>`,
  )
}

/** The titles of the cells of sums. */
const sumHeads = ({ period, writing }: SheetFrame): ReadonlyArray<Html> =>
  sumColumns(period).map(
    (name) => html`<th scope="col" class="number">${sumTitle(writing, name)}</th>`,
  )

const totalsCaption = ({ period, writing }: SheetFrame): Html =>
  phrased(writing.say("totalsOver", { period: periodOf(period, writing) }), writing)

const sumRow = (sum: Sum, frame: SheetFrame): Html => html`
      <tr><th scope="row">${sum.currency}</th>${sumCells(sum, frame)}</tr>`

const sumsTable = (payouts: ReadonlyArray<StatementPayout>, frame: SheetFrame): Html =>
  html`<div class="wide"><table>
      <caption>${totalsCaption(frame)}</caption>
      <thead><tr><th scope="col">${plain(frame.writing.say("currency"))}</th>${sumHeads(frame)}</tr></thead>
      <tbody>${sums(payouts).map((sum) => sumRow(sum, frame))}
      </tbody>
    </table></div>`

const payoutRow = (payout: StatementPayout, { period, writing }: SheetFrame): Html => html`
      <tr><th scope="row">${isolated(payout.id, writing)}</th><td>${phrased(capital(standing(payout, period.timeZone, writing)), writing)}</td><td class="number">${moneyHtml(payout.total, payout.currency, writing)}</td></tr>`

const payoutsTable = (payouts: ReadonlyArray<StatementPayout>, frame: SheetFrame): Html => {
  const { say } = frame.writing
  return html`<div class="wide"><table>
      <caption>${plain(say("payouts"))}</caption>
      <thead><tr><th scope="col">${plain(say("payout"))}</th><th scope="col">${plain(say("state"))}</th><th scope="col" class="number">${plain(say("total"))}</th></tr></thead>
      <tbody>${payouts.map((payout) => payoutRow(payout, frame))}
      </tbody>
    </table></div>`
}

function* sheet(section: Section, frame: SheetFrame): Generator<Html> {
  const { collaborator, payouts } = section
  const { period, writing, issuer } = frame
  const { say } = writing
  yield html`
<article>
  <header>
    <div>
      <h1>${isolated(collaborator.account.name, writing)}</h1>
      <p>${phrased(say("statementOver", { period: periodOf(period, writing) }), writing)}</p>
    </div>${issuerAddress(issuer)}
  </header>
  `
  if (payouts.length === 0) {
    const none = say(period.from === undefined ? "noPayouts" : "noPayoutsInPeriod")
    yield html`<p>${plain(none)}</p>`
  } else {
    yield html`${sumsTable(payouts, frame)}
    ${payoutsTable(payouts, frame)}`
  }
  for (const payout of payouts) yield* payoutHtml(payout, section, frame)
  yield html`
</article>`
}

/** The whole page, in pieces. */
export function* texts(
  { sections, period }: Statement,
  { writing, issuer }: Omit<SheetFrame, "period">,
): Generator<string> {
  const [only] = sections
  const name = sections.length === 1 ? only?.collaborator.account.name : undefined
  const { say } = writing
  const over = say("statementsOver", { period: periodOf(period, writing) })
  yield head(plain(name === undefined ? over : say("statementOf", { name })), writing).text
  for (const section of sections) {
    for (const part of sheet(section, { period, writing, issuer })) yield part.text
  }
  yield "\n</body>\n</html>\n"
}

// The index page of a statement: the amounts and the file of each collaborator. The store reads it, in English.

/** A file of the statement, named as in its folder. */
export interface StatementFile {
  readonly section: Section
  readonly name: string
}

const amountCells = (sum: Sum, frame: SheetFrame): Html =>
  html`<td>${sum.currency}</td><td class="number">${sum.payouts}</td>${sumCells(sum, frame)}`

/** A row for each currency of a collaborator. */
const rowsOf = ({ section, name }: StatementFile, frame: SheetFrame): ReadonlyArray<Html> => {
  const { id, account } = section.collaborator
  return sums(section.payouts).map(
    (sum) => html`
      <tr><th scope="row"><a href="${encodeURIComponent(name)}">${account.name}</a><small>${id}</small></th>${amountCells(sum, frame)}</tr>`,
  )
}

const totalRow = (sum: Sum, frame: SheetFrame): Html => html`
      <tr><th scope="row">All together</th>${amountCells(sum, frame)}</tr>`

/** The page as text. `issuer`: the lines that name the issuer. */
export const text = (
  { sections, period }: Statement,
  files: ReadonlyArray<StatementFile>,
  issuer: ReadonlyArray<string>,
): string => {
  const all = sums(sections.flatMap(({ payouts }) => payouts))
  const frame = { period, writing: inEnglish, issuer }
  const table = html`<div class="wide"><table>
      <caption>${totalsCaption(frame)}</caption>
      <thead><tr><th scope="col">Collaborator</th><th scope="col">Currency</th><th scope="col" class="number">Payouts</th>${sumHeads(frame)}</tr></thead>
      <tbody>${files.flatMap((file) => rowsOf(file, frame))}
      </tbody>
      <tfoot>${all.map((sum) => totalRow(sum, frame))}
      </tfoot>
    </table></div>`
  const page = html`
<article>
  <header>
    <div>
      <h1>Statements</h1>
      <p>${files.length} ${files.length === 1 ? "collaborator" : "collaborators"}, ${plain(periodOf(period, inEnglish))}</p>
    </div>${issuerAddress(issuer)}
  </header>
  ${files.length === 0 ? html`<p>There are no payouts.</p>` : table}
</article>
</body>
</html>
`
  return head("Statements").text + page.text
}
