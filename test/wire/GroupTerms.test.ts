import { CountedRules, ProductGroup, RuleSet, Terms } from "apportion"
import { Group } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const request = {
  id: "g1",
  collaborator_id: "ada",
  itemType: "products.tag",
  items: ["art"],
}
const bands = [
  { from: 0, percent: 10 },
  { from: 1_000, percent: "12.5" },
]
const tiers = { counted: "units", bands }
const cap = { amount: 50_000, period: "month" }
const tiersRead = {
  counted: "units",
  per: "group",
  period: "lifetime",
  bands: [
    { from: 0, percent: "10.00" },
    { from: 1_000, percent: "12.50" },
  ],
}
const capRead = { amount: 50_000, per: "group", period: "month" }

const read = (changes: object) => Result.getOrThrow(Group.read({ ...request, ...changes }))

const saidOf = (result: ReturnType<typeof Group.read>): ReadonlyArray<string> =>
  Result.isFailure(result)
    ? result.failure.problems.map(({ path, message }) => `${path}: ${message}`)
    : []
const problems = (changes: object) => saidOf(Group.read({ ...request, ...changes }))

describe("the terms of a group", () => {
  it("are read with their defaults; tiers are its percentage", () => {
    const group = read({ terms: { tiers, cap } })
    expect(group.terms).toEqual({ tiers: tiersRead, cap: capRead })
    expect(group.percent).toBeNull()
    expect(group.amount).toBeNull()
    expect(read({ type: "percentage", terms: { tiers } }).terms).toEqual({
      tiers: tiersRead,
      cap: null,
    })
  })

  it("are read beside a percentage where they are only a cap", () => {
    const group = read({ percent: 10, terms: { cap } })
    expect(group.percent).toBe("10.00")
    expect(group.terms).toEqual({ tiers: null, cap: capRead })
  })

  it("are read beside a flat amount", () => {
    const both = read({ type: "both", amount: 500, terms: { tiers } })
    expect([both.percent, both.amount, both.terms?.tiers]).toEqual([null, 500, tiersRead])
    const flat = read({ type: "flat", amount: 500, terms: { cap } })
    expect([flat.percent, flat.amount, flat.terms?.cap]).toEqual([null, 500, capRead])
    expect(read({ type: "percentage", amount: 500, terms: { tiers } }).amount).toBeNull()
  })

  it("are absent where the group has none", () => {
    expect("terms" in read({ percent: 10 })).toBe(false)
    expect("terms" in read({ percent: 10, terms: null })).toBe(false)
  })

  it("are read from an answer's shape too", () => {
    const answer = { id: "g1", type: "products.all", type_values: [], collaborator: { id: "ada" } }
    const group = Result.getOrThrow(Group.read({ ...answer, percent: null, terms: { tiers } }))
    expect(group.terms?.tiers).toEqual(tiersRead)
    expect(group.percent).toBeNull()
    expect(saidOf(Group.read({ ...answer, percent: "10.00", terms: { tiers } }))).toEqual([
      "percent: must be absent beside tiers, whose bands have the percentages",
    ])
  })

  it("make rules that count, and none that don't", () => {
    const group = read({ terms: { tiers, cap } })
    expect(Result.getOrThrow(CountedRules.parse([group])).counted[0]?.terms).toEqual(group.terms)
    const plain = RuleSet.parse([group])
    expect(Result.isFailure(plain) && plain.failure.problems.map(({ path }) => path)).toContain(
      "[0].terms",
    )
  })

  it("are written only where there are some, and read again", () => {
    const group = read({ terms: { tiers, cap }, type: "both", amount: 5 })
    const written = Group.writeRequest(group)
    expect(written.type).toBe("both")
    expect(written.percent).toBeNull()
    expect(Result.getOrThrow(Group.read(JSON.parse(JSON.stringify(written))))).toEqual(group)
    expect("terms" in Group.writeRequest(read({ percent: 10 }))).toBe(false)
    const [counted] = CountedRules.make([group]).counted
    expect(counted === undefined ? undefined : Group.writeRequest(counted)).toEqual(written)
  })

  it("are refused with the path and the value of each problem", () => {
    expect(
      problems({
        terms: {
          tiers: { counted: "copies", per: "store", bands: [{ from: 5, percent: 101 }] },
          cap: { amount: -1, periods: "month" },
        },
      }),
    ).toEqual([
      'terms.tiers.counted: must be "units" or "base" or "share", got "copies"',
      'terms.tiers.per: must be "group" or "collaborator", got "store"',
      "terms.tiers.bands[0].percent: must be a percentage from 0 to 100 with at most two decimals, got 101",
      "terms.cap.amount: must be a whole number from 0 to 9007199254740991, got -1",
      "terms.cap.periods: is no field of a cap; the fields are amount, per, period",
      "terms.tiers.bands[0].from: must be 0 in the first band, got 5",
    ])
    expect(problems({ percent: 5, terms: "10 %" })).toEqual([
      expect.stringMatching(/^terms: must be object, got "10 %"/),
    ])
    expect(problems({ percent: 5, terms: {} })).toEqual(["terms: terms are tiers, a cap or both"])
    expect(saidOf(Group.read({ ...request, terms: { tiers: {} } }, { path: "[3]" }))[0]).toMatch(
      /^\[3\]\.terms\.tiers\.counted: /,
    )
  })

  it("are refused where they could not be meant", () => {
    expect(problems({ percent: 10, terms: { tiers } })).toEqual([
      "percent: must be absent beside tiers, whose bands have the percentages",
    ])
    expect(problems({ type: "flat", amount: 5, terms: { tiers } })).toEqual([
      "type: must be percentage or both for a group with tiers, got flat",
    ])
    expect(problems({ amount: 5, terms: { tiers } })).toEqual([
      "type: is missing, it must be percentage, flat or both: both tiers and amount are given",
    ])
    expect(problems({ terms: { cap } })).toEqual([
      "type: is missing, it must be percentage, flat or both: there is no percent and no amount",
    ])
  })

  it("that throw when they are read are refused", () => {
    const terms = {
      get tiers(): never {
        throw new RangeError("not here")
      },
    }
    expect(problems({ percent: 5, terms })).toEqual([
      ": can't be read: it throws when it is looked at",
    ])
  })
})

const link = { type: "products.all" } as const
const plain = ProductGroup.make({ id: "g1", collaboratorId: "ada", link, percent: 10 })
const terms = Terms.make({ tiers: { counted: "units", bands }, cap: { amount: 500 } })
const tiered: Group.TermedGroup = { ...plain, percent: null, terms }

const merged = (group: Group.TermedGroup, input: object) => {
  const { percent, amount, terms } = Result.getOrThrow(Group.merge(group, input))
  return { percent, amount, terms }
}
const mergeProblems = (group: Group.TermedGroup, input: object) => saidOf(Group.merge(group, input))

describe("a change of a group's terms", () => {
  it("is none where it says nothing of them", () => {
    expect(Result.getOrThrow(Group.merge(tiered, { max_amount: 900 }))).toEqual({
      ...tiered,
      maxAmount: 900,
    })
  })

  it("replaces them as a whole; tiers take the place of a percentage", () => {
    const none = { tiers: null, cap: { amount: 7, per: "group", period: "lifetime" } }
    expect(merged(plain, { terms: { cap: { amount: 7 } } })).toEqual({
      percent: "10.00",
      amount: null,
      terms: none,
    })
    expect(merged(plain, { terms: { tiers } })).toEqual({
      percent: null,
      amount: null,
      terms: { tiers: tiersRead, cap: null },
    })
    expect(mergeProblems(tiered, { terms: { cap: { amount: 7 } } })).toEqual([
      "percent: is missing, it must be set when type is percentage",
    ])
  })

  it("takes them away with null, and then needs a percentage or an amount", () => {
    expect(merged(tiered, { terms: null, percent: 5 })).toEqual({ percent: "5.00", amount: null })
    expect(mergeProblems(tiered, { terms: null })).toEqual([
      "percent: is missing, it must be set when type is percentage",
    ])
    expect(mergeProblems(tiered, { percent: 5 })).toEqual([
      "percent: must be absent beside tiers, whose bands have the percentages",
    ])
  })

  it("keeps what else a group pays", () => {
    const both = { ...tiered, amount: 500 }
    expect(merged(both, { amount: 600 })).toEqual({ percent: null, amount: 600, terms })
    expect(merged(both, { amount: null })).toEqual({ percent: null, amount: null, terms })
    expect(merged(both, { percent: null })).toEqual({ percent: null, amount: 500, terms })
    expect(merged(both, { terms: null })).toEqual({ percent: null, amount: 500 })
    expect(merged(both, { terms: null, percent: 5 })).toEqual({ percent: "5.00", amount: 500 })
    expect(merged({ ...plain, amount: 500 }, { percent: null })).toEqual({
      percent: null,
      amount: 500,
    })
  })

  it("of a flat group to tiers says what counts", () => {
    const flat = { ...plain, percent: null, amount: 500 }
    expect(mergeProblems(flat, { terms: { tiers } })).toContain(
      "type: is missing, it must be percentage for terms.tiers to count: the group is flat now",
    )
    expect(merged(flat, { type: "percentage", terms: { tiers } })).toEqual({
      percent: null,
      amount: null,
      terms: { tiers: tiersRead, cap: null },
    })
    expect(merged(flat, { type: "both", terms: { tiers } }).amount).toBe(500)
  })
})
