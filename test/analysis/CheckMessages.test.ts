/** What the findings of a check say, word for word. */
import { describe, expect, test } from "vitest"
import { Analysis, Catalogue, type Product, type ProductGroup, RuleSet } from "../../src/index.js"
import { all, group, tag } from "./Groups.js"

const findingsOf = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  rule: Analysis.CheckRule,
  options: Analysis.CheckOptions = {},
) => Analysis.check(RuleSet.make(groups), options).findings.filter((each) => each.rule === rule)

const messagesOf = (...given: Parameters<typeof findingsOf>) =>
  findingsOf(...given).map(({ message }) => message)

const provedOf = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  rule: Analysis.CheckRule,
  options: Analysis.CheckOptions = {},
) =>
  Analysis.check(RuleSet.make(groups), options)
    .proved.filter((each) => each.rule === rule)
    .map(({ message }) => message)

const productsOf = (...products: ReadonlyArray<Product.Product>) => ({
  catalogue: Catalogue.make(products),
})

describe("a group that selects nothing", () => {
  const textOf = (changes: Partial<ProductGroup.GroupInput>) =>
    messagesOf([group("a", changes)], "selects-nothing")

  test("excludes all products", () => {
    expect(textOf({ link: { ...all, modifier: "NOT" } })).toEqual([
      "Group a of ada selects nothing: it excludes all products.",
    ])
  })

  test("lists nothing of what it asks for", () => {
    expect(textOf({ link: tag() })).toEqual([
      "Group a of ada selects nothing: it lists no tags, so no product has one of them.",
    ])
    expect(textOf({ link: { type: "products.vendor", values: [] } })).toEqual([
      "Group a of ada selects nothing: it lists no vendors, so no product has one of them.",
    ])
    expect(textOf({ link: { type: "products", values: [] } })).toEqual([
      "Group a of ada selects nothing: it lists no product ids, so no product has one of them.",
    ])
  })

  test("has a condition that no order meets", () => {
    expect(textOf({ condition: { type: "order.tag", values: [] } })).toEqual([
      "Group a of ada never applies: its condition lists no values, so no order has one of them.",
    ])
  })

  test("is told with its collaborator, and without values, which it has none of", () => {
    expect(findingsOf([group("a", { link: tag() })], "selects-nothing")).toStrictEqual([
      {
        rule: "selects-nothing",
        severity: "error",
        groupIds: ["a"],
        collaboratorId: "ada",
        message: "Group a of ada selects nothing: it lists no tags, so no product has one of them.",
      },
    ])
  })
})

describe("dates without an order", () => {
  test("are told by when they ended, where only later orders are asked about", () => {
    const february = Date.UTC(2026, 1, 1) / 1000
    const old = group("old", { endsAt: february })
    expect(messagesOf([old], "dates-over", { from: february + 1 })).toEqual([
      "Group old of ada ended at 2026-02-01T00:00:00.000Z, before every order that is asked about.",
    ])
  })

  test("are told to be none where nothing lies before their end", () => {
    const firstSecond = Date.parse("0001-01-01T00:00:00Z") / 1000
    expect(messagesOf([group("a", { endsAt: firstSecond })], "dates-empty")).toEqual([
      "Group a of ada never applies: no time is within its dates.",
    ])
  })
})

describe("a group without a product", () => {
  const mug = { id: "mug", tags: ["Kitchen"], vendor: "North" }

  test("names what no product has", () => {
    const groups = [group("a", { link: tag("art", "print") })]
    expect(findingsOf(groups, "no-product", productsOf(mug))).toStrictEqual([
      {
        rule: "no-product",
        severity: "warning",
        groupIds: ["a"],
        collaboratorId: "ada",
        values: ["art", "print"],
        message:
          'Group a of ada is linked to nothing: no product of the catalogue has the tags "art" and "print".',
      },
    ])
  })

  test("names what every product has, where it excludes that", () => {
    const link = { type: "products.vendor", modifier: "NOT", values: ["north"] } as const
    expect(messagesOf([group("a", { link })], "no-product", productsOf(mug))).toEqual([
      'Group a of ada is linked to nothing: no product of the catalogue is without the vendor "north".',
    ])
  })

  test("of an empty catalogue, whatever its link to all products lists", () => {
    const link = { ...all, values: ["art"] }
    expect(messagesOf([group("a", { link })], "no-product", productsOf())).toEqual([
      "Group a of ada is linked to nothing: the catalogue is empty.",
    ])
  })
})

describe("a group that never counts", () => {
  test("names the one group that is always there before it", () => {
    const groups = [
      group("new", { link: tag("art"), createdAt: 2 }),
      group("old", { link: tag("art"), createdAt: 1 }),
    ]
    expect(findingsOf(groups, "always-outranked")).toStrictEqual([
      {
        rule: "always-outranked",
        severity: "warning",
        groupIds: ["old", "new"],
        collaboratorId: "ada",
        message:
          "Group old of ada never counts: wherever it applies, group new of the same collaborator does too and is more specific.",
      },
    ])
  })

  test("names all of those of which one is always there before it", () => {
    const groups = [
      group("art", { link: tag("art") }),
      group("rest", { link: { ...tag("art"), modifier: "NOT" } }),
      group("all"),
    ]
    expect(messagesOf(groups, "always-outranked")).toEqual([
      "Group all of ada never counts: wherever it applies, one of the groups art and rest of the same collaborator does and is more specific.",
    ])
  })

  test("keeps it from being proved that every group counts", () => {
    const proof = ["Every group counts for some order."]
    expect(provedOf([group("a")], "always-outranked")).toEqual(proof)
    expect(provedOf([group("a"), group("b")], "always-outranked")).toEqual([])
  })
})

describe("whether groups count that need more steps than there are", () => {
  const open = (...ids: ReadonlyArray<string>) => ids.map((id) => group(id, { link: tag(id) }))
  const about = (groups: ReadonlyArray<ProductGroup.GroupInput>) =>
    findingsOf(groups, "undecided", { budget: 1 }).filter(({ message }) => / ever /.test(message))

  test("is told to be undecided, by their ids in order", () => {
    expect(about(open("art"))).toStrictEqual([
      {
        rule: "undecided",
        severity: "warning",
        groupIds: ["art"],
        message: "Whether group art ever counts was not decided within the budget.",
      },
    ])
    const [several] = about(open("print", "art", "mug"))
    expect(several?.groupIds).toEqual(["art", "mug", "print"])
    expect(several?.message).toBe(
      "Whether groups art, mug and print ever count was not decided within the budget.",
    )
  })

  test("is not told in place of those that never count, and nothing is proved", () => {
    const groups = [...open("art"), group("none", { link: tag() })]
    expect(findingsOf(groups, "selects-nothing", { budget: 8 })).toHaveLength(1)
    expect(provedOf(open("art"), "always-outranked", { budget: 1 })).toEqual([])
    expect(provedOf(open("art"), "always-outranked")).toHaveLength(1)
  })
})

describe("values that no product has", () => {
  const catalogue = productsOf({ id: "p1", tags: ["art"], vendor: "North" })
  const linkedTo = (link: ProductGroup.GroupInput["link"]) =>
    messagesOf([group("a", { link })], "unknown-value", catalogue)

  test("are named by a group or excluded by it", () => {
    expect(linkedTo(tag("art", "mug"))).toEqual([
      'Group a of ada names the tag "mug", which no product of the catalogue has.',
    ])
    expect(linkedTo({ ...tag("mug", "cup"), modifier: "NOT" })).toEqual([
      'Group a of ada excludes the tags "mug" and "cup", which no product of the catalogue has.',
    ])
  })

  test("are nothing to speak of where a group is for all products anyway", () => {
    expect(linkedTo({ type: "products.vendor", values: ["North", "South"] })).toHaveLength(1)
    expect(linkedTo({ ...all, values: ["North", "South"] })).toEqual([])
  })
})

describe("a group that could go", () => {
  const exception = [group("all"), group("art", { link: tag("art") })]
  const couldGo = "No group could go without a change to what somebody claims."

  test("names the group that would count in its place", () => {
    expect(messagesOf(exception, "redundant")).toEqual([
      "Group art of ada could go: where it counts, group all would count in its place and pay the same.",
    ])
  })

  test("keeps it from being proved that none could, and so does one that never counts", () => {
    expect(provedOf([group("a")], "redundant")).toEqual([couldGo])
    expect(provedOf(exception, "redundant")).toEqual([])
    expect(provedOf([group("a"), group("none", { link: tag() })], "redundant")).toEqual([])
    expect(provedOf([], "redundant")).toEqual([])
  })

  test("may be among those that need more steps than there are", () => {
    const groups = [group("print", { link: tag("print") }), group("art", { link: tag("art") })]
    const open = findingsOf(groups, "undecided", { budget: 1 }).filter(({ message }) =>
      / could go /.test(message),
    )
    expect(open).toStrictEqual([
      {
        rule: "undecided",
        severity: "warning",
        groupIds: ["art", "print"],
        message: "Whether groups art and print could go was not decided within the budget.",
      },
    ])
    expect(provedOf(groups, "redundant", { budget: 1 })).toEqual([])
  })

  test("is told beside those that need more steps than there are", () => {
    // The last one counts only on a product that has all four tags.
    const without = (id: string) =>
      group(id, { collaboratorId: "sam", link: { ...tag(id), modifier: "NOT" }, percent: 1 })
    const hard = [...["t1", "t2", "t3", "t4"].map(without), group("all", { collaboratorId: "sam" })]
    const groups = [...exception.map((each) => ({ ...each, id: `ada's ${each.id}` })), ...hard]
    // With some budget it suffices for the one and not for the other.
    const told = [100, 150, 200, 250, 300].map((budget) =>
      Analysis.check(RuleSet.make(groups), { budget })
        .findings.filter(({ message }) => / could go/.test(message))
        .map(({ rule, groupIds }) => `${rule} ${groupIds}`),
    )
    const open = expect.stringMatching(/^undecided .*all/)
    expect(told).toContainEqual(["redundant ada's art,ada's all", open])
  })
})

describe("a group that pays nothing", () => {
  const textOf = (
    changes: Partial<ProductGroup.GroupInput>,
    others: Array<ProductGroup.GroupInput> = [],
  ) => messagesOf([group("a", changes), ...others], "pays-nothing")

  test("has neither a percentage nor an amount, or a maximum of nothing", () => {
    expect(textOf({ percent: 0 })).toEqual([
      "Group a of ada pays nothing: neither its percentage nor its amount is above 0.",
    ])
    const most = { maxAmount: 0, shippingPercent: 0 }
    expect(textOf(most)).toEqual(["Group a of ada pays nothing: its maximum is 0."])
  })

  test("keeps less specific ones from paying where it counts", () => {
    const nothing = { percent: 0, link: { type: "products", values: ["p1"] } } as const
    const [art, print] = [
      group("art", { link: tag("art") }),
      group("print", { link: tag("print") }),
    ]
    expect(textOf(nothing, [art])).toEqual([
      "Group a of ada pays nothing: neither its percentage nor its amount is above 0. Where it counts, group art of the same collaborator pays nothing either, being less specific.",
    ])
    expect(textOf(nothing, [art, print])).toEqual([
      "Group a of ada pays nothing: neither its percentage nor its amount is above 0. Where it counts, groups art and print of the same collaborator pay nothing either, being less specific.",
    ])
  })

  test("keeps nobody from paying where every group is paid", () => {
    const groups = [group("a", { percent: 0, link: tag("art") }), group("all")]
    const policy = { stacking: "all" } as const
    expect(findingsOf(groups, "pays-nothing", { policy }).map(({ groupIds }) => groupIds)).toEqual([
      ["a"],
    ])
  })
})

describe("a collaborator who is paid for the same items", () => {
  const policy = { stacking: "all" } as const
  const times = (count: number) =>
    messagesOf(
      ["c", "b", "a"].slice(0, count).map((id) => group(id, { link: tag("art") })),
      "same-orders",
      { policy },
    )

  test("is told how often", () => {
    expect(times(2)).toEqual([
      "ada is paid twice for the same items: groups b and c always apply together.",
    ])
    expect(times(3)).toEqual([
      "ada is paid 3 times for the same items: groups a, b and c always apply together.",
    ])
  })
})

describe("products of which nobody is paid", () => {
  const art = [group("art", { link: tag("art") })]

  test("keep it from being proved that there are none, and so does an empty catalogue", () => {
    const proof = ["For every product of the catalogue somebody is paid, on some order."]
    const known = { id: "p1", tags: ["art"] }
    expect(provedOf(art, "unpaid-product", productsOf(known))).toEqual(proof)
    expect(provedOf(art, "unpaid-product", productsOf(known, { id: "p2" }))).toEqual([])
    expect(provedOf(art, "unpaid-product", productsOf())).toEqual([])
  })
})

describe("a value that is listed more than once", () => {
  const textOf = (changes: Partial<ProductGroup.GroupInput>) =>
    messagesOf([group("a", changes)], "repeated-value")

  test("is told in all its spellings", () => {
    expect(textOf({ link: tag("art", "Art", "print") })).toEqual([
      'Group a of ada lists one tag twice: "art" and "Art".',
    ])
    const condition = { type: "country.code", values: ["DE", "de", "DE "] } as const
    expect(textOf({ condition })).toEqual([
      'Group a of ada lists one billing country 3 times: "DE", "de" and "DE ".',
    ])
  })

  test("is nothing to speak of where a group is for all products anyway", () => {
    expect(textOf({ link: { ...all, values: ["art", "Art"] } })).toEqual([])
  })
})

describe("a list", () => {
  const textOf = (count: number) => {
    const products = Array.from({ length: count }, (_, index) => ({ id: `p${index + 1}` }))
    return messagesOf([], "unpaid-product", productsOf(...products))
  }

  test("is cut off after five where that leaves out two or more", () => {
    expect(textOf(1)).toEqual(["Nobody is ever paid for product p1."])
    expect(textOf(6)).toEqual(["Nobody is ever paid for products p1, p2, p3, p4, p5 and p6."])
    expect(textOf(7)).toEqual(["Nobody is ever paid for products p1, p2, p3, p4, p5 and 2 more."])
  })
})
