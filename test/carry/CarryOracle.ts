/**
 * A second, naive reckoning of splits with remainders, written from the rules alone: whole numbers without a limit,
 * one party after the other, no speed. It starts from what the oracle of splits says without remainders.
 */
import type { Order, ProductGroup, SplitPolicy } from "apportion"
import { type OracleError, oracleSplit } from "../oracle/Oracle.js"

type Group = ProductGroup.GroupInput

/** A group's id; `null` is the store. */
export type Party = string | null

/** Ten-thousandths of a cent that are due to each party. */
export type Due = Map<Party, bigint>

export interface CarriedLine {
  readonly itemId: string
  readonly party: Party
  readonly amount: bigint
  readonly shipping: bigint
  readonly base: bigint
  readonly percentTotal: bigint
  readonly before: bigint
  readonly after: bigint
}

const cent = 10_000n
const sum = (numbers: ReadonlyArray<bigint>) => numbers.reduce((a, b) => a + b, 0n)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const big = (n: number | null | undefined) => BigInt(n ?? 0)
const points = (percent: string | number | null | undefined) =>
  BigInt(Math.round(Number(percent ?? 0) * 100))
const floor = (a: bigint) => (a < 0n && a % cent !== 0n ? a / cent - 1n : a / cent)

/** One claim of a rounding; all money as for an item that was sold. */
interface Claim {
  readonly party: string
  readonly points: bigint
  readonly due: bigint
  readonly least: bigint | undefined
  readonly most: bigint | undefined
}

interface Pot {
  readonly base: bigint
  /** How many cents the claims may get together; none: as many as they like. */
  readonly limit: bigint | undefined
  readonly storeDue: bigint
  readonly storePoints: bigint
  /** What others of this base get, as a limit of theirs says. */
  readonly fixed: bigint
}

/** How urgent an odd cent is for a party: first those who may have it, then by when it is too late. */
const urgency = (
  rest: bigint,
  { parties, points }: { readonly parties: bigint; readonly points: bigint },
) => {
  const twice = 2n * (parties > 1n ? parties - 1n : 1n)
  const mayHave = points > 0n && rest * twice >= cent
  return { mayHave, wait: twice * (cent - rest) - cent, points }
}

type Urgency = ReturnType<typeof urgency>

const isBefore = (one: Urgency, other: Urgency): boolean => {
  if (one.mayHave !== other.mayHave) return one.mayHave
  if (other.points <= 0n) return one.points > 0n
  if (one.points <= 0n) return false
  return one.wait * other.points < other.wait * one.points
}

/** The cents of each claim. */
const cents = (claims: ReadonlyArray<Claim>, pot: Pot): Map<string, bigint> => {
  const exact = (claim: Claim) => pot.base * claim.points
  const total = (claim: Claim) => exact(claim) + claim.due
  const given = new Map<string, bigint>()
  const open: Array<{ readonly party: Party; readonly urgency: Urgency }> = []
  const parties = BigInt(claims.length) + (pot.storePoints > 0n ? 1n : 0n)
  for (const claim of claims) {
    const whole = floor(total(claim))
    const raised = max(max(whole, 0n), claim.least ?? 0n)
    const part = claim.most === undefined ? raised : min(raised, claim.most)
    given.set(claim.party, part)
    const rest = total(claim) - whole * cent
    if (part === whole && rest > 0n && part !== claim.most) {
      open.push({
        party: claim.party,
        urgency: urgency(rest, { parties, points: claim.points }),
      })
    }
  }
  const limit = pot.limit
  if (limit !== undefined && sum([...given.values()]) > limit) {
    // More is due than there is: everybody has their part of this base, and the rest by how much is due.
    const owns = claims.map((claim) => min(given.get(claim.party) ?? 0n, exact(claim) / cent))
    const lates = claims.map((claim, place) => {
      const own = owns[place] ?? 0n
      const part = given.get(claim.party) ?? 0n
      const odd = open.some(({ party }) => party === claim.party)
        ? total(claim) - floor(total(claim)) * cent
        : 0n
      return part > own ? (part - own) * cent + odd : 0n
    })
    const left = max(0n, limit - sum(owns))
    const all = sum(lates)
    const floors = lates.map((late) => (all === 0n ? 0n : (left * late) / all))
    const order = lates
      .map((late, place) => ({ place, lost: all === 0n ? 0n : (left * late) % all }))
      .sort((a, b) => (a.lost === b.lost ? a.place - b.place : a.lost > b.lost ? -1 : 1))
    const odd = all === 0n ? 0 : Number(left - sum(floors))
    const lucky = new Set(order.slice(0, odd).map(({ place }) => place))
    return new Map(
      claims.map((claim, place) => {
        const part = (owns[place] ?? 0n) + (floors[place] ?? 0n) + (lucky.has(place) ? 1n : 0n)
        return [claim.party, claim.most === undefined ? part : min(part, claim.most)]
      }),
    )
  }
  if (pot.storePoints < 0n) {
    // More than all is claimed: the store pays the rest, so everybody's half cents are rounded up.
    const halves = open.filter(({ party }) =>
      claims.some((claim) => {
        const due = total(claim)
        return claim.party === party && 2n * (due - floor(due) * cent) >= cent
      }),
    )
    const all = sum([...given.values()]) + BigInt(halves.length)
    if (limit !== undefined && all > limit) return given
    for (const { party } of halves) given.set(party ?? "", (given.get(party ?? "") ?? 0n) + 1n)
    return given
  }
  const storeTotal =
    (pot.base - pot.fixed) * cent -
    sum(claims.map(exact)) +
    (pot.storePoints > 0n ? pot.storeDue : 0n)
  const storeWhole = floor(storeTotal)
  const isNone = pot.storePoints > 0n && storeWhole < 0n
  const storeRest = isNone ? 0n : storeTotal - storeWhole * cent
  if (storeRest > 0n) {
    open.push({ party: null, urgency: urgency(storeRest, { parties, points: pot.storePoints }) })
  }
  let odd = pot.base - pot.fixed - sum([...given.values()]) - (isNone ? 0n : storeWhole)
  let room = limit === undefined ? odd : limit - sum([...given.values()])
  while (odd > 0n && open.length > 0) {
    const first = open.reduce((best, one) => (isBefore(one.urgency, best.urgency) ? one : best))
    open.splice(open.indexOf(first), 1)
    odd -= 1n
    if (first.party === null || room <= 0n) continue
    given.set(first.party, (given.get(first.party) ?? 0n) + 1n)
    room -= 1n
  }
  return given
}

interface Share {
  readonly group: Group
  readonly flat: bigint
  base: bigint
  percentTotal: bigint
  goods: bigint
  shipping: bigint
}

export const oracleCarry = (
  groups: ReadonlyArray<Group>,
  order: Order.Order,
  policy: SplitPolicy.SplitPolicy,
  before: ReadonlyMap<Party, bigint>,
):
  | { readonly lines: ReadonlyArray<CarriedLine>; readonly after: Due }
  | { readonly errors: ReadonlyArray<OracleError> } => {
  const plain = oracleSplit(groups, order, { ...policy, rounding: "largest-remainder" })
  if (plain.errors !== undefined) return { errors: plain.errors }
  const { split } = plain
  const due: Due = new Map(before)
  const dueOf = (party: Party) => due.get(party) ?? 0n
  const lines: Array<CarriedLine> = []
  const goods: Array<bigint> = []
  for (const item of split.items) {
    const ofItem = split.shares.filter(({ itemId }) => itemId === item.itemId)
    const first = new Map<Party, bigint>([
      ...ofItem.map(({ groupId }) => [groupId, dueOf(groupId)] as const),
      [null, dueOf(null)],
    ])
    const figures = [item.amount, item.base, item.discount, item.distributable]
    const sign = (figures.find((figure) => figure !== 0n) ?? 1n) < 0n ? -1n : 1n
    const shares = ofItem.map((share): Share => {
      const group = groups.find(({ id }) => id === share.groupId)
      if (group === undefined) throw new Error("a share of no group")
      return {
        group,
        flat: sign * share.flatTotal,
        base: sign * share.base,
        percentTotal: sign * share.percentTotal,
        goods: sign * (share.claim - share.shippingAmount),
        shipping: sign * share.shippingAmount,
      }
    })
    const isCut = item.overAllocated && policy.overAllocation !== "allow"
    const payable = max(0n, sign * item.distributable)
    /** Rounds parts of a base that are kept in a field of the shares. */
    const round = (
      base: bigint,
      among: ReadonlyArray<Share>,
      step: {
        readonly towards: bigint
        readonly pointsOf: (group: Group) => bigint
        readonly limited: boolean
        readonly plainOf: (share: Share) => bigint
        readonly keep: (share: Share, part: bigint, isFixed: boolean) => void
      },
    ) => {
      if (base === 0n) return
      const taking: Array<Share> = []
      let fixed = 0n
      for (const share of among) {
        const { group, flat } = share
        const exact = base * step.pointsOf(group)
        if (exact === 0n) continue
        const most =
          step.limited && group.maxAmount != null ? big(group.maxAmount) - flat : undefined
        const least =
          step.limited && group.minAmount != null ? big(group.minAmount) - flat : undefined
        const bound =
          most !== undefined && exact >= most * cent
            ? most
            : least !== undefined && exact <= least * cent
              ? least
              : undefined
        if (bound === undefined) taking.push(share)
        else {
          step.keep(share, bound, true)
          fixed += bound
        }
      }
      const all = sum(shares.map(({ goods, shipping }) => goods + shipping))
      const isGain = step.towards === sign
      const limit = sum(taking.map(step.plainOf)) + max(0n, payable - all)
      const parts = cents(
        taking.map(({ group, flat }) => ({
          party: group.id,
          points: step.pointsOf(group),
          due: step.towards * dueOf(group.id),
          least: step.limited && group.minAmount != null ? big(group.minAmount) - flat : undefined,
          most: step.limited && group.maxAmount != null ? big(group.maxAmount) - flat : undefined,
        })),
        {
          base,
          limit: isGain && !item.overAllocated ? limit : undefined,
          storeDue: step.towards * dueOf(null),
          storePoints: cent - sum(among.map(({ group }) => step.pointsOf(group))),
          fixed,
        },
      )
      for (const share of taking) {
        const part = parts.get(share.group.id) ?? 0n
        const left = step.towards * (base * step.pointsOf(share.group) - part * cent)
        due.set(share.group.id, dueOf(share.group.id) + left)
        due.set(null, dueOf(null) - left)
        step.keep(share, part, false)
      }
    }
    const stage = (base: bigint, among: ReadonlyArray<Share>) => {
      for (const share of among) {
        const isOther = share.base !== base
        share.base = base
        if (!isOther || points(share.group.percent) === 0n) continue
        share.percentTotal = floor(base * points(share.group.percent))
        if (base > 0n) continue
        const { minAmount, maxAmount } = share.group
        const raised = minAmount == null ? share.flat : max(share.flat, big(minAmount))
        share.goods =
          share.flat === 0n ? 0n : maxAmount == null ? raised : min(raised, big(maxAmount))
      }
      round(base, among, {
        towards: sign,
        pointsOf: ({ percent }) => points(percent),
        limited: true,
        plainOf: ({ goods, flat }) => goods - flat,
        keep: (share, part, isFixed) => {
          if (!isFixed) share.percentTotal = part
          share.goods = part + share.flat
        },
      })
    }
    if (!isCut) {
      const isFirst = ({ group }: Share) =>
        ofItem.some(({ groupId, deducting }) => groupId === group.id && deducting)
      const firsts = shares.filter(isFirst)
      const base = sign * item.base
      stage(base, firsts)
      stage(
        max(0n, base - sum(firsts.map(({ goods }) => goods))),
        shares.filter((share) => !isFirst(share)),
      )
      if (policy.shipping === "share" || policy.shipping === "charge") {
        const way = policy.shipping === "charge" ? -1n : 1n
        const towards = item.shipping * way < 0n ? -1n : 1n
        const turned = towards === sign ? 1n : -1n
        const flatOf = ({ group }: Share) =>
          group.amount == null
            ? 0n
            : way *
              big(group.shippingAmount) *
              big(order.items.find(({ id }) => id === item.itemId)?.quantity)
        round(item.shipping < 0n ? -item.shipping : item.shipping, shares, {
          towards,
          pointsOf: ({ shippingPercent, percent }) => points(shippingPercent ?? percent),
          limited: false,
          plainOf: (share) => turned * (share.shipping - flatOf(share)),
          keep: (share, part) => {
            share.shipping = turned * part + flatOf(share)
          },
        })
      }
    }
    for (const [place, share] of shares.entries()) {
      const plainShare = ofItem[place]
      if (!isCut) goods.push(share.goods)
      const amount = isCut ? plainShare?.amount : sign * (share.goods + share.shipping)
      lines.push({
        itemId: item.itemId,
        party: share.group.id,
        amount: amount ?? 0n,
        shipping: (isCut ? plainShare?.shippingAmount : sign * share.shipping) ?? 0n,
        base: sign * share.base,
        percentTotal: sign * share.percentTotal,
        before: first.get(share.group.id) ?? 0n,
        after: dueOf(share.group.id),
      })
    }
    const paid = sum(
      lines.filter(({ itemId }) => itemId === item.itemId).map(({ amount }) => amount),
    )
    const amount = item.distributable - paid
    const none = { shipping: 0n, base: 0n, percentTotal: 0n }
    const store = { itemId: item.itemId, party: null, amount, ...none }
    lines.push({ ...store, before: first.get(null) ?? 0n, after: dueOf(null) })
  }
  const isSafe = (n: bigint) => (n < 0n ? -n : n) <= BigInt(Number.MAX_SAFE_INTEGER)
  const figures = [...goods, ...lines.flatMap(({ amount, shipping }) => [amount, shipping])]
  // No remainder is more than can be stored and read again.
  const isStorable = [...due.values()].every((n) => (n < 0n ? -n : n) <= 10n ** 15n)
  const isRepresentable = isStorable && figures.every(isSafe)
  return isRepresentable ? { lines, after: due } : { errors: [{ tag: "AmountOutOfRange" }] }
}
