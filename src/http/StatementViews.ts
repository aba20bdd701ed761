/** Statements, histories and explanations, as they are answered. */
import type { PayoutItem } from "../payouts/PayoutItem.js"
import type { SeenShare } from "../payouts/SeenExplanation.js"
import type { PayoutHistoryEntry } from "../ports/PayoutStore.js"
import type { SeenPart } from "../service/Sales.js"
import type { CollaboratorStatement, PayoutLine } from "../service/Statements.js"
import type * as Ledger from "../wire/LedgerSchemas.js"

type StatementView = (typeof Ledger.StatementView)["Type"]
type LineView = (typeof Ledger.StatementLine)["Type"]
type EntryView = (typeof Ledger.HistoryEntryView)["Type"]
type ExplanationView = (typeof Ledger.ExplanationView)["Type"]

/** The figures of a statement. */
export const writeStatement = ({
  collaborator,
  period,
  statements,
}: CollaboratorStatement): StatementView => ({
  collaborator: { id: collaborator.id, name: collaborator.account.name },
  from: period.from ?? null,
  until: period.until ?? null,
  statements,
})

const writeItem = (item: PayoutItem): LineView["item"] => {
  if (!("orderItem" in item)) {
    const { id, name } = item
    const noSale = { order_id: null, order_item_id: null, group_id: null, quantity: null }
    return { id, name, ...noSale, adjustment: null }
  }
  const { orderId, itemId, groupId, quantity, product } = item.orderItem
  const sold = { order_id: orderId, order_item_id: itemId, group_id: groupId }
  const { id, adjustment } = { adjustment: undefined, ...item }
  const change = adjustment && {
    run_id: adjustment.runId,
    ...{ before: adjustment.before, after: adjustment.after },
  }
  return { id, name: product.name, ...sold, quantity, adjustment: change ?? null }
}

/** A line of a statement. */
export const writeLine = ({
  payoutId,
  currency,
  at,
  kind,
  amount,
  item,
}: PayoutLine): LineView => ({
  payout_id: payoutId,
  ...{ currency, at, kind, amount },
  item: item === undefined ? null : writeItem(item),
})

/** An entry of a history. */
export const writeEntry = (entry: PayoutHistoryEntry): EntryView => ({
  version: entry.version,
  at: entry.at,
  actor: entry.actor,
  status: entry.after.status,
  total: entry.after.total,
  before: entry.before?.total ?? null,
  items_count: entry.after.itemsCount,
  put: entry.put.map(({ id, kind, amount }) => ({ id, kind, amount })),
  removed: entry.removed,
  hash: entry.hash,
})

const writeShare = ({ groupId, amount, percent, steps, base }: SeenShare) => ({
  group_id: groupId,
  ...{ amount, percent, steps },
  base: base ?? null,
})

const writeSplit = ({ explanation, text }: Pick<SeenPart, "explanation" | "text">) => ({
  order_id: explanation.orderId,
  currency: explanation.currency,
  flat_scope: explanation.policy.flatScope,
  shipping: explanation.policy.shipping,
  items: explanation.items.map(({ itemId, quantity, shares, outranked }) => ({
    item_id: itemId,
    quantity: quantity ?? null,
    shares: shares.map(writeShare),
    outranked: outranked.map((one) => ({
      ...{ group_id: one.groupId, by_group_id: one.byGroupId },
    })),
  })),
  text,
})

/** The explanation of a part, and of what later splits changed, as data and in words. */
export const writeExplanation = (part: SeenPart): ExplanationView => ({
  ...writeSplit(part),
  adjustments: (part.adjustments ?? []).map(writeSplit),
})
