/**
 * The split of many sales in columns, for warehouses.
 *
 * @packageDocumentation
 */

export * from "./BulkSplit.js"
export * as ColumnBatch from "./ColumnBatch.js"
