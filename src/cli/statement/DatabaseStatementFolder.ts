/** Statements of stored data, as one file for each collaborator and a page with a link to each. */
import { type FileHandle, open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { grouped } from "../../documents/Figure.js"
import { type Html, html } from "../../documents/Html.js"
import { head, issuerAddress } from "../../documents/Page.js"
import type { StatementForm } from "../../documents/StatementForm.js"
import type { CollaboratorStatement } from "../../service/Statements.js"
import { Output } from "../Session.js"
import { extensions, indexName, namer, orRefuse, prepare } from "./StatementFiles.js"

/** A file that is open for writing. */
export interface OpenFile {
  readonly output: Output
  readonly handle: FileHandle
}

const rowOf = (
  { collaborator, statements }: CollaboratorStatement,
  { accountId, file }: { readonly accountId: string; readonly file: string },
): ReadonlyArray<Html> =>
  statements.map(
    ({ currency, closing }) => html`
      <tr><td>${accountId}</td><td><a href="${encodeURIComponent(file)}">${collaborator.account.name || collaborator.id}</a></td><td>${currency}</td><td class="number">${grouped(closing, currency)}</td></tr>`,
  )

export class StatementFolder {
  readonly path: string
  /** Collects the printed totals. */
  readonly totals: StatementForm
  private readonly extension: string
  private readonly nameOf = namer()
  private readonly rows: Array<Html> = []
  private files = 0

  constructor(
    path: string,
    options: { readonly format: keyof typeof extensions; readonly totals: StatementForm },
  ) {
    this.path = path
    this.extension = extensions[options.format]
    this.totals = options.totals
  }

  /** How many files were written. */
  get count(): number {
    return this.files
  }

  /** Creates the folder; one that is not empty is refused. */
  prepare(): Promise<void> {
    return prepare(this.path)
  }

  /** Begins the file of a collaborator. The same id may be in several accounts. */
  open(accountId: string, statement: CollaboratorStatement): Promise<OpenFile> {
    return orRefuse(this.path, async () => {
      const file = `${this.nameOf(statement.collaborator.id)}.${this.extension}`
      const handle = await open(join(this.path, file), "wx")
      this.files += 1
      this.totals.before(accountId, statement)
      this.rows.push(...rowOf(statement, { accountId, file }))
      const write = async (text: string | Uint8Array) => void (await handle.writeFile(text))
      return { handle, output: new Output({ isTerminal: false, columns: undefined, write }) }
    })
  }

  /** Writes the page with the links. */
  finish(issuer: ReadonlyArray<string>): Promise<void> {
    const table = html`<div class="wide"><table>
      <thead><tr><th scope="col">Account</th><th scope="col">Collaborator</th><th scope="col">Currency</th><th scope="col" class="number">To come</th></tr></thead>
      <tbody>${this.rows}
      </tbody>
    </table></div>`
    const page = html`
<article>
  <header><div><h1>Statements</h1></div>${issuerAddress(issuer)}</header>
  ${this.rows.length === 0 ? html`<p>There are no statements.</p>` : table}
</article>
</body>
</html>
`
    const text = head("Statements").text + page.text
    return orRefuse(this.path, () => writeFile(join(this.path, `${indexName}.html`), text))
  }
}
