/**
 * The services as plain async functions, for hosts that know nothing of Effect.
 *
 * @packageDocumentation
 */

export * from "./Apportion.js"
export * from "./Errors.js"
export type * from "./LogEntry.js"
export * from "./Promised.js"
export * from "./PromiseError.js"
export * from "./Services.js"
