/**
 * The storage port in a folder, for Node: PGlite on files, in a thread of its own, for one process at a time.
 *
 * @packageDocumentation
 */

export * as FolderStorage from "./FolderStorage.js"
