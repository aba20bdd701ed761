import type { Asking, Part } from "./Parts.js"
import type { Predicate } from "./Predicate.js"
import type { Budget } from "./Sketch.js"
import { type Found, smallest } from "./smallest.js"

const predicatesOf = (list: ReadonlyArray<Asking>): ReadonlyArray<Predicate> =>
  list.map(({ predicate }) => predicate)

/** The smallest order to which all of some groups apply, and none of some others. */
export const meeting = (
  apply: ReadonlyArray<Asking>,
  not: ReadonlyArray<Asking>,
  { part, budget }: { part: Part; budget: Budget },
): Found => smallest({ apply: predicatesOf(apply), not: predicatesOf(not) }, part.world, budget)
