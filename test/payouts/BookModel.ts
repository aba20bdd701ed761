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
  /** When it was sold, for a sale: only that has to mature. */
  readonly soldAt?: number
  /** Of which order and group, for a share and what was adjusted of one. */
  readonly of?: { readonly orderId: string; readonly groupId: string }
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
  readonly maturityDays: number
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

const sum = ({ items }: Pick<ModelPayout, "items">): bigint =>
  items.reduce((total, { amount }) => total + BigInt(amount), 0n)

/** Whether so many days have passed since the sale, as they do for a payout that is held. */
const isMature = ({ maturityDays, timeZone }: Model, { soldAt }: ModelItem, at: number): boolean =>
  soldAt === undefined ||
  Result.getOrThrow(
    Schedule.payableAt({ closedAt: soldAt, holdingDays: maturityDays, timeZone }),
  ) <= at

/** Closes a payout with what is mature, and opens one for the rest. */
const close = (model: Model, payout: ModelPayout, at: number): void => {
  const waiting = payout.items.filter((item) => !isMature(model, item, at))
  payout.status = "pending"
  payout.closedAt = at
  if (waiting.length === 0) return
  payout.items.splice(
    0,
    payout.items.length,
    ...payout.items.filter((item) => !waiting.includes(item)),
  )
  const next: ModelPayout = { ...payout, status: "active", closedAt: null, items: waiting }
  next.toBePaidAt = nextDue(model, next, at)
  model.payouts.push(next)
}

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
        const mature = sum({ items: payout.items.filter((item) => isMature(model, item, at)) })
        if (mature > 0n && mature >= BigInt(terms.payoutThreshold)) close(model, payout, at)
        else payout.toBePaidAt = nextDue(model, payout, at)
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

/** What a payout lacks that no longer collects is taken off the one that does. */
const settleDebt = (model: Model, payout: ModelPayout): void => {
  const owed = Number(sum(payout))
  if (payout.status === "active" || owed >= 0 || !Number.isSafeInteger(owed)) return
  const { currency } = payout
  const entry = { left: 0, original: currency, rate: null }
  payout.items.push({ id: "given", amount: -owed, ...entry })
  put(model, payout, { id: "taken", amount: owed, ...entry })
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
    const of = { orderId: fact.order.id, groupId: share.groupId }
    put(
      model,
      { collaboratorId: share.collaboratorId, currency },
      { id, amount, left: share.amount, original, rate, soldAt: fact.at, of },
    )
  }
}

/** What a collaborator has of an order, wherever it is. */
const ofOrder = (model: Model, collaboratorId: string, orderId: string) =>
  model.payouts
    .filter((payout) => payout.collaboratorId === collaboratorId)
    .flatMap(({ currency, items }) =>
      items.flatMap(({ of, rate }) => (of?.orderId === orderId ? [{ ...of, currency, rate }] : [])),
    )

const recordAdjustment = (
  model: Model,
  fact: Extract<PayoutBook.Fact, { type: "adjustment" }>,
): void => {
  for (const { itemId, groupId, collaboratorId, amount: left } of fact.adjustment.shares) {
    const { id: orderId, currency: original } = fact.order
    const own = model.collaborators.get(collaboratorId)?.currency ?? ""
    const wanted = model.rate === undefined ? original : own
    const rateNow = wanted === original ? null : (model.rate?.(original, wanted) ?? null)
    const known = ofOrder(model, collaboratorId, orderId)
    const booked =
      known.find((one) => one.groupId === groupId) ??
      known.find(({ currency }) => currency === wanted)
    const { currency, rate } = booked ?? { currency: wanted, rate: rateNow }
    const id = PayoutItem.keyOf({ orderId, itemId, groupId, runId: fact.runId })
    const amount = convert(left, currency, { original, rate })
    const of = { orderId, groupId }
    const item = { id, amount, left, original, rate, soldAt: fact.at, of }
    put(model, { collaboratorId, currency }, item)
  }
}

const recordRefund = (model: Model, fact: Extract<PayoutBook.Fact, { type: "refund" }>): void => {
  const { reversal, adjusted = [] } = fact
  const taken = [
    ...reversal.shares.map((share) => ({ ...reversal, ...share })),
    ...adjusted.flatMap(({ runId, shares }) =>
      shares.map((share) => ({ ...reversal, ...share, runId })),
    ),
  ]
  for (const { amount, ...key } of taken) takeBack(model, PayoutItem.keyOf(key), amount)
}

const takeBack = (model: Model, id: string, amount: number): void => {
  const payout = model.payouts.find(({ items }) => items.some((item) => item.id === id))
  const item = payout?.items.find((candidate) => candidate.id === id)
  if (payout === undefined || item === undefined) throw new TypeError(`no share ${id}`)
  const before = convert(item.left, payout.currency, item)
  item.left -= amount
  const after = convert(item.left, payout.currency, item)
  if (payout.status !== "paid") {
    item.amount = after
    settleDebt(model, payout)
  } else if (amount !== 0) {
    const { original, rate } = item
    put(model, payout, { id: `${id}/refund`, amount: after - before, left: 0, original, rate })
  }
}

export const record = (model: Model, fact: PayoutBook.Fact): void => {
  tick(model, fact.at)
  if (fact.type === "split") recordSplit(model, fact)
  if (fact.type === "adjustment") recordAdjustment(model, fact)
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
