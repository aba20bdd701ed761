/** Stored statements as HTML: a sheet for each collaborator, without what they may not see. */
import { standingPhrases } from "../languages/AgreementWords.js"
import { type Phrase, plain } from "../languages/Messages.js"
import type { LineKind, Period } from "../payouts/Statement.js"
import * as Visibility from "../payouts/Visibility.js"
import type { CollaboratorStatement, CurrencyStatement, PayoutLine } from "../service/Statements.js"
import {
  amountHtml,
  type DocumentWords,
  isolated,
  moneyHtml,
  phrased,
  wordsIn,
} from "./DocumentWords.js"
import { type Html, html } from "./Html.js"
import { head, issuerAddress, what } from "./Page.js"
import { figures, type StatementForm, type StatementFrame } from "./StatementForm.js"

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
  | "agreements"
  | "agreement"
  | "stand"

const titleIn = ({ say }: DocumentWords, name: Title): string => plain(say(name))

const kindIn = (words: DocumentWords, kind: LineKind): string =>
  titleIn(words, kind === "returned payment" ? "returnedPayment" : kind)

const periodIn = (
  { say, day }: DocumentWords,
  { from, until }: Period,
  timeZone: string,
): Phrase => {
  const begin = from === undefined ? undefined : day(from, timeZone)
  const end = until === undefined ? undefined : day(until - 1, timeZone)
  if (begin === undefined) {
    return end === undefined ? say("ofEverything") : say("until", { until: end })
  }
  return end === undefined
    ? say("from", { from: begin })
    : say("fromUntil", { from: begin, until: end })
}

const sumRow = (statement: CurrencyStatement, words: DocumentWords): Html => html`
      <tr><th scope="row">${statement.currency}</th>${figures.map((name) => html`<td class="number">${amountHtml(statement[name], statement.currency, words)}</td>`)}</tr>`

const lineRow = (
  { at, kind, amount, currency, item }: PayoutLine,
  { collaborator: { permissions } }: Pick<CollaboratorStatement, "collaborator">,
  { timeZone, words }: { readonly timeZone: string; readonly words: DocumentWords },
): Html => {
  const day = words.day(at, timeZone)
  const text = item === undefined ? html`` : what(Visibility.itemAsSeenBy(item, permissions), words)
  return html`
      <tr><td class="day">${day}</td><td>${kindIn(words, kind)}</td><td class="text">${text}</td><td class="number">${moneyHtml(amount, currency, words)}</td></tr>`
}

/** Where the agreements stand that have balances, each in a row; nothing without any. */
const agreementRows = (
  { agreements }: CollaboratorStatement,
  { words, timeZone }: { readonly words: DocumentWords; readonly timeZone: string },
): ReadonlyArray<Html> =>
  agreements.flatMap((one) => {
    const money = (amount: number, currency: string) =>
      `${words.amount(amount, currency)} ${currency}`
    const day = (seconds: number) => words.day(seconds, timeZone)
    const { name, stands } = standingPhrases(words.say, one, { money, day })
    return stands.map(
      (stand) => html`
      <tr><th scope="row">${phrased(name, words)}</th><td class="text">${phrased(stand, words)}</td></tr>`,
    )
  })

/** A sheet for each collaborator. */
export const htmlForm = ({ period, timeZone, issuer, language }: StatementFrame): StatementForm => {
  const words = wordsIn(language)
  const { say } = words
  const said = periodIn(words, period, timeZone)
  const title = (name: Title) => titleIn(words, name)
  return {
    head: head(plain(say("statementsOver", { period: said })), words).text,
    before: (_accountId, { collaborator, statements }) =>
      html`
<article>
  <header><div><h1>${isolated(collaborator.account.name, words)}</h1><p>${phrased(say("statementOver", { period: said }), words)}</p></div>${issuerAddress(issuer)}</header>
  <div class="wide"><table>
      <caption>${title("totals")}</caption>
      <thead><tr><th scope="col">${title("currency")}</th>${figures.map((name) => html`<th scope="col" class="number">${title(name)}</th>`)}</tr></thead>
      <tbody>${statements.map((one) => sumRow(one, words))}
      </tbody>
  </table></div>
  <div class="wide"><table>
      <caption>${title("madeOf")}</caption>
      <thead><tr><th scope="col">${title("date")}</th><th scope="col">${title("what")}</th><th scope="col">${title("item")}</th><th scope="col" class="number">${title("amount")}</th></tr></thead>
      <tbody>`.text,
    hasLines: true,
    lines: (_accountId, { collaborator }, lines) =>
      lines.map((line) => lineRow(line, { collaborator }, { timeZone, words }).text).join(""),
    after: (statement) => {
      const rows = agreementRows(statement, { words, timeZone })
      const table =
        rows.length === 0
          ? html``
          : html`
  <div class="wide"><table>
      <caption>${title("agreements")}</caption>
      <thead><tr><th scope="col">${title("agreement")}</th><th scope="col">${title("stand")}</th></tr></thead>
      <tbody>${rows}
      </tbody>
  </table></div>`
      return `\n      </tbody>\n  </table></div>${table.text}\n</article>`
    },
    tail: () => "\n</body>\n</html>\n",
  }
}
