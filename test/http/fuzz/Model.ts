/** What the accounts must hold, as far as the answers so far have said. */
import { isRecord } from "./Shapes.js"
import type { Account } from "./World.js"

export interface KnownPayout {
  readonly status: string
  /** Exact, in whatever order acknowledged entries are added up. */
  readonly total: bigint
  readonly count: number
  /** The whole view, once nothing about it may change any more. */
  readonly settled: string | undefined
}

export interface KnownGroup {
  readonly collaborator: string
  /** What all views of it must say. */
  readonly said: string
}

export interface KnownKey {
  readonly print: string
  readonly status: number
  readonly text: string
  /** Whether the answer is what is found then, not what was found first. */
  readonly isLive?: boolean
}

export interface KnownPayment {
  readonly payout: string
  readonly status: string
  readonly amount: number
  /** What never changes about it. */
  readonly said: string
}

export interface AccountModel {
  readonly account: Account
  readonly payouts: Map<string, KnownPayout>
  readonly groups: Map<string, KnownGroup>
  readonly keys: Map<string, KnownKey>
  readonly payments: Map<string, KnownPayment>
  /** The ids of everything else that was made, by what it is. */
  readonly others: Map<string, Set<string>>
}

export const makeModel = (account: Account): AccountModel => ({
  account,
  payouts: new Map(),
  groups: new Map(),
  keys: new Map(),
  payments: new Map(),
  others: new Map(),
})

/** The body of an answer, with nothing assumed about it. */
export type Json = Readonly<Record<string, unknown>>

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const recordIn = (value: unknown, name: string): Json => {
  const found = isRecord(value) ? value[name] : undefined
  return isRecord(found) ? found : {}
}

export const listIn = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const found = isRecord(value) ? value[name] : undefined
  return Array.isArray(found) ? found : []
}

const asNumber = (percent: unknown): unknown => (percent === null ? null : Number(percent))

/** A group as every kind of answer says it, without its products. */
export const saidOf = (group: unknown): string => {
  if (!isRecord(group)) return "nothing"
  const { products: _, products_count: __, percent, shipping_percent, ...rest } = group
  return JSON.stringify({
    ...rest,
    percent: asNumber(percent),
    shipping_percent: asNumber(shipping_percent),
  })
}

const isSettledStatus = (status: unknown): boolean =>
  status === "paid" || status === "manually paid"

/** A safe whole number exactly; anything else counts as nothing. */
export const bigIntOf = (value: unknown): bigint =>
  typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : 0n

export const payoutOf = (view: Json): KnownPayout => ({
  status: String(view.status),
  total: bigIntOf(view.total),
  count: listIn(view, "items").length,
  settled: isSettledStatus(view.status) ? JSON.stringify(view) : undefined,
})

/** The same for bodies that say the same. */
export const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isRecord(value)) return value
  const names = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1))
  return Object.fromEntries(names.map((name) => [name, canonical(value[name])]))
}

export const paymentOf = (payment: Json): KnownPayment => ({
  payout: String(payment.payout_id),
  status: String(payment.status),
  amount: Number(payment.amount),
  said: JSON.stringify([
    ...[payment.id, payment.payout_id, payment.collaborator_id, payment.currency],
    ...[payment.amount, payment.payout_version, payment.rail, payment.claimed_at],
  ]),
})

const isOpen = (status: string): boolean => ["claimed", "sent", "unknown"].includes(status)

/** The open payment of a payout, whose items do not change as long as it is there. */
export const openPayment = (
  { payments }: Pick<AccountModel, "payments">,
  payoutId: string,
): KnownPayment | undefined =>
  [...payments.values()].find(({ payout, status }) => payout === payoutId && isOpen(status))
