import { at } from "../../../internal/at.js"
import * as Percent from "../../../money/Percent.js"
import * as Attribute from "../../../orders/Attribute.js"
import { money, oneLine, plural } from "../../../orders/Words.js"
import type { OverAllocationWitness, Steps } from "../../Options.js"
import {
  type OverAllocatedProducts,
  type OverAllocation,
  overAllocationIn,
} from "../../OverAllocation.js"
import { Inquiry } from "../Inquiry.js"
import type { ResolvedOptions } from "../ResolvedOptions.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./Subject.js"

/** More lists of products than that are reported together. */
const mostLists = 10

const claimText = (
  { groupId, collaboratorId, amount }: OverAllocationWitness["claims"][number],
  currency: string,
): string => `${oneLine(groupId)} of ${oneLine(collaboratorId)} ${money(amount, currency)}`

const claimsText = (
  { order, distributable, claims }: OverAllocationWitness,
  item: string,
): string => {
  const told = wording.list(claims.map((claim) => claimText(claim, order.currency)))
  const sum = money(
    claims.reduce((total, { amount }) => total + amount, 0),
    order.currency,
  )
  const distributableText = money(distributable, order.currency)
  const all = claims.length === 1 ? "" : `, ${sum} in all`
  return `${told} can be claimed of ${item} ${distributableText}${all}.`
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
  const told = open.length === 0 ? "" : `: ${wording.products(open)}`
  return [
    {
      rule: "undecided",
      groupIds: [],
      ...(open.length === 0 ? {} : { products: open }),
      message: `Whether more can be claimed of ${of} than it brings in was not decided within the budget${told}.`,
    },
  ]
}

const isInAmounts = ({ rules }: Subject): boolean =>
  rules.groups.some(
    ({ amount, minAmount, shippingAmount }) =>
      (amount ?? 0) > 0 || (minAmount ?? 0) > 0 || (shippingAmount ?? 0) > 0,
  )

/** How many values an order has at most, where that was said. */
const limitsOf = ({ limits }: ResolvedOptions): ReadonlyArray<string> =>
  Attribute.unboundedAttributes.flatMap((attribute) => {
    const most = limits[attribute]
    return most === undefined ? [] : `with at most ${most} ${Attribute.fullNounOf(attribute, most)}`
  })

/** What is taken for granted of every sale, as it begins a sentence. */
const conditionOf = ({ setting }: Subject, isOfAmounts: boolean): string => {
  const { policy, catalogue, mostDiscount, mostTax } = setting
  const isOfPrices = isOfAmounts && catalogue !== undefined
  const isOnDiscount = policy.discount === "ignore"
  const told = (most: number | undefined, of: string, where: string): ReadonlyArray<string> => {
    // Of amounts the smallest possible sale is not asked; of percentages it is, unless something is said.
    if (!isOfPrices && (most === undefined || !isOnDiscount)) return []
    return [
      (most ?? 0) === 0
        ? `without ${of}${where}`
        : `with ${of} of at most ${Percent.format(most ?? 0)} %${where}`,
    ]
  }
  const texts = [
    ...limitsOf(setting),
    ...told(mostDiscount, "a discount", ""),
    ...(policy.tax === "remove" ? told(mostTax, "tax", " in the price") : []),
  ]
  return texts.length === 0 ? "" : `${texts.join(" and ")}, `
}

/** What the proof says nothing about. */
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

/** What is proved, with everything that it rests on. */
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

/** Rules name products by one kind of id, as a rule: that two of them are one product is possible, and hardly meant. */
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
  const told = isKnown ? ofProducts(found) : yield* ofAnyItem(subject, found)
  const drafts = [...told, ...undecidedOf(found)]
  if (drafts.some(({ rule }) => rule !== "two-ids")) return { drafts }
  return { drafts, proved: provedOf(subject, found, itemOf(subject, drafts)) }
}
