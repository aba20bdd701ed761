/**
 * An order that shows what an analysis says.
 *
 * @since 0.5.0
 */
import type { Order } from "../orders/Order.js"

/**
 * An order of one item that shows what is said of the rules. It has only the attributes that are needed.
 *
 * @since 0.5.0
 * @category models
 */
export interface Witness {
  readonly order: Order
  /** How many attributes it needs: values that rules name, and its time. A product of the catalogue is none. */
  readonly attributeCount: number
  /** Whether it is proved that none with fewer attributes would do. */
  readonly isSmallest: boolean
}
