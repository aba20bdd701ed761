/** The endpoints of sales and refunds. What comes line by line has its tests elsewhere. */
import fc from "fast-check"
import { fieldsOf, kindOf, wrongCents } from "./Bodies.js"
import type { Endpoint } from "./Endpoint.js"
import { objectOf, structures } from "./Odd.js"
import { parameter, wrongPages } from "./Queries.js"

const sales = ["sales"]
const sale = [...sales, ":order"]

const read = { method: "GET", success: 200, body: "none", keyed: false } as const
const posted = { method: "POST", reads: "nothing" } as const

const wrongIds = ['""', "1.5", "true", "null", ...structures]
const wrongTexts = ['"euros"', '""', "5", ...structures]

/** Few, so that they come again: as they were, with more items, or otherwise. */
const orderIds = ['"s1"', '"s2"', "7", '"e 1"', '"__proto__"', '"a/b"']

const item = fc
  .tuple(
    fieldsOf(
      {
        ...{ id: ['"i1"', '"i2"', '"i3"', "4"], amount: ["1000", "1000", "999", "33", "0"] },
        ...{ quantity: ["1", "3", "3"], discount: ["100", "0"], tax_total: ["7"] },
      },
      ["id", "amount"],
    ),
    fc.constantFrom("p1", "p2", "unknown"),
  )
  .map(([fields, id]) => objectOf([...fields, ["product", `{"id":"${id}"}`]]))

const items = fc
  .uniqueArray(item, {
    ...{ minLength: 1, maxLength: 3 },
    selector: (text) => /"id":("i\d"|4)/.exec(text)?.[1],
  })
  .map((all): readonly [string, string] => ["items", `[${all.join(",")}]`])

const aboutOrder = fieldsOf(
  {
    ...{ id: orderIds, currency: ['"EUR"', '"EUR"', '"EUR"', '"JPY"', '"USD"'] },
    ...{ shipping_amount: ["500", "1"], shipping_tax: ["0", "80"], gateway_fee: ["30"] },
    ...{ taxes_included: ["true", "false"], created_at: ["1700000000", '"2024-03-01T12:00:00Z"'] },
    ...{ tags: ['["gift"]', "[]"], referer: ['"theo"', '["a","b"]'], billing_country: ['"DE"'] },
  },
  ["id", "currency"],
)

const itemWith = (field: string, value: string): string =>
  `[{"id":"i1","amount":5,"product":{"id":"p1"},"${field}":${value}}]`

const wrongItems = [
  ...["5", '""', "{}", "null", "[5]", "[null]", "[{}]", '[{"id":"i1"}]', "[[]]"],
  ...wrongCents.map((value) => itemWith("amount", value)),
  ...["-1", "1.5", '"2"', "1e400"].map((value) => itemWith("quantity", value)),
  ...["5", '""', "null", "[]", "{}", '{"id":""}'].map((value) => itemWith("product", value)),
  itemWith("discount", "-1"),
]

const order = kindOf(
  fc.tuple(aboutOrder, items).map(([fields, all]) => [...fields, all]),
  {
    ...{ id: wrongIds, currency: wrongTexts, items: wrongItems, shipping_amount: wrongCents },
    ...{ created_at: ['"yesterday"', "1e21", "1.5", "true"], taxes_included: ['"yes"', "5"] },
  },
)

const howMuch = fc.constantFrom<ReadonlyArray<readonly [string, string]>>(
  [["quantity", "1"]],
  [["quantity", "3"]],
  [["amount", "1"]],
  [["amount", "500"]],
  [["amount", "1000"]],
  [["remaining", "true"]],
  [["remaining", "true"]],
  [
    ["shipping_amount", "250"],
    ["shipping_total", "500"],
  ],
)

const refund = kindOf(
  fc
    .tuple(
      fieldsOf(
        { id: ['"r1"', '"r2"', '"r3"', "4", '"r5"'], item_id: ['"i1"', '"i2"', '"i3"', "4"] },
        ["id", "item_id"],
      ),
      howMuch,
    )
    .map(([fields, much]) => [...fields, ...much]),
  {
    ...{ id: wrongIds, item_id: wrongIds },
    ...{ amount: ['"5"', "true", ...structures], quantity: ["0", "-1", "1.5", ...structures] },
    ...{ remaining: ["false", "5", '"all"'], shipping_total: ['"5"', "1.5", ...structures] },
  },
)

const filters = [
  parameter("collaborator", ["ada", "sam", "nobody", "__proto__"], []),
  parameter("product", ["p1", "x-p1", "nothing"], []),
  parameter("order", ["asc", "desc"], ["", "DESC", "latest"]),
  parameter("page", ["1", "2", "1000"], wrongPages),
  parameter("per_page", ["1", "100", "1000"], wrongPages),
]

export const saleEndpoints = {
  listSales: { ...read, path: sales, reads: filters, documented: { reaches: [422] } },
  recordSale: {
    ...{ ...posted, path: sales, success: 200, body: order, keyed: true },
    documented: { weight: 6, makes: "order", reaches: [400, 409, 413, 422] },
  },
  previewSale: {
    ...{ ...posted, path: [...sales, "preview"], success: 200, body: order, keyed: false },
    documented: { reaches: [400, 409, 422] },
  },
  viewSale: { ...read, path: sale, reads: "nothing", documented: { reaches: [404] } },
  refundSale: {
    ...{ ...posted, path: [...sale, "refunds"], success: 201, body: refund, keyed: true },
    documented: { weight: 6, reaches: [400, 404, 409, 422] },
  },
  previewRefund: {
    ...{ ...posted, path: [...sale, "refunds", "preview"], success: 200, body: refund },
    ...{ keyed: false, documented: { reaches: [400, 404, 409, 422] } },
  },
} as const satisfies Record<string, Endpoint>
