/** Things that are done to an account, as data: so that they can be done, and followed in the model. */
import type { Order } from "apportion"
import {
  type Closing,
  Idempotency,
  Payouts,
  type Recording,
  Sales,
  UnitOfWork,
  type ViewedPayout,
} from "apportion/service"
import { Effect } from "effect"
import { orderOf } from "../../service/model/Goods.js"

export interface RecordSale {
  readonly kind: "record"
  readonly orderId: string
  readonly currency: string
  readonly items: ReadonlyArray<string>
  readonly isChanged: boolean
}

export interface RefundItem {
  readonly kind: "refund"
  readonly id: string
  readonly orderId: string
  readonly itemId: string
  readonly amount?: number
  readonly quantity?: number
}

export interface AddEntry {
  readonly kind: "expense" | "income"
  readonly payoutId: string
  readonly id: string
  readonly amount: number
  readonly name: string
}

export interface RemoveEntry {
  readonly kind: "remove"
  readonly payoutId: string
  readonly itemId: string
}

export interface MovePayout {
  readonly kind: "pay" | "fail" | "retry" | "setPaid"
  readonly payoutId: string
}

export interface CloseDue {
  readonly kind: "closeDue"
}

/** A deed that is one call of a service, in one transaction. */
export type Call = RecordSale | RefundItem | AddEntry | RemoveEntry | MovePayout

/** Calls under an idempotency key, of which all have an effect or none. */
export interface Keyed {
  readonly kind: "keyed"
  readonly key: string
  readonly calls: ReadonlyArray<Call>
}

/** Several calls of which all have an effect or none. */
export interface Unit {
  readonly kind: "unit"
  readonly calls: ReadonlyArray<Call>
}

export type Deed = Call | CloseDue | Keyed | Unit

/** What a call is answered with when it succeeds, as far as the model follows it. */
export type Answer =
  | { readonly newItemIds: ReadonlyArray<string> }
  | { readonly refund: string }
  | { readonly status: string; readonly total: number; readonly items: ReadonlyArray<string> }

/** How a deed is answered: what each of its calls came to, or what was closed. */
export type Answers = ReadonlyArray<Answer> | Closing

export type DeedServices = Sales | Payouts | Idempotency | UnitOfWork

type Failure = { readonly _tag: string }

const recordingOf = ({ newItemIds }: Recording): Answer => ({ newItemIds })

const viewOf = ({ payout: { status, items }, total }: ViewedPayout): Answer => ({
  status,
  total,
  items: items.map(({ id }) => id),
})

const orderFor = ({ orderId, currency, items, isChanged }: RecordSale): Order.Order =>
  orderOf(orderId, currency, items, { isChanged }).order

const entryOf = ({ id, amount, name }: AddEntry) => ({ id, amount, name })

const onPayout = (accountId: string, deed: AddEntry | RemoveEntry | MovePayout) =>
  Effect.flatMap(Payouts, (payouts): Effect.Effect<ViewedPayout, Failure> => {
    switch (deed.kind) {
      case "expense":
        return payouts.addExpense(accountId, deed.payoutId, entryOf(deed))
      case "income":
        return payouts.addIncome(accountId, deed.payoutId, entryOf(deed))
      case "remove":
        return payouts.removeEntry(accountId, deed.payoutId, deed.itemId)
      case "fail":
        return payouts.fail(accountId, deed.payoutId, "no account")
      default:
        return payouts[deed.kind](accountId, deed.payoutId)
    }
  })

/** Does a call. */
export const call = (
  accountId: string,
  deed: Call,
): Effect.Effect<Answer, Failure, Sales | Payouts> => {
  if (deed.kind === "record") {
    const recorded = Effect.flatMap(Sales, (sales) => sales.record(accountId, orderFor(deed)))
    return Effect.map(recorded, recordingOf)
  }
  if (deed.kind === "refund") {
    const { kind: _kind, ...request } = deed
    const recorded = Effect.flatMap(Sales, (sales) => sales.refund(accountId, request))
    return Effect.map(recorded, ({ id }) => ({ refund: id }))
  }
  return Effect.map(onPayout(accountId, deed), viewOf)
}

const callAll = (accountId: string, calls: ReadonlyArray<Call>) =>
  Effect.forEach(calls, (each) => call(accountId, each))

/** Does a deed. */
export const perform = (
  accountId: string,
  deed: Deed,
): Effect.Effect<Answers, Failure, DeedServices> => {
  switch (deed.kind) {
    case "closeDue":
      return Effect.flatMap(Payouts, (payouts) => payouts.closeDue(accountId))
    case "keyed": {
      const keyed = { key: deed.key, request: JSON.stringify(deed.calls) }
      return Effect.flatMap(Idempotency, (idempotency) =>
        idempotency.once(accountId, keyed, callAll(accountId, deed.calls)),
      )
    }
    case "unit":
      return Effect.flatMap(UnitOfWork, (unit) =>
        unit.run(accountId, callAll(accountId, deed.calls)),
      )
    default:
      return Effect.map(call(accountId, deed), (answer) => [answer])
  }
}
