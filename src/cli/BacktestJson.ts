/** A backtest as JSON, with the explanations as data. */
import * as WireSplit from "../wire/Split.js"
import type { Backtest, ChangedOrder, RefusedOrder, Row, Total } from "./Backtest.js"
import * as Json from "./Json.js"

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

const row = (each: Row) => ({ ...total(each), month: each.month, ...amounts(each) })

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

export function* texts({ before, after, timeZone, ...found }: Backtest): Generator<string> {
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
