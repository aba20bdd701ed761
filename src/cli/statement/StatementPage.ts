import {
  amountHtml,
  capital,
  type DocumentWords,
  inEnglish,
  isolated,
  moneyHtml,
  phrased,
} from "../../documents/DocumentWords.js"
import { type Html, html } from "../../documents/Html.js"
import { head, issuerAddress, what } from "../../documents/Page.js"
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
  readonly words: DocumentWords
  /** The lines that name the issuer. */
  readonly issuer: ReadonlyArray<string>
}

const original = (item: SeenItem, words: DocumentWords): Html => {
  const { originalAmount, originalCurrency, currencyExchangeRate } = item
  return currencyExchangeRate === null
    ? html``
    : html`${moneyHtml(originalAmount, originalCurrency, words)}<small>${phrased(words.say("rate", { rate: currencyExchangeRate }), words)}</small>`
}

const itemRow = (item: SeenItem, currency: string, { period, words }: SheetFrame): Html => html`
      <tr><td class="day">${words.day(item.createdAt, period.timeZone)}</td><td class="text">${what(item, words)}</td><td class="number">${original(item, words)}</td><td class="number">${amountHtml(item.amount, currency, words)}</td></tr>`

const broughtForwardRow = (payout: StatementPayout, { period, words }: SheetFrame): Html =>
  payout.broughtForward === undefined || period.from === undefined
    ? html``
    : html`
      <tr><td class="day">${words.day(period.from, period.timeZone)}</td><td class="text">${plain(words.say("opening"))}</td><td></td><td class="number">${amountHtml(payout.broughtForward, payout.currency, words)}</td></tr>`

/** Fields that the collaborator may not see are left out. */
function* payoutHtml(
  payout: StatementPayout,
  { collaborator }: Section,
  frame: SheetFrame,
): Generator<Html> {
  const { id, currency, total } = payout
  const { words, period } = frame
  const { say } = words
  const seen = (items: ReadonlyArray<PayoutItem>) =>
    Visibility.asSeenBy({ ...payout, items }, collaborator.permissions).items
  yield html`
  <section>
    <h2>${phrased(say("payoutNamed", { id }), words)}</h2>
    <p>${phrased(capital(standing(payout, period.timeZone, words)), words)}.</p>
    <div class="wide"><table>
      <caption>${phrased(say("payoutMadeOf", { id }), words)}</caption>
      <thead><tr><th scope="col">${plain(say("date"))}</th><th scope="col">${plain(say("item"))}</th><th scope="col" class="number">${plain(say("originalAmount"))}</th><th scope="col" class="number">${phrased(say("amountIn", { currency }), words)}</th></tr></thead>
      <tbody>${broughtForwardRow(payout, frame)}`
  for (const items of payout.ofPeriod()) {
    yield html`${seen(items).map((item) => itemRow(item, currency, frame))}`
  }
  yield html`
      </tbody>
      <tfoot><tr><th scope="row" colspan="3">${plain(say("total"))}</th><td class="number">${moneyHtml(total, currency, words)}</td></tr></tfoot>
    </table></div>
  </section>`
}

const sumColumns = ({ from }: StatementPeriod) =>
  from === undefined
    ? (["paid", "owed", "total"] as const)
    : (["opening", "earned", "paid", "owed"] as const)

const sumTitle = ({ say }: DocumentWords, name: ReturnType<typeof sumColumns>[number]): string =>
  plain(say(name === "owed" ? "closing" : name))

/** The cells of a sum, below the titles of sums. */
const sumCells = (sum: Sum, { period, words }: SheetFrame): ReadonlyArray<Html> => {
  const amounts = { ...sum, total: sum.paid + sum.owed }
  return sumColumns(period).map(
    (name) => html`<td class="number">${amountHtml(amounts[name], sum.currency, words)}</td>`,
  )
}

/** The titles of the cells of sums. */
const sumHeads = ({ period, words }: SheetFrame): ReadonlyArray<Html> =>
  sumColumns(period).map(
    (name) => html`<th scope="col" class="number">${sumTitle(words, name)}</th>`,
  )

const totalsCaption = ({ period, words }: SheetFrame): Html =>
  phrased(words.say("totalsOver", { period: periodOf(period, words) }), words)

const sumRow = (sum: Sum, frame: SheetFrame): Html => html`
      <tr><th scope="row">${sum.currency}</th>${sumCells(sum, frame)}</tr>`

const sumsTable = (payouts: ReadonlyArray<StatementPayout>, frame: SheetFrame): Html =>
  html`<div class="wide"><table>
      <caption>${totalsCaption(frame)}</caption>
      <thead><tr><th scope="col">${plain(frame.words.say("currency"))}</th>${sumHeads(frame)}</tr></thead>
      <tbody>${sums(payouts).map((sum) => sumRow(sum, frame))}
      </tbody>
    </table></div>`

const payoutRow = (payout: StatementPayout, { period, words }: SheetFrame): Html => html`
      <tr><th scope="row">${isolated(payout.id, words)}</th><td>${phrased(capital(standing(payout, period.timeZone, words)), words)}</td><td class="number">${moneyHtml(payout.total, payout.currency, words)}</td></tr>`

const payoutsTable = (payouts: ReadonlyArray<StatementPayout>, frame: SheetFrame): Html => {
  const { say } = frame.words
  return html`<div class="wide"><table>
      <caption>${plain(say("payouts"))}</caption>
      <thead><tr><th scope="col">${plain(say("payout"))}</th><th scope="col">${plain(say("state"))}</th><th scope="col" class="number">${plain(say("total"))}</th></tr></thead>
      <tbody>${payouts.map((payout) => payoutRow(payout, frame))}
      </tbody>
    </table></div>`
}

function* sheet(section: Section, frame: SheetFrame): Generator<Html> {
  const { collaborator, payouts } = section
  const { period, words, issuer } = frame
  const { say } = words
  yield html`
<article>
  <header>
    <div>
      <h1>${isolated(collaborator.account.name, words)}</h1>
      <p>${phrased(say("statementOver", { period: periodOf(period, words) }), words)}</p>
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
  { words, issuer }: Omit<SheetFrame, "period">,
): Generator<string> {
  const [only] = sections
  const name = sections.length === 1 ? only?.collaborator.account.name : undefined
  const { say } = words
  const over = say("statementsOver", { period: periodOf(period, words) })
  yield head(plain(name === undefined ? over : say("statementOf", { name })), words).text
  for (const section of sections) {
    for (const part of sheet(section, { period, words, issuer })) yield part.text
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
  const frame = { period, words: inEnglish, issuer }
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
