/** Whether books are what the model says, and what was acknowledged is in them. */
import { isDeepStrictEqual } from "node:util"
import type { State } from "../../service/model/PayoutModel.js"
import { total } from "../../service/model/PayoutModel.js"
import { payoutSeen } from "../../service/model/PayoutSeen.js"
import type { Books } from "./Books.js"
import type { Call } from "./Deed.js"
import type { Run } from "./Replay.js"

const payoutProblems = (books: Books, state: State): ReadonlyArray<string> => {
  const expected = new Map(state.payouts.map((payout) => [payout.id, payout]))
  const problems: Array<string> = []
  for (const kept of books.payouts) {
    const { id } = kept.payout
    const seen = payoutSeen(kept.payout, kept.items)
    const wanted = expected.get(id)
    expected.delete(id)
    if (wanted === undefined) problems.push(`the model has no payout ${id}`)
    else if (!isDeepStrictEqual(seen, wanted) || kept.payout.total !== total(wanted)) {
      const [is, model] = [seen, wanted].map((each) => JSON.stringify(each))
      problems.push(`payout ${id} is\n${is}\nand in the model\n${model}`)
    }
  }
  return [...problems, ...[...expected.keys()].map((id) => `payout ${id} is missing`)]
}

const saleProblems = ({ sales }: Books, { orders, refunds }: State): ReadonlyArray<string> => {
  const byOrder = new Map<string, { items: Array<string>; refunds: Array<string>; parts: number }>()
  for (const sale of sales) {
    const known = byOrder.get(sale.orderId) ?? { items: [], refunds: [], parts: 0 }
    byOrder.set(sale.orderId, known)
    known.parts += 1
    known.items.push(...sale.order.items.map(({ id }) => id))
    known.refunds.push(...sale.refunds.map(({ id }) => id))
  }
  const seen = Object.fromEntries(
    [...byOrder].map(([id, each]) => [
      id,
      { parts: each.parts, items: each.items.sort(), refunds: each.refunds.sort() },
    ]),
  )
  const byRefund = new Map<string, Array<string>>()
  for (const [id, { orderId }] of Object.entries(refunds)) {
    byRefund.set(orderId, [...(byRefund.get(orderId) ?? []), id])
  }
  const expected = Object.fromEntries(
    Object.entries(orders).map(([id, { parts, items }]) => [
      id,
      { parts, items: Object.keys(items).sort(), refunds: byRefund.get(id)?.sort() ?? [] },
    ]),
  )
  return isDeepStrictEqual(seen, expected) ? [] : ["the ledger of sales is not that of the model"]
}

/** The books are exactly what the model says. */
export const agreementProblems = (books: Books, state: State): ReadonlyArray<string> => [
  ...payoutProblems(books, state),
  ...saleProblems(books, state),
]

const callsOf = ({ deed }: Run): ReadonlyArray<Call> => {
  if (deed.kind === "unit" || deed.kind === "keyed") return deed.calls
  return deed.kind === "closeDue" ? [] : [deed]
}

const isDone = ({ outcome }: Run): boolean => outcome !== undefined && "answers" in outcome

/**
 * Without the model and without any order: what was acknowledged is there once, what was refused is not.
 */
export const acknowledgementProblems = (
  books: Books,
  runs: ReadonlyArray<Run>,
): ReadonlyArray<string> => {
  const done = runs.filter(isDone).flatMap(callsOf)
  const problems: Array<string> = []
  const times = new Map<string, number>()
  for (const { items } of books.payouts) {
    for (const { id } of items) times.set(id, (times.get(id) ?? 0) + 1)
  }
  const removed = new Set(done.flatMap((each) => (each.kind === "remove" ? [each.itemId] : [])))
  const added = new Set<string>()
  for (const each of done) {
    if (each.kind !== "expense" && each.kind !== "income") continue
    added.add(each.id)
    if (!times.has(each.id) && !removed.has(each.id)) problems.push(`entry ${each.id} is lost`)
  }
  const sold = new Set(
    books.sales.flatMap(({ orderId, order }) => order.items.map(({ id }) => `${orderId} ${id}`)),
  )
  for (const each of done) {
    if (each.kind !== "record") continue
    const lost = each.items.filter((id) => !sold.has(`${each.orderId} ${id}`))
    if (lost.length > 0) problems.push(`items ${lost} of order ${each.orderId} are lost`)
  }
  const refunds = new Set(books.sales.flatMap((sale) => sale.refunds.map(({ id }) => id)))
  for (const each of done) {
    if (each.kind === "refund" && !refunds.has(each.id)) problems.push(`refund ${each.id} is lost`)
  }
  return [...problems, ...unaskedProblems(books, done, added), ...payProblems(books, done)]
}

/** Nothing is there that nobody was told of. */
const unaskedProblems = (
  { payouts, sales }: Books,
  done: ReadonlyArray<Call>,
  added: ReadonlySet<string>,
): ReadonlyArray<string> => {
  const entries = payouts.flatMap(({ items }) =>
    items.filter(
      (item) =>
        (item.kind === "expense" || item.kind === "income") &&
        // What sets a payout below zero off nobody asks for.
        item.about?.why !== "debt" &&
        !added.has(item.id),
    ),
  )
  const recorded = new Set(
    done.flatMap((each) =>
      each.kind === "record" ? each.items.map((id) => `${each.orderId} ${id}`) : [],
    ),
  )
  const asked = new Set(done.flatMap((each) => (each.kind === "refund" ? [each.id] : [])))
  const sold = sales.flatMap(({ orderId, order }) =>
    order.items.map(({ id }) => `${orderId} ${id}`),
  )
  const refunded = sales.flatMap((sale) => sale.refunds.map(({ id }) => id))
  return [
    ...entries.map(({ id }) => `entry ${id} was refused or never asked for`),
    ...sold.filter((each) => !recorded.has(each)).map((each) => `sale ${each} was refused`),
    ...refunded.filter((each) => !asked.has(each)).map((each) => `refund ${each} was refused`),
    ...[sold, refunded]
      .filter((each) => new Set(each).size < each.length)
      .map(() => "something was sold or refunded twice"),
  ]
}

/** A payout was paid as often as its payment was acknowledged, and that is once at the most. */
const payProblems = ({ payouts }: Books, done: ReadonlyArray<Call>): ReadonlyArray<string> =>
  payouts.flatMap(({ payout, history }) => {
    const paid = history.filter(
      ({ before, after }) => before?.status === "pending" && after.status === "paid",
    ).length
    // Asked for again under its key, a payment is acknowledged again.
    const told = done.filter((each) => each.kind === "pay" && each.payoutId === payout.id).length
    return paid === Math.min(told, 1)
      ? []
      : [`payout ${payout.id} was paid ${paid} times, which was acknowledged ${told} times`]
  })
