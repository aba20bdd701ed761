/**
 * What is true of a rule set for every order that is possible: proofs, not samples.
 *
 * @since 0.5.0
 */
export { type Check, type CheckOptions, check, type Finding, type Proof } from "./Check.js"
export * from "./CheckRules.js"
export { type DeadGroup, type DeadGroups, type DeadReason, deadGroups } from "./DeadGroups.js"
export { type Equivalence, equivalent } from "./Equivalence.js"
export { type Implication, implies } from "./Implication.js"
export * from "./Options.js"
export {
  type OverAllocatedProducts,
  type OverAllocation,
  type OverAllocationWitness,
  overAllocation,
} from "./OverAllocation.js"
export { type Overlap, type Overlaps, overlaps } from "./Overlaps.js"
export { type RedundantGroup, type RedundantGroups, redundantGroups } from "./RedundantGroups.js"
export * from "./Steps.js"
export { togetherGroups } from "./TogetherGroups.js"
export * from "./Turns.js"
export { type UnpaidProducts, unpaidProducts } from "./UnpaidProducts.js"
export * from "./Witness.js"
