import type { Order } from "effect/Order"

// Orders of values for sorting. Texts compare by their UTF-16 code units, so that no locale changes who comes first.

const compare = <A extends string | number>(one: A, other: A): -1 | 0 | 1 =>
  one < other ? -1 : one > other ? 1 : 0

export const compareTexts: Order<string> = compare

export const compareNumbers: Order<number> = compare

/** The first of several orders that tells two values apart decides. */
export const compareBy =
  <A>(...orders: ReadonlyArray<Order<A>>): Order<A> =>
  (one, other) => {
    for (const order of orders) {
      const found = order(one, other)
      if (found !== 0) return found
    }
    return 0
  }
