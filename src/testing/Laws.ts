/**
 * What holds for every order: laws of the engine, the laws that hosts have about their rules, and a way to
 * write others. {@link verifyRules} looks for an order that breaks one.
 *
 * @since 0.5.0
 */
export * from "./laws/EngineLaws.js"
export * from "./laws/HostLaws.js"
export * from "./laws/Law.js"
