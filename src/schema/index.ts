/**
 * Schemas of the models and of the errors of `apportion`, for hosts that work with Effect's `Schema`. What is valid
 * is what the models' `parse` functions say; a schema wraps it.
 *
 * @packageDocumentation
 */

export * from "./Errors.js"
export * from "./Models.js"
export * from "./Problem.js"
