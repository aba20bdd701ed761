/**
 * Rails that call an API over HTTP, for the services: Stripe and PayPal.
 *
 * @packageDocumentation
 */

export * as PayPalRail from "./PayPalRail.js"
export * as PlainRails from "./PlainRails.js"
export * as StripeRail from "./StripeRail.js"
