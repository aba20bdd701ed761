/** Stored statements as HTML: a sheet for each collaborator, without what they may not see. */
import { type Phrase, plain } from "../languages/Messages.js"
import type { LineKind, Period } from "../payouts/Statement.js"
import * as Visibility from "../payouts/Visibility.js"
import type { CollaboratorStatement, CurrencyStatement, PayoutLine } from "../service/Statements.js"
import { type Html, html } from "./Html.js"
import { head, issuerAddress, what } from "./Page.js"
import { figures, type StatementForm, type StatementFrame } from "./StatementForm.js"
import { amountHtml, isolated, moneyHtml, phrased, type Writing, writingIn } from "./Writing.js"

type Title =
  | (typeof figures)[number]
  | Exclude<LineKind, "returned payment">
  | "returnedPayment"
  | "totals"
  | "currency"
  | "madeOf"
  | "date"
  | "what"
  | "item"
  | "amount"

const titleIn = ({ say }: Writing, name: Title): string => plain(say(name))

const kindIn = (writing: Writing, kind: LineKind): string =>
  titleIn(writing, kind === "returned payment" ? "returnedPayment" : kind)

const periodIn = ({ say, day }: Writing, { from, until }: Period, timeZone: string): Phrase => {
  const begin = from === undefined ? undefined : day(from, timeZone)
  const end = until === undefined ? undefined : day(until - 1, timeZone)
  if (begin === undefined) {
    return end === undefined ? say("ofEverything") : say("until", { until: end })
  }
  return end === undefined
    ? say("from", { from: begin })
    : say("fromUntil", { from: begin, until: end })
}

const sumRow = (statement: CurrencyStatement, writing: Writing): Html => html`
      <tr><th scope="row">${statement.currency}</th>${figures.map((name) => html`<td class="number">${amountHtml(statement[name], statement.currency, writing)}</td>`)}</tr>`

const lineRow = (
  { at, kind, amount, currency, item }: PayoutLine,
  { collaborator: { permissions } }: Pick<CollaboratorStatement, "collaborator">,
  { timeZone, writing }: { readonly timeZone: string; readonly writing: Writing },
): Html => {
  const day = writing.day(at, timeZone)
  const text =
    item === undefined ? html`` : what(Visibility.itemAsSeenBy(item, permissions), writing)
  return html`
      <tr><td class="day">${day}</td><td>${kindIn(writing, kind)}</td><td class="text">${text}</td><td class="number">${moneyHtml(amount, currency, writing)}</td></tr>`
}

/** A sheet for each collaborator. */
export const htmlForm = ({ period, timeZone, issuer, language }: StatementFrame): StatementForm => {
  const writing = writingIn(language)
  const { say } = writing
  const said = periodIn(writing, period, timeZone)
  const title = (name: Title) => titleIn(writing, name)
  return {
    head: head(plain(say("statementsOver", { period: said })), writing).text,
    before: (_accountId, { collaborator, statements }) =>
      html`
<article>
  <header><div><h1>${isolated(collaborator.account.name, writing)}</h1><p>${phrased(say("statementOver", { period: said }), writing)}</p></div>${issuerAddress(issuer)}</header>
  <div class="wide"><table>
      <caption>${title("totals")}</caption>
      <thead><tr><th scope="col">${title("currency")}</th>${figures.map((name) => html`<th scope="col" class="number">${title(name)}</th>`)}</tr></thead>
      <tbody>${statements.map((one) => sumRow(one, writing))}
      </tbody>
  </table></div>
  <div class="wide"><table>
      <caption>${title("madeOf")}</caption>
      <thead><tr><th scope="col">${title("date")}</th><th scope="col">${title("what")}</th><th scope="col">${title("item")}</th><th scope="col" class="number">${title("amount")}</th></tr></thead>
      <tbody>`.text,
    hasLines: true,
    lines: (_accountId, { collaborator }, lines) =>
      lines.map((line) => lineRow(line, { collaborator }, { timeZone, writing }).text).join(""),
    after: () => "\n      </tbody>\n  </table></div>\n</article>",
    tail: () => "\n</body>\n</html>\n",
  }
}
