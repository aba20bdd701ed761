/**
 * Whatever a host hands over from outside is read or refused: with a typed error, in bounded work. Nothing may
 * bring a bare error out of a reader, for a host tells its users what is wrong by the tag.
 */
import * as core from "apportion"
import * as shopify from "apportion/shopify"
import * as stripe from "apportion/stripe"
import * as wire from "apportion/wire"
import * as woocommerce from "apportion/woocommerce"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const throwing = {
  get id(): never {
    throw new RangeError("not here")
  },
}
const proxy = new Proxy(
  {},
  {
    get: () => {
      throw new RangeError("not here")
    },
    ownKeys: () => {
      throw new RangeError("nor here")
    },
    getOwnPropertyDescriptor: () => {
      throw new RangeError("nor there")
    },
  },
)
const revoked = (target: object): unknown => {
  const { proxy: closed, revoke } = Proxy.revocable(target, {})
  revoke()
  return closed
}
const cyclic: Record<string, unknown> = { id: "1" }
cyclic.self = cyclic
cyclic.items = [cyclic]
cyclic.link = cyclic
cyclic.product = cyclic
let deep: unknown = 1
for (let depth = 0; depth < 50_000; depth += 1) deep = { link: deep }

const sparse: ReadonlyArray<unknown> = new Array(2 ** 32 - 1)
const holes: Array<unknown> = new Array(3)
holes[1] = { id: "1" }
const wrong: ReadonlyArray<unknown> = Array.from({ length: 20_000 }, () => 5)

/** Values that no format has, and what they stand for. */
const values: ReadonlyArray<readonly [string, unknown]> = [
  ...[null, undefined, 0, -0, Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2 ** 53, 10n].map(
    (value) => [String(value), value] as const,
  ),
  ["a symbol", Symbol("s")],
  ["a text", "text"],
  ["a function", () => 5],
  ["a date", new Date(Number.NaN)],
  ["a map", new Map([["id", "1"]])],
  ["an object without a prototype", Object.create(null)],
  ["a throwing getter", throwing],
  ["a throwing proxy", proxy],
  ["a revoked proxy", revoked({})],
  ["a revoked proxy of a list", revoked([])],
  ["a list that throws", new Proxy([5], { get: () => Reflect.get(throwing, "id") })],
  ["a value that holds itself", cyclic],
  ["a value of 50,000 levels", deep],
  ["a list with holes", holes],
  ["a list of four thousand million places", sparse],
  ["a list of 20,000 wrong values", wrong],
]

/** The fields in which a hostile value is planted, too. */
const fields = [
  ...["id", "link", "condition", "percent", "amount", "items", "product", "tags", "referers"],
  ...["currency", "quantity", "collaboratorId", "groups", "products", "orders", "line_items"],
  ...["variants", "refunds", "transactions", "discount_codes", "created_at", "policy", "values"],
  ...["page", "per_page", "permissions", "account", "severities", "catalogue", "budget", "name"],
]

const rules = core.RuleSet.make([
  { id: "g", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
])
const sold = { id: "1", product: { id: "p1", tags: ["t"] }, quantity: 1, amount: 1_000 }
const order = { id: "1001", currency: "USD", items: [sold] }
const group = {
  id: "g",
  collaboratorId: "a",
  link: { type: "products", values: ["1"] },
  percent: 5,
}
const split = core.Split.order(rules, order)
const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1 }
const usd = { currency: "USD" }
const soldItem = core.SoldItem.of(sold, { order, groupId: "g", splitAt: 1 })
const bonus = core.PayoutItem.income({ id: "i1", amount: 5, name: "Bonus", at: 1 }, usd)
const payoutItem = Result.getOrThrow(bonus)
const payout = core.Payout.open({
  ...{ id: "p1", collaboratorId: "ada", currency: "USD", openedAt: 1, toBePaidAt: 2 },
})

const payment = core.Payment.claim({
  ...{ id: "a1", payoutId: "p1", collaboratorId: "ada", currency: "USD", amount: 5 },
  ...{ payoutVersion: 1, rail: "bank", at: 1 },
})

const euros = { from: "USD", to: "EUR", rate: "0.9" }
const catalogue = core.Catalogue.make([{ id: "p1", tags: ["t"], price: 5 }])
const { check, deadGroups, overAllocation, overlaps, redundantGroups, togetherGroups } =
  core.Analysis
const analyses = Object.entries({
  ...{ check, deadGroups, overAllocation, overlaps, redundantGroups, togetherGroups },
  equivalent: (one: core.RuleSet.RuleSet, options: core.Analysis.Options) =>
    core.Analysis.equivalent(one, rules, options),
  "steps.check": (one: core.RuleSet.RuleSet, options: core.Analysis.Options) => [
    ...core.Analysis.steps.check(one, options),
  ],
})

const isReader = (name: string): boolean =>
  /^(read|parse|make|recognise|misspelt|is[A-Z])/.test(name)

type Door = readonly [string, unknown, ReadonlyArray<unknown>, number]

/** What is read of a platform's documents beside the document itself. */
const beside = { currency: "USD", order }
const documentOf = { id: 1, line_items: [{ id: 1 }], refunds: [], variants: [], items: [sold] }

/** The functions of a face that read documents, by their names. */
const readersOf = (face: string, modules: object): ReadonlyArray<Door> =>
  [["", modules] as const, ...Object.entries(modules)].flatMap(([name, module]) =>
    Object.entries(Object(module))
      .filter(([call, door]) => isReader(call) && typeof door === "function")
      .map(([call, door]) => [`${face} ${name}.${call}`, door, [documentOf, beside], 0] as const),
  )

const stripeLines = {
  data: [{ id: "li_1", price: { id: "p", product: { id: "p1", metadata: {} } } }],
}

/** For each type of event an object that has most of what is read of it. */
const stripeDocuments: ReadonlyMap<string, object> = new Map(
  stripe.Webhook.topics.map((topic) => {
    const object = topic.startsWith("checkout") ? "checkout.session" : topic.split(".")[0]
    const sold = { id: "x_1", created: 1, currency: "usd", status: "paid", payment_status: "paid" }
    const lists = { line_items: stripeLines, lines: stripeLines, refunds: { data: [] } }
    return [topic, { object, ...sold, ...lists, invoice: "in_1", amount_total: 0, total: 0 }]
  }),
)

const bands = [
  { from: 0, percent: 10 },
  { from: 5, percent: 15 },
]
const terms = { tiers: { counted: "units", bands }, cap: { amount: 500, period: "month" } } as const
const countedGroup = { ...group, terms }
const remainder = { currency: "USD", groupId: "g", remainder: 5 }

/** Every function that reads what comes from outside: its arguments, and which of them that is. */
const doors: ReadonlyArray<Door> = [
  ["ProductGroup.parse", core.ProductGroup.parse, [group], 0],
  ["ProductGroup.make", core.ProductGroup.make, [group], 0],
  ["RuleSet.parse", core.RuleSet.parse, [[group]], 0],
  ["RuleSet.make", core.RuleSet.make, [[group]], 0],
  ["RuleSet.parsePut", core.RuleSet.parsePut, [rules, group], 1],
  ["RuleSet.parsePut of rules", core.RuleSet.parsePut, [rules, group], 0],
  ["RuleSet.get", core.RuleSet.get, [rules, "g"], 0],
  ["RuleSet.linkedGroups", core.RuleSet.linkedGroups, [rules, { id: "p1" }], 0],
  ["Split.orderResult", core.Split.orderResult, [rules, order], 1],
  ["Split.order", core.Split.order, [rules, order], 1],
  ["Split.orderResult of rules", core.Split.orderResult, [rules, order], 0],
  ["Split.orderResult by policy", core.Split.orderResult, [rules, order, {}], 2],
  ["SplitPolicy.parse", core.SplitPolicy.parse, [{}], 0],
  ["CountedRules.parse", core.CountedRules.parse, [[countedGroup]], 0],
  ["Terms.parse", core.Terms.parse, [terms], 0],
  ["Counters.parse", core.Counters.parse, [{}], 0],
  ["Remainder.parse", core.Remainder.parse, [[remainder]], 0],
  ["Refund.reverse", core.Refund.reverse, [split, refund], 1],
  ["Refund.reverse after earlier ones", core.Refund.reverse, [split, refund, {}], 2],
  ["Collaborator.parse", core.Collaborator.parse, [{ id: "a", currency: "USD" }], 0],
  ["PageRequest.parse", core.PageRequest.parse, [{}], 0],
  ["Percent.parse", core.Percent.parse, ["5"], 0],
  ["Allocation.allocateResult", core.Allocation.allocateResult, [100, [1]], 0],
  ["Allocation.allocateResult over weights", core.Allocation.allocateResult, [100, [1]], 1],
  ["Order.parse", core.Order.parse, [order], 0],
  ["Order.make", core.Order.make, [order], 0],
  ["Product.parse", core.Product.parse, [sold.product], 0],
  ["Permissions.parse", core.Permissions.parse, [core.Permissions.all], 0],
  ["SoldItem.parse", core.SoldItem.parse, [soldItem], 0],
  ["PayoutItem.parse", core.PayoutItem.parse, [payoutItem], 0],
  ["Payment.parse", core.Payment.parse, [payment], 0],
  ["EventType.isEventType", core.EventType.isEventType, ["sale.recorded"], 0],
  ["WebhookTarget.parse", core.WebhookTarget.parse, ["https://example.com/hook", "public"], 0],
  ["Payout.parse", core.Payout.parse, [{ ...payout, items: [payoutItem] }], 0],
  ["ExchangeRate.isExchangeRate", core.ExchangeRate.isExchangeRate, ["0.9"], 0],
  ["Order.misspelt", core.Order.misspelt, [order], 0],
  ["Product.misspelt", core.Product.misspelt, [sold.product], 0],
  ["Cents.isCents", core.Cents.isCents, [1], 0],
  ["Cents.sum", core.Cents.sum, [[1, 2]], 0],
  ["Collaborator.make", core.Collaborator.make, [{ id: "a", currency: "USD" }], 0],
  ["SplitPolicy.make", core.SplitPolicy.make, [{}], 0],
  ["CountedRules.make", core.CountedRules.make, [[countedGroup]], 0],
  ["Terms.make", core.Terms.make, [terms], 0],
  ["Remainder.make", core.Remainder.make, [[remainder]], 0],
  ["Currency.parseAmount", core.Currency.parseAmount, ["1.50", "USD"], 0],
  ["Currency.parseAmount in a currency", core.Currency.parseAmount, ["1.50", "USD"], 1],
  ["Currency.isCurrency", core.Currency.isCurrency, ["USD"], 0],
  ["Language.isLanguage", core.Language.isLanguage, ["en"], 0],
  ["ExchangeRate.convert", core.ExchangeRate.convert, [100, euros], 0],
  ["ProductGroup.isMade", core.ProductGroup.isMade, [group], 0],
  ...analyses.flatMap(([name, analyse]) => [
    [`Analysis.${name} of rules`, analyse, [rules, {}], 0] as const,
    [`Analysis.${name}`, analyse, [rules, {}], 1] as const,
  ]),
  ["Analysis.unpaidProducts", core.Analysis.unpaidProducts, [rules, catalogue, {}], 2],
  ["Analysis.unpaidProducts of these", core.Analysis.unpaidProducts, [rules, catalogue], 1],
  ["Analysis.implies", core.Analysis.implies, [...rules.groups, ...rules.groups, {}], 2],
  ["Analysis.implies by a group", core.Analysis.implies, [...rules.groups, ...rules.groups], 0],
  ...readersOf("wire", wire),
  ...readersOf("shopify", shopify),
  ...readersOf("woocommerce", woocommerce),
  ...readersOf("stripe", stripe),
  ...stripe.Webhook.topics.map(
    (topic) =>
      [
        `${topic} of stripe`,
        stripe.Webhook.read,
        [topic, stripeDocuments.get(topic), {}],
        1,
      ] as const,
  ),
  ...[...stripeDocuments].map(
    ([topic, document]) =>
      [`the object of ${topic}`, stripe.Order.read, [document, {}], 0] as const,
  ),
  ...woocommerce.Webhook.topics.map(
    (topic) =>
      [`${topic} of woocommerce`, woocommerce.Webhook.read, [topic, documentOf, usd], 1] as const,
  ),
  ...shopify.Webhook.topics.map(
    (topic) => [`${topic} of shopify`, shopify.Webhook.read, [topic, documentOf, usd], 1] as const,
  ),
]

/** Those that take what the program has made already, by its type. */
const typed: ReadonlyArray<string> = [
  ...[
    "Catalogue.make",
    "Counters.read",
    "Lifecycle.isDebt",
    "Lifecycle.isDue",
    "Lifecycle.isFixed",
    "PastPayout.isPast",
    "Payment.isOpen",
    "Payment.isUnderWay",
    "Payout.isSettled",
    "PayoutStatus.isSettled",
  ],
  ...["Permissions.make", "ProductLinks.make", "SplitPolicy.isSame", "Statement.isOfPast"],
  ...["Visibility.isCountSeen", "WebhookTarget.isPrivate"],
]

/** A call's answer: fine, or the tag of the error; else what went wrong. */
const answer = (door: unknown, taken: ReadonlyArray<unknown>): string => {
  try {
    const result: unknown = Reflect.apply(Object(door), undefined, taken)
    if (!Result.isResult(result) || Result.isSuccess(result)) return "fine"
    return tagOf(result.failure)
  } catch (error) {
    return tagOf(error)
  }
}

const tagOf = (error: unknown): string => {
  const tag: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "_tag") : ""
  return typeof tag === "string" && tag !== "" ? "fine" : `a bare error: ${String(error)}`
}

const planted = (value: unknown, field: string, hostile: unknown): unknown =>
  Array.isArray(value)
    ? value.map((part) => planted(part, field, hostile))
    : { ...Object(value), [field]: hostile }

describe("what comes from outside is read or refused with a typed error", () => {
  test.each(doors)("by %s", { timeout: 120_000 }, (_, door, taken, place) => {
    const bare: Array<string> = []
    for (const [name, value] of values) {
      const whole = answer(door, taken.with(place, value))
      if (whole !== "fine") bare.push(`${name}: ${whole}`)
      for (const field of fields) {
        const said = answer(door, taken.with(place, planted(taken[place], field, value)))
        if (said !== "fine") bare.push(`${field}: ${name}: ${said}`)
      }
    }
    expect(bare).toEqual([])
  })

  test("every function that reads, checks or makes something of what is given is among them", () => {
    const tested = new Set(doors.map(([, door]) => door))
    const left = Object.entries(core).flatMap(([name, module]) =>
      Object.entries(module)
        .filter(([call, door]) => isReader(call) && typeof door === "function" && !tested.has(door))
        .map(([call]) => `${name}.${call}`),
    )
    expect([...left].sort()).toEqual(typed)
    expect(doors.filter(([name]) => name.startsWith("wire ")).length).toBeGreaterThanOrEqual(12)
    expect(
      doors.filter(([name]) => /^(shopify|woocommerce|stripe) /.test(name)).length,
    ).toBeGreaterThanOrEqual(17)
  })

  test("by Shopify's list of products with holes in it", () => {
    expect(answer(shopify.Products.read, [holes, usd])).toBe("fine")
    expect(answer(shopify.Products.read, [sparse, usd])).toBe("fine")
  })

  test.each(values)("and an error that quotes it is written in bounded work: %s", (_, value) => {
    const problems = [{ path: "items", value, message: "must be a list" }]
    const error = new core.Split.InvalidOrder({ orderId: "1001", problems, message: "no order" })
    const { error: written } = wire.Split.writeError(error)
    expect((JSON.stringify(written) ?? "").length).toBeLessThan(1_000_000)
  })
})
