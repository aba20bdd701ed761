/** Groups as the tests of the linter write them: only what matters is said. */
import type { ProductGroup } from "../../src/index.js"

export const all = { type: "products.all" } as const

export const tag = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const

/** Ada's, of 10 % of everything, unless something else is said. */
export const group = (
  id: string,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({ id, collaboratorId: "ada", link: all, percent: 10, ...changes })
