/**
 * What is true of a rule set for every order that is possible: proofs, not samples.
 *
 * @since 0.5.0
 */
export * from "./Check.js"
export * from "./CheckRules.js"
export * from "./DeadGroups.js"
export * from "./Equivalence.js"
export * from "./Implication.js"
export * from "./Options.js"
export * from "./OverAllocation.js"
export * from "./Overlaps.js"
export * from "./RedundantGroups.js"
export * from "./TogetherGroups.js"
export * from "./UnpaidProducts.js"
export * from "./Witness.js"
