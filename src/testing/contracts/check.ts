import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { sameData } from "../../internal/sameData.js"
import { ContractBroken, type ContractCase } from "../ContractCase.js"
import { tellDifference } from "./difference.js"

/** One thing that a port has to do. */
export interface Check<Port> {
  readonly name: string
  readonly check: (port: Port) => Effect.Effect<void, unknown>
}

/** How an adapter is made: as it is, as a promise of it, or as an effect. */
export type Make<Port> = () => Effect.Effect<Port, unknown> | Promise<Port> | Port

const broken = (what: string, expected: unknown, actual: unknown): ContractBroken => {
  const message = `${what}: ${tellDifference(expected, actual)}`
  return new ContractBroken({ what, expected, actual, message })
}

/** Fails unless the actual value is the expected one; a field that is `undefined` is as good as none. */
export const expectSame = (
  what: string,
  actual: unknown,
  expected: unknown,
): Effect.Effect<void, ContractBroken> =>
  sameData(actual, expected) ? Effect.void : Effect.fail(broken(what, expected, actual))

/** Fails unless something holds. */
export const expectTrue = (
  what: string,
  holds: boolean,
  actual: unknown,
): Effect.Effect<void, ContractBroken> =>
  holds ? Effect.void : Effect.fail(broken(what, "that it holds", actual))

/** The tag of an expected failure; what else came out, in words. */
export const outcomeOf = <A, E>(exit: Exit.Exit<A, E>): string => {
  if (Exit.isSuccess(exit)) return "success"
  const error = Cause.squash(exit.cause)
  return Predicate.hasProperty(error, "_tag") ? String(error._tag) : String(error)
}

/** Fails unless the work fails with a `Conflict`. */
export const expectConflict = <A, E>(
  what: string,
  work: Effect.Effect<A, E>,
): Effect.Effect<void, ContractBroken> =>
  Effect.flatMap(Effect.exit(work), (exit) => expectSame(what, outcomeOf(exit), "Conflict"))

const thrown = (cause: Cause.Cause<unknown>): ContractBroken => {
  const error = Cause.squash(cause)
  if (error instanceof ContractBroken) return error
  const message = `the work should have gone well, and failed: ${Cause.pretty(cause)}`
  return new ContractBroken({ what: "the work", expected: "success", actual: error, message })
}

/** Makes an adapter and checks one thing about it. */
const runCheck = async <Port>(make: Make<Port>, check: Check<Port>["check"]): Promise<void> => {
  const made = make()
  const port = Effect.isEffect(made) ? await Effect.runPromise(made) : await made
  const exit = await Effect.runPromiseExit(check(port))
  if (Exit.isFailure(exit)) throw thrown(exit.cause)
}

/** Checks as cases for any runner; each makes an adapter of its own. */
export const casesOf = <Port>(
  checks: ReadonlyArray<Check<Port>>,
  make: Make<Port>,
): ReadonlyArray<ContractCase> =>
  checks.map(({ name, check }) => ({ name, run: () => runCheck(make, check) }))
