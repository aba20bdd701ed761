import { at } from "../../../internal/at.js"
import * as Percent from "../../../money/Percent.js"
import * as Attribute from "../../../orders/Attribute.js"
import { money, oneLine, plural } from "../../../orders/Words.js"
import { placed } from "../../../rules/engine/Precedence.js"
import type { SplitPolicy } from "../../../shares/SplitPolicy.js"
import { countersText } from "../../../terms/CounterWords.js"
import type { OverAllocationWitness, Steps } from "../../Options.js"
import {
  type OverAllocatedProducts,
  type OverAllocation,
  overAllocationIn,
} from "../../OverAllocation.js"
import type { Budget } from "../Budget.js"
import { type GroupsPart, Inquiry } from "../Inquiry.js"
import type { OrderShape } from "../OrderShape.js"
import type { Asking, GroupRow, Values } from "../Predicate.js"
import type { ResolvedOptions } from "../ResolvedOptions.js"
import {
  anyOrder,
  type FoundOrder,
  isFound,
  isNone,
  type SmallestAnswer,
  smallest,
} from "../smallest.js"
import * as terms from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./Subject.js"

/** The maximum number of pairs for each collaborator. */
const mostPairs = 100

/** A group with the properties that are compared. */
interface ComparedGroup {
  readonly asking: Asking
  /** Its rank among the groups of its collaborator. */
  readonly rank: number
  /** How specific it is by its link and its condition. */
  readonly place: number
  readonly terms: terms.Terms
  readonly pays: string
}

/** Two groups that can apply to the same item, and why it is worth reporting which of them counts. */
interface Pair {
  readonly winner: ComparedGroup
  readonly loser: ComparedGroup
  readonly why: string
  readonly found: FoundOrder
}

const knownOf = (asking: Asking, rank: number, policy: SplitPolicy): ComparedGroup => {
  const its = terms.termsOf(asking.group, policy)
  const { place } = placed(asking.group)
  return { asking, rank, place, terms: its, pays: terms.keyOf(its) }
}

/** The amounts of a group that increase its claim. */
const amountsOf = (
  its: terms.Terms,
  policy: SplitPolicy,
  basisPoints: number,
): ReadonlyArray<number> => {
  const sign = policy.shipping === "charge" ? -1 : 1
  const shipping = [its.shippingBasisPoints * sign, its.shippingFlat * sign]
  return [basisPoints, its.flat, its.least, its.most, ...shipping]
}

/** Whether a group never pays more than another one, whatever was counted before, and sometimes less. */
const paysLess = (winner: ComparedGroup, loser: ComparedGroup, policy: SplitPolicy): boolean => {
  // A cap may leave nothing.
  if (loser.terms.counted?.isCapped === true) return false
  const least = loser.terms.counted?.lowest ?? loser.terms.basisPoints
  const less = amountsOf(winner.terms, policy, winner.terms.basisPoints)
  const more = amountsOf(loser.terms, policy, least)
  const isNeverMore = less.every((amount, index) => amount <= at(more, index))
  const isCapped = winner.terms.counted?.isCapped === true
  return isNeverMore && (isCapped || less.some((amount, index) => amount < at(more, index)))
}

/** Why it is worth reporting which of the two groups counts, if it is. */
const reasonOf = (
  winner: ComparedGroup,
  loser: ComparedGroup,
  policy: SplitPolicy,
): string | undefined => {
  if (winner.pays === loser.pays || !terms.payAnything(winner.terms)) return undefined
  if (winner.place === loser.place) {
    const isOfOneAge = winner.asking.group.createdAt === loser.asking.group.createdAt
    return isOfOneAge ? "as specific, but its id comes first" : "as specific, but newer"
  }
  return paysLess(winner, loser, policy) ? "more specific, but pays less" : undefined
}

/** Without a catalogue, a product with two ids named by rules is possible, but not worth reporting. */
const isFarFetched = ({ values }: OrderShape, part: GroupsPart): boolean =>
  values.filter((value) => part.world.values.at(value).attribute === "products").length > 1

/** Whether two groups name different values of an attribute with a single value, such as the vendor. */
const isApart = (
  { asking: one }: ComparedGroup,
  { asking: other }: ComparedGroup,
  table: Values,
): boolean =>
  one.predicate.clauses.some(
    ({ isWith, attribute, values }) =>
      isWith &&
      table.mostAt(attribute) === 1 &&
      other.predicate.clauses.some(
        (clause) =>
          clause.isWith &&
          clause.attribute === attribute &&
          !clause.values.some((value) => values.includes(value)),
      ),
  )

/** The groups of one collaborator that are searched for pairs. */
interface Ground {
  readonly part: GroupsPart
  readonly row: GroupRow
  /** The groups that never count. */
  readonly dead: ReadonlySet<Asking>
  readonly budget: Budget
}

/** The smallest order on which the first of two groups counts and the second applies too. */
function* meetingOf(
  winner: ComparedGroup,
  loser: ComparedGroup,
  ground: Ground,
): Steps<SmallestAnswer> {
  const { part, row, dead, budget } = ground
  const apply = [winner.asking, loser.asking]
  // A quick check whether they can never apply together, regardless of other groups.
  const anywhere = yield* anyOrder({ apply, not: [] }, part.world, budget)
  if (!isFound(anywhere)) return anywhere
  const not = [{ row, before: winner.rank }]
  return yield* smallest({ apply, not, except: dead }, part.world, budget)
}

/** The pairs of a collaborator; `undefined`: the budget was spent. */
function* pairsIn(
  known: ReadonlyArray<ComparedGroup>,
  { policy }: ResolvedOptions,
  ground: Ground,
): Steps<ReadonlyArray<Pair> | undefined> {
  const { part, budget } = ground
  const found: Array<Pair> = []
  for (const [below, loser] of known.entries()) {
    for (let above = 0; above < below; above += 1) {
      if (budget.work.isDue) yield budget.work.turn()
      if (!budget.take(1)) return undefined
      const winner = at(known, above)
      if (winner.pays === loser.pays || isApart(winner, loser, part.world.values)) continue
      const why = reasonOf(winner, loser, policy)
      if (why === undefined) continue
      const order = yield* meetingOf(winner, loser, ground)
      if (order === "undecided") return undefined
      if (isNone(order) || isFarFetched(order.sketch, part)) continue
      found.push({ winner, loser, why, found: order })
      if (found.length === mostPairs) return found
    }
  }
  return found
}

const idOf = ({ asking }: ComparedGroup): string => asking.group.id

const overlapOf = (
  pairs: readonly [Pair, ...ReadonlyArray<Pair>],
  part: GroupsPart,
  inquiry: Inquiry,
): Draft => {
  const [first] = pairs
  const texts = pairs.map(
    ({ winner, loser, why }) => `${oneLine(idOf(winner))} before ${oneLine(idOf(loser))} (${why})`,
  )
  const count = pairs.length === mostPairs ? `at least ${mostPairs}` : String(pairs.length)
  return {
    rule: "overlap",
    groupIds: [...new Set(pairs.flatMap(({ winner, loser }) => [idOf(winner), idOf(loser)]))],
    collaboratorId: part.collaboratorId,
    message: `${count} ${plural(pairs.length, "pair")} of groups of ${oneLine(part.collaboratorId)} can meet and pay differently, and it is not obvious which one counts: ${wording.list(texts, 3)}.`,
    witness: inquiry.example(first.found, part),
  }
}

const undecidedOverlap = ({ collaboratorId }: GroupsPart): Draft => ({
  rule: "undecided",
  groupIds: [],
  collaboratorId,
  message: `Where the groups of ${oneLine(collaboratorId)} meet was not decided within the budget.`,
})

const undecided: Draft = {
  rule: "undecided",
  groupIds: [],
  message: "Where groups of one collaborator meet was not decided within the budget.",
}

/**
 * Where groups of a collaborator meet and the one that counts is a surprise: both are equally specific and pay
 * differently, or the more specific one pays less. When the more specific one pays more, that is an ordinary exception.
 */
export function* overlapping(subject: Subject): Steps<Report> {
  const { setting, deadIds, inquiry } = subject
  if (setting.policy.stacking === "all") return { drafts: [] }
  const whole = inquiry.budget()
  const parts = yield* inquiry.parts(whole)
  if (parts === undefined) return { drafts: [undecided] }
  const drafts: Array<Draft> = []
  inquiry.work.begin("groups that meet", parts.length)
  for (const [index, part] of parts.entries()) {
    const row = at(part.rows, 0)
    const isDead = ({ group }: Asking) => deadIds.has(group.id)
    const dead = new Set(row.list.filter(isDead))
    const budget = whole.share(parts.length - index)
    budget.take(row.list.length)
    const known = row.list.flatMap((asking, rank) =>
      dead.has(asking) ? [] : knownOf(asking, rank, setting.policy),
    )
    const pairs = yield* pairsIn(known, setting, { part, row, dead, budget })
    inquiry.work.next()
    const [first, ...others] = pairs ?? []
    if (pairs === undefined) drafts.push(undecidedOverlap(part))
    else if (first !== undefined) drafts.push(overlapOf([first, ...others], part, inquiry))
  }
  return { drafts }
}

/** Lists of products beyond this number are reported together. */
const mostLists = 10

const claimText = (
  { groupId, collaboratorId, amount }: OverAllocationWitness["claims"][number],
  currency: string,
): string => `${oneLine(groupId)} of ${oneLine(collaboratorId)} ${money(amount, currency)}`

const claimsText = (
  { order, distributable, claims, counters = {} }: OverAllocationWitness,
  item: string,
): string => {
  const listed = wording.list(claims.map((claim) => claimText(claim, order.currency)))
  const total = claims.reduce((sum, { amount }) => sum + amount, 0)
  const sum = money(total, order.currency)
  const distributableText = money(distributable, order.currency)
  const all = claims.length === 1 ? "" : `, ${sum} in all`
  const before = countersText(counters)
  return [
    `${listed} can be claimed of ${item} ${distributableText}${all}.`,
    ...(before === "" ? [] : [`This is after ${before} were counted.`]),
    // A cap or a maximum cuts the claims, not the percentages.
    ...(total <= distributable ? ["The percentages come to more than 100 %."] : []),
  ].join(" ")
}

const productsText = (products: ReadonlyArray<string>): string =>
  products.length === 1
    ? `product ${wording.products(products)}, which brings in`
    : `each of the products ${wording.products(products)}, which brings in`

const draftOf = (
  witness: OverAllocationWitness,
  item: string,
  products?: ReadonlyArray<string>,
): Draft => {
  return {
    rule: "over-allocation",
    groupIds: witness.claims.map(({ groupId }) => groupId),
    ...(products === undefined ? {} : { products }),
    message: claimsText(witness, item),
    witness,
  }
}

type Proven = OverAllocatedProducts & { readonly witness: OverAllocationWitness }

const isProven = (each: OverAllocatedProducts): each is Proven => each.witness !== null

const ofProducts = ({ products }: OverAllocation): ReadonlyArray<Draft> => {
  const found = products
    .filter(isProven)
    .sort((one, other) => one.witness.attributeCount - other.witness.attributeCount)
  const rest = found.slice(mostLists).flatMap((each) => each.products)
  const drafts = found
    .slice(0, mostLists)
    .map((each) => draftOf(each.witness, productsText(each.products), each.products))
  if (rest.length === 0) return drafts
  const message = `The same can happen to ${rest.length} more ${plural(rest.length, "product")}: ${wording.products(rest)}.`
  return [...drafts, { rule: "over-allocation", groupIds: [], products: rest, message }]
}

const undecidedOf = ({ verdict, products }: OverAllocation): ReadonlyArray<Draft> => {
  const open = products.filter((each) => !isProven(each)).flatMap((each) => each.products)
  if (verdict !== "undecided" && open.length === 0) return []
  const of = open.length === 0 ? "an item" : `${open.length} ${plural(open.length, "product")}`
  const listed = open.length === 0 ? "" : `: ${wording.products(open)}`
  return [
    {
      rule: "undecided",
      groupIds: [],
      ...(open.length === 0 ? {} : { products: open }),
      message: `Whether more can be claimed of ${of} than it brings in was not decided within the budget${listed}.`,
    },
  ]
}

const isInAmounts = ({ rules }: Subject): boolean =>
  rules.groups.some(
    ({ amount, minAmount, shippingAmount }) =>
      (amount ?? 0) > 0 || (minAmount ?? 0) > 0 || (shippingAmount ?? 0) > 0,
  )

/** How many values an order has at most, where options limit it. */
const limitsOf = ({ limits }: ResolvedOptions): ReadonlyArray<string> =>
  Attribute.unboundedAttributes.flatMap((attribute) => {
    const most = limits[attribute]
    return most === undefined ? [] : `with at most ${most} ${Attribute.fullNounOf(attribute, most)}`
  })

/** The assumptions about every sale, as the beginning of a sentence. */
const conditionOf = ({ setting, inquiry }: Subject, isOfAmounts: boolean): string => {
  const { policy, catalogue, mostDiscount, mostTax } = setting
  const isOfPrices = isOfAmounts && catalogue !== undefined
  const isOnDiscount = policy.discount === "ignore"
  const limited = (most: number | undefined, of: string, where: string): ReadonlyArray<string> => {
    // For prices, a limit that is not given is 0, and is named; percentages are only limited by given ones.
    if (!isOfPrices && (most === undefined || !isOnDiscount)) return []
    return [
      (most ?? 0) === 0
        ? `without ${of}${where}`
        : `with ${of} of at most ${Percent.format(most ?? 0)} %${where}`,
    ]
  }
  const texts = [
    ...(inquiry.counted.isPlain ? [] : ["whatever was counted before"]),
    ...limitsOf(setting),
    ...limited(mostDiscount, "a discount", ""),
    ...(policy.tax === "remove" ? limited(mostTax, "tax", " in the price") : []),
  ]
  return texts.length === 0 ? "" : `${texts.join(" and ")}, `
}

/** The limits of the proof. */
const exceptions = (
  { setting }: Subject,
  { withoutPrice }: OverAllocation,
  isOfAmounts: boolean,
): ReadonlyArray<string> => {
  const count = withoutPrice.length
  if (!isOfAmounts) return []
  if (setting.catalogue === undefined) {
    return ["Only percentages were looked at: with a catalogue and its prices, amounts are too."]
  }
  const products = `${count} ${plural(count, "product")}`
  return count > 0 ? [`Of ${products} without a price only percentages were looked at.`] : []
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The proof, with all its assumptions. */
const provedOf = (subject: Subject, found: OverAllocation, item: string): string => {
  const isOfAmounts = isInAmounts(subject)
  const condition = conditionOf(subject, isOfAmounts)
  const isOfPercentages = isOfAmounts && subject.setting.catalogue === undefined
  const statement = isOfPercentages
    ? `the percentages of ${item} never come to more than it brings in.`
    : `no order can claim more of ${item} than it brings in.`
  return [capitalized(`${condition}${statement}`), ...exceptions(subject, found, isOfAmounts)].join(
    " ",
  )
}

const hasTwoIds = ({ order }: OverAllocationWitness): boolean =>
  at(order.items, 0).product.externalId !== undefined

/**
 * Rules usually name products by one kind of id: that two ids belong to one product is possible, but probably
 * unintended.
 */
function* ofAnyItem(
  { inquiry }: Subject,
  { witness }: OverAllocation,
): Steps<ReadonlyArray<Draft>> {
  if (witness === null) return []
  const plain = "an item that brings in"
  if (!hasTwoIds(witness)) return [draftOf(witness, plain)]
  const { ruleSets, setting, work } = inquiry
  const other = yield* overAllocationIn(
    new Inquiry(ruleSets, { ...setting, limits: { ...setting.limits, products: 1 } }, work),
  )
  if (other.witness !== null) return [draftOf(other.witness, plain)]
  const item = "a product whose id and external id are both named by rules, and that brings in"
  return [{ ...draftOf(witness, item), rule: "two-ids" }, ...undecidedOf(other)]
}

const itemOf = (subject: Subject, drafts: ReadonlyArray<Draft>): string => {
  if (subject.setting.catalogue !== undefined) return "a product of the catalogue, at its price,"
  return drafts.length === 0 ? "an item" : "an item whose product goes by one id of the rules"
}

/** Whether more can be claimed of an item than it brings in. */
export function* overAllocated(subject: Subject): Steps<Report> {
  const found = yield* overAllocationIn(subject.inquiry)
  const isKnown = subject.setting.catalogue !== undefined
  const drafted = isKnown ? ofProducts(found) : yield* ofAnyItem(subject, found)
  const drafts = [...drafted, ...undecidedOf(found)]
  if (drafts.some(({ rule }) => rule !== "two-ids")) return { drafts }
  return { drafts, proved: provedOf(subject, found, itemOf(subject, drafts)) }
}
