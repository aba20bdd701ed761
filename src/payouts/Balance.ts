/**
 * What a collaborator is owed, or owes: the sum of all unpaid payouts, by currency.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as Cents from "../money/Cents.js"
import * as exact from "../money/internal/exact.js"
import type { PayoutStatus } from "./PayoutStatus.js"
import { isSettled } from "./PayoutStatus.js"

/**
 * The fields of a payout that a balance needs.
 *
 * @since 0.6.0
 * @category models
 */
export interface BalancedPayout {
  readonly collaboratorId: string
  /** ISO 4217 code. */
  readonly currency: string
  readonly status: PayoutStatus
  /** The sum of its items, in cents of its currency. */
  readonly total: number
  /** The payment under way; `null` or absent: none. */
  readonly paymentId?: string | null | undefined
}

/**
 * The balance of a collaborator in a currency, in cents of it. Each part can be below zero.
 *
 * @since 0.6.0
 * @category models
 */
export interface Balance {
  readonly collaboratorId: string
  /** ISO 4217 code. */
  readonly currency: string
  /** In the active payout. */
  readonly collecting: number
  /** In closed payouts that wait to be paid. */
  readonly pending: number
  /** In payouts with a payment under way. */
  readonly underWay: number
  /** In payouts whose payment failed. */
  readonly failed: number
  /** The sum of these four: what the collaborator is owed, or below zero, owes. */
  readonly total: number
  /** What was paid so far, by any means. Together with `total` it is the sum of all items ever posted. */
  readonly paid: number
}

type BalancePart = "collecting" | "pending" | "underWay" | "failed" | "paid"

const partOf = ({ status, paymentId }: BalancedPayout): BalancePart => {
  if (isSettled(status)) return "paid"
  if (paymentId != null) return "underWay"
  if (status === "active") return "collecting"
  return status === "failed" ? "failed" : "pending"
}

/**
 * Running sums over the payouts of one collaborator in one currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface Sums extends Readonly<Record<BalancePart, bigint>> {}

/**
 * No payouts yet.
 *
 * @since 0.6.0
 * @category constants
 */
export const none: Sums = /* @__PURE__ */ Object.freeze({
  ...{ collecting: 0n, pending: 0n, underWay: 0n, failed: 0n, paid: 0n },
})

/**
 * The sums with one more payout.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Balance } from "apportion"
 *
 * const payout = { collaboratorId: "ada", currency: "USD", status: "failed", total: 500 } as const
 * Balance.add(Balance.none, payout).failed // => 500n
 * ```
 */
export const add = (sums: Sums, payout: BalancedPayout): Sums => {
  const part = partOf(payout)
  return { ...sums, [part]: sums[part] + BigInt(payout.total) }
}

/**
 * The balance of running sums. A sum beyond the safe integers is an error.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Balance } from "apportion"
 * import { Result } from "effect"
 *
 * const owner = { collaboratorId: "ada", currency: "USD" }
 * Result.getOrThrow(Balance.of(owner, Balance.none)).total // => 0
 * ```
 */
export const of = (
  { collaboratorId, currency }: Pick<Balance, "collaboratorId" | "currency">,
  sums: Sums,
): Result.Result<Balance, Cents.AmountOutOfRange> =>
  Result.gen(function* () {
    const { collecting, pending, underWay, failed, paid } = sums
    const what = `the balance of collaborator ${collaboratorId} in ${currency}`
    const exactly = (amount: bigint) => {
      const safe = exact.toSafe(amount)
      return safe === undefined
        ? Result.fail(Cents.AmountOutOfRange.of(what, amount))
        : Result.succeed(safe)
    }
    return {
      ...{ collaboratorId, currency },
      collecting: yield* exactly(collecting),
      pending: yield* exactly(pending),
      underWay: yield* exactly(underWay),
      failed: yield* exactly(failed),
      total: yield* exactly(collecting + pending + underWay + failed),
      paid: yield* exactly(paid),
    }
  })

/** The key of a collaborator's balance in a currency. */
const ownerKey = ({ collaboratorId, currency }: BalancedPayout): string =>
  `${currency.length}:${currency}${collaboratorId}`

const byOwner = (one: Balance, other: Balance): number => {
  if (one.collaboratorId !== other.collaboratorId) {
    return one.collaboratorId < other.collaboratorId ? -1 : 1
  }
  return one.currency < other.currency ? -1 : 1
}

/**
 * The balances of payouts, one for each collaborator and currency: by collaborator, then by currency. They do not
 * depend on the order of the payouts.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Balance } from "apportion"
 * import { Result } from "effect"
 *
 * const ada = { collaboratorId: "ada", currency: "USD" }
 * const balances = Balance.ofPayouts([
 *   { ...ada, status: "active", total: -700 },
 *   { ...ada, status: "pending", total: 500 },
 *   { ...ada, status: "paid", total: 9_000 },
 * ])
 * Result.getOrThrow(balances).map(({ total, paid }) => [total, paid]) // => [[-200, 9000]]
 * ```
 */
export const ofPayouts = (
  payouts: Iterable<BalancedPayout>,
): Result.Result<ReadonlyArray<Balance>, Cents.AmountOutOfRange> => {
  const owners = new Map<string, { readonly owner: BalancedPayout; readonly sums: Sums }>()
  for (const payout of payouts) {
    const key = ownerKey(payout)
    const { owner, sums } = owners.get(key) ?? { owner: payout, sums: none }
    owners.set(key, { owner, sums: add(sums, payout) })
  }
  return Result.map(
    Result.all(Array.from(owners.values(), ({ owner, sums }) => of(owner, sums))),
    (all) => all.sort(byOwner),
  )
}

/**
 * How a change of a payout affected its collaborator's balance.
 *
 * @since 0.6.0
 * @category models
 */
export interface BalanceChange {
  /** Unix seconds. */
  readonly at: number
  /** The payout before; `null`: there was none. */
  readonly before: Pick<BalancedPayout, "status" | "total"> | null
  readonly after: Pick<BalancedPayout, "status" | "total">
}

const open = (payout: BalanceChange["before"]): bigint =>
  payout === null || isSettled(payout.status) ? 0n : BigInt(payout.total)

/**
 * Since when a balance is below zero, in Unix seconds, from all changes of the payouts of a collaborator in a currency,
 * in any order; `null`: it is not. All changes within one second count at its end.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Balance } from "apportion"
 *
 * const charged = { at: 200, before: { status: "active", total: 300 }, after: { status: "active", total: -100 } } as const
 * const opened = { at: 100, before: null, after: { status: "active", total: 300 } } as const
 * Balance.belowZeroSince([charged, opened]) // => 200
 * Balance.belowZeroSince([opened]) // => null
 * ```
 */
export const belowZeroSince = (changes: Iterable<BalanceChange>): number | null => {
  const bySecond = new Map<number, bigint>()
  for (const { at, before, after } of changes) {
    const difference = open(after) - open(before)
    if (difference !== 0n) bySecond.set(at, (bySecond.get(at) ?? 0n) + difference)
  }
  let [balance, since]: [bigint, number | null] = [0n, null]
  for (const [at, difference] of [...bySecond].sort(([one], [other]) => one - other)) {
    balance += difference
    if (balance >= 0n) since = null
    else since ??= at
  }
  return since
}
