/**
 * Dividing an amount in whole cents so that nothing is lost: largest remainder.
 *
 * @since 0.1.0
 */
import { allocateExactly } from "./internal/allocating.js"

/**
 * Divides an amount over weights by largest remainder. The parts add up to the amount; each part is
 * the floor or the ceiling of its exact value; a weight of 0 gets nothing; a negative amount is the
 * mirror of the positive one. Equal remainders are served in the order of the weights. With no weight
 * above 0, or no weights at all, the parts are all 0: nothing says where the amount should go.
 *
 * @param amount - cents, any safe integer
 * @param weights - safe integers of 0 or more; their sum may be larger than a safe integer
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Allocation } from "apportion"
 *
 * Allocation.allocate(100, [1, 1, 1]) // => [34, 33, 33]
 * Allocation.allocate(9_999, [7_500, 2_500]) // => [7499, 2500]
 * ```
 */
export const allocate = (amount: number, weights: ReadonlyArray<number>): Array<number> =>
  allocateExactly(amount, weights)
