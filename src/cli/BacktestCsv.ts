/** A backtest as CSV: a line for each one's month. Amounts are in the lowest unit of their currency. */
import type { Backtest } from "./Backtest.js"
import * as Csv from "./Csv.js"

const header = ["kind", "collaborator_id", "currency", "month", "before", "after", "difference"]

export function* texts({ rows }: Backtest): Generator<string> {
  yield Csv.line(header)
  for (const { collaboratorId, currency, month, before, after, difference } of rows) {
    const kind = collaboratorId === null ? "store" : "collaborator"
    yield Csv.line([kind, collaboratorId, currency, month, before, after, difference])
  }
}
