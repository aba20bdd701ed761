/**
 * The storage port in PostgreSQL: on a server, or on PGlite inside the process.
 *
 * @packageDocumentation
 */

export * as Migrations from "./Migrations.js"
export * as PgliteClient from "./PgliteClient.js"
export * as SqlStorage from "./SqlStorage.js"
