/**
 * Proofs about a rule set for every possible order, not samples.
 *
 * @since 0.5.0
 */
export { type Check, type CheckOptions, check, type Finding, type Proof } from "./Check.js"
export * from "./CheckRules.js"
export {
  type DeadGroup,
  type DeadGroups,
  type DeadReason,
  deadGroups,
  type RedundantGroup,
  type RedundantGroups,
  redundantGroups,
} from "./DeadGroups.js"
export { type Equivalence, equivalent, type Implication, implies } from "./Equivalence.js"
export * from "./Options.js"
export {
  type OverAllocatedProducts,
  type OverAllocation,
  overAllocation,
} from "./OverAllocation.js"
export { type Overlap, type Overlaps, overlaps, togetherGroups } from "./Overlaps.js"
export * from "./Turns.js"
export { type UnpaidProducts, unpaidProducts } from "./UnpaidProducts.js"
