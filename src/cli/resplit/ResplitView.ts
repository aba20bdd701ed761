/** The output of `apportion resplit`: the preview of a change, or the booked change. */
import { inSnakeCase } from "../../internal/names.js"
import type { ResplitRun } from "../../ports/ResplitStore.js"
import type { ResplitPreview } from "../../service/Resplits.js"
import * as Table from "../output/Table.js"
import { inEnglish } from "../Session.js"

type Names = ReadonlyMap<string, string>

interface ViewOptions {
  readonly format: "table" | "json"
}

const json = (value: object): string => `${JSON.stringify(inSnakeCase(value), null, 2)}\n`

const sales = (count: number): string => (count === 1 ? "1 sale" : `${inEnglish(count)} sales`)

const who = (collaboratorId: string | null, names: Names): string =>
  collaboratorId === null ? "the store" : (names.get(collaboratorId) ?? collaboratorId)

const totalsTable = ({ totals }: ResplitPreview, names: Names): string => {
  const changed = totals.filter(({ difference }) => difference !== 0)
  if (changed.length === 0) return ""
  const titles = ["collaborator", "month", "before", "after", "difference"]
  return Table.table(
    titles.map((title, index) => ({ title, isNumber: index > 1 })),
    changed.map(({ collaboratorId, month, currency, before, after, difference }) => [
      ...[who(collaboratorId, names), month],
      ...[before, after, difference].map((amount) => Table.money(amount, currency)),
    ]),
  )
}

const examplesOf = ({ biggest }: ResplitPreview, names: Names): string =>
  biggest
    .map(({ orderId, currency, month, differences, texts }) => {
      const each = differences.map(({ collaboratorId, difference }) => {
        const sign = difference > 0 ? "+" : ""
        return `${who(collaboratorId, names)} ${sign}${Table.money(difference, currency)}`
      })
      return `\nOrder ${orderId} (${month}): ${each.join(", ")}\nnow:\n${texts.before}\nthen:\n${texts.after}\n`
    })
    .join("")

const refusedText = ({ refused }: ResplitPreview): string =>
  refused.length === 0
    ? ""
    : `\nrefused by these rules, and left as they are:\n${refused
        .map(({ error }) => `  ${error.message}\n`)
        .join("")}`

/** The text of a preview. */
export const previewOf = (
  preview: ResplitPreview,
  names: Names,
  { format }: ViewOptions,
): string => {
  const { digest, sales: count, changed } = preview
  if (format === "json") {
    const refused = preview.refused.map(({ orderId, part, error }) => ({
      ...{ orderId, part, message: error.message },
    }))
    return json({ ...preview, refused })
  }
  const looked = `${sales(count)} looked at, ${inEnglish(changed)} would change; nothing was written.\n`
  const how = changed === 0 ? "" : `To book this: the same with --book ${digest}\n`
  const table = totalsTable(preview, names)
  return `${table}${table === "" ? "" : "\n"}${looked}${how}${refusedText(preview)}${examplesOf(preview, names)}`
}

/** The text of a booked run. */
export const bookingOf = (run: ResplitRun, { format }: ViewOptions): string => {
  if (format === "json") {
    const { request: _, ...told } = run
    return json(told)
  }
  const { id, adjusted, leftOut } = run
  const others =
    leftOut.length === 0
      ? ""
      : `${sales(leftOut.length)} changed meanwhile and stayed as they are: ${leftOut
          .slice(0, 10)
          .map(({ orderId }) => orderId)
          .join(", ")}\n`
  return `booked as ${id}: ${sales(adjusted)} adjusted\n${others}`
}
