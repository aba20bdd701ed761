// Orders of two items each, made up from a seed and written to files in the forms the command line reads.
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { makeDice } from "../workload.mjs"

/** Five groups, as a shop has them: by tags, by vendors, for everything, and for those whom a blog sent. */
export const groups = [
  {
    id: "art",
    collaborator_id: "ada",
    itemType: "products.tag",
    items: ["art"],
    type: "percentage",
    percentage: "12.50",
  },
  {
    id: "tags",
    collaborator_id: "bob",
    itemType: "products.tag",
    items: ["t3", "t4", "t5"],
    type: "percentage",
    percentage: "20",
  },
  {
    id: "vendors",
    collaborator_id: "cat",
    itemType: "products.vendor",
    items: ["v1", "v2"],
    type: "flat",
    amount: 25,
  },
  {
    id: "all",
    collaborator_id: "dan",
    itemType: "products.all",
    items: [],
    type: "percentage",
    percentage: "5",
  },
  {
    ...{ id: "blog", collaborator_id: "sam", itemType: "products.all", items: [] },
    ...{ splitConditionType: "referer", splitConditions: ["sam-blog"] },
    ...{ type: "percentage", percentage: "10", deduct_for_other_splits: true },
  },
]

const product = (dice) => {
  const number = dice.below(500)
  const tags = [`t${number % 10}`, ...(dice.chance(0.5) ? ["art"] : [])]
  return { id: `p${number}`, vendor: `v${number % 20}`, tags }
}

const item = (dice, id) => ({
  external_id: id,
  amount: 500 + dice.below(10_000),
  discount: dice.chance(0.2) ? dice.below(100) : 0,
  quantity: 1 + dice.below(3),
  tax_total: null,
  product: product(dice),
})

const order = (dice, index) => ({
  id: `o${index}`,
  currency: dice.among(["USD", "EUR", "JPY"]),
  created_at: 1_735_689_600 + index * 30,
  tags: dice.chance(0.1) ? ["wholesale"] : [],
  discount_codes: [],
  billing_country: "US",
  referer: dice.chance(0.1) ? "sam-blog" : null,
  taxes_included: false,
  shipping_amount: dice.below(900),
  items: [item(dice, "a"), item(dice, "b")],
})

const csvHeader =
  "order_id,currency,created_at,referer,shipping_amount,item_id,quantity,amount,discount,product_id,product_vendor,product_tags\n"

const csvRow = (order, { external_id, quantity, amount, discount, product }) =>
  `${[
    ...[order.id, order.currency, order.created_at, order.referer ?? "", order.shipping_amount],
    ...[
      external_id,
      quantity,
      amount,
      discount,
      product.id,
      product.vendor,
      product.tags.join(";"),
    ],
  ].join(",")}\n`

/** How each form begins, goes on from order to order, and ends. */
const forms = {
  ndjson: { begin: "", text: (order) => `${JSON.stringify(order)}\n`, end: "" },
  json: {
    begin: "[\n",
    text: (order, index) => `${index === 0 ? "" : ",\n"}${JSON.stringify(order)}`,
    end: "\n]\n",
  },
  csv: {
    begin: csvHeader,
    text: (order) => order.items.map((each) => csvRow(order, each)).join(""),
    end: "",
  },
}

/** The orders that are written to files, as JSON has them. */
export function* makeOrders({ count, seed }) {
  const dice = makeDice(seed)
  for (let index = 0; index < count; index += 1) yield order(dice, index)
}

/** Writes orders to a file, and resolves to its size in bytes. */
export const writeOrders = async (path, { form, count, seed }) => {
  const { begin, text, end } = forms[form]
  const stream = createWriteStream(path)
  stream.write(begin)
  let pieces = ""
  let index = 0
  for (const each of makeOrders({ count, seed })) {
    pieces += text(each, index)
    index += 1
    if (pieces.length < 1 << 20) continue
    if (!stream.write(pieces)) await once(stream, "drain")
    pieces = ""
  }
  stream.end(pieces + end)
  await once(stream, "close")
  return stream.bytesWritten
}
