/**
 * How the deliveries of a shop on a platform are read: what a module such as `apportion/shopify` supplies.
 *
 * @since 0.6.0
 */
export {
  type Announcement,
  type DeliveryHeaders,
  type Occurrence,
  type Platform,
  type PlatformRefund,
  type SignatureClaim,
  type SoldOrder,
  UnknownTopic,
} from "../internal/platform.js"
