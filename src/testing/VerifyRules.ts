import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { plainOf } from "../analysis/CountedOrders.js"
import type { AnyRules } from "../analysis/Options.js"
import * as Attribute from "../orders/Attribute.js"
import type { Order, OrderItem } from "../orders/Order.js"
import { counted, date } from "../orders/Words.js"
import * as Schemas from "../schema/Models.js"
import * as Explanation from "../shares/Explanation.js"
import * as SplitPolicy from "../shares/SplitPolicy.js"
import { countersText } from "../terms/CounterWords.js"
import { ordersFor, type RuleOrderOptions, type RuleOrderValues } from "./arbitraries/RuleOrders.js"
import type { ContractCase } from "./ContractCase.js"
import type { JudgedSale, Law } from "./laws/Law.js"
import { money } from "./laws/reasons.js"
import { type BrokenLaw, find, type Search, type Survey, survey } from "./rules/search.js"

// Orders and splits in words, for finding mistakes in rules.

/** A text with invisible characters made visible: lone accents, and unusual spaces. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\p{M}\p{Zs}\p{Cf}]/gu, (letter) =>
    letter === " " ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const listed = (attribute: Attribute.Attribute, values: ReadonlyArray<string>) =>
  values.length === 0
    ? []
    : [Attribute.phrase(attribute, values, (texts) => texts.map(quoted).join(", "))]

const having = (parts: ReadonlyArray<string>): string =>
  parts.length === 0 ? "" : ` with ${parts.join(" and ")}`

const itemText = (item: OrderItem, order: Order): string => {
  const { id, externalId, otherIds = [], cost } = item.product
  const product = having([
    ...(externalId === undefined ? [] : [`the external id ${quoted(externalId)}`]),
    ...otherIds.map((other) => `the id ${quoted(other)}`),
    ...Attribute.productAttributes
      .filter((attribute) => attribute !== "products")
      .flatMap((attribute) => listed(attribute, Attribute.ofProduct[attribute](item.product))),
    ...(cost === undefined ? [] : [`a cost of ${money(cost, order)}`]),
  ])
  const sums = [
    ` for ${money(item.amount, order)}`,
    ...(item.discount === undefined ? [] : [`less a discount of ${money(item.discount, order)}`]),
    ...(item.taxTotal == null ? [] : [`with ${money(item.taxTotal, order)} of tax`]),
  ]
  const units = counted(item.quantity, "unit")
  return `item ${item.id}: ${units} of product ${quoted(id)}${product}${sums.join(", ")}`
}

/** The content of an order, a line for each item and one for the order itself. */
const orderLines = (order: Order): ReadonlyArray<string> => {
  const facts = [
    ...(order.createdAt == null ? [] : [`made at ${date(order.createdAt)} (${order.createdAt})`]),
    ...Attribute.orderAttributes.flatMap((attribute) =>
      listed(attribute, Attribute.ofOrder[attribute](order)),
    ),
    ...(order.taxesIncluded === true ? ["taxes included"] : []),
    ...(order.shippingAmount === undefined
      ? []
      : [`shipping of ${money(order.shippingAmount, order)}`]),
    ...(order.gatewayFee === undefined
      ? []
      : [`a gateway fee of ${money(order.gatewayFee, order)}`]),
  ]
  const items = order.items.map((item) => itemText(item, order))
  return facts.length === 0 ? items : [...items, `the order: ${facts.join("; ")}`]
}

/** How many reasons are shown. */
const enough = 5

/** Why groups paid nothing for items without shares. */
const absences = ({ rules, order, policy, split }: JudgedSale): ReadonlyArray<string> => {
  const shared = new Set(split?.shares.map(({ itemId }) => itemId))
  const [bare] = order.items.filter(({ id }) => !shared.has(id))
  if (bare === undefined) return []
  const reasons = Explanation.notApplied(rules, order, { itemId: bare.id, policy })
  const more = reasons.length - enough
  return [
    ...reasons
      .slice(0, enough)
      .map(
        ({ groupId, message }) => `Group ${groupId} gives nothing of item ${bare.id}: ${message}.`,
      ),
    ...(more > 0 ? [`${more} more groups give nothing of it.`] : []),
  ]
}

/** How an order is split and why, or why it is refused. */
const splitLines = (sale: JudgedSale): ReadonlyArray<string> =>
  Result.match(sale.result, {
    onFailure: (error) => [`It is not split: ${error.message}.`],
    onSuccess: (split) => [
      ...Explanation.toText(Explanation.ofSplit(split)).split("\n"),
      ...absences(sale),
    ],
  })

/**
 * Options of a verification, and of the orders it tries.
 *
 * @since 0.5.0
 * @category models
 */
export interface VerifyOptions extends RuleOrderOptions {
  /** Features that no order has; `["odd sums"]` when absent, because hardly any law of a shop holds for them. */
  readonly without?: RuleOrderOptions["without"]
  /** `SplitPolicy.defaults` when absent. */
  readonly policy?: SplitPolicy.SplitPolicy | undefined
  /** How many orders; 1000 when absent. */
  readonly runs?: number | undefined
  /** The seed of the orders; random when absent. The report and each failure name it. */
  readonly seed?: number | undefined
  /** Reruns one case: the path of a failure, with its seed. */
  readonly path?: string | undefined
  /** Orders that are tried before all others, such as orders that once broke a law. */
  readonly examples?: ReadonlyArray<Order> | undefined
}

/**
 * The report of a verification.
 *
 * @since 0.5.0
 * @category models
 */
export interface VerifyReport {
  /** How many orders. */
  readonly orders: number
  /** How many of them were refused, for over-allocation or an amount beyond the exact range. */
  readonly refused: number
  readonly seed: number
  /** For each group, in how many orders it matched an item, and in how many it missed one by a single difference. */
  readonly groups: ReadonlyArray<{
    readonly groupId: string
    readonly matched: number
    readonly missedByOne: number
  }>
  /** Groups that never matched: the laws were not tested for them. */
  readonly neverMatched: ReadonlyArray<string>
  /** For each law, how many orders it applied to. */
  readonly laws: ReadonlyArray<{ readonly name: string; readonly applied: number }>
}

/** A broken law, with a minimal order that breaks it, and how to reproduce it. */
const Breach = Schema.Struct({
  law: Schema.String,
  reason: Schema.String,
  order: Schemas.Order,
  seed: Schema.Number,
  path: Schema.String,
  /** How many orders were tried until one broke the law. */
  runs: Schema.Number,
})

/**
 * Rules that break laws. For each law the message shows an order that breaks it, how that order is split and why, and
 * how to rerun it. The order is minimal: without any one part of it, or any two, the law would hold. With a
 * `catalogue`, products and prices stay as they are there. Amounts are not minimal.
 *
 * @since 0.5.0
 * @category errors
 */
export class RulesBroken extends Schema.TaggedError<RulesBroken>()("RulesBroken", {
  /** One for each broken law. */
  breaches: Schema.Array(Breach),
  message: Schema.String,
}) {}

/**
 * Laws that applied to none of the orders, so that they were not tested. Usually no order has the value that a law
 * needs: supply it in the law's `values`, or in those of the options.
 *
 * @since 0.5.0
 * @category errors
 */
export class LawsUntested extends Schema.TaggedError<LawsUntested>()("LawsUntested", {
  /** Their names. */
  laws: Schema.Array(Schema.String),
  /** How many orders there were. */
  orders: Schema.Number,
  message: Schema.String,
}) {}

const indented = (lines: ReadonlyArray<string>): string =>
  lines.map((line) => `  ${line}`).join("\n")

/** What was counted before the sale, where it matters. */
const countedLines = ({ counted }: JudgedSale): ReadonlyArray<string> => {
  const before = countersText(counted?.before ?? {})
  return before === "" ? [] : [indented([`counted before: ${before}`])]
}

const breachText = ({ law, reason, sale, seed, path, runs, isPruned }: BrokenLaw): string =>
  [
    `The rules break a law: ${law.name}.`,
    indented(reason.split("\n")),
    isPruned
      ? "An order that breaks it, with nothing that could be left out:"
      : "An order that breaks it:",
    indented(orderLines(sale.order)),
    ...countedLines(sale),
    "How it is split:",
    indented(splitLines(sale)),
    `Found after ${runs} ${runs === 1 ? "order" : "orders"}. To run it again, give the options`,
    indented([`{ seed: ${seed}, path: "${path}" }`]),
    "To try this order each time, give it as one of the examples:",
    indented([JSON.stringify(sale.order)]),
  ].join("\n")

const rulesBroken = (found: ReadonlyArray<BrokenLaw>): RulesBroken => {
  const breaches = found.map(({ law, reason, sale, seed, path, runs }) => ({
    ...{ law: law.name, reason, order: sale.order, seed, path, runs },
  }))
  return new RulesBroken({ breaches, message: found.map(breachText).join("\n\n") })
}

const requireTested = ({ applied, tally }: Survey): void => {
  const laws = [...applied].flatMap(([law, times]) => (times === 0 ? [law.name] : []))
  if (laws.length === 0) return
  const { orders } = tally
  const message = `none of ${orders} orders was one that a law is about, so nothing is known of it: ${laws.join("; ")}. Its values must come up in orders (values)`
  throw new LawsUntested({ laws, orders, message })
}

const joined = (lists: ReadonlyArray<RuleOrderValues>): RuleOrderValues => {
  const all: Record<string, ReadonlyArray<string>> = {}
  for (const values of lists) {
    for (const [place, texts] of Object.entries(values)) {
      all[place] = [...new Set([...(all[place] ?? []), ...texts])]
    }
  }
  return all
}

const searchFor = (
  rules: AnyRules,
  laws: ReadonlyArray<Law>,
  { policy = SplitPolicy.defaults, runs = 1_000, ...options }: VerifyOptions,
): Search => {
  const values = joined([options.values ?? {}, ...laws.map((law) => law.values ?? {})])
  const without = options.without ?? ["odd sums"]
  return {
    rules,
    policy,
    orders: ordersFor(plainOf(rules), { ...options, values, without }),
    isCatalogued: (options.catalogue ?? []).length > 0,
    parameters: {
      seed: options.seed,
      path: options.path,
      numRuns: runs,
      examples: options.examples ?? [],
    },
  }
}

const reportOf = (rules: AnyRules, { tally, seed, applied }: Survey): VerifyReport => {
  const groups = plainOf(rules).groups.map(({ id }) => ({
    groupId: id,
    matched: tally.matched(id),
    missedByOne: tally.missedByOne(id),
  }))
  return {
    orders: tally.orders,
    refused: tally.refused,
    seed,
    groups,
    neverMatched: groups.filter(({ matched }) => matched === 0).map(({ groupId }) => groupId),
    laws: [...applied].map(([{ name }, times]) => ({ name, applied: times })),
  }
}

const verify = (search: Search, laws: ReadonlyArray<Law>): VerifyReport => {
  const surveyed = survey(search, laws)
  const { seed, broken } = surveyed
  const { path } = search.parameters
  const again = { ...search, parameters: { ...search.parameters, seed } }
  const found = laws.flatMap((law) => {
    const first = broken.get(law)
    // A rerun case is shrunk from its own path: the survey need not have met it.
    if (first === undefined && path === undefined) return []
    // A law that gives a different reason the second time is still broken.
    return find(again, law) ?? (first === undefined ? [] : [{ ...first, seed }])
  })
  if (found.length > 0) throw rulesBroken(found)
  if (path === undefined) requireTested(surveyed)
  return reportOf(search.rules, surveyed)
}

/**
 * Searches for orders with which rules break laws, among those at the bounds of the rules (`Arbitraries.ordersFor`). It
 * works in every test runner: it throws when a law is broken.
 *
 * Rules with tiers and caps are tried at counters at which something changes for an order: at 0, at the bounds of bands
 * and just below them, at what a cap leaves, and below 0, as after returns. Any sale of any stream of orders is one at
 * some counters.
 *
 * Throws a {@link RulesBroken} for broken laws, and a {@link LawsUntested} for laws that applied to no order. Finding
 * nothing is not a proof: the report says how many orders there were, and how often each group matched.
 *
 * @since 0.5.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws, RulesBroken, verifyRules } from "apportion/testing"
 *
 * const link = { type: "products.all" } as const
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link, percent: 25 },
 *   { id: "g2", collaboratorId: "ben", link, condition: { type: "referer", values: ["blog"] }, percent: 10 },
 * ])
 * const report = verifyRules(rules, [Laws.atMostOfItem("30.00"), Laws.neverOverAllocated()])
 * report.orders // => 1000
 * report.neverMatched // => []
 *
 * const broken: Array<unknown> = []
 * try {
 *   verifyRules(rules, [Laws.storeKeepsAtLeast("70.00")])
 * } catch (error) {
 *   if (error instanceof RulesBroken) broken.push(...error.breaches.map(({ order }) => order.referers))
 * }
 * broken // => [["blog"]]
 * ```
 */
export const verifyRules = (
  rules: AnyRules,
  laws: ReadonlyArray<Law>,
  options: VerifyOptions = {},
): VerifyReport => verify(searchFor(rules, laws, options), laws)

/**
 * The same as cases for a test runner, one for each law: a promise that is fulfilled when the law holds, and
 * rejected as {@link verifyRules} throws when it does not.
 *
 * @since 0.5.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws, ruleCases } from "apportion/testing"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 25 },
 * ])
 * const cases = ruleCases(rules, [Laws.atMostOfItem("30.00"), Laws.neverOverAllocated()])
 * // With vitest, jest or node:test: for (const { name, run } of cases) test(name, run)
 * cases.map(({ name }) => name)
 * // => ["no collaborator gets more than 30.00% of an item", "no item is over-allocated"]
 * await cases[0]?.run() // => undefined
 * ```
 */
export const ruleCases = (
  rules: AnyRules,
  laws: ReadonlyArray<Law>,
  options: VerifyOptions = {},
): ReadonlyArray<ContractCase> => {
  // All of them try the same orders, so that a seed and a path mean the same in each.
  const search = searchFor(rules, laws, options)
  return laws.map((law) => ({
    name: law.name,
    run: async () => {
      verify(search, [law])
    },
  }))
}
