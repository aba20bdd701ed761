import * as Result from "effect/Result"
import type { Advance, AgreementSet } from "../../../agreements/Agreement.js"
import { readSet } from "../../../agreements/internal/agreementForm.js"
import { linksOf } from "../../../agreements/internal/chain.js"
import { at } from "../../../internal/at.js"
import { within } from "../../../internal/problems.js"
import { basisPointsOf } from "../../../money/internal/exact.js"
import { oneLine, plural } from "../../../orders/Words.js"
import type { Problem } from "../../../Problem.js"
import type { Steps } from "../../Options.js"
import { areOfUse, termsOf } from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./Subject.js"

/** What is agreed where nothing is given. */
export const noAgreements: AgreementSet = {
  advances: [],
  reserves: [],
  guarantees: [],
  overrides: [],
}

/** Agreements in which overrides may lead in circles, which is a finding; anything else is a problem of the option. */
export const readAgreements = (
  input: unknown,
): Result.Result<AgreementSet, ReadonlyArray<Problem>> =>
  Result.mapError(readSet(input, { keepsCircles: true }), (problems) =>
    problems.map((problem) => within("agreements", problem)),
  )

/** The overrides that lead in a circle, and those that follow them. */
export function* circles({ agreements }: Subject): Steps<Report> {
  const { overrides } = agreements
  const ids = [...linksOf(overrides).circle].map((place) => at(overrides, place).id)
  if (ids.length === 0) return { drafts: [] }
  const message = `The overrides ${wording.ids(ids)} lead in a circle, or follow one: nobody can say what each is a percentage of.`
  return { drafts: [{ rule: "override-circle", groupIds: [], agreementIds: ids, message }] }
}

/** How many groups and overrides pay what an advance is recouped from. */
const feedingOf = (
  { collaboratorId, alsoFrom, groups }: Advance,
  { agreements, rules, deadIds, setting }: Subject,
): number => {
  const from = new Set([collaboratorId, ...alsoFrom])
  const byOverrides = agreements.overrides.filter((override) => from.has(override.collaboratorId))
  const paying = rules.groups.filter(
    (group) =>
      from.has(group.collaboratorId) &&
      (groups === null || groups.includes(group.id)) &&
      !deadIds.has(group.id) &&
      areOfUse(termsOf(group, setting.policy), setting.policy),
  )
  return byOverrides.length + paying.length
}

const whyUnfed = (advance: Advance, subject: Subject): string | undefined => {
  if (advance.amount === 0) return undefined
  if (basisPointsOf(advance.percent) === 0) return "it takes 0 % of every share"
  if (feedingOf(advance, subject) > 0) return undefined
  const whose = wording.list([advance.collaboratorId, ...advance.alsoFrom].map(oneLine))
  if (advance.groups === null) return `no group ever pays ${whose} anything`
  return `${wording.groups(advance.groups)} never ${plural(advance.groups.length, "pays", "pay")} ${whose} anything`
}

/** Advances that no share is recouped for. */
export function* unfedAdvances(subject: Subject): Steps<Report> {
  const known = new Set(subject.rules.groups.map(({ id }) => id))
  const drafts = subject.agreements.advances.flatMap((advance): ReadonlyArray<Draft> => {
    const why = whyUnfed(advance, subject)
    if (why === undefined) return []
    return [
      {
        rule: "unfed-advance",
        groupIds: (advance.groups ?? []).filter((id) => known.has(id)),
        agreementIds: [advance.id],
        collaboratorId: advance.collaboratorId,
        message: `Advance ${oneLine(advance.id)} of ${oneLine(advance.collaboratorId)} is never recouped: ${why}.`,
      },
    ]
  })
  return { drafts }
}
