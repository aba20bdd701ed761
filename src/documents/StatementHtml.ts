/** Stored statements as HTML: a sheet for each collaborator, without what they may not see. */
import { standingPhrases } from "../languages/AgreementWords.js"
import { numberText, percentText } from "../languages/Catalogue.js"
import { type Phrase, plain } from "../languages/Messages.js"
import { countPeriodPhrase, type TermStanding, termPhrases } from "../languages/TermWords.js"
import type { Permissions } from "../payouts/Permissions.js"
import type { LineKind, Period } from "../payouts/Statement.js"
import * as Visibility from "../payouts/Visibility.js"
import type {
  CollaboratorStatement,
  CurrencyStatement,
  PayoutLine,
  StatementTerm,
} from "../service/Statements.js"
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
  | "terms"
  | "group"

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

/** A standing of terms without what the collaborator may not see. */
const seenStanding = (one: StatementTerm, permissions: Permissions): TermStanding => {
  if (one.kind === "cap" || Visibility.isCountSeen(one.counted, permissions)) return one
  const { count: _, ...others } = one
  return others
}

/** Where the terms of the collaborator's groups stand, each in a row; nothing without any. */
const termRows = (
  { terms, collaborator: { permissions } }: CollaboratorStatement,
  words: DocumentWords,
): ReadonlyArray<Html> =>
  terms.map((one) => {
    const { say, language } = words
    const standing = seenStanding(one, permissions)
    const written = {
      money: (amount: number, currency: string) => `${words.amount(amount, currency)} ${currency}`,
      number: (number: number) => numberText(number, language),
      percent: (percent: string) => percentText(percent, language),
    }
    const said = termPhrases(say, standing, written).map((phrase, place) =>
      place === 0 ? phrased(phrase, words) : html` · ${phrased(phrase, words)}`,
    )
    return html`
      <tr><th scope="row">${isolated(one.groupId, words)}</th><td>${one.currency}</td><td>${phrased(countPeriodPhrase(say, one.period), words)}</td><td class="text">${said}</td></tr>`
  })

/** A table with a caption; nothing without rows. */
const tableOf = (
  caption: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<Html>,
): string =>
  rows.length === 0
    ? ""
    : html`
  <div class="wide"><table>
      <caption>${caption}</caption>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows}
      </tbody>
  </table></div>`.text

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
      const stand = title("stand")
      const tables = [
        tableOf(
          title("agreements"),
          [title("agreement"), stand],
          agreementRows(statement, { words, timeZone }),
        ),
        tableOf(
          title("terms"),
          [title("group"), title("currency"), plain(say("period")), stand],
          termRows(statement, words),
        ),
      ]
      return `\n      </tbody>\n  </table></div>${tables.join("")}\n</article>`
    },
    tail: () => "\n</body>\n</html>\n",
  }
}
