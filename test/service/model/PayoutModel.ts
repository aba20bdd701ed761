/**
 * The life of payouts once more, from the decisions alone: one list that is changed in place, totals added
 * up anew each time, sums in BigInt. Nothing of the services or of the payout book is used.
 */
import { heldUntil, nextDueDate, type Terms } from "./DueDate.js"

export type Status = "active" | "pending" | "paid" | "failed" | "manually paid"

export interface ModelItem {
  /** `undefined`: the service made one up, and the test has not seen it yet. */
  id: string | undefined
  readonly kind: "sale" | "refund" | "expense" | "income"
  readonly name: string | null
  readonly createdAt: number
  amount: number
  originalAmount: number
  readonly originalCurrency: string
  readonly rate: string | null
  refundedAt: number | null
  /** Whether it is one of the two that set a payout below zero off. */
  readonly isOfPair: boolean
}

export interface ModelPayout {
  id: string | undefined
  readonly collaboratorId: string
  readonly currency: string
  status: Status
  readonly openedAt: number
  toBePaidAt: number
  closedAt: number | null
  payableAt: number | null
  paidAt: number | null
  failureReason: string | null
  readonly items: Array<ModelItem>
}

export interface ModelShare {
  readonly groupId: string
  readonly collaboratorId: string
  /** In cents of the order's currency. */
  readonly amount: number
  /** Place of its payout in the list of all. */
  payout: number
  readonly itemId: string
  /** What of it was taken back in all, and by how many payout items since its payout was settled. */
  reversed: number
  leftInPayout: number
  refundItems: number
}

export interface ModelSold {
  readonly amount: number
  readonly discount: number
  readonly quantity: number
  readonly shares: Array<ModelShare>
  refundedAmount: bigint
  refundedQuantity: bigint
}

/** What a refund asks for, and what it did. */
export interface ModelRefund {
  readonly orderId: string
  readonly itemId: string
  readonly amount?: number
  readonly quantity?: number
}

export interface State {
  now: number
  readonly people: Record<string, Terms>
  readonly payouts: Array<ModelPayout>
  /** By order, then by item. */
  readonly orders: Record<
    string,
    { readonly currency: string; parts: number; readonly items: Record<string, ModelSold> }
  >
  readonly refunds: Record<string, ModelRefund>
}

/** A refusal, by the tags of which one must come. */
export class Refused {
  readonly tags: ReadonlyArray<string>
  constructor(...tags: ReadonlyArray<string>) {
    this.tags = tags
  }
}

export const refuse = (...tags: ReadonlyArray<string>): never => {
  throw new Refused(...tags)
}

/** Does something whole or not at all; gives the tags of the refusal, if it was refused. */
export const attempt = <A>(
  model: { state: State },
  work: (state: State) => A,
): { readonly value: A } | Refused => {
  const copy = structuredClone(model.state)
  try {
    const value = work(copy)
    for (const payout of copy.payouts) total(payout)
    model.state = copy
    return { value }
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

const safe = (value: bigint): number =>
  Number.isSafeInteger(Number(value)) ? Number(value) : refuse("AmountOutOfRange")

export const total = (payout: ModelPayout): number =>
  safe(payout.items.reduce((sum, { amount }) => sum + BigInt(amount), 0n))

const halfUp = (numerator: bigint, denominator: bigint): bigint => {
  const size = numerator < 0n ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

const digits: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 }

const convert = (
  amount: number,
  { from, to, rate }: { readonly from: string; readonly to: string; readonly rate: string | null },
): number => {
  if (rate === null) return amount
  const [units = "", decimals = ""] = rate.split(".")
  const up = 10n ** BigInt(digits[to] ?? 2)
  const down = 10n ** BigInt(decimals.length + (digits[from] ?? 2))
  return safe(halfUp(BigInt(amount) * BigInt(units + decimals) * up, down))
}

const termsOf = (state: State, id: string): Terms => state.people[id] ?? refuse("NotFound")

export const isSettled = ({ status }: ModelPayout): boolean =>
  status === "paid" || status === "manually paid"

const firstOpened = (state: State, collaboratorId: string, currency: string): number => {
  const own = state.payouts.filter(
    (payout) => payout.collaboratorId === collaboratorId && payout.currency === currency,
  )
  return own.length === 0 ? state.now : Math.min(...own.map(({ openedAt }) => openedAt))
}

/** Closes an active payout whose due date has come, or lets the date roll. */
export const closeOrRoll = (state: State, payout: ModelPayout): "closed" | "rolled" | "nothing" => {
  if (payout.status !== "active" || payout.toBePaidAt > state.now) return "nothing"
  const { collaboratorId, currency } = payout
  const terms = termsOf(state, collaboratorId)
  const sum = total(payout)
  if (sum > 0 && sum >= terms.payoutThreshold) {
    payout.status = "pending"
    payout.closedAt = payout.toBePaidAt
    payout.payableAt = heldUntil(terms, payout.toBePaidAt)
    return "closed"
  }
  const first = firstOpened(state, collaboratorId, currency)
  payout.toBePaidAt = nextDueDate(terms, first, state.now)
  return "rolled"
}

/** The payout of an owner into which something can go now. */
const collecting = (state: State, collaboratorId: string, currency: string): number => {
  const isActive = (payout: ModelPayout) =>
    payout.status === "active" &&
    payout.collaboratorId === collaboratorId &&
    payout.currency === currency
  const due = state.payouts.find(isActive)
  if (due !== undefined) closeOrRoll(state, due)
  const place = state.payouts.findIndex(isActive)
  if (place !== -1) return place
  const terms = termsOf(state, collaboratorId)
  const first = firstOpened(state, collaboratorId, currency)
  return (
    state.payouts.push({
      id: undefined,
      collaboratorId,
      currency,
      status: "active",
      openedAt: state.now,
      toBePaidAt: nextDueDate(terms, first, state.now),
      closedAt: null,
      payableAt: null,
      paidAt: null,
      failureReason: null,
      items: [],
    }) - 1
  )
}

export interface Line {
  readonly id: string
  readonly amount: number
  readonly discount: number
  readonly quantity: number
  /** Whose shares, and how many percent each. */
  readonly claims: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly percent: number
  }>
}

const isSame = (sold: ModelSold, line: Line): boolean =>
  sold.amount === line.amount && sold.discount === line.discount && sold.quantity === line.quantity

const placeShare = (
  state: State,
  sale: { readonly orderId: string; readonly currency: string; readonly line: Line },
  { claim, rates }: { claim: Line["claims"][number]; rates: Readonly<Record<string, string>> },
): ModelShare => {
  const { orderId, currency: from, line } = sale
  const { currency: to } = termsOf(state, claim.collaboratorId)
  const rate = from === to ? null : (rates[`${from}/${to}`] ?? refuse("MissingExchangeRate"))
  // Amounts and percentages are chosen so that no share has a fraction.
  const amount = ((line.amount - line.discount) / 100) * claim.percent
  const payout = collecting(state, claim.collaboratorId, to)
  const itemId = `${orderId}/${line.id}/${claim.groupId}`
  state.payouts[payout]?.items.push({
    id: itemId,
    kind: "sale",
    name: null,
    createdAt: state.now,
    amount: convert(amount, { from, to, rate }),
    originalAmount: amount,
    originalCurrency: from,
    rate,
    refundedAt: null,
    isOfPair: false,
  })
  const { groupId, collaboratorId } = claim
  const none = { reversed: 0, refundItems: 0 }
  return { groupId, collaboratorId, amount, payout, itemId, ...none, leftInPayout: amount }
}

/** Records an order; gives the ids of its new items. */
export const record = (
  state: State,
  order: { readonly id: string; readonly currency: string; readonly lines: ReadonlyArray<Line> },
  rates: Readonly<Record<string, string>>,
): ReadonlyArray<string> => {
  const { id: orderId, currency, lines } = order
  const known = state.orders[orderId]
  const knownItems = known?.items ?? {}
  const isChanged = (line: Line) => {
    const sold = knownItems[line.id]
    return sold !== undefined && !isSame(sold, line)
  }
  if ((known !== undefined && known.currency !== currency) || lines.some(isChanged)) {
    refuse("SaleChanged")
  }
  const fresh = lines.filter((line) => knownItems[line.id] === undefined)
  const claimed = (line: Line) => line.claims.reduce((sum, { percent }) => sum + percent, 0)
  if (fresh.some((line) => claimed(line) > 100)) refuse("OverAllocated")
  if (fresh.length === 0) return []
  const sold = known ?? { currency, parts: 0, items: {} }
  state.orders[orderId] = sold
  sold.parts += 1
  const { items } = sold
  const people = [...new Set(fresh.flatMap(({ claims }) => claims.map((it) => it.collaboratorId)))]
  for (const { id, amount, discount, quantity } of fresh) {
    const nothing = { refundedAmount: 0n, refundedQuantity: 0n }
    items[id] = { amount, discount, quantity, shares: [], ...nothing }
  }
  // Everybody's payout gets the shares in the order of the items.
  for (const person of people) {
    for (const line of fresh) {
      for (const claim of line.claims.filter((it) => it.collaboratorId === person)) {
        items[line.id]?.shares.push(
          placeShare(state, { orderId, currency, line }, { claim, rates }),
        )
      }
    }
  }
  return fresh.map(({ id }) => id)
}

const checkRefund = (sold: ModelSold, { amount, quantity }: ModelRefund): void => {
  const net = sold.amount - sold.discount
  if ((amount === undefined) === (quantity === undefined)) refuse("InvalidRefund")
  if (quantity !== undefined && quantity < 1) refuse("InvalidRefund")
  if (amount !== undefined && (amount === 0 || amount > 0 !== net > 0)) refuse("InvalidRefund")
}

const size = (value: number): bigint => BigInt(Math.abs(value))

const find = (state: State, place: number): ModelPayout =>
  state.payouts[place] ?? refuse("NotFound")

/** A closed payout below zero comes to 0, at the cost of the one into which something can go now. */
const setOff = (state: State, payout: ModelPayout): void => {
  const debt = -total(payout)
  if (debt <= 0 || payout.status === "active") return
  const place = collecting(state, payout.collaboratorId, payout.currency)
  const entry = {
    ...{ createdAt: state.now, refundedAt: null, isOfPair: true },
    ...{ originalCurrency: payout.currency, rate: null },
  }
  const unused = ({ items }: ModelPayout, id: string, count = 1): string => {
    const candidate = count === 1 ? id : `${id}/${count}`
    return items.some((item) => item.id === candidate)
      ? unused({ ...payout, items }, id, count + 1)
      : candidate
  }
  const taken = { name: "From an earlier payout below zero", amount: -debt, originalAmount: -debt }
  const taker = find(state, place)
  const expenseId = unused(taker, `set-off for ${payout.id}`)
  taker.items.push({ ...entry, ...taken, id: expenseId, kind: "expense" })
  const given = { name: "Taken off the next payout", amount: debt, originalAmount: debt }
  const incomeId = unused(payout, `set-off of ${payout.id}`)
  payout.items.push({ ...entry, ...given, id: incomeId, kind: "income" })
}

/** Takes back what is to be taken back of one share by now. */
const takeBack = (state: State, share: ModelShare, amount: number, currency: string): void => {
  const payout = state.payouts[share.payout] ?? refuse("a payout that is not there")
  closeOrRoll(state, payout)
  share.reversed += amount
  const item = payout.items.find(({ id }) => id === share.itemId) ?? refuse("a share not there")
  const how = { from: currency, to: payout.currency, rate: item.rate }
  const before = convert(share.leftInPayout, how)
  const after = convert(share.leftInPayout - amount, how)
  if (!isSettled(payout)) {
    share.leftInPayout -= amount
    item.originalAmount = share.leftInPayout
    item.amount = after
    item.refundedAt = state.now
    setOff(state, payout)
    return
  }
  if (amount === 0) return
  share.leftInPayout -= amount
  share.refundItems += 1
  const place = collecting(state, share.collaboratorId, payout.currency)
  state.payouts[place]?.items.push({
    id: `${share.itemId}/refund/${share.refundItems}`,
    kind: "refund",
    name: null,
    createdAt: state.now,
    amount: after - before,
    originalAmount: -amount,
    originalCurrency: currency,
    rate: item.rate,
    refundedAt: state.now,
    isOfPair: false,
  })
}

export const refund = (state: State, id: string, asked: ModelRefund): void => {
  const earlier = state.refunds[id]
  if (earlier !== undefined) {
    const isAgain =
      earlier.orderId === asked.orderId &&
      earlier.itemId === asked.itemId &&
      earlier.amount === asked.amount &&
      earlier.quantity === asked.quantity
    if (!isAgain) refuse("RefundChanged")
    return
  }
  const order = state.orders[asked.orderId] ?? refuse("RefundOfUnknownItem")
  const sold = order.items[asked.itemId] ?? refuse("RefundOfUnknownItem")
  checkRefund(sold, asked)
  sold.refundedAmount += size(asked.amount ?? 0)
  sold.refundedQuantity += BigInt(asked.quantity ?? 0)
  const net = size(sold.amount - sold.discount)
  const quantity = BigInt(sold.quantity)
  const numerator = sold.refundedAmount * quantity + sold.refundedQuantity * net
  const denominator = net * quantity
  if (numerator > denominator) refuse("RefundExceedsItem")
  // Of each share, what was taken back in all is the rounded proportion of it.
  for (const share of [...sold.shares].sort((a, b) => (a.groupId < b.groupId ? -1 : 1))) {
    const inAll = Number(halfUp(BigInt(share.amount) * numerator, denominator))
    takeBack(state, share, inAll - share.reversed, order.currency)
  }
  state.refunds[id] = asked
}

/** Adds an expense or income; an entry that is there already has no second effect. */
export const addEntry = (
  state: State,
  place: number,
  entry: {
    readonly kind: "expense" | "income"
    readonly id: string | undefined
    readonly amount: number
    readonly name: string
  },
): void => {
  const name = entry.name.trim()
  const isValid = entry.amount > 0 && name !== "" && [...name].length <= 200
  if (!isValid) refuse("InvalidEntry")
  const payout = find(state, place)
  const amount = entry.kind === "expense" ? -entry.amount : entry.amount
  const known = entry.id === undefined ? undefined : payout.items.find(({ id }) => id === entry.id)
  if (known?.kind === entry.kind && known.amount === amount && known.name === name) return
  if (isSettled(payout)) refuse("PayoutAlreadyPaid")
  if (known !== undefined) refuse("InvalidEntry")
  closeOrRoll(state, payout)
  payout.items.push({
    id: entry.id,
    kind: entry.kind,
    name,
    createdAt: state.now,
    amount,
    originalAmount: amount,
    originalCurrency: payout.currency,
    rate: null,
    refundedAt: null,
    isOfPair: false,
  })
  setOff(state, payout)
}

export const removeEntry = (state: State, place: number, itemId: string): void => {
  const payout = find(state, place)
  if (isSettled(payout)) refuse("PayoutAlreadyPaid")
  const index = payout.items.findIndex(({ id }) => id === itemId)
  const kind = payout.items[index]?.kind
  const isEntry = kind === "expense" || kind === "income"
  if (!isEntry || payout.items[index]?.isOfPair) refuse("UnknownItem")
  closeOrRoll(state, payout)
  payout.items.splice(index, 1)
  setOff(state, payout)
}

/** Closes what is due; gives the places of what was closed and of what rolled. */
export const closeDue = (state: State) => {
  const done = state.payouts.map((payout) => closeOrRoll(state, payout))
  const places = (what: string) => done.flatMap((each, place) => (each === what ? [place] : []))
  return { closed: places("closed"), rolled: places("rolled") }
}

/** Closes a payout that is due before it is paid or failed. Where that is refused, the closing is taken back with it. */
const closedFirst = (state: State, place: number, change: (payout: ModelPayout) => void): void => {
  const payout = find(state, place)
  const before = { ...payout }
  closeOrRoll(state, payout)
  try {
    change(payout)
  } catch (error) {
    Object.assign(payout, before)
    throw error
  }
}

export const pay = (state: State, place: number): void => {
  closedFirst(state, place, (payout) => {
    if (payout.status !== "pending") refuse("InvalidTransition")
    if ((payout.payableAt ?? 0) > state.now) refuse("PayoutOnHold")
    if (total(payout) < 0) refuse("PayoutTotalNegative")
    payout.status = "paid"
    payout.paidAt = state.now
  })
}

export const fail = (state: State, place: number, reason: string): void => {
  closedFirst(state, place, (payout) => {
    if (payout.status !== "pending") refuse("InvalidTransition")
    payout.status = "failed"
    payout.failureReason = reason
  })
}

export const retry = (state: State, place: number): void => {
  const payout = find(state, place)
  if (payout.status !== "failed") refuse("InvalidTransition")
  payout.status = "pending"
  payout.failureReason = null
}

export const setPaid = (state: State, place: number): void => {
  const payout = find(state, place)
  if (payout.status === "manually paid") return
  payout.status = "manually paid"
  payout.paidAt = payout.paidAt ?? state.now
  payout.failureReason = null
}

export const setTerms = (state: State, id: string, terms: Terms): void => {
  if (state.people[id] === undefined) refuse("NotFound")
  for (const payout of state.payouts) if (payout.collaboratorId === id) closeOrRoll(state, payout)
  state.people[id] = terms
}
