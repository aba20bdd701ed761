/**
 * The use cases as services of Effect, over the storage ports.
 *
 * @packageDocumentation
 */

export * from "./AccountRules.js"
export * from "./AccountSettings.js"
export * from "./Actor.js"
export * from "./Audit.js"
export * from "./Balances.js"
export * from "./Collaborators.js"
export * from "./Deliveries.js"
export * from "./DuePayouts.js"
export * from "./Entries.js"
export * from "./Events.js"
export * from "./Idempotency.js"
export * from "./InboxSweeps.js"
export * from "./Passes.js"
export * from "./PastSales.js"
export * from "./Payments.js"
export * from "./Payouts.js"
export * from "./ProductGroups.js"
export * from "./Products.js"
export * from "./Resplits.js"
export * from "./Retention.js"
export * from "./Sales.js"
export * from "./ServiceError.js"
export * from "./Services.js"
export * from "./Settings.js"
export * from "./Statements.js"
export * from "./UnitOfWork.js"
export * from "./WebhookDelivery.js"
export * from "./Webhooks.js"
