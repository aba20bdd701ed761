/** Groups of one collaborator about which nothing is known before very many combinations have been tried. */
import type { ProductGroup } from "apportion"

/**
 * Each of some pigeons wants a hole of its own, and there is one hole too few, or as many as there are pigeons. None of
 * these groups applies where the tags of the order, and the same tags of the product, say which pigeon is in which hole:
 * with a hole too few there is no such order, and there are as many ways to try as pigeons can be ordered.
 */
export const pigeons = (
  count: number,
  { holes = count - 1, collaboratorId = "ada" } = {},
): ReadonlyArray<ProductGroup.GroupInput> => {
  const numbers = (length: number) => Array.from({ length }, (_, index) => index)
  const inHole = (pigeon: number, hole: number) => `${pigeon} in ${hole}`
  const group = (
    id: string,
    link: ProductGroup.GroupInput["link"],
    modifier: ProductGroup.Modifier,
    values: ReadonlyArray<string>,
  ): ProductGroup.GroupInput => ({
    id: `${collaboratorId}'s ${id}`,
    collaboratorId,
    link,
    condition: { type: "order.tag", modifier, values },
    percent: 0,
  })
  const pairs = numbers(count).flatMap((pigeon) =>
    numbers(holes).map((hole) => [pigeon, hole] as const),
  )
  const homeless = numbers(count).map((pigeon) =>
    group(
      `pigeon ${pigeon}`,
      { type: "products.all" },
      "NOT",
      numbers(holes).map((hole) => inHole(pigeon, hole)),
    ),
  )
  const others = pairs.flatMap(([pigeon, hole]) => {
    const here = inHole(pigeon, hole)
    const tag = (modifier: ProductGroup.Modifier) =>
      ({ type: "products.tag", modifier, values: [here] }) as const
    const rivals = numbers(count).filter((each) => each !== pigeon)
    return [
      group(`product ${here}`, tag("WITH"), "NOT", [here]),
      group(`order ${here}`, tag("NOT"), "WITH", [here]),
      group(
        `rivals of ${here}`,
        tag("WITH"),
        "WITH",
        rivals.map((rival) => inHole(rival, hole)),
      ),
    ]
  })
  return [...homeless, ...others]
}
