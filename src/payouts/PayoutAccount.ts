/**
 * The payouts of one collaborator in one currency as time goes on: which one collects, which wait to be
 * paid, when each is closed and paid. It needs no items, only the total of each payout, so whoever keeps
 * millions of items elsewhere can run it; a payout book does so too.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import type { Collaborator } from "./Collaborator.js"
import * as lifeCycle from "./internal/lifeCycle.js"
import * as Payout from "./Payout.js"
import type * as PayoutStatus from "./PayoutStatus.js"
import * as Schedule from "./Schedule.js"

/**
 * All payouts of one collaborator in one currency, by their ids.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayoutAccount {
  readonly collaboratorId: string
  /** ISO 4217 code. */
  readonly currency: string
  /** When its first payout was opened, in Unix seconds: due dates are counted from there. */
  readonly firstOpenedAt: number | null
  /** How many payouts were opened. */
  readonly opened: number
  readonly activeId: string | null
  readonly pendingIds: ReadonlyArray<string>
  /** Up to when its payouts were closed and paid, in Unix seconds. */
  readonly advancedTo: number
}

/**
 * A payout without its items.
 *
 * @since 0.6.0
 * @category models
 */
export interface Counted extends lifeCycle.Counted {
  readonly head: Omit<Payout.Payout, "items">
}

/**
 * An account after something happened, and those of its payouts that are not as before.
 *
 * @since 0.6.0
 * @category models
 */
export interface Moved<P extends Counted> {
  readonly account: PayoutAccount
  readonly changed: ReadonlyArray<P>
}

/**
 * Under which terms, and in which zone, dates are computed.
 *
 * @since 0.6.0
 * @category models
 */
export interface Terms {
  readonly collaborator: Pick<
    Collaborator,
    | "payoutMeasurement"
    | "payoutFrequency"
    | "payoutThreshold"
    | "payoutHoldingDays"
    | "shouldPayAutomatically"
  >
  /** An IANA name. */
  readonly timeZone: string
}

/**
 * An account without payouts.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PayoutAccount } from "apportion"
 *
 * PayoutAccount.empty({ collaboratorId: "ada", currency: "USD" }).opened // => 0
 * ```
 */
export const empty = (owner: {
  readonly collaboratorId: string
  readonly currency: string
}): PayoutAccount => ({
  collaboratorId: owner.collaboratorId,
  currency: owner.currency,
  firstOpenedAt: null,
  opened: 0,
  activeId: null,
  pendingIds: [],
  advancedTo: Number.NEGATIVE_INFINITY,
})

/**
 * The name of a payout for those who give none of their own.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutAccount } from "apportion"
 *
 * PayoutAccount.payoutId({ collaboratorId: "ada", currency: "USD", number: 3 }) // => "ada-USD-3"
 * ```
 */
export const payoutId = (payout: {
  readonly collaboratorId: string
  readonly currency: string
  /** Counted from 1 for each account. */
  readonly number: number
}): string => `${payout.collaboratorId}-${payout.currency}-${payout.number}`

const nextDueDate = (
  { firstOpenedAt }: PayoutAccount,
  { collaborator, timeZone }: Terms,
  after: number,
): Result.Result<number, Schedule.ScheduleError> =>
  Schedule.nextDueDate(collaborator, { openedAt: firstOpenedAt ?? after, after, timeZone })

/**
 * Opens the next payout of an account that has no active one.
 *
 * @param options.id - names the payout
 * @param options.at - Unix seconds
 * @returns the account, and the payout without items
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Collaborator, PayoutAccount } from "apportion"
 * import { Result } from "effect"
 *
 * const collaborator = Collaborator.make({ id: "ada", currency: "USD" })
 * const opened = PayoutAccount.open(
 *   PayoutAccount.empty({ collaboratorId: "ada", currency: "USD" }),
 *   { id: "ada-USD-1", at: Date.UTC(2025, 0, 3) / 1000, collaborator, timeZone: "UTC" },
 * )
 * const { account, payout } = Result.getOrThrow(opened)
 * account.activeId // => "ada-USD-1"
 * new Date(payout.toBePaidAt * 1000).toISOString() // => "2025-02-03T00:00:00.000Z"
 * ```
 */
export const open = (
  account: PayoutAccount,
  { id, at, ...terms }: Terms & { readonly id: string; readonly at: number },
): Result.Result<
  { readonly account: PayoutAccount; readonly payout: Counted["head"] },
  Schedule.ScheduleError
> =>
  Result.map(nextDueDate(account, terms, at), (toBePaidAt) => {
    const { collaboratorId, currency } = account
    const facts = { id, collaboratorId, currency, openedAt: at, toBePaidAt }
    const { items: _none, ...payout } = Payout.open(facts)
    const firstOpenedAt = account.firstOpenedAt ?? at
    const opened = account.opened + 1
    return { account: { ...account, firstOpenedAt, opened, activeId: id }, payout }
  })

/** What is asked of an account: up to when, and how its payouts are found. */
interface Advance<P extends Counted> extends Terms {
  /** Unix seconds. */
  readonly to: number
  readonly find: (payoutId: string) => P
}

type Advanced<P extends Counted> = Result.Result<Moved<P>, PayoutStatus.TransitionError>

/**
 * Closes the active payout when its due date has come. A total too small for the due date is too small
 * for all later ones up to `to`, because nothing happened in between: the date rolls beyond them at once.
 */
const closeDue = <P extends Counted>(
  account: PayoutAccount,
  { to, find, ...terms }: Advance<P>,
): Advanced<P> =>
  Result.gen(function* () {
    const active = account.activeId === null ? undefined : find(account.activeId)
    if (active === undefined || active.head.toBePaidAt > to) return { account, changed: [] }
    const { collaborator, timeZone } = terms
    if (!lifeCycle.isPayable(active.total, collaborator.payoutThreshold)) {
      const toBePaidAt = yield* nextDueDate(account, terms, to)
      return { account, changed: [{ ...active, head: { ...active.head, toBePaidAt } }] }
    }
    const at = active.head.toBePaidAt
    const event = { type: "close", at, terms: collaborator, timeZone } as const
    const closed = yield* lifeCycle.moveCounted(active, event)
    const pendingIds = [...account.pendingIds, active.head.id]
    return { account: { ...account, activeId: null, pendingIds }, changed: [closed] }
  })

/** Pays what is past its holding days; a total below 0 waits until something raises it. */
const payHeld = <P extends Counted>(
  account: PayoutAccount,
  { to, find, collaborator }: Advance<P>,
): Advanced<P> =>
  Result.gen(function* () {
    if (!collaborator.shouldPayAutomatically) return { account, changed: [] }
    const changed: Array<P> = []
    const pendingIds: Array<string> = []
    for (const id of account.pendingIds) {
      const payout = find(id)
      const { payableAt } = payout.head
      if (payableAt === null || payableAt > to || payout.total < 0n) {
        pendingIds.push(id)
        continue
      }
      // Had nothing stood in the way earlier, it would have been paid earlier.
      const at = Math.max(payableAt, account.advancedTo)
      changed.push(yield* lifeCycle.moveCounted(payout, { type: "pay", at }))
    }
    return { account: { ...account, pendingIds }, changed }
  })

const isIdle = (account: PayoutAccount, { to, find }: Advance<Counted>): boolean =>
  account.pendingIds.length === 0 &&
  (account.activeId === null || find(account.activeId).head.toBePaidAt > to)

/**
 * Brings an account up to a time: closes what is due by then, or rolls its due date when its total is not
 * above 0 or below the threshold, and pays what is past its holding days where the collaborator is paid
 * automatically.
 *
 * @param options.to - Unix seconds; not before what happened last
 * @param options.find - gives the payouts of the account that are active or pending, by their ids
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Collaborator, PayoutAccount } from "apportion"
 * import { Result } from "effect"
 *
 * const terms = { collaborator: Collaborator.make({ id: "ada", currency: "USD" }), timeZone: "UTC" }
 * const day = (month: number, date: number) => Date.UTC(2025, month - 1, date) / 1000
 * const march = Result.gen(function* () {
 *   const empty = PayoutAccount.empty({ collaboratorId: "ada", currency: "USD" })
 *   const { account, payout } = yield* PayoutAccount.open(empty, { ...terms, id: "p1", at: day(1, 3) })
 *   const find = () => ({ head: payout, total: 2_500n })
 *   return yield* PayoutAccount.advance(account, { ...terms, to: day(3, 1), find })
 * })
 * const { account, changed } = Result.getOrThrow(march)
 * changed.map(({ head }) => head.status) // => ["paid"]
 * account.activeId // => null
 * ```
 */
export const advance = <P extends Counted>(
  account: PayoutAccount,
  options: Advance<P>,
): Result.Result<Moved<P>, PayoutStatus.TransitionError> => {
  const { to } = options
  if (isIdle(account, options)) {
    return Result.succeed({ account: { ...account, advancedTo: to }, changed: [] })
  }
  return Result.gen(function* () {
    const closing = yield* closeDue(account, options)
    const closed = new Map(closing.changed.map((payout) => [payout.head.id, payout]))
    const find = (id: string) => closed.get(id) ?? options.find(id)
    const paying = yield* payHeld(closing.account, { ...options, find })
    for (const payout of paying.changed) closed.set(payout.head.id, payout)
    return { account: { ...paying.account, advancedTo: to }, changed: [...closed.values()] }
  })
}
