// A part: commission lines of orders, by the commission module of @mercurjs/core and by apportion, on rules that
// both can express: of one payee, a rate in percent or a fixed sum for a line, by product, by seller, or for all.
//
// The module's service is its own class; what it reads from its database is answered from memory, sorted as it
// asks for, which favours it. It gives exact sums and does not round, so its sums are rounded for comparing.
import { createRequire } from "node:module"
import { RuleSet, Split, SplitPolicy } from "../../dist/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { freshBatches, makeDice, makeWorkload } from "../workload.mjs"

const require = createRequire(import.meta.url)
const { service: CommissionService } = require("@mercurjs/core/modules/commission").default

const { count, seed, rounds, seconds } = partArguments()
const { below, chance } = makeDice(seed)
const workload = makeWorkload({ kind: "selective", groups: count, lines: 2_000, seed })

/** One product or one seller belongs to one rate at most, so that both sides have one answer. */
const chunks = (values, parts) => {
  const size = Math.max(1, Math.floor(values.length / parts))
  return Array.from({ length: parts }, (_, index) =>
    index * size < values.length
      ? values.slice(index * size, (index + 1) * size)
      : [`none-${index}`],
  )
}

const makeRate = (type, values, index) => ({
  id: `${type}-${index}`,
  type,
  values,
  percent: chance(0.8) ? 1 + below(2_000) / 100 : null,
  fixed: 10 + below(90),
  least: chance(0.2) ? 50 : null,
})

const makeRates = () => {
  // Half of the products have a rate of their own; the others take that of their seller or the one for all.
  const ids = workload.products.filter((_, index) => index % 2 === 0).map(({ id }) => id)
  const sellers = [...new Set(workload.products.map(({ vendor }) => vendor))]
  const ofSellers = Math.floor(count / 4)
  const some = sellers.slice(0, Math.ceil(sellers.length / 2))
  return [
    ...chunks(ids, count - ofSellers - 1).map((values, index) =>
      makeRate("product", values, index),
    ),
    ...chunks(some, ofSellers).map((values, index) => makeRate("seller", values, index)),
    makeRate("all", [], 0),
  ]
}

const links = { product: "products", seller: "products.vendor", all: "products.all" }
const groupOf = ({ id, type, values, percent, fixed, least }) => ({
  id,
  collaboratorId: "market",
  link: { type: links[type], values },
  ...(percent === null ? { amount: fixed } : { percent: percent.toFixed(2) }),
  minAmount: least,
})

const priorities = { product: 20, seller: 10, all: 0 }
const rateOf = ({ id, type, values, percent, fixed, least }) => ({
  id,
  code: id,
  name: id,
  is_enabled: true,
  target: "item",
  priority: priorities[type],
  currency_code: null,
  include_tax: false,
  type: percent === null ? "fixed" : "percentage",
  value: percent ?? fixed,
  min_amount: least,
  rules: values.map((value) => ({ id: `${id}-${value}`, reference: type, reference_id: value })),
})

const rates = makeRates()
const rules = RuleSet.make(rates.map(groupOf))
const policy = SplitPolicy.make({ flatScope: "item" })

const listed = rates.map(rateOf).sort((left, right) => right.priority - left.priority)
const service = new CommissionService({
  commissionLineService: {},
  baseRepository: { getFreshManager: () => ({}), serialize: (value) => value },
})
service.listCommissionRates = async () => listed

/** What the module's own workflow makes of an order before it asks the service. */
const contextOf = (order) => ({
  currency_code: order.currency,
  items: order.items.map(({ id, amount, discount, product }) => ({
    id,
    subtotal: amount - discount,
    tax_total: 0,
    product: { id: product.id, categories: [], tags: [], seller: { id: product.vendor } },
  })),
  shipping_methods: [],
})

const checked = workload.orders.slice(0, 200)
const figures = (lines) =>
  Object.fromEntries(lines.map(({ itemId, groupId, amount }) => [itemId, [groupId, amount]]))
await compareAnswers([
  {
    name: "apportion",
    answers: () => checked.map((order) => figures(Split.order(rules, order, policy).shares)),
  },
  {
    name: "mercur",
    answers: async () => {
      const found = []
      for (const order of checked) {
        const lines = await service.getCommissionLines(contextOf(order))
        found.push(
          figures(
            lines.map((line) => ({
              itemId: line.item_id,
              groupId: line.commission_rate_id,
              amount: Math.round(line.amount),
            })),
          ),
        )
      }
      return found
    },
  },
])

const batch = freshBatches(workload.orderTexts, 100)
const asContexts = freshBatches(workload.orderTexts, count >= 1_000 ? 20 : 100)
let contexts = []
answerPart({
  results: await race(
    [
      {
        name: "apportion, Split.order",
        lines: () => batch.lines,
        prepare: batch.next,
        run: () => {
          let found = 0
          for (const order of batch.orders) found += Split.order(rules, order, policy).shares.length
          return found
        },
      },
      {
        name: "@mercurjs/core, getCommissionLines",
        lines: () => asContexts.lines,
        prepare: () => {
          asContexts.next()
          contexts = asContexts.orders.map(contextOf)
        },
        run: async () => {
          for (const context of contexts) await service.getCommissionLines(context)
        },
      },
    ],
    { rounds, seconds },
  ),
})
