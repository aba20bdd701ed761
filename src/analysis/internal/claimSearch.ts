import { type Claimant, Claims, type Gain, type Outlook, sumOfGains } from "./Claims.js"
import { isDated, isInForce } from "./Predicate.js"
import type { Budget, Sketch } from "./Sketch.js"
import type { World } from "./smallest.js"
import { timesOf } from "./times.js"
import type { Values } from "./Values.js"
import { withoutTwins } from "./withoutTwins.js"

/** The question whether more than a limit can be claimed. */
export interface Question {
  /** Most specific first. Their claims are never too small: what they come to exactly, `isMet` knows. */
  readonly claimants: ReadonlyArray<Claimant>
  readonly limit: number
  /** Whether an order that seems to go beyond the limit really does. */
  readonly isMet: (values: ReadonlyArray<number>, at: number | null) => boolean
  /** Whether a closer look shows that nothing beyond the limit can come of this. */
  readonly isHopeless?: ((claims: Claims) => boolean) | undefined
}

/** The search through the orders of one time with so many values at most. */
interface Search {
  readonly question: Question
  readonly claims: Claims
  readonly values: Values
  readonly at: number | null
  readonly budget: Budget
  /** Whether some order was not looked at only because it has too many values. */
  wasCut: boolean
}

type Answer = ReadonlyArray<number> | "none" | "undecided"

/** What may be put in next. Where the claims seem enough but are not, anything may change that. */
const candidatesOf = ({ claims, question }: Search, outlook: Outlook): ReadonlyArray<Gain> =>
  outlook.claimed > question.limit
    ? claims.all().map((value) => ({ value, most: Number.POSITIVE_INFINITY }))
    : outlook.gains

const isBeyondHope = ({ question, claims }: Search, outlook: Outlook): boolean =>
  outlook.most <= question.limit || question.isHopeless?.(claims) === true

const tryEach = (
  search: Search,
  candidates: ReadonlyArray<Gain>,
  enough: (place: number) => boolean,
  room: number,
): Answer => {
  const { claims, question, budget } = search
  const tried: Array<number> = []
  let answer: Answer = "none"
  for (const [place, { value }] of candidates.entries()) {
    if (!enough(place)) break
    if (!budget.take(question.claimants.length)) return "undecided"
    claims.put(value)
    answer = look(search, room - 1)
    claims.take(value)
    if (answer !== "none") break
    // Every order with this value was looked at.
    claims.leaveOut(value)
    tried.push(value)
  }
  for (const value of tried) claims.allow(value)
  return answer
}

/** Looks at what is there, and at all that has more, as long as the claims can still become enough. */
const look = (search: Search, room: number): Answer => {
  const { claims, question, values } = search
  const outlook = claims.outlook()
  const there = claims.valuesThere()
  if (outlook.claimed > question.limit && question.isMet(there, search.at)) return there
  if (isBeyondHope(search, outlook)) return "none"
  const candidates = candidatesOf(search, outlook)
  if (room === 0) {
    search.wasCut ||= candidates.length > 0
    return "none"
  }
  const missing = question.limit - outlook.claimed
  const enough = (from: number): boolean => {
    if (sumOfGains(candidates, values, { from, most: room }) > missing) return true
    search.wasCut ||= sumOfGains(candidates, values, { from, most: candidates.length }) > missing
    return false
  }
  return tryEach(search, candidates, enough, room)
}

/** The times that dates tell apart; an order without a time stands for all in which none of them is. */
const momentsOf = (
  claimants: ReadonlyArray<Claimant>,
  world: World,
): ReadonlyArray<number | null> => {
  const dated = claimants.map(({ predicate }) => predicate).filter(isDated)
  const isTelling = (at: number | null) =>
    at === null || dated.some((predicate) => isInForce(predicate, at))
  return timesOf(dated, world.from).filter(isTelling)
}

/** Puts in what adds most, as long as anything does: a large order, found without a search. */
const largest = (question: Question, world: World): Sketch | undefined => {
  for (const at of momentsOf(question.claimants, world)) {
    const claims = new Claims(question.claimants, at, world.values)
    for (;;) {
      const { claimed, gains } = claims.outlook()
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

/** A time with the fewest values with which enough can be claimed then; not known before a first look. */
interface Moment {
  readonly at: number | null
  readonly least: number | undefined
}

/** How many values are needed at least; more than there are when no number of them is enough. */
const leastValues = (claims: Claims, { limit }: Question, values: Values): number => {
  const { claimed, gains } = claims.outlook()
  if (claimed > limit) return 0
  for (let room = 1; room <= gains.length; room += 1) {
    if (claimed + sumOfGains(gains, values, { from: 0, most: room }) > limit) return room
  }
  return Number.POSITIVE_INFINITY
}

/** What a search is about, and what it may take. */
interface Asked {
  readonly question: Question
  readonly world: World
  readonly budget: Budget
}

/** Looks at the orders of one time with so many values; the time again when larger ones may still do it. */
const lookAt = (
  { at, least: known }: Moment,
  room: number,
  { question, world, budget }: Asked,
): "undecided" | { readonly found: Sketch } | { readonly left: ReadonlyArray<Moment> } => {
  const { claimants } = question
  if (!budget.take(claimants.length)) return "undecided"
  const claims = new Claims(claimants, at, world.values)
  // An order without any value is looked at as quickly as how many are needed.
  const least = known ?? (room === 0 ? 0 : leastValues(claims, question, world.values))
  if (least === Number.POSITIVE_INFINITY) return { left: [] }
  if (room < least) return { left: [{ at, least }] }
  const search: Search = { question, claims, values: world.values, at, budget, wasCut: false }
  const answer = look(search, room)
  if (answer === "undecided") return answer
  if (answer !== "none") return { found: { values: answer, kind: undefined, at } }
  return { left: search.wasCut ? [{ at, least: room === 0 ? known : least }] : [] }
}

/** Looks at the orders of the next size at each time; the times at which larger ones may still do it. */
const lookAtSize = (
  moments: ReadonlyArray<Moment>,
  size: number,
  asked: Asked,
): "undecided" | { readonly found: Sketch } | { readonly left: ReadonlyArray<Moment> } => {
  const left: Array<Moment> = []
  for (const moment of moments) {
    const room = size - Number(moment.at !== null)
    if (room < (moment.least ?? 0)) {
      left.push(moment)
      continue
    }
    const answer = lookAt(moment, room, asked)
    if (answer === "undecided" || "found" in answer) return answer
    left.push(...answer.left)
  }
  return { left }
}

/** An order that was found, and whether none with fewer attributes would do. */
export interface FoundOrder {
  readonly sketch: Sketch
  readonly isSmallest: boolean
}

/** More than can ever be claimed: as if everyone's largest claim were made. */
const mostOfAll = (claimants: ReadonlyArray<Claimant>): number => {
  const largestOf = new Map<number, number>()
  for (const { collaborator, claimed, predicate } of claimants) {
    if (predicate.isNever || claimed <= (largestOf.get(collaborator) ?? 0)) continue
    largestOf.set(collaborator, claimed)
  }
  let sum = 0
  for (const claimed of largestOf.values()) sum += claimed
  return sum
}

/**
 * The order with the fewest attributes on which more is claimed than the limit, or that there is none with fewer
 * than `fewerThan`. Looks at orders with no value, with one, with two and so on, and leaves out what can't come
 * to enough: a bound on what each further value can add says so. When the budget is spent, a large order may
 * still be found.
 */
export const claimSearch = (
  asked: Question,
  world: World,
  { budget, fewerThan }: { readonly budget: Budget; readonly fewerThan: number },
): FoundOrder | "none" | "undecided" => {
  if (mostOfAll(asked.claimants) <= asked.limit) return "none"
  const question = { ...asked, claimants: withoutTwins(asked.claimants) }
  const all: Asked = { question, world, budget }
  const givenUp = (): FoundOrder | "undecided" => {
    // Where an order is known, a large one is of no use.
    const sketch = fewerThan === Number.POSITIVE_INFINITY ? largest(question, world) : undefined
    return sketch === undefined ? "undecided" : { sketch, isSmallest: false }
  }
  let moments = momentsOf(question.claimants, world).map((at): Moment => ({ at, least: undefined }))
  for (let size = 0; moments.length > 0 && size < fewerThan; size += 1) {
    const answer = lookAtSize(moments, size, all)
    if (answer === "undecided") return givenUp()
    if ("found" in answer) return { sketch: answer.found, isSmallest: true }
    moments = [...answer.left]
  }
  return "none"
}
