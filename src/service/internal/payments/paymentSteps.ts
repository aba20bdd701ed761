/** What happens to a payment, stored together with its effect on the payout, in the transaction under way. */
import * as Effect from "effect/Effect"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import * as Payment from "../../../payouts/Payment.js"
import * as PaymentTerms from "../../../payouts/PaymentTerms.js"
import * as Payout from "../../../payouts/Payout.js"
import * as PayoutItem from "../../../payouts/PayoutItem.js"
import type * as PayoutStatus from "../../../payouts/PayoutStatus.js"
import type { PaymentRail } from "../../../ports/PaymentRail.js"
import type { StoredPayment } from "../../../ports/PaymentStore.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { NotFound } from "../../ServiceError.js"
import type { SettingsService } from "../../Settings.js"
import { inForce } from "../chosenSettings.js"
import { ownerOf, unusedId } from "../lookups.js"
import { addItems, openOrActive } from "../payouts/payoutCycle.js"
import { die, emit } from "../transactions.js"
import { entryData, tellMove, tellPayment } from "./paymentEvents.js"

/** What a step needs to know beside the stores. */
export interface PaymentTools {
  readonly accountId: string
  readonly settings: SettingsService
  readonly newId: Effect.Effect<string>
}

/** The payment with an id; fails when there is none. */
export const needPayment = (
  stores: Stores,
  paymentId: string,
): Effect.Effect<StoredPayment, NotFound | StorageError> =>
  Effect.flatMap(stores.payments.get(paymentId), (payment) =>
    payment === undefined
      ? Effect.fail(NotFound.of("payment", paymentId))
      : Effect.succeed(payment),
  )

/** The payout of a payment; a missing one is a defect. */
const payoutOf = (
  stores: Stores,
  { id, payoutId }: Payment.Payment,
): Effect.Effect<StoredPayout, StorageError> =>
  Effect.flatMap(stores.payouts.get(payoutId), (payout) =>
    payout === undefined
      ? die(`payment ${id} is of payout ${payoutId}, which is not there`)
      : Effect.succeed(payout),
  )

/** The active payout of a payout's owner, in its currency. Dates were checked when they were set. */
export const activeBeside = Effect.fnUntraced(function* (
  stores: Stores,
  { accountId, settings, newId }: PaymentTools,
  { payout, at }: { readonly payout: StoredPayout; readonly at: number },
): Effect.fn.Return<StoredPayout, StorageError> {
  const collaborator = yield* ownerOf(stores, payout)
  const { timeZone, maturityDays } = yield* inForce(stores, yield* settings.of(accountId))
  const { currency } = payout
  const passing = { collaborator, at, timeZone, maturityDays, newId }
  return yield* openOrActive(stores, { ...passing, currency }).pipe(
    Effect.catchTags({ UnknownTimeZone: Effect.die, InvalidTime: Effect.die }),
  )
})

/** An expense or income that the service itself books. */
interface OwnEntry {
  readonly kind: "expense" | "income"
  readonly id: string
  /** Cents above 0. */
  readonly amount: number
  readonly name: string
  readonly about: PayoutItem.AboutPayout
  readonly at: number
}

/** An entry with an id that is new in the payout. */
const entryFor = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
  { kind, about, ...input }: OwnEntry,
): Effect.fn.Return<PayoutItem.Entry, StorageError> {
  const id = yield* unusedId(stores, payout.id, input.id)
  const make = kind === "expense" ? PayoutItem.expense : PayoutItem.income
  const item = yield* Effect.orDie(Effect.fromResult(make({ ...input, id }, payout)))
  return { ...item, about }
})

const kinds = { expense: "expense.added", income: "income.added" } as const

const book = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
  entry: OwnEntry,
): Effect.fn.Return<void, AmountOutOfRange | StorageError> {
  const item = yield* entryFor(stores, payout, entry)
  yield* addItems(stores, payout, [item])
  yield* emit({ type: kinds[entry.kind], data: entryData(payout, item) })
})

// Claiming a payout.

/** A claim of a payout. */
interface Claim {
  readonly payout: StoredPayout
  readonly rail: PaymentRail
  readonly paymentId: string
  readonly at: number
}

/** Moves the amount that a rail can't pay to the active payout; returns the entry that lowers the claimed one. */
const carry = Effect.fnUntraced(function* (
  stores: Stores,
  tools: PaymentTools,
  { payout, rail, paymentId, at }: Claim,
  rest: number,
): Effect.fn.Return<PayoutItem.Entry, AmountOutOfRange | StorageError> {
  const active = yield* activeBeside(stores, tools, { payout, at })
  const facts = { id: `rest/${paymentId}`, amount: rest, at }
  const about = (payoutId: string) => ({ payoutId, why: "rest" }) as const
  const name = `Too little for a step of rail ${rail.name}`
  const income = { ...facts, kind: "income", name, about: about(payout.id) } as const
  yield* book(stores, active, income)
  const expense = { ...facts, kind: "expense", name, about: about(active.id) } as const
  const counterpart = yield* entryFor(stores, payout, expense)
  yield* emit({ type: "expense.added", data: entryData(payout, counterpart) })
  return counterpart
})

/** Claims a payout for a rail: from then on it is frozen, and its total is the amount of the payment. */
export const claimPayout = Effect.fnUntraced(function* (
  stores: Stores,
  tools: PaymentTools,
  claim: Claim,
): Effect.fn.Return<StoredPayment, PaymentTerms.ClaimError | AmountOutOfRange | StorageError> {
  const { payout, rail, paymentId, at } = claim
  const claimed = PaymentTerms.claim(payout, { rail, paymentId, at })
  const { payment, rest } = yield* Effect.fromResult(claimed)
  const put = rest === 0 ? [] : [yield* carry(stores, tools, claim, rest)]
  const itemsCount = payout.itemsCount + put.length
  const frozen = { ...payout, total: payment.amount, itemsCount, paymentId }
  yield* stores.payouts.update({ payout: frozen, put })
  const stored = yield* stores.payments.insert(payment)
  yield* tellPayment("claim", stored)
  return stored
})

// What happens to a payment that was claimed.

const payoutEventOf = (
  payout: StoredPayout,
  event: Payment.Event,
): Exclude<PayoutStatus.Event, { type: "close" }> | undefined => {
  switch (event.type) {
    case "confirm":
      // It was claimed when its holding days were over, whatever the rail's clock shows.
      return { type: "pay", at: Math.max(event.at, payout.payableAt ?? event.at) }
    case "reject":
      return { type: "fail", at: event.at, reason: event.reason }
    case "return":
      return { type: "return", at: event.at, reason: event.reason }
    default:
      return undefined
  }
}

/** A payout that is set as paid by hand after its payment was made stays so when that comes back. */
const isBeyond = ({ status }: StoredPayout, { type }: Payment.Event): boolean =>
  type === "return" && status !== "paid"

/** Moves the payout as its payment requires. */
const followPayout = Effect.fnUntraced(function* (
  stores: Stores,
  payment: StoredPayment,
  event: Payment.Event,
): Effect.fn.Return<StoredPayout, StorageError> {
  const payout = yield* payoutOf(stores, payment)
  const isEnding = Payment.isOpen(payment.status) === false
  if (!isEnding || isBeyond(payout, event)) return payout
  if (event.type !== "return" && payout.paymentId !== payment.id) {
    return yield* die(`payout ${payout.id} is not frozen for payment ${payment.id}`)
  }
  if (event.type === "confirm" && payout.total !== payment.amount) {
    return yield* die(
      `payout ${payout.id} comes to ${payout.total}, and ${payment.amount} of it was paid`,
    )
  }
  const payoutEvent = payoutEventOf(payout, event)
  const moved = payoutEvent && Payout.move(payout, payoutEvent)
  // Everything that could be in the way was checked at the claim, and nothing has changed since.
  const next = moved === undefined ? payout : yield* Effect.orDie(Effect.fromResult(moved))
  const stored = yield* stores.payouts.update({ payout: { ...next, paymentId: null } })
  if (payoutEvent !== undefined) yield* tellMove(payoutEvent.type, stored)
  return stored
})

/** The rail's fee, as an expense in the next payout, where collaborators bear fees. */
const chargeFee = Effect.fnUntraced(function* (
  stores: Stores,
  tools: PaymentTools,
  payment: StoredPayment,
  { payout, at }: { readonly payout: StoredPayout; readonly at: number },
): Effect.fn.Return<void, AmountOutOfRange | StorageError> {
  const { paymentFees } = yield* tools.settings.of(tools.accountId)
  const { fee } = payment
  if (paymentFees !== "collaborator" || fee === null || fee === 0) return
  const active = yield* activeBeside(stores, tools, { payout, at })
  const about = { payoutId: payout.id, why: "fee" } as const
  const name = `Fee of rail ${payment.rail}`
  const entry = { kind: "expense", id: `fee/${payment.id}`, amount: fee, name, about, at } as const
  yield* book(stores, active, entry)
})

/** Why something could not happen to a payment. */
export type StepError =
  | Payment.InvalidPaymentTransition
  | Payment.PaymentContradicted
  | AmountOutOfRange
  | StorageError

/**
 * Stores what happened to a payment, with its payout, at the time of the service. A known event is not stored again.
 */
export const takeEvent = Effect.fnUntraced(function* (
  stores: Stores,
  tools: PaymentTools,
  payment: StoredPayment,
  { event, at }: { readonly event: Payment.Event; readonly at: number },
): Effect.fn.Return<StoredPayment, StepError> {
  const next = yield* Effect.fromResult(Payment.transition(payment, event))
  if (next === payment) return payment
  const stored = yield* stores.payments.update({ ...next, version: payment.version })
  yield* tellPayment(event.type, stored)
  const payout = yield* followPayout(stores, stored, event)
  if (event.type === "confirm") yield* chargeFee(stores, tools, stored, { payout, at })
  return stored
})

/** Notes an answer that contradicts what is known. */
export const noteContradiction = Effect.fnUntraced(function* (
  stores: Stores,
  payment: StoredPayment,
  contradiction: Payment.Contradiction,
): Effect.fn.Return<void, StorageError> {
  const next = Payment.contradict(payment, contradiction)
  if (next === payment) return
  const stored = yield* stores.payments.update({ ...next, version: payment.version })
  yield* tellPayment("contradict", stored)
})

/**
 * Ends the claim of a payout that is moved by hand, and returns the payout as it is then; refused while money may be
 * moving.
 */
export const endClaim = Effect.fnUntraced(function* (
  stores: Stores,
  tools: PaymentTools,
  { payout, at }: { readonly payout: StoredPayout; readonly at: number },
): Effect.fn.Return<StoredPayout, Payment.PaymentUnderWay | StepError> {
  const { id, paymentId } = payout
  if (paymentId === null) return payout
  const payment = yield* stores.payments.get(paymentId)
  if (payment === undefined) return yield* die(`payout ${id} lacks payment ${paymentId}`)
  if (payment.status !== "claimed")
    return yield* Effect.fail(Payment.PaymentUnderWay.of(id, paymentId))
  const event = { type: "release", at, reason: "the payout was moved by hand" } as const
  yield* takeEvent(stores, tools, payment, { event, at })
  return yield* payoutOf(stores, payment)
})

/** The rail name of payments that hosts make themselves. */
const outsideRail = "outside"

/**
 * Notes a payment that a host made itself as made at once; a payout of nothing needs none.
 */
export const noteOutside = Effect.fnUntraced(function* (
  stores: Stores,
  tools: PaymentTools,
  {
    payout,
    paid,
    at,
  }: {
    readonly payout: StoredPayout
    readonly paid: { readonly reference?: string | undefined; readonly fee?: number | undefined }
    readonly at: number
  },
): Effect.fn.Return<void, AmountOutOfRange | StorageError> {
  const { id: payoutId, collaboratorId, currency, total: amount, version } = payout
  if (amount === 0) return
  const facts = { payoutId, collaboratorId, currency, amount, payoutVersion: version - 1 }
  const id = yield* tools.newId
  const claimed = Payment.claim({ ...facts, id, rail: outsideRail, at })
  const { reference = null, fee = null } = paid
  const times = { sentAt: at, endedAt: at }
  const made = { ...claimed, ...times, status: "confirmed", reference, fee } as const
  const payment = yield* stores.payments.insert(made)
  yield* tellPayment("confirm", payment)
  yield* chargeFee(stores, tools, payment, { payout, at })
})
