import { Cents, Refund, RuleSet, Split } from "apportion"
import { type AgreementItem, Agreements, Balances } from "apportion/agreements"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { broken } from "./Histories.js"

const advance = { id: "a1", collaboratorId: "ada", currency: "USD", amount: 1_000, grantedAt: 0 }
const schedule = [{ days: 30, percent: 100 }]
const reserve = { id: "r1", collaboratorId: "ada", percent: 20, schedule }
const guarantee = {
  ...{ id: "m1", collaboratorId: "ada", currency: "USD", amount: 1_000 },
  ...{ from: 0, until: 86_400 },
}
const override = {
  ...{ id: "o1", collaboratorId: "max", from: "ada" },
  ...{ of: "share", paidBy: "share", percent: 15 },
}

const agree = (input: unknown) => Result.getOrThrow(Agreements.read(input))

/** The problems of agreements, as `path: message`. */
const problemsOf = (input: unknown): ReadonlyArray<string> => {
  const result = Agreements.read(input)
  if (Result.isSuccess(result)) return []
  return result.failure.problems.map(({ path, message }) => `${path}: ${message}`)
}

const most = Number.MAX_SAFE_INTEGER

describe("agreements are refused", () => {
  const refused: ReadonlyArray<readonly [what: string, input: unknown, problem: string]> = [
    ["that are no object", [], ": must be object, got []"],
    [
      "without a name",
      { advances: [{ ...advance, id: "" }] },
      'advances[0].id: must be a value with a length of at least 1, got ""',
    ],
    [
      "with an amount below zero",
      { advances: [{ ...advance, amount: -1 }] },
      "advances[0].amount: must be a whole number from 0 to 9007199254740991, got -1",
    ],
    [
      "with a fraction of a cent",
      { guarantees: [{ ...guarantee, amount: 0.5 }] },
      "guarantees[0].amount: must be a whole number from 0 to 9007199254740991, got 0.5",
    ],
    [
      "with more than 100 %",
      { overrides: [{ ...override, percent: "100.01" }] },
      'overrides[0].percent: must be a percentage from 0 to 100 with at most two decimals, got "100.01"',
    ],
    [
      "with an empty list of groups",
      { reserves: [{ ...reserve, groups: [] }] },
      "reserves[0].groups: must name at least one, got an empty list",
    ],
    [
      "with a group twice",
      { reserves: [{ ...reserve, groups: ["g1", "g1"] }] },
      "reserves[0].groups[1]: must not repeat: it is the same as the one at 0",
    ],
    [
      "whose percentage is misspelt",
      { advances: [{ ...advance, precent: 50 }] },
      "advances[0].precent: is no field and would have no effect, did you mean percent?",
    ],
    [
      "with one id twice",
      { advances: [advance, advance] },
      "advances[1].id: must be an id of its own: advances[0] has it too",
    ],
    [
      "where an advance names its own collaborator as another one",
      { advances: [{ ...advance, alsoFrom: ["ben", "ada"] }] },
      "advances[0].alsoFrom[1]: must be other collaborators: the advance is that of ada",
    ],
    [
      "with a schedule that releases too little",
      { reserves: [{ ...reserve, schedule: [{ days: 30, percent: "99.99" }] }] },
      "reserves[0].schedule: must have percentages that add up to 100, got 99.99",
    ],
    [
      "with a schedule that goes back in time",
      {
        reserves: [
          {
            ...reserve,
            schedule: [
              { days: 30, percent: 50 },
              { days: 30, percent: 50 },
            ],
          },
        ],
      },
      "reserves[0].schedule[1].days: must be later than the step before, got 30 days",
    ],
    [
      "with a schedule of centuries",
      { reserves: [{ ...reserve, schedule: [{ days: 36_526, percent: 100 }] }] },
      "reserves[0].schedule[0].days: must be a whole number of days from 0 to 36525, got 36526",
    ],
    [
      "where reserves withhold more than a share",
      {
        reserves: [
          { ...reserve, percent: 60, groups: ["g1"] },
          { ...reserve, id: "r2", percent: 50 },
        ],
      },
      "reserves[1].percent: must leave no share claimed by more than 100 %, got 50.00 beside reserves[0]",
    ],
    [
      "with a period that ends when it begins",
      { guarantees: [{ ...guarantee, until: 0 }] },
      "guarantees[0].until: must be after the period's beginning (0), got 0",
    ],
    [
      "with an override of one's own share",
      { overrides: [{ ...override, collaboratorId: "ada" }] },
      "overrides[0].from: must be somebody else than who gets the override, got ada",
    ],
    [
      "with an override of nobody's share",
      { overrides: [{ ...override, from: null }] },
      "overrides[0].from: must say whose share it is about, unless the override is of the sale and paid by the store",
    ],
    [
      "where overrides take more than a share",
      {
        overrides: [
          { ...override, percent: 60 },
          { ...override, id: "o2", collaboratorId: "eve", percent: 50, groups: ["g1"] },
        ],
      },
      "overrides[1].percent: must leave no share claimed by more than 100 %, got 50.00 beside overrides[0]",
    ],
    [
      "where overrides take more than a sale, each of other groups",
      {
        overrides: ["g1", "g2"].map((id) => ({
          ...{ ...override, id, of: "sale", paidBy: "store", from: null },
          ...{ percent: 60, groups: [id] },
        })),
      },
      "overrides[1].percent: must leave no share claimed by more than 100 %, got 60.00 beside overrides[0]",
    ],
  ]

  for (const [what, input, problem] of refused) {
    test(what, () => {
      expect(problemsOf(input)).toEqual([problem])
    })
  }

  test("with a circle of overrides, each link of it", () => {
    const overrides = [
      { ...override, collaboratorId: "ben" },
      { ...override, id: "o2", from: "ben", collaboratorId: "čar" },
      { ...override, id: "o3", from: "čar", collaboratorId: "ada" },
      { ...override, id: "o4", from: "dan", collaboratorId: "eve" },
    ]
    expect(problemsOf({ overrides })).toEqual(
      [0, 1, 2].map(
        (place) => `overrides[${place}].from: must not be in a circle of overrides, or follow one`,
      ),
    )
  })

  test("with a ninth link of a chain, and only that one", () => {
    const chainOf = (links: number) =>
      Array.from({ length: links }, (_, place) => ({
        ...{ ...override, id: `o${place}`, from: `p${place}`, collaboratorId: `p${place + 1}` },
      }))
    expect(problemsOf({ overrides: chainOf(8) })).toEqual([])
    expect(problemsOf({ overrides: chainOf(9) })).toEqual([
      "overrides[8].from: must leave a chain of at most 8 overrides: 8 lead to p8 already",
    ])
    expect(problemsOf({ overrides: chainOf(2_000) })).toHaveLength(1)
  })

  test("that throw when they are looked at", () => {
    const input = {
      get advances(): never {
        throw new RangeError("no")
      },
    }
    expect(problemsOf(input)).toEqual([": can't be read: it throws when it is looked at"])
  })
})

describe("agreements", () => {
  test("that leave everything out are none", () => {
    const none = { advances: [], reserves: [], guarantees: [], overrides: [] }
    expect(agree({})).toEqual(none)
  })

  test("may take all of a share of two groups, of each its own", () => {
    const overrides = ["g1", "g2"].map((id) => ({
      ...{ ...override, id, groups: [id], percent: 100 },
    }))
    expect(problemsOf({ overrides })).toEqual([])
  })

  test("that were read can be kept as JSON and read again", () => {
    const set = agree({
      ...{ advances: [advance], reserves: [reserve] },
      ...{ guarantees: [guarantee], overrides: [override] },
    })
    expect(agree(JSON.parse(JSON.stringify(set)))).toEqual(set)
  })
})

const shareOf = (amount: number, groupId = "g1", collaboratorId = "ada") => ({
  ...{ itemId: "1", groupId, collaboratorId, amount },
})

const sale = {
  ...{ orderId: "1", currency: "USD", at: 0 },
  shares: [shareOf(1_000)],
  store: [{ itemId: "1", amount: 500 }],
}

const problemsOfPosting = (result: ReturnType<typeof Agreements.post>): ReadonlyArray<string> => {
  if (Result.isSuccess(result)) return []
  if (!(result.failure instanceof Agreements.InvalidPosting)) return [result.failure.message]
  return result.failure.problems.map(({ path, message }) => `${path}: ${message}`)
}

describe("a posting is refused", () => {
  const none = agree({})

  const refused: ReadonlyArray<readonly [what: string, input: object, problem: string]> = [
    [
      "with a fraction of a cent",
      { shares: [shareOf(0.5)] },
      "shares[0].amount: must be a whole number in the currency's lowest unit, within ±9007199254740991, got 0.5",
    ],
    [
      "in no currency",
      { currency: "USX" },
      'currency: must be an ISO 4217 currency code in capital letters, as USD, got "USX"',
    ],
    [
      "at a time in milliseconds",
      { at: 1_700_000_000_000 },
      "at: must be whole Unix seconds within the years 1 to 9999, got 1700000000000",
    ],
    [
      "with a share of an item that it does not have",
      { store: [{ itemId: "2", amount: 0 }] },
      'shares[0].itemId: must be an item that the store has a rest of, got "1"',
    ],
    [
      "with two shares of one group",
      { shares: [shareOf(1), shareOf(2)] },
      "shares[1].groupId: must have one share of an item: shares[0] is of the same item",
    ],
    [
      "with an item twice",
      { store: [...sale.store, ...sale.store] },
      "store[1].itemId: must be an item of its own: store[0] has it too",
    ],
    [
      "of more than can be counted exactly",
      { shares: [shareOf(most)] },
      "what item 1 brought in is 9007199254741491, outside ±9007199254740991, the range in which cents are exact",
    ],
  ]

  for (const [what, input, problem] of refused) {
    test(what, () => {
      const posted = Agreements.post(none, Balances.empty, { ...sale, ...input })
      expect(problemsOfPosting(posted)).toEqual([problem])
    })
  }

  test("when a guarantee has counted more than can be counted exactly", () => {
    const set = agree({ guarantees: [guarantee] })
    const balances = {
      ...Balances.empty,
      guarantees: [{ guaranteeId: "m1", earned: most, isClosed: false }],
    }
    const posted = Agreements.post(set, balances, sale)
    expect(Result.isFailure(posted) && posted.failure).toBeInstanceOf(Cents.AmountOutOfRange)
  })

  test("at no time", () => {
    for (const call of [Agreements.release, Agreements.close]) {
      expect(problemsOfPosting(call(none, Balances.empty, { at: 0.5 }))).toEqual([
        "at: must be whole Unix seconds within the years 1 to 9999, got 0.5",
      ])
    }
  })

  test("when a shortfall is more than can be counted exactly", () => {
    const set = agree({ guarantees: [{ ...guarantee, amount: most }] })
    const balances = {
      ...Balances.empty,
      guarantees: [{ guaranteeId: "m1", earned: -1, isClosed: false }],
    }
    const closed = Agreements.close(set, balances, { at: 86_400 })
    expect(Result.isFailure(closed) && closed.failure).toBeInstanceOf(Cents.AmountOutOfRange)
  })
})

describe("a refund is refused", () => {
  const set = agree({ advances: [advance], reserves: [reserve] })
  const sold = Result.getOrThrow(Agreements.post(set, Balances.empty, sale))
  const reversal = {
    ...{ orderId: "1", itemId: "1", refundedAt: 0 },
    ...{ shares: [{ groupId: "g1", amount: 1_000 }], store: 500 },
  }
  const refund = (input: object, balances = sold.balances) =>
    problemsOfPosting(Agreements.refund(balances, sold.items, { ...reversal, ...input }))

  test("of an item without recorded lines", () => {
    expect(refund({ itemId: "2" })).toEqual([
      'itemId: must be an item with recorded lines, got "2" of order "1"',
    ])
  })

  test("of a group without a share", () => {
    expect(refund({ shares: [{ groupId: "g2", amount: 1 }] })[0]).toBe(
      'shares[0].groupId: must be a group that has a share of the item, named once, got "g2"',
    )
  })

  test("of more than is left of a share, or in the other sign", () => {
    for (const amount of [1_001, -1]) {
      expect(refund({ shares: [{ groupId: "g1", amount }], store: 0 })[0]).toBe(
        `shares[0].amount: must be a part of what is left of the share (1000), got ${amount}`,
      )
    }
  })

  test("of more than is left of the item", () => {
    expect(refund({ store: 501 })).toEqual([
      "store: must bring what is taken back to a part of what is left of the item (1500), got 1501 with the shares",
    ])
  })

  test("with balances that lack what was recouped", () => {
    expect(refund({}, { ...sold.balances, advances: [] })).toEqual([
      "balances.advances.a1: must have what was recouped of advance a1, which is more",
    ])
  })

  test("with balances that lack what was withheld", () => {
    const held = sold.balances.held.map((part) => ({ ...part, amount: 1 }))
    expect(refund({}, { ...sold.balances, held })).toEqual([
      "balances.held.r1: must have what was withheld of item 1 of order 1, which is more",
    ])
  })

  test("whose lines throw when they are looked at", () => {
    const items = new Proxy<ReadonlyArray<AgreementItem>>([], {
      get: () => {
        throw new RangeError("no")
      },
    })
    expect(problemsOfPosting(Agreements.refund(sold.balances, items, reversal))).toEqual([
      ": can't be read: it throws when it is looked at",
    ])
  })
})

describe("a split of the core", () => {
  const rules = RuleSet.make([
    { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 40 },
  ])
  const item = { id: "1", product: { id: "p1" }, quantity: 3, amount: 9_999 }
  const split = Split.order(rules, { id: "1", currency: "USD", items: [item] })
  const set = agree({ advances: [advance], reserves: [reserve], overrides: [override] })

  test("is posted as it is, and its refunds bring everything back", () => {
    let { items, balances } = Result.getOrThrow(
      Agreements.post(set, Balances.empty, { ...split, at: 0 }),
    )
    const refunds: Array<Refund.Refund> = []
    for (const quantity of [1, 1, 1]) {
      const refund = { orderId: "1", itemId: "1", quantity, refundedAt: 60 }
      const reversal = Result.getOrThrow(Refund.reverse(split, refund, { earlier: refunds }))
      const refunded = Result.getOrThrow(Agreements.refund(balances, items, reversal))
      refunds.push(refund)
      items = [...items, ...refunded.items]
      balances = refunded.balances
      expect(broken(items, balances)).toEqual([])
    }
    expect(balances).toMatchObject({ advances: [], held: [], guarantees: [] })
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
  })
})

/** Balances that follow from lines alone. */
const replayed = (items: ReadonlyArray<AgreementItem>) => {
  const recouped = new Map<string, number>()
  const held = new Map<string, number>()
  const earned = new Map<string, number>()
  const add = (sums: Map<string, number>, key: string, amount: number) =>
    sums.set(key, (sums.get(key) ?? 0) + amount)
  for (const item of items) {
    if (item.kind === "recoupment") add(recouped, item.advanceId, -item.amount)
    if (item.kind === "reserve") add(held, item.reserveId, -item.amount)
    if (item.kind === "release") add(held, item.reserveId, -item.amount)
    const steps = "guarantees" in item ? item.guarantees : []
    for (const { guaranteeId, before, after } of steps) add(earned, guaranteeId, after - before)
  }
  return { recouped, held, earned }
}

describe("whatever amounts there are", () => {
  const extremes = fc.oneof(
    fc.constantFrom(0, 1, -1, 2, most, -most, 4_503_599_627_370_495),
    fc.integer({ min: -1_000, max: 1_000 }),
    fc.maxSafeInteger(),
  )
  const percents = fc.oneof(
    fc.constantFrom("0.00", "0.01", "33.33", "50.00", "99.99", "100.00"),
    fc.integer({ min: 0, max: 100 }).map(String),
  )
  const ids = fc.oneof(
    fc.constantFrom("ada", "__proto__", "constructor", "\u0000", "𝔻", " ", "e\u0301", "é"),
    fc.string({ minLength: 1, maxLength: 5, unit: "grapheme" }),
  )

  test("lines balance, and the balances follow from the lines alone", () => {
    fc.assert(
      fc.property(
        fc.record({ of: extremes, store: extremes, who: ids, group: ids, agent: ids }),
        fc.record({ recoup: percents, withhold: percents, agent: percents }),
        extremes.map(Math.abs),
        ({ of, store, who, group, agent }, percent, amount) => {
          fc.pre(who !== agent)
          const set = agree({
            advances: [{ ...advance, collaboratorId: who, amount, percent: percent.recoup }],
            reserves: [{ ...reserve, collaboratorId: who, percent: percent.withhold }],
            guarantees: [{ ...guarantee, collaboratorId: who, amount }],
            overrides: [{ ...override, from: who, collaboratorId: agent, percent: percent.agent }],
          })
          const shares = [shareOf(of, group, who)]
          const posted = Agreements.post(set, Balances.empty, {
            ...{ ...sale, shares, store: [{ itemId: "1", amount: store }] },
          })
          if (Result.isFailure(posted)) {
            expect(Number.isSafeInteger(of + store)).toBe(false)
            return
          }
          const { items, balances } = posted.success
          expect(broken(items, balances)).toEqual([])
          const { recouped, held, earned } = replayed(items)
          expect(recouped.get("a1") ?? 0).toBe(
            amount - Balances.open(balances, { id: "a1", amount }),
          )
          expect(held.get("r1") ?? 0).toBe(Balances.heldOf(balances, "r1", "USD"))
          expect(earned.get("m1") ?? 0).toBe(of)
          expect(Result.getOrThrow(Balances.parse(JSON.parse(JSON.stringify(balances))))).toEqual(
            balances,
          )
        },
      ),
      runs(500),
    )
  })
})
