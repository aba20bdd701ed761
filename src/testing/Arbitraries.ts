/**
 * Random values of every type of the domain, for property tests with fast-check: ordinary, extreme and error-prone
 * ones. All of them are valid.
 *
 * `fast-check` is an optional peer dependency: install it to use them.
 *
 * @since 0.2.0
 */
export * from "./arbitraries/CountedRules.js"
export * from "./arbitraries/Orders.js"
export * from "./arbitraries/Payouts.js"
export * from "./arbitraries/ProductGroups.js"
export * from "./arbitraries/RuleOrders.js"
export * from "./arbitraries/Sales.js"
export * from "./arbitraries/Scalars.js"
export * from "./arbitraries/Storage.js"
