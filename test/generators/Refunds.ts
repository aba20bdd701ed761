/**
 * Random refunds of the items of an order, for property tests.
 */
import type { Order } from "apportion"
import fc from "fast-check"

/** A refund as a host writes it, without order and time. */
export interface RefundPart {
  readonly itemId: string
  readonly amount?: number
  readonly quantity?: number
  readonly remaining?: true
  readonly shippingAmount?: number
  readonly shippingTotal?: number
}

const netOf = (item: Order.OrderItem): number => item.amount - (item.discount ?? 0)

/** A part of what was paid for shipping, now and then with a mistake in it. */
const ofShipping = (itemId: string): fc.Arbitrary<RefundPart> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(1, -1),
    )
    .chain(([total, parts, sign]) =>
      fc
        .oneof(
          { weight: 8, arbitrary: fc.constantFrom(Math.ceil(total / parts), total) },
          { weight: 1, arbitrary: fc.constantFrom(0, -1, total + 1) },
        )
        .map((amount) => ({
          itemId,
          shippingAmount: amount * sign + 0,
          shippingTotal: total * sign,
        })),
    )

const ofItem = (item: Order.OrderItem): fc.Arbitrary<RefundPart> => {
  const net = netOf(item)
  const amount = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 6 }).map((n) => Math.trunc(net / n) + 0) },
    { weight: 1, arbitrary: fc.constantFrom(net, 1, -1, 0) },
  )
  const quantity = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: Math.max(1, item.quantity) }) },
    { weight: 1, arbitrary: fc.constantFrom(item.quantity, item.quantity + 1, 1, 0) },
  )
  return fc.oneof(
    amount.map((value) => ({ itemId: item.id, amount: value })),
    quantity
      .filter((value) => Number.isSafeInteger(value))
      .map((value) => ({ itemId: item.id, quantity: value })),
    fc.constant<RefundPart>({ itemId: item.id, remaining: true }),
    ofShipping(item.id),
  )
}

/** Up to eight refunds of an order's items, possible ones and impossible ones. */
export const refunds = (order: Order.Order): fc.Arbitrary<ReadonlyArray<RefundPart>> =>
  fc.array(
    fc.oneof(...order.items.map((item) => ({ weight: 5, arbitrary: ofItem(item) })), {
      weight: 1,
      arbitrary: fc.constant({ itemId: "no such item", quantity: 1 }),
    }),
    { maxLength: 8 },
  )

/** Whole numbers above 0 that add up to the total, in at most six parts; a total of 0 has no parts. */
export const partition = (total: number): fc.Arbitrary<ReadonlyArray<number>> =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: Math.max(1, Math.abs(total)) }), { maxLength: 5 })
    .map((cuts) => {
      const ends = [...new Set([...cuts, Math.abs(total)])]
        .filter((cut) => cut > 0)
        .sort((a, b) => a - b)
      return ends.map((end, index) => (end - (ends[index - 1] ?? 0)) * Math.sign(total))
    })
