import * as WireSplit from "../../wire/Split.js"
import * as Csv from "../output/Csv.js"
import * as Json from "../output/Json.js"
import type { Backtest, ChangedOrder, CollaboratorRow, RefusedOrder, Total } from "./Backtest.js"

// A backtest as CSV: a line for each one's month. Amounts are in the lowest unit of their currency.

const header = ["kind", "collaborator_id", "currency", "month", "before", "after", "difference"]

export function* csvTexts({ rows }: Backtest): Generator<string> {
  yield Csv.line(header)
  for (const { collaboratorId, currency, month, before, after, difference } of rows) {
    const kind = collaboratorId === null ? "store" : "collaborator"
    yield Csv.line([kind, collaboratorId, currency, month, before, after, difference])
  }
}

// A backtest as JSON, with the explanations as data.

/** Sums may be beyond what readers of JSON take for exact: those are texts. */
const amount = (value: bigint): number | string => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

const amounts = ({ before, after, difference }: Total) => ({
  before: amount(before),
  after: amount(after),
  difference: amount(difference),
})

const total = (each: Total) => ({
  kind: each.collaboratorId === null ? "store" : "collaborator",
  collaboratorId: each.collaboratorId,
  currency: each.currency,
})

const row = (each: CollaboratorRow) => ({ ...total(each), month: each.month, ...amounts(each) })

const changed = ({ changes, ...order }: ChangedOrder) => ({
  orderId: order.orderId,
  line: order.line,
  currency: order.currency,
  month: order.month,
  changes: changes.map((each) => ({ collaboratorId: each.collaboratorId, ...amounts(each) })),
  isRefunded: order.isRefunded,
  before: order.before,
  after: order.after,
})

const refused = ({ error, shares, store, ...order }: RefusedOrder) => ({
  ...order,
  error: WireSplit.writeError(error).error,
  shares: amount(shares),
  store: amount(store),
})

export function* jsonTexts({ before, after, timeZone, ...found }: Backtest): Generator<string> {
  const document = {
    before,
    after,
    timeZone,
    counts: found.counts,
    rows: found.rows.map(row),
    totals: found.totals.map((each) => ({ ...total(each), ...amounts(each) })),
    biggest: found.biggest.map(changed),
    refused: found.refused.map(refused),
  }
  yield `${JSON.stringify(Json.inSnakeCase(document), undefined, 2)}\n`
}
