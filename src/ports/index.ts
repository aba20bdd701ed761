/**
 * The ports that a host supplies: the storage, exchange rates, access tokens, rails.
 *
 * @packageDocumentation
 */

export * from "./CollaboratorStore.js"
export * from "./ConnectedShop.js"
export * from "./CounterStore.js"
export * from "./EndpointStore.js"
export * from "./EventStore.js"
export * from "./ExchangeRates.js"
export * from "./InboxStore.js"
export * from "./KeyStore.js"
export * from "./LinkStore.js"
export * from "./PassStore.js"
export * from "./PaymentRail.js"
export * from "./PaymentStore.js"
export * from "./PayoutHistory.js"
export * from "./PayoutStore.js"
export * from "./PlainStorage.js"
export * from "./Platform.js"
export * from "./ProductGroupStore.js"
export * from "./ProductStore.js"
export * from "./ResplitStore.js"
export * from "./RetentionStore.js"
export * from "./SaleStore.js"
export * from "./SettingsStore.js"
export * from "./Slice.js"
export * from "./SoldSales.js"
export type { SoldChange, SoldSum, SoldSums } from "./SoldSums.js"
export * from "./Storage.js"
export * from "./StorageError.js"
export * from "./Tokens.js"
