/**
 * Advances, reserves, guarantees and overrides: what is agreed with collaborators beside their product groups. Shares
 * and balances go in, lines and the balances after them come out; nothing is kept in between.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import { compareBy, compareTexts } from "../internal/compare.js"
import { guarded, isFields, refusal, show, within } from "../internal/problems.js"
import { expected, isSeconds } from "../internal/seconds.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import { AmountOutOfRange } from "../money/Cents.js"
import type { Problem } from "../Problem.js"
import type { AgreementSet } from "./Agreement.js"
import type { AgreementItem } from "./AgreementItem.js"
import { type AgreementBalances, empty, parse as parseBalances, shortfall } from "./Balances.js"
import { type AgreementReading, readSet } from "./internal/agreementForm.js"
import { Ledger } from "./internal/Ledger.js"
import { type PostedSale, type ReversedItem, readReversal, readSale } from "./internal/occasion.js"
import { recoup } from "./internal/recoupment.js"
import { reverse } from "./internal/reversal.js"
import { postItem } from "./internal/saleLines.js"
import { termsOf } from "./internal/terms.js"

export type { AgreementReading, PostedSale, ReversedItem }

/**
 * Agreements that can't be used, with all their problems.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidAgreements extends TaggedError("InvalidAgreements")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/**
 * A sale, a refund or a time that agreements can't be applied to, with all its problems.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidPosting extends TaggedError("InvalidPosting")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/**
 * Why nothing could be posted.
 *
 * @since 0.6.0
 * @category errors
 */
export type PostingError = InvalidPosting | AmountOutOfRange

/**
 * What was booked, and the balances after it.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementOutcome {
  readonly items: ReadonlyArray<AgreementItem>
  readonly balances: AgreementBalances
}

/**
 * Reads agreements. A list that is absent is empty; an advance is recouped by 100 % and is no expense unless it says
 * so; groups that are absent or `null` are all groups. All problems are reported at once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Agreements } from "apportion/agreements"
 * import { Result } from "effect"
 *
 * const advance = { id: "a1", collaboratorId: "ada", currency: "USD", amount: 500_000, grantedAt: 0 }
 * const agreements = Result.getOrThrow(Agreements.read({ advances: [advance] }))
 * agreements.advances[0]?.percent // => "100.00"
 *
 * const reserve = { id: "r1", collaboratorId: "ada", percent: 20, schedule: [{ days: 90, percent: 50 }] }
 * const result = Agreements.read({ reserves: [reserve] })
 * Result.isFailure(result) && result.failure.message
 * // => "reserves[0].schedule: must have percentages that add up to 100, got 50.00"
 * ```
 */
export const read = (
  input: unknown,
  options: AgreementReading = {},
): Result.Result<AgreementSet, InvalidAgreements> => {
  const made = readSet(input, options)
  // A set with circles is only looked at: it is read again before anything is booked by it.
  if (Result.isSuccess(made) && options.keepsCircles !== true) {
    knownSets.set(made.success, made.success)
  }
  return Result.mapError(made, refusal(InvalidAgreements))
}

const refused = refusal(InvalidPosting)

/** Sets and balances that were read or made here, or were read again because they were not. */
const knownSets = new WeakMap<object, AgreementSet>()
const knownBalances = new WeakMap<object, AgreementBalances>([[empty, empty]])

const known = <A extends object>(
  place: string,
  given: A,
  made: WeakMap<object, A>,
  parse: (input: unknown) => Result.Result<A, { readonly problems: ReadonlyArray<Problem> }>,
): A => {
  const found = made.get(given)
  if (found !== undefined) return found
  const parsed = parse(given)
  if (Result.isFailure(parsed)) {
    throw refused(parsed.failure.problems.map((problem) => within(place, problem)))
  }
  made.set(given, parsed.success)
  return parsed.success
}

const setOf = (given: AgreementSet): AgreementSet =>
  known("agreements", given, knownSets, (input) => read(input))

const balancesOf = (given: AgreementBalances): AgreementBalances =>
  known("balances", given, knownBalances, parseBalances)

const booked = (
  balances: AgreementBalances,
  book: (ledger: Ledger) => void,
): Result.Result<AgreementOutcome, PostingError> =>
  attempt<AgreementOutcome, PostingError>([AmountOutOfRange, InvalidPosting], () => {
    const ledger = new Ledger(balancesOf(balances))
    book(ledger)
    if (ledger.misfits.length > 0) throw refused(ledger.misfits)
    const after = ledger.balances()
    knownBalances.set(after, after)
    return { items: ledger.items, balances: after }
  })

const timed = (options: unknown): Result.Result<number, InvalidPosting> =>
  Result.mapError(
    guarded(options, () => {
      const at = isFields(options) ? options["at"] : undefined
      if (isSeconds(at)) return Result.succeed(at)
      return Result.fail([
        { path: "at", value: at, message: `must be ${expected}, got ${show(at)}` },
      ])
    }),
    refused,
  )

/**
 * Books the shares of a sale: each share and what the store kept, overrides, what reserves withhold of what is left of
 * a share, and what advances recoup of what is left then. A `Split` with its time is such a sale.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Agreements, Balances } from "apportion/agreements"
 * import { Result } from "effect"
 *
 * const advance = { id: "a1", collaboratorId: "ada", currency: "USD", amount: 50_000, grantedAt: 0 }
 * const agreements = Result.getOrThrow(Agreements.read({ advances: [advance] }))
 * const shares = [{ itemId: "1", groupId: "book", collaboratorId: "ada", amount: 1_200 }]
 * const sale = { orderId: "1001", currency: "USD", at: 86_400, shares, store: [{ itemId: "1", amount: 800 }] }
 * const { items, balances } = Result.getOrThrow(Agreements.post(agreements, Balances.empty, sale))
 * items.map(({ kind, amount }) => [kind, amount])
 * // => [["store", 800], ["share", 1200], ["recoupment", -1200]]
 * Balances.open(balances, advance) // => 48800
 * ```
 */
export const post = (
  agreements: AgreementSet,
  balances: AgreementBalances,
  sale: PostedSale,
): Result.Result<AgreementOutcome, PostingError> =>
  Result.flatMap(Result.mapError(readSale(sale), refused), ({ shares, store, ...of }) =>
    booked(balances, (ledger) => {
      const terms = termsOf(setOf(agreements))
      const byItem = compareBy<{ readonly itemId: string }>((one, other) =>
        compareTexts(one.itemId, other.itemId),
      )
      for (const { itemId, amount } of store.toSorted(byItem)) {
        const own = shares.filter((share) => share.itemId === itemId)
        postItem(terms, ledger, { ...of, itemId, shares: own, store: amount })
      }
    }),
  )

/**
 * Pays out what reserves have held long enough, the earliest first. Advances are recouped from it as they are from a
 * share.
 *
 * @param options.at - Unix seconds
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Agreements, Balances } from "apportion/agreements"
 * import { Result } from "effect"
 *
 * const schedule = [{ days: 90, percent: 50 }, { days: 180, percent: 50 }]
 * const reserve = { id: "r1", collaboratorId: "ada", percent: 20, schedule }
 * const agreements = Result.getOrThrow(Agreements.read({ reserves: [reserve] }))
 * const shares = [{ itemId: "1", groupId: "book", collaboratorId: "ada", amount: 1_000 }]
 * const sale = { orderId: "1001", currency: "USD", at: 0, shares, store: [{ itemId: "1", amount: 0 }] }
 * const sold = Result.getOrThrow(Agreements.post(agreements, Balances.empty, sale))
 * Balances.heldOf(sold.balances, "r1", "USD") // => 200
 * const released = Result.getOrThrow(Agreements.release(agreements, sold.balances, { at: 7_776_000 }))
 * released.items.map(({ kind, amount }) => [kind, amount]) // => [["release", 100]]
 * Balances.heldOf(released.balances, "r1", "USD") // => 100
 * ```
 */
export const release = (
  agreements: AgreementSet,
  balances: AgreementBalances,
  options: { readonly at: number },
): Result.Result<AgreementOutcome, PostingError> =>
  Result.flatMap(timed(options), (at) =>
    booked(balances, (ledger) => {
      const terms = termsOf(setOf(agreements))
      for (const part of ledger.due(at)) {
        const { reserveId, place, releaseAt, amount, ...of } = part
        ledger.takeOff(part, "released", amount)
        const line = { ...of, at, event: "release" } as const
        ledger.items.push({ ...line, kind: "release", reserveId, place, releaseAt, amount })
        recoup(terms, ledger, line, { base: amount, part: { reserveId, place } })
      }
    }),
  )

/**
 * Books the shortfall of each guarantee whose period is over, once: what was earned less than guaranteed, or 0.
 *
 * @param options.at - Unix seconds
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Agreements, Balances } from "apportion/agreements"
 * import { Result } from "effect"
 *
 * const period = { from: 0, until: 86_400 }
 * const guarantee = { id: "m1", collaboratorId: "ada", currency: "USD", amount: 100_000, ...period }
 * const agreements = Result.getOrThrow(Agreements.read({ guarantees: [guarantee] }))
 * const shares = [{ itemId: "1", groupId: "book", collaboratorId: "ada", amount: 30_000 }]
 * const sale = { orderId: "1001", currency: "USD", at: 60, shares, store: [{ itemId: "1", amount: 0 }] }
 * const sold = Result.getOrThrow(Agreements.post(agreements, Balances.empty, sale))
 * const closed = Result.getOrThrow(Agreements.close(agreements, sold.balances, { at: 86_400 }))
 * closed.items.map(({ kind, amount }) => [kind, amount]) // => [["shortfall", 70000]]
 * ```
 */
export const close = (
  agreements: AgreementSet,
  balances: AgreementBalances,
  options: { readonly at: number },
): Result.Result<AgreementOutcome, PostingError> =>
  Result.flatMap(timed(options), (at) =>
    booked(balances, (ledger) => {
      const byId = compareBy<{ readonly id: string }>((a, b) => compareTexts(a.id, b.id))
      for (const guarantee of setOf(agreements).guarantees.toSorted(byId)) {
        const { id: guaranteeId, collaboratorId, currency, from, until } = guarantee
        const { earned, isClosed } = ledger.earned(guaranteeId)
        if (until > at || isClosed) continue
        ledger.close(guarantee)
        const amount = shortfall({ guarantees: [{ guaranteeId, earned, isClosed }] }, guarantee)
        if (amount === null) {
          const lacking = BigInt(guarantee.amount) - BigInt(earned)
          throw AmountOutOfRange.of(`the shortfall of guarantee ${guaranteeId}`, lacking)
        }
        const line = { guaranteeId, collaboratorId, currency, at, from, until, earned, amount }
        const { amount: guaranteed } = guarantee
        ledger.items.push({ ...line, kind: "shortfall", event: "close", guaranteed })
      }
    }),
  )

/**
 * Takes back what a refund takes back of an item's shares: of every recorded line its part, rounded half-up on the sum
 * of all refunds. What was recouped of a share is open again, what is still held of it is held no more, and overrides
 * go back up their chain. Nothing is asked of the agreements: they may have changed since.
 *
 * @param recorded - the lines of the item, of its sale and of all that followed, in the order in which they were booked; others are left aside
 * @param reversal - what `Refund` of the core takes back
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Agreements, Balances } from "apportion/agreements"
 * import { Result } from "effect"
 *
 * const advance = { id: "a1", collaboratorId: "ada", currency: "USD", amount: 50_000, grantedAt: 0 }
 * const agreements = Result.getOrThrow(Agreements.read({ advances: [advance] }))
 * const shares = [{ itemId: "1", groupId: "book", collaboratorId: "ada", amount: 1_200 }]
 * const sale = { orderId: "1001", currency: "USD", at: 86_400, shares, store: [{ itemId: "1", amount: 800 }] }
 * const sold = Result.getOrThrow(Agreements.post(agreements, Balances.empty, sale))
 * const half = { ...sale, itemId: "1", refundedAt: 90_000, shares: [{ groupId: "book", amount: 600 }], store: 400 }
 * const refunded = Result.getOrThrow(Agreements.refund(sold.balances, sold.items, half))
 * refunded.items.map(({ kind, amount }) => [kind, amount])
 * // => [["store", -400], ["share", -600], ["recoupment", 600]]
 * Balances.open(refunded.balances, advance) // => 49400
 * ```
 */
export const refund = (
  balances: AgreementBalances,
  recorded: ReadonlyArray<AgreementItem>,
  reversal: ReversedItem,
): Result.Result<AgreementOutcome, PostingError> =>
  Result.flatMap(Result.mapError(readReversal(recorded, reversal), refused), (reversing) =>
    booked(balances, (ledger) => reverse(ledger, reversing.recorded, reversing)),
  )
