/**
 * Random streams of sales that carry, with refunds in parts and other groups on the way: what the library, the oracle
 * and the reckoning have to agree on.
 */
import {
  CarriedSplit,
  type Order,
  type ProductGroup,
  Refund,
  type Remainder,
  RuleSet,
  Split,
  type SplitPolicy,
} from "apportion"
import * as Result from "effect/Result"
import type { Chance } from "../generators/Chance.js"
import {
  amount,
  limits,
  one,
  order,
  percent,
  policy,
  range,
  refund,
  type Size,
  type SoldRefund,
} from "../generators/SaleStream.js"
import { type CarriedLine, type Due, oracleCarry, type Party } from "./CarryOracle.js"
import { assign, type Fraction, leftBy, type Progress, takenOff } from "./Reckoning.js"

export type Groups = ReadonlyArray<ProductGroup.GroupInput>

export type Step =
  | { readonly sale: Order.Order }
  | { readonly refund: SoldRefund }
  | { readonly groups: Groups }

export interface CarryHistory {
  readonly groups: Groups
  readonly policy: SplitPolicy.SplitPolicy
  /** Nothing but percentages, of at most 100 in all: the reckoning applies. */
  readonly isPlain: boolean
  readonly before: Remainder.Remainders
  /** Sums on the way may be out of range. */
  readonly isVast: boolean
  readonly steps: ReadonlyArray<Step>
}

const ids = ["a", "b", "C", "d", "10", "9", "é", "__proto__", "e", "f", "g", "h"]

const link = (chance: Chance): ProductGroup.GroupInput["link"] =>
  chance.onceIn(3)
    ? { type: "products", values: [one(chance, "p1", "p2")] }
    : { type: "products.all" }

/** Percentages alone that come to at most 100, often to exactly 100. */
const plainGroups = (chance: Chance): Groups => {
  let left = 10_000
  const count = range(chance, 1, chance.onceIn(4) ? 12 : 5)
  return ids.slice(0, count).map((id, place) => {
    const isLast = place === count - 1
    const points = isLast && chance.onceIn(2) ? left : chance.below(Math.floor(left / 2) + 1)
    left -= points
    return { id, collaboratorId: id, link: link(chance), percent: (points / 100).toFixed(2) }
  })
}

const anyGroups = (chance: Chance): Groups =>
  ids.slice(0, range(chance, 1, chance.onceIn(4) ? 12 : 4)).map((id) => {
    const isDeducting = chance.onceIn(6)
    const hasFlat = chance.onceIn(6)
    return {
      id,
      collaboratorId: chance.onceIn(3) ? "ada" : id,
      link: link(chance),
      percent: percent(chance),
      ...(hasFlat ? { amount: chance.below(200) } : {}),
      ...(chance.onceIn(5) ? { shippingPercent: percent(chance) } : {}),
      ...(hasFlat && chance.onceIn(3) ? { shippingAmount: chance.below(50) } : {}),
      ...(isDeducting
        ? { condition: { type: "referer" as const, values: ["blog"] }, deductForOtherSplits: true }
        : {}),
      ...limits(chance),
    }
  })

/** One to three lines of money alone, most of them of few cents, where rounding matters. */
const plainOrder = (chance: Chance, id: string, size: Size): Order.Order => ({
  id,
  currency: one(chance, "USD", "USD", "JPY"),
  items: ["1", "10", "2"].slice(0, range(chance, 1, 3)).map((itemId) => {
    const worth = chance.onceIn(2) ? chance.below(5) : amount(chance, size)
    const money = chance.onceIn(8) ? 0 - worth : worth
    return { id: itemId, product: { id: one(chance, "p1", "p2") }, quantity: 1, amount: money }
  }),
})

/** The most that may be carried. */
const most = 10 ** 15

/** What was carried before, up to the most there can be; the store's is not always the opposite. */
const before = (chance: Chance): Remainder.Remainders => {
  const remainder = () =>
    chance.onceIn(4)
      ? one(chance, most, -most, most - 9_999, 4e14 + 1, -(2 ** 48) - 1)
      : range(chance, -25_000, 25_000) || 1
  return ["a", "b", "C", null]
    .filter(() => chance.onceIn(2))
    .map((groupId) => ({ currency: "USD", groupId, remainder: remainder() }))
}

export const history = (chance: Chance): CarryHistory => {
  const isPlain = chance.onceIn(2)
  const size: Size = chance.onceIn(8) ? "huge" : "small"
  const someGroups = () => (isPlain ? plainGroups(chance) : anyGroups(chance))
  const groups = someGroups()
  const steps: Array<Step> = []
  const sold: Array<Order.Order> = []
  for (let count = range(chance, 2, 9); count > 0; count -= 1) {
    if (sold.length > 0 && chance.onceIn(10)) {
      steps.push({ groups: someGroups() })
    } else if (sold.length > 0 && chance.onceIn(4)) {
      const back = refund(chance, sold)
      steps.push({ refund: back })
    } else {
      const id = `${sold.length + 1}`
      const sale = isPlain ? plainOrder(chance, id, size) : order(chance, id, size)
      sold.push(sale)
      steps.push({ sale })
    }
  }
  const any = policy(chance)
  const carried = chance.onceIn(8) ? before(chance) : []
  const plain = { shipping: "store", stacking: "all" } as const
  return {
    ...{ groups, steps, isPlain, before: carried, isVast: size === "huge" || carried.length > 0 },
    policy: { ...any, ...(isPlain ? plain : {}), rounding: "carry" },
  }
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? Number(part) : part))

const byItem = (one: { readonly itemId: string }, other: { readonly itemId: string }) =>
  one.itemId < other.itemId ? -1 : one.itemId > other.itemId ? 1 : 0

/** The lines of a split in the oracle's shape. */
const linesOf = (split: Split.Split) =>
  split.items
    .flatMap(({ itemId }, place) => [
      ...split.shares
        .filter((share) => share.itemId === itemId)
        .map(
          ({ groupId: party, amount, shippingAmount: shipping, base, percentTotal, carried }) => ({
            ...{ itemId, party, amount, shipping, base, percentTotal, ...carried },
          }),
        ),
      {
        ...{ itemId, party: null, amount: split.store[place]?.amount },
        ...{ shipping: 0, base: 0, percentTotal: 0, ...split.store[place]?.carried },
      },
    ])
    .toSorted(byItem)

/** A line as text; numbers of both kinds read the same. */
const lineText = (
  line: {
    readonly [Name in keyof CarriedLine]?: CarriedLine[Name] | number | undefined
  },
): string =>
  [
    ...[line.itemId, line.party, line.amount, line.shipping],
    ...[line.base, line.percentTotal, line.before, line.after],
  ].join("/")

const pointsOf = ({ percent }: ProductGroup.GroupInput): number => Math.round(Number(percent) * 100)

/** What is met on the way, for those who ask whether everything is reached. */
export interface Watch {
  readonly sale?: (split: Split.Split) => void
  readonly refund?: (reversal: Refund.Reversal) => void
  readonly open?: (isOpen: boolean) => void
}

/** What the library is asked for; a test puts faults in. */
export interface Engine {
  readonly split: CarriedSplit.RunningRemainders["split"]
  readonly refund: CarriedSplit.RunningRemainders["refund"]
  readonly remainders: CarriedSplit.RunningRemainders["remainders"]
}

class Play {
  readonly #running: Engine
  readonly #history: CarryHistory
  readonly #watch: Watch
  readonly #dues = new Map<string, Due>()
  readonly #sold = new Map<string, { readonly split: Split.Split; readonly order: Order.Order }>()
  readonly #refunds: Array<SoldRefund> = []
  #groups: Groups
  #rules: RuleSet.RuleSet

  constructor(history: CarryHistory, running: Engine, watch: Watch) {
    this.#history = history
    this.#running = running
    this.#watch = watch
    this.#groups = history.groups
    this.#rules = RuleSet.make(history.groups)
    for (const { currency, groupId, remainder } of history.before) {
      this.#dues.set(currency, new Map(this.#dueOf(currency)).set(groupId, BigInt(remainder)))
    }
  }

  run(): string | undefined {
    for (const [place, step] of this.#history.steps.entries()) {
      if ("groups" in step) {
        this.#groups = step.groups
        this.#rules = RuleSet.make(step.groups)
      }
      const found =
        "sale" in step ? this.#sale(step.sale) : "refund" in step ? this.#refund(step.refund) : ""
      if (found === undefined) return undefined
      if (found !== "") return `step ${place}: ${found}`
      const differing = this.#compareRemainders()
      if (differing !== undefined) return `after step ${place}: ${differing}`
    }
    return undefined
  }

  #dueOf(currency: string): Due {
    return this.#dues.get(currency) ?? new Map()
  }

  /** `undefined`: refused where a sum on the way is out of range, so the two part. */
  #sale(sale: Order.Order): string | undefined {
    const { policy } = this.#history
    const split = this.#running.split(this.#rules, sale, policy)
    if (Result.isFailure(split)) {
      const plain = { ...policy, rounding: "largest-remainder" } as const
      const alone = Split.orderResult(this.#rules, sale, plain)
      // What can't be split by itself is the matter of the oracle of splits.
      if (Result.isFailure(alone)) {
        return alone.failure._tag === split.failure._tag ? "" : `fails with ${split.failure._tag}`
      }
    }
    const before = this.#dueOf(sale.currency)
    const oracle = oracleCarry(this.#groups, sale, policy, before)
    if ("errors" in oracle) {
      if (Result.isSuccess(split)) return "is not refused"
      const isSame = oracle.errors.some(({ tag }) => tag === split.failure._tag)
      return isSame ? "" : `fails with ${split.failure._tag}`
    }
    if (Result.isFailure(split)) {
      const { _tag, message } = split.failure
      return _tag === "AmountOutOfRange" && this.#history.isVast ? undefined : message
    }
    const [ours, theirs] = [
      linesOf(split.success).map(lineText).join("\n"),
      oracle.lines.toSorted(byItem).map(lineText).join("\n"),
    ]
    if (ours !== theirs) return `the library has ${ours}, the oracle ${theirs}`
    const reckoned = this.#history.isPlain ? this.#reckon(split.success, sale, before) : undefined
    if (reckoned !== undefined) return reckoned
    this.#dues.set(sale.currency, oracle.after)
    this.#sold.set(sale.id, { split: split.success, order: sale })
    this.#watch.sale?.(split.success)
    return ""
  }

  #reckon(
    split: Split.Split,
    sale: Order.Order,
    before: ReadonlyMap<Party, bigint>,
  ): string | undefined {
    let due = before
    for (const { id, amount, product } of sale.items.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const own = split.shares.filter(({ itemId }) => itemId === id)
      const percentages = this.#groups
        .filter(({ link }) => link.type === "products.all" || link.values?.includes(product.id))
        .map((group) => ({ id: group.id, points: pointsOf(group) }))
      const assigned = assign(BigInt(amount), percentages, due)
      this.#watch.open?.(assigned === undefined)
      const cents = new Map(own.map((share) => [share.groupId, BigInt(share.amount)]))
      if (assigned !== undefined) {
        const differs = percentages.find(
          (each) => (cents.get(each.id) ?? 0n) !== (assigned.cents.get(each.id) ?? 0n),
        )
        if (differs !== undefined) {
          return `item ${id}: ${differs.id} gets ${cents.get(differs.id)}, reckoned ${assigned.cents.get(differs.id)}`
        }
      }
      due = leftBy(BigInt(amount), percentages, due, cents)
      for (const { groupId, carried } of own) {
        if (BigInt(carried?.after ?? 0) !== (due.get(groupId) ?? 0n)) {
          return `item ${id}: ${groupId} carries ${carried?.after}, reckoned ${due.get(groupId)}`
        }
      }
    }
    return undefined
  }

  #refund(back: SoldRefund): string | undefined {
    const sold = this.#sold.get(back.orderId)
    if (sold === undefined) return ""
    const { split, order } = sold
    const earlier = this.#refunds
    const done = this.#running.refund(split, back, { earlier })
    const plain = Refund.reverse(split, back, { earlier })
    if (Result.isFailure(done) || Result.isFailure(plain)) {
      const isOver = Result.isFailure(done) && done.failure._tag === "AmountOutOfRange"
      if (isOver && this.#history.isVast) return undefined
      return text(done) === text(plain) ? "" : `refused by one only: ${text([done, plain])}`
    }
    if (text(done.success) !== text(plain.success)) return "takes back other cents than a refund"
    this.#watch.refund?.(done.success)
    this.#refunds.push(back)
    const due = new Map(this.#dueOf(split.currency))
    const item = order.items.find(({ id }) => id === back.itemId)
    if (item === undefined) return "of an item that there is not"
    const ofItem = (some: ReadonlyArray<SoldRefund>) =>
      some.filter(({ orderId, itemId }) => orderId === back.orderId && itemId === back.itemId)
    const all = ofItem(this.#refunds)
    const steps = { before: progress(item, all.slice(0, -1)), after: progress(item, all) }
    for (const share of split.shares.filter(({ itemId }) => itemId === back.itemId)) {
      const { before = 0, after = 0 } = share.carried ?? {}
      const reversed = done.success.shares.find(({ groupId }) => groupId === share.groupId)
      const exact = BigInt(share.amount) * 10_000n + BigInt(after) - BigInt(before)
      const [goods, shipping] = [
        BigInt(share.amount - share.shippingAmount),
        BigInt(share.shippingAmount),
      ]
      const cents = BigInt(reversed?.amount ?? 0)
      const taken = takenOff({ exact, goods, shipping }, { ...steps, cents })
      due.set(share.groupId, (due.get(share.groupId) ?? 0n) - taken)
      due.set(null, (due.get(null) ?? 0n) + taken)
    }
    this.#dues.set(split.currency, due)
    return ""
  }

  #compareRemainders(): string | undefined {
    const ours = this.#running.remainders.map(
      (one) => `${one.currency}/${one.groupId}/${one.remainder}`,
    )
    const theirs = [...this.#dues].flatMap(([currency, due]) =>
      [...due].flatMap(([party, left]) => (left === 0n ? [] : [`${currency}/${party}/${left}`])),
    )
    const [one, other] = [ours.toSorted().join(), theirs.toSorted().join()]
    return one === other ? undefined : `the library carries ${one}, the oracle ${other}`
  }
}

const sumOf = (fractions: ReadonlyArray<readonly [number, number]>): Fraction =>
  fractions.reduce<Fraction>(
    ({ top, bottom }, [part, whole]) => ({
      top: top * BigInt(whole) + BigInt(part) * bottom,
      bottom: bottom * BigInt(whole),
    }),
    { top: 0n, bottom: 1n },
  )

/** How much of an item is back. */
const progress = (item: Order.OrderItem, refunds: ReadonlyArray<SoldRefund>): Progress => {
  const net = item.amount - (item.discount ?? 0)
  const isAll = refunds.some(({ remaining }) => remaining === true)
  const goods = refunds.flatMap(({ amount, quantity }) =>
    amount !== undefined
      ? [[Math.abs(amount), Math.abs(net)] as const]
      : quantity !== undefined
        ? [[quantity, item.quantity] as const]
        : [],
  )
  const shipping = refunds.flatMap(({ shippingAmount, shippingTotal }) =>
    shippingAmount === undefined || shippingTotal === undefined
      ? []
      : [[shippingAmount, shippingTotal] as const],
  )
  return { goods: isAll ? { top: 1n, bottom: 1n } : sumOf(goods), shipping: sumOf(shipping) }
}

/** What the library and the other reckonings don't agree on, if anything. */
export const difference = (
  made: CarryHistory,
  running: Engine = new CarriedSplit.RunningRemainders(made.before),
  watch: Watch = {},
): string | undefined => new Play(made, running, watch).run()
