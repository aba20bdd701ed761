/** Statements, histories and explanations, as they are answered. */
import type { PayoutItem } from "../payouts/PayoutItem.js"
import type { SeenShare } from "../payouts/SeenExplanation.js"
import * as Visibility from "../payouts/Visibility.js"
import type { PayoutHistoryEntry } from "../ports/PayoutStore.js"
import type { GuaranteeBalance, ReserveBalance } from "../service/Agreements.js"
import type { SeenPart } from "../service/Sales.js"
import type {
  CollaboratorStatement,
  PayoutLine,
  StatementAgreement,
  StatementTerm,
} from "../service/Statements.js"
import type * as Ledger from "../wire/LedgerSchemas.js"

type StatementView = (typeof Ledger.StatementView)["Type"]
type LineView = (typeof Ledger.StatementLine)["Type"]
type EntryView = (typeof Ledger.HistoryEntryView)["Type"]
type ExplanationView = (typeof Ledger.ExplanationView)["Type"]

/** Where a reserve stands, by currency. */
export const writeReserve = (balances: ReadonlyArray<ReserveBalance>) =>
  balances.map(({ nextReleaseAt, ...figures }) => ({
    ...figures,
    ...(nextReleaseAt === undefined ? {} : { next_release_at: nextReleaseAt }),
  }))

/** Where a guarantee stands. */
export const writeGuarantee = ({ isClosed, ...figures }: GuaranteeBalance) => ({
  ...figures,
  is_closed: isClosed,
})

const writeAgreement = (one: StatementAgreement): StatementView["agreements"][number] => {
  if (one.kind === "reserve") return { ...one, balance: writeReserve(one.balance) }
  return one.kind === "guarantee" ? { ...one, balance: writeGuarantee(one.balance) } : one
}

const writeTerm = ({ groupId, ...stand }: StatementTerm): StatementView["terms"][number] => ({
  group_id: groupId,
  ...stand,
})

/** The figures of a statement. */
export const writeStatement = ({
  collaborator,
  period,
  statements,
  agreements,
  terms,
}: CollaboratorStatement): StatementView => ({
  collaborator: { id: collaborator.id, name: collaborator.account.name },
  from: period.from ?? null,
  until: period.until ?? null,
  statements,
  agreements: agreements.map(writeAgreement),
  terms: terms.map(writeTerm),
})

/** The same as its collaborator may see it. */
export const writeSeenStatement = (statement: CollaboratorStatement): StatementView => {
  const { permissions } = statement.collaborator
  const terms = statement.terms.map((term) => {
    if (term.kind === "cap" || Visibility.isCountSeen(term.counted, permissions)) {
      return writeTerm(term)
    }
    const { count: _, groupId: group_id, ...others } = term
    return { group_id, ...others }
  })
  return { ...writeStatement(statement), terms }
}

/** What an item of a payout is about. */
export const writeItem = (item: PayoutItem): NonNullable<LineView["item"]> => {
  if (!("orderItem" in item)) {
    const { id, name, agreement: about } = item
    const noSale = { order_id: null, order_item_id: null, group_id: null, quantity: null }
    const agreement = about && {
      ...{ kind: about.kind, event: about.event },
      ...{ agreement_id: about.agreementId, order_id: about.orderId },
    }
    return { id, name, ...noSale, adjustment: null, agreement: agreement ?? null }
  }
  const { orderId, itemId, groupId, quantity, product } = item.orderItem
  const sold = { order_id: orderId, order_item_id: itemId, group_id: groupId }
  const { id, adjustment } = { adjustment: undefined, ...item }
  const change = adjustment && {
    run_id: adjustment.runId,
    ...{ before: adjustment.before, after: adjustment.after },
  }
  const about = { adjustment: change ?? null, agreement: null }
  return { id, name: product.name, ...sold, quantity, ...about }
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
