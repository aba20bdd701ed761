/**
 * Laws that hold for every order: those of the engine, common laws of hosts about their rules, and a way to write
 * others. {@link verifyRules} searches for an order that breaks one.
 *
 * @since 0.5.0
 */
export * from "./laws/EngineLaws.js"
export * from "./laws/HostLaws.js"
export * from "./laws/Law.js"
