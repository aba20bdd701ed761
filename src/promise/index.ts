/**
 * The services as plain async functions, for hosts that don't use Effect.
 *
 * @packageDocumentation
 */

export * from "./Apportion.js"
export * from "./Errors.js"
export * from "./PromiseCall.js"
export * from "./PromiseError.js"
export * from "./Services.js"
