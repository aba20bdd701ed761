/**
 * Who gets what from a sale, to the cent, and why.
 *
 * @packageDocumentation
 */

export * as ProductGroup from "./groups/ProductGroup.js"
export * as Catalogue from "./matching/Catalogue.js"
export * as Order from "./matching/Order.js"
export * as Product from "./matching/Product.js"
export * as RuleSet from "./matching/RuleSet.js"
export * as Allocation from "./money/Allocation.js"
export * as Cents from "./money/Cents.js"
export * as Currency from "./money/Currency.js"
export * as ExchangeRate from "./money/ExchangeRate.js"
export * as Percent from "./money/Percent.js"
export type { Problem } from "./Problem.js"
export * as ListOrder from "./pagination/ListOrder.js"
export * as Page from "./pagination/Page.js"
export * as PageRequest from "./pagination/PageRequest.js"
export * as Collaborator from "./payouts/Collaborator.js"
export * as Payout from "./payouts/Payout.js"
export * as PayoutBook from "./payouts/PayoutBook.js"
export * as PayoutItem from "./payouts/PayoutItem.js"
export * as PayoutStatus from "./payouts/PayoutStatus.js"
export * as Permissions from "./payouts/Permissions.js"
export * as Schedule from "./payouts/Schedule.js"
export * as SoldItem from "./payouts/SoldItem.js"
export * as Visibility from "./payouts/Visibility.js"
export * as Explanation from "./shares/Explanation.js"
export * as Refund from "./shares/Refund.js"
export type { ItemReckoning, Outranked, Share, StoreRest } from "./shares/Share.js"
export * as Split from "./shares/Split.js"
export * as SplitPolicy from "./shares/SplitPolicy.js"
