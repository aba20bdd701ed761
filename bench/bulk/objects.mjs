// The same as columns.mjs, as a host would write it who has nothing but `Split.order`: objects from columns, and columns
// from splits.
import { readFileSync } from "node:fs"
import { Utf8, vectorFromArray } from "apache-arrow"
import { RuleSet, Split } from "../../dist/node/index.js"
import { lineBatches, readBatches, writeBatches } from "./arrow.mjs"

const [groups, orders, output] = process.argv.slice(2)
const rules = RuleSet.make(JSON.parse(readFileSync(groups, "utf8")))
const places = new Map(rules.groups.map(({ id }, place) => [id, place]))
const batchOf = lineBatches(rules.groups)

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

const texts = (values) => vectorFromArray(values, new Utf8()).data[0]

const linesOf = (splits) => {
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

const split = async function* () {
  let last
  for await (const batch of readBatches(orders)) {
    const columns = Object.fromEntries(
      batch.schema.fields.map(({ name }) => [name, batch.getChild(name)]),
    )
    const complete = []
    for (let row = 0; row < batch.numRows; row += 1) {
      const order = orderOf(columns, row)
      if (last?.id !== order.id) {
        if (last !== undefined) complete.push(Split.order(rules, last))
        last = order
      }
      last.items.push(itemOf(columns, row))
    }
    yield batchOf(linesOf(complete))
  }
  yield batchOf(linesOf([Split.order(rules, last)]))
}
await writeBatches(output, split())
