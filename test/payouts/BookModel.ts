import { type Collaborator, ExchangeRate, type PayoutBook, PayoutItem, Schedule } from "apportion"
import * as Result from "effect/Result"

/**
 * The payout book once more, the slow and simple way: payouts are kept in one list and changed in
 * place, totals are added up anew each time, and time goes on from one due date to the next.
 */

interface ModelItem {
  readonly id: string
  amount: number
  /** For a sale: what is left of it in its own currency, and how it converts. */
  left: number
  readonly original: string
  readonly rate: string | null
}

export interface ModelPayout {
  readonly collaboratorId: string
  readonly currency: string
  status: "active" | "pending" | "paid"
  toBePaidAt: number
  closedAt: number | null
  paidAt: number | null
  readonly items: Array<ModelItem>
}

export interface Model {
  readonly collaborators: ReadonlyMap<string, Collaborator.Collaborator>
  readonly timeZone: string
  readonly rate: ((from: string, to: string) => string) | undefined
  readonly payouts: Array<ModelPayout>
  readonly firstOpened: Map<string, number>
  now: number
}

const termsOf = (model: Model, payout: ModelPayout): Collaborator.Collaborator => {
  const terms = model.collaborators.get(payout.collaboratorId)
  if (terms === undefined) throw new TypeError(`no collaborator ${payout.collaboratorId}`)
  return terms
}

const sum = (payout: ModelPayout): bigint =>
  payout.items.reduce((total, { amount }) => total + BigInt(amount), 0n)

const nextDue = (model: Model, payout: ModelPayout, after: number): number => {
  const key = `${payout.collaboratorId} ${payout.currency}`
  const openedAt = model.firstOpened.get(key) ?? after
  model.firstOpened.set(key, openedAt)
  const { timeZone } = model
  const options = { openedAt, after, timeZone }
  return Result.getOrThrow(Schedule.nextDueDate(termsOf(model, payout), options))
}

/** What happens to a payout next, and when. */
const nextStep = (
  model: Model,
  payout: ModelPayout,
): { at: number; run: () => void } | undefined => {
  const terms = termsOf(model, payout)
  if (payout.status === "active") {
    const at = payout.toBePaidAt
    return {
      at,
      run: () => {
        if (sum(payout) > 0n && sum(payout) >= BigInt(terms.payoutThreshold)) {
          payout.status = "pending"
          payout.closedAt = at
        } else payout.toBePaidAt = nextDue(model, payout, at)
      },
    }
  }
  if (payout.status === "paid" || !terms.shouldPayAutomatically || sum(payout) < 0n)
    return undefined
  const { timeZone } = model
  const holdingDays = terms.payoutHoldingDays
  const closedAt = payout.closedAt ?? 0
  const held = Result.getOrThrow(Schedule.payableAt({ closedAt, holdingDays, timeZone }))
  const at = Math.max(held, model.now)
  return {
    at,
    run: () => {
      payout.status = "paid"
      payout.paidAt = at
    },
  }
}

export const tick = (model: Model, to: number): void => {
  for (const payout of model.payouts) {
    for (let step = nextStep(model, payout); step !== undefined && step.at <= to; ) {
      step.run()
      step = nextStep(model, payout)
    }
  }
  model.now = to
}

const put = (
  model: Model,
  { collaboratorId, currency }: Pick<ModelPayout, "collaboratorId" | "currency">,
  item: ModelItem,
): void => {
  const isOwn = (payout: ModelPayout) =>
    payout.collaboratorId === collaboratorId && payout.currency === currency
  let active = model.payouts.find((payout) => isOwn(payout) && payout.status === "active")
  if (active === undefined) {
    active = {
      collaboratorId,
      currency,
      status: "active",
      toBePaidAt: 0,
      closedAt: null,
      paidAt: null,
      items: [],
    }
    active.toBePaidAt = nextDue(model, active, model.now)
    model.payouts.push(active)
  }
  active.items.push(item)
}

const convert = (amount: number, to: string, item: Pick<ModelItem, "original" | "rate">): number =>
  item.rate === null
    ? amount
    : Result.getOrThrow(ExchangeRate.convert(amount, { from: item.original, to, rate: item.rate }))

const recordSplit = (model: Model, fact: Extract<PayoutBook.Fact, { type: "split" }>): void => {
  for (const share of fact.split.shares) {
    const own = model.collaborators.get(share.collaboratorId)?.currency ?? ""
    const original = fact.order.currency
    const converts = model.rate !== undefined && original !== own
    const currency = converts ? own : original
    const rate = converts ? (model.rate?.(original, own) ?? null) : null
    const id = PayoutItem.keyOf({ ...share, orderId: fact.order.id })
    const amount = convert(share.amount, currency, { original, rate })
    put(
      model,
      { collaboratorId: share.collaboratorId, currency },
      { id, amount, left: share.amount, original, rate },
    )
  }
}

const recordRefund = (model: Model, fact: Extract<PayoutBook.Fact, { type: "refund" }>): void => {
  for (const { groupId, amount } of fact.reversal.shares) {
    const id = PayoutItem.keyOf({ ...fact.reversal, groupId })
    const payout = model.payouts.find(({ items }) => items.some((item) => item.id === id))
    const item = payout?.items.find((candidate) => candidate.id === id)
    if (payout === undefined || item === undefined) throw new TypeError(`no share ${id}`)
    const before = convert(item.left, payout.currency, item)
    item.left -= amount
    const after = convert(item.left, payout.currency, item)
    if (payout.status !== "paid") item.amount = after
    else if (amount !== 0) {
      put(model, payout, { ...item, id: `${id}/refund`, amount: after - before, left: 0 })
    }
  }
}

export const record = (model: Model, fact: PayoutBook.Fact): void => {
  tick(model, fact.at)
  if (fact.type === "split") recordSplit(model, fact)
  if (fact.type === "refund") recordRefund(model, fact)
  if (fact.type === "expense" || fact.type === "income") {
    const { collaboratorId, id } = fact
    const currency = model.collaborators.get(collaboratorId)?.currency ?? ""
    const amount = fact.type === "expense" ? -fact.amount : fact.amount
    put(
      model,
      { collaboratorId, currency },
      { id, amount, left: 0, original: currency, rate: null },
    )
  }
}
