import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import { attributeOf } from "../../rules/engine/Conditions.js"
import { type AskingLink, attributeOf as attributeOfProduct } from "../../rules/engine/LinkIndex.js"
import type { Condition, ProductGroup } from "../../rules/ProductGroup.js"
import type { Explanation, ItemExplanation, Names, ShareExplanation, Step } from "../Explanation.js"

const money = (amount: number, currency: string): string =>
  Result.match(Currency.formatAmount(amount, currency), {
    onSuccess: (text) => `${text} ${currency}`,
    onFailure: () => `${amount} ${currency}`,
  })

/** An exact number of cents, which may have decimals, in the currency's main unit. */
const exactMoney = (cents: string, currency: string): string => {
  const digits = Result.getOrElse(Currency.minorDigits(currency), () => 0)
  const inMainUnit = (_all: string, sign: string, units: string, decimals: string) => {
    const padded = units.padStart(digits + 1, "0")
    const point = padded.length - digits
    const fraction = `${padded.slice(point)}${decimals}`
    return `${sign}${padded.slice(0, point)}${fraction === "" ? "" : `.${fraction}`}`
  }
  return `${cents.replace(/^(-?)(\d+)\.?(\d*)$/, inMainUnit)} ${currency}`
}

/** An id within a sentence: a line break or control character in it would forge a line. */
const plain = (id: string): string => id.replace(/\p{Cc}/gu, " ")

/** The name that is known for an id, or the id. */
const nameOf = (id: string, known: ((id: string) => string | undefined) | undefined): string =>
  plain(known?.(id) ?? id)

/** So many values of a group are told; a group may list a whole catalogue. */
const mostValues = 20

const quoted = (values: ReadonlyArray<string>): string => {
  const told = values.slice(0, mostValues).map((value) => JSON.stringify(value))
  const more = values.length - told.length
  return more === 0 ? told.join(", ") : `${told.join(", ")} and ${more} more`
}

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

/** `the tag "art"`, `the tags "art", "music"`, `no tag`. */
const named = (kind: string, values: ReadonlyArray<string>): string => {
  const kinds = kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`
  return values.length === 0
    ? `no ${kind}`
    : `the ${plural(values.length, kind, kinds)} ${quoted(values)}`
}

const linkKinds: { readonly [Type in AskingLink]: string } = {
  "products.tag": "tag",
  "products.vendor": "vendor",
  products: "id",
}

/** Why a group's link does not select a product. */
export const linkReason = ({ link }: ProductGroup, product: Product): string => {
  if (link.type === "products.all") return "it excludes all products"
  const kind = linkKinds[link.type]
  const having = link.modifier === "NOT" ? "without" : "with"
  const has = named(kind, attributeOfProduct(product, link.type))
  return `it is for products ${having} ${named(kind, link.values)}, and this product has ${has}`
}

/** What the values of a condition are called. */
export const conditionKinds = {
  "order.tag": "order tag",
  "customer.tag": "customer tag",
  "discount.code": "discount code",
  "country.code": "billing country",
  referer: "referer",
} as const

/** Why an order does not satisfy a group's condition. */
export const conditionReason = (condition: Condition, order: Order): string => {
  const kind = conditionKinds[condition.type]
  const having = condition.modifier === "NOT" ? "without" : "with"
  const has = named(kind, attributeOf(order, condition.type))
  return `it is for orders ${having} ${named(kind, condition.values)}, and this order has ${has}`
}

const date = (seconds: number): string => {
  const instant = new Date(seconds * 1000)
  return Number.isNaN(instant.getTime()) ? `second ${seconds}` : instant.toISOString()
}

/** Why a group was not in force when the order was made. */
export const dateReason = ({ startsAt, endsAt }: ProductGroup, order: Order): string => {
  const from = startsAt === null ? "" : ` from ${date(startsAt)}`
  const until = endsAt === null ? "" : ` until ${date(endsAt)}`
  const made = order.createdAt == null ? "has no time" : `was made at ${date(order.createdAt)}`
  return `it is in force${from}${until}, and this order ${made}`
}

export const outrankedReason = (winner: ProductGroup, names: Names): string =>
  `group ${nameOf(winner.id, names.group)} of the same collaborator is more specific and counts instead`

export const zeroReason = "it pays nothing: neither a percentage nor an amount above 0"

/** A sum as `100.00 USD price - 10.00 USD discount = 90.00 USD`. */
const sumText = (steps: ReadonlyArray<Step>, total: number, currency: string): string => {
  const parts = steps.map(({ what, amount }, index) => {
    const magnitude = money(Math.abs(amount), currency)
    if (index === 0) return `${money(amount, currency)} ${what}`
    return `${amount < 0 ? "-" : "+"} ${magnitude} ${what}`
  })
  const sum = parts.join(" ")
  return steps.length === 1 ? sum : `${sum} = ${money(total, currency)}`
}

const percentText = (share: ShareExplanation, cents: string, currency: string): string => {
  const base = money(share.base, currency)
  const value = exactMoney(cents, currency)
  const said = `${share.percent}% of ${base} is ${value}`
  if (share.rounded === "exactly") return said
  const rounded = share.steps.find((step) => step.what === "percent")?.amount ?? 0
  const why = share.rounded === "up" ? " (an odd cent went here)" : ""
  return `${said}, rounded ${share.rounded} to ${money(rounded, currency)}${why}`
}

const flatScopes = {
  unit: "for each unit",
  item: "for the item",
  order: "for the whole order (this item's part)",
} as const

const stepText = (
  step: Step,
  share: ShareExplanation,
  { currency, policy }: Explanation,
): string | undefined => {
  const amount = money(Math.abs(step.amount), currency)
  switch (step.what) {
    case "percent":
      return undefined
    case "flat":
      return `${money(step.amount, currency)} as a flat amount ${flatScopes[policy.flatScope]}`
    case "minimum":
      return `${amount} more to reach the group's minimum`
    case "maximum":
      return `${amount} less to stay within the group's maximum`
    case "shipping":
      return policy.shipping === "charge"
        ? `${amount} charged for shipping`
        : `${amount} of the shipping`
    default:
      return step.amount < 0 === share.amount < 0
        ? `${amount} more because claims that are cut are rounded only then`
        : `${amount} less because more was claimed than the item brought in`
  }
}

const shareText = (share: ShareExplanation, explanation: Explanation, names: Names): string => {
  const { currency } = explanation
  const percent = share.exact === null ? [] : [percentText(share, share.exact, currency)]
  const others = share.steps.flatMap((step) => stepText(step, share, explanation) ?? [])
  const sum = [...percent, ...others].join("; ")
  const deducting = share.deducting ? " It is taken off what the others' percentages are of." : ""
  const who = nameOf(share.collaboratorId, names.collaborator)
  const group = nameOf(share.groupId, names.group)
  return `  ${who} gets ${money(share.amount, currency)} (group ${group}): ${sum}.${deducting}`
}

const deductedText = (item: ItemExplanation, currency: string): string => {
  const rest = item.shares.find((share) => !share.deducting)?.base
  const others =
    rest === undefined ? "" : `; the others' percentages are of ${money(rest, currency)}`
  return `  ${money(item.deducted, currency)} of it is deducted first${others}.`
}

/** Percentages over 100 can come to claims that fit all the same. */
const tooMuchText = (item: ItemExplanation): string => {
  const claims = item.shares.flatMap(({ steps }) =>
    steps.flatMap(({ what, amount }) => (what === "over-allocation" ? [] : BigInt(amount))),
  )
  const claimed = claims.reduce((sum, amount) => sum + amount, 0n)
  const isCut = item.shares.some(({ steps }) => steps.some((one) => one.what === "over-allocation"))
  const isMore =
    item.distributable < 0 ? claimed < item.distributable : claimed > item.distributable
  return isCut || isMore
    ? "  The groups claim more than there is."
    : "  The percentages of the groups come to more than 100%."
}

/** `Item 1 of order 1001 (2 units)`, or `Dune (item 1 of order 1001, 2 units)`. */
const itemTitle = ({ orderId }: Explanation, item: ItemExplanation, names: Names): string => {
  const units = `${item.quantity} ${plural(item.quantity, "unit", "units")}`
  const place = `tem ${plain(item.itemId)} of order ${plain(orderId)}`
  const name = names.item?.(item.itemId)
  return name === undefined ? `I${place} (${units})` : `${plain(name)} (i${place}, ${units})`
}

/** The story of one item. */
export const itemText = (explanation: Explanation, item: ItemExplanation, names: Names): string => {
  const { currency } = explanation
  const lines = [
    `${itemTitle(explanation, item, names)} brought in ${money(item.distributable, currency)}.`,
    `  Percentages are of: ${sumText(item.baseSteps, item.base, currency)}.`,
  ]
  if (item.deducted !== 0) lines.push(deductedText(item, currency))
  if (item.shipping !== 0)
    lines.push(`  Its part of the shipping is ${money(item.shipping, currency)}.`)
  lines.push(...item.shares.map((share) => shareText(share, explanation, names)))
  if (item.overAllocated) lines.push(tooMuchText(item))
  for (const { groupId, collaboratorId, byGroupId } of item.outranked) {
    const [group, winner] = [groupId, byGroupId].map((id) => nameOf(id, names.group))
    const who = nameOf(collaboratorId, names.collaborator)
    lines.push(
      `  Group ${group} of ${who} matches too, but group ${winner} is more specific and counts instead.`,
    )
  }
  lines.push(`  The store keeps ${money(item.store, currency)}.`)
  return lines.join("\n")
}
