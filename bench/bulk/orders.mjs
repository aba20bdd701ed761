// Orders as objects, from record batches, and columns from their splits: what a host writes who has nothing but `Split.order`.
import { Utf8, vectorFromArray } from "apache-arrow"

const list = (value) => (value === null ? [] : [...value])
const number = (value) => (value === null ? undefined : Number(value))

const orderOf = (columns, row) => ({
  id: columns.order_id.get(row),
  currency: columns.currency.get(row),
  createdAt: number(columns.created_at.get(row)),
  tags: list(columns.tags.get(row)),
  customerTags: list(columns.customer_tags.get(row)),
  discountCodes: list(columns.discount_codes.get(row)),
  billingCountry: columns.billing_country.get(row),
  referers: list(columns.referer.get(row)),
  taxesIncluded: columns.taxes_included.get(row) ?? undefined,
  shippingAmount: number(columns.shipping_amount.get(row)),
  items: [],
})

const itemOf = (columns, row) => ({
  id: columns.item_id.get(row),
  quantity: columns.quantity.get(row),
  amount: number(columns.amount.get(row)),
  discount: number(columns.discount.get(row)),
  taxTotal: number(columns.tax_total.get(row)),
  product: {
    id: columns.product_id.get(row),
    vendor: columns.product_vendor.get(row) ?? undefined,
    tags: list(columns.product_tags.get(row)),
  },
})

/** The orders of a batch's rows; the rows of the last one may go on in the next batch. */
export const ordersOf = (batch) => {
  const columns = Object.fromEntries(
    batch.schema.fields.map(({ name }) => [name, batch.getChild(name)]),
  )
  const orders = []
  for (let row = 0; row < batch.numRows; row += 1) {
    if (orders.at(-1)?.id !== columns.order_id.get(row)) orders.push(orderOf(columns, row))
    orders.at(-1).items.push(itemOf(columns, row))
  }
  return orders
}

const texts = (values) => vectorFromArray(values, new Utf8()).data[0]

/** Splits as columns, in the shape that `BulkSplit` has; `places` has the place of each group by id. */
export const linesOf = (splits, places) => {
  const lines = splits.flatMap(({ orderId, store }) => store.map((rest) => ({ orderId, ...rest })))
  const shares = splits.flatMap((split) => split.shares)
  const offsets = new Int32Array(lines.length + 1)
  let line = 0
  for (const split of splits) {
    let next = 0
    for (const { itemId } of split.store) {
      let count = 0
      while (split.shares[next + count]?.itemId === itemId) count += 1
      next += count
      offsets[line + 1] = offsets[line] + count
      line += 1
    }
  }
  const amounts = (list, of) => BigInt64Array.from(list, (each) => BigInt(of(each)))
  return {
    count: lines.length,
    orderIds: texts(lines.map(({ orderId }) => orderId)),
    itemIds: texts(lines.map(({ itemId }) => itemId)),
    store: amounts(lines, ({ amount }) => amount),
    shareOffsets: offsets,
    shareGroups: Int32Array.from(shares, ({ groupId }) => places.get(groupId)),
    shareAmounts: amounts(shares, ({ amount }) => amount),
    shareShippingAmounts: amounts(shares, ({ shippingAmount }) => shippingAmount),
  }
}
