/**
 * What hosts test with: random values of every type of the domain, and the cases that an adapter has to
 * pass.
 *
 * @packageDocumentation
 */

export * as Arbitraries from "./Arbitraries.js"
