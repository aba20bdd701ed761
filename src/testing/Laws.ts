/**
 * Laws that hold for every order: those of the engine, with terms and without, common laws of hosts about their rules, and a way to write
 * others. {@link verifyRules} searches for an order that breaks one.
 *
 * @since 0.5.0
 */
export * from "./laws/CountedLaws.js"
export * from "./laws/EngineLaws.js"
export * from "./laws/HostLaws.js"
export {
  appliesTo,
  type CountedSale,
  type JudgedSale,
  type Law,
  make,
  saleOf,
} from "./laws/Law.js"
