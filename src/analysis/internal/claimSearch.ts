import { entryAt } from "../../internal/at.js"
import type { Steps } from "../Options.js"
import type { Budget } from "./Budget.js"
import { type Claimant, Claims, countOf, type Gain, type Outlook, sumOfGains } from "./Claims.js"
import { groupsOf } from "./candidates.js"
import type { OrderShape } from "./OrderShape.js"
import { timesOf } from "./OrderShape.js"
import type { Values } from "./Predicate.js"
import { isDated } from "./Predicate.js"
import type { FoundOrder, Premises } from "./smallest.js"

/** The question whether more than a limit can be claimed. */
export interface ClaimQuestion {
  /** Most specific first. Their claims are upper bounds: `isMet` computes the exact amounts. */
  readonly claimants: ReadonlyArray<Claimant>
  readonly limit: number
  /** Whether an order that seems to exceed the limit really does. */
  readonly isMet: (values: ReadonlyArray<number>, at: number | null) => boolean
  /** Whether a closer look shows that this order and its extensions can't exceed the limit. */
  readonly isHopeless?: ((claims: Claims) => Steps<boolean>) | undefined
}

/** The search through the orders of one time with a maximum number of values. */
interface Search {
  readonly question: ClaimQuestion
  readonly claims: Claims
  readonly values: Values
  readonly at: number | null
  readonly budget: Budget
  /** Whether some order was skipped only because it has too many values. */
  wasCut: boolean
}

type ValuesAnswer = ReadonlyArray<number> | "none" | "undecided"

/** The values that may be added next. When the claims seem enough but are not, any value may change that. */
const candidatesOf = ({ claims, question }: Search, outlook: Outlook): ReadonlyArray<Gain> =>
  outlook.claimed > question.limit
    ? claims.all().map((value) => ({ value, most: Number.POSITIVE_INFINITY, count: 1 }))
    : outlook.gains

function* isBeyondHope({ question, claims }: Search, outlook: Outlook): Steps<boolean> {
  if (outlook.most <= question.limit || question.isHopeless === undefined) {
    return outlook.most <= question.limit
  }
  return yield* question.isHopeless(claims)
}

function* tryEach(
  search: Search,
  candidates: ReadonlyArray<Gain>,
  enough: (place: number) => boolean,
  room: number,
): Steps<ValuesAnswer> {
  const { claims, budget } = search
  const tried: Array<number> = []
  let answer: ValuesAnswer = "none"
  for (const [place, { value }] of candidates.entries()) {
    if (!enough(place)) break
    if (!budget.take(1)) {
      answer = "undecided"
      break
    }
    claims.put(value)
    answer = yield* look(search, room - 1)
    claims.take(value)
    if (answer !== "none") break
    // Every order with this value is covered.
    claims.leaveOut(value)
    tried.push(value)
  }
  for (const value of tried) claims.allow(value)
  return answer
}

/** Checks the current order and all its extensions, while the claims can still become large enough. */
function* look(search: Search, room: number): Steps<ValuesAnswer> {
  const { claims, question, values, budget } = search
  const outlook = yield* claims.outlook()
  if (budget.isSpent) return "undecided"
  const there = claims.valuesThere()
  if (outlook.claimed > question.limit && question.isMet(there, search.at)) return there
  if (yield* isBeyondHope(search, outlook)) return "none"
  const candidates = candidatesOf(search, outlook)
  if (room === 0) {
    search.wasCut ||= candidates.length > 0
    return "none"
  }
  const missing = question.limit - outlook.claimed
  const enough = (from: number): boolean => {
    budget.take(1 + Math.min(room, candidates.length - from))
    if (sumOfGains(candidates, values, { from, most: room }) > missing) return true
    const all = { from, most: Number.POSITIVE_INFINITY }
    search.wasCut ||= sumOfGains(candidates, values, all) > missing
    return false
  }
  return yield* tryEach(search, candidates, enough, room)
}

/** The times that dates distinguish; an order without a time represents all times outside all dates. */
const momentsOf = (
  claimants: ReadonlyArray<Claimant>,
  world: Premises,
): ReadonlyArray<number | null> => {
  const dated = claimants.map(({ predicate }) => predicate).filter(isDated)
  const ever = dated.filter(({ startsAt, endsAt }) => startsAt < endsAt)
  const inOrder = (times: ReadonlyArray<number>) => [...times].sort((one, other) => one - other)
  const starts = inOrder(ever.map(({ startsAt }) => startsAt))
  const ends = inOrder(ever.map(({ endsAt }) => endsAt))
  let [begun, over] = [0, 0]
  return timesOf(dated, world.from).filter((at) => {
    if (at === null) return true
    while (begun < starts.length && at >= entryAt(starts, begun)) begun += 1
    while (over < ends.length && at >= entryAt(ends, over)) over += 1
    return begun > over
  })
}

/** Adds the values with the largest gains until none adds anything: finds a large order without a search. */
function* largest({ question, world, budget }: ClaimInquiry): Steps<OrderShape | undefined> {
  for (const at of momentsOf(question.claimants, world)) {
    const claims = new Claims(question.claimants, { at, values: world.values, budget })
    for (;;) {
      if (budget.isSpent) return undefined
      const { claimed, gains } = yield* claims.outlook()
      const values = claims.valuesThere()
      if (claimed > question.limit && question.isMet(values, at)) {
        return { values, kind: undefined, at }
      }
      const [best] = gains
      if (best === undefined) break
      claims.put(best.value)
    }
  }
  return undefined
}

/** A time, and the fewest values that can claim enough then; not known before a first look. */
interface Moment {
  readonly at: number | null
  readonly least: number | undefined
}

/** The minimum number of values; when no number is enough, more than there are. */
const leastValues = (
  { claimed, gains }: Outlook,
  { limit }: ClaimQuestion,
  values: Values,
): number => {
  if (claimed > limit) return 0
  const isEnough = (room: number) =>
    claimed + sumOfGains(gains, values, { from: 0, most: room }) > limit
  let [least, most] = [1, countOf(gains)]
  if (!isEnough(most)) return Number.POSITIVE_INFINITY
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (isEnough(middle)) most = middle
    else least = middle + 1
  }
  return least
}

/** Checks the values with the largest gains: if none excludes another, no search is needed. */
function* tryLargest(
  { claims, question, at }: Search,
  { gains }: Outlook,
  room: number,
): Steps<ReadonlyArray<number> | undefined> {
  const values = claims.largest(gains, room)
  for (const value of values) claims.put(value)
  const { claimed } = yield* claims.outlook()
  const there = claims.valuesThere()
  const isMet = claimed > question.limit && question.isMet(there, at)
  for (const value of values) claims.take(value)
  return isMet ? there : undefined
}

/** The question of a search, and its budget. */
interface ClaimInquiry {
  readonly question: ClaimQuestion
  readonly world: Premises
  readonly budget: Budget
  /** The claims at the last time that was looked at, without any value. */
  claims?: Claims
}

/**
 * Looks at the orders of one time with so many values; returns the time again when larger orders may still exceed the
 * limit.
 */
function* lookAt(
  { at, least: known }: Moment,
  room: number,
  asked: ClaimInquiry,
): Steps<"undecided" | { readonly found: OrderShape } | { readonly left: ReadonlyArray<Moment> }> {
  const { question, world, budget } = asked
  asked.claims =
    asked.claims?.at === at
      ? asked.claims
      : new Claims(question.claimants, { at, values: world.values, budget })
  const { claims } = asked
  const { values } = world
  const search: Search = { question, claims, values, at, budget, wasCut: false }
  // An order without any value is checked as quickly as the number of values that are needed.
  const isFirst = known === undefined && room > 0
  const outlook = isFirst || known === room ? yield* claims.outlook() : undefined
  const least = known ?? (isFirst && outlook ? leastValues(outlook, question, values) : 0)
  if (budget.isSpent) return "undecided"
  if (least === Number.POSITIVE_INFINITY) return { left: [] }
  if (room < least) return { left: [{ at, least }] }
  if (outlook !== undefined && room === least) {
    const largest = yield* tryLargest(search, outlook, room)
    if (budget.isSpent) return "undecided"
    if (largest !== undefined) return { found: { values: largest, kind: undefined, at } }
  }
  const answer = yield* look(search, room)
  if (answer === "undecided") return answer
  if (answer !== "none") return { found: { values: answer, kind: undefined, at } }
  return { left: search.wasCut ? [{ at, least: room === 0 ? known : least }] : [] }
}

/**
 * Looks at the orders of the next size at each time; returns the times at which larger orders may still exceed the
 * limit.
 */
function* lookAtSize(
  moments: ReadonlyArray<Moment>,
  size: number,
  asked: ClaimInquiry,
): Steps<"undecided" | { readonly found: OrderShape } | { readonly left: ReadonlyArray<Moment> }> {
  const left: Array<Moment> = []
  for (const moment of moments) {
    const room = size - Number(moment.at !== null)
    if (room < (moment.least ?? 0)) {
      left.push(moment)
      continue
    }
    const answer = yield* lookAt(moment, room, asked)
    if (answer === "undecided" || "found" in answer) return answer
    left.push(...answer.left)
  }
  return { left }
}

/** Whether the claims could be enough if everyone's largest claim were made. */
export const isHopeful = ({
  claimants,
  limit,
}: Pick<ClaimQuestion, "claimants" | "limit">): boolean => {
  let all = 0
  for (const each of claimants) all += each.claimed * groupsOf(each)
  if (all <= limit) return false
  // Each collaborator makes only one claim.
  const largestOf = new Map<number, number>()
  let sum = 0
  for (const each of claimants) {
    const { collaborator, predicate } = each
    const claimed = each.claimed * groupsOf(each)
    const known = largestOf.get(collaborator) ?? 0
    if (predicate.isNever || claimed <= known) continue
    largestOf.set(collaborator, claimed)
    sum += claimed - known
    if (sum > limit) return true
  }
  return false
}

/** The limits of a search. */
interface SearchLimits {
  /** The budget of the search for the smallest order. */
  readonly budget: Budget
  /** The budget for a large order, when the first one was too small. */
  readonly spare: Budget
  /** Only orders with fewer attributes are useful. */
  readonly fewerThan: number
}

/**
 * The order with the fewest attributes on which claims exceed the limit, or that there is none with fewer than
 * `fewerThan`. Checks orders with no value, with one, with two and so on, and skips those that can't claim enough, by a
 * bound on what each further value can add. When the budget is spent, a large order may still be found.
 */
export function* claimSearch(
  question: ClaimQuestion,
  world: Premises,
  { budget, spare, fewerThan }: SearchLimits,
): Steps<FoundOrder | "none" | "undecided"> {
  budget.take(question.claimants.length)
  if (!isHopeful(question)) return "none"
  let moments = momentsOf(question.claimants, world).map((at): Moment => ({ at, least: undefined }))
  const asked: ClaimInquiry = { question, world, budget }
  for (let size = 0; moments.length > 0 && size < fewerThan; size += 1) {
    const answer = yield* lookAtSize(moments, size, asked)
    if (answer === "undecided") {
      // When an order is known, a large one is useless.
      const isOfUse = fewerThan === Number.POSITIVE_INFINITY
      const sketch = isOfUse ? yield* largest({ question, world, budget: spare }) : undefined
      return sketch === undefined ? answer : { sketch, isSmallest: false }
    }
    if ("found" in answer) return { sketch: answer.found, isSmallest: true }
    moments = [...answer.left]
  }
  return "none"
}
