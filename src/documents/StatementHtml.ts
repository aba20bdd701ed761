/** Stored statements as HTML: a sheet for each collaborator, without what they may not see. */
import { english } from "../languages/english.js"
import type { LineKind, Period } from "../payouts/Statement.js"
import * as Visibility from "../payouts/Visibility.js"
import type { CollaboratorStatement, CurrencyStatement, PayoutLine } from "../service/Statements.js"
import { calendarDay, grouped } from "./Figure.js"
import { type Html, html } from "./Html.js"
import { head, issuerAddress, what } from "./Page.js"
import { figures, type StatementForm, type StatementFrame } from "./StatementForm.js"

const titles: Readonly<Record<(typeof figures)[number], string>> = english

const kindNames: Readonly<Record<LineKind, string>> = {
  ...english,
  "returned payment": english.returnedPayment,
}

const periodText = ({ from, until }: Period, timeZone: string): string => {
  const begin = from === undefined ? "" : ` from ${calendarDay(from, timeZone)}`
  const end = until === undefined ? "" : ` to ${calendarDay(until - 1, timeZone)}`
  return `${begin}${end}` === "" ? "of everything" : `${begin}${end}`.trim()
}

const sumRow = (statement: CurrencyStatement): Html => html`
      <tr><th scope="row">${statement.currency}</th>${figures.map((name) => html`<td class="number">${grouped(statement[name], statement.currency)}</td>`)}</tr>`

const lineRow = (
  { at, kind, amount, currency, item }: PayoutLine,
  {
    collaborator: { permissions },
    timeZone,
  }: Pick<CollaboratorStatement, "collaborator"> & Pick<StatementFrame, "timeZone">,
): Html => {
  const day = calendarDay(at, timeZone)
  const text = item === undefined ? html`` : what(Visibility.itemAsSeenBy(item, permissions))
  return html`
      <tr><td class="day">${day}</td><td>${kindNames[kind]}</td><td class="text">${text}</td><td class="number">${grouped(amount, currency)} ${currency}</td></tr>`
}

/** A sheet for each collaborator. */
export const htmlForm = ({ period, timeZone, issuer }: StatementFrame): StatementForm => ({
  head: head(`Statements ${periodText(period, timeZone)}`).text,
  before: (_accountId, { collaborator, statements }) =>
    html`
<article>
  <header><div><h1>${collaborator.account.name}</h1><p>Statement ${periodText(period, timeZone)}</p></div>${issuerAddress(issuer)}</header>
  <div class="wide"><table>
      <caption>${english.totals}</caption>
      <thead><tr><th scope="col">${english.currency}</th>${figures.map((name) => html`<th scope="col" class="number">${titles[name]}</th>`)}</tr></thead>
      <tbody>${statements.map(sumRow)}
      </tbody>
  </table></div>
  <div class="wide"><table>
      <caption>${english.madeOf}</caption>
      <thead><tr><th scope="col">${english.date}</th><th scope="col">${english.what}</th><th scope="col">${english.item}</th><th scope="col" class="number">${english.amount}</th></tr></thead>
      <tbody>`.text,
  hasLines: true,
  lines: (_accountId, { collaborator }, lines) =>
    lines.map((line) => lineRow(line, { collaborator, timeZone }).text).join(""),
  after: () => "\n      </tbody>\n  </table></div>\n</article>",
  tail: () => "\n</body>\n</html>\n",
})
