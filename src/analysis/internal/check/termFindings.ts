import * as Result from "effect/Result"
import { at, entryAt } from "../../../internal/at.js"
import type { ProductGroup } from "../../../rules/ProductGroup.js"
import type { CounterKeys, TermCounters } from "../../../terms/internal/termCounters.js"
import { countersOf } from "../../../terms/internal/termRules.js"
import type { CountPeriod } from "../../../terms/Terms.js"
import { splitAt } from "../../CountedOrders.js"
import type { GroupRank } from "../../DeadGroups.js"
import type { Steps, Witness } from "../../Options.js"
import type { Budget } from "../Budget.js"
import type { GroupsPart } from "../Inquiry.js"
import { isFound, smallest } from "../smallest.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./Subject.js"

// What terms say of sales that are counted from 0: a counter that returns or a host brought elsewhere is another matter.

/** A group with terms that counts on some order. */
interface CountingGroup {
  readonly group: ProductGroup
  readonly counters: TermCounters
}

const termedIn = ({ rules, deadIds }: Subject): ReadonlyArray<CountingGroup> =>
  rules.groups.flatMap((group) => {
    const counters = countersOf(group)
    return counters === undefined || deadIds.has(group.id) ? [] : [{ group, counters }]
  })

const draftOf = (rule: Draft["rule"], { group }: CountingGroup, told: string): Draft => ({
  rule,
  groupIds: [group.id],
  collaboratorId: group.collaboratorId,
  message: `${wording.subject(group)} ${told}`,
})

/** Whether what is counted in one period is never more than what is counted in another. */
const isWithin = (one: CountPeriod, other: CountPeriod): boolean =>
  one === other || other === "lifetime" || (one === "month" && other === "year")

const isSame = (one: CounterKeys, other: CounterKeys | undefined): boolean =>
  other?.name === one.name

/** The amount of a cap that counts at a counter. */
const capAt = (keys: CounterKeys, { terms: { cap }, capKeys }: TermCounters): number | undefined =>
  cap !== null && isSame(keys, capKeys) ? cap.amount : undefined

/** The groups that count at a counter: by their tiers, or by their cap. */
const countingAt = (
  keys: CounterKeys,
  all: ReadonlyArray<CountingGroup>,
): ReadonlyArray<CountingGroup> =>
  all.filter(({ counters }) => isSame(keys, counters.tierKeys) || isSame(keys, counters.capKeys))

/** The most that the counter of a group's tiers comes to because of caps; `undefined`: no cap says so. */
const mostCounted = (
  keys: CounterKeys,
  { counters: { terms } }: CountingGroup,
  all: ReadonlyArray<CountingGroup>,
): number | undefined => {
  const caps = countingAt(keys, all).map(({ counters }) => capAt(keys, counters))
  const amounts = caps.filter((amount) => amount !== undefined)
  if (amounts.length === caps.length) return Math.max(...amounts)
  const { tiers, cap } = terms
  const isOwn = cap?.per === "group" && tiers?.per === "group"
  return isOwn && isWithin(tiers.period, cap.period) ? cap.amount : undefined
}

/** The first band in which nothing is earned, where only what this group earns moves the counter on. */
const whereItStays = (
  keys: CounterKeys,
  { group, counters: { bands } }: CountingGroup,
  all: ReadonlyArray<CountingGroup>,
): number | undefined => {
  const place = bands.points.indexOf(0)
  const isAlone = countingAt(keys, all).length === 1
  return isAlone && place >= 0 && (group.amount ?? 0) === 0 ? place : undefined
}

const bandsText = (bounds: ReadonlyArray<number>): string =>
  bounds.length === 1
    ? `its band from ${bounds[0]}`
    : `its bands from ${wording.list(bounds.map(String))}`

const unreachableIn = (
  termed: CountingGroup,
  all: ReadonlyArray<CountingGroup>,
): ReadonlyArray<Draft> => {
  const { bands, terms, tierKeys } = termed.counters
  if (terms.tiers?.counted !== "share" || tierKeys === undefined) return []
  const most = mostCounted(tierKeys, termed, all)
  const stay = whereItStays(tierKeys, termed, all)
  const beyondCap = bands.from.filter((from) => most !== undefined && from > 0 && from >= most)
  if (beyondCap.length > 0) {
    const told = `never pays by ${bandsText(beyondCap)}: no more than ${most} is paid before.`
    return [draftOf("unreachable-band", termed, told)]
  }
  const beyondStay = stay === undefined ? [] : bands.from.slice(stay + 1)
  if (stay === undefined || beyondStay.length === 0) return []
  const told = `never reaches ${bandsText(beyondStay)}: from ${entryAt(bands.from, stay)} on nothing is paid, so that its share stays where it is.`
  return [draftOf("unreachable-band", termed, told)]
}

const equalIn = (termed: CountingGroup): ReadonlyArray<Draft> => {
  const { from, points } = termed.counters.bands
  const same = from.filter((_, place) => place > 0 && points[place] === points[place - 1])
  if (same.length === 0) return []
  const told = `has the same percentage before and after ${wording.list(same.map(String))}: ${same.length === 1 ? "that bound changes" : "these bounds change"} nothing.`
  return [draftOf("equal-bands", termed, told)]
}

/** Bands of shares that no sales lead to, and bounds of tiers at which the percentage stays the same. */
export function* idleBands(subject: Subject): Steps<Report> {
  const { work } = subject.inquiry
  const all = termedIn(subject)
  const drafts: Array<Draft> = []
  for (const termed of all) {
    work.steps += all.length
    if (work.isDue) yield work.turn()
    drafts.push(...unreachableIn(termed, all), ...equalIn(termed))
  }
  return { drafts }
}

/** The least that a group pays of an item if it pays anything, as far as that does not depend on the price. */
const leastShare = ({ amount, minAmount, maxAmount }: ProductGroup, { setting }: Subject) => {
  const flat = setting.policy.flatScope === "order" ? 0 : (amount ?? 0)
  return Math.min(Math.max(flat, minAmount ?? 0), maxAmount ?? Number.POSITIVE_INFINITY)
}

/** The smallest order on which a group counts and its first share is cut, as the split says. */
function* whereItIsCut(
  { row, place, asking }: GroupRank,
  part: GroupsPart,
  { inquiry, setting }: Subject,
  budget: Budget,
): Steps<Witness | undefined> {
  const not = setting.policy.stacking === "all" ? [] : [{ row, before: place }]
  const found = yield* smallest({ apply: [asking], not }, part.world, budget)
  if (!isFound(found)) return undefined
  const example = inquiry.example(found, part)
  const policy = { ...setting.policy, overAllocation: "allow" } as const
  const split = splitAt(at(inquiry.given, 0), example.order, policy, {})
  const shares = Result.match(split, {
    onFailure: () => [],
    onSuccess: ({ shares: all }) => all,
  })
  const share = shares.find(({ groupId }) => groupId === asking.group.id)
  return (share?.terms?.cap?.cut ?? 0) > 0 ? example : undefined
}

const capText = (group: ProductGroup, amount: number, subject: Subject): string | undefined => {
  if (amount === 0) return "pays nothing: its cap is 0."
  const least = leastShare(group, subject)
  return amount < least
    ? `pays at least ${least} of an item, and its cap is ${amount}: no share is ever paid whole.`
    : undefined
}

/** Caps that leave nothing of a share, or less than the smallest one. */
export function* smallCaps(subject: Subject): Steps<Report> {
  const { inquiry, deadIds } = subject
  const budget = inquiry.budget()
  const drafts: Array<Draft> = []
  for (const part of (yield* inquiry.parts(budget)) ?? []) {
    const row = at(part.rows, 0)
    for (const [place, asking] of row.list.entries()) {
      const { group } = asking
      const counters = countersOf(group)
      const amount = counters?.terms.cap?.amount
      if (counters === undefined || amount === undefined || deadIds.has(group.id)) continue
      const told = capText(group, amount, subject)
      if (told === undefined) continue
      const witness = yield* whereItIsCut({ row, place, asking }, part, subject, budget)
      const draft = draftOf(amount === 0 ? "empty-cap" : "small-cap", { group, counters }, told)
      drafts.push(witness === undefined ? draft : { ...draft, witness })
    }
  }
  return { drafts }
}
