import { type Order, Refund, RuleSet, Split, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const rules = RuleSet.make([
  { id: "a", collaboratorId: "ada", link: { type: "products.all" }, percent: 25 },
  { id: "b", collaboratorId: "zoe", link: { type: "products.all" }, amount: 7 },
])

const item: Order.OrderItem = { id: "1", product: { id: "p1" }, quantity: 3, amount: 1_000 }
const sale = (rest: Partial<Order.OrderItem> = {}): Split.Split =>
  Split.order(rules, { id: "1001", currency: "USD", items: [{ ...item, ...rest }] })

const refund = (rest: Partial<Refund.Refund>): Refund.Refund => ({
  orderId: "1001",
  itemId: "1",
  refundedAt: 1,
  ...rest,
})

const taken = (split: Split.Split, refunds: ReadonlyArray<Refund.Refund>) =>
  refunds.map((each, index) => {
    const earlier = refunds.slice(0, index)
    const reversal = Result.getOrThrow(Refund.reverse(split, each, { earlier }))
    return [...reversal.shares.map((share) => share.amount), reversal.store]
  })

const failure = (
  split: Split.Split,
  each: Refund.Refund,
  earlier: ReadonlyArray<Refund.Refund> = [],
) => {
  const result = Refund.reverse(split, each, { earlier })
  return Result.isFailure(result) ? result.failure : undefined
}

describe("a refund", () => {
  it("takes back the rounded part of every share, and in the end exactly all of it", () => {
    const unit = refund({ quantity: 1 })
    expect(taken(sale(), [unit, unit, unit])).toEqual([
      [83, 7, 243],
      [84, 7, 243],
      [83, 7, 243],
    ])
  })

  it("is the first one when no earlier ones are told", () => {
    const reversal = Result.getOrThrow(Refund.reverse(sale(), refund({ quantity: 3 })))
    expect(reversal).toEqual({
      orderId: "1001",
      itemId: "1",
      refundedAt: 1,
      fullyRefunded: true,
      shares: [
        { groupId: "a", collaboratorId: "ada", amount: 250, shippingAmount: 0 },
        { groupId: "b", collaboratorId: "zoe", amount: 21, shippingAmount: 0 },
      ],
      store: 729,
    })
  })

  it("by amount counts what was paid after the discount", () => {
    const split = sale({ discount: 200 })
    expect(taken(split, [refund({ amount: 400 }), refund({ amount: 400 })])).toEqual([
      [100, 11, 289],
      [100, 10, 290],
    ])
  })

  it("is only held against earlier ones of its own order and item", () => {
    const earlier = [refund({ orderId: "1002", quantity: 3 }), refund({ itemId: "2", quantity: 3 })]
    const reversal = Result.getOrThrow(Refund.reverse(sale(), refund({ quantity: 3 }), { earlier }))
    expect(reversal).toMatchObject({ fullyRefunded: true, store: 729 })
    const part = Refund.reverse(sale(), refund({ quantity: 2 }), { earlier })
    expect(Result.getOrThrow(part)).toMatchObject({ fullyRefunded: false })
  })

  it("takes back what came from shipping, too, and of one item only", () => {
    const order: Order.Order = {
      id: "1001",
      currency: "USD",
      shippingAmount: 200,
      items: [item, { ...item, id: "2" }],
    }
    const split = Split.order(rules, order, SplitPolicy.make({ shipping: "share" }))
    const reversal = Result.getOrThrow(Refund.reverse(split, refund({ quantity: 3 })))
    expect(reversal.shares).toEqual([
      { groupId: "a", collaboratorId: "ada", amount: 275, shippingAmount: 25 },
      { groupId: "b", collaboratorId: "zoe", amount: 21, shippingAmount: 0 },
    ])
    expect(reversal.store).toBe(804)
  })

  it("by amount and by quantity add up", () => {
    const refunds = [refund({ quantity: 1 }), refund({ amount: 666 })]
    expect(failure(sale(), refund({ amount: 1 }), refunds)).toMatchObject({
      _tag: "RefundExceedsItem",
      remainingAmount: 0,
      remainingQuantity: 0,
    })
  })

  it("of a line that took a sale back has the line's sign", () => {
    const split = sale({ amount: -1_000 })
    expect(taken(split, [refund({ amount: -1_000 })])).toEqual([[-250, -21, -729]])
    expect(failure(split, refund({ amount: 1_000 }))).toMatchObject({ _tag: "InvalidRefund" })
    expect(failure(split, refund({ amount: 0 }))).toMatchObject({ _tag: "InvalidRefund" })
    expect(failure(split, refund({ amount: -601 }), [refund({ amount: -400 })])).toMatchObject({
      _tag: "RefundExceedsItem",
      remainingAmount: -600,
      remainingQuantity: 1,
    })
  })

  it("of a free item goes by quantity only", () => {
    const free = sale({ amount: 21, discount: 21, quantity: 0 })
    expect(failure(free, refund({ quantity: 1 }))?._tag).toBe("RefundExceedsItem")
    expect(failure(free, refund({ amount: 1 }))?._tag).toBe("RefundExceedsItem")
    expect(failure(free, refund({ amount: 0 }))?.message).toBe(
      "amount: must be a whole number of cents above 0, as the item's amount after discount (0), got 0",
    )
  })

  it("of more than remains is refused and says what remains", () => {
    expect(failure(sale(), refund({ amount: 501 }), [refund({ amount: 500 })])).toMatchObject({
      _tag: "RefundExceedsItem",
      remainingAmount: 500,
      remainingQuantity: 1,
      message:
        "a refund of 501 cents is more than what remains of item 1 of order 1001: 500 cents or 1 unit",
    })
    expect(failure(sale({ discount: 400 }), refund({ quantity: 4 }))).toMatchObject({
      orderId: "1001",
      itemId: "1",
      remainingAmount: 600,
      remainingQuantity: 3,
      message:
        "a refund of 4 units is more than what remains of item 1 of order 1001: 600 cents or 3 units",
    })
  })

  it.each([
    [{}],
    [{ amount: 1, quantity: 1 }],
    [{ amount: 1, remaining: true as const }],
    [{ quantity: 1, remaining: true as const }],
    [{ amount: 0 }],
    [{ amount: -5 }],
    [{ amount: 1.5 }],
    [{ amount: Number.NaN }],
    [{ quantity: 0 }],
    [{ quantity: -1 }],
    [{ quantity: 0.5 }],
  ])("of %j is refused", (rest) => {
    expect(failure(sale(), refund(rest))?._tag).toBe("InvalidRefund")
  })

  it.each([
    [
      {},
      [
        "amount",
        undefined,
        "a refund has either an amount or a quantity, takes back all that is remaining, or is of shipping, got none of them",
      ],
    ],
    [
      { amount: 5, quantity: 1 },
      [
        "amount",
        5,
        "a refund has either an amount or a quantity, takes back all that is remaining, or is of shipping, got amount 5 and quantity 1",
      ],
    ],
    [{ quantity: 0 }, ["quantity", 0, "must be a whole number of 1 or more, got 0"]],
    [
      { amount: -5 },
      [
        "amount",
        -5,
        "must be a whole number of cents above 0, as the item's amount after discount (900), got -5",
      ],
    ],
    [
      { quantity: 1, refundedAt: 0.5 },
      ["refundedAt", 0.5, "must be whole Unix seconds within the years 1 to 9999, got 0.5"],
    ],
  ] as const)("of %j says what is wrong with it: %j", (rest, [path, value, message]) => {
    expect(failure(sale({ discount: 100 }), refund(rest))).toMatchObject({
      problems: [{ path, value, message }],
      message: `${path}: ${message}`,
    })
  })

  it("with the wrong sign says which one the item has", () => {
    expect(failure(sale({ amount: -900 }), refund({ amount: 5 }))?.message).toBe(
      "amount: must be a whole number of cents below 0, as the item's amount after discount (-900), got 5",
    )
  })

  it("of no shape at all is refused, and names its fields", () => {
    expect(failure(sale(), JSON.parse('{"orderId":5,"itemId":null,"amount":1}'))?.message).toBe(
      "orderId: must be a text, got 5; itemId: must be a text, got null; refundedAt: must be whole Unix seconds within the years 1 to 9999, got nothing",
    )
    for (const input of ["{}", "null", '{"orderId":5,"itemId":"1","refundedAt":"now"}']) {
      expect(failure(sale(), JSON.parse(input))?._tag).toBe("InvalidRefund")
    }
    expect(failure(sale(), refund({ amount: 5, refundedAt: Number.NaN }))).toMatchObject({
      problems: [{ path: "refundedAt", value: Number.NaN }],
    })
  })

  it("of another order or of another item is refused, and says which of the two", () => {
    expect(failure(sale(), refund({ orderId: "1002", quantity: 1 }))).toMatchObject({
      _tag: "RefundOfUnknownItem",
      unknown: "order",
      orderId: "1002",
      itemId: "1",
      message: 'the split is of order "1001", and the refund of order "1002" (item "1")',
    })
    expect(failure(sale(), refund({ itemId: "9", quantity: 1 }))).toMatchObject({
      _tag: "RefundOfUnknownItem",
      unknown: "item",
      orderId: "1001",
      itemId: "9",
      message: 'order "1001" has no item "9"',
    })
  })

  it("gives the store back exactly its rest where the shares together are beyond every number", () => {
    const all = { type: "products.all" } as const
    const both = RuleSet.make([
      { id: "a", collaboratorId: "a", link: all, percent: 0, shippingPercent: 100 },
      { id: "b", collaboratorId: "b", link: all, percent: 60 },
      { id: "c", collaboratorId: "c", link: all, percent: 60 },
    ])
    const amount = Number.MAX_SAFE_INTEGER - 10
    const split = Split.order(
      both,
      { id: "1001", currency: "USD", shippingAmount: 10, items: [{ ...item, amount }] },
      SplitPolicy.make({ shipping: "charge", overAllocation: "scale" }),
    )
    const reversal = Result.getOrThrow(Refund.reverse(split, refund({ quantity: 3 })))
    expect(reversal.shares.map((share) => share.amount)).toEqual(
      split.shares.map((share) => share.amount),
    )
    expect([reversal.fullyRefunded, reversal.store]).toEqual([true, split.store[0]?.amount])
    expect(reversal.store).toBe(0)
  })

  it("is refused where earlier refunds that are told can't have been made", () => {
    const wrong = [null, refund({}), refund({ amount: 0.5 }), refund({ quantity: -1 })]
    const paths = wrong.map((earlier) => {
      const error = Reflect.apply(failure, undefined, [
        sale(),
        refund({ quantity: 1 }),
        [refund({ quantity: 1 }), earlier],
      ])
      return [error._tag, error.problems[0].path]
    })
    expect(paths).toEqual([
      ["InvalidRefund", "earlier[1]"],
      ["InvalidRefund", "earlier[1].amount"],
      ["InvalidRefund", "earlier[1].amount"],
      ["InvalidRefund", "earlier[1].quantity"],
    ])
  })

  it("is refused where what the store gives back on the way is beyond every number", () => {
    const most = Number.MAX_SAFE_INTEGER
    const split = sale({ amount: most, quantity: 1 })
    const [reckoned] = split.items
    const share = (groupId: string, amount: number) => ({
      ...{ groupId, collaboratorId: groupId, itemId: "1", amount, shippingAmount: 0, base: 0 },
      ...{ percent: null, flatAmount: null, deducting: false, percentTotal: 0, flatTotal: 0 },
      ...{ beforeShipping: amount, claim: amount },
    })
    // Each share is rounded up by nearly half a cent, and what they take away stays with the store.
    const shares = ["a", "b", "c", "d"].map((id) => share(id, -Math.floor(most / 8)))
    const made = {
      ...split,
      shares,
      items: reckoned === undefined ? [] : [{ ...reckoned, distributable: most }],
    }
    expect(failure(made, refund({ amount: most - 1 }))?._tag).toBe("AmountOutOfRange")
  })

  it("is exact for the largest amounts", () => {
    const huge = Split.order(RuleSet.make([rules.groups[0]].flatMap((group) => group ?? [])), {
      id: "1001",
      currency: "USD",
      items: [{ ...item, amount: Number.MAX_SAFE_INTEGER, quantity: 1 }],
    })
    const most = Number.MAX_SAFE_INTEGER - 1
    const [first, second] = taken(huge, [refund({ amount: most }), refund({ amount: 1 })])
    const share = huge.shares[0]?.amount ?? 0
    expect((first?.[0] ?? 0) + (second?.[0] ?? 0)).toBe(share)
    expect(first?.[0]).toBe(
      Number((BigInt(share) * BigInt(most) * 2n + 9007199254740991n) / (2n * 9007199254740991n)),
    )
  })
})

describe("an order that can't be split", () => {
  it("tells every problem with its path and value", () => {
    const broken = {
      id: "1001",
      currency: JSON.parse("5"),
      shippingAmount: 1.5,
      items: [
        { ...item, quantity: -1, amount: Number.NaN },
        { ...item, discount: 2 ** 53 },
      ],
    }
    const result = Split.orderResult(rules, broken)
    expect(
      Result.isFailure(result) && result.failure._tag === "InvalidOrder" && result.failure.problems,
    ).toMatchObject([
      { path: "currency", value: 5 },
      { path: "shippingAmount", value: 1.5 },
      { path: "items[0].quantity", value: -1 },
      { path: "items[0].amount", value: Number.NaN },
      { path: "items[1].discount", value: 2 ** 53 },
    ])
  })

  it("tells what is wrong between its fields", () => {
    const result = Split.orderResult(rules, {
      id: "1001",
      currency: "usd",
      items: [
        item,
        { ...item, amount: -1, discount: Number.MAX_SAFE_INTEGER },
        { ...item, id: "3" },
      ],
    })
    expect(
      Result.isFailure(result) && result.failure._tag === "InvalidOrder" && result.failure.problems,
    ).toMatchObject([
      { path: "currency", value: "usd" },
      { path: "items[1].discount", value: Number.MAX_SAFE_INTEGER },
      { path: "items[1].id", value: "1" },
    ])
  })

  it("is told with the exact figure that no number can hold", () => {
    const result = Split.orderResult(rules, {
      id: "1001",
      currency: "USD",
      shippingAmount: 1,
      items: [{ ...item, amount: Number.MAX_SAFE_INTEGER }],
    })
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "AmountOutOfRange",
      value: "9007199254740992",
      message: expect.stringContaining("what item 1 brought in is 9007199254740992"),
    })
  })

  it("is not split by a list of groups that was never made a rule set", () => {
    for (const groups of ["[]", "null", "5", '[{"id":"g"}]']) {
      const order = { id: "1001", currency: "USD", items: [item] }
      const result = Split.orderResult(JSON.parse(groups), order)
      expect(Result.isFailure(result) && result.failure._tag).toBe("InvalidRuleSet")
    }
    const result = Split.orderResult(JSON.parse("5"), { id: "1", currency: "USD", items: [] })
    const message = "a rule set is made of groups by RuleSet.make, got 5"
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      problems: [{ path: "groups", value: 5, message }],
      message: `groups: ${message}`,
    })
  })

  it("is refused for its rule set, and not for itself, when that was forged", () => {
    const forged: RuleSet.RuleSet = JSON.parse('{"groups":[null]}')
    const order = { id: "1001", currency: "USD", items: [item] }
    const result = Split.orderResult(forged, order)
    expect(Result.isFailure(result) && result.failure._tag).toBe("InvalidRuleSet")
  })

  it("is refused without a bare error when it is no order at all", () => {
    for (const input of [
      "null",
      "{}",
      "[]",
      '{"items":5}',
      '{"id":"1","currency":"USD","items":[null]}',
      '{"id":5,"currency":"USD","items":[]}',
      '{"id":"1","currency":"USD","createdAt":1746180000000,"items":[]}',
      '{"id":"1","currency":"USD","taxesIncluded":"no","items":[]}',
      '{"id":"1","currency":"USD","items":[{}]}',
      '{"id":"1","currency":"USD","items":[{"id":"1","quantity":1,"amount":5,"product":{"id":"p","tags":[7]}}]}',
      '{"id":"1","currency":"USD","tags":"art","items":[]}',
    ]) {
      const result = Split.orderResult(rules, JSON.parse(input))
      expect(Result.isFailure(result) && result.failure._tag).toBe("InvalidOrder")
    }
  })
})

describe("a refund of shipping", () => {
  const shared = SplitPolicy.make({ shipping: "share" })
  const order: Order.Order = {
    id: "1001",
    currency: "USD",
    shippingAmount: 1_000,
    items: [item, { ...item, id: "2", amount: 3_000 }],
  }
  /** Of 1,000 shipping item 1 has 250, item 2 has 750; ada earns 62 and 188 of it, zoe nothing. */
  const shipped = (policy = shared) => Split.order(rules, order, policy)
  const shipping = (amount: number, rest: Partial<Refund.Refund> = {}) =>
    refund({ shippingAmount: amount, shippingTotal: 1_000, ...rest })
  const parts = (split: Split.Split, refunds: ReadonlyArray<Refund.Refund>) =>
    refunds.map((each, index) => {
      const earlier = refunds.slice(0, index)
      const { shares, store } = Result.getOrThrow(Refund.reverse(split, each, { earlier }))
      const told = shares.map((share) => [share.groupId, share.amount, share.shippingAmount])
      return [...told, store]
    })

  it("takes back the shipping of those who earned on it, and nothing of the goods", () => {
    expect(shipped().shares.map(({ amount, shippingAmount }) => [amount, shippingAmount])).toEqual([
      [313, 63],
      [21, 0],
      [938, 188],
      [21, 0],
    ])
    expect(parts(shipped(), [shipping(500), shipping(500)])).toEqual([
      [["a", 32, 32], 93],
      [["a", 31, 31], 94],
    ])
    expect(parts(shipped(), [shipping(1_000, { itemId: "2" })])).toEqual([[["a", 188, 188], 562]])
  })

  it("is not taken back again with the goods, nor the goods' shipping with it", () => {
    const unit = refund({ quantity: 1 })
    const [first, second] = parts(shipped(), [unit, shipping(333)])
    expect(first).toEqual([["a", 104, 21], ["b", 7, 0], 306])
    expect(second).toEqual([["a", 0, 0], 0])
    const whole = refund({ quantity: 3 })
    const all = parts(shipped(), [shipping(1_000), whole])
    expect(all).toEqual([
      [["a", 63, 63], 187],
      [["a", 250, 0], ["b", 21, 0], 729],
    ])
    expect(parts(shipped(), [whole, shipping(1_000)])[1]).toEqual([["a", 0, 0], 0])
    expect(parts(shipped(), [whole])[0]).toEqual([["a", 313, 63], ["b", 21, 0], 916])
  })

  it("does not refund the item, of which all still remains", () => {
    const reversal = Refund.reverse(shipped(), shipping(1_000))
    expect(Result.getOrThrow(reversal).fullyRefunded).toBe(false)
    const rest = Refund.reverse(shipped(), refund({ remaining: true }), {
      earlier: [shipping(1_000)],
    })
    expect(Result.getOrThrow(rest)).toMatchObject({ fullyRefunded: true, store: 729 })
  })

  it("is the store's where the store keeps the shipping, and undoes no charge", () => {
    const kept = shipped(SplitPolicy.make({ shipping: "store" }))
    expect(parts(kept, [shipping(400)])).toEqual([[100]])
    const charged = shipped(SplitPolicy.make({ shipping: "charge" }))
    expect(charged.shares[0]).toMatchObject({ amount: 187, shippingAmount: -63 })
    expect(parts(charged, [shipping(1_000)])).toEqual([[250]])
    const [, whole] = parts(charged, [shipping(1_000), refund({ quantity: 3 })])
    expect(whole).toEqual([["a", 187, -63], ["b", 21, 0], 792])
  })

  it("can't be of more than there was, nor without saying how much that was", () => {
    const beyond = failure(shipped(), shipping(501), [shipping(500)])
    expect(beyond).toMatchObject({
      _tag: "RefundExceedsItem",
      remainingAmount: 1_000,
      remainingQuantity: 3,
      message:
        "a refund of 501 of 1000 cents of shipping is more than what remains of item 1 of order 1001: 500 cents of shipping",
    })
    const pathsOf = (each: Refund.Refund) => {
      const found = failure(shipped(), each)
      return found?._tag === "InvalidRefund" ? found.problems.map(({ path }) => path) : found
    }
    expect(pathsOf(refund({ shippingAmount: 5 }))).toEqual(["shippingTotal"])
    expect(pathsOf(refund({ shippingAmount: 5, shippingTotal: 0 }))).toEqual(["shippingTotal"])
    expect(pathsOf(refund({ shippingAmount: 5, shippingTotal: 1.5 }))).toEqual(["shippingTotal"])
    expect(pathsOf(shipping(0))).toEqual(["shippingAmount"])
    expect(pathsOf(shipping(-5))).toEqual(["shippingAmount"])
    expect(pathsOf(refund({ quantity: 1, shippingTotal: 5 }))).toEqual(["shippingTotal"])
    expect(pathsOf(shipping(5, { quantity: 1 }))).toEqual(["quantity"])
  })

  it("is mirrored for an order that gives money back", () => {
    const mirrored: Order.Order = {
      ...order,
      shippingAmount: -1_000,
      items: order.items.map((one) => ({ ...one, amount: -one.amount })),
    }
    const back = refund({ shippingAmount: -500, shippingTotal: -1_000 })
    const [taking] = parts(Split.order(rules, mirrored, shared), [back])
    expect(taking).toEqual([["a", -32, -32], -93])
  })
})
