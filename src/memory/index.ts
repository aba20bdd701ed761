/**
 * The ports in memory.
 *
 * @packageDocumentation
 */

export * as MemoryStorage from "./MemoryStorage.js"
