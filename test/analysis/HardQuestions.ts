/** Groups of one collaborator about which nothing is known before many combinations of tags have been tried. */
import type { ProductGroup } from "apportion"

/**
 * Of each of some pairs of tags an order has one at least where none of these groups applies. It takes two to the
 * power of `count` steps to find such an order.
 */
export const pairs = (count: number): ReadonlyArray<ProductGroup.Input> => {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const without = (id: string, values: ReadonlyArray<string>): ProductGroup.Input => ({
    id,
    collaboratorId: "ada",
    link: { type: "products.all" },
    condition: { type: "order.tag", modifier: "NOT", values },
    percent: 0,
  })
  return [
    ...numbers.map((number) => without(`pair-${number}`, [`one-${number}`, `other-${number}`])),
    // It tells the two of each pair apart.
    without(
      "some",
      numbers.map((number) => `one-${number}`),
    ),
  ]
}
