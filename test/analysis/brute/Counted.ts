/**
 * Every small rule set with terms, and what the analyses say of it held against all orders at several counters. What is
 * claimed and paid is asked of the engine.
 */
import {
  Analysis,
  Catalogue,
  CountedRules,
  CountedSplit,
  type Counters,
  type Order,
  SplitPolicy as Policies,
  type SplitPolicy,
  type Terms,
} from "apportion"
import { Result } from "effect"
import type { Checked } from "./Checks.js"

type Group = CountedRules.CountedGroupInput

/** What a group pays: a percentage, an amount, or both, with terms or without. */
type Pay = Omit<Group, "id" | "collaboratorId" | "link">

/** Tiers of bands as a text: `0:40 2:70` is 40 % from 0 and 70 % from 2. */
const tiers = (
  counted: Terms.Counted,
  bands: string,
  more: Pick<NonNullable<Terms.TermsInput["tiers"]>, "per" | "period"> = {},
): Terms.TermsInput => ({
  tiers: {
    counted,
    bands: bands.split(" ").map((band) => {
      const [from = 0, percent = 0] = band.split(":").map(Number)
      return { from, percent }
    }),
    ...more,
  },
})

/** What is asked about without a catalogue: percentages. */
const percentages: ReadonlyArray<Pay> = [
  { percent: 40 },
  { percent: 70 },
  { percent: 40, terms: { cap: { amount: 30 } } },
  { percent: 70, terms: { cap: { amount: 0, per: "collaborator" } } },
  {
    terms: tiers("units", "0:40 2:70"),
  },
  {
    terms: tiers("units", "0:70 2:40", { per: "collaborator" }),
  },
  {
    terms: tiers("base", "0:30 100:70 103:20"),
  },
  {
    terms: tiers("share", "0:60 50:0 90:100"),
  },
  {
    terms: {
      ...tiers("share", "0:20 50:80"),
      cap: { amount: 70 },
    },
  },
  {
    terms: tiers("units", "0:40 3:40", { period: "month" }),
  },
]

/** And with one: amounts and limits too. */
const sums: ReadonlyArray<Pay> = [
  { amount: 70, terms: { cap: { amount: 50 } } },
  {
    amount: 20,
    terms: tiers("units", "0:0 2:60"),
  },
  {
    minAmount: 60,
    terms: tiers("base", "0:0 100:20"),
  },
  {
    maxAmount: 40,
    terms: tiers("share", "0:50 60:100", { per: "collaborator" }),
  },
  { percent: 100, terms: { cap: { amount: 99, period: "year" } } },
]

const links = [{ type: "products.all" }, { type: "products.tag", values: ["art"] }] as const

const referred: Pick<Group, "condition" | "deductForOtherSplits"> = {
  condition: { type: "referer", values: ["blog"] },
  deductForOtherSplits: true,
}

/** What is asked about: rules, and what there is beside them. */
interface CountedCase {
  readonly groups: ReadonlyArray<Group>
  readonly policy: Partial<SplitPolicy.SplitPolicy>
  readonly isPriced: boolean
}

const policies: ReadonlyArray<Partial<SplitPolicy.SplitPolicy>> = [
  {},
  { stacking: "all" },
  { rounding: "floor", overAllocation: "rank" },
  { overAllocation: "scale", stacking: "all" },
  { discount: "ignore" },
]

const singles = (id: string, owner: string, pays: ReadonlyArray<Pay>): ReadonlyArray<Group> =>
  links.flatMap((link) => pays.map((pay) => ({ id, collaboratorId: owner, link, ...pay })))

/** Every rule set of one or two groups. */
function* allCases(): Generator<CountedCase, void> {
  for (const isPriced of [false, true]) {
    const pays = isPriced ? [...percentages, ...sums] : percentages
    const firsts = [
      ...singles("a", "ada", pays),
      ...singles("a", "ada", pays).map((group) => ({ ...group, ...referred })),
    ]
    const seconds = [...singles("b", "ada", pays), ...singles("b", "sam", pays)]
    for (const policy of policies) {
      for (const one of firsts) {
        yield { groups: [one], policy, isPriced }
        for (const other of seconds) yield { groups: [one, other], policy, isPriced }
      }
    }
  }
}

const products = [
  { id: "plain", price: 100 },
  { id: "print", tags: ["art"], price: 103 },
]

const at = 1_767_225_600

const figures: ReadonlyArray<Pick<Order.OrderItem, "amount" | "quantity">> = [
  { amount: 100, quantity: 1 },
  { amount: 3, quantity: 1 },
  { amount: 1_000_000, quantity: 1 },
  { amount: 101, quantity: 3 },
]

const mostDiscount = 20

type Scene = Pick<CountedCase, "policy" | "isPriced">

const itemsOf = ({ isPriced }: Scene): ReadonlyArray<ReadonlyArray<Order.OrderItem>> => {
  const single = products.flatMap((product) =>
    isPriced
      ? [1, 2, 3].map((quantity) => ({ amount: product.price * quantity, quantity, product }))
      : figures.map((each) => ({ ...each, product })),
  )
  const [first, last] = [single[0], single.at(-1)]
  return [
    ...single.map((each) => [{ id: "1", ...each }]),
    ...(first === undefined || last === undefined
      ? []
      : [
          [
            { id: "1", ...first },
            { id: "2", ...last },
          ],
        ]),
  ]
}

/** Every order: of either product or both, with the referer or without, at all figures. */
const ordersOf = (scene: Scene): ReadonlyArray<Order.Order> =>
  itemsOf(scene).flatMap((items) =>
    [[], ["blog"]].map((referers) => ({
      ...{ id: "1", currency: "USD", createdAt: at, referers },
      items:
        scene.policy.discount === "ignore"
          ? items.map((item) => ({
              ...item,
              discount: Math.floor((item.amount * mostDiscount) / 100),
            }))
          : items,
    })),
  )

const options = { payout: Analysis.payoutOfWitness }

const keysOf = (rules: CountedRules.CountedRules): ReadonlyArray<string> => [
  ...new Set(
    rules.counted.flatMap(({ id, collaboratorId, terms }) => {
      const periods = {
        lifetime: "lifetime",
        year: "2026",
        month: "2026-01",
        payout: "payout:example",
      }
      const key = (counted: string, { per, period }: Pick<Terms.Cap, "per" | "period">) =>
        `${counted}/USD/${periods[period]}/${per}/${per === "group" ? id : collaboratorId}`
      return [
        ...(terms?.tiers == null ? [] : [key(terms.tiers.counted, terms.tiers)]),
        ...(terms?.cap == null ? [] : [key("share", terms.cap)]),
      ]
    }),
  ),
]

const counts = [0, 1, 2, 30, 50, 69, 100, 102, -1_000_000]
const few = [0, 2, 50, 100, -1_000_000]

/** Every combination of a few counts of up to two counters, and of more than two each on its own. */
const settingsOf = (
  ...ruleSets: ReadonlyArray<CountedRules.CountedRules>
): ReadonlyArray<Counters.Counters> => {
  const keys = [...new Set(ruleSets.flatMap(keysOf))]
  const [one, other] = keys
  if (one === undefined) return [{}]
  if (other === undefined || keys.length > 2) {
    return keys.flatMap((key) => counts.map((count) => ({ [key]: count })))
  }
  return few.flatMap((first) => few.map((second) => ({ [one]: first, [other]: second })))
}

/** What each collaborator gets, as a text; and what is counted then. */
const paidFor = (
  rules: CountedRules.CountedRules,
  order: Order.Order,
  policy: SplitPolicy.SplitPolicy,
  counters: Counters.Counters,
): string => {
  const result = CountedSplit.orderResult(rules, order, policy, counters, options)
  if (Result.isFailure(result)) return result.failure._tag === "AmountOutOfRange" ? "?" : "refused"
  const sums = new Map<string, number>()
  for (const { collaboratorId, amount } of result.success.split.shares) {
    sums.set(collaboratorId, (sums.get(collaboratorId) ?? 0) + amount)
  }
  return JSON.stringify([...sums].filter(([, sum]) => sum !== 0).sort())
}

/** An order that is over-allocated at some counters. */
const whereTooMuch = (
  rules: CountedRules.CountedRules,
  each: CountedCase,
): readonly [Order.Order, Counters.Counters] | undefined => {
  const policy = Policies.make({ ...each.policy, overAllocation: "reject" })
  const settings = settingsOf(rules)
  for (const order of ordersOf(each)) {
    for (const counters of settings) {
      const said = CountedSplit.orderResult(rules, order, policy, counters, options)
      if (Result.isFailure(said) && said.failure._tag === "OverAllocated") return [order, counters]
    }
  }
  return undefined
}

/** An order that two rule sets split differently at the same counters. */
const whereDifferent = (
  one: CountedRules.CountedRules,
  other: CountedRules.CountedRules,
  scene: Scene,
): readonly [Order.Order, Counters.Counters] | undefined => {
  const made = Policies.make(scene.policy)
  const settings = settingsOf(one, other)
  for (const order of ordersOf(scene)) {
    for (const counters of settings) {
      const paid = [one, other].map((rules) => paidFor(rules, order, made, counters))
      if (!paid.includes("?") && paid[0] !== paid[1]) return [order, counters]
    }
  }
  return undefined
}

const told = (found: readonly [Order.Order, Counters.Counters]): string => JSON.stringify(found)

const optionsOf = ({ policy, isPriced }: Scene): Analysis.Options => ({
  policy,
  mostDiscount: policy.discount === "ignore" ? mostDiscount : undefined,
  catalogue: isPriced ? Catalogue.make(products, { currency: "USD" }) : undefined,
})

const overAllocation = (rules: CountedRules.CountedRules, each: CountedCase): Checked => {
  const { verdict, witness } = Analysis.overAllocation(rules, optionsOf(each))
  const truth = whereTooMuch(rules, each)
  const complaints: Array<string> = []
  if (verdict === "impossible" && truth !== undefined) {
    complaints.push(`said to be impossible: ${told(truth)}`)
  }
  if (witness !== null) {
    const policy = Policies.make({ ...each.policy, overAllocation: "reject" })
    const { order, counters = {}, claims, distributable } = witness
    const said = CountedSplit.orderResult(rules, order, policy, counters, options)
    const error = Result.isFailure(said) ? said.failure : undefined
    const isShown =
      error?._tag === "OverAllocated" &&
      JSON.stringify([error.claims, error.distributable]) ===
        JSON.stringify([claims, distributable])
    if (!isShown) complaints.push(`not over-allocated: ${told([order, counters])}`)
  }
  const isOpen =
    verdict === "undecided" ? ` and ${truth === undefined ? "never" : "sometimes"}` : ""
  return { answers: [`over-allocation ${verdict}${isOpen}`], complaints }
}

/** Groups that are said to be of no use, and orders that are split differently without them. */
const leftOut = (rules: CountedRules.CountedRules, each: CountedCase): Checked => {
  const { dead } = Analysis.deadGroups(rules, optionsOf(each))
  const { redundant, undecided } = Analysis.redundantGroups(rules, optionsOf(each))
  const gone = new Set([...dead, ...redundant].map(({ groupId }) => groupId))
  const left = CountedRules.make(each.groups.filter(({ id }) => !gone.has(id)))
  const differs = gone.size === 0 ? undefined : whereDifferent(rules, left, each)
  const open = new Set([...undecided, ...gone])
  const needless = each.groups.filter(({ id }) => {
    if (open.has(id)) return false
    const others = CountedRules.make(left.counted.filter((other) => other.id !== id))
    return whereDifferent(left, others, each) === undefined
  })
  return {
    answers: [
      ...dead.map(() => "dead"),
      ...redundant.map(() => "redundant"),
      ...undecided.map(() => "redundancy undecided"),
    ],
    complaints: [
      ...(differs === undefined ? [] : [`without ${[...gone]}: ${told(differs)}`]),
      ...needless.map(({ id }) => `${id} is said to be needed`),
    ],
  }
}

const unpaid = (rules: CountedRules.CountedRules, each: CountedCase): Checked => {
  const { catalogue, ...asked } = optionsOf(each)
  if (catalogue === undefined) return { answers: [], complaints: [] }
  const said = Analysis.unpaidProducts(rules, catalogue, asked)
  const policy = Policies.make({ ...each.policy, overAllocation: "allow" })
  const settings = settingsOf(rules)
  const isPaid = (id: string): boolean =>
    ordersOf(each).some(
      (order) =>
        order.items.length === 1 &&
        order.items[0]?.product.id === id &&
        settings.some((counters) => {
          const { split } = CountedSplit.order(rules, order, policy, counters, options)
          return split.shares.some(({ amount }) => amount > 0)
        }),
    )
  return {
    answers: said.products.map(() => "unpaid"),
    complaints: catalogue.products.flatMap(({ id }) =>
      said.products.includes(id) === isPaid(id) ? [`${id}: unpaid?`] : [],
    ),
  }
}

/** What is said of one rule set. */
const check = (each: CountedCase): Checked => {
  const rules = CountedRules.make(each.groups)
  const parts = [overAllocation, leftOut, unpaid].map((part) => part(rules, each))
  return {
    answers: parts.flatMap(({ answers }) => answers),
    complaints: parts.flatMap(({ complaints }) => complaints),
  }
}

/** Two rule sets, of which the second one has another first group. */
interface CountedPair extends CountedCase {
  readonly instead: Group
}

/** What is said of two rule sets. */
const checkPair = ({ instead, ...each }: CountedPair): Checked => {
  const one = CountedRules.make(each.groups)
  const other = CountedRules.make([instead, ...each.groups.slice(1)])
  const { verdict, witness } = Analysis.equivalent(one, other, optionsOf(each))
  const truth = verdict === "different" ? undefined : whereDifferent(one, other, each)
  const complaints: Array<string> = []
  if (verdict === "equivalent" && truth !== undefined) {
    complaints.push(`said to be equivalent: ${told(truth)}`)
  }
  if (witness !== null) {
    const policy = Policies.make(each.policy)
    const { order, counters = {} } = witness
    const paid = [one, other].map((rules) => paidFor(rules, order, policy, counters))
    if (paid[0] === paid[1]) complaints.push(`paid the same: ${told([order, counters])}`)
  }
  const isOpen =
    verdict === "undecided" ? ` and ${truth === undefined ? "the same" : "different"}` : ""
  return { answers: [`${verdict}${isOpen}`], complaints }
}

/** Every pair of rule sets that differ in one group. */
function* allPairs(): Generator<CountedPair, void> {
  const ones = singles("a", "ada", percentages)
  const renamed = singles("c", "ada", percentages)
  const other = { id: "b", collaboratorId: "sam", link: links[0], percent: 20 } as const
  for (const policy of policies) {
    for (const one of ones) {
      for (const instead of [...ones, ...renamed]) {
        yield { groups: [one], policy, isPriced: false, instead }
        yield { groups: [one, other], policy, isPriced: false, instead }
      }
    }
  }
}

/** The case of a number: neighbouring numbers have cases that are far apart. */
const numbered = <A extends object>(all: ReadonlyArray<A>, look: (each: A) => Checked) => {
  return (number: number): Checked & { readonly about: A } => {
    const about = all[(number * 7_919) % all.length]
    if (about === undefined) throw new Error(`no case ${number}`)
    return { ...look(about), about }
  }
}

/** What is said of the rule set of a number, of all of one or two groups. */
export const countedAt = numbered([...allCases()], check)

/** What is said of the pair of a number. */
export const countedPairAt = numbered([...allPairs()], checkPair)
