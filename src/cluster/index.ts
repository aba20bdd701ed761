/**
 * Durable work on many runners, over PostgreSQL.
 *
 * @packageDocumentation
 */

export * from "./Job.js"
export * from "./Jobs.js"
export * from "./Runner.js"
