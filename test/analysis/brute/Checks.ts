/**
 * What the analyses say, held against what is true of all orders. A complaint is a sentence about what is wrong.
 */
import { Analysis, RuleSet, Split } from "apportion"
import { Result } from "effect"
import {
  Brute,
  overAllocation,
  type Question,
  unpaidProducts,
  whereClaimsDiffer,
} from "./Answers.js"
import { sizeOf } from "./Orders.js"

export interface Checked {
  readonly complaints: ReadonlyArray<string>
  /** What was answered, for counting how often each answer is given. */
  readonly answers: ReadonlyArray<string>
}

type Part = (brute: Brute, options: Analysis.Options) => Checked

const isSubset = (one: ReadonlySet<number>, others: ReadonlyArray<ReadonlySet<number>>) =>
  [...one].every((place) => others.some((other) => other.has(place)))

const optionsOf = (question: Question, budget: number | undefined): Analysis.Options => ({
  policy: question.policy,
  catalogue: question.catalogue,
  from: question.from,
  mostDiscount: question.mostDiscount,
  mostTax: question.mostTax,
  atMost: question.atMost,
  idsOfProduct: question.idsOfProduct,
  ...(budget === undefined ? {} : { budget }),
})

/**
 * Whether a sale is one of those that are asked about: no figure is below 0, no discount and no tax is larger than
 * it may be, and a product has its price.
 */
const isOrdinary = ({ question, policy }: Brute, { order }: Analysis.Witness): boolean => {
  const { catalogue, mostDiscount, mostTax } = question
  const isAny = policy.discount === "ignore"
  return order.items.every(({ amount, discount = 0, taxTotal, quantity, product }) => {
    const tax = taxTotal ?? 0
    const paid = amount - discount
    const isDiscount = discount * 100 <= amount * (mostDiscount ?? (isAny ? 100 : 0))
    const isTax =
      mostTax === undefined && isAny ? tax <= paid : tax * 100 <= (paid - tax) * (mostTax ?? 0)
    const hasPrice = catalogue !== undefined && (product.price ?? -1) >= 0 && amount !== 0
    return (
      Math.min(amount, discount, tax, paid) >= 0 &&
      isDiscount &&
      isTax &&
      (!hasPrice || amount === quantity * (product.price ?? 0))
    )
  })
}

/** What is wrong with an order that is said to be over-allocated. */
const wrongWitness = (
  brute: Brute,
  witness: Analysis.OverAllocationWitness,
  smallest: number | undefined,
): ReadonlyArray<string> => {
  const { question, rules, refusing } = brute
  const { order, attributeCount, isSmallest, distributable, claims } = witness
  const split = Split.orderResult(rules, order, refusing)
  if (!(Result.isFailure(split) && split.failure._tag === "OverAllocated")) {
    return [`the witness is not over-allocated: ${JSON.stringify(order)}`]
  }
  const { failure } = split
  const isSame =
    failure.distributable === distributable &&
    JSON.stringify(failure.claims) === JSON.stringify(claims)
  const counted = sizeOf(order, question.groups, question.catalogue !== undefined)
  const isEarly =
    (order.createdAt ?? question.from ?? 0) < (question.from ?? Number.NEGATIVE_INFINITY)
  return [
    ...(isSame ? [] : ["the claims of the witness are others"]),
    ...(isOrdinary(brute, witness) ? [] : [`no ordinary sale: ${JSON.stringify(order)}`]),
    ...(counted === attributeCount
      ? []
      : [`the witness has ${counted} attributes, not ${attributeCount}`]),
    ...(isEarly ? ["the witness is from before the time that is asked about"] : []),
    ...(isSmallest && smallest !== undefined && smallest < attributeCount
      ? [
          `the witness has ${attributeCount} attributes and is no smallest one, ${smallest} are enough`,
        ]
      : []),
  ]
}

export const checkOverAllocation: Part = (brute, options) => {
  const said = Analysis.overAllocation(brute.rules, options)
  const truth = overAllocation(brute)
  const wrong = said.verdict === "impossible" && truth.size !== undefined
  const open = new Set(said.products.flatMap((list) => list.products))
  return {
    answers: [
      `over-allocation ${said.verdict}`,
      ...(said.witness === null ? [] : [`over-allocation smallest ${said.witness.isSmallest}`]),
    ],
    complaints: [
      ...(wrong ? [`over-allocation is said to be ${said.verdict}`] : []),
      ...(said.witness === null ? [] : wrongWitness(brute, said.witness, truth.size)),
      ...(brute.question.catalogue === undefined
        ? []
        : [...truth.products].filter((id) => !open.has(id)).map((id) => `${id} is over-allocated`)),
      ...said.products.flatMap(({ witness }) =>
        witness === null ? [] : wrongWitness(brute, witness, undefined),
      ),
    ],
  }
}

const wrongReason = (brute: Brute, dead: Analysis.DeadGroup): ReadonlyArray<string> => {
  const applies = brute.appliesTo(dead.groupId)
  if (dead.reason !== "outranked") {
    return applies.size === 0 ? [] : [`${dead.groupId} applies to some orders, not: ${dead.reason}`]
  }
  const by = dead.by.map((id) => brute.appliesTo(id))
  const isNeeded = (place: number) =>
    !isSubset(
      applies,
      by.filter((_, index) => index !== place),
    )
  return [
    ...(applies.size === 0
      ? [`${dead.groupId} applies to no order and is said to be outranked`]
      : []),
    ...(isSubset(applies, by) ? [] : [`${dead.groupId} is not outranked by ${dead.by}`]),
    ...(by.every((_, place) => isNeeded(place)) ? [] : [`${dead.by}: some can be left out`]),
  ]
}

export const checkDeadGroups: Part = (brute, options) => {
  const { dead, undecided } = Analysis.deadGroups(brute.rules, options)
  const known = new Map(dead.map((group) => [group.groupId, group]))
  const complaints = brute.rules.groups.flatMap(({ id }) => {
    const isDead = brute.countsOn(id).size === 0
    const said = known.get(id)
    if (undecided.includes(id)) return said === undefined ? [] : [`${id} is dead and undecided`]
    if (isDead !== (said !== undefined)) return [`${id} is ${isDead ? "" : "not "}dead`]
    return said === undefined || options.budget !== undefined ? [] : wrongReason(brute, said)
  })
  const living = brute.rules.groups.length - dead.length - undecided.length
  return {
    complaints,
    answers: [
      ...dead.map(({ reason }) => `dead ${reason}`),
      ...undecided.map(() => "dead undecided"),
      ...Array.from({ length: living }, () => "living"),
    ],
  }
}

/** What a group pays, as far as its documentation tells two groups apart. */
const paysOf = (brute: Brute, id: string | undefined): string => {
  const group = id === undefined ? undefined : RuleSet.get(brute.rules, id)
  if (group === undefined) return "nothing"
  const { percent, amount, shippingPercent, shippingAmount } = group
  const { shipping } = brute.policy
  const { minAmount, maxAmount, deductForOtherSplits } = group
  const isZero = (...values: ReadonlyArray<string | number | null>) =>
    values.every((value) => Number(value ?? 0) === 0)
  const isNothing = isZero(percent) && (isZero(amount) || maxAmount === 0)
  const isWithoutShipping =
    shipping === "all"
      ? isZero(percent, amount, shippingPercent, shippingAmount)
      : isZero(shippingPercent ?? percent, amount === null ? 0 : shippingAmount)
  if (isNothing && (shipping === "store" || isWithoutShipping)) return "nothing"
  const terms = [percent, amount, minAmount, maxAmount, deductForOtherSplits]
  return JSON.stringify(shipping === "store" ? terms : [...terms, shippingPercent, shippingAmount])
}

/** An order on which a collaborator's claim is made by a group of other terms once some groups are gone. */
const isMissed = (brute: Brute, gone: ReadonlySet<string>, id: string): boolean => {
  const counting = (
    applying: Brute["orders"][number]["applying"],
    without: ReadonlySet<string>,
  ) => {
    const owner = RuleSet.get(brute.rules, id)?.collaboratorId
    const left = applying.filter(
      (group) => group.collaboratorId === owner && !without.has(group.id),
    )
    const list = brute.policy.stacking === "all" ? left : left.slice(0, 1)
    const pays = list.map((group) => paysOf(brute, group.id)).filter((terms) => terms !== "nothing")
    return pays.sort().join()
  }
  const more = new Set([...gone, id])
  return brute.kinds.some(({ applying }) => counting(applying, gone) !== counting(applying, more))
}

export const checkRedundantGroups: Part = (brute, options) => {
  const { redundant, undecided } = Analysis.redundantGroups(brute.rules, options)
  const { dead, undecided: maybeDead } = Analysis.deadGroups(brute.rules, options)
  const gone = new Set([...redundant, ...dead].map(({ groupId }) => groupId))
  const left = [...gone].reduce(RuleSet.remove, brute.rules)
  const differs = whereClaimsDiffer(brute, left)
  const open = new Set([...undecided, ...maybeDead])
  const needed = left.groups.filter(({ id }) => !open.has(id))
  return {
    answers: [
      ...redundant.map(() => "redundant"),
      ...undecided.map(() => "redundant undecided"),
      ...needed.map(() => "needed"),
    ],
    complaints: [
      ...(differs === undefined
        ? []
        : [`without ${[...gone]} other claims are made: ${JSON.stringify(differs)}`]),
      ...needed
        .filter(({ id }) => !isMissed(brute, gone, id))
        .map(({ id }) => `${id} is redundant too`),
    ],
  }
}

export const checkOverlaps: Part = (brute, options) => {
  const { overlaps, isComplete } = Analysis.overlaps(brute.rules, options)
  const said = new Map(overlaps.map((each) => [`${each.winner} over ${each.loser}`, each.isAlways]))
  const complaints: Array<string> = []
  for (const winner of brute.rules.groups) {
    for (const loser of brute.rules.groups) {
      if (winner === loser || winner.collaboratorId !== loser.collaboratorId) continue
      const key = `${winner.id} over ${loser.id}`
      const [ones, others] = [brute.appliesTo(winner.id), brute.appliesTo(loser.id)]
      const both = brute.orders.find(
        ({ applying }) => applying.includes(winner) && applying.includes(loser),
      )
      const isBefore =
        both !== undefined && both.applying.indexOf(winner) < both.applying.indexOf(loser)
      const expected =
        isBefore && brute.policy.stacking !== "all" ? isSubset(others, [ones]) : undefined
      const actual = said.get(key)
      if (actual === undefined && !isComplete) continue
      if (actual !== expected) complaints.push(`${key}: ${actual}, and it is ${expected}`)
    }
  }
  const answers = overlaps.map(({ isAlways }) => `overlap ${isAlways ? "always" : "sometimes"}`)
  return { complaints, answers: [...answers, `overlaps complete ${isComplete}`] }
}

export const checkTogether: Part = (brute, options) => {
  const lists = new Map<string, Array<string>>()
  for (const { id } of brute.rules.groups) {
    const key = [...brute.appliesTo(id)].join()
    if (key !== "") lists.set(key, [...(lists.get(key) ?? []), id])
  }
  const text = (all: Iterable<ReadonlyArray<string>>) =>
    JSON.stringify(
      [...all]
        .map((list) => [...list].sort())
        .filter(({ length }) => length > 1)
        .sort(),
    )
  const [said, expected] = [Analysis.togetherGroups(brute.rules, options), lists.values()].map(text)
  return {
    complaints: said === expected ? [] : [`together: ${said}, and it is ${expected}`],
    answers: [`together ${said !== "[]"}`],
  }
}

export const checkUnpaid: Part = (brute, options) => {
  const { catalogue } = brute.question
  if (catalogue === undefined) return { complaints: [], answers: [] }
  const { products, undecided } = Analysis.unpaidProducts(brute.rules, catalogue, options)
  const truth = unpaidProducts(brute)
  const complaints = catalogue.products.flatMap(({ id }) =>
    undecided.includes(id) || truth.has(id) === products.includes(id) ? [] : [`${id}: unpaid?`],
  )
  return { complaints, answers: products.map(() => "unpaid product") }
}

export const checkImplications: Part = (brute, options) => {
  const answers: Array<string> = []
  const complaints: Array<string> = []
  for (const one of brute.rules.groups) {
    for (const other of brute.rules.groups) {
      if (one === other) continue
      const { verdict, witness } = Analysis.implies(one, other, options)
      answers.push(verdict)
      const [ones, others] = [brute.appliesTo(one.id), brute.appliesTo(other.id)]
      const apart = [...ones].filter((place) => !others.has(place))
      const name = `${one.id} implies ${other.id}`
      if (verdict === (apart.length > 0 ? "implied" : "not implied")) complaints.push(name)
      if (witness === null) continue
      const applying = witness.order.items.flatMap((item) =>
        RuleSet.matchingGroups(brute.rules, witness.order, item),
      )
      if (!applying.includes(one) || applying.includes(other)) complaints.push(`${name}: witness`)
      const fewest = Math.min(...apart.map((place) => brute.orders[place]?.size ?? 0))
      const counted = sizeOf(witness.order, [one, other], options.catalogue !== undefined)
      if (counted !== witness.attributeCount) complaints.push(`${name}: count`)
      if (witness.isSmallest && witness.attributeCount !== fewest) {
        complaints.push(`${name}: smallest has ${fewest}, not ${witness.attributeCount}`)
      }
    }
  }
  return { complaints, answers }
}

const parts: ReadonlyArray<Part> = [
  checkOverAllocation,
  checkDeadGroups,
  checkRedundantGroups,
  checkOverlaps,
  checkTogether,
  checkUnpaid,
  checkImplications,
]

/** Everything that can be said of one rule set. */
export const check = (
  question: Question,
  budget?: number,
  brute = new Brute(question),
): Checked => {
  const all = parts.map((part) => part(brute, optionsOf(question, budget)))
  return {
    complaints: all.flatMap(({ complaints }) => complaints),
    answers: all.flatMap(({ answers }) => answers),
  }
}
