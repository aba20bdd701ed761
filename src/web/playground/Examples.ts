/** Examples to begin with, each about one question. */
import type { JsonObject, Scenario } from "./Scenario.js"

/** An example: a name, what it shows, and the inputs. */
export interface PlaygroundExample {
  readonly name: string
  readonly about: string
  readonly inputs: Scenario
}

const group = (id: string, collaborator_id: string, fields: JsonObject): JsonObject => ({
  id,
  collaborator_id,
  ...fields,
})

const percent = (value: string): JsonObject => ({ type: "percentage", percent: value })

const all: JsonObject = { itemType: "products.all" }

const tagged = (...items: ReadonlyArray<string>): JsonObject => ({
  itemType: "products.tag",
  items,
})

const from = (...values: ReadonlyArray<string>): JsonObject => ({
  splitConditionType: "referer",
  splitConditions: values,
})

const poster: JsonObject = {
  external_id: "1",
  quantity: 1,
  amount: 10_000,
  product: { id: "poster", tags: ["art"], vendor: "Ada Prints" },
}

const blogOrder: JsonObject = {
  id: "1001",
  currency: "USD",
  referer: ["sam-blog"],
  items: [poster],
}

const artist = group("ada-art", "ada", { ...tagged("art"), ...percent("50.00") })

const blogger = group("sam-blog", "sam", {
  ...{ ...all, ...from("sam-blog"), ...percent("10.00") },
  deduct_for_other_splits: true,
})

const first: PlaygroundExample = {
  name: "An artist and a blog",
  about: "The blog that sent the buyer is paid first, and the artist gets half of the rest.",
  inputs: { groups: [artist, blogger], order: blogOrder, policy: {}, counters: [], other: null },
}

const ranks: PlaygroundExample = {
  name: "Who is outranked",
  about: "Ada has three groups that fit. Only the most specific one counts.",
  inputs: {
    groups: [
      group("ada-everything", "ada", { ...all, ...percent("5.00") }),
      group("ada-art", "ada", { ...tagged("art"), ...percent("20.00") }),
      group("ada-poster", "ada", { itemType: "products", items: ["poster"], ...percent("30.00") }),
      group("bob-music", "bob", { ...tagged("music"), ...percent("15.00") }),
      group("cleo-germany", "cleo", {
        ...{ ...all, ...percent("3.00"), splitConditionType: "country.code" },
        splitConditions: ["DE"],
      }),
    ],
    order: { ...blogOrder, billing_country: "FR" },
    policy: {},
    counters: [],
    other: null,
  },
}

const tooMuch: PlaygroundExample = {
  name: "More than there is",
  about: "Two groups together claim 110 %. The check shows the smallest order on which they meet.",
  inputs: {
    groups: [
      group("ada-art", "ada", { ...tagged("art"), ...percent("60.00") }),
      group("bob-print", "bob", { ...tagged("print"), ...percent("50.00") }),
    ],
    order: blogOrder,
    policy: {},
    counters: [],
    other: null,
  },
}

const shipping: PlaygroundExample = {
  name: "Tax, shipping and a discount",
  about: "Tax is taken out, the discount lowers what is shared, shipping goes along with it.",
  inputs: {
    groups: [
      group("ada-art", "ada", { ...tagged("art"), ...percent("40.00"), shipping_percent: "50.00" }),
      group("mia-flat", "mia", { ...tagged("mug"), type: "flat", amount: 250 }),
    ],
    order: {
      ...{ id: "1002", currency: "EUR", taxes_included: true, shipping_amount: 490 },
      items: [
        { ...poster, amount: 11_900, discount: 1_190, tax_total: 1_710 },
        {
          ...{ external_id: "2", quantity: 3, amount: 3_570, tax_total: 570 },
          product: { id: "mug", tags: ["mug"], vendor: "Mia" },
        },
      ],
    },
    policy: { shipping: "share" },
    counters: [],
    other: null,
  },
}

const compared: PlaygroundExample = {
  name: "Two rule sets",
  about: "The groups were tidied up. Do they still pay everyone the same?",
  inputs: {
    groups: [
      group("ada-art", "ada", { ...tagged("art", "print"), ...percent("25.00") }),
      group("sam-blog", "sam", { ...all, ...from("sam-blog"), ...percent("10.00") }),
    ],
    order: blogOrder,
    policy: {},
    counters: [],
    other: [
      group("ada-art", "ada", { ...tagged("art"), ...percent("25.00") }),
      group("ada-print", "ada", { ...tagged("print"), ...percent("25.00") }),
      group("sam-blog", "sam", { ...all, ...from("sam-blog", "sam-mail"), ...percent("10.00") }),
    ],
  },
}

const sold = (
  counted: "units" | "share",
  id: string,
  period: string,
  count: number,
): JsonObject => ({
  ...{ counted, currency: "USD", period, per: "group", id, count },
})

const termed: PlaygroundExample = {
  name: "Tiers and a cap",
  about:
    "The author earns more from 1,000 copies on; the shop that sells them gets at most 500.00 a month.",
  inputs: {
    groups: [
      group("ines-novel", "ines", {
        ...{ itemType: "products", items: ["the-salt-road"], type: "percentage" },
        terms: {
          tiers: {
            ...{ counted: "units", per: "group", period: "lifetime" },
            bands: [
              { from: 0, percent: "10.00" },
              { from: 1_000, percent: "15.00" },
            ],
          },
        },
      }),
      group("rio-shop", "rio", {
        ...{ ...all, ...percent("20.00") },
        terms: { cap: { amount: 50_000, per: "group", period: "month" } },
      }),
    ],
    order: {
      ...{ id: "1003", currency: "USD", created_at: "2026-03-14T10:00:00Z" },
      items: [
        {
          ...{ external_id: "1", quantity: 300, amount: 180_000 },
          product: { id: "the-salt-road", tags: ["novel"] },
        },
      ],
    },
    policy: {},
    counters: [
      sold("share", "rio-shop", "2026-03", 20_000),
      sold("units", "ines-novel", "lifetime", 800),
    ],
    other: null,
  },
}

export const examples: readonly [PlaygroundExample, ...ReadonlyArray<PlaygroundExample>] = [
  first,
  ...[ranks, tooMuch, shipping, compared, termed],
]
