/**
 * For the tests of hosts: random values of every type of the domain, and contract suites for adapters.
 *
 * @packageDocumentation
 */

export * as Arbitraries from "./Arbitraries.js"
export * from "./ContractCase.js"
export * as ExchangeRatesContract from "./ExchangeRatesContract.js"
export * from "./FakeRail.js"
export * as Laws from "./Laws.js"
export * as StorageContract from "./StorageContract.js"
export * as TokensContract from "./TokensContract.js"
export * from "./VerifyRules.js"
