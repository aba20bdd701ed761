/** What is posted and taken back, as far as it can be wrong. */

import * as Result from "effect/Result"
import {
  flag,
  id,
  listOf,
  objectOf,
  optional,
  read,
  type Shape,
  seconds,
} from "../../internal/fields.js"
import { addProblems, guarded, repeats, show } from "../../internal/problems.js"
import { cents, currency } from "../../money/internal/amounts.js"
import type { Problem } from "../../Problem.js"
import type { AgreementItem } from "../AgreementItem.js"
import type { RecordedItem, TakenBack } from "./reversal.js"
import type { GivenShare } from "./saleLines.js"

/**
 * The shares of a sale as they are posted. A `Split` with the time of its sale is one.
 *
 * @since 0.6.0
 * @category models
 */
export interface PostedSale {
  /** Unique among what is posted. */
  readonly orderId: string
  /** ISO 4217 code. */
  readonly currency: string
  /** When it was sold, in Unix seconds. */
  readonly at: number
  readonly shares: ReadonlyArray<GivenShare>
  /** What the store kept of each item. */
  readonly store: ReadonlyArray<{ readonly itemId: string; readonly amount: number }>
  /**
   * Whether it is the difference that splitting a sale again makes. What the store keeps then says nothing of what it can
   * pay, and limits no override; of a share that is less now, it gets its part of the override back.
   */
  readonly isDifference?: boolean | undefined
}

const share: Shape<GivenShare> = {
  ...{ itemId: id, groupId: id, collaboratorId: id, amount: cents },
}

const rest: Shape<PostedSale["store"][number]> = { itemId: id, amount: cents }

const sale = /* @__PURE__ */ objectOf<PostedSale>({
  ...{ orderId: id, currency, at: seconds },
  shares: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(share)),
  store: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(rest)),
  isDifference: /* @__PURE__ */ optional(flag),
})

const problemsBetween = ({ shares, store }: PostedSale): ReadonlyArray<Problem> => {
  const known = new Set(store.map(({ itemId }) => itemId))
  const stray = shares.flatMap(({ itemId }, place): ReadonlyArray<Problem> => {
    const message = `must be an item that the store has a rest of, got ${show(itemId)}`
    return known.has(itemId) ? [] : [{ path: `shares[${place}].itemId`, value: itemId, message }]
  })
  const keys = shares.map(({ itemId, groupId }) => JSON.stringify([itemId, groupId]))
  const twice = repeats(keys).map(({ index, first }): Problem => {
    const message = `must have one share of an item: shares[${first}] is of the same item`
    return { path: `shares[${index}].groupId`, value: shares[index]?.groupId, message }
  })
  const items = repeats(store.map(({ itemId }) => itemId))
  const again = items.map(({ value, index, first }): Problem => {
    const message = `must be an item of its own: store[${first}] has it too`
    return { path: `store[${index}].itemId`, value, message }
  })
  return [...stray, ...twice, ...again]
}

/** A sale that can be posted, without what else its fields may hold. */
export const readSale = (input: unknown): Result.Result<PostedSale, ReadonlyArray<Problem>> =>
  Result.flatMap(read(input, sale), (made) => {
    const found = problemsBetween(made)
    return found.length === 0 ? Result.succeed(made) : Result.fail(found)
  })

/**
 * What a refund takes back of one item's shares. A `Refund.Reversal` is one.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReversedItem {
  readonly orderId: string
  readonly itemId: string
  readonly refundedAt: number
  readonly shares: ReadonlyArray<{ readonly groupId: string; readonly amount: number }>
  readonly store: number
}

const reversal = /* @__PURE__ */ objectOf<ReversedItem>({
  ...{ orderId: id, itemId: id, refundedAt: seconds, store: cents },
  shares: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf({ groupId: id, amount: cents })),
})

/** A refund of an item, the lines of the item, and what was back of it before and is after. */
export interface Reversing {
  readonly at: number
  readonly recorded: RecordedItem
  readonly before: TakenBack
  readonly after: TakenBack
}

/** Adds what lines of refunds took back. */
const givenBy = (lines: ReadonlyArray<AgreementItem>): TakenBack => {
  const shares = new Map<string, number>()
  let store = 0
  for (const line of lines) {
    if (line.kind === "store") store -= line.amount
    if (line.kind !== "share") continue
    shares.set(line.groupId, (shares.get(line.groupId) ?? 0) - line.amount)
  }
  return { shares, store }
}

/** Whether so much more can be back of an amount. */
const fits = (all: number, before: number, more: number): boolean => {
  if (more === 0) return true
  return Math.sign(more) === Math.sign(all) && Math.abs(more) <= Math.abs(all - before)
}

const recordedOf = (lines: ReadonlyArray<AgreementItem>): RecordedItem | undefined => {
  const shares = lines.filter((line) => line.kind === "share")
  const store = lines.find((line) => line.kind === "store")
  if (store === undefined) return undefined
  return { shares, store, lines: lines.filter(({ kind }) => kind !== "share" && kind !== "store") }
}

const problemsOfShares = (
  { shares }: ReversedItem,
  recorded: RecordedItem,
  before: TakenBack,
): ReadonlyArray<Problem> => {
  const found: Array<Problem> = []
  const seen = new Set<string>()
  for (const [place, { groupId, amount }] of shares.entries()) {
    const share = recorded.shares.find((one) => one.groupId === groupId)
    const path = `shares[${place}]`
    if (share === undefined || seen.has(groupId)) {
      const message = `must be a group that has a share of the item, named once, got ${show(groupId)}`
      addProblems(found, [{ path: `${path}.groupId`, value: groupId, message }])
      continue
    }
    seen.add(groupId)
    const back = before.shares.get(groupId) ?? 0
    if (fits(share.amount, back, amount)) continue
    const message = `must be a part of what is left of the share (${share.amount - back}), got ${amount}`
    addProblems(found, [{ path: `${path}.amount`, value: amount, message }])
  }
  return found
}

const problemOfRest = (
  { shares, store }: ReversedItem,
  recorded: RecordedItem,
  before: TakenBack,
): ReadonlyArray<Problem> => {
  const total = (amounts: Iterable<number>) =>
    Array.from(amounts).reduce((sum, amount) => sum + BigInt(amount), 0n)
  const more = total([...shares.map(({ amount }) => amount), store])
  const back = total([...before.shares.values(), before.store])
  const all = BigInt(recorded.store.broughtIn)
  const isWithin = all < 0n ? more <= 0n && back + more >= all : more >= 0n && back + more <= all
  if (isWithin) return []
  const message = `must bring what is taken back to a part of what is left of the item (${all - back}), got ${more} with the shares`
  return [{ path: "store", value: store, message }]
}

const plus = (before: TakenBack, { shares, store }: ReversedItem): TakenBack => {
  const after = new Map(before.shares)
  for (const { groupId, amount } of shares) after.set(groupId, (after.get(groupId) ?? 0) + amount)
  return { shares: after, store: before.store + store }
}

/** A refund with the recorded lines of its item. */
export const readReversal = (
  recorded: ReadonlyArray<AgreementItem>,
  input: unknown,
): Result.Result<Reversing, ReadonlyArray<Problem>> =>
  Result.flatMap(read(input, reversal), (made) =>
    guarded(recorded, () => {
      const { orderId, itemId, refundedAt: at } = made
      const lines = recorded.filter(
        (line) => line.kind !== "shortfall" && line.orderId === orderId && line.itemId === itemId,
      )
      const before = givenBy(lines.filter(({ event }) => event === "refund"))
      const item = recordedOf(lines.filter(({ event }) => event !== "refund"))
      if (item === undefined) {
        const message = `must be an item with recorded lines, got ${show(itemId)} of order ${show(orderId)}`
        return Result.fail([{ path: "itemId", value: itemId, message }])
      }
      const found = [...problemsOfShares(made, item, before), ...problemOfRest(made, item, before)]
      if (found.length > 0) return Result.fail(found)
      return Result.succeed({ at, recorded: item, before, after: plus(before, made) })
    }),
  )
