/** What must be so after a call at which something broke, and after the same call again. */
import type * as Copies from "./Copies.js"
import { type Boundary, isConflict } from "./Fault.js"
import type { Plan, Watch } from "./FaultyClient.js"
import type { Call, UseCase } from "./UseCase.js"

/** What came of a call, as a text. */
export type Outcome = string

/** A call of a use case, on accounts that are copies of one. */
export interface Subject {
  readonly useCase: UseCase
  readonly name: string
  /** The account that is copied. */
  readonly original: string
  readonly call: Call
  /** Whether the same called twice has one effect by itself. */
  readonly isRepeatable: boolean
  /** Whether it is called under a key. */
  readonly isKeyed: boolean
}

/** How the call goes when nothing breaks. */
export interface Reference {
  readonly boundaries: ReadonlyArray<Boundary>
  readonly outcome: Outcome
  /** The account before the call, and after each transaction that was kept. */
  readonly states: ReadonlyArray<Copies.Picture>
}

/** What is wrong after something broke; nothing, when all is as it must be. */
export type Problems = ReadonlyArray<string>

/** What was seen of a call. */
export interface Seen {
  readonly outcome: Outcome
  readonly watch: Watch
  readonly picture: Copies.Picture
}

const lastOf = ({ states }: Reference): Copies.Picture => states.at(-1) ?? ""

const outcomesAllowed = (
  { useCase }: Subject,
  { outcome, boundaries }: Reference,
  { at: place, fault }: Plan,
): ReadonlyArray<Outcome> => {
  if (fault === "delay") return [outcome]
  if (fault.startsWith("interruption")) return [outcome, "gave up"]
  if (isConflict(fault)) return useCase.isBare ? ["failed: Conflict"] : [outcome]
  // What is told already stays told: rolling back is nobody's business but the storage's.
  if (boundaries[place]?.kind === "rollback") return [outcome]
  const failure = "failed: StorageFailure"
  return useCase.hasBackground ? [outcome, failure] : [failure]
}

const judgeConnections = ({ reserved, spoiled }: Watch): Problems => [
  ...(reserved === 0 ? [] : [`${reserved} connections were not given back`]),
  ...spoiled,
]

const difference = (expected: Copies.Picture, found: Copies.Picture): string => {
  const [before, after] = [expected.split("\n"), found.split("\n")]
  const lines = [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ]
  return lines.join("\n")
}

/** After the call at which something broke: its whole effect is there, or none. */
export const judge = (subject: Subject, reference: Reference, plan: Plan, seen: Seen): Problems => {
  const { outcome, watch, picture } = seen
  const allowed = outcomesAllowed(subject, reference, plan)
  const isDone = outcome === reference.outcome
  const kept = reference.states[Math.min(watch.commits, reference.states.length - 1)] ?? ""
  const expected = isDone ? lastOf(reference) : kept
  // How often the background looks for work is a matter of chance where there are several connections.
  const isExpected = watch.happened || subject.useCase.hasBackground
  return [
    ...(isExpected ? [] : ["nothing broke: the call took another way than before"]),
    ...(allowed.includes(outcome) ? [] : [`it ${outcome}, not one of: ${allowed.join(", ")}`]),
    ...(picture === expected
      ? []
      : [`after ${watch.commits} transactions (it ${outcome}):\n${difference(expected, picture)}`]),
    ...judgeConnections(watch),
  ]
}

const mayFailAgain = (outcome: Outcome, { useCase }: Subject): boolean =>
  outcome.startsWith("failed: ") &&
  outcome !== "failed: StorageFailure" &&
  (useCase.isBare || outcome !== "failed: Conflict")

/** After the same call again: all is as if nothing had ever broken. */
export const judgeAgain = (
  subject: Subject,
  reference: Reference,
  { outcome, watch, picture }: Seen,
  hadEffect: boolean,
): Problems => {
  const isAsBefore = outcome === reference.outcome
  const isOther = subject.isKeyed || !hadEffect
  const isRight =
    isAsBefore || (!isOther && (outcome.startsWith("gave ") || mayFailAgain(outcome, subject)))
  return [
    ...(isRight ? [] : [`again, it ${outcome}, and not ${reference.outcome}`]),
    ...(picture === lastOf(reference)
      ? []
      : [`again (it ${outcome}):\n${difference(lastOf(reference), picture)}`]),
    ...judgeConnections(watch),
  ]
}
