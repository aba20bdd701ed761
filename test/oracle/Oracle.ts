/**
 * A second, naive reckoning of splits and refunds, written from the rules alone: whole numbers without
 * a limit (`bigint`), loops over everything, no index, no speed. The tests hold the library against it.
 */
import type { Order, ProductGroup } from "apportion"
import { Currency, SplitPolicy } from "apportion"

type Group = ProductGroup.GroupInput
type Item = Order.OrderItem
type Policy = SplitPolicy.SplitPolicy

/** How steeply a share grew over its item, in the order in which it was earned. */
export interface OracleSlope {
  /** Which part of the item this was; all of them come to 1. */
  readonly width: Fraction
  /** What came of it, before any rounding. */
  readonly earned: Fraction
}

export interface OracleShare {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  readonly amount: bigint
  readonly shippingAmount: bigint
  readonly base: bigint
  readonly percentTotal: bigint
  readonly flatTotal: bigint
  readonly claim: bigint
  readonly deducting: boolean
  /** For a share that did not grow evenly. */
  readonly slopes?: ReadonlyArray<OracleSlope>
}

interface OracleItem {
  readonly itemId: string
  readonly amount: bigint
  readonly discount: bigint
  readonly tax: bigint
  readonly cost: bigint
  readonly gatewayFee: bigint
  readonly shipping: bigint
  readonly base: bigint
  readonly deducted: bigint
  readonly distributable: bigint
  readonly overAllocated: boolean
}

interface OracleOutranked {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  readonly byGroupId: string
}

export interface OracleSplit {
  readonly shares: ReadonlyArray<OracleShare>
  readonly store: ReadonlyArray<{ readonly itemId: string; readonly amount: bigint }>
  readonly items: ReadonlyArray<OracleItem>
  readonly outranked: ReadonlyArray<OracleOutranked>
}

/** Everything an order can be refused for; which of them is told first is not the oracle's business. */
export interface OracleError {
  readonly tag: "InvalidOrder" | "OverAllocated" | "AmountOutOfRange"
  readonly itemId?: string
  readonly exceeded?: "sum" | "percentages"
  readonly distributable?: bigint
  readonly claims?: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: bigint
  }>
}

export type OracleOutcome =
  | { readonly split: OracleSplit; readonly errors?: never }
  | { readonly split?: never; readonly errors: ReadonlyArray<OracleError> }

// ---------------------------------------------------------------------------------------- whole numbers

const sum = (numbers: ReadonlyArray<bigint>): bigint => numbers.reduce((a, b) => a + b, 0n)
const abs = (n: bigint): bigint => (n < 0n ? -n : n)
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const big = (n: number | null | undefined): bigint => BigInt(n ?? 0)

const floorDivide = (a: bigint, b: bigint): bigint => (a < 0n && a % b !== 0n ? a / b - 1n : a / b)

/** `a / b` to the nearest whole number, halves away from zero. */
const halfUp = (a: bigint, b: bigint): bigint => {
  const size = (abs(a) * 2n + abs(b)) / (abs(b) * 2n)
  return a < 0n !== b < 0n ? -size : size
}

/** Largest remainder; of equal remainders the earlier weight comes first. */
const apportion = (total: bigint, weights: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  if (total < 0n) return apportion(-total, weights).map((part) => -part)
  const whole = sum(weights)
  const parts = weights.map((weight) => {
    const floor = floorDivide(total * weight, whole)
    return { floor, remainder: total * weight - floor * whole }
  })
  const oddCents = Number(total - sum(parts.map((part) => part.floor)))
  const lucky = new Set(
    parts
      .map((part, index) => ({ remainder: part.remainder, index }))
      .sort((a, b) =>
        a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
      )
      .slice(0, oddCents)
      .map((part) => part.index),
  )
  return parts.map((part, index) => part.floor + (lucky.has(index) ? 1n : 0n))
}

/** An exact number; the bottom is above 0. */
export interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

const none: Fraction = { top: 0n, bottom: 1n }

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byId = (a: { readonly id: string }, b: { readonly id: string }): number => byText(a.id, b.id)

// --------------------------------------------------------------------------------------------- matching

/** Full case folding letter by letter; the dotless ı folds to itself, as in Unicode's table. */
const foldCase = (text: string): string =>
  [...text]
    .map((c) =>
      c === "ı" ? c : [...c.toLowerCase().toUpperCase()].map((u) => u.toLowerCase()).join(""),
    )
    .join("")

/** A function of a text that looks its last answers up: the long comparison asks for the same ones. */
const remembering = (reckon: (text: string) => string): ((text: string) => string) => {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size === 20_000) known.clear()
    const answer = reckon(text)
    known.set(text, answer)
    return answer
  }
}

export const normalText = remembering((text) =>
  foldCase(text.trim().normalize("NFC")).normalize("NFC"),
)

const exactly = (text: string): string => text
const country = remembering((text) => text.trim().toUpperCase())

const present = (text: string | null | undefined): ReadonlyArray<string> =>
  text == null ? [] : [text]

const anyOf = (
  wanted: ReadonlyArray<string>,
  there: ReadonlyArray<string>,
  normal: (text: string) => string,
): boolean => {
  const attributes = there.map(normal)
  return wanted.some((value) => attributes.includes(normal(value)))
}

const idsOf = ({ id, externalId, otherIds = [] }: Item["product"]): ReadonlyArray<string> => [
  id,
  ...present(externalId),
  ...otherIds,
]

const linkHolds = ({ link }: Group, { product }: Pick<Item, "product">): boolean => {
  const values = link.values ?? []
  const holds = {
    "products.all": () => true,
    "products.tag": () => anyOf(values, product.tags ?? [], normalText),
    "products.vendor": () => anyOf(values, present(product.vendor), normalText),
    products: () => anyOf(values, idsOf(product), exactly),
  }[link.type]()
  return link.modifier === "NOT" ? !holds : holds
}

const conditionHolds = ({ condition }: Group, order: Order.Order): boolean => {
  if (condition == null) return true
  const { values } = condition
  const holds = {
    "order.tag": () => anyOf(values, order.tags ?? [], normalText),
    "customer.tag": () => anyOf(values, order.customerTags ?? [], normalText),
    "discount.code": () => anyOf(values, order.discountCodes ?? [], normalText),
    "country.code": () => anyOf(values, present(order.billingCountry), country),
    referer: () => anyOf(values, order.referers ?? [], normalText),
  }[condition.type]()
  return condition.modifier === "NOT" ? !holds : holds
}

const inForce = ({ startsAt, endsAt }: Group, order: Order.Order): boolean => {
  if (startsAt == null && endsAt == null) return true
  if (order.createdAt == null) return false
  return (
    (startsAt == null || startsAt <= order.createdAt) &&
    (endsAt == null || order.createdAt < endsAt)
  )
}

const linkRank = ["products", "products.tag", "products.vendor", "products.all"]

/** Most specific first. */
const bySpecificity = (a: Group, b: Group): number =>
  linkRank.indexOf(a.link.type) - linkRank.indexOf(b.link.type) ||
  Number(a.condition == null) - Number(b.condition == null) ||
  newest(b) - newest(a) ||
  byId(a, b)

/** Absent is older than anything; a number smaller than any time would do as well. */
const newest = (group: Group): number => group.createdAt ?? -1e17

const applies = (group: Group, item: Item, order: Order.Order): boolean =>
  inForce(group, order) && linkHolds(group, item) && conditionHolds(group, order)

/** The groups that match an item of an order, most specific first. */
export const oracleMatchingGroups = (
  groups: ReadonlyArray<Group>,
  order: Order.Order,
  item: Item,
): ReadonlyArray<Group> => groups.filter((group) => applies(group, item, order)).sort(bySpecificity)

/** The groups whose link selects a product, most specific first. */
export const oracleLinkedGroups = (
  groups: ReadonlyArray<Group>,
  product: Item["product"],
): ReadonlyArray<Group> =>
  groups.filter((group) => linkHolds(group, { product })).sort(bySpecificity)

/** What keeps a group from an item: the link is asked first, then the condition, then the dates. */
export const oracleObstacle = (
  group: Group,
  order: Order.Order,
  item: Item,
): "link" | "condition" | "out of date" | undefined => {
  if (!linkHolds(group, item)) return "link"
  if (!conditionHolds(group, order)) return "condition"
  return inForce(group, order) ? undefined : "out of date"
}

const paysNothing = (group: Group): boolean =>
  Number(group.percent ?? 0) === 0 &&
  (group.amount ?? 0) === 0 &&
  Number(group.shippingPercent ?? 0) === 0 &&
  (group.shippingAmount ?? 0) === 0

const winnersOf = (matching: ReadonlyArray<Group>, policy: Policy): ReadonlyArray<Group> => {
  if (policy.stacking === "all") return matching
  const best = (collaboratorId: string) =>
    matching.filter((group) => group.collaboratorId === collaboratorId).sort(bySpecificity)[0]
  return matching.filter((group) => best(group.collaboratorId) === group)
}

// ---------------------------------------------------------------------------------------- sums of orders

const discountOf = (item: Item): bigint => big(item.discount)
const netOf = (item: Item): bigint => big(item.amount) - discountOf(item)

/** The parts of an order's sum, by item id. */
const spread = (total: bigint, items: ReadonlyArray<Item>): ReadonlyMap<string, bigint> => {
  const sorted = [...items].sort(byId)
  const weights = [
    sorted.map((item) => abs(netOf(item))),
    sorted.map((item) => big(item.quantity)),
    sorted.map(() => 1n),
  ].find((candidate) => sum(candidate) > 0n)
  if (weights === undefined) return new Map()
  const parts = apportion(total, weights)
  return new Map(sorted.map((item, index) => [item.id, parts[index] ?? 0n]))
}

// ------------------------------------------------------------------------------------------------ shares

interface Claim {
  readonly group: Group
  readonly deducting: boolean
  readonly base: bigint
  readonly percentTotal: bigint
  readonly flatTotal: bigint
  /** The percentage before any rounding. */
  readonly earned: Fraction
  /** Percent and flat within the minimum, the maximum and the cap. */
  readonly goods: bigint
  readonly room: bigint | undefined
  readonly isZero: boolean
}

const basisPoints = (percent: string | number | null | undefined): bigint =>
  BigInt(Math.round(Number(percent ?? 0) * 100))

/** Where the shares of some groups depend on what was counted before. */
export interface OracleCounting {
  /** Before anything of an item is reckoned. */
  readonly begin: (item: Item) => void
  /** What came of a base by the group's percentages, before any rounding; in the positive frame. */
  readonly earned: (group: Group, base: bigint, sign: bigint) => Fraction
  /** What of the goods a group may still get; in the positive frame. */
  readonly capped: (group: Group, goods: bigint, sign: bigint) => bigint
  /** The most that the group may get, if there is a most; once `capped` was asked. */
  readonly roomOf: (group: Group) => bigint | undefined
  /** The shares of the item as they are paid, by group id, in the item's own sign. */
  readonly end: (shares: ReadonlyArray<OracleShare>, sign: bigint) => ReadonlyArray<OracleShare>
}

const uncounted: OracleCounting = {
  begin: () => undefined,
  earned: (group, base) => ({ top: base * basisPoints(group.percent), bottom: 10_000n }),
  capped: (_, goods) => goods,
  roomOf: () => undefined,
  end: (shares) => shares,
}

/** A number that every one of the bottoms divides. */
const commonUnit = (parts: ReadonlyArray<Fraction>): bigint =>
  [...new Set(parts.map(({ bottom }) => bottom))].reduce((product, bottom) => product * bottom, 1n)

/** Unrounded parts of a sum, rounded together with what is left of it; of equal remainders the earlier comes first. */
const roundedParts = (
  total: bigint,
  parts: ReadonlyArray<Fraction>,
  policy: Policy,
): ReadonlyArray<bigint> => {
  const unit = commonUnit(parts)
  const wholes = parts.map(({ top, bottom }) => top * (unit / bottom))
  const all = policy.rounding === "floor" ? wholes : [...wholes, total * unit - sum(wholes)]
  const floors = all.map((part) => floorDivide(part, unit))
  const rests = all.map((part, index) => part - (floors[index] ?? 0n) * unit)
  const odd = policy.rounding === "floor" ? 0 : Number(sum(rests) / unit)
  const lucky = rests
    .map((rest, index) => ({ rest, index }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
    .slice(0, odd)
    .map(({ index }) => index)
  return parts.map((_, index) => (floors[index] ?? 0n) + (lucky.includes(index) ? 1n : 0n))
}

/** Parts of a sum by basis points, rounded together with what the store keeps. Sorted by group id. */
const percentParts = (
  total: bigint,
  points: ReadonlyArray<bigint>,
  policy: Policy,
): ReadonlyArray<bigint> => {
  if (total < 0n) return percentParts(-total, points, policy).map((part) => -part)
  if (policy.rounding === "floor") return points.map((point) => (total * point) / 10_000n)
  return apportion(total, [...points, 10_000n - sum(points)]).slice(0, points.length)
}

const within = (group: Group, goods: bigint, isZero: boolean): bigint => {
  const raised = group.minAmount == null || isZero ? goods : max(goods, big(group.minAmount))
  return group.maxAmount == null ? raised : min(raised, big(group.maxAmount))
}

const claimsOfStage = (
  groups: ReadonlyArray<Group>,
  base: bigint,
  deducting: boolean,
  { flatOf, counting, sign }: Pick<ItemInput, "flatOf" | "counting" | "sign">,
  policy: Policy,
): ReadonlyArray<Claim> => {
  const exact = groups.map((group) => counting.earned(group, base, sign))
  const parts = roundedParts(base, exact, policy)
  return groups.map((group, index) => {
    const percentTotal = parts[index] ?? 0n
    const flatTotal = flatOf(group)
    const earned = exact[index] ?? none
    const isZero = earned.top === 0n && flatTotal === 0n
    const goods = counting.capped(group, within(group, percentTotal + flatTotal, isZero), sign)
    const room = counting.roomOf(group)
    return { group, deducting, base, earned, percentTotal, flatTotal, goods, room, isZero }
  })
}

/** What each claim gets of (or is charged for) the item's shipping, in the order of the claims. */
const shippingOf = (
  claims: ReadonlyArray<Claim>,
  shipping: bigint,
  quantity: bigint,
  policy: Policy,
): ReadonlyArray<bigint> => {
  if (policy.shipping === "store" || claims.length === 0) return claims.map(() => 0n)
  if (policy.shipping === "all") {
    const groups = claims.map((claim) => claim.group)
    const takers = groups.filter(
      (group) =>
        groups
          .filter((other) => other.collaboratorId === group.collaboratorId)
          .sort(bySpecificity)[0] === group,
    )
    const parts = apportion(
      shipping,
      takers.map(() => 1n),
    )
    return groups.map((group) => parts[takers.indexOf(group)] ?? 0n)
  }
  const points = claims.map(({ group }) => basisPoints(group.shippingPercent ?? group.percent))
  const parts = percentParts(shipping, points, policy)
  return claims.map(({ group }, index) => {
    const flat = group.amount == null ? 0n : big(group.shippingAmount) * quantity
    const earned = (parts[index] ?? 0n) + flat
    return policy.shipping === "charge" ? -earned : earned
  })
}

interface Settled {
  readonly amount: bigint
  readonly shipping: bigint
}

interface Total {
  readonly claim: bigint
  readonly shipping: bigint
}

/**
 * Claims before any rounding, cut in proportion to the limit and then rounded together with what the store
 * keeps. Everything is in the same tiny parts of a cent.
 */
const scaled = (
  totals: ReadonlyArray<Total>,
  exact: ReadonlyArray<Total>,
  { limit, part }: Readonly<Record<"limit" | "part", bigint>>,
): ReadonlyArray<Settled> => {
  const asked = sum(exact.map(({ claim }) => max(claim, 0n)))
  const there = limit * part - sum(exact.map(({ claim }) => min(claim, 0n)))
  const isCut = asked > there
  // Both multiplied by what was asked, so that the proportion there : asked has whole numbers.
  const cent = isCut ? part * asked : part
  const cut = ({ claim }: Total, value: bigint) =>
    !isCut ? value : claim > 0n ? value * there : value * asked
  const shares = exact.map((each) => cut(each, each.claim))
  const all = [...shares, limit * cent - sum(shares)]
  const floors = all.map((share) => floorDivide(share, cent))
  const rests = all.map((share, index) => share - (floors[index] ?? 0n) * cent)
  const odd = Number(sum(rests) / cent)
  const lucky = rests
    .map((rest, index) => ({ rest, index }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
    .slice(0, odd)
    .map(({ index }) => index)
  return exact.map((each, index) => {
    const amount = (floors[index] ?? 0n) + (lucky.includes(index) ? 1n : 0n)
    const shipping = halfUp(cut(each, each.shipping), cent)
    const hasGoods = each.claim >= each.shipping
    const total = totals[index]
    if (total?.claim === amount) return { amount, shipping: total.shipping }
    return { amount, shipping: each.shipping > 0n && hasGoods ? min(shipping, amount) : shipping }
  })
}

/** A claim in parts of a cent, as it is before anything is rounded. */
const exactTotals = (
  claims: ReadonlyArray<Claim>,
  { shipping, quantity, part }: Readonly<Record<"shipping" | "quantity" | "part", bigint>>,
  policy: Policy,
): ReadonlyArray<Total> => {
  const best = ({ group }: Claim) =>
    claims
      .map((other) => other.group)
      .filter((other) => other.collaboratorId === group.collaboratorId)
      .sort(bySpecificity)[0] === group
  const takers = BigInt(claims.filter(best).length)
  const shippingOf = (claim: Claim): bigint => {
    const { group } = claim
    if (policy.shipping === "store") return 0n
    if (policy.shipping === "all") return best(claim) ? (shipping * part) / takers : 0n
    const points = basisPoints(group.shippingPercent ?? group.percent)
    const flat = group.amount == null ? 0n : big(group.shippingAmount) * quantity
    const earned = (shipping * points * part) / 10_000n + flat * part
    return policy.shipping === "charge" ? -earned : earned
  }
  return claims.map((claim) => {
    const { group, isZero, flatTotal, room } = claim
    const earned = (claim.earned.top * part) / claim.earned.bottom + flatTotal * part
    const raised =
      group.minAmount == null || isZero ? earned : max(earned, big(group.minAmount) * part)
    const limited = group.maxAmount == null ? raised : min(raised, big(group.maxAmount) * part)
    const goods = room === undefined ? limited : min(limited, room * part)
    return { claim: goods + shippingOf(claim), shipping: shippingOf(claim) }
  })
}

const ranked = (
  totals: ReadonlyArray<Total>,
  groups: ReadonlyArray<Group>,
  limit: bigint,
): ReadonlyArray<Settled> => {
  let left = limit - sum(totals.map(({ claim }) => min(claim, 0n)))
  const paid = new Map<Group, bigint>()
  for (const group of [...groups].sort(bySpecificity)) {
    const amount = min(totals[groups.indexOf(group)]?.claim ?? 0n, left)
    paid.set(group, amount)
    left -= max(amount, 0n)
  }
  return totals.map(({ claim, shipping }, index) => {
    const group = groups[index]
    const amount = (group && paid.get(group)) ?? 0n
    return { amount, shipping: shipping > 0n ? max(0n, amount - (claim - shipping)) : shipping }
  })
}

interface ItemInput {
  readonly item: Item
  /** The groups that give a share, by id. */
  readonly groups: ReadonlyArray<Group>
  readonly shipping: bigint
  readonly gatewayFee: bigint
  /** 1, or -1 for an item that is reckoned with all its money negated. */
  readonly sign: bigint
  readonly flatOf: (group: Group) => bigint
  readonly counting: OracleCounting
}

const reckon = (input: ItemInput, order: Order.Order, policy: Policy) => {
  const { item, groups, sign } = input
  // From here to `seen` all money is in the positive frame.
  const amount = sign * big(item.amount)
  const discount = sign * discountOf(item)
  const taxTotal = sign * big(item.taxTotal)
  const shipping = sign * input.shipping
  const fee = policy.gatewayFee === "deduct" ? sign * input.gatewayFee : 0n
  const cost = policy.cost === "deduct" ? big(item.product.cost) * big(item.quantity) : 0n
  const included = order.taxesIncluded === true
  const removed = included && policy.tax === "remove" ? -taxTotal : 0n
  const added = !included && policy.tax === "share" ? taxTotal : 0n
  const tax = removed + added
  const deductedDiscount = policy.discount === "deduct" ? discount : 0n
  const base = max(0n, amount - deductedDiscount + tax - cost - fee)
  const distributable = amount - discount + tax + shipping

  const isDeducting = (group: Group) =>
    group.deductForOtherSplits === true && group.condition?.type === "referer"
  const first = groups.filter(isDeducting)
  const second = groups.filter((group) => !isDeducting(group))
  input.counting.begin(item)
  const firstClaims = claimsOfStage(first, base, true, input, policy)
  const deducted = sum(firstClaims.map((claim) => claim.goods))
  const restBase = max(0n, base - deducted)
  const claims = [...firstClaims, ...claimsOfStage(second, restBase, false, input, policy)].sort(
    (a, b) => byId(a.group, b.group),
  )

  const shippings = shippingOf(claims, shipping, big(item.quantity), policy)
  const totals = claims.map((claim, index) => {
    const part = shippings[index] ?? 0n
    return { claim: claim.goods + part, shipping: part }
  })
  const claimed = sum(totals.map((total) => total.claim))
  const limit = max(0n, distributable)
  // A cent in so many parts that a percentage, and a part of the shipping for each claim, have whole numbers.
  const part = claims.reduce(
    (product, _, index) => product * BigInt(index + 1),
    10_000n * commonUnit(claims.map(({ earned }) => earned)),
  )
  const isMoreThan = (stage: ReadonlyArray<Group>, whole: bigint) =>
    sum(
      claims
        .filter(({ group }) => stage.includes(group))
        .map(({ earned }) => (earned.top * part) / earned.bottom),
    ) >
    whole * part
  const quantity = big(item.quantity)
  const exact = () => exactTotals(claims, { shipping, quantity, part }, policy)
  const exceedsSum =
    claimed > limit ||
    (policy.overAllocation === "scale" && sum(exact().map((total) => total.claim)) > limit * part)
  const overAllocated = isMoreThan(first, base) || isMoreThan(second, restBase) || exceedsSum
  const settled =
    policy.overAllocation === "scale" && exceedsSum
      ? scaled(totals, exact(), { limit, part })
      : policy.overAllocation === "rank" && overAllocated
        ? ranked(
            totals,
            claims.map((claim) => claim.group),
            limit,
          )
        : totals.map((total) => ({ amount: total.claim, shipping: total.shipping }))

  const seen = (n: bigint): bigint => sign * n
  const itemId = item.id
  const paid = claims.map((claim, index): OracleShare => {
    const { amount, shipping } = settled[index] ?? { amount: 0n, shipping: 0n }
    return {
      itemId,
      groupId: claim.group.id,
      collaboratorId: claim.group.collaboratorId,
      amount: seen(amount),
      shippingAmount: seen(shipping),
      base: seen(claim.base),
      percentTotal: seen(claim.percentTotal),
      flatTotal: seen(claim.flatTotal),
      claim: seen(totals[index]?.claim ?? 0n),
      deducting: claim.deducting,
    }
  })
  const shares = input.counting.end(paid, sign)
  const reckoning: OracleItem = {
    itemId,
    amount: big(item.amount),
    discount: discountOf(item),
    tax: seen(tax),
    cost: seen(cost),
    gatewayFee: seen(fee),
    shipping: input.shipping,
    base: seen(base),
    deducted: seen(deducted),
    distributable: seen(distributable),
    overAllocated,
  }
  const rest = seen(distributable) - sum(shares.map((share) => share.amount))
  const exceeded = exceedsSum ? ("sum" as const) : ("percentages" as const)
  return { shares, reckoning, exceeded, store: { itemId, amount: rest } }
}

// -------------------------------------------------------------------------------------------- an order

const isUsable = (order: Order.Order): boolean => {
  const ids = order.items.map((item) => item.id)
  const amounts = [
    order.shippingAmount,
    order.shippingTax,
    order.gatewayFee,
    order.createdAt,
    ...order.items.flatMap((item) => [
      item.amount,
      item.quantity,
      item.discount,
      item.taxTotal,
      item.product.cost,
      item.product.price,
    ]),
  ]
  return (
    new Set(ids).size === ids.length &&
    amounts.every((amount) => amount == null || Number.isSafeInteger(amount)) &&
    order.items.every((item) => item.quantity >= 0 && isSafe(netOf(item))) &&
    Currency.isCurrency(order.currency)
  )
}

const matchItem = (
  item: Item,
  groups: ReadonlyArray<Group>,
  order: Order.Order,
  policy: Policy,
) => {
  const matching = groups.filter((group) => applies(group, item, order))
  const winners = winnersOf(matching, policy)
  const outranked = matching
    .filter((group) => !winners.includes(group))
    .map((group): OracleOutranked => {
      const winner = winners.find((other) => other.collaboratorId === group.collaboratorId)
      const { id, collaboratorId } = group
      return { itemId: item.id, groupId: id, collaboratorId, byGroupId: winner?.id ?? "" }
    })
  const paying = winners.filter((group) => !paysNothing(group)).sort(byId)
  return { item, outranked, groups: paying }
}

/** A group's flat amount for an item, as the item's own frame sees it. */
const flatAmount = (
  group: Group,
  item: Item,
  itemsOfGroup: ReadonlyArray<Item>,
  { sign, orderSign }: { readonly sign: bigint; readonly orderSign: bigint },
  policy: Policy,
): bigint => {
  if (policy.flatScope === "unit") return big(group.amount) * big(item.quantity)
  if (policy.flatScope === "item") return big(group.amount)
  const whole = firstSign([sum(itemsOfGroup.map((other) => big(other.amount))), orderSign])
  return sign * (spread(whole * big(group.amount), itemsOfGroup).get(item.id) ?? 0n)
}

/** The sign of the first number that has one. */
const firstSign = (numbers: ReadonlyArray<bigint>): bigint =>
  (numbers.find((n) => n !== 0n) ?? 1n) < 0n ? -1n : 1n

/** Whether an order as a whole takes a sale back. */
const signOfOrder = (order: Order.Order): bigint => {
  const { items, shippingAmount, shippingTax, gatewayFee } = order
  const amounts = [...items].sort(byId).map((item) => big(item.amount))
  const sums = [sum(amounts), big(shippingAmount), big(shippingTax), big(gatewayFee)]
  return firstSign([...sums, ...amounts])
}

const isSafe = (n: bigint): boolean => abs(n) <= BigInt(Number.MAX_SAFE_INTEGER)
const allSafe = (record: object): boolean =>
  Object.values(record).every((value) => typeof value !== "bigint" || isSafe(value))

/** Percent and flat amount are out of range together, even if shipping brings the claim back. */
const isVast = (share: OracleShare): boolean => !isSafe(share.percentTotal + share.flatTotal)

/** A sale as the rules have it, in whole; `counting` where shares depend on what came before. */
export const oracleSplit = (
  groups: ReadonlyArray<Group>,
  order: Order.Order,
  options: Partial<Policy> = {},
  counting: OracleCounting = uncounted,
): OracleOutcome => {
  if (!isUsable(order)) return { errors: [{ tag: "InvalidOrder" }] }
  const policy: Policy = { ...SplitPolicy.defaults, ...options }
  const shippingTax = big(order.shippingTax)
  const removed = order.taxesIncluded === true && policy.tax === "remove" ? shippingTax : 0n
  const added = order.taxesIncluded !== true && policy.tax === "share" ? shippingTax : 0n
  const shippingSum = big(order.shippingAmount) - removed + added
  if (!isSafe(shippingSum)) return { errors: [{ tag: "AmountOutOfRange" }] }
  const shipping = spread(shippingSum, order.items)
  const fees = spread(big(order.gatewayFee), order.items)
  const orderSign = signOfOrder(order)
  const matched = [...order.items].sort(byId).map((item) => matchItem(item, groups, order, policy))
  const reckoned = matched.map(({ item, groups: paying }) => {
    const part = shipping.get(item.id) ?? 0n
    const own = [big(item.amount), discountOf(item), big(item.taxTotal)]
    const sign = firstSign([...own, orderSign])
    const itemsOf = (group: Group) =>
      matched.filter((other) => other.groups.includes(group)).map((other) => other.item)
    const flatOf = (group: Group) =>
      flatAmount(group, item, itemsOf(group), { sign, orderSign }, policy)
    const gatewayFee = fees.get(item.id) ?? 0n
    return reckon(
      { item, groups: paying, shipping: part, gatewayFee, sign, flatOf, counting },
      order,
      policy,
    )
  })
  const errors = reckoned.flatMap(
    ({ shares, store, reckoning, exceeded }): ReadonlyArray<OracleError> => {
      const { itemId, distributable } = reckoning
      const claims = shares.map(({ groupId, collaboratorId, claim }) => ({
        groupId,
        collaboratorId,
        amount: claim,
      }))
      const refused = reckoning.overAllocated && policy.overAllocation === "reject"
      const tooLarge =
        ![...shares, store, reckoning].every(allSafe) || (refused && shares.some(isVast))
      return [
        ...(refused
          ? [{ tag: "OverAllocated" as const, itemId, exceeded, distributable, claims }]
          : []),
        ...(tooLarge ? [{ tag: "AmountOutOfRange" as const, itemId }] : []),
      ]
    },
  )
  if (errors.length > 0) return { errors }
  return {
    split: {
      shares: reckoned.flatMap((one) => one.shares),
      store: reckoned.map((one) => one.store),
      items: reckoned.map((one) => one.reckoning),
      outranked: matched.flatMap((one) => one.outranked),
    },
  }
}

// ----------------------------------------------------------------------------------------------- refunds

export interface OracleRefund {
  readonly itemId: string
  readonly amount?: number
  readonly quantity?: number
  readonly remaining?: true
  readonly shippingAmount?: number
  readonly shippingTotal?: number
}

export interface OracleReversal {
  readonly itemId: string
  readonly fullyRefunded: boolean
  readonly shares: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: bigint
    readonly shippingAmount: bigint
  }>
  readonly store: bigint
}

/** `Unrefundable`: by amount where there is no amount, or by units where there are none. */
export interface OracleRefusal {
  readonly error:
    | "InvalidRefund"
    | "RefundOfUnknownItem"
    | "RefundExceedsItem"
    | "Unrefundable"
    | "AmountOutOfRange"
}

/** The part of the item that a refund gives back, or why there is none. */
const fractionOf = (
  refund: OracleRefund,
  item: Item,
  earlier: Fraction,
): Fraction | OracleRefusal => {
  if (refund.remaining) {
    const rest = { top: earlier.bottom - earlier.top, bottom: earlier.bottom }
    return rest.top === 0n ? { error: "RefundExceedsItem" } : rest
  }
  const [given, whole] =
    refund.amount === undefined
      ? [big(refund.quantity), big(item.quantity)]
      : [big(refund.amount), netOf(item)]
  if (given === 0n || (whole !== 0n && given > 0n !== whole > 0n)) return { error: "InvalidRefund" }
  return whole === 0n ? { error: "Unrefundable" } : { top: abs(given), bottom: abs(whole) }
}

const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
})

const isGreater = (a: Fraction, b: Fraction): boolean => a.top * b.bottom > b.top * a.bottom

/** How much of the goods of an item, and of its shipping, was given back. */
interface Given {
  readonly goods: Fraction
  readonly shipping: Fraction
}

/** An amount of goods and shipping together. */
interface Sold {
  readonly goods: bigint
  readonly shipping: bigint
  /** Whether shipping is given back with the goods only. */
  readonly withGoods: boolean
  readonly slopes?: ReadonlyArray<OracleSlope>
}

const times = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.top,
  bottom: a.bottom * b.bottom,
})

/** Which part of a share goes back with a part of its item: what was earned last goes first. */
const undone = (part: Fraction, slopes: ReadonlyArray<OracleSlope> | undefined): Fraction => {
  const whole = (slopes ?? []).reduce((total, { earned }) => plus(total, earned), none)
  if (slopes === undefined || whole.top === 0n) return part
  let left = part
  let back = none
  for (const { width, earned } of [...slopes].reverse()) {
    if (width.top === 0n) continue
    const taken = isGreater(width, left) ? left : width
    back = plus(
      back,
      times(earned, { top: taken.top * width.bottom, bottom: taken.bottom * width.top }),
    )
    left = plus(left, { top: -taken.top, bottom: taken.bottom })
  }
  return { top: back.top * whole.bottom, bottom: back.bottom * whole.top }
}

/** What of the shipping a refund gives back beside what went before. */
const shippingAfter = (refund: OracleRefund, earlier: Fraction): Fraction | OracleRefusal => {
  const [given, whole] = [big(refund.shippingAmount), big(refund.shippingTotal)]
  if (given === 0n || whole === 0n || given > 0n !== whole > 0n) return { error: "InvalidRefund" }
  const now = plus(earlier, { top: abs(given), bottom: abs(whole) })
  return now.top > now.bottom ? { error: "RefundExceedsItem" } : now
}

/** Refunds one after the other, each following those of the same item that went through before it. */
export const oracleRefunds = (
  split: OracleSplit,
  order: Order.Order,
  refunds: ReadonlyArray<OracleRefund>,
): ReadonlyArray<OracleReversal | OracleRefusal> => {
  const before = new Map<string, Given>()
  return refunds.map((refund) => {
    const item = order.items.find((candidate) => candidate.id === refund.itemId)
    if (item === undefined) return { error: "RefundOfUnknownItem" }
    const earlier = before.get(refund.itemId) ?? { goods: none, shipping: none }
    const now = afterRefund(refund, item, earlier)
    if ("error" in now) return now
    const reversal = reverse(split, refund, earlier, now)
    if (![reversal, ...reversal.shares].every(allSafe)) return { error: "AmountOutOfRange" }
    before.set(refund.itemId, now)
    return reversal
  })
}

const afterRefund = (refund: OracleRefund, item: Item, earlier: Given): Given | OracleRefusal => {
  if (refund.shippingAmount !== undefined) {
    const shipping = shippingAfter(refund, earlier.shipping)
    return "error" in shipping ? shipping : { ...earlier, shipping }
  }
  const part = fractionOf(refund, item, earlier.goods)
  if ("error" in part) return part
  const goods = plus(earlier.goods, part)
  return goods.top > goods.bottom ? { error: "RefundExceedsItem" } : { ...earlier, goods }
}

const reverse = (
  split: OracleSplit,
  refund: OracleRefund,
  earlier: Given,
  now: Given,
): OracleReversal => {
  const { itemId } = refund
  const isOpposed = (goods: bigint, shipping: bigint): boolean =>
    (goods > 0n && shipping < 0n) || (goods < 0n && shipping > 0n)
  /** What is taken back in all of goods and shipping, which goes with the goods or by itself. */
  const takenAt = ({ goods, shipping }: Given, of: Sold): bigint => {
    const part = !of.withGoods && isGreater(shipping, goods) ? shipping : goods
    const back = undone(goods, of.slopes)
    const exact = of.goods * back.top * part.bottom + of.shipping * part.top * back.bottom
    return halfUp(exact, back.bottom * part.bottom)
  }
  const taken = (of: Sold): bigint => takenAt(now, of) - takenAt(earlier, of)
  const shares = split.shares
    .filter((share) => share.itemId === itemId)
    .map(({ groupId, collaboratorId, amount, shippingAmount: shipping, slopes }) => {
      const goods = amount - shipping
      const withGoods = isOpposed(goods, shipping)
      return {
        groupId,
        collaboratorId,
        amount: taken({ goods, shipping, withGoods, ...(slopes && { slopes }) }),
        shippingAmount: taken({ goods: 0n, shipping, withGoods }),
        isTold: refund.shippingAmount === undefined || (shipping !== 0n && !withGoods),
      }
    })
  const item = split.items.find((one) => one.itemId === itemId)
  const [distributable, shipping] = [item?.distributable ?? 0n, item?.shipping ?? 0n]
  const brought = taken({ goods: distributable - shipping, shipping, withGoods: false })
  return {
    itemId,
    fullyRefunded: now.goods.top === now.goods.bottom,
    shares: shares.flatMap(({ isTold, ...share }) => (isTold ? [share] : [])),
    store: brought - sum(shares.map((share) => share.amount)),
  }
}
