/** Reading agreements: the fields of each, and what has to hold between them. */
import * as Result from "effect/Result"
import { misspelt } from "../../internal/fieldNames.js"
import {
  choice,
  type Field,
  id,
  listOf,
  number,
  objectOf,
  or,
  orNull,
  read,
  type Shape,
  seconds,
} from "../../internal/fields.js"
import { addProblems, note, pathOf, repeats } from "../../internal/problems.js"
import { currency, nonNegative, percent } from "../../money/internal/amounts.js"
import { basisPointsOf } from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Problem } from "../../Problem.js"
import {
  type Advance,
  type AgreementSet,
  type Guarantee,
  mostLinks,
  type Override,
  type Reserve,
  type ReserveStep,
} from "../Agreement.js"
import { linksOf } from "./chain.js"

/** Some ids, each once. */
const ids =
  (least: number): Field<ReadonlyArray<string>> =>
  (node, key, orNullToo) => {
    const before = node.problems.length
    const found = listOf(id)(node, key, orNullToo)
    if (found === undefined || node.problems.length > before) return undefined
    if (found.length < least) note(node, key, "must name at least one, got an empty list")
    for (const { value, index, first } of repeats(found)) {
      const path = `${pathOf(node, key)}[${index}]`
      const message = `must not repeat: it is the same as the one at ${first}`
      addProblems(node.problems, [{ path, value, message }])
    }
    return found
  }

/** Further days would lead beyond the times that can be written. */
const mostDays = 36_525

const days = /* @__PURE__ */ number(
  (value) => Number.isInteger(value) && value >= 0 && value <= mostDays,
  `a whole number of days from 0 to ${mostDays}`,
)

const groups = /* @__PURE__ */ orNull(/* @__PURE__ */ ids(1))

const step: Shape<ReserveStep> = { days, percent }

const advance: Shape<Advance> = {
  ...{ id, collaboratorId: id, currency, amount: nonNegative, grantedAt: seconds, groups },
  purpose: /* @__PURE__ */ or(/* @__PURE__ */ choice(["expense", "advance"]), "advance"),
  percent: /* @__PURE__ */ or(percent, "100.00"),
  alsoFrom: /* @__PURE__ */ or(/* @__PURE__ */ ids(0), []),
}

const reserve: Shape<Reserve> = {
  ...{ id, collaboratorId: id, percent, groups },
  schedule: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(step)),
}

const guarantee: Shape<Guarantee> = {
  ...{ id, collaboratorId: id, currency, amount: nonNegative, from: seconds, until: seconds },
  groups,
}

const override: Shape<Override> = {
  ...{ id, collaboratorId: id, percent, groups },
  of: /* @__PURE__ */ choice(["share", "sale"]),
  from: /* @__PURE__ */ orNull(id),
  paidBy: /* @__PURE__ */ choice(["share", "store"]),
}

/** An object in which a misspelt field is refused: without its groups, an agreement would be about all of them. */
const spelt = <A>(shape: Shape<A>): Field<A> => {
  const [fields, names] = [objectOf(shape), Object.keys(shape)]
  return (node, key, orNullToo) => {
    addProblems(node.problems, misspelt(node.fields[key], names, pathOf(node, key)))
    return fields(node, key, orNullToo)
  }
}

const list = <A>(shape: Shape<A>): Field<ReadonlyArray<A>> => or(listOf(spelt(shape)), [])

/** The fields of the agreements of an account; a list that is absent is empty. */
const agreementSet: Field<AgreementSet> = /* @__PURE__ */ objectOf<AgreementSet>({
  advances: /* @__PURE__ */ list(advance),
  reserves: /* @__PURE__ */ list(reserve),
  guarantees: /* @__PURE__ */ list(guarantee),
  overrides: /* @__PURE__ */ list(override),
})

const sameIds = (list: string, all: ReadonlyArray<{ readonly id: string }>) =>
  repeats(all.map(({ id }) => id)).map(({ value, index, first }): Problem => {
    const message = `must be an id of its own: ${list}[${first}] has it too`
    return { path: `${list}[${index}].id`, value, message }
  })

/** An agreement about some groups with its percentage, and where it stands. */
interface Percentage {
  readonly place: number
  readonly percent: string
  readonly groups: ReadonlyArray<string> | null
}

/** The first of several claims on the same shares with which one of the shares is claimed by more than 100 %. */
const excessive = (claimants: ReadonlyArray<Percentage>): Percentage | undefined => {
  const byGroup = new Map<string, number>()
  let [ofAll, most] = [0, 0]
  return claimants.find(({ percent, groups }) => {
    const points = basisPointsOf(percent)
    if (groups === null) ofAll += points
    for (const group of groups ?? []) {
      const sum = (byGroup.get(group) ?? 0) + points
      byGroup.set(group, sum)
      most = Math.max(most, sum)
    }
    return ofAll + most > Percent.whole
  })
}

const beyondWhole = (
  list: "reserves" | "overrides",
  claims: ReadonlyArray<readonly [key: string, Percentage]>,
): ReadonlyArray<Problem> => {
  const byKey = new Map<string, Array<Percentage>>()
  for (const [key, claimant] of claims) {
    const others = byKey.get(key)
    if (others === undefined) byKey.set(key, [claimant])
    else others.push(claimant)
  }
  return [...byKey.values()].flatMap((claimants) => {
    const found = excessive(claimants)
    if (found === undefined) return []
    const { place, percent } = found
    const others = claimants.filter((one) => one !== found && one.place < place)
    const named = others.map((one) => `${list}[${one.place}]`).join(", ")
    const message = `must leave no share claimed by more than 100 %, got ${percent} beside ${named}`
    return [{ path: `${list}[${place}].percent`, value: percent, message }]
  })
}

const problemsOfReserve = ({ schedule }: Reserve, place: number): ReadonlyArray<Problem> => {
  const path = `reserves[${place}].schedule`
  const sum = schedule.reduce((sum, { percent }) => sum + basisPointsOf(percent), 0)
  const late = schedule.findIndex(({ days }, index) => days <= (schedule[index - 1]?.days ?? -1))
  const found: Array<Problem> = []
  if (sum !== Percent.whole) {
    const message = `must have percentages that add up to 100, got ${Percent.format(sum)}`
    found.push({ path, value: schedule, message })
  }
  if (late >= 0) {
    const value = schedule[late]?.days
    const message = `must be later than the step before, got ${value} days`
    found.push({ path: `${path}[${late}].days`, value, message })
  }
  return found
}

const problemsOfOverride = (override: Override, place: number): ReadonlyArray<Problem> => {
  const { of, from, paidBy, collaboratorId } = override
  const path = `overrides[${place}]`
  if (from === collaboratorId) {
    const message = `must be somebody else than who gets the override, got ${from}`
    return [{ path: `${path}.from`, value: from, message }]
  }
  if (from !== null || (of === "sale" && paidBy === "store")) return []
  const message = `must say whose share it is about, unless the override is of the sale and paid by the store`
  return [{ path: `${path}.from`, value: from, message }]
}

const problemsOfChains = (set: AgreementSet, keepsCircles: boolean): ReadonlyArray<Problem> => {
  const { links, circle } = linksOf(set.overrides)
  return set.overrides.flatMap(({ from, collaboratorId }, place): ReadonlyArray<Problem> => {
    const at = { path: `overrides[${place}].from`, value: from }
    if (from === collaboratorId) return []
    if (circle.has(place)) {
      if (keepsCircles) return []
      const message = `must not be in a circle of overrides, or follow one`
      return [{ ...at, message }]
    }
    const before = from === null ? 0 : (links.get(from) ?? 0)
    if (before !== mostLinks) return []
    const message = `must leave a chain of at most ${mostLinks} overrides: ${before} lead to ${from} already`
    return [{ ...at, message }]
  })
}

const problemsOfAdvance = (advance: Advance, place: number): ReadonlyArray<Problem> => {
  const own = advance.alsoFrom.indexOf(advance.collaboratorId)
  if (own < 0) return []
  const message = `must be other collaborators: the advance is that of ${advance.collaboratorId}`
  const path = `advances[${place}].alsoFrom[${own}]`
  return [{ path, value: advance.collaboratorId, message }]
}

const problemsOfGuarantee = ({ from, until }: Guarantee, place: number): ReadonlyArray<Problem> => {
  if (until > from) return []
  const message = `must be after the period's beginning (${from}), got ${until}`
  return [{ path: `guarantees[${place}].until`, value: until, message }]
}

/**
 * How agreements are read.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementReading {
  /**
   * Whether overrides that lead in a circle are kept, to be told as a mistake among others. Nothing can be booked by
   * them. They are refused when absent.
   */
  readonly keepsCircles?: boolean | undefined
}

/** What is wrong between valid agreements. */
const problemsBetween = (
  set: AgreementSet,
  { keepsCircles = false }: AgreementReading,
): ReadonlyArray<Problem> => [
  ...sameIds("advances", set.advances),
  ...sameIds("reserves", set.reserves),
  ...sameIds("guarantees", set.guarantees),
  ...sameIds("overrides", set.overrides),
  ...set.advances.flatMap(problemsOfAdvance),
  ...set.reserves.flatMap(problemsOfReserve),
  ...set.guarantees.flatMap(problemsOfGuarantee),
  ...set.overrides.flatMap(problemsOfOverride),
  ...beyondWhole(
    "reserves",
    set.reserves.map((one, place) => [one.collaboratorId, { ...one, place }]),
  ),
  ...beyondWhole(
    "overrides",
    set.overrides.map(({ of, from, paidBy, percent, groups }, place) => [
      JSON.stringify([of, from, paidBy]),
      // Of a sale, items have shares of several groups.
      { percent, groups: from === null ? null : groups, place },
    ]),
  ),
  ...problemsOfChains(set, keepsCircles),
]

/** Reads the agreements of an account, or tells all their problems. */
export const readSet = (
  input: unknown,
  reading: AgreementReading,
): Result.Result<AgreementSet, ReadonlyArray<Problem>> =>
  Result.flatMap(read(input, agreementSet), (set) => {
    const found = problemsBetween(set, reading)
    return found.length === 0 ? Result.succeed(set) : Result.fail(found)
  })
