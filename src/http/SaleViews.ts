/** Recorded sales, refunds and previews, as they are answered. */
import { snakeCase } from "../internal/names.js"
import type {
  Posting,
  RecordedAdjustment,
  RecordedRefund,
  RecordedSale,
} from "../ports/SaleStore.js"
import type { Preview, Recording, RefundPreview } from "../service/Sales.js"
import * as Explanation from "../shares/Explanation.js"
import type { Outranked, StoreShare } from "../shares/Share.js"
import type { Split } from "../shares/Split.js"
import * as Order from "../wire/Order.js"
import * as Refund from "../wire/Refund.js"
import type * as Schemas from "../wire/SaleSchemas.js"
import * as WireSplit from "../wire/Split.js"

const writeRest = ({ itemId, amount, carried }: StoreShare) => ({
  item_id: itemId,
  amount,
  ...(carried === undefined ? {} : { carried }),
})

const writePosted = (split: Split, postings: ReadonlyArray<Posting>) => {
  const byShare = new Map(postings.map((each) => [`${each.groupId} ${each.itemId}`, each]))
  return WireSplit.write(split).shares.flatMap((share) => {
    const posting = byShare.get(`${share.group_id} ${share.item_id}`)
    if (posting === undefined) return []
    const { payoutId, payoutItemId, currency, rate } = posting
    const posted = { payout_id: payoutId, payout_item_id: payoutItemId }
    return [{ ...share, ...posted, payout_currency: currency, rate }]
  })
}

/** A recorded refund. */
export const writeRefund = (recorded: RecordedRefund): (typeof Schemas.RefundView)["Type"] => {
  const { id, refund, reversal, recordedAt } = recorded
  const { remaining, ...said } = Refund.write(refund)
  return {
    id,
    ...said,
    ...(remaining === undefined ? {} : { remaining }),
    recorded_at: recordedAt,
    ...Refund.writeReversal(reversal),
  }
}

/** What a refund would take back. */
export const writePreviewedRefund = ({
  refund: { id, refund, reversal },
  isRecorded,
  currency,
  collaborators,
  store,
}: RefundPreview): (typeof Schemas.PreviewedRefund)["Type"] => {
  const { remaining, ...said } = Refund.write(refund)
  return {
    id,
    ...said,
    ...(remaining === undefined ? {} : { remaining }),
    ...{ currency, recorded: isRecorded, fully_refunded: reversal.fullyRefunded },
    collaborators: collaborators.map(({ collaboratorId, name, amount, keeps }) => ({
      ...{ collaborator_id: collaboratorId, collaborator_name: name ?? null, amount, keeps },
    })),
    store,
  }
}

const writeAdjustment = ({ runId, recordedAt, adjustment }: RecordedAdjustment) => ({
  run_id: runId,
  recorded_at: recordedAt,
  shares: adjustment.shares.map(({ itemId, groupId, collaboratorId, amount }) => ({
    ...{ item_id: itemId, group_id: groupId, collaborator_id: collaboratorId, amount },
  })),
  store: adjustment.items.map(({ itemId, store }) => ({ item_id: itemId, amount: store })),
})

/** A part of a recorded order. */
export const writePart = (sale: RecordedSale): (typeof Schemas.SalePart)["Type"] => ({
  order_id: sale.orderId,
  part: sale.part,
  recorded_at: sale.recordedAt,
  order: Order.write(sale.order),
  shares: writePosted(sale.split, sale.postings),
  store: sale.split.store.map(writeRest),
  refunds: sale.refunds.map(writeRefund),
  ...(sale.adjustments === undefined ? {} : { adjustments: sale.adjustments.map(writeAdjustment) }),
})

const writeOutranked = ({ itemId, groupId, collaboratorId, byGroupId }: Outranked) => ({
  item_id: itemId,
  group_id: groupId,
  collaborator_id: collaboratorId,
  by_group_id: byGroupId,
})

/** How an item was split. */
export const writeItem = (item: Explanation.ItemExplanation) => ({
  item_id: item.itemId,
  quantity: item.quantity,
  distributable: item.distributable,
  base_steps: item.baseSteps,
  base: item.base,
  deducted: item.deducted,
  shipping: item.shipping,
  over_allocated: item.overAllocated,
  shares: item.shares.map(({ groupId, collaboratorId, carried, ...share }) => ({
    group_id: groupId,
    collaborator_id: collaboratorId,
    ...share,
    ...(carried === undefined ? {} : { carried }),
  })),
  outranked: item.outranked.map(writeOutranked),
  store: item.store,
})

/** What collaborators are called, by id. */
type CollaboratorNames = ReadonlyMap<string, string>

/** The collaborators whom the words about a split name. */
export const namedIn = ({ shares, outranked }: Split): ReadonlyArray<string> =>
  [...shares, ...outranked].map(({ collaboratorId }) => collaboratorId)

/** Why each collaborator got what they got, as data and in words. */
const writeExplained = (
  split: Split,
  { items }: Pick<RecordedSale["order"], "items">,
  people: CollaboratorNames,
) => {
  const explanation = Explanation.ofSplit(split)
  const called = new Map(items.map(({ id, product }) => [id, product.name]))
  const names = {
    item: (itemId: string) => called.get(itemId),
    collaborator: (collaboratorId: string) => people.get(collaboratorId),
  }
  return {
    explanation: explanation.items.map(writeItem),
    text: Explanation.toText(explanation, { names }),
  }
}

/** A recorded order with its explanation. */
export const writeViewed = (
  orderId: string,
  parts: ReadonlyArray<RecordedSale>,
  people: CollaboratorNames,
): (typeof Schemas.ViewedSale)["Type"] => ({
  id: orderId,
  parts: parts.map((part) => ({
    ...writePart(part),
    ...writeExplained(part.split, part.order, people),
  })),
})

/** Notes about values of an order that changed nothing. */
export const writeNotes = (notes: Recording["notes"]): ReadonlyArray<string> =>
  notes.map(({ path, message }) => `${snakeCase(path)} ${message}`)

/** Writes the result of recording an order. */
export const writeRecording = (
  orderId: string,
  { parts, newItemIds, knownItemIds, notes }: Recording,
): (typeof Schemas.RecordedSale)["Type"] => ({
  id: orderId,
  new_item_ids: newItemIds,
  known_item_ids: knownItemIds,
  notes: writeNotes(notes),
  parts: parts.map(writePart),
})

/** Writes what recording an order would do. */
export const writePreview = (
  { order, split }: Preview,
  people: CollaboratorNames,
): (typeof Schemas.PreviewedSale)["Type"] => ({
  id: order.id,
  order: Order.write(order),
  shares: WireSplit.write(split).shares,
  store: split.store.map(writeRest),
  ...writeExplained(split, order, people),
})
