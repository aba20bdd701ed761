/**
 * Schemas of the models and of the errors of `apportion`, for hosts that use Effect's `Schema`. The models' `parse`
 * functions define what is valid; the schemas wrap them.
 *
 * @packageDocumentation
 */

export * from "./Errors.js"
export * from "./Models.js"
export * from "./Problem.js"
