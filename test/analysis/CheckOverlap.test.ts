/** Which groups of a collaborator meet, and when it is worth a word which of them counts. */
import { describe, expect, test } from "vitest"
import { Analysis, Catalogue, type ProductGroup, RuleSet } from "../../src/index.js"
import { group, tag } from "./Groups.js"

const vendor = (...values: ReadonlyArray<string>) => ({ type: "products.vendor", values }) as const
const product = (...values: ReadonlyArray<string>) => ({ type: "products", values }) as const

const overlapsOf = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  options: Analysis.CheckOptions = {},
) => Analysis.check(RuleSet.make(groups), options).findings.filter(({ rule }) => rule === "overlap")

const pairsOf = (...given: Parameters<typeof overlapsOf>) =>
  overlapsOf(...given).map(({ groupIds }) => groupIds)

/** What is said of the search for groups that meet, when it may take so many steps. */
const meetingWithin = (budget: number, groups: ReadonlyArray<ProductGroup.GroupInput>) =>
  Analysis.check(RuleSet.make(groups), { budget }).findings.filter(({ message }) =>
    / meet/.test(message),
  )

describe("groups that meet", () => {
  const reasonOf = (...groups: ReadonlyArray<ProductGroup.GroupInput>) =>
    overlapsOf(groups).map(({ message }) => message)
  const text = (pair: string) =>
    `1 pair of groups of ada can meet and pay differently, and it is not obvious which one counts: ${pair}.`

  test("are told with all that is known of them", () => {
    const groups = [
      group("b", { link: tag("print"), percent: 20 }),
      group("a", { link: tag("art") }),
    ]
    expect(overlapsOf(groups)).toStrictEqual([
      {
        rule: "overlap",
        severity: "note",
        groupIds: ["a", "b"],
        collaboratorId: "ada",
        message: text("a before b (as specific, but its id comes first)"),
        witness: {
          order: {
            id: "example",
            currency: "USD",
            items: [
              {
                id: "item",
                product: { id: "any-product", tags: ["art", "print"] },
                quantity: 1,
                amount: 10_000,
              },
            ],
          },
          attributeCount: 2,
          isSmallest: true,
        },
      },
    ])
  })

  test("are a newer and an older one", () => {
    const older = group("a", { link: tag("art"), createdAt: 1 })
    const newer = group("b", { link: tag("print"), percent: 20, createdAt: 2 })
    expect(reasonOf(older, newer)).toEqual([text("b before a (as specific, but newer)")])
    expect(reasonOf({ ...older, createdAt: 2 }, newer)).toEqual([
      text("a before b (as specific, but its id comes first)"),
    ])
  })

  test("are one that is more specific and pays less", () => {
    expect(reasonOf(group("all"), group("art", { link: tag("art"), percent: 5 }))).toEqual([
      text("art before all (more specific, but pays less)"),
    ])
  })

  test("are several pairs, of which the first ones are told", () => {
    const groups = ["a", "b", "c", "d"].map((id, index) =>
      group(id, { link: tag(id), percent: index + 1 }),
    )
    const [finding] = overlapsOf(groups)
    expect(finding?.groupIds).toEqual(["a", "b", "c", "d"])
    expect(finding?.message).toMatch(/^6 pairs of groups of ada can meet/)
    expect(finding?.message).toMatch(/ and 3 more\.$/)
  })
})

describe("that the more specific group counts", () => {
  const art = (changes: Partial<ProductGroup.GroupInput>) => [
    group("all", { amount: 100 }),
    group("art", { link: tag("art"), amount: 100, ...changes }),
  ]

  test("is worth a word where it pays less, or charges more", () => {
    expect(pairsOf(art({ percent: 5 }))).toEqual([["art", "all"]])
    expect(pairsOf(art({ amount: 50 }))).toEqual([["art", "all"]])
    expect(pairsOf(art({ maxAmount: 1_000 }))).toEqual([["art", "all"]])
  })

  test("is what exceptions are for where it pays more, or more of one and less of the other", () => {
    expect(pairsOf(art({ percent: 20 }))).toEqual([])
    expect(pairsOf(art({ percent: 20, amount: 50 }))).toEqual([])
    expect(pairsOf(art({ percent: 5, amount: 200 }))).toEqual([])
  })

  test("is not worth a word where they differ in the share being deducted only", () => {
    const condition = { type: "referer", values: ["blog"] } as const
    const blog = group("blog", { condition, deductForOtherSplits: true })
    expect(pairsOf([group("all"), blog])).toEqual([])
    expect(pairsOf([group("all"), { ...blog, percent: 5 }])).toEqual([["blog", "all"]])
  })
})

describe("groups that are linked by ids", () => {
  test("never meet on a product that goes by two of them, but on one with an id and a tag", () => {
    const one = group("one", { link: product("p1"), percent: 5 })
    const other = group("other", { link: product("p2") })
    expect(pairsOf([one, other])).toEqual([])
    expect(pairsOf([one, group("art", { link: tag("art") })])).toEqual([["one", "art"]])
  })

  test("meet on a product of the catalogue that goes by both", () => {
    const groups = [
      group("one", { link: product("p1"), percent: 5 }),
      group("other", { link: product("x1", "p2") }),
    ]
    const catalogue = Catalogue.make([{ id: "p1", externalId: "x1" }, { id: "p2" }])
    expect(pairsOf(groups, { catalogue })).toEqual([["one", "other"]])
  })
})

describe("groups that can't meet", () => {
  const north = group("north", { link: vendor("North", "West") })

  test("are seen without a search where they ask for different vendors", () => {
    const south = group("south", { link: vendor("South"), percent: 20 })
    expect(meetingWithin(16, [north, south])).toEqual([])
    expect(meetingWithin(16, [north, { ...south, link: vendor("South", "west") }])).toStrictEqual([
      {
        rule: "undecided",
        severity: "warning",
        groupIds: [],
        collaboratorId: "ada",
        message: "Where the groups of ada meet was not decided within the budget.",
      },
    ])
  })

  test("do where they share one of several vendors", () => {
    const south = group("south", { link: vendor("South", "west"), percent: 20 })
    expect(pairsOf([north, south])).toEqual([["north", "south"]])
  })

  test("are seen at once where one excludes what the other asks for, whatever else there is", () => {
    const groups = [
      group("art", { link: tag("art"), percent: 20 }),
      group("rest", { link: { ...tag("art"), modifier: "NOT" } }),
    ]
    expect(meetingWithin(30, groups)).toEqual([])
  })
})
