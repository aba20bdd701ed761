/**
 * A payout: what one collaborator is paid at one time, with its items, its total, and its status from open to settled.
 *
 * Nothing here reads a clock: every time is an argument, in Unix seconds.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import {
  choice,
  id,
  listOf,
  nested,
  nullable,
  objectOf,
  read,
  type Shape,
  text,
} from "../internal/fields.js"
import { TaggedError } from "../internal/TaggedError.js"
import * as Cents from "../money/Cents.js"
import { cents } from "../money/internal/amounts.js"
import { type Unreadable, unreadable } from "../Unreadable.js"
import * as payoutRules from "./internal/payoutRules.js"
import * as PayoutItem from "./PayoutItem.js"
import * as PayoutStatus from "./PayoutStatus.js"

/**
 * A payout.
 *
 * @since 0.1.0
 * @category models
 */
export interface Payout extends PayoutStatus.Standing {
  readonly collaboratorId: string
  readonly items: ReadonlyArray<PayoutItem.PayoutItem>
}

const time = /* @__PURE__ */ nullable(cents)

const shape: Shape<Payout> = {
  id,
  collaboratorId: id,
  currency: id,
  status: /* @__PURE__ */ choice(PayoutStatus.statuses),
  openedAt: cents,
  toBePaidAt: cents,
  closedAt: time,
  payableAt: time,
  paidAt: time,
  failureReason: /* @__PURE__ */ nullable(text),
  items: /* @__PURE__ */ listOf(/* @__PURE__ */ nested(PayoutItem.parse)),
}

/**
 * Reads a payout: every field of it and its items has to be present and valid. All problems are reported at once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * Result.isSuccess(Payout.parse(payout)) // => true
 * Result.isFailure(Payout.parse({ ...payout, status: "lost" })) // => true
 * ```
 */
export const parse = (input: unknown): Result.Result<Payout, Unreadable> =>
  Result.mapError(read(input, objectOf(shape)), (problems) => unreadable("payout", problems))

/**
 * A change to the items of a payout that is paid.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayoutAlreadyPaid extends TaggedError("PayoutAlreadyPaid")<{
  readonly payoutId: string
  readonly status: PayoutStatus.PayoutStatus
  readonly message: string
}> {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of({ id, status }: Pick<Payout, "id" | "status">): PayoutAlreadyPaid {
    const message = "Payout has already been paid"
    return new PayoutAlreadyPaid({ payoutId: id, status, message })
  }
}

/**
 * An item with an id that the payout already has.
 *
 * @since 0.1.0
 * @category errors
 */
export class DuplicateItem extends TaggedError("DuplicateItem")<{
  readonly payoutId: string
  readonly itemId: string
  readonly message: string
}> {}

/**
 * An item that the payout does not have, or that can't be removed because it comes from a sale.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownItem extends TaggedError("UnknownItem")<{
  readonly payoutId: string
  readonly itemId: string
  readonly message: string
}> {}

/**
 * Opens a payout. It is active and has no items yet.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Payout } from "apportion"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * payout.status // => "active"
 * ```
 */
export const open = (
  facts: Pick<Payout, "id" | "collaboratorId" | "currency" | "openedAt" | "toBePaidAt">,
): Payout => ({
  ...facts,
  status: "active",
  closedAt: null,
  payableAt: null,
  paidAt: null,
  failureReason: null,
  items: [],
})

/**
 * Whether a payout is paid, either way; after that nothing about it changes, unless the payment comes back.
 *
 * @since 0.1.0
 * @category guards
 * @example
 * ```ts
 * import { Payout } from "apportion"
 *
 * Payout.isSettled({ status: "pending" }) // => false
 * ```
 */
export const isSettled = (payout: Pick<Payout, "status">): boolean =>
  PayoutStatus.isSettled(payout.status)

/**
 * The sum of the items, in cents of the payout's currency; expenses count as negative. It is exact and does not depend
 * on the order of the items.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const entry = { id: "i1", amount: 5_000, name: "Bonus", at: 1_700_000_000 }
 * const total = Result.flatMap(Payout.addIncome(payout, entry), Payout.total)
 * Result.getOrThrow(total) // => 5000
 * ```
 */
export const total = (
  payout: Pick<Payout, "id" | "items">,
): Result.Result<number, Cents.AmountOutOfRange> =>
  Cents.sum(
    payout.items.map(({ amount }) => amount),
    { what: `the total of payout ${payout.id}` },
  )

const requireUnsettled = (payout: Payout): Result.Result<Payout, PayoutAlreadyPaid> =>
  isSettled(payout) ? Result.fail(PayoutAlreadyPaid.of(payout)) : Result.succeed(payout)

/**
 * Adds items. Refused when the payout is paid, or already has an item with the same id.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout, PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const bonus = { id: "i1", amount: 5_000, name: "Bonus", at: 1_700_000_000 }
 * const item = Result.getOrThrow(PayoutItem.income(bonus, payout))
 * Result.getOrThrow(Payout.addItems(payout, [item])).items.length // => 1
 * ```
 */
export const addItems = (
  payout: Payout,
  items: ReadonlyArray<PayoutItem.PayoutItem>,
): Result.Result<Payout, PayoutAlreadyPaid | DuplicateItem> =>
  Result.flatMap(requireUnsettled(payout), () => {
    const ids = new Set(payout.items.map(({ id }) => id))
    for (const { id } of items) {
      if (ids.has(id)) {
        const message = `payout ${payout.id} has an item ${id} already`
        return Result.fail(new DuplicateItem({ payoutId: payout.id, itemId: id, message }))
      }
      ids.add(id)
    }
    return Result.succeed({ ...payout, items: [...payout.items, ...items] })
  })

/**
 * Adds an expense, which lowers the total. Refused when the payout is paid.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const entry = { id: "e1", amount: 1_500, name: "Samples", at: 1_700_000_000 }
 * const total = Result.flatMap(Payout.addExpense(payout, entry), Payout.total)
 * Result.getOrThrow(total) // => -1500
 * ```
 */
export const addExpense = (
  payout: Payout,
  input: PayoutItem.EntryInput,
): Result.Result<Payout, PayoutAlreadyPaid | DuplicateItem | PayoutItem.InvalidEntry> =>
  Result.gen(function* () {
    yield* requireUnsettled(payout)
    return yield* addItems(payout, [yield* PayoutItem.expense(input, payout)])
  })

/**
 * Adds extra income. Refused when the payout is paid.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const paid = Payout.transition(payout, { type: "set-paid", at: 1_700_000_000 })
 * const entry = { id: "i1", amount: 5_000, name: "Bonus", at: 1_700_000_000 }
 * const refused = Result.flatMap(paid, (settled) => Payout.addIncome(settled, entry))
 * Result.getOrThrow(Result.flip(refused)).message // => "Payout has already been paid"
 * ```
 */
export const addIncome = (
  payout: Payout,
  input: PayoutItem.EntryInput,
): Result.Result<Payout, PayoutAlreadyPaid | DuplicateItem | PayoutItem.InvalidEntry> =>
  Result.gen(function* () {
    yield* requireUnsettled(payout)
    return yield* addItems(payout, [yield* PayoutItem.income(input, payout)])
  })

/**
 * Removes an expense or income from a payout that is not paid. Items of sales can't be removed: only a refund reverses
 * them. Nor can an entry whose counterpart is in another payout.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const entry = { id: "e1", amount: 1_500, name: "Samples", at: 1_700_000_000 }
 * const without = Result.flatMap(Payout.addExpense(payout, entry), (charged) =>
 *   Payout.removeItem(charged, "e1"),
 * )
 * Result.getOrThrow(without).items // => []
 * ```
 */
export const removeItem = (
  payout: Payout,
  itemId: string,
): Result.Result<Payout, PayoutAlreadyPaid | UnknownItem> =>
  Result.flatMap(requireUnsettled(payout), () => {
    const item = payout.items.find(({ id }) => id === itemId)
    const isEntry = item?.kind === "expense" || item?.kind === "income"
    const isOfPair = item?.about?.why === "rest" || item?.about?.why === "debt"
    const isAgreed = isEntry && item.agreement !== undefined
    if (isEntry && !isOfPair && !isAgreed) {
      return Result.succeed({ ...payout, items: payout.items.filter(({ id }) => id !== itemId) })
    }
    const counterpart = isAgreed ? "an agreement booked it" : "another payout has its counterpart"
    const whence = isEntry ? counterpart : "it comes from a sale"
    const why = item === undefined ? "there is none" : whence
    const message = `payout ${payout.id} has no expense or income ${itemId} to remove: ${why}`
    return Result.fail(new UnknownItem({ payoutId: payout.id, itemId, message }))
  })

/**
 * The result of a refund: the changed payout, and the item that has to go to another payout of the same currency, or
 * `null`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refunded {
  readonly payout: Payout
  readonly reversed: PayoutItem.Refund | null
}

const findSale = (payout: Payout, itemId: string): PayoutItem.Sale | undefined =>
  payout.items.find((item): item is PayoutItem.Sale => item.kind === "sale" && item.id === itemId)

const unknownSale = (payout: Payout, itemId: string): UnknownItem => {
  const message = `payout ${payout.id} has no sale ${itemId}`
  return new UnknownItem({ payoutId: payout.id, itemId, message })
}

/**
 * Applies the reversal of one share. In a payout that is not settled the sale stays with a reduced amount; a settled
 * payout does not change, and the refund is an item for the collaborator's active payout.
 *
 * @param refund.itemId - the payout item of the share
 * @param refund.amount - what is taken back, in cents of the order's currency; its sign is the share's
 * @param refund.at - when it was refunded, in Unix seconds
 * @param refund.id - of the item for the active payout
 * @param refund.alreadyRefunded - what was taken back of the share since its payout was settled; 0 when absent
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout, PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * }
 * const empty = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const sale = PayoutItem.fromShare(
 *   { itemId: "1", groupId: "g1", amount: 1_000 },
 *   { order, currency: "USD", at: 1_700_000_000 },
 * )
 * const payout = Result.flatMap(sale, (item) => Payout.addItems(empty, [item]))
 * const refunded = Result.flatMap(payout, (collecting) =>
 *   Payout.refund(collecting, { itemId: "1001/1/g1", amount: 1_000, at: 1_700_086_400, id: "r1" }),
 * )
 * Result.getOrThrow(refunded).reversed // => null
 * Result.getOrThrow(refunded).payout.items.map(({ amount }) => amount) // => [0]
 * ```
 */
export const refund = (
  payout: Payout,
  refund: {
    readonly itemId: string
    readonly amount: number
    readonly at: number
    readonly id: string
    readonly alreadyRefunded?: number | undefined
  },
): Result.Result<
  Refunded,
  UnknownItem | PayoutItem.RefundBeyondShare | PayoutItem.ConversionError
> =>
  Result.gen(function* () {
    const sale = findSale(payout, refund.itemId)
    if (sale === undefined) return yield* Result.fail(unknownSale(payout, refund.itemId))
    const { alreadyRefunded = 0 } = refund
    const { currency } = payout
    const fixed = { currency, isFixed: isSettled(payout) }
    const item = yield* payoutRules.refund(fixed, sale, { ...refund, alreadyRefunded })
    if (item.kind === "refund") return { payout, reversed: item }
    const items = payout.items.map((one) => (one === sale ? item : one))
    return { payout: { ...payout, items }, reversed: null }
  })

/**
 * Applies an event to a payout. The error says why it can't: the status does not allow it, or another condition does
 * not hold.
 *
 * `close` needs the due date to have come and a total above 0 and at least the threshold; it begins the
 * holding days. `pay` needs them to be over and a total not below 0. `set-paid` works in any status and
 * keeps an earlier time of payment; done again, it changes nothing. `return` makes a paid payout one that failed, whose
 * items can change again.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const paid = Payout.transition(payout, { type: "set-paid", at: 1_700_086_400 })
 * Result.getOrThrow(paid).status // => "manually paid"
 * Result.getOrThrow(paid).paidAt // => 1700086400
 * ```
 */
export const transition = (
  payout: Payout,
  event: PayoutStatus.Event,
): Result.Result<Payout, PayoutStatus.TransitionError> =>
  payoutRules.move(payout, event, () => total(payout))

/**
 * Applies an event to a payout of which only the standing and the total are available, as stores keep it. The rules are
 * those of {@link transition}; all other fields of the payout stay as they are.
 *
 * @param payout.total - the sum of its items, in cents of the payout's currency
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Result } from "effect"
 *
 * const { items, ...standing } = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const terms = { payoutThreshold: 5_000, payoutHoldingDays: null }
 * const close = { type: "close", at: 1_702_598_400, terms, timeZone: "UTC" } as const
 * const closed = Payout.move({ ...standing, total: 5_000 }, close)
 * Result.getOrThrow(closed).status // => "pending"
 * const refused = Payout.move({ ...standing, total: 4_999 }, close)
 * Result.getOrThrow(Result.flip(refused))._tag // => "PayoutBelowThreshold"
 * ```
 */
export const move = <P extends PayoutStatus.Standing & { readonly total: number }>(
  payout: P,
  event: PayoutStatus.Event,
): Result.Result<P, PayoutStatus.TransitionError> =>
  payoutRules.move(payout, event, () => Result.succeed(payout.total))
