/** What is due, as it would be if it was closed and paid now. */
import * as Effect from "effect/Effect"
import { AmountOutOfRange } from "../../../money/Cents.js"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { SettingsService } from "../../Settings.js"
import { inForce } from "../chosenSettings.js"
import { now, type Transactor } from "../transactions.js"
import { foresee } from "./payoutCycle.js"
import { type ListedPayout, withOwners } from "./payoutViews.js"

/**
 * Why a payout could not be paid now, though it is due or closed.
 *
 * @since 0.6.0
 * @category models
 */
export type WaitingReason = "below threshold" | "held" | "below zero" | "payment under way"

/**
 * A payout that is due or closed, as it would be when everything that is due was closed now.
 *
 * @since 0.6.0
 * @category models
 */
export interface DuePayout {
  /** As it is. */
  readonly payout: StoredPayout
  readonly collaborator: Collaborator
  /** What it would come to, in cents of its currency: shares that are not mature go to the next payout. */
  readonly total: number
  /** Why it would wait; `null`: it could be paid. */
  readonly waits: WaitingReason | null
  /** Until when it would be held, or when it would be due again, in Unix seconds; `null`: it is not that which it waits for. */
  readonly until: number | null
}

/**
 * What is due in an account, and what has been closed and is not paid.
 *
 * @since 0.6.0
 * @category models
 */
export interface DueOutlook {
  /** Unix seconds. */
  readonly at: number
  /** By when they are due, then by id. */
  readonly payouts: ReadonlyArray<DuePayout>
  /** What could be paid, by currency. */
  readonly payable: ReadonlyArray<{
    readonly currency: string
    readonly count: number
    readonly amount: number
  }>
  /** Whether these are all; if not, some of those that are due last are left out. */
  readonly isWhole: boolean
}

interface OutlookTools extends Pick<Transactor, "read"> {
  readonly settings: SettingsService
}

const most = 1_000

const totalOf = (head: Lifecycle.PayoutHead): Effect.Effect<number> =>
  Effect.orDie(Effect.fromResult(Lifecycle.totalOf(head)))

type Foreseen = Pick<DuePayout, "total" | "waits" | "until">

/** Of a payout that is closed, or would be. */
const ofClosed = (
  closed: Pick<StoredPayout, "total" | "payableAt" | "paymentId">,
  at: number,
): Foreseen => {
  const { total, payableAt, paymentId } = closed
  const waits = (reason: WaitingReason | null, until: number | null = null) => ({
    ...{ total, waits: reason, until },
  })
  if (paymentId !== null) return waits("payment under way")
  if (payableAt !== null && payableAt > at) return waits("held", payableAt)
  return waits(total < 0 ? "below zero" : null)
}

const ofDue = Effect.fnUntraced(function* (
  stores: Stores,
  { payout, collaborator }: ListedPayout,
  terms: { readonly timeZone: string; readonly maturityDays: number; readonly at: number },
): Effect.fn.Return<Foreseen, StorageError> {
  const after = yield* foresee(stores, { payout, collaborator, ...terms })
  const own = after.find(({ id }) => id === payout.id)
  if (own === undefined) return ofClosed(payout, terms.at)
  const total = yield* totalOf(own)
  return own.status === "active"
    ? { total, waits: "below threshold", until: own.toBePaidAt }
    : ofClosed({ ...own, total }, terms.at)
})

const sumsOf = (
  payouts: ReadonlyArray<DuePayout>,
): Effect.Effect<DueOutlook["payable"], AmountOutOfRange> =>
  Effect.gen(function* () {
    const sums = new Map<string, { count: number; amount: bigint }>()
    for (const { payout, total, waits } of payouts) {
      if (waits !== null) continue
      const sum = sums.get(payout.currency) ?? { count: 0, amount: 0n }
      sums.set(payout.currency, { count: sum.count + 1, amount: sum.amount + BigInt(total) })
    }
    return yield* Effect.forEach(
      [...sums].sort(([one], [other]) => (one < other ? -1 : 1)),
      ([currency, { count, amount }]) =>
        Number.isSafeInteger(Number(amount))
          ? Effect.succeed({ currency, count, amount: Number(amount) })
          : Effect.fail(AmountOutOfRange.of(`what is payable in ${currency}`, amount)),
    )
  })

const byDate = (one: DuePayout, other: DuePayout): number =>
  one.payout.toBePaidAt - other.payout.toBePaidAt || (one.payout.id < other.payout.id ? -1 : 1)

/** `Payouts.outlook` */
export const outlook = ({
  read,
  settings,
}: OutlookTools): ((
  accountId: string,
) => Effect.Effect<DueOutlook, AmountOutOfRange | StorageError>) =>
  Effect.fn("Payouts.outlook")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const host = yield* settings.of(accountId)
    const at = yield* now
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { timeZone, maturityDays } = yield* inForce(stores, host)
        const due = yield* stores.payouts.due({ at, limit: most })
        const closed = yield* stores.payouts.list({ status: "pending" }, { offset: 0, limit: most })
        const isWhole = due.length < most && closed.total <= most
        const all: Array<DuePayout> = []
        for (const listed of yield* withOwners(stores, due)) {
          all.push({ ...listed, ...(yield* ofDue(stores, listed, { timeZone, maturityDays, at })) })
        }
        for (const listed of yield* withOwners(stores, closed.entries)) {
          all.push({ ...listed, ...ofClosed(listed.payout, at) })
        }
        return { at, payouts: all.sort(byDate), payable: yield* sumsOf(all), isWhole }
      }),
    )
  })
