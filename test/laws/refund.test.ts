import { Refund, type Split } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { total } from "../../src/testing/laws/reasons.js"
import { partition } from "../generators/Refunds.js"
import { runs } from "../generators/Runs.js"
import { type Sale, usualSale } from "../generators/Sales.js"
import { split, splitOf } from "./Splits.js"

const possible = usualSale
  .filter((one) => one.order.items.length > 0 && Result.isSuccess(split(one)))
  .chain((one) => fc.record({ one: fc.constant(one), item: fc.constantFrom(...one.order.items) }))

type Part = Pick<Refund.Refund, "amount" | "quantity" | "shippingAmount" | "shippingTotal">

const netOf = (item: Sale["order"]["items"][number]): number => item.amount - (item.discount ?? 0)

/** An item of a sale and refunds that give all of it back, by amounts or by units. */
const inParts = possible.chain(({ one, item }) => {
  const wholes = [
    partition(netOf(item)).map((amounts) => amounts.map((amount): Part => ({ amount }))),
    partition(item.quantity).map((units) => units.map((quantity): Part => ({ quantity }))),
  ]
  const ways = [...(netOf(item) === 0 ? [] : [0]), ...(item.quantity === 0 ? [] : [1])]
  return fc.record({
    one: fc.constant(one),
    itemId: fc.constant(item.id),
    parts:
      ways.length === 0
        ? fc.constant<ReadonlyArray<Part>>([])
        : fc
            .constantFrom(...ways)
            .chain((way) => wholes[way] ?? fc.constant<ReadonlyArray<Part>>([])),
  })
})

const asRefunds = (
  done: Split.Split,
  itemId: string,
  parts: ReadonlyArray<Part>,
): ReadonlyArray<Refund.Refund> =>
  parts.map((part, index) => ({ orderId: done.orderId, itemId, refundedAt: index, ...part }))

const reversalsOf = (done: Split.Split, refunds: ReadonlyArray<Refund.Refund>) =>
  refunds.map((refund, index) =>
    Result.getOrThrow(Refund.reverse(done, refund, { earlier: refunds.slice(0, index) })),
  )

const sumOf = (numbers: ReadonlyArray<number>): bigint =>
  total(numbers.map((amount) => ({ amount })))

describe("a refund of the whole, in any number of parts", () => {
  test("takes back exactly every share and the store's rest, and only the last part completes it", () => {
    let refunded = 0
    fc.assert(
      fc.property(inParts, ({ one, itemId, parts }) => {
        if (parts.length === 0) return
        const done = splitOf(one)
        const reversals = reversalsOf(done, asRefunds(done, itemId, parts))
        for (const share of done.shares.filter((candidate) => candidate.itemId === itemId)) {
          const back = reversals.flatMap(({ shares }) =>
            shares.filter(({ groupId }) => groupId === share.groupId),
          )
          expect(sumOf(back.map(({ amount }) => amount))).toBe(BigInt(share.amount))
          expect(sumOf(back.map((b) => b.shippingAmount))).toBe(BigInt(share.shippingAmount))
        }
        const rest = done.store.find((candidate) => candidate.itemId === itemId)
        expect(sumOf(reversals.map(({ store }) => store))).toBe(BigInt(rest?.amount ?? 0))
        const completed = reversals.map(({ fullyRefunded }) => fullyRefunded)
        expect(completed).toEqual(parts.map((_, index) => index === parts.length - 1))
        refunded += 1
      }),
      runs(1_000, 200),
    )
    expect(refunded).toBeGreaterThan(0.3 * runs(1_000, 200).numRuns)
  })

  test("never takes back more of a share than there was, nor gives any of it again", () => {
    fc.assert(
      fc.property(inParts, ({ one, itemId, parts }) => {
        const done = splitOf(one)
        const reversals = reversalsOf(done, asRefunds(done, itemId, parts))
        for (const { groupId, amount } of reversals.flatMap(({ shares }) => shares)) {
          const share = done.shares.find((s) => s.itemId === itemId && s.groupId === groupId)
          const whole = share?.amount ?? 0
          expect(Math.abs(amount)).toBeLessThanOrEqual(Math.abs(whole))
          expect(amount === 0 || Math.sign(amount) === Math.sign(whole)).toBe(true)
        }
      }),
      runs(500),
    )
  })

  test("leaves nothing to refund", () => {
    fc.assert(
      fc.property(inParts, ({ one, itemId, parts }) => {
        if (parts.length === 0) return
        const done = splitOf(one)
        const refunds = asRefunds(done, itemId, parts)
        for (const refund of refunds) {
          const again = Refund.reverse(done, refund, { earlier: refunds })
          expect(Result.isFailure(again) && again.failure._tag).toBe("RefundExceedsItem")
        }
      }),
      runs(300),
    )
  })
})

/** Refunds of shipping, which together are no more than all of it, among those of the goods. */
const withShipping = inParts
  .filter(({ parts }) => parts.length > 0)
  .chain(({ one, itemId, parts }) =>
    fc
      .array(fc.tuple(fc.integer({ min: 1, max: 10 }), fc.nat({ max: 5 })), { maxLength: 4 })
      .map((shipped) => {
        const all: Array<Part> = [...parts]
        const shippingTotal = shipped.reduce((sum, [amount]) => sum + amount, 1)
        for (const [shippingAmount, place] of shipped) {
          all.splice(place % (all.length + 1), 0, { shippingAmount, shippingTotal })
        }
        return { one, itemId, parts: all }
      }),
  )

test("shipping that goes back before or after the goods leaves everyone at exactly nothing, and turns no sign", () => {
  let moved = 0
  fc.assert(
    fc.property(withShipping, ({ one, itemId, parts }) => {
      const done = splitOf(one)
      const reversals = reversalsOf(done, asRefunds(done, itemId, parts))
      for (const share of done.shares.filter((candidate) => candidate.itemId === itemId)) {
        const back = reversals.flatMap(({ shares }) =>
          shares.filter(({ groupId }) => groupId === share.groupId),
        )
        expect(sumOf(back.map(({ amount }) => amount))).toBe(BigInt(share.amount))
        expect(sumOf(back.map((b) => b.shippingAmount))).toBe(BigInt(share.shippingAmount))
        for (const { amount } of back) {
          expect(amount === 0 || Math.sign(amount) === Math.sign(share.amount)).toBe(true)
        }
      }
      const rest = done.store.find((candidate) => candidate.itemId === itemId)
      expect(sumOf(reversals.map(({ store }) => store))).toBe(BigInt(rest?.amount ?? 0))
      moved += reversals.filter(
        ({ shares }, index) =>
          parts[index]?.shippingAmount !== undefined && shares.some(({ amount }) => amount !== 0),
      ).length
    }),
    runs(1_000, 200),
  )
  expect(moved).toBeGreaterThan(0.05 * runs(1_000, 200).numRuns)
})

test("what a refund takes back does not depend on the order of the earlier ones, nor on other items'", () => {
  fc.assert(
    fc.property(inParts, ({ one, itemId, parts }) => {
      if (parts.length < 2) return
      const done = splitOf(one)
      const refunds = asRefunds(done, itemId, parts)
      const last = refunds.at(-1)
      if (last === undefined) return
      const earlier = refunds.slice(0, -1)
      const elsewhere = earlier.map((refund) => ({ ...refund, orderId: "another order" }))
      const plain = Refund.reverse(done, last, { earlier })
      expect(Refund.reverse(done, last, { earlier: [...earlier].reverse() })).toEqual(plain)
      expect(Refund.reverse(done, last, { earlier: [...elsewhere, ...earlier] })).toEqual(plain)
    }),
    runs(500),
  )
})
