/** A refund as a platform reports it, as refunds of the recorded items. */
import * as Result from "effect/Result"
import * as Allocation from "../../../money/Allocation.js"
import type { Order, OrderItem } from "../../../orders/Order.js"
import type { PlatformRefund } from "../../../ports/Platform.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import * as Refund from "../../../shares/Refund.js"
import { piecesOf } from "../sales/orderStates.js"
import { hasItem } from "../sales/postings.js"
import { type RefundRequest, toRefund } from "../sales/refundRequest.js"

/** The line of a refund with units that were added to the order later than its known state. */
export const unknownLine = (
  { refunds, sold = [] }: PlatformRefund,
  order: Order,
): string | undefined => {
  const units = new Map(order.items.map(({ id, quantity }) => [id, quantity]))
  const known = sold.filter(({ itemId }) => units.has(itemId))
  const more = [...refunds, ...known].find(
    ({ itemId, quantity = 0 }) => quantity > (units.get(itemId) ?? -1),
  )
  return more?.itemId
}

/** The units of an item that were taken back as units. */
const unitsBack = (parts: ReadonlyArray<RecordedSale>, itemId: string): number =>
  parts
    .flatMap(({ refunds }) => refunds)
    .reduce((sum, { refund }) => sum + (refund.itemId === itemId ? (refund.quantity ?? 0) : 0), 0)

/** Divides units of a line over its items, the earliest first; too many go to the last one, which is then refused. */
const byUnits = (
  quantity: number,
  pieces: ReadonlyArray<OrderItem>,
  parts: ReadonlyArray<RecordedSale>,
): ReadonlyArray<number> => {
  let left = quantity
  return pieces.map((item, index) => {
    const most = Math.max(0, item.quantity - unitsBack(parts, item.id))
    const units = index === pieces.length - 1 ? left : Math.min(left, most)
    left -= units
    return units
  })
}

const netOf = ({ amount, discount = 0 }: OrderItem): number => Math.max(0, amount - discount)

/** The refund of a line as refunds of its items. */
const ofLine = (
  refund: Refund.Refund,
  pieces: ReadonlyArray<OrderItem>,
  parts: ReadonlyArray<RecordedSale>,
): ReadonlyArray<Refund.Refund> => {
  if (pieces.length < 2) return [refund]
  const { quantity, amount } = refund
  if (quantity !== undefined) {
    const units = byUnits(quantity, pieces, parts)
    return pieces.flatMap(({ id }, index) => {
      const part = units[index] ?? 0
      return part === 0 ? [] : [{ ...refund, itemId: id, quantity: part }]
    })
  }
  if (amount === undefined) return pieces.map(({ id }) => ({ ...refund, itemId: id }))
  const amounts = Allocation.allocate(amount, pieces.map(netOf))
  return pieces.flatMap(({ id }, index) => {
    const part = amounts[index] ?? 0
    return part === 0 ? [] : [{ ...refund, itemId: id, amount: part }]
  })
}

/** The items of a line that were sold when it was refunded. */
const soldPieces = (
  { itemId }: Refund.Refund,
  sold: NonNullable<PlatformRefund["sold"]>,
  parts: ReadonlyArray<RecordedSale>,
): ReadonlyArray<OrderItem> => {
  const all = piecesOf(parts, itemId)
  const units = sold.find((line) => line.itemId === itemId)?.quantity ?? Number.MAX_SAFE_INTEGER
  let before = 0
  return all.filter((item) => {
    const isThere = before < units
    before += item.quantity
    return isThere
  })
}

const nameOf = (refundId: string, { itemId, shippingAmount }: Refund.Refund): string =>
  shippingAmount === undefined ? `${refundId}/${itemId}` : `${refundId}/${itemId}/shipping`

/** A refund may take back the same item twice, as some units cancelled and others returned. */
const numbered = (requests: ReadonlyArray<RefundRequest>): ReadonlyArray<RefundRequest> => {
  const seen = new Map<string, number>()
  return requests.map((request) => {
    const count = (seen.get(request.id) ?? 0) + 1
    seen.set(request.id, count)
    return count === 1 ? request : { ...request, id: `${request.id}/${count}` }
  })
}

// Units of a line cost a fraction of the lowest unit more or less than the platform's figures for them.

const moneyOf = ({ amount, quantity }: RefundRequest, item: OrderItem): number | undefined =>
  quantity === undefined ? amount : Math.round((netOf(item) * quantity) / item.quantity)

const dated = (request: RefundRequest): Refund.Refund => toRefund(request, 0)

/**
 * A request of a little more than remains of an item takes back what remains: of a line of 3 units for 10.00, 3.33 were
 * refunded for one unit, and then 6.67 are. The difference can be as large as the rounding of each unit.
 */
const withinRest = (
  request: RefundRequest,
  before: ReadonlyArray<RefundRequest>,
  parts: ReadonlyArray<RecordedSale>,
): RefundRequest => {
  const { id, orderId, itemId, refundedAt } = request
  const part = parts.find((one) => hasItem(one, itemId))
  const item = part?.order.items.find((one) => one.id === itemId)
  if (part === undefined || item === undefined) return request
  const known = part.refunds.filter(({ refund }) => refund.itemId === itemId)
  const others = before.filter((one) => one.itemId === itemId)
  const earlier = [...known.map(({ refund }) => refund), ...others.map(dated)]
  if (earlier.length === 0 || known.some((one) => one.id === id)) return request
  const money = moneyOf(request, item)
  const reversed = Refund.reverse(part.split, dated(request), { earlier })
  if (money === undefined || Result.isSuccess(reversed)) return request
  if (reversed.failure._tag !== "RefundExceedsItem") return request
  const isRounding = Math.abs(money - reversed.failure.remainingAmount) <= item.quantity
  const rest: RefundRequest = { id, orderId, itemId, refundedAt, remaining: true }
  const isLeft = Result.isSuccess(Refund.reverse(part.split, dated(rest), { earlier }))
  return isRounding && isLeft ? rest : request
}

/** The refunds of a platform's refund, each with its own id: the platform's, and that of the item. */
export const refundRequests = (
  refundId: string,
  { refunds, sold = [] }: PlatformRefund,
  parts: ReadonlyArray<RecordedSale>,
): ReadonlyArray<RefundRequest> => {
  const requests = refunds
    .flatMap((refund) => ofLine(refund, soldPieces(refund, sold, parts), parts))
    .map((refund) => ({ ...refund, id: nameOf(refundId, refund) }))
  const fitting: Array<RefundRequest> = []
  for (const request of numbered(requests)) fitting.push(withinRest(request, fitting, parts))
  return fitting
}

/** The beginning of the ids of refunds that take back all that remains of an order. */
export const cancellationOf = (orderId: string): string => `${orderId}/cancelled`

/** The refunds that take back all that remains of an order. */
export const cancellations = (
  orderId: string,
  parts: ReadonlyArray<RecordedSale>,
): ReadonlyArray<RefundRequest> => {
  const refunds = parts.flatMap((part) => part.refunds)
  const gone = new Set(
    refunds.flatMap(({ reversal }) => (reversal.fullyRefunded ? [reversal.itemId] : [])),
  )
  return parts
    .flatMap(({ order }) => order.items)
    .filter(({ id }) => !gone.has(id))
    .map(({ id }) => ({
      ...{ id: `${cancellationOf(orderId)}/${id}`, orderId, itemId: id },
      remaining: true,
    }))
}
