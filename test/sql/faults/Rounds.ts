/** All that can break in a use case, tried one after the other. */
import { Effect, Logger } from "effect"
import { isLinking, moment } from "./Background.js"
import { type Bench, inPlace, type Place, startProcess } from "./Bench.js"
import * as Copies from "./Copies.js"
import { type Boundary, faultsAt } from "./Fault.js"
import type { Plan } from "./FaultyClient.js"
import { at } from "./HastyClock.js"
import type { Reference, Subject } from "./Judge.js"
import { attempt, keyed, refer } from "./Trial.js"
import { opening, type UseCase } from "./UseCase.js"

/** What was tried, and what went wrong. */
export interface Findings {
  /** How many steps there are, of the calls that were tried. */
  readonly boundaries: number
  /** How often something broke. */
  readonly attempts: number
  readonly problems: ReadonlyArray<string>
}

/** Which of the faults at a step are tried. */
export type Choice = (place: number, boundary: Boundary) => ReadonlyArray<Plan["fault"]>

/** All of them. */
export const everything: Choice = (_place, boundary) => faultsAt(boundary)

/**
 * One at a step, another at the next that is chosen, so that each comes to each kind of step sooner or later.
 * With `every` 2, each second step is chosen; another seed chooses the others.
 */
export const oneEach =
  (seed: number, every: number): Choice =>
  (place, boundary) => {
    if ((place + seed) % every !== 0) return []
    const faults = faultsAt(boundary)
    const fault = faults[(seed + place * 5) % faults.length]
    return fault === undefined ? [] : [fault]
  }

/** Waits until the products of an account's groups are linked. */
const linked = ({ sql }: Bench, account: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (yield* isLinking(sql, account)) yield* moment
  })

/** Makes the account of which trials get copies, and gives the call. */
const prepare = (bench: Bench, place: Place, { prepare, leftBehind }: UseCase, account: string) =>
  Effect.gen(function* () {
    place.faulty.arm({})
    const preparing = Effect.gen(function* () {
      const context = yield* startProcess(place, { accounts: [], seed: 1 })
      const call = yield* Effect.provideContext(Effect.orDie(prepare(account)), context)
      yield* linked(bench, account)
      return call
    })
    const call = yield* Effect.scoped(preparing)
    if (leftBehind !== undefined) yield* Effect.orDie(leftBehind(place.storage, account))
    return call
  }).pipe(at(opening), Effect.provide(Logger.layer([])))

const originalOf = ({ name }: UseCase): string => `original: ${name}`

/** The calls of a use case: as it is, and under a key. */
const subjectsOf = (bench: Bench, useCase: UseCase): Effect.Effect<ReadonlyArray<Subject>> =>
  inPlace(bench, (place) => {
    const original = originalOf(useCase)
    return Effect.map(prepare(bench, place, useCase, original), (call): ReadonlyArray<Subject> => {
      const { name, isRepeatable } = useCase
      const bare = { useCase, original, call, isKeyed: false, name, isRepeatable }
      const underKey = {
        ...bare,
        call: keyed(call),
        isKeyed: true,
        name: `${name}, by key`,
      }
      return useCase.isBare || useCase.leftBehind !== undefined ? [bare] : [bare, underKey]
    })
  })

/** Where something broke, and what. */
const titleOf = (
  { name }: Subject,
  { boundaries }: Reference,
  { at: place, fault }: Plan,
): string => {
  const { kind = "", statement = "" } = boundaries[place] ?? {}
  return `${name}: ${fault} at step ${place} (${kind} ${statement.slice(0, 60)})`
}

/** Longer than any call takes. */
const patience = 30_000

const tried = (bench: Bench, subject: Subject, reference: Reference, plan: Plan) => {
  const title = titleOf(subject, reference, plan)
  const hang = Effect.promise(
    () =>
      new Promise<ReadonlyArray<string>>((resolve) => {
        setTimeout(() => resolve(["it hangs"]), patience).unref()
      }),
  )
  return Effect.map(Effect.raceFirst(attempt(bench, subject, reference, plan), hang), (problems) =>
    problems.map((problem) => `${title}: ${problem}`),
  )
}

/** Tries what is chosen of all that can break in a use case. */
export const findings = (bench: Bench, useCase: UseCase, choose: Choice): Effect.Effect<Findings> =>
  Effect.gen(function* () {
    let [boundaries, attempts] = [0, 0]
    const problems: Array<string> = []
    const subjects = yield* subjectsOf(bench, useCase)
    const camera = yield* Copies.camera(bench.sql, originalOf(useCase))
    const before = yield* camera.take
    for (const subject of subjects) {
      const reference = yield* refer(bench, subject)
      const plans = reference.boundaries.flatMap((boundary, place) =>
        choose(place, boundary).map((fault): Plan => ({ at: place, fault })),
      )
      const found = yield* Effect.forEach(plans, (plan) => tried(bench, subject, reference, plan), {
        concurrency: "unbounded",
      })
      boundaries += reference.boundaries.length
      attempts += plans.length
      problems.push(...found.flat())
    }
    if ((yield* camera.take) !== before) problems.push(`${useCase.name}: another account changed`)
    return { boundaries, attempts, problems }
  })
