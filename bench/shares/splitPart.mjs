// A part: whole splits beside matching alone, on one rule set and one kind of orders.
import { allocate, dinero } from "dinero.js"
import { USD } from "dinero.js/currencies"
import { Explanation, RuleSet, Split } from "../../dist/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { freshBatches, makeWorkload } from "../workload.mjs"
import { allocateBigInt } from "./byHand.mjs"

const { four, kind, groups, collaborators, itemsOfOrder, seed, rounds, seconds, isCheck } =
  partArguments()
const isDense = kind === "dense"

/** With so few groups every product has all four tags and one of two vendors, so all of these match. */
const fourGroups = ({ products }) => {
  const [tag] = products[0].tags
  const vendors = [...new Set(products.map(({ vendor }) => vendor))]
  const link = [
    { type: "products", modifier: "NOT", values: ["no such product"] },
    { type: "products.tag", values: [tag] },
    { type: "products.vendor", values: vendors },
    { type: "products.all" },
  ]
  const percents = ["12.50", "7.25", "3.33", "20.01"]
  return link.map((each, index) => ({
    id: `group-${index}`,
    collaboratorId: `collaborator-${index}`,
    link: each,
    percent: percents[index],
  }))
}

/** Two thousand payees of a line: each gets a few hundredths of a percent, or there would be more to pay than there is. */
const smallGroups = ({ groups }) =>
  groups.map(({ amount: _, ...group }, index) => ({ ...group, percent: `0.0${1 + (index % 4)}` }))

const workload = makeWorkload({
  kind: isDense ? "dense" : "selective",
  groups: four ? 10 : groups,
  collaborators,
  itemsOfOrder,
  lines: isDense ? 1_000 : 4_000,
  seed,
})
const rules = RuleSet.make(
  four ? fourGroups(workload) : isDense ? smallGroups(workload) : workload.groups,
)
const checked = workload.orders.slice(0, isDense ? 50 : 500)

const reference = (order) =>
  order.items.flatMap((item) => {
    const percents = rules.groups.map((group) => Math.round(Number(group.percent) * 100))
    const rest = percents.reduce((left, percent) => left - percent, 10_000)
    const parts = allocateBigInt(item.amount - item.discount, [...percents, rest])
    return parts.slice(0, -1)
  })
const amounts = (split) => split.shares.map(({ amount }) => amount)
const distributable = (order) =>
  order.items.reduce((sum, { amount, discount }) => sum + amount - discount, order.shippingAmount)
const paidOut = (split) =>
  [...split.shares, ...split.store].reduce((sum, { amount }) => sum + amount, 0)

const splits = () => checked.map((order) => Split.order(rules, order))
/**
 * Whether all agree, and what the workload is like. In a process of its own: answers that are kept teach the
 * compiler to expect answers that are kept, which is not what is raced.
 */
const check = async () => {
  if (four) {
    await compareAnswers([
      { name: "apportion", answers: () => splits().map(amounts) },
      { name: "BigInt by hand", answers: () => checked.map(reference) },
    ])
  }
  await compareAnswers([
    { name: "what the orders brought in", answers: () => checked.map(distributable) },
    { name: "what was divided", answers: () => splits().map(paidOut) },
  ])
  await compareAnswers([
    { name: "one by one", answers: splits },
    {
      name: "as a batch",
      answers: () => [...Split.orders(rules, checked)].map(({ success }) => success),
    },
  ])
  const all = splits()
  const lines = checked.reduce((sum, { items }) => sum + items.length, 0)
  const perLine = (count) => all.reduce((sum, split) => sum + count(split), 0) / lines
  return {
    payees: perLine(({ shares }) => shares.length),
    outranked: perLine(({ outranked }) => outranked.length),
  }
}

const contender = (name, workOn) => {
  const batch = freshBatches(workload.orderTexts, isDense ? 20 : 200)
  const run = () => workOn(batch.orders)
  return { name, lines: () => batch.lines, prepare: batch.next, run }
}

const everyItem = (work) => (orders) => {
  let found = 0
  for (const order of orders) for (const item of order.items) found += work(order, item)
  return found
}

const everyOrder = (work) => (orders) => {
  let found = 0
  for (const order of orders) found += work(order)
  return found
}

const ratios = [1_250, 725, 333, 2_001, 5_691]
/**
 * The least that a split leaves behind: who is paid by which of the groups that match, and an object for each of them
 * with the fields of a share. Nothing is divided, rounded, sorted or checked.
 */
const sharesOf = (order, item) => {
  const base = item.amount - item.discount
  const paid = new Set()
  const shares = []
  for (const group of RuleSet.matchingGroups(rules, order, item)) {
    const { id: groupId, collaboratorId, percent, amount: flatAmount } = group
    if (paid.has(collaboratorId)) continue
    paid.add(collaboratorId)
    const amount = Math.floor(base / 100)
    shares.push({
      itemId: item.id,
      groupId,
      collaboratorId,
      amount,
      shippingAmount: 0,
      base,
      percent,
      flatAmount,
      deducting: false,
      percentTotal: amount,
      flatTotal: 0,
      beforeShipping: amount,
      claim: amount,
    })
  }
  return shares
}

const contenders = [
  contender(
    "matching alone",
    everyItem((order, item) => RuleSet.matchingGroups(rules, order, item).length),
  ),
  contender(
    "matching, and an object for each payee",
    everyItem((order, item) => sharesOf(order, item).length),
  ),
  contender(
    "Split.order",
    everyOrder((order) => Split.order(rules, order).shares.length),
  ),
  contender("Split.orders", (orders) => {
    let found = 0
    for (const { success } of Split.orders(rules, orders)) found += success.shares.length
    return found
  }),
  contender(
    "Split.order and Explanation.ofSplit",
    everyOrder((order) => Explanation.ofSplit(Split.order(rules, order)).items.length),
  ),
  contender(
    "Split.order, Explanation.ofSplit, as text",
    everyOrder(
      (order) => Explanation.toText(Explanation.ofSplit(Split.order(rules, order))).length,
    ),
  ),
  contender(
    "dinero.js allocate alone",
    everyItem((_, { amount }) => allocate(dinero({ amount, currency: USD }), ratios).length),
  ),
]
answerPart(isCheck ? await check() : { results: await race(contenders, { rounds, seconds }) })
