/** The formats of a statement of stored data; the formats that the HTTP API also has are in `documents/`. */
import { csvForm } from "../../documents/StatementCsv.js"
import { figures, type StatementForm, type StatementFrame } from "../../documents/StatementForm.js"
import { htmlForm } from "../../documents/StatementHtml.js"
import * as Json from "../../internal/names.js"
import { printable } from "../../orders/Words.js"
import type { Period } from "../../payouts/Statement.js"
import * as Table from "../output/Table.js"

const nothing = () => ""

// A table with a row per collaborator and currency.

const tableForm = (): StatementForm => {
  const rows: Array<ReadonlyArray<string>> = []
  return {
    ...{ head: "", hasLines: false, lines: nothing, after: nothing },
    before: (accountId, { collaborator, statements }) => {
      for (const statement of statements) {
        const { currency } = statement
        const amounts = figures.map((name) => Table.figure(statement[name], currency))
        rows.push([accountId, collaborator.id, currency, ...amounts])
      }
      return ""
    },
    tail: () => {
      const texts = ["account", "collaborator", "currency"].map((title) => ({ title }))
      const numbers = figures.map((title) => ({ title, isNumber: true }))
      return printable(Table.table([...texts, ...numbers], rows))
    },
  }
}

// JSON: an object for each collaborator, with their figures and their lines.

const indented = (value: unknown, by: string): string =>
  JSON.stringify(Json.inSnakeCase(value), undefined, 2).replace(/^/gm, by)

const jsonForm = (period: Period): StatementForm => {
  let [separator, lineSeparator] = ["", ""]
  const times = { from: period.from ?? null, until: period.until ?? null }
  return {
    head: '{\n  "data": [',
    before: (accountId, { collaborator, statements }) => {
      const { id, account } = collaborator
      const begun = { accountId, collaborator: { id, name: account.name }, ...times, statements }
      const text = indented(begun, "    ").replace(/\n {4}}$/, ',\n      "items": [')
      const before = separator
      separator = ","
      lineSeparator = ""
      return `${before}\n${text}`
    },
    hasLines: true,
    lines: (_accountId, _statement, lines) => {
      let texts = ""
      for (const line of lines) {
        texts += `${lineSeparator}\n${indented(line, "        ")}`
        lineSeparator = ","
      }
      return texts
    },
    after: () => (lineSeparator === "" ? "]\n    }" : "\n      ]\n    }"),
    tail: () => (separator === "" ? "]\n}\n" : "\n  ]\n}\n"),
  }
}

/** The form of the output. */
export const formOf = (
  format: "table" | "json" | "csv" | "html",
  frame: StatementFrame,
): StatementForm => {
  switch (format) {
    case "table":
      return tableForm()
    case "json":
      return jsonForm(frame.period)
    case "csv":
      return csvForm(frame)
    case "html":
      return htmlForm(frame)
  }
}
