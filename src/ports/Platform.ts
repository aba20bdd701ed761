/**
 * The port that reads the deliveries of a shop on a platform; a module such as `apportion/shopify` supplies it.
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
