/** The page that leads to the files of a statement: who has how much, and in which file that is. */
import { type Html, html } from "../output/Html.js"
import type { Section, Statement } from "./Statement.js"
import type { StatementPeriod } from "./StatementAccount.js"
import { head, issuerHtml, sumCells, sumHeads } from "./StatementPage.js"
import { type Sum, sums } from "./StatementPayout.js"
import { periodText } from "./StatementTable.js"

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
