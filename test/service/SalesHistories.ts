/**
 * Random histories of a shop, told to the services and to the core's payout book: what the services store
 * in steps, the book folds in memory.
 */
import {
  Adjustment,
  Collaborator,
  type Order,
  type Payout,
  PayoutBook,
  type PayoutItem,
  ProductGroup,
  Refund,
  type RuleSet,
  Split,
  type SplitPolicy,
} from "apportion"
import { Audit, Payouts, Resplits, Sales } from "apportion/service"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { type RefundPart, refunds } from "../generators/Refunds.js"
import * as generate from "../generators/Sales.js"
import {
  account,
  day,
  groups,
  noon,
  payouts,
  people,
  type Services,
  type Shop,
  settingsOf,
  wait,
  within,
} from "./SalesShop.js"

const names = ["ada", "ben", "cam"] as const
const currencies = ["USD", "JPY", "KWD"] as const

const terms = fc
  .record({
    currency: fc.constantFrom(...currencies),
    payoutMeasurement: fc.constantFrom("month", "monthly_date", "week", "day"),
    payoutFrequency: fc.integer({ min: 1, max: 3 }),
    payoutThreshold: fc.constantFrom(0, 0, 50, 5_000),
    payoutHoldingDays: fc.constantFrom(null, 0, 3),
  })
  .map((chosen) => ({ ...chosen, shouldPayAutomatically: false }))

type Terms = typeof terms extends fc.Arbitrary<infer Value> ? Value : never

const mild = { money: "usual", percents: "mild" } as const
const wild = { money: "usual", percents: "wild" } as const
const lenient = generate.policy.map((policy) => ({
  ...policy,
  overAllocation: policy.overAllocation === "reject" ? "scale" : policy.overAllocation,
}))

const orderIds = fc.constantFrom("1", "2", "3", "4", "5")

const sale = fc.record({
  type: fc.constant("sale" as const),
  order: generate.order(mild),
  orderId: orderIds,
  keepsFigures: fc.boolean(),
})

type Sale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never

const step = fc.oneof(
  { weight: 8, arbitrary: sale },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant("refund" as const),
      id: fc.constantFrom("r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"),
      pick: fc.nat(),
      part: generate.order(mild).chain(refunds),
      share: fc.constantFrom(1, 2, 3),
      again: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("entry" as const),
      kind: fc.constantFrom("expense" as const, "income" as const),
      who: fc.constantFrom(...names),
      amount: fc.integer({ min: 1, max: 3_000 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("event" as const),
      event: fc.constantFrom("pay", "pay", "pay", "set-paid", "set-paid", "fail", "retry"),
      pick: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("re-split" as const),
      rules: fc.nat(1),
      isOfOrder: fc.boolean(),
      orderId: orderIds,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("close" as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("rules" as const), index: fc.nat(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("terms" as const),
      who: fc.constantFrom(...names),
      terms,
    }),
  },
)

/** Waits are mostly whole days, so that things happen at the second of a due date too. */
const pause = fc.oneof(
  fc.constantFrom(0, 0, day / 2, day, 2 * day),
  fc.integer({ min: 0, max: 40 * day }),
)

export const history = fc.record({
  terms: fc.tuple(terms, terms, terms),
  timeZone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"),
  maturityDays: fc.constantFrom(0, 2, 14, 45),
  rules: fc.tuple(generate.productGroups(mild), generate.productGroups(wild)),
  policies: fc.tuple(lenient, generate.policy),
  hasEveryRate: fc.constantFrom(true, true, true, false),
  steps: fc.array(fc.tuple(pause, step), { minLength: 1, maxLength: 40, size: "max" }),
})

export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What a history reached, for a look at whether the generator reaches what it should. */
export type Feature =
  | "a sale"
  | "a second part"
  | "a known item"
  | "a changed figure"
  | "a conversion"
  | "a missing rate"
  | "a refused order"
  | "a refund before payment"
  | "a refund after payment"
  | "a refused refund"
  | "the same refund"
  | "a rolled payout"
  | "a closed payout"
  | "a moved share"
  | "a payout below zero"
  | "a paid payout"
  | "a refused event"
  | "an entry"
  | "a return"
  | "a re-split"
  | "a second re-split"
  | "a refund after a re-split"

/** A refund as it is asked for; when it was is the clock's. */
type Asked = Omit<Refund.Refund, "refundedAt">

/** One part of an order as the model keeps it. */
interface ModelPart {
  readonly order: Order.Order
  readonly split: Split.Split
  readonly refunds: Array<Refund.Refund>
  readonly adjustments: Array<{
    readonly runId: string
    readonly adjustment: Adjustment.Adjustment
  }>
  readonly recordedAt: number
}

/** A part as the core looks at it. */
const recordedSplit = ({ split, refunds, adjustments }: ModelPart): Adjustment.RecordedSplit => ({
  ...{ split, refunds },
  adjustments: adjustments.map(({ adjustment }) => adjustment),
})

const isOfNothing = ({ amount, discount = 0, taxTotal = 0 }: Order.OrderItem): boolean =>
  [amount, discount, taxTotal].every((money) => money === 0)

const sumOf = (items: ReadonlyArray<Order.OrderItem>) =>
  items.reduce(
    (sum, item) => ({
      quantity: sum.quantity + item.quantity,
      amount: sum.amount + item.amount,
      discount: sum.discount + (item.discount ?? 0),
      taxTotal: sum.taxTotal + (item.taxTotal ?? 0),
    }),
    { quantity: 0, amount: 0, discount: 0, taxTotal: 0 },
  )

/**
 * What is new of an item when its order comes again: all of it, units that were added to it and paid for (an item of
 * their own, numbered), nothing, or other figures, which are refused.
 */
const newsOf = (
  item: Order.OrderItem,
  order: Order.Order,
  parts: ReadonlyArray<ModelPart>,
): Order.OrderItem | "known" | "changed" => {
  const before = parts.flatMap((part) => part.order.items)
  const own = before.find(({ id }) => id === item.id)
  if (own === undefined) return item
  const isBeside = (other: Order.OrderItem) =>
    parts.some(({ order: { items } }) => items.includes(own) && items.includes(other))
  const later = before.filter(
    (other) =>
      other.id.startsWith(`${item.id}+`) &&
      /^[0-9]+$/.test(other.id.slice(item.id.length + 1)) &&
      other.product.id === own.product.id &&
      !isBeside(other),
  )
  const names = order.items.map(({ id }) => id)
  const isNamed = later.some(({ id }) => names.includes(id))
  const known = isNamed ? sumOf([own]) : sumOf([own, ...later])
  const isSame = item.product.id === own.product.id
  const amount = item.amount - known.amount
  const discount = (item.discount ?? 0) - known.discount
  const taxTotal = (item.taxTotal ?? 0) - known.taxTotal
  const money = [amount, discount, taxTotal]
  const quantity = item.quantity - known.quantity
  if (isSame && quantity === 0 && money.every((by) => by === 0)) return "known"
  const isMore = money.every((by) => by === 0 || by > 0 === item.amount > 0) && item.amount !== 0
  const isFree = item.amount === 0 && money.every((by) => by === 0)
  if (isNamed || !isSame || quantity <= 0) return "changed"
  if (!isFree && !(isMore && amount !== 0)) return "changed"
  const taken = [...names, ...before.map(({ id }) => id)]
  let number = later.length + 1
  while (taken.includes(`${item.id}+${number}`)) number += 1
  return { ...item, quantity, amount, discount, taxTotal, id: `${item.id}+${number}` }
}

/** The other side: plain values, the core's split, and its payout book. */
class Model {
  book: PayoutBook.PayoutBook
  rules: RuleSet.RuleSet = { groups: [] }
  policy: SplitPolicy.SplitPolicy
  readonly parts = new Map<string, Array<ModelPart>>()
  readonly refunds = new Map<string, Asked>()
  at = noon

  constructor(history: History, rate: (from: string, to: string) => string | undefined) {
    const collaborators = history.terms.map((each, index) =>
      Collaborator.make({ id: names[index] ?? "", ...each }),
    )
    const { timeZone, maturityDays } = history
    const options = { collaborators, timeZone, maturityDays, rate }
    this.book = Result.getOrThrow(PayoutBook.empty(options))
    this.policy = history.policies[0]
  }

  /** Records a fact; the tag of what was wrong with it, if anything. */
  tell(fact: PayoutBook.Fact): string {
    const told = PayoutBook.record(this.book, fact)
    if (Result.isFailure(told)) return told.failure._tag
    this.book = told.success
    return "done"
  }

  advance(): void {
    this.book = Result.getOrThrow(PayoutBook.advance(this.book, this.at))
  }

  /** The rules for a later part: whose flat amount was paid for the order gets none again. */
  rulesFor(parts: ReadonlyArray<Pick<ModelPart, "split">>): RuleSet.RuleSet {
    const had = (groupId: string) =>
      parts.some(({ split }) =>
        split.shares.some((share) => share.groupId === groupId && share.flatTotal !== 0),
      )
    if (this.policy.flatScope !== "order") return this.rules
    const keep = this.policy.shipping === "all" ? { shippingPercent: "50.00" } : {}
    return {
      groups: this.rules.groups.map((group) =>
        had(group.id) ? { ...group, ...keep, amount: 0 } : group,
      ),
    }
  }

  sell(order: Order.Order): string {
    const parts = this.parts.get(order.id) ?? []
    const currency = parts[0]?.order.currency ?? order.currency
    const news = order.items.map((item) => newsOf(item, order, parts))
    if (currency !== order.currency || news.includes("changed")) return "SaleChanged"
    const items = news.filter((one) => typeof one === "object")
    const rest = (sum: "shippingAmount" | "shippingTax" | "gatewayFee") => {
      const total = order[sum] ?? 0
      const left = parts.reduce((value, part) => value - (part.order[sum] ?? 0), total)
      return left * total > 0 ? left : 0
    }
    if (items.length === 0) return "known"
    // Nothing says whether such items came back with the return, or were given.
    const isReturn = sumOf(parts.flatMap((part) => part.order.items)).amount < 0
    const bringsSums = (["shippingAmount", "shippingTax", "gatewayFee"] as const).some(
      (sum) => rest(sum) !== 0,
    )
    if (isReturn && items.every(isOfNothing) && !bringsSums) return "SaleChanged"
    const sums = {
      ...{ shippingAmount: rest("shippingAmount"), gatewayFee: rest("gatewayFee") },
      ...(order.shippingTax === undefined ? {} : { shippingTax: rest("shippingTax") }),
    }
    const part = { ...order, ...sums, items, createdAt: order.createdAt ?? this.at }
    const split = Split.orderResult(this.rulesFor(parts), part, this.policy)
    if (Result.isFailure(split)) return split.failure._tag
    const told = this.tell({ type: "split", at: this.at, order: part, split: split.success })
    if (told !== "done") return told
    const recorded = { order: part, split: split.success, refunds: [], adjustments: [] }
    this.parts.set(order.id, [...parts, { ...recorded, recordedAt: this.at }])
    return parts.length === 0 ? "done" : "second part"
  }

  refund(id: string, refund: Refund.Refund): string {
    const { refundedAt: _at, ...asked } = refund
    const known = this.refunds.get(id)
    if (known !== undefined) {
      return JSON.stringify(known) === JSON.stringify(asked) ? "known" : "RefundChanged"
    }
    const parts = this.parts.get(refund.orderId) ?? []
    const part = parts.find(({ order }) => order.items.some((it) => it.id === refund.itemId))
    if (part === undefined) return "RefundOfUnknownItem"
    const reversal = Refund.reverse(part.split, refund, { earlier: part.refunds })
    if (Result.isFailure(reversal)) return reversal.failure._tag
    const adjusted = []
    for (const { runId, adjustment } of part.adjustments) {
      const back = Adjustment.reverse(recordedSplit(part), adjustment, refund)
      if (Result.isFailure(back)) return back.failure._tag
      adjusted.push({ runId, ...back.success })
    }
    const fact = { type: "refund", at: this.at, id, reversal: reversal.success, adjusted } as const
    const told = this.tell(fact)
    if (told !== "done") return told
    part.refunds.push(refund)
    this.refunds.set(id, asked)
    return "done"
  }
}

/** What other rules make of the parts of an order: a part that they refuse stays, and so do those after it. */
const adjustmentsOf = (model: Model, parts: ReadonlyArray<ModelPart>) => {
  const earlier: Array<Pick<ModelPart, "split">> = []
  const found: Array<{ readonly part: ModelPart; readonly adjustment: Adjustment.Adjustment }> = []
  for (const part of parts) {
    const next = Split.orderResult(model.rulesFor(earlier), part.order, model.policy)
    if (Result.isFailure(next)) {
      if (model.policy.flatScope === "order") break
      continue
    }
    earlier.push({ split: next.success })
    const adjustment = Adjustment.between(recordedSplit(part), next.success)
    // The amounts of these histories are far from the largest.
    const changed = Result.getOrThrow(adjustment)
    if (changed !== null) found.push({ part, adjustment: changed })
  }
  return found
}

type SeenPayout = Omit<Payout.Payout, "id">

/** Ids of payouts are made up on one side, and count on the other. */
/**
 * Entries that set one payout off against another have its id in theirs. Where a group is another collaborator's after a
 * re-split, the book numbers what the second one gets: its ids are those of all payouts.
 */
const itemIdOf = ({ id, about }: PayoutItem.PayoutItem): string =>
  about?.why === "debt" ? "" : id.replace(/(\/adjustment\/run-\d+)\/2(?=\/|$)/, "$1")

const withoutId = ({ id: _id, ...payout }: Payout.Payout): SeenPayout => ({
  ...payout,
  items: payout.items.map((item) =>
    item.about === undefined
      ? { ...item, id: itemIdOf(item) }
      : { ...item, id: itemIdOf(item), about: { ...item.about, payoutId: "" } },
  ),
})

const byOpening = (payout: Payout.Payout): string =>
  `${payout.collaboratorId} ${payout.currency} ${payout.openedAt + 1e12}`

/** The book's payouts in the order in which the services list theirs: number 10 comes after number 9. */
const bookPayouts = (book: PayoutBook.PayoutBook): ReadonlyArray<Payout.Payout> => {
  const number = ({ id }: Payout.Payout) => Number(/\d+$/.exec(id))
  return PayoutBook.payouts(book).toSorted((a, b) => {
    const [one, other] = [byOpening(a), byOpening(b)]
    return one === other ? number(a) - number(b) : one < other ? -1 : 1
  })
}

const shopPayouts = (shop: Shop) =>
  Effect.map(payouts(shop), (found) =>
    found
      .toSorted((a, b) => (`${byOpening(a)}${a.id}` < `${byOpening(b)}${b.id}` ? -1 : 1))
      .map(({ version: _version, paymentId: _none, total, itemsCount, ...payout }) => ({
        payout,
        total,
        itemsCount,
      })),
  )

/** What was seen on both sides after a step. */
export interface Sides {
  readonly services: unknown
  readonly core: unknown
}

const tagOf = <A>(result: Result.Result<A, { readonly _tag: string }>): string =>
  Result.isSuccess(result) ? "done" : result.failure._tag

/** A history on its way. */
class Run {
  readonly features = new Set<Feature>()
  private readonly shop: Shop
  private readonly model: Model
  private readonly history: History
  private entries = 0
  private runs = 0

  constructor(shop: Shop, history: History) {
    const rate = (from: string, to: string) => shop.rates.get(`${from}/${to}`)
    this.shop = shop
    this.history = history
    this.model = new Model(history, rate)
  }

  useRules(index: number) {
    const inputs = this.history.rules[index] ?? []
    const chosen = this.history.policies[index] ?? this.history.policies[0]
    const { timeZone, maturityDays } = this.history
    this.model.rules = { groups: inputs.map((input) => ProductGroup.make(input)) }
    this.model.policy = chosen
    this.shop.settings = settingsOf({ policy: chosen, timeZone, maturityDays })
    return groups(this.shop, ...inputs)
  }

  prepare() {
    const [first, second, third] = currencies
    const pairs = [first, second, third].flatMap((from) =>
      [first, second, third].map((to) => `${from}/${to}`),
    )
    const unknown = this.history.hasEveryRate ? "" : "USD/KWD"
    pairs.forEach((pair, index) => {
      if (pair !== unknown) this.shop.rates.set(pair, `${index % 4}.${37 + index}5`)
    })
    const collaborators = this.history.terms.map((each, index) => ({
      id: names[index] ?? "",
      ...each,
    }))
    return Effect.andThen(people(this.shop, ...collaborators), this.useRules(0))
  }

  /** Order ids come again; half of the time with the figures of the items that are known. */
  private orderOf({ order, orderId, keepsFigures }: Sale): Order.Order {
    const parts = this.model.parts.get(orderId)
    const named = { ...order, id: orderId }
    if (parts === undefined || !keepsFigures) return named
    const known = new Map(parts.flatMap((part) => part.order.items).map((it) => [it.id, it]))
    const items = order.items.map((item) => known.get(item.id) ?? item)
    return { ...named, currency: parts[0]?.order.currency ?? order.currency, items }
  }

  private sell(chosen: Sale) {
    const { model, features } = this
    return Effect.gen({ self: this }, function* () {
      const order = this.orderOf(chosen)
      const sales = yield* Sales
      const recorded = yield* Effect.result(sales.record(account, order))
      const told = model.sell(order)
      if (told === "done" || told === "second part") {
        features.add(told === "done" ? "a sale" : "a second part")
        if (order.items.some(({ amount }) => amount < 0)) features.add("a return")
      } else if (told === "SaleChanged") features.add("a changed figure")
      else if (told === "known") features.add("a known item")
      else features.add(told === "MissingExchangeRate" ? "a missing rate" : "a refused order")
      if (Result.isFailure(recorded)) return { services: recorded.failure._tag, core: told }
      const { parts, newItemIds } = recorded.success
      const isConverted = parts.some((part) => part.postings.some(({ rate }) => rate !== null))
      if (isConverted) features.add("a conversion")
      const replayed = parts.length === 0 ? [] : yield* sales.replay(account, order.id)
      const inModel = model.parts.get(order.id) ?? []
      const services =
        newItemIds.length === 0 ? "known" : parts.length === 1 ? "done" : "second part"
      return {
        services: [services, parts.map(({ split }) => split), replayed],
        core: [told, inModel.map(({ split }) => split), inModel.map(({ split }) => split)],
      }
    })
  }

  /** A part of what was sold, or of something that never was. */
  private refundOf({
    pick,
    part,
    share,
  }: Extract<Step, { type: "refund" }>): Omit<Refund.Refund, "refundedAt"> {
    const sold = [...this.model.parts.values()]
      .flat()
      .flatMap(({ order }) => order.items.map((item) => ({ orderId: order.id, item })))
    const chosen = sold[pick % Math.max(1, sold.length)]
    const odd: RefundPart = part[0] ?? { itemId: "no such item", quantity: 1 }
    if (chosen === undefined || pick % 7 === 0) return { orderId: "1", ...odd }
    const { orderId, item } = chosen
    const net = item.amount - (item.discount ?? 0)
    const isByQuantity = pick % 2 === 0 && item.quantity >= share
    return isByQuantity
      ? { orderId, itemId: item.id, quantity: Math.ceil(item.quantity / share) }
      : { orderId, itemId: item.id, amount: Math.trunc(net / share) + 0 }
  }

  private refund(chosen: Extract<Step, { type: "refund" }>) {
    const { model, features } = this
    return Effect.gen({ self: this }, function* () {
      const refund = this.refundOf(chosen)
      const sales = yield* Sales
      const request = { id: chosen.id, ...refund }
      const before = bookPayouts(model.book).flatMap(({ items }) => items).length
      const recorded = tagOf(yield* Effect.result(sales.refund(account, request)))
      const told = model.refund(chosen.id, { ...refund, refundedAt: model.at })
      const after = bookPayouts(model.book).flatMap(({ items }) => items).length
      if (told === "known") features.add("the same refund")
      else if (told !== "done") features.add("a refused refund")
      else features.add(after > before ? "a refund after payment" : "a refund before payment")
      const isChanged = [...model.parts.values()].flat().some(({ adjustments, refunds }) => {
        const [last] = adjustments
        return last !== undefined && refunds.length > last.adjustment.refunds
      })
      if (isChanged) features.add("a refund after a re-split")
      return { services: recorded, core: told === "known" ? "done" : told }
    })
  }

  /** Brings both sides up to now. */
  private close() {
    const { model, features } = this
    return Effect.gen(function* () {
      const service = yield* Payouts
      const { closed, rolled } = yield* service.closeDue(account)
      if (closed.length > 0) features.add("a closed payout")
      if (rolled.length > 0) features.add("a rolled payout")
      model.advance()
      return { services: "", core: "" }
    })
  }

  private enter({ kind, who, amount }: Extract<Step, { type: "entry" }>) {
    const { shop, model, features } = this
    return Effect.gen({ self: this }, function* () {
      yield* this.close()
      const currency = yield* within(shop, ({ collaborators }) =>
        Effect.map(collaborators.get(who), (stored) => stored?.collaborator.currency ?? ""),
      )
      const owner = { collaboratorId: who, currency }
      const active = yield* within(shop, (stores) => stores.payouts.active(owner))
      if (active === undefined) return { services: "", core: "" }
      this.entries += 1
      features.add("an entry")
      const entry = { id: `entry-${this.entries}`, amount, name: "By hand" }
      const service = yield* Payouts
      const add = kind === "expense" ? service.addExpense : service.addIncome
      const added = tagOf(yield* Effect.result(add(account, active.id, entry)))
      const fact = { type: kind, collaboratorId: who, at: model.at, ...entry }
      return { services: added, core: model.tell(fact) }
    })
  }

  private move({ event, pick }: Extract<Step, { type: "event" }>) {
    const { shop, model, features } = this
    return Effect.gen({ self: this }, function* () {
      yield* this.close()
      const found = yield* shopPayouts(shop)
      const inBook = bookPayouts(model.book)
      const index = pick % Math.max(1, found.length)
      const [chosen, other] = [found[index], inBook[index]]
      if (chosen === undefined || other === undefined) return { services: "", core: "" }
      const service = yield* Payouts
      const calls = {
        pay: service.pay(account, chosen.payout.id),
        "set-paid": service.setPaid(account, chosen.payout.id),
        retry: service.retry(account, chosen.payout.id),
        fail: service.fail(account, chosen.payout.id, "no such account"),
      }
      const services = tagOf(yield* Effect.result(calls[event]))
      const fact = event === "fail" ? { type: event, reason: "no such account" } : { type: event }
      const { at } = model
      const core = model.tell({ type: "payout", at, payoutId: other.id, event: fact })
      features.add(core === "done" ? "a paid payout" : "a refused event")
      return { services, core }
    })
  }

  /** Splits everything again, or an order, by the first or the second rules. */
  private splitAgain({ rules, isOfOrder, orderId }: Extract<Step, { type: "re-split" }>) {
    const { model, features } = this
    return Effect.gen({ self: this }, function* () {
      yield* this.useRules(rules)
      const resplits = yield* Resplits
      const asked = isOfOrder ? { orderIds: [orderId] } : {}
      this.runs += 1
      const id = `run-${this.runs}`
      const { digest } = yield* resplits.propose(account, { ...asked, id })
      yield* resplits.approve(account, id, { digest })
      const booked = tagOf(yield* Effect.result(resplits.book(account, id)))
      const inOrder = [...model.parts]
        .filter(([one]) => !isOfOrder || one === orderId)
        .flatMap(([one, parts]) =>
          adjustmentsOf(model, parts).map((found) => ({ ...found, orderId: one })),
        )
        .sort(
          (one, other) =>
            one.part.recordedAt - other.part.recordedAt || (one.orderId < other.orderId ? -1 : 1),
        )
      const before = model.book
      for (const { part, adjustment } of inOrder) {
        const { order } = part
        const fact = { type: "adjustment", at: model.at, runId: id, order, adjustment } as const
        const told = model.tell(fact)
        if (told === "done") continue
        model.book = before
        return { services: booked, core: told }
      }
      for (const { part, adjustment } of inOrder) {
        features.add(part.adjustments.length === 0 ? "a re-split" : "a second re-split")
        part.adjustments.push({ runId: id, adjustment })
      }
      return { services: booked, core: "done" }
    })
  }

  private change(who: string, changed: Terms) {
    const { shop, model } = this
    return Effect.gen({ self: this }, function* () {
      yield* this.close()
      const collaborator = { id: who, ...changed }
      yield* people(shop, collaborator)
      const fact = { type: "collaborator", at: model.at } as const
      model.tell({ ...fact, collaborator: Collaborator.make(collaborator) })
      return { services: "", core: "" }
    })
  }

  take([seconds, chosen]: readonly [number, Step]) {
    this.model.at += seconds
    const taken = Effect.suspend((): Effect.Effect<Sides, unknown, Services> => {
      switch (chosen.type) {
        case "sale":
          return this.sell(chosen)
        case "refund":
          return this.refund(chosen)
        case "entry":
          return this.enter(chosen)
        case "event":
          return this.move(chosen)
        case "re-split":
          return this.splitAgain(chosen)
        case "close":
          return this.close()
        case "rules":
          return Effect.as(this.useRules(chosen.index), { services: "", core: "" })
        case "terms":
          return this.change(chosen.who, chosen.terms)
      }
    })
    return Effect.andThen(wait(seconds), taken)
  }

  /** Every payout on both sides, brought up to now; totals and counts are told beside the items. */
  last() {
    const { shop, model } = this
    return Effect.gen({ self: this }, function* () {
      yield* this.close()
      const services = yield* shopPayouts(shop)
      const core = bookPayouts(model.book).map((payout) => ({
        payout: withoutId(payout),
        total: payout.items.reduce((sum, { amount }) => sum + amount, 0),
        itemsCount: payout.items.length,
      }))
      for (const { payout } of services) {
        if (payout.items.some(({ about }) => about?.why === "immature")) {
          this.features.add("a moved share")
        }
        if (payout.items.some(({ about }) => about?.why === "debt")) {
          this.features.add("a payout below zero")
        }
      }
      const { differences } = yield* (yield* Audit).sales(account)
      return {
        services: [
          services.map((each) => ({ ...each, payout: withoutId(each.payout) })),
          differences,
        ],
        core: [core, []],
      }
    })
  }
}

/** Lives through a history; what both sides saw in each step and at last, and what was reached. */
export const live = (shop: Shop, history: History) =>
  Effect.gen(function* () {
    const run = new Run(shop, history)
    yield* run.prepare()
    const seen: Array<Sides> = []
    for (const step of history.steps) seen.push(yield* run.take(step))
    seen.push(yield* run.last())
    return { seen, features: run.features }
  })
