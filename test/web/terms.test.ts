import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import {
  draftOf,
  emptyDraft,
  missingIn,
  requestOf,
  wrongIn,
} from "../../src/web/console/GroupDraft.js"
import {
  firstCap,
  firstTiers,
  noTerms,
  problemsOfTerms,
  type TiersDraft,
  termsDraftOf,
  termsOf,
  withBand,
} from "../../src/web/parts/TermsDraft.js"
import { termsInWords } from "../../src/web/parts/TermsWords.js"
import { answer } from "../../src/web/playground/Answer.js"
import { examples } from "../../src/web/playground/Examples.js"
import { contentsOf, filesOf } from "../../src/web/playground/Files.js"
import { coloursOf, flowOf } from "../../src/web/playground/FlowLayout.js"
import { groupFields, readGroup, type Scenario } from "../../src/web/playground/Scenario.js"
import * as Group from "../../src/wire/Group.js"

const cents = (amount: number) => `${amount} cents`

const tiers: TiersDraft = {
  ...({ counted: "units", per: "group", period: "year" } as const),
  bands: [
    { from: 0, percent: "10.00" },
    { from: 1_000, percent: "15.00" },
  ],
}

describe("terms in a form", () => {
  test("come back as they were, and what can't be read is empty", () => {
    const terms = { tiers, cap: { amount: 500, per: "collaborator", period: "payout" } } as const
    expect(termsOf(termsDraftOf(terms))).toEqual(terms)
    expect(termsOf(termsDraftOf({ cap: { amount: 500 } }))).toEqual({
      cap: { amount: 500, per: "group", period: "lifetime" },
    })
    for (const none of [undefined, null, "terms", 7, [], {}]) {
      expect(termsOf(termsDraftOf(none))).toBeNull()
    }
    const wrong = { tiers: { counted: "words", bands: [{ from: "0" }, null] }, cap: [] }
    expect(termsDraftOf(wrong)).toEqual({
      tiers: {
        ...{ counted: "units", per: "group", period: "lifetime" },
        bands: [0, 1].map(() => ({ from: null, percent: null })),
      },
      cap: { amount: null, per: "group", period: "lifetime" },
    })
  })

  test("have each problem at its field, and what is empty is needed", () => {
    const bands = [
      { from: 0, percent: "10.00" },
      { from: 1_000, percent: null },
      { from: 1_000, percent: "12.00" },
    ]
    expect(problemsOfTerms({ tiers: { ...tiers, bands }, cap: firstCap })).toEqual({
      "tiers.bands[1].percent": "is needed",
      "tiers.bands[2].from": "must be above the bound of the band before it (1000), got 1000",
      "cap.amount": "is needed",
    })
    expect(problemsOfTerms(noTerms)).toEqual({})
  })

  test("begin with bands that are valid, each above the last", () => {
    for (const counted of ["units", "base", "share"] as const) {
      let grown = { ...firstTiers("12.50"), counted }
      for (let more = 0; more < 4; more += 1) grown = { ...withBand(grown), counted }
      expect(problemsOfTerms({ tiers: grown, cap: null })).toEqual({})
      expect(grown.bands.map(({ from }) => from)).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000])
    }
  })

  test("are said in words, empty ones too", () => {
    const cap = { amount: 500, per: "collaborator", period: "month" } as const
    expect(termsInWords({ tiers, cap }, cents)).toBe(
      "10 %, from 1,000 units on 15 % (a year), at most 500 cents a month, all groups of the collaborator together",
    )
    const typed = {
      ...tiers,
      bands: [
        { from: 0, percent: null },
        { from: null, percent: "5" },
      ],
    }
    expect(termsInWords({ tiers: typed, cap: firstCap }, cents)).toBe(
      "… %, from … on 5 % (a year), at most … a month",
    )
    const paid = { ...tiers, counted: "share" } as const
    expect(termsInWords({ tiers: paid, cap: null }, cents)).toContain(
      "from 1000 cents paid on 15 %",
    )
    expect(termsInWords(noTerms, cents)).toBe("")
  })
})

describe("terms of a group in the console", () => {
  const draft = { ...emptyDraft, items: "art", percent: "10.00" }

  test("are in its request, in the place of the percentage, and are cleared by name", () => {
    const request = requestOf({ ...draft, terms: { tiers, cap: null } })
    expect(request).toMatchObject({ percentage: null, terms: { tiers, cap: null } })
    const read = Group.read({ ...request, id: "g1", collaborator_id: "ada" })
    expect(Result.getOrThrow(read).terms).toEqual({ tiers, cap: null })
    expect(draftOf(request).terms).toEqual({ tiers, cap: null })
    expect(requestOf(draft).terms).toBeNull()
  })

  test("have no tiers where a flat amount alone is paid", () => {
    const flat = { ...draft, type: "flat", amount: "100", terms: { tiers, cap: null } } as const
    expect(requestOf(flat)).toMatchObject({ percentage: null, amount: 100, terms: null })
    expect(wrongIn({ ...flat, terms: { tiers: { ...tiers, bands: [] }, cap: null } })).toEqual({})
  })

  test("are looked at while they are typed: what is wrong, and what is still to be filled in", () => {
    const bands = [{ from: 5, percent: null }]
    const terms = { tiers: { ...tiers, bands }, cap: firstCap }
    expect(wrongIn({ ...draft, terms })).toEqual({
      "terms.tiers.bands[0].from": "must be 0 in the first band, got 5",
    })
    expect(missingIn({ ...draft, terms })).toEqual({
      "terms.tiers.bands[0].percent": "is needed",
      "terms.cap.amount": "is needed",
    })
  })
})

const [termed] = examples.flatMap(({ name, inputs }) =>
  name === "Tiers and a cap" ? [inputs] : [],
)

const answerTo = (scenario: Scenario | undefined) =>
  Result.getOrThrow(
    answer(scenario ?? { groups: [], order: {}, policy: {}, counters: [], other: null }),
  )

describe("counters in the playground", () => {
  test("go into the split, and come out of it for the next one", () => {
    const { split, counters, text, isCounting } = answerTo(termed)
    expect(isCounting).toBe(true)
    expect(split.shares.map(({ amount }) => amount)).toEqual([21_000, 30_000])
    expect(text).toContain("200 of its 300 units were at 10.00%, 100 at 15.00%")
    expect(text).toContain("60.00 USD less to stay within the cap")
    expect(counters.before).toEqual({
      "share/USD/2026-03/group/rio-shop": 20_000,
      "units/USD/lifetime/group/ines-novel": 800,
    })
    expect(counters.after).toEqual({
      "share/USD/2026-03/group/rio-shop": 50_000,
      "units/USD/lifetime/group/ines-novel": 1_100,
    })
    const fresh = answerTo(termed && { ...termed, counters: [] })
    expect(fresh.split.shares.map(({ amount }) => amount)).toEqual([18_000, 36_000])
  })

  test("have their problems told, and stop the split", () => {
    const wrong = termed && { ...termed, counters: [{ counted: "units", count: "many" }] }
    const failed = wrong === undefined ? undefined : answer(wrong)
    const problems = failed !== undefined && Result.isFailure(failed) ? failed.failure : []
    expect(problems.map(({ place }) => place)).toContain("counters")
    expect(problems.map(({ path }) => path)).toContain("[0].count")
  })

  test("are one of the files, and are recognised when it is opened", () => {
    const files = termed === undefined ? [] : filesOf(termed)
    expect(files.map(({ name }) => name)).toContain("counters.json")
    const contents = files.map(({ text }) => contentsOf(text))
    expect(contents).toContainEqual({ kind: "counters", counters: termed?.counters })
  })

  test("make bands of a share's bar, by what each band earns", () => {
    const { explanation } = answerTo(termed)
    const [item] = explanation.items
    const { bars } = item === undefined ? { bars: [] } : flowOf(item, coloursOf(explanation.items))
    const bar = bars.find(({ share }) => share?.groupId === "ines-novel")
    // 120.00 of 210.00 are from the first band.
    const [mark = 0, ...others] = bar?.marks ?? []
    expect(mark / (bar?.height ?? 1)).toBeCloseTo(200 / 350, 10)
    expect(others).toEqual([])
    expect(bars.find(({ share }) => share?.groupId === "rio-shop")?.marks).toEqual([])
  })
})

describe("a group with terms in the playground", () => {
  const group = {
    ...{ id: "g", collaborator_id: "ada", itemType: "products.all", type: "percentage" },
    terms: { tiers },
  }

  test("is read with the same problems as elsewhere", () => {
    expect(readGroup(group).problems).toEqual([])
    expect(groupFields(group)).toMatchObject({ terms: { tiers } })
    const beside = { ...group, percent: "10.00" }
    expect(readGroup(beside).problems.map(({ path }) => path)).toEqual(["percent"])
    const falling = { ...tiers, bands: tiers.bands.toReversed() }
    expect(
      readGroup({ ...group, terms: { tiers: falling } }).problems.map(({ path }) => path),
    ).toContain("terms.tiers.bands[1].from")
  })

  test("changes what is split although groups before it stay as they are", () => {
    const order = {
      ...{ id: "1", currency: "USD", created_at: 1_767_225_600 },
      items: [{ external_id: "1", quantity: 1, amount: 1_000, product: { id: "p" } }],
    }
    const plain = { ...group, id: "plain", collaborator_id: "bob", terms: undefined }
    const scenario = (percent: string, terms: unknown): Scenario => ({
      ...{ order, policy: {}, counters: [], other: null },
      groups: [
        { ...plain, percent },
        { ...group, terms },
      ],
    })
    const amounts = (one: Scenario) => answerTo(one).split.shares.map(({ amount }) => amount)
    expect(amounts(scenario("20.00", { tiers }))).toEqual([100, 200])
    expect(amounts(scenario("30.00", { tiers }))).toEqual([100, 300])
    const rising = { ...tiers, bands: [{ from: 0, percent: "40.00" }] }
    expect(amounts(scenario("30.00", { tiers: rising }))).toEqual([400, 300])
  })
})
